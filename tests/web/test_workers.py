"""A server whose tables are in media workers: a worker killed in a minute, and an orderly end with many peers."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from websockets.asyncio.client import connect

from tests.media.conftest import LOCAL, energy, tone
from tests.web.client import CONSENT, Client, Server, serving
from tests.web.processes import process
from voice.media.client import OpusDecoder, VoiceClient
from voice.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OPTIONS = {"agreement_s": 1.0, "speech_s": 120.0, "shot_s": 30.0}
HZ = {0: 500, 1: 2300}
PEERS, TABLES = 100, 10


async def until(condition: Callable[[], bool], within_s: float = 20.0) -> None:
    async with asyncio.timeout(within_s):
        while not condition():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.02)


class Player:
    """Someone at a table who does as the app does: a new offer at once when the table has lost their voice."""

    def __init__(self, client: Client, pcm: bytes) -> None:
        self.client = client
        self.pcm = pcm
        self.seat = 0
        self.voices: list[VoiceClient] = []
        self._offers = 0

    async def sit(self) -> None:
        self.seat = (await self.client.of("seated"))["seat"]
        await self.offer()

    async def offer(self) -> None:
        made = VoiceClient(self.pcm)
        self._offers += 1
        await self.client.send(type="offer", id=self._offers, sdp=await made.offer())
        await made.accept((await self.client.of("answer", id=self._offers))["sdp"])
        await made.connected()
        self.voices.append(made)

    def links(self) -> list[list[int]]:
        return [frame["seats"] for frame in self.client.frames if frame["type"] == "link"]

    def mics(self) -> list[list[int]]:
        events = [frame.get("event", {}) for frame in self.client.frames]
        return [event["seats"] for event in events if event.get("event") == "mic"]

    def heard(self, hz: int) -> float:
        """How loud a tone is in what the present connection heard."""
        decoder = OpusDecoder()
        payloads = [packet.payload for packet in self.voices[-1].received if len(packet.payload) > 3]
        return energy(b"".join(map(decoder.decode, payloads)), hz) if len(payloads) >= 50 else 0.0

    async def close(self) -> None:
        await asyncio.gather(*(each.close() for each in self.voices))


async def table_of_two(server: Server) -> list[Player]:
    """Two people at a table of bots; it is a person's minute when this returns."""
    _, tokens = await server.people(2, options=OPTIONS)
    players = [Player(await server.seat(token), tone(HZ[number], 60.0)) for number, token in enumerate(tokens)]
    for player in players:
        await player.client.of("lobby")
    await players[0].client.send(type="start")
    for player in players:
        await player.sit()
    return players


async def worker_of(server: Server, table: str) -> tuple[str, int]:
    """The name and process of the worker that carries a table."""
    stats = await stats_of(server)
    (name,) = [each["media"]["worker"] for each in stats["tables"] if each["table"] == table]
    (pid,) = [each["pid"] for each in stats["media"]["workers"] if each["worker"] == name]
    return name, pid


async def stats_of(server: Server) -> dict[str, Any]:
    answer = await server.http.get("/api/moderation/stats", headers={"authorization": f"Bearer {server.moderator}"})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


