"""Games that differ only in what a viewer may not know give that viewer the same bytes, times included."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.view import view
from tests.engine.driver import Driven, acts, drawn_acts, drive, started, starts
from tests.engine.facts import RULESETS
from tests.engine.laws import check_laws
from tests.engine.twins import Story, Twin, Viewer

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine import Event

each_ruleset = pytest.mark.parametrize("ruleset", RULESETS)


def shown(driven: Driven, viewer: Viewer, see: Callable[[Event, Viewer], dict[str, Any] | None] = view) -> str:
    """What a viewer is sent of a game, as bytes are written of it; the cards that its end lays open are left out."""
    lines = []
    for event in driven.events:
        seen = see(event, viewer)
        if seen is not None:
            lines.append(json.dumps({k: v for k, v in seen.items() if seen["event"] != "over" or k == "winner"}))
    return "\n".join(lines)


def log(driven: Driven) -> str:
    return "\n".join(json.dumps(event.to_json()) for event in driven.events)


@each_ruleset
@given(st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_viewer_cannot_tell_twin_games_apart(ruleset: str, data: st.DataObject) -> None:
    """A living seat, one that has left, a spectator: whoever they are, they see no trace of what is not theirs."""
    first = drive(data.draw(starts(ruleset)), data.draw(acts))
    story = Story.of(first)
    seats = range(1, len(first.game.cards) + 1)
    left = [seat for seat in seats if seat not in first.game.living]
    kind = data.draw(st.integers(0, 3))
    viewer: Viewer = data.draw(st.sampled_from(left if kind == 1 and left else seats)) if kind else "spectator"
    second = Twin(story, viewer, Random(data.draw(st.integers(0, 2**32)))).play()
    assert shown(second, viewer) == shown(first, viewer)
    check_laws(second.stored(), ruleset, first.start.options, first.start.bots)


@cache
def pairs(ruleset: str) -> list[tuple[Driven, Driven, Viewer]]:
    """Games with their twins, and for whom each was made."""
    made = []
    for seed in range(80):
        first = drive(started(ruleset, seed, seed), drawn_acts(seed, 90))
        viewer: Viewer = 1 + seed % len(first.game.cards) if seed % 4 else "spectator"
        made.append((first, Twin(Story.of(first), viewer, Random(seed)).play(), viewer))
    return made


@each_ruleset
def test_the_twins_differ_in_everything_secret(ruleset: str) -> None:
    """The property would show little if the twins were alike."""
    cards = differ = games = 0
    changed: set[str] = set()
    for first, second, _ in pairs(ruleset):
        games += 1
        cards += first.game.cards != second.game.cards
        differ += log(first) != log(second)
        for name in ("pick", "dealt", "answer", "refused", "reported", "kept", "held", "order", "votes"):
            one, other = (
                [event.to_json() for event in driven.events if event.name == name] for driven in (first, second)
            )
            if one != other:
                changed.add(name)
    assert differ > 0.95 * games
    assert cards > 0.3 * games
    own = {"sport": {"order", "held", "answer"}, "quick": set(), "teaching": {"answer"}, "party": {"answer"}}
    assert changed >= {"pick", "dealt", "refused", "reported", "kept"} | own[ruleset]


LEAKS = ["pick", "dealt", "answer", "refused", "reported", "kept", "held", "order", "decided", "cleared"]


@pytest.mark.parametrize("leaked", LEAKS)
def test_a_leak_of_a_mere_time_is_found(leaked: str) -> None:
    """A view that lets everybody know when a secret thing happened, and nothing of what, does not pass."""

    def leaky(event: Event, viewer: Viewer) -> dict[str, Any] | None:
        if event.name == leaked and event.to != "all":
            return {"event": "something", "t": event.t}
        return view(event, viewer)

    caught = {ruleset: _catches(ruleset, leaky) for ruleset in RULESETS}
    of_sport_alone = leaked in ("order", "held")
    without_checks = {"quick"} if leaked == "answer" else set()
    # The deal is at nought for everybody, and a result is certain at the same time in both games.
    nowhere = leaked in ("dealt", "decided")
    for ruleset in RULESETS:
        expected = not nowhere and (ruleset == "sport" or not of_sport_alone) and ruleset not in without_checks
        assert caught[ruleset] == expected, ruleset


def _catches(ruleset: str, see: Callable[[Event, Viewer], dict[str, Any] | None]) -> bool:
    return any(shown(first, viewer, see) != shown(second, viewer, see) for first, second, viewer in pairs(ruleset))


@each_ruleset
def test_a_leaver_of_the_mafia_does_not_see_what_its_team_does_later(ruleset: str) -> None:
    later = 0
    for seed in range(120):
        driven = drive(started(ruleset, seed, seed), drawn_acts(seed, 90))
        living = set(range(1, len(driven.game.cards) + 1))
        mafia = set(driven.game.state.mafia)
        for event in driven.events:
            if event.name == "left":
                living.discard(int(str(event.fields["seat"])))
            elif event.name == "pick" and event.fields["seat"] in mafia:
                for seat in mafia - living:
                    assert view(event, seat) is None
                    later += 1
                told = {seat for seat in mafia if view(event, seat)}
                assert told == ({event.fields["seat"]} if ruleset in ("sport", "teaching") else mafia & living)
    assert later > 0 or ruleset == "teaching"


@each_ruleset
def test_a_moderator_sees_the_whole_log(ruleset: str) -> None:
    for seed in range(40):
        driven = drive(started(ruleset, seed, seed), drawn_acts(seed, 90))
        for event in driven.events:
            assert view(event, "moderator") == {"t": event.t, "event": event.name, **event.fields}
