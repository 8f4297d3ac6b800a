"""The allow-list of views."""

from __future__ import annotations

import pytest

from engine import Event
from engine.view import MODERATORS_ONLY, NAMED, OWN, PUBLIC, view

# From the contract's table of events.
FIELDS = {
    "dealt": "seat card team", "night": "number", "day": "number", "phase": "name ends seat round", "mic": "seats",
    "order": "seats by", "pick": "seat target", "answer": "seat target answer", "morning": "killed",
    "nominated": "seat by", "floor": "seat until", "votes": "round votes", "tie": "seats", "lifted": "votes leave",
    "left": "seat how card", "best_move": "seat seats", "signed": "seat sentence", "said": "seat kind target card",
    "warned": "seat category line", "fouled": "seat fouls why category", "held": "seat line category",
    "kept": "seat line category", "reported": "seat target line", "cleared": "seat line fouls", "vote_cancelled": "day",
    "away": "seat until", "back": "seat", "bot": "seat", "decided": "winner", "over": "winner cards points",
    "abandoned": "by", "refused": "seat do why",
}  # fmt: skip


def test_every_event_of_the_contract_and_no_other_is_listed_once() -> None:
    lists = [PUBLIC, NAMED, OWN, MODERATORS_ONLY]
    assert sum(map(len, lists)) == len(FIELDS)
    for name, names in FIELDS.items():
        assert [each[name] for each in lists if name in each] == [tuple(names.split())]


@pytest.mark.parametrize("name", FIELDS)
def test_only_listed_fields_are_shown(name: str) -> None:
    event = Event(1.0, name, (3,), dict.fromkeys([*FIELDS[name].split(), "secret", "to"], 3))
    seen = view(event, "moderator")
    assert seen == {"t": 1.0, "event": name, **dict.fromkeys(FIELDS[name].split(), 3)}


def test_an_event_nobody_listed_is_shown_to_nobody() -> None:
    event = Event(1.0, "leaked", "all", {"card": "don"})
    assert view(event, 1) is None
    assert view(event, "moderator") is None


@pytest.mark.parametrize("name", PUBLIC)
def test_what_is_for_all_is_for_every_seat(name: str) -> None:
    assert view(Event(1.0, name, "all", {}), 7) == {"t": 1.0, "event": name}
    assert view(Event(1.0, name, (), {}), 7) is None


@pytest.mark.parametrize("name", [*NAMED, *OWN, *MODERATORS_ONLY])
def test_what_is_secret_stays_so_even_if_written_for_all(name: str) -> None:
    assert view(Event(1.0, name, "all", {"seat": 2}), 2) is None


@pytest.mark.parametrize("name", OWN)
def test_what_is_one_seats_own_needs_both_names(name: str) -> None:
    assert view(Event(1.0, name, (2,), {"seat": 2}), 2) is not None
    assert view(Event(1.0, name, (2,), {"seat": 2}), 3) is None
    assert view(Event(1.0, name, (2, 3), {"seat": 2}), 3) is None
    assert view(Event(1.0, name, (3,), {"seat": 2}), 2) is None


@pytest.mark.parametrize("name", NAMED)
def test_what_is_a_teams_is_for_those_named(name: str) -> None:
    event = Event(1.0, name, (2, 3), {"seat": 2})
    assert view(event, 3) is not None
    assert view(event, 4) is None


@pytest.mark.parametrize("name", MODERATORS_ONLY)
def test_moderators_events_are_no_seats(name: str) -> None:
    assert view(Event(1.0, name, (2,), {"seat": 2}), 2) is None
    assert view(Event(1.0, name, (), {"seat": 2}), "moderator") is not None


@pytest.mark.parametrize("viewer", [0, -1, 11, "moderators", "", "1", None])
def test_an_odd_viewer_sees_at_most_what_all_see(viewer: object) -> None:
    assert view(Event(1.0, "dealt", (1,), {"seat": 1, "card": "don"}), viewer) is None  # type: ignore[arg-type]
    assert view(Event(1.0, "refused", (), {"do": "line"}), viewer) is None  # type: ignore[arg-type]