async def test_a_worker_killed_in_a_minute_is_heard_again_within_it(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", media=True, media_workers=2) as server:
        struck, spared = await table_of_two(server), await table_of_two(server)
        everybody = [*struck, *spared]
        for player in everybody:
            player.voices[-1].speak(True)  # all of the time, whosever minute it is
        tables = [table.id for table in server.house.tables]
        name, pid = await worker_of(server, tables[0])
        other, _ = await worker_of(server, tables[1])
        assert name != other
        await until(lambda: all(len(player.mics()[-1:]) and player.mics()[-1] for player in everybody))
        speaker = await in_their_minute(struck)
        silent = next(player for player in struck if player is not speaker)
        its, own = HZ[struck.index(speaker)], HZ[struck.index(silent)]
        await until(lambda: silent.heard(its) > 0.05)
        mics = len(speaker.mics())
        links = [len(player.links()) for player in everybody]
        os.kill(pid, signal.SIGKILL)
        await until(lambda: all([] in player.links()[links[at] :] for at, player in enumerate(struck)))
        await asyncio.gather(*(player.offer() for player in struck))
        for player in struck:
            player.voices[-1].speak(True)
        await until(lambda: silent.heard(its) > 0.05)
        assert len(speaker.mics()) == mics, "the same minute"
        assert silent.heard(own) < 0.003
        assert speaker.heard(own) < 0.003
        assert [[] in player.links()[links[2 + at] :] for at, player in enumerate(spared)] == [False, False]
        assert [len(player.voices) for player in spared] == [1, 1]
        media = (await stats_of(server))["media"]
        assert {each["worker"]: each["deaths"] for each in media["workers"]} == {name: 1, other: 0}
        assert set(media["lag_ms"]) == {"p99", "max", "alarms"}
        assert all(each["lag_ms"] for each in media["workers"])
        await asyncio.gather(*(player.close() for player in everybody))


async def in_their_minute(players: list[Player]) -> Player:
    """Wait for the minute of one of these; bots before them pass."""
    found: list[Player] = []

    def comes() -> bool:
        mics = players[0].mics()
        found[:] = [player for player in players if mics and mics[-1] == [player.seat]]
        return bool(found)

    await until(comes, 150.0)
    return found[0]


async def test_an_offer_that_comes_before_a_worker_is_ready_waits_for_it(tmp_path: Path) -> None:
    async with serving(tmp_path / "data", media=True, media_workers=1) as server:
        answer = await server.http.get("/api/health")  # nobody waits for a worker to get ready
        assert answer.json()["ok"]
        players = await table_of_two(server)
        await asyncio.gather(*(player.close() for player in players))


@pytest.mark.parametrize("workers", [0, 2])
async def test_sigterm_with_a_hundred_peers(tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOICETABLE_RATE_LIMITS", "false")
    monkeypatch.setenv("VOICETABLE_LISTEN_ADDRESS", "127.0.0.1")
    async with process(tmp_path, "--media-workers", str(workers)) as server:
        await server.listens()
        reading = asyncio.create_task(_read_on(server))
        try:
            made = await asyncio.gather(*(full_table(server.address, number) for number in range(TABLES)))
        except BaseException:
            reading.cancel()
            raise
        voices = [voice for voices, _ in made for voice in voices]
        clients = [client for _, clients in made for client in clients]
        assert len(voices) == PEERS
        server.child.send_signal(signal.SIGTERM)
        async with asyncio.timeout(5.0):
            status = await server.child.wait()
        await reading
        assert status == 0
        assert "Traceback" not in server.said
        assert "close_timeout" not in server.said
        await asyncio.gather(*(voice.close() for voice in voices), *(client.close() for client in clients))


async def _read_on(server: Any) -> None:
    """A server whose standard error is read by nobody would stand still."""
    async for line in server.child.stderr:
        server.said += line.decode()


async def full_table(address: str, number: int) -> tuple[list[VoiceClient], list[Client]]:
    """Ten people with their voices, at an address of their own: one may have only so many connections."""
    async with httpx.AsyncClient(base_url=address, timeout=30.0) as http:
        body = {"name": "Club", "display_name": "Anna", "options": OPTIONS, **CONSENT}
        table = (await http.post("/api/tables", json=body)).json()
        tokens = [table["token"]]
        for guest in range(9):
            body = {"display_name": f"Guest {guest}", **CONSENT}
            tokens.append((await http.post(f"/api/invites/{table['invite']}/join", json=body)).json()["token"])
    clients = []
    for token in tokens:
        socket = await connect(address.replace("http", "ws") + "/ws", local_addr=(f"127.0.1.{number + 1}", 0))
        clients.append(Client(socket))
        await clients[-1].send(type="hello", token=token, after=0)
        await clients[-1].of("lobby")
    await clients[0].send(type="start")
    return await asyncio.gather(*(voice_of(client) for client in clients)), clients


async def voice_of(client: Client) -> VoiceClient:
    await client.of("seated")
    made = VoiceClient(settings=LOCAL)
    await client.send(type="offer", id=1, sdp=await made.offer())
    await made.accept((await client.of("answer", id=1))["sdp"])
    await made.connected(30.0)
    return made


@pytest.mark.parametrize(("cores", "workers"), [(1, 0), (2, 1), (4, 3), (5, 4), (64, 4)])
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the cores that a process may use are Linux's to say")
def test_one_worker_a_core_beside_the_servers_own(monkeypatch: pytest.MonkeyPatch, cores: int, workers: int) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(cores)))
    assert Settings().workers == workers
    assert Settings(media_workers=7).workers == 7
    assert Settings(media_workers=0).workers == 0
    assert Settings(media=False).workers == 0
