"""What goes over the wire to a seat, against a list made from the contract and not from the code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.web.client import QUICK

if TYPE_CHECKING:
    from tests.web.client import Server

FOR_ALL = {
    *("night", "day", "phase", "mic", "morning", "nominated", "votes", "tie", "lifted", "left", "best_move", "signed"),
    *("said", "warned", "fouled", "cleared", "vote_cancelled", "away", "back", "bot", "over"),
}


def may_know(event: dict[str, Any], seat: int, team: list[int]) -> bool:
    """Whether the contract lets a seat know of a moderator's event."""
    match event["event"]:
        case "dealt" | "answer":
            return bool(event["seat"] == seat)
        case "pick":
            return bool(event["seat"] == seat)
        case "order":
            return seat in team
        case name:
            return name in FOR_ALL


async def test_a_seat_is_sent_what_it_may_know_and_not_a_byte_more(server: Server) -> None:
    # Two people, who pick nothing: whatever the deal, at least two of the four night cards are bots'.
    table, tokens = await server.people(2, options=QUICK)
    watcher = await server.seat(server.moderator, table=table)
    clients = [await server.seat(token) for token in tokens]
    for client in clients:
        await client.of("lobby")
    await clients[0].send(type="start")
    for client in (*clients, watcher):
        await client.event("over")
    everything = [frame["event"] for frame in watcher.numbered if frame["type"] == "event"]
    assert {event["event"] for event in everything} >= {"dealt", "order", "pick", "decided", "over"}
    for client in clients:
        seat = (await client.of("seated"))["seat"]
        (dealt,) = [event for event in everything if event["event"] == "dealt" and event["seat"] == seat]
        allowed = [event for event in everything if may_know(event, seat, dealt.get("team", []))]
        sent = [frame["event"] for frame in client.numbered if frame["type"] == "event"]
        assert sent == allowed
        for frame, text in zip(client.frames, client.raw, strict=True):
            assert '"to"' not in text
            if frame.get("event", {}).get("event") not in ("dealt", "over", "said", "answer", "order"):
                for word in ("civilian", 'sheriff"', "mafia", '"seed"', "token"):
                    assert word not in text or frame["type"] in ("line", "welcome") or "_check" in text
