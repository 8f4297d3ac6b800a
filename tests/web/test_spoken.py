"""Spoken commands over real sockets: proposed to the speaker's page alone, done by its command."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.web.client import Client, Server
    from voice.table.table import Table


async def with_ten(server: Server) -> tuple[Table, dict[int, Client]]:
    """A table of ten people in their first speech: the page of each seat."""
    table_id, tokens = await server.people(10, options={"agreement_s": 0.05})
    clients = [await server.seat(token) for token in tokens]
    for client in clients:
        await client.of("lobby")
    await clients[0].send(type="start")
    seats = {(await client.of("seated"))["seat"]: client for client in clients}
    table = await server.house.tables.find(table_id)
    assert table is not None
    return table, seats


def hear(table: Table, seat: int, text: str) -> None:
    now = time.monotonic()
    line: Any = SimpleNamespace(id="x", seat=seat, text=text, words=(), start_s=now, end_s=now, lang="en", others=None)
    table._heard(line)


async def test_a_spoken_nomination_is_proposed_to_its_speaker_and_done_by_the_speakers_command(server: Server) -> None:
    table, seats = await with_ten(server)
    (seat,) = (await seats[1].event("mic"))["event"]["seats"]
    speaker, other = seats[seat], seats[seat % 10 + 1]
    hear(table, seat, "I nominate see five.")
    proposal = await speaker.of("proposal")
    assert proposal["command"] == {"do": "nominate", "target": 5}
    assert not [
        frame for frame in speaker.frames if frame["type"] == "event" and frame["event"]["event"] == "nominated"
    ]
    await speaker.send(type="command", id=1, phase=proposal["phase"], command=proposal["command"])
    assert (await other.event("nominated"))["event"]["seat"] == 5
    await speaker.of("proposal", command=None)  # what is done is no question any more
    assert not [
        frame for each in seats.values() for frame in each.frames if frame["type"] == "proposal" and each is not speaker
    ]


async def test_a_proposal_of_a_phase_that_is_over_can_only_come_too_late(server: Server) -> None:
    table, seats = await with_ten(server)
    (seat,) = (await seats[1].event("mic"))["event"]["seats"]
    speaker = seats[seat]
    hear(table, seat, "Thank you.")
    proposal = await speaker.of("proposal")
    for number in (1, 2):
        await speaker.send(type="command", id=number, phase=proposal["phase"], command=proposal["command"])
    await speaker.of("done", id=1)
    assert (await speaker.of("refused", id=2))["code"] == "late"
