"""The wire: hello, a game to its end, resuming, and clients that behave badly."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from websockets.exceptions import InvalidStatus

from tests.web.client import QUICK, Server
from voice.web import connection
from voice.web import socket as door

if TYPE_CHECKING:
    from tests.web.client import Client


async def test_hello_is_answered_by_welcome_then_the_clock_then_all_there_is(server: Server) -> None:
    made = await server.table("Anna", options={"speech_s": 33.0})
    anna = await server.seat(made["token"])
    welcome = await anna.of("welcome")
    lobby = await anna.of("lobby")
    assert [frame["type"] for frame in anna.frames[:2]] == ["welcome", "clock"]
    assert welcome["table"] == made["table"]
    assert (welcome["role"], welcome["seat"], welcome["state"]) == ("player", None, "waiting")
    assert (welcome["seats"], welcome["lang"], welcome["ruleset"]) == (10, "en", "sport")
    assert welcome["numbers"]["speech_s"] == 33.0
    assert welcome["numbers"]["vote_s"] == 60.0
    assert welcome["ice_servers"] == []
    assert welcome["owner"] == welcome["you"]
    assert (await server.http.get(f"/api/invites/{welcome['invite']}")).status_code == 200
    assert lobby["people"] == [{"id": welcome["you"], "name": "Anna", "ready": False, "connected": True}]


async def test_two_people_and_eight_bots_play_to_the_end(server: Server) -> None:
    _, tokens = await server.people(2, options=QUICK)
    anna, guest = [await server.seat(token) for token in tokens]
    await guest.send(type="ready", ready=True)
    await anna.until(lambda frame: frame["type"] == "lobby" and frame["people"][-1:] and frame["people"][-1]["ready"])
    await anna.send(type="start")
    for client in (anna, guest):
        over = await client.event("over")
        assert over["event"]["winner"] in ("town", "mafia", "draw")
        assert [frame["n"] for frame in client.numbered] == list(range(1, len(client.numbered) + 1))
        phases = [frame.get("phase", 0) for frame in client.numbered]
        assert phases == sorted(phases)


async def test_a_client_that_comes_back_goes_on_without_a_gap(server: Server) -> None:
    _, tokens = await server.people(2, options={"agreement_s": 0.4, "speech_s": 0.5})
    anna, guest = [await server.seat(token) for token in tokens]
    await anna.of("lobby")
    await anna.send(type="start")
    have: list[dict[str, Any]] = []
    client = guest
    for wanted in (3, 6, 9):
        await client.until(lambda frame, wanted=wanted: frame.get("n", 0) >= wanted)  # type: ignore[misc] - bound now
        await client.close()
        have += client.numbered
        client = await server.seat(tokens[1], after=have[-1]["n"])
    await client.until(lambda frame: frame.get("n", 0) >= 12)
    have += client.numbered
    assert [frame["n"] for frame in have] == list(range(1, len(have) + 1))
    fresh = await server.seat(tokens[1])
    await fresh.until(lambda frame: frame.get("n") == len(have))
    assert fresh.numbered[: len(have)] == have


async def test_a_command_is_done_or_refused_with_its_id(server: Server) -> None:
    made = await server.table("Anna")
    anna = await server.seat(made["token"])
    await anna.of("lobby")
    await anna.send(type="command", id=1, phase=0, command={"do": "pass"})
    assert (await anna.of("refused", id=1))["code"] == "late"
    await anna.send(type="start")
    night = await anna.event("phase")
    await anna.send(type="command", id=2, phase=night["phase"], command={"do": "pass"})
    refused = await anna.of("refused", id=2)
    assert (refused["code"], refused["do"]) == ("rule", "pass")


async def test_the_second_tab_of_a_seat_wins(server: Server) -> None:
    made = await server.table("Anna")
    first = await server.seat(made["token"])
    await first.of("lobby")
    second = await server.seat(made["token"])
    await second.of("lobby")
    assert (await first.end())[0] == 4409
    await second.send(type="start")
    await second.of("seated")


async def test_leaving_is_for_good(server: Server) -> None:
    _, tokens = await server.people(2)
    anna, guest = [await server.seat(token) for token in tokens]
    await guest.of("lobby")
    await guest.send(type="leave")
    assert (await guest.end())[0] == 1000
    await anna.until(lambda frame: frame["type"] == "lobby" and len(frame["people"]) == 1)
    again = await server.seat(tokens[1])
    assert (await again.end())[0] == 4401


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{", 4400),
        ("", 4400),
        ("[]", 4400),
        ('"hello"', 4400),
        ('{"type":"dance"}', 4400),
        ('{"type":"start"}', 4400),
        ('{"type":"hello"}', 4400),
        ('{"type":"hello","token":5}', 4400),
        ('{"type":"hello","token":"x","after":-1}', 4400),
        ('{"type":"hello","token":"x","after":1e400}', 4400),
        ('{"type":"hello","token":"' + "x" * 500 + '"}', 4400),
        ("[" * 60_000, 4400),
        ('{"type":"hello","token":"wrong"}', 4401),
        ('{"type":"hello","token":"","after":0}', 4401),
        ('{"type":"hello","token":"\\ud800"}', 4400),
        (b'{"type":"hello"}', 4400),
        ("x" * 65_537, 4413),
        ("\u044f" * 40_000, 4413),
        ("x" * 300_000, 1009),
    ],
)
async def test_a_bad_first_frame_closes_with_what_was_wrong(server: Server, frame: str | bytes, code: int) -> None:
    client = await server.raw()
    await client.socket.send(frame)
    assert (await client.end())[0] == code
    if code in (4400, 4401, 4413):
        assert client.frames[-1]["type"] == "error"
        assert client.frames[-1]["message"]
    assert (await server.http.get("/api/health")).status_code == 200


@pytest.mark.parametrize(
    "frame",
    [
        '{"type":"hello","token":"x"}',
        '{"type":"command","id":1}',
        '{"type":"command","id":1,"phase":0,"command":[]}',
        '{"type":"command","id":-1,"phase":0,"command":{}}',
        '{"type":"offer","id":1}',
        '{"type":"ready","ready":"yes"}',
        '{"type":"command","id":1,"phase":0,"command":' + "[" * 5000 + "]" * 5000 + "}",
    ],
)
async def test_a_malformed_frame_closes_its_connection_and_nothing_else(server: Server, frame: str) -> None:
    _, tokens = await server.people(2)
    anna, guest = [await server.seat(token) for token in tokens]
    await guest.of("lobby")
    await guest.socket.send(frame)
    assert (await guest.end())[0] == 4400
    assert guest.frames[-1]["type"] == "error"
    await anna.send(type="start")
    await anna.of("seated")


async def test_no_hello_in_time(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "HELLO_S", 0.05)
    client = await server.raw()
    assert (await client.end())[0] == 4408


async def test_a_client_that_is_not_heard_any_more_is_let_go(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "SILENT_S", 0.2)
    made = await server.table()
    client = await server.seat(made["token"])
    await client.of("welcome")
    assert (await client.end())[0] == 4408


async def test_too_many_frames(server: Server) -> None:
    made = await server.table()
    client = await server.seat(made["token"])
    await client.of("lobby")
    for _ in range(200):
        try:
            await client.send(type="pong", at=0)
        except Exception:
            break
    assert (await client.end())[0] == 4429


async def test_another_page_may_not_open_a_socket(server: Server) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await server.raw(origin="https://evil.example")
    assert refused.value.response.status_code == 403
    client = await server.raw(origin=server.address)
    await client.send(type="hello", token="wrong")
    assert (await client.end())[0] == 4401


async def test_after_a_number_that_was_never_sent_is_an_error(server: Server) -> None:
    made = await server.table()
    client = await server.seat(made["token"], after=5)
    assert (await client.end())[0] == 4400
    assert client.frames[-1]["code"] == "bad_after"


async def test_wrong_tokens_are_not_tried_for_ever(server: Server) -> None:
    codes = []
    for _ in range(22):
        client = await server.raw()
        await client.send(type="hello", token="guess")
        codes.append((await client.end())[0])
    assert codes == [4401] * 20 + [4429] * 2


async def test_so_many_connections_of_one_address_and_no_more(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "PER_ADDRESS", 3)
    clients = [await server.raw() for _ in range(4)]
    assert (await clients[3].end())[0] == 4429
    await clients[0].close()
    await asyncio.sleep(0)
    made = await server.table()
    for _ in range(100):  # the server hears of the close in its own time
        client = await server.seat(made["token"])
        await client.until(lambda _: True) if client.closed is None else None
        if client.frames:
            break
    await client.of("welcome")


async def test_a_client_that_reads_nothing_is_closed_and_the_table_goes_on(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "SEND_S", 0.3)
    _, tokens = await server.people(2)
    anna = await server.seat(tokens[0])
    await anna.of("lobby")
    stuck = await server.seat(tokens[1])
    await stuck.of("lobby")
    (table,) = server.house.tables
    guest = next(person for person in table.people if person != table.owner)
    outlet = table.audience.of(guest)
    assert outlet is not None
    stuck._reader.cancel()
    stuck.socket.transport.pause_reading()  # type: ignore[attr-defined] - a transport of asyncio
    for i in range(400):
        outlet.put(f"interim {i}", json.dumps({"type": "interim", "seat": i, "text": "x" * 60_000}).encode())
    for _ in range(200):
        if not table.audience.connected(guest):
            break
        await asyncio.sleep(0.05)
    assert not table.audience.connected(guest)
    await anna.send(type="start")
    await anna.of("seated")
    stuck.socket.transport.abort()  # type: ignore[attr-defined] - a transport of asyncio


async def test_moderators_watch_and_see_everything(server: Server) -> None:
    table, tokens = await server.people(2, options=QUICK)
    anna: Client = await server.seat(tokens[0])
    watcher = await server.seat(server.moderator, table=table)
    welcome = await watcher.of("welcome")
    assert (welcome["role"], welcome["you"], welcome["seat"], welcome["invite"]) == ("moderator", None, None, None)
    await watcher.of("lobby")
    await anna.send(type="start")
    seated = await watcher.of("seated")
    assert seated["seat"] is None
    await watcher.event("over")
    dealt = [frame for frame in watcher.numbered if frame.get("event", {}).get("event") == "dealt"]
    assert len(dealt) == 10
    assert [frame["n"] for frame in watcher.numbered] == list(range(1, len(watcher.numbered) + 1))
    for frame in ({"type": "start"}, {"type": "leave"}, {"type": "command", "id": 3, "phase": 1, "command": {}}):
        await watcher.send(**frame)
    assert (await watcher.of("error", id=3))["code"] == "not_a_player"
    nowhere = await server.seat(server.moderator, table="nowhere")
    assert (await nowhere.end())[0] == 4400


async def test_an_offer_where_there_is_no_sound_or_no_seat(server: Server) -> None:
    made = await server.table()
    client = await server.seat(made["token"])
    await client.of("lobby")
    await client.send(type="offer", id=1, sdp="v=0")
    assert (await client.of("error", id=1))["code"] == "not_seated"
    await client.send(type="start")
    await client.of("seated")
    await client.send(type="offer", id=2, sdp="v=0")
    assert (await client.of("error", id=2))["code"] == "no_media"
