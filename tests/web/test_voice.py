"""Voice over a real server: offers on the wire, WebRTC on the loopback interface, the gate moved by the game."""

from __future__ import annotations

import asyncio
import resource
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.client import Server, serving
from voice.media.client import VoiceClient
from voice.web.socket import ClosedError, Session

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from tests.web.client import Client

NOISE = bytes(range(256)) * 250  # 2 s at 16 kHz; what it is does not matter


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    """A server with sound."""
    async with serving(tmp_path / "data", media=True) as made:
        yield made


async def voice(client: Client, number: int, slots: int = 1) -> VoiceClient:
    """The client's voice link."""
    made = VoiceClient(NOISE, slots=slots)
    await client.send(type="offer", id=number, sdp=await made.offer())
    await made.accept((await client.of("answer", id=number))["sdp"])
    await made.connected()
    return made


async def test_two_people_hear_each_other_in_their_own_minutes_alone(server: Server) -> None:
    # Bots pass after at most 0.9 of their speech; the two people speak theirs to the end.
    _, tokens = await server.people(2, options={"agreement_s": 2.0, "speech_s": 2.0, "shot_s": 30.0})
    clients = [await server.seat(token) for token in tokens]
    for client in clients:
        await client.of("lobby")
    await clients[0].send(type="start")
    seats = [(await client.of("seated"))["seat"] for client in clients]
    voices = [await voice(client, 1) for client in clients]
    for client in clients:
        await client.until(lambda frame: frame["type"] == "link" and frame["seats"] == sorted(seats))
    (room,) = [table.running.voices._room for table in server.house.tables if table.running is not None]
    heard: list[int] = []
    for each in voices:
        each.speak(True)
    for turn in sorted(seats):
        speaker = seats.index(turn)
        client = clients[speaker]
        await client.until(lambda frame, turn=turn: frame.get("event", {}).get("seats") == [turn])  # type: ignore[misc]
        before = [len(each.received) for each in voices]
        async with asyncio.timeout(10):
            while len(voices[1 - speaker].received) < before[1 - speaker] + 10:  # noqa: ASYNC110 - it has no event
                await asyncio.sleep(0.02)
        heard.append(turn)
        await client.send(type="command", id=2, phase=client.numbered[-1]["phase"], command={"do": "pass"})
    stats = room.stats()  # type: ignore[attr-defined] - the real room
    assert heard == sorted(seats)
    assert set(stats["seats"]) == set(seats)
    assert all(count["refused"] > 0 for count in stats["seats"].values())
    for each in voices:
        await each.close()


