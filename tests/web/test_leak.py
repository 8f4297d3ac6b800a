"""What goes over the wire to a seat, against a list made from the contract and not from the code."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from tests.web.client import QUICK

if TYPE_CHECKING:
    from tests.web.client import Client, Server

FOR_ALL = {
    *("night", "day", "phase", "mic", "morning", "nominated", "votes", "tie", "lifted", "left", "best_move", "signed"),
    *("said", "warned", "fouled", "cleared", "vote_cancelled", "away", "back", "bot", "over", "floor", "abandoned"),
}
TEAM_PICKS = ("quick", "party")  # there the living mafia see each other's picks
SHORT = {
    f"{phase}_s": 0.08
    for phase in ("shot", "check", "protect", "speech", "discussion", "nomination", "defence", "vote", "recognition")
}


def house(*phases: str, **options: int) -> dict[str, float]:
    return {**{f"{phase}_s": SHORT[f"{phase}_s"] for phase in phases}, **options}


def name_of(frame: dict[str, Any]) -> str:
    return str(frame.get("event", {}).get("event", ""))


def ended(client: Client, _frame: dict[str, Any]) -> bool:
    """Whether the game's last event has come: `over`, or the microphones after `abandoned`."""
    names = [name_of(frame) for frame in client.numbered]
    return "over" in names or ("abandoned" in names and "mic" in names[names.index("abandoned") :])


def enough(seen: set[str], client: Client, _frame: dict[str, Any]) -> bool:
    """Whether two days are over and all of `seen` has come, or the game is over."""
    days = [frame for frame in client.numbered if frame.get("event", {}).get("number") == 3]
    names = {name_of(frame) for frame in client.numbered}
    return "over" in names or (bool(days) and seen <= names)


def may_know(ruleset: str, event: dict[str, Any], seat: int, team: list[int], gone: set[int]) -> bool:
    """Whether the contract lets a seat know of a moderator's event; `gone`: who had left by then."""
    match event["event"]:
        case "dealt" | "answer":
            return bool(event["seat"] == seat)
        case "pick" if ruleset in TEAM_PICKS and event["seat"] in team:
            return seat in team and seat not in gone
        case "pick":
            return bool(event["seat"] == seat)
        case "order":
            return seat in team
        case name:
            return name in FOR_ALL


def allowed(ruleset: str, everything: list[dict[str, Any]], seat: int) -> list[dict[str, Any]]:
    """What the seat may know of all that a moderator was sent."""
    (dealt,) = [event for event in everything if event["event"] == "dealt" and event["seat"] == seat]
    gone: set[int] = set()
    known = []
    for event in everything:
        if may_know(ruleset, event, seat, dealt.get("team", []), gone):
            known.append(event)
        if event["event"] == "left":
            gone.add(event["seat"])
    return known


@pytest.mark.parametrize(
    ("ruleset", "options", "seen"),
    [
        ("sport", QUICK, {"order", "pick", "decided", "over"}),
        ("quick", house("recognition", "discussion", "vote", "shot", seats=6, draw_cycles=1000), {"votes", "left"}),
        ("teaching", house("shot", "check", "protect", "speech", "nomination", "defence", "vote"), {"morning"}),
        ("party", house("shot", "check", "protect", "discussion", "nomination", "defence", "vote", seats=9), {"pick"}),
    ],
    ids=["sport", "quick", "teaching", "party"],
)
async def test_a_seat_is_sent_what_it_may_know_and_not_a_byte_more(
    server: Server, ruleset: str, options: dict[str, float], seen: set[str]
) -> None:
    # Two people, who pick nothing: whatever the deal, some of the night cards are bots'.
    table, tokens = await server.people(2, ruleset=ruleset, options=options)
    watcher = await server.seat(server.moderator, table=table)
    clients = [await server.seat(token) for token in tokens]
    for client in clients:
        await client.of("lobby")
    await clients[0].send(type="start")
    # People who do nothing may keep some of these games from ending: it is stopped when enough was seen of it.
    await watcher.until(partial(enough, seen, watcher))
    await clients[0].send(type="command", id=1, phase=0, command={"do": "stop"})
    if ruleset == "sport":
        await watcher.event("over")
    for client in (*clients, watcher):
        await client.until(partial(ended, client))
    everything = [frame["event"] for frame in watcher.numbered if frame["type"] == "event"]
    assert {event["event"] for event in everything} >= {"dealt"} | seen
    for client in clients:
        seat = (await client.of("seated"))["seat"]
        sent = [frame["event"] for frame in client.numbered if frame["type"] == "event"]
        assert sent == allowed(ruleset, everything, seat)
        for frame, text in zip(client.frames, client.raw, strict=True):
            assert '"to"' not in text
            if frame.get("event", {}).get("event") not in ("dealt", "over", "said", "answer", "order", "left"):
                for word in ("civilian", 'sheriff"', "mafia", "detective", "doctor", '"seed"', "token"):
                    assert word not in text or frame["type"] in ("line", "welcome") or "_check" in text
