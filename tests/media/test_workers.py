"""Media workers: real processes, real WebRTC clients, and what becomes of the voice when one dies, stops or is left."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from dataclasses import dataclass, field
from itertools import cycle
from typing import TYPE_CHECKING

import pytest

from voice.media.client import OpusDecoder, VoiceClient
from voice.media.errors import MediaError
from voice.media.workers.pool import MediaWorkers
from voice.media.workers.wire import Accepted

from .conftest import CLIENT, LOCAL, energy, opus_tone, settle, speak, until
from .leak.games import microphones

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from voice.media.packet import AcceptedPacket
    from voice.media.room import Viewer
    from voice.media.workers.keeper import WorkerKeeper

READY_S = 60.0
AIR_HZ, SECRET_HZ = 500, 2300


@dataclass
class Seats:
    """One table's voice in a worker, and its clients."""

    pool: MediaWorkers
    name: str
    tapped: list[AcceptedPacket] = field(default_factory=list)
    links: list[frozenset[int]] = field(default_factory=list)
    slots: list[tuple[int, tuple[int | None, ...]]] = field(default_factory=list)
    clients: dict[Viewer, VoiceClient] = field(default_factory=dict)
    old: list[VoiceClient] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.room = self.pool.open(
            self.name,
            self.tapped.append,
            self.links.append,
            on_slots=lambda change, seats: self.slots.append((change, seats)),
        )

    @property
    def worker(self) -> WorkerKeeper:
        return self.room._worker

    async def join(self, *viewers: Viewer) -> None:
        for viewer in viewers:
            client = VoiceClient(listen_only=isinstance(viewer, str), settings=CLIENT)
            if viewer in self.clients:
                self.old.append(self.clients[viewer])
            self.clients[viewer] = client
            await client.accept(await self.room.connect(viewer, await client.offer()))
        await asyncio.gather(*(self.clients[viewer].connected() for viewer in viewers))
        wanted = {viewer for viewer in viewers if isinstance(viewer, int)}
        await until(lambda: bool(self.links and wanted <= self.links[-1]))

    def heard(self, viewer: Viewer) -> list[bytes]:
        """The payloads a viewer received, without the server's own silence."""
        return [packet.payload for packet in self.clients[viewer].received if len(packet.payload) > 3]

    def forget(self) -> None:
        self.tapped.clear()
        for client in self.clients.values():
            client.received.clear()

    async def close(self) -> None:
        await self.room.close()
        await asyncio.gather(*(client.close() for client in (*self.clients.values(), *self.old)))


def loudness(payloads: list[bytes], hz: float) -> float:
    decoder = OpusDecoder()
    return energy(b"".join(decoder.decode(payload) for payload in payloads), hz)


@pytest.fixture
async def pool() -> AsyncIterator[MediaWorkers]:
    """Two workers."""
    made = MediaWorkers(2, LOCAL)
    await made.start()
    await made.ready(READY_S)
    yield made
    await made.stop()


@pytest.fixture
async def tables(pool: MediaWorkers) -> AsyncIterator[tuple[Seats, Seats]]:
    """Two tables, one on each worker, three people at each."""
    pair = Seats(pool, "one"), Seats(pool, "two")
    await asyncio.gather(*(each.join(1, 2, 3) for each in pair))
    yield pair
    await asyncio.gather(*(each.close() for each in pair))


async def test_tables_are_spread_over_the_workers_and_stay_there(pool: MediaWorkers) -> None:
    rooms = [pool.open(f"table {number}", lambda _packet: None, lambda _seats: None) for number in range(6)]
    names = [room.stats()["worker"] for room in rooms]
    assert sorted(map(str, names)) == ["media 1"] * 3 + ["media 2"] * 3
    with pytest.raises(ValueError, match="open already"):
        pool.open("table 3", lambda _packet: None, lambda _seats: None)
    await asyncio.gather(*(room.close() for room in rooms))
    assert [each["tables"] for each in pool.stats()] == [0, 0]
    again = pool.open("table 3", lambda _packet: None, lambda _seats: None)
    await again.close()


@pytest.mark.parametrize("count", [0, 33, -1])
def test_a_number_of_workers_that_makes_no_sense_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match="expected 1 to 32"):
        MediaWorkers(count)


