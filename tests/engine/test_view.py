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


@pytest.mark.parametrize("name", FIELDS)
def test_a_spectator_sees_what_is_for_all_and_nothing_else(name: str) -> None:
    fields: dict[str, object] = {"seat": 2}
    seen = {"t": 1.0, "event": name, **({"seat": 2} if "seat" in FIELDS[name].split() else {})}
    assert view(Event(1.0, name, "all", fields), "spectator") == (seen if name in PUBLIC else None)
    for to in [(), (2,), (1, 2, 3)]:
        assert view(Event(1.0, name, to, fields), "spectator") is None


@pytest.mark.parametrize("name", PUBLIC)
def test_what_is_told_to_some_seats_is_told_to_no_others(name: str) -> None:
    event = Event(1.0, name, (2, 3), {"seat": 2})
    assert view(event, 3) is not None
    assert view(event, 4) is None


@pytest.mark.parametrize("viewer", [0, -1, "moderators", "spectators", "", "1", None, True, 1.0, (1,)])
@pytest.mark.parametrize("name", FIELDS)
def test_an_odd_viewer_sees_nothing(viewer: object, name: str) -> None:
    for to in ["all", (), (1,), (0,), (-1,)]:
        assert view(Event(1.0, name, to, {"seat": 1}), viewer) is None  # type: ignore[arg-type]


def test_views_are_new_each_time() -> None:
    """A viewer who changes what it was shown changes nothing for the next one."""
    event = Event(1.0, "mic", "all", {"seats": [1]})
    seen = view(event, 1)
    assert seen is not None
    seen["seats"] = [2]
    assert view(event, 2) == {"t": 1.0, "event": "mic", "seats": [1]}
