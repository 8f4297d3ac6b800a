"""What holds in every game, and how a scenario's expectations are matched. Written from the contract, not the code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Json = Mapping[str, Any]

SPEAKERS = {"speech", "tie_speech", "last_word"}
SILENT = {"agreement", "short_turn", "vote", "lift", "shot", "don_check", "sheriff_check", "best_move"}
NIGHTLY = ["shot", "don_check", "sheriff_check"]
MODERATORS_ONLY = {"held", "kept", "reported", "decided"}
ONE_SEAT = {"dealt", "pick", "answer"}
ALL = {
    "night", "day", "phase", "mic", "morning", "nominated", "votes", "tie", "lifted", "left", "best_move", "signed",
    "said", "warned", "fouled", "vote_cancelled", "away", "back", "bot", "over",
}  # fmt: skip
DECK = sorted(["civilian"] * 6 + ["sheriff", "mafia", "mafia", "don"])


def same(a: object, b: object) -> bool:
    """Equality of JSON values: numbers by value, true and false never numbers."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) < 1e-6
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return type(a) is type(b) and a == b


def fits(partial: Json, event: Json) -> bool:
    """Whether `event` has what `partial` says; a null there also stands for a field that is left out."""
    for key, value in partial.items():
        if key not in event:
            if value is not None or key in ("killed", "ends"):
                return False
        elif not same(value, event[key]):
            return False
    return True


def check_expectations(scenario: Json, events: Sequence[Json]) -> None:
    """`expect` comes in this order among the events, `never` not at all, `last` is the last one."""
    rest = iter(events)
    for number, partial in enumerate(scenario.get("expect", [])):
        assert any(fits(partial, event) for event in rest), f"expectation {number} not met: {partial}"
    for partial in scenario.get("never", []):
        wrong = [event for event in events if fits(partial, event)]
        assert not wrong, f"must not be: {wrong[0]} (never {partial})"
    if "last" in scenario:
        assert fits(scenario["last"], events[-1]), f"the last event is {events[-1]}"


def check_laws(events: Sequence[Json]) -> None:
    """The laws of any sport game, on its events in stored form, from the deal on."""
    cards = {event["seat"]: event["card"] for event in events if event["event"] == "dealt"}
    assert sorted(cards.values()) == DECK
    assert list(cards) == list(range(1, 11))
    _check_times(events)
    _check_audiences(events, cards)
    _check_table(events, cards)
    _check_nights(events)


def _check_times(events: Sequence[Json]) -> None:
    times = [event["t"] for event in events]
    assert times == sorted(times)
    assert all(isinstance(t, float) for t in times)


def _check_audiences(events: Sequence[Json], cards: Json) -> None:
    black = sorted(seat for seat in cards if cards[seat] in ("mafia", "don"))
    for event in events:
        name, to = event["event"], event["to"]
        if name in MODERATORS_ONLY:
            assert to == [], event
        elif name in ONE_SEAT:
            assert to == [event["seat"]], event
        elif name == "refused":
            alone = event.get("do") in ("line", "ruling") or "seat" not in event
            assert to == ([] if alone else [event["seat"]]), event
        elif name == "order":
            assert to == black, event
        elif name == "cleared":
            assert to in ("all", []), event
        else:
            assert name in ALL, event
            assert to == "all", event
        if name == "dealt":
            assert ("team" in event) == (event["seat"] in black)
            assert event.get("team", black) == black


def _check_table(events: Sequence[Json], cards: Json) -> None:
    """Who lives, whose microphone is open when, and that the end is the end."""
    living, mic, over, decided = set(cards), [], None, False
    phase: Json | None = None
    for event, following in zip(events, [*events[1:], None], strict=True):
        name = event["event"]
        if over is not None:
            assert name in ("mic", "over", "refused"), event
        if name == "phase":
            phase = event
            assert (phase["ends"] is None) == (phase["name"] == "over")
            if phase["name"] in SPEAKERS:
                assert phase["seat"] in living or phase["name"] == "last_word"
                should = [phase["seat"]]
            elif phase["name"] == "over":
                over, should = event, sorted(cards)
            else:
                assert phase["name"] in SILENT
                should = []
            if should != mic:
                assert following is not None, event
                assert (following["event"], following["t"]) == ("mic", event["t"]), event
                assert following["seats"] == should
            else:
                assert following is None or following["event"] != "mic", event
        elif name == "mic":
            assert event["seats"] != mic, event
            mic = event["seats"]
        elif name == "left":
            assert event["seat"] in living, event
            assert "card" not in event
            living.discard(event["seat"])
        elif name == "signed":
            assert event["seat"] in living, event
            assert phase is not None, event
            assert phase["name"] in SPEAKERS, event
        elif name == "said":
            assert phase is not None, event
            assert event["seat"] == phase.get("seat"), event
        elif name == "votes":
            assert sorted(int(seat) for seat in event["votes"]) == sorted(living)
        elif name == "decided":
            assert not decided, event
            decided = True
        elif name == "over":
            assert decided, event
            assert event["cards"] == {str(seat): card for seat, card in cards.items()}
            assert sorted(event["points"], key=int) == [str(seat) for seat in sorted(cards)]


def _check_nights(events: Sequence[Json]) -> None:
    """A shooting night has its three phases at full length, whoever lives and whatever is picked."""
    phases = [event for event in events if event["event"] == "phase"]
    for at, phase in enumerate(phases):
        if phase["name"] == "shot":
            night = phases[at : at + 3]
            assert [each["name"] for each in night] == NIGHTLY[: len(night)]
        if phase["name"] in NIGHTLY and at + 1 < len(phases):
            assert phases[at + 1]["t"] == phase["ends"]
