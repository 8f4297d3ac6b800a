"""The people of the soak: WebRTC clients that come, speak, go, vanish and come back, all the time."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import sys
import time
from typing import TYPE_CHECKING, Any

from voice.bench.link import BadLink, without_candidates
from voice.media.client import OpusEncoder, ReceivedPacket, VoiceClient
from voice.media.errors import MediaError
from voice.media.settings import MediaSettings

if TYPE_CHECKING:
    from pathlib import Path

SEATS = 10
FRAME_S = 0.02
AT_ONCE = 8
"""Connections that are being made at the same time."""
CONNECT_WITHIN_S = 10.0
LINE_BYTES = 1 << 22
QUIET = frozenset({b"\xf8", b"\xf8\xff\xfe"})
"""The server's own silence: not counted as heard."""
CLIENT = MediaSettings(addresses=(), packets_per_s=1e6, packets_burst=1e6, bytes_per_s=1e9, bytes_burst=1e9)


class SoakError(Exception):
    """The soak could not be run; one line says why."""


class ServerProcess:
    """The server's process, and questions to it."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._reading: asyncio.Task[None]

    async def start(self, tables: int, workers: int, log: Path) -> None:
        """Start it; its log goes to a file."""
        with log.open("wb") as file:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", "benchmarks.soak.server", str(tables), str(workers)),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=file,
                limit=LINE_BYTES,
            )
        self._reading = asyncio.create_task(self._read())

    async def ask(self, do: str, **order: object) -> dict[str, Any]:
        """The answer to an order. Raises SoakError if the server has ended, MediaError for one that it gave."""
        number = next(self._numbers)
        waiting = self._waiting[number] = asyncio.get_running_loop().create_future()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps({"id": number, "do": do, **order}).encode() + b"\n")
            answer: dict[str, Any] = await waiting
        finally:
            self._waiting.pop(number, None)
        if "error" in answer:
            raise MediaError(answer["error"], "the server refused")
        return answer

    async def _read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            answer = json.loads(line)
            if (waiting := self._waiting.pop(answer["id"], None)) is not None and not waiting.done():
                waiting.set_result(answer)
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(SoakError("the server's process has ended"))

    async def end(self) -> int:
        """Close everything; the exit status."""
        assert self._process.stdin is not None
        with contextlib.suppress(SoakError, MediaError):
            await asyncio.wait_for(self.ask("close"), 30.0)
        self._process.stdin.close()
        try:
            status = await asyncio.wait_for(self._process.wait(), 30.0)
        except TimeoutError:
            self._process.kill()
            status = await self._process.wait()
        await self._reading
        return status


class Person:
    """One seat's client."""

    def __init__(self, client: VoiceClient, link: BadLink | None) -> None:
        self.client = client
        self.link = link

    async def go(self, vanish: bool) -> None:
        """Leave: with a goodbye, or as a battery does."""
        if self.link is not None:
            self.link.dead = vanish
        await self.client.close()
        if self.link is not None:
            self.link.close()