async def test_in_open_talk_all_are_let_in_until_one_takes_the_floor(server: Server) -> None:
    night = {"shot_s": 0.2, "check_s": 0.2, "protect_s": 0.2}
    # Of three people at most one is out in the first night.
    _, tokens = await server.people(3, ruleset="party", options={"seats": 7, "floor_s": 2.0, **night})
    clients = [await server.seat(token) for token in tokens]
    for client in clients:
        await client.of("lobby")
    await clients[0].send(type="start")
    opened = await clients[0].until(lambda frame: len(frame.get("event", {}).get("seats", ())) > 1)
    living = opened["event"]["seats"]
    two = [client for client in clients if (await client.of("seated"))["seat"] in living][:2]
    holder, other = [(await client.of("seated"))["seat"] for client in two]
    voices = [await voice(client, 1, slots=3) for client in two]
    (room,) = [table.running.voices._room for table in server.house.tables if table.running is not None]

    def slots(client: Client) -> list[dict[str, Any]]:
        return [frame for frame in client.frames if frame["type"] == "slots"]

    def counted(seat: int, what: str) -> int:
        return int(room.stats()["seats"].get(seat, {}).get(what, 0))  # type: ignore[attr-defined] - the real room

    async def until(done: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not done():  # noqa: ASYNC110 - it has no event
                await asyncio.sleep(0.02)

    def all_speak() -> None:
        for each in voices:
            each.speak(True)  # the noise from its start

    all_speak()
    await until(lambda: counted(holder, "accepted") > 10 and counted(other, "accepted") > 10)
    # Everybody is told who is heard in which stream, the one who has no voice link too.
    for client in clients:
        await client.until(lambda frame: frame["type"] == "slots" and {holder, other} <= {*frame["seats"]})
        assert {len(told["seats"]) for told in slots(client)} == {3}
        changes = [told["change"] for told in slots(client)]
        assert changes == sorted(set(changes)), "in order, none twice"
    last = slots(two[1])[-1]["seats"]
    where = last.index(holder), last.index(other)
    await two[0].send(type="command", id=2, phase=opened["phase"], command={"do": "floor"})
    await two[0].of("done", id=2)
    all_speak()
    closed, refused, accepted = (
        counted(other, "accepted"),
        counted(other, "refused"),
        counted(holder, "accepted"),
    )
    await until(lambda: counted(other, "refused") > refused + 10 and counted(holder, "accepted") > accepted + 10)
    assert counted(other, "accepted") == closed
    # The floor is in the first stream, and whoever comes now is told so.
    again = await server.seat(next(token for client, token in zip(clients, tokens, strict=True) if client not in two))
    for client in (two[1], again):
        await client.until(lambda frame: frame["type"] == "slots" and frame["seats"] == [holder, None, None])
        assert slots(client)[-1]["seats"] == [holder, None, None]
    assert len(slots(again)) == 1
    assert len(set(where)) == 2
    # After the floor's time the other one is let in again.
    await two[1].until(
        lambda frame: (
            frame.get("event", {}).get("event") == "mic"
            and frame["event"]["t"] >= opened["event"]["t"] + 2.0
            and len(frame["event"]["seats"]) > 1
        )
    )
    all_speak()
    await until(lambda: counted(other, "accepted") > closed + 10)
    for each in voices:
        await each.close()


async def test_a_page_that_ends_late_leaves_the_newer_pages_link_alone(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await server.table()
    first = await server.seat(made["token"])
    await first.of("lobby")
    await first.send(type="start")
    seat = (await first.of("seated"))["seat"]
    (running,) = [table.running for table in server.house.tables]
    assert running is not None
    running.play.bots.add(seat)  # who lost their seat to a bot listens under a name of their own
    old = await voice(first, 1)
    go_on, end = asyncio.Event(), Session._end

    async def end_late(self: Session, closed: ClosedError) -> None:
        await go_on.wait()
        await end(self, closed)

    monkeypatch.setattr(Session, "_end", end_late)
    second = await server.seat(made["token"])
    new = await voice(second, 1)
    go_on.set()
    assert (await first.end())[0] == 4409
    await asyncio.sleep(0)
    assert [str(name).partition(" ")[0] for name in running.voices._room._peers] == ["watcher"]  # type: ignore[attr-defined] - the real room
    await second.close()
    async with asyncio.timeout(10):
        while running.voices._room._peers:  # type: ignore[attr-defined] # noqa: ASYNC110 - it has no event
            await asyncio.sleep(0.02)
    for each in (old, new):
        await each.close()


async def test_a_bad_offer_is_answered_to_its_sender(server: Server) -> None:
    made = await server.table()
    client = await server.seat(made["token"])
    await client.of("lobby")
    await client.send(type="start")
    await client.of("seated")
    await client.send(type="offer", id=5, sdp="v=0\r\nnonsense")
    error = await client.of("error", id=5)
    assert error["code"] == "no_audio"
    assert error["message"]


@pytest.fixture
def no_more_files() -> Iterator[Callable[[], None]]:
    """Called, no file or socket can be opened any more in this process, until the test has ended."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (3, most))
    resource.setrlimit(resource.RLIMIT_NOFILE, (now, most))


async def test_a_server_without_a_free_socket_says_so_and_the_game_goes_on(
    server: Server, no_more_files: Callable[[], None]
) -> None:
    made = await server.table(options={"agreement_s": 1.0})
    client = await server.seat(made["token"])
    await client.of("lobby")
    await client.send(type="start")
    await client.of("seated")
    link = VoiceClient(NOISE)
    sdp = await link.offer()
    no_more_files()
    await client.send(type="offer", id=1, sdp=sdp)
    assert (await client.of("error", id=1))["code"] == "media_failed"
    await client.until(lambda frame: frame.get("event", {}).get("name") == "speech")
    await link.close()


async def test_a_moderator_listens(server: Server) -> None:
    made = await server.table()
    client = await server.seat(made["token"])
    await client.of("lobby")
    await client.send(type="start")
    await client.of("seated")
    watcher = await server.seat(server.moderator, table=made["table"])
    await watcher.of("seated")
    link = VoiceClient(listen_only=True)
    await watcher.send(type="offer", id=1, sdp=await link.offer())
    await link.accept((await watcher.of("answer", id=1))["sdp"])
    await link.connected()
    await link.close()