async def test_who_is_open_is_heard_by_the_others_and_the_tap_and_nobody_else_is(tables: tuple[Seats, Seats]) -> None:
    one, two = tables
    assert one.worker is not two.worker
    one.room.mic({1})
    two.room.mic({2})
    await settle()
    tone = opus_tone(AIR_HZ, 40)
    secret = opus_tone(SECRET_HZ, 40)
    await asyncio.gather(
        speak(one.clients[1], tone, 0.01), speak(one.clients[2], secret, 0.01), speak(two.clients[2], tone, 0.01)
    )
    await until(lambda: len(one.tapped) == len(two.tapped) == 39)  # the first of an opening is never used
    await until(lambda: len(one.heard(2)) == len(one.heard(3)) == len(two.heard(1)) == 39)
    assert one.heard(1) == []
    assert {packet.seat for packet in one.tapped} == {1}
    assert {packet.epoch for packet in one.tapped} == {one.room.epoch} == {1}
    assert [packet.payload for packet in one.tapped] == tone[1:]
    assert loudness(one.heard(3), AIR_HZ) > 0.05
    assert loudness(one.heard(3), SECRET_HZ) < 0.003
    await until(lambda: one.room.stats()["accepted"] == 39)
    seats = one.room.stats()["seats"]
    assert isinstance(seats, dict)
    assert seats[2] == {"accepted": 0, "refused": 40}


async def test_the_gate_moves_at_the_call_and_packets_carry_its_epoch(tables: tuple[Seats, Seats]) -> None:
    one, _ = tables
    tone = opus_tone(AIR_HZ, 20)
    epochs = []
    for turn in range(6):
        seat = 1 + turn % 3
        one.room.mic({seat})
        epochs.append(one.room.epoch)
        one.forget()
        await speak(one.clients[seat], tone, 0.002)
        # What came before the worker read the move was sent before it for all that it knows: dropped, with the first.
        await until(lambda: bool(one.tapped) and one.tapped[-1].payload == tone[-1])
        assert {(packet.seat, packet.epoch) for packet in one.tapped} == {(seat, one.room.epoch)}
        assert [packet.payload for packet in one.tapped] == tone[-len(one.tapped) :]
    assert epochs == [1, 2, 3, 4, 5, 6]
    one.room.mic({3})
    assert one.room.epoch == 6  # the same set is no move
    # Closed, or open and closed again: what is sent right after is not heard, without a moment between.
    one.forget()
    one.room.mic(())
    await speak(one.clients[3], tone, 0.0)
    one.room.mic({1})
    one.room.mic(())
    await speak(one.clients[1], tone, 0.005)
    await settle()
    assert one.heard(2) == []
    assert one.tapped == []


async def test_errors_of_the_room_come_with_their_codes(tables: tuple[Seats, Seats]) -> None:
    one, _ = tables
    with pytest.raises(MediaError) as bad:
        await one.room.connect(1, "v=0")
    assert bad.value.code in ("bad_sdp", "no_audio")
    codes = []
    for _ in range(20):
        with pytest.raises(MediaError) as refused:
            await one.room.connect(1, "v=0")
        codes.append(refused.value.code)
    assert codes[-1] == "too_many"
    await one.room.disconnect(2)
    await until(lambda: one.links[-1] == {1, 3})
    await one.room.disconnect(7)  # who is not there
    await one.room.close()
    with pytest.raises(MediaError) as closed:
        await one.room.connect(1, "v=0")
    assert closed.value.code == "closed"