class People:
    """Everybody at all tables."""

    def __init__(self, server: ServerProcess, tables: int, seed: int) -> None:
        self._server = server
        self._tables = tables
        self._chance = random.Random(seed)
        self._seated: dict[tuple[int, int], Person] = {}
        self._coming: set[tuple[int, int]] = set()
        self._open: dict[int, tuple[int, ...]] = dict.fromkeys(range(tables), ())
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        self._speech = _speech()
        self.heard = [0] * tables
        self.sent = 0
        self.gates = 0
        self.joins = {"done": 0, "failed": 0, "left": 0, "vanished": 0, "replaced": 0}

    async def all_come(self) -> None:
        """Take every seat."""
        await asyncio.gather(
            *(self._come(each) for each in itertools.product(range(self._tables), range(1, SEATS + 1)))
        )

    def live(self, churn_per_s: float) -> None:
        """From now on people speak, gates move, and so many a second leave or come."""
        for table in range(self._tables):
            self._go_on(self._gate(table))
            self._go_on(self._speak(table))
        self._go_on(self._churn(churn_per_s))

    async def all_go(self) -> None:
        """End all that goes on, and leave."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for table in range(self._tables):
            await self._server.ask("mic", table=table, seats=[])
        await asyncio.gather(*(person.go(vanish=False) for person in self._seated.values()))
        for table in range(self._tables):  # also whoever was about to come
            await asyncio.gather(*(self._server.ask("disconnect", table=table, seat=1 + seat) for seat in range(SEATS)))
        self._seated.clear()

    def _go_on(self, what: Any) -> None:
        task = asyncio.create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _come(self, place: tuple[int, int]) -> None:
        """Take a seat, again and again until it is taken; whoever had it is replaced."""
        if place in self._coming:
            return
        self._coming.add(place)
        try:
            while not await self._try(place):
                self.joins["failed"] += 1
                await asyncio.sleep(1.0)
            self.joins["done"] += 1
        finally:
            self._coming.discard(place)

    async def _try(self, place: tuple[int, int]) -> bool:
        table, seat = place

        def hear(packet: ReceivedPacket) -> None:
            if packet.payload not in QUIET:
                self.heard[table] += 1

        async with self._turn:
            link = await BadLink.start() if self._chance.random() < 0.1 else None
            client = VoiceClient(on_packet=hear, slots=3, settings=CLIENT)
            person = Person(client, link)
            try:
                offer = await client.offer()
                answer = await self._server.ask(
                    "connect", table=table, seat=seat, sdp=without_candidates(offer) if link else offer
                )
                await client.accept(link.between(answer["sdp"]) if link else answer["sdp"])
                await client.connected(CONNECT_WITHIN_S)
            except (MediaError, TimeoutError):
                await person.go(vanish=True)
                return False
            except BaseException:
                await person.go(vanish=True)
                raise
        before = self._seated.pop(place, None)
        self._seated[place] = person
        if before is not None:
            self.joins["replaced"] += 1
            await before.go(vanish=False)
        return True

    async def _churn(self, per_s: float) -> None:
        due = time.monotonic()
        while True:
            due = max(due + self._chance.expovariate(per_s), time.monotonic() - 1.0)
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            place = (self._chance.randrange(self._tables), self._chance.randint(1, SEATS))
            self._go_on(self._leave_and_return(place, self._chance.random(), 3.0 * self._chance.random()))

    async def _leave_and_return(self, place: tuple[int, int], how: float, away_s: float) -> None:
        if place in self._coming:
            return
        if how < 0.7 and (person := self._seated.pop(place, None)) is not None:
            self.joins["left"] += 1
            self.joins["vanished"] += person.link is not None
            if how < 0.35:
                await self._server.ask("disconnect", table=place[0], seat=place[1])
            await person.go(vanish=True)
            await asyncio.sleep(away_s)
        await self._come(place)

    async def _gate(self, table: int) -> None:
        """Mostly one has the floor; now and then several, or nobody."""
        while True:
            count = self._chance.choices((1, 0, 3, SEATS), (0.75, 0.05, 0.15, 0.05))[0]
            self._open[table] = tuple(self._chance.sample(range(1, SEATS + 1), count))
            self.gates += 1
            await self._server.ask("mic", table=table, seats=list(self._open[table]))
            await asyncio.sleep(self._chance.uniform(1.0, 5.0))

    async def _speak(self, table: int) -> None:
        """Those with the floor speak, and one without it sends all the same."""
        due = time.monotonic() + self._chance.random() * FRAME_S
        for number in itertools.count(self._chance.randrange(len(self._speech))):
            due += FRAME_S
            late_s = time.monotonic() - due
            if late_s > 0.5:
                due += late_s
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            speaking = {*self._open[table], 1 + number // 500 % SEATS}
            for seat in speaking:
                person = self._seated.get((table, seat))
                if person is not None and person.client.send(self._speech[number % len(self._speech)]):
                    self.sent += 1


def _speech() -> list[bytes]:
    """Ten seconds of noise in syllables, as Opus: its packets are as long as speech's."""
    chance = random.Random(1)
    encoder = OpusEncoder(16_000)
    made = []
    for frame in range(500):
        loud = 6000 if frame % 12 < 9 else 60
        pcm = b"".join(
            int(loud * chance.uniform(-1, 1)).to_bytes(2, "little", signed=True) for _ in range(encoder.frame_samples)
        )
        if packet := encoder.encode(pcm):
            made.append(packet)
    return made
