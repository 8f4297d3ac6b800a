"""Clients that mean harm: bytes that are no protocol, commands that are none, floods and races. The table goes on."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import httpx
import pytest

from tests.web.client import CONSENT, QUICK, Client, Server
from voice.web import patience
from voice.web import socket as door
from voice.web.inbound import MalformedError, decode

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MASK = b"\0\0\0\0"


@pytest.fixture
async def anna(server: Server) -> AsyncIterator[Client]:
    """A player whose table must not notice anything."""
    made = await server.table("Anna")
    client = await server.seat(made["token"])
    await client.of("lobby")
    await client.send(type="start")
    await client.event("phase")
    yield client
    # Still her seat, her connection, her table.
    await client.send(type="command", id=999, phase=1, command={"do": "dance"})
    assert (await client.of("refused", id=999))["why"]
    assert client.closed is None


async def raw(server: Server, data: bytes, *, upgraded: bool = False) -> bytes:
    """What the server says to these bytes before it closes, or before it has nothing more to say."""
    url = httpx.URL(server.address)
    reader, writer = await asyncio.open_connection(url.host, url.port)
    if upgraded:
        writer.write(UPGRADE)
        await reader.readuntil(b"\r\n\r\n")
    writer.write(data)
    try:
        async with asyncio.timeout(5):
            return await reader.read(4096)
    finally:
        writer.close()


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\xff\x16\x03\x01" * 50,
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 200_000 + b"\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 5000 + b"\r\n\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n12345",
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n",
        UPGRADE.replace(b"Version: 13", b"Version: 1"),
        UPGRADE.replace(b"/ws", b"/elsewhere"),
    ],
)
async def test_bytes_that_are_no_request_are_answered_as_such(server: Server, anna: Client, data: bytes) -> None:
    assert (await raw(server, data)).startswith(b"HTTP/1.1 4")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\x81\x05hello", 1002),  # not masked
        (b"\xf1\x85" + MASK + b"hello", 1002),  # reserved bits
        (b"\x87\x80" + MASK, 1002),  # no such opcode
        (b"\x01\x81" + MASK + b"{" + b"\x81\x80" + MASK, 1002),  # a new message inside another
        (b"\x89\xfe\x00\x7e" + MASK + b"x" * 126, 1002),  # a ping too long
        (b"\x88\x82" + MASK + b"\x00\x01", 1002),  # no such close code
        (b"\x81\x82" + MASK + b"\xff\xfe", 1007),  # no UTF-8
        (b"\x81\xff\x7f" + b"\xff" * 7 + MASK, 1009),  # eight exabytes to come
    ],
)
async def test_frames_that_are_no_websocket_close_it(server: Server, anna: Client, data: bytes, code: int) -> None:
    said = await raw(server, data, upgraded=True)
    assert said[:1] == b"\x88"
    assert int.from_bytes(said[2:4], "big") == code


def deepest(shape: str, low: int = 100, high: int = 2000) -> int:
    """How deep a value may be nested before the door itself refuses it."""
    while low + 1 < high:
        middle = (low + high) // 2
        try:
            decode(shape.replace("@", "[" * middle + "]" * middle))
        except MalformedError:
            high = middle
        else:
            low = middle
    return low


@pytest.mark.parametrize(
    "command",
    ['{"do":@}', '{"do":"report","line":@,"target":1}', '{"do":"order","seats":@}', '{"do":"ok","x":@}', '{"@":1}'],
)
async def test_a_command_as_deep_as_it_may_be_breaks_nothing(
    server: Server, anna: Client, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr(door, "FRAMES_AT_ONCE", 1e6)
    made = await server.table("Boris")
    boris = await server.seat(made["token"])
    await boris.of("lobby")
    await boris.send(type="start")
    await boris.event("phase")
    shape = f'{{"type":"command","id":1,"phase":1,"command":{command}}}'
    for depth in range(deepest(shape) - 40, deepest(shape) + 1):
        await boris.socket.send(shape.replace("@", "[" * depth + "]" * depth).replace('"id":1', f'"id":{depth}'))

        def answers(frame: dict[str, Any], number: int = depth) -> bool:
            return frame.get("id") == number or frame["type"] == "error"

        await boris.until(answers)
        if boris.frames[-1]["type"] == "error":
            assert boris.frames[-1]["code"] == "malformed"
            boris = await server.seat(made["token"])
            await boris.of("welcome")
    assert all(table.state == "running" for table in server.house.tables)


@pytest.mark.parametrize(
    "command",
    [
        {},
        {"do": None},
        {"do": ""},
        {"do": "\u202e\u200b"},
        {"do": "x" * 60_000},
        {"do": "line", "line": "1", "category": "hate", "severity": "clear"},
        {"do": "ruling", "line": "1", "uphold": False},
        {"do": "away"},
        {"do": "ok", "seat": 1},
        {"do": "ok", "x": 1},
        {"do": "vote", "target": 2},
        {"do": "shoot", "target": 2},
        {"do": "order", "seats": [1.0]},
        {"do": "order", "seats": [True]},
        {"do": "order", "seats": [2**63]},
        {"do": "order", "seats": {"1": 1}},
        {"do": "order", "seats": list(range(9_000))},
        {"do": "sign", "sentence": [[], {}]},
        {"do": "report", "line": 2**63, "target": 1},
        {"do": "report", "line": {}, "target": []},
    ],
)
async def test_what_may_not_be_done_is_refused_to_its_sender_alone(
    server: Server, anna: Client, command: dict[str, Any]
) -> None:
    await anna.send(type="command", id=5, phase=1, command=command)
    refused = await anna.of("refused", id=5)
    assert refused["why"]
    assert "\n" not in refused["why"]
    assert len(refused["why"]) < 300


@pytest.mark.parametrize("phase", [0, 2, 10**6, 2**53])
async def test_a_command_of_another_phase_is_late(server: Server, anna: Client, phase: int) -> None:
    await anna.send(type="command", id=5, phase=phase, command={"do": "vote", "target": 2})
    assert (await anna.of("refused", id=5))["code"] == "late"


@pytest.mark.parametrize("number", ["1.5", "-1", "1e400", "9" * 400, '"1"', "null", "NaN", str(2**53 + 1), "true"])
@pytest.mark.parametrize("shape", ['{"type":"hello","token":"x","after":@}', '{"type":"offer","id":@,"sdp":""}'])
def test_numbers_that_are_none_are_malformed(number: str, shape: str) -> None:
    with pytest.raises(MalformedError):
        decode(shape.replace("@", number))


async def test_two_starts_are_one_game(server: Server) -> None:
    made = await server.table("Anna")
    anna = await server.seat(made["token"])
    await anna.of("lobby")
    for _ in range(5):
        await anna.send(type="start")
    for _ in range(4):
        await anna.of("error", code="table_started")
    assert len([frame for frame in anna.numbered if frame["type"] == "seated"]) == 1


async def test_who_joins_while_the_game_begins_is_seated_or_told_no(server: Server) -> None:
    for round_number in range(6):
        made = await server.table("Anna")
        anna = await server.seat(made["token"])
        await anna.of("lobby")

        async def join(name: str, invite: str = made["invite"]) -> httpx.Response:
            return await server.http.post(f"/api/invites/{invite}/join", json={"display_name": name, **CONSENT})

        joins = [asyncio.create_task(join(f"Guest {i}")) for i in range(4)]
        await asyncio.sleep(0.002 * round_number)
        await anna.send(type="start")
        answers = await asyncio.gather(*joins)
        seated = await anna.of("seated")
        names = {each["name"] for each in seated["people"].values() if not each["bot"]}
        assert names == {"Anna"} | {f"Guest {i}" for i, each in enumerate(answers) if each.status_code == 201}
        assert {each.json()["error"]["code"] for each in answers if each.status_code != 201} <= {"table_started"}
        for answer in answers:
            if answer.status_code == 201:
                guest = await server.seat(answer.json()["token"])
                assert (await guest.of("welcome"))["seat"] is not None


async def test_a_flood_from_every_seat_gets_every_answer_and_stops_nobody(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "FRAMES_AT_ONCE", 1e6)
    _, tokens = await server.people(10, options=QUICK | {"agreement_s": 1.0})
    clients = [await server.seat(token) for token in tokens]
    await clients[0].of("lobby")
    await clients[0].send(type="start")

    async def flood(client: Client) -> None:
        await client.of("seated")
        for number in range(100):
            await client.send(
                type="command", id=number, phase=number % 12, command={"do": "vote", "target": number % 12}
            )

    await asyncio.gather(*(flood(client) for client in clients))
    for client in clients:
        await client.event("over")
        answers = [frame for frame in client.frames if frame["type"] in ("done", "refused", "error")]
        assert sorted(frame["id"] for frame in answers) == list(range(100))
        assert {frame["code"] for frame in answers if frame["type"] == "error"} <= {"busy"}
        assert [frame["n"] for frame in client.numbered] == list(range(1, len(client.numbered) + 1))


async def test_a_storm_of_reconnects_leaves_one_connection(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "PER_ADDRESS", 1000)
    made = await server.table("Anna", options={"agreement_s": 600.0})
    last = await server.seat(made["token"])
    await last.of("lobby")
    await last.send(type="start")
    await last.event("phase")
    (table,) = server.house.tables
    for _ in range(3):
        clients = [last, *[await server.seat(made["token"], after=i % 3) for i in range(15)]]
        # Their tokens are looked up side by side; whichever comes in last, the one opened last has the seat.
        last = clients.pop()
        ends = await asyncio.gather(*(client.end() for client in clients))
        assert {code for code, _ in ends} == {4409}
        await last.event("phase")
        assert len(table.audience) == 1
    await last.close()
    for _ in range(100):
        if not server.house.connections._counts:
            break
        await asyncio.sleep(0.02)
    assert not server.house.connections._counts


async def test_a_page_whose_token_took_longer_does_not_push_the_newer_one_out(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await server.table("Anna")
    find, asked, go_on = server.house.tables.person, asyncio.Event(), asyncio.Event()

    async def slow(token_hash: str) -> Any:
        found = await find(token_hash)
        if not asked.is_set():
            asked.set()
            await go_on.wait()
        return found

    monkeypatch.setattr(server.house.tables, "person", slow)
    old = await server.seat(made["token"])
    await asked.wait()
    new = await server.seat(made["token"])
    await new.of("lobby")
    go_on.set()
    assert (await old.end())[0] == 4409
    await new.send(type="start")
    await new.of("seated")
    assert new.closed is None


async def test_leaving_at_once_with_others_deeds_ends_the_seat_and_nothing_else(server: Server) -> None:
    _, tokens = await server.people(3)
    anna, boris, vera = [await server.seat(token) for token in tokens]
    await vera.of("lobby")
    for frame in ("ready", "leave", "start", "leave", "command"):
        body = {"type": frame, "ready": True, "id": 1, "phase": 0, "command": {"do": "ok"}}
        await anna.socket.send(json.dumps({name: body[name] for name in NEEDS[frame]}))
    assert (await anna.end())[0] == 1000
    handed_on = await boris.until(lambda frame: frame["type"] == "lobby" and len(frame["people"]) == 2)
    assert handed_on["owner"] == (await boris.of("welcome"))["you"]
    await boris.send(type="start")
    seated = await boris.of("seated")
    assert sum(not each["bot"] for each in seated["people"].values()) == 2


NEEDS = {
    "ready": ("type", "ready"),
    "leave": ("type",),
    "start": ("type",),
    "command": ("type", "id", "phase", "command"),
}


async def test_a_hundred_tables_play_side_by_side(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "PER_ADDRESS", 1000)
    monkeypatch.setattr(server.house.limiter, "_on", False)
    tokens = [(await server.table(options=QUICK))["token"] for _ in range(100)]
    clients = [await server.seat(token) for token in tokens]
    for client in clients:
        await client.of("lobby")
        await client.send(type="start")
    for client in clients:
        await client.event("over")
        numbers = [frame["n"] for frame in client.numbered]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"GET /api/health HTTP/1.1\r\nHost: x\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{",
        b"GET /api/health HTTP/1.1\r\nHost: x\r\n\r\nGET /api/health HTTP/1.1\r\nHo",
    ],
)
async def test_who_connects_and_does_not_ask_is_not_waited_for(
    server: Server, anna: Client, monkeypatch: pytest.MonkeyPatch, sent: bytes
) -> None:
    monkeypatch.setattr(patience, "REQUEST_S", 0.2)
    url = httpx.URL(server.address)
    reader, writer = await asyncio.open_connection(url.host, url.port)
    writer.write(sent)
    async with asyncio.timeout(10):
        await reader.read()
    writer.close()


async def test_a_websocket_outlives_the_time_of_a_request(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "REQUEST_S", 0.1)
    made = await server.table("Anna")
    anna = await server.seat(made["token"])
    await anna.of("lobby")
    await asyncio.sleep(0.3)
    await anna.send(type="start")
    await anna.of("seated")