async def test_a_worker_killed_in_the_middle_of_a_speech(tables: tuple[Seats, Seats]) -> None:
    """Its table is closed and told so at once, the other goes on, the speaker comes back within the same minute."""
    one, two = tables
    tone, secret = opus_tone(AIR_HZ, 60), opus_tone(SECRET_HZ, 30)
    one.room.mic({1})
    two.room.mic({2})
    await settle()
    other = asyncio.create_task(speak(two.clients[2], opus_tone(AIR_HZ, 150), 0.02))
    await speak(one.clients[1], tone[:10], 0.01)
    await until(lambda: one.room.stats()["accepted"] == len(one.tapped) == 9)
    epoch = one.room.epoch
    pid = one.worker.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    await until(lambda: one.links[-1] == frozenset())
    assert [each for each in two.links if each == frozenset()] == []
    assert one.room.epoch == epoch
    one.forget()
    await one.join(1, 2, 3)  # as their clients do: an offer made at once waits for the new worker
    assert one.worker.pid not in (pid, None)
    # The closed seats send all the time; the speaker goes on in the minute that is still theirs.
    await asyncio.gather(
        speak(one.clients[1], tone, 0.01), speak(one.clients[2], secret, 0.02), speak(one.clients[3], secret, 0.02)
    )
    await until(lambda: len(one.tapped) >= 59)
    await until(lambda: len(one.heard(2)) == len(one.heard(3)) == 59)
    assert {(packet.seat, packet.epoch) for packet in one.tapped} == {(1, epoch)}
    assert loudness(one.heard(2), AIR_HZ) > 0.05
    assert loudness(one.heard(2), SECRET_HZ) < 0.003
    assert loudness([packet.payload for packet in one.tapped], SECRET_HZ) < 0.003
    await other
    await until(lambda: len(two.tapped) == 149 and len(two.heard(1)) == 149)
    assert [each["deaths"] for each in one.pool.stats()] in ([1, 0], [0, 1])
    await until(lambda: one.room.stats()["accepted"] == 9 + 59)  # both lives counted


async def test_what_closed_while_the_worker_was_down_is_closed_when_it_is_back(tables: tuple[Seats, Seats]) -> None:
    one, _ = tables
    one.room.mic({1})
    await settle()
    pid = one.worker.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    one.room.mic({2})
    one.room.mic({3})
    await until(lambda: one.links[-1] == frozenset())
    await one.join(1, 2, 3)
    one.forget()
    await asyncio.gather(*(speak(client, opus_tone(AIR_HZ, 20), 0.01) for client in one.clients.values()))
    await until(lambda: len(one.tapped) == 19)
    await settle()
    assert {(packet.seat, packet.epoch) for packet in one.tapped} == {(3, 3)}
    assert one.heard(3) == []


async def test_nothing_that_was_sent_to_a_closed_gate_is_heard_over_games_and_deaths(pool: MediaWorkers) -> None:
    """Ten seats send all the time, the microphones move as in a game, the worker dies thrice in the midst of it.

    A packet may be heard if its seat was open when it was sent, by the moves that had been made by then; not one other.
    """
    table = Seats(pool, "one")
    seats = tuple(range(1, 11))
    await table.join(*seats)
    sent: list[tuple[int, bool]] = []
    heard = 0
    opened: frozenset[int] = frozenset()

    def send_all() -> None:
        for seat in seats:
            table.clients[seat].send(b"\x48" + bytes([seat]) + len(sent).to_bytes(4, "big") + bytes(60))
            sent.append((seat, seat in opened))

    async def play(until_done: asyncio.Task[None] | None, moves: int) -> None:
        nonlocal opened
        game = cycle(microphones(len(sent)))
        while moves > 0 or (until_done is not None and not until_done.done()):
            moves -= 1
            opened = frozenset(next(game))
            table.room.mic(opened)
            for _ in range(4):
                send_all()
                await asyncio.sleep(0.006)

    def check() -> int:
        """Every packet that came out so far; how many."""
        out = [(0, packet.payload) for packet in table.tapped]
        out += [
            (seat, packet.payload)
            for seat, client in table.clients.items()
            for packet in client.received
            if len(packet.payload) > 3
        ]
        for listener, payload in out:
            seat, open_then = sent[int.from_bytes(payload[2:6], "big")]
            assert payload[1] == seat != listener
            assert open_then, f"seat {seat} was heard at {listener}"
        return len(out)

    try:
        for _ in range(3):
            await play(None, 30)
            heard += check()
            pid = table.worker.pid
            assert pid is not None
            os.kill(pid, signal.SIGKILL)
            await until(lambda: table.links[-1] == frozenset())
            table.tapped.clear()
            coming = asyncio.create_task(table.join(*seats))
            await play(coming, 0)
            await coming
            await play(None, 30)
            again = check()
            assert again > 100
            heard += again
        assert heard > 1_000
        assert sum(each["deaths"] for each in pool.stats()) == 3
    finally:
        await table.close()


async def test_a_worker_that_stands_still_is_ended_and_what_waited_for_it_is_not_heard(
    tables: tuple[Seats, Seats],
) -> None:
    one, _ = tables
    one.room.mic({1})
    await settle()
    pid = one.worker.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    await speak(one.clients[1], opus_tone(SECRET_HZ, 20), 0.01)
    one.room.mic({2})
    await until(lambda: one.links[-1] == frozenset(), 30.0)
    assert sum(each["hangs"] for each in one.pool.stats()) == 1
    assert one.tapped == []
    await one.join(1, 2, 3)
    one.forget()
    await speak(one.clients[2], opus_tone(AIR_HZ, 20), 0.01)
    await until(lambda: len(one.tapped) == 19)


async def test_a_worker_that_stood_still_for_a_moment_judges_by_the_newest_word(tables: tuple[Seats, Seats]) -> None:
    """Its sockets and the server's word wait side by side: the word counts first, whatever the loop comes to first."""
    one, _ = tables
    for _ in range(10):
        one.room.mic({1})
        await settle(0.05)
        one.forget()
        pid = one.worker.pid
        assert pid is not None
        os.kill(pid, signal.SIGSTOP)
        try:
            await speak(one.clients[1], opus_tone(AIR_HZ, 10), 0.002)  # what the loop finds first
            one.room.mic({2})
            await speak(one.clients[1], opus_tone(SECRET_HZ, 10), 0.002)
            await asyncio.sleep(0.05)
        finally:
            os.kill(pid, signal.SIGCONT)
        await settle()
        assert one.heard(2) == []
        assert one.heard(3) == []
        assert one.tapped == []
    assert sum(each["hangs"] for each in one.pool.stats()) == 0


async def test_without_a_word_from_the_server_every_gate_closes_and_opens_when_told_anew(
    tables: tuple[Seats, Seats],
) -> None:
    one, two = tables
    one.room.mic({1})
    two.room.mic({2})
    beating = one.worker._beating
    assert beating is not None
    beating.cancel()
    await until(lambda: sum(each["stalls"] for each in one.pool.stats()) == 1)
    # The server was told, and told it anew: the gate is open until the next silence.
    one.forget()
    await speak(one.clients[1], opus_tone(AIR_HZ, 20), 0.005)
    await until(lambda: len(one.tapped) > 0)
    assert {packet.epoch for packet in one.tapped} == {1}
    # A server that can't answer: closed, and nothing opens it.
    one.worker.rooms.clear()
    await until(lambda: sum(each["stalls"] for each in one.pool.stats()) == 2)
    one.forget()
    await speak(one.clients[1], opus_tone(SECRET_HZ, 20), 0.005)
    await speak(two.clients[2], opus_tone(AIR_HZ, 20), 0.005)
    await until(lambda: len(two.tapped) == 19)
    assert one.heard(2) == []
    assert one.tapped == []


async def test_the_taps_packets_are_bounded_and_late_ones_refused(tables: tuple[Seats, Seats]) -> None:
    one, _ = tables
    one.room.mic({1})
    await speak(one.clients[1], opus_tone(AIR_HZ, 10), 0.005)
    await until(lambda: len(one.tapped) >= 9)
    one.forget()
    stale = Accepted(one.room._number, one.room._serial - 1, [(1, 1, 1, b"x", 0.0)])
    one.room.accepted(stale)
    assert one.tapped == []
    assert one.room.stats()["tap_late"] == 1


SERVER = """
import asyncio, sys
from voice.media.settings import MediaSettings
from voice.media.workers.pool import MediaWorkers

async def main():
    pool = MediaWorkers(2, MediaSettings(addresses=()))
    await pool.start()
    await pool.ready(60)
    room = pool.open("one", lambda packet: None, lambda seats: None)
    room.mic({1})
    print("pids", *(each["pid"] for each in pool.stats()), flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""


def runs(pid: int) -> bool:
    """Does that process run? One that has ended and waits to be collected does not."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="processes are looked up in /proc, which this system lacks")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_workers_end_with_the_server(number: signal.Signals) -> None:
    server = await asyncio.create_subprocess_exec(sys.executable, "-c", SERVER, stdout=asyncio.subprocess.PIPE)
    assert server.stdout is not None
    while (words := (await server.stdout.readline()).split())[0] != b"pids":
        pass
    pids = [int(word) for word in words[1:]]
    assert len(pids) == 2
    for pid in pids:  # what a service manager does to the whole group; the server's own end is what ends them
        os.kill(pid, signal.SIGTERM)
    await asyncio.sleep(0.3)
    assert all(map(runs, pids))
    server.send_signal(number)
    await server.wait()
    await until(lambda: not any(map(runs, pids)))
