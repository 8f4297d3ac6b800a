"""The rules that the host's acts are cited with."""

from __future__ import annotations

from typing import Any

import pytest

from engine.review import document, review
from engine.review.acts import PHASES, REFUSALS, SEATS_OWN
from engine.rulebook import cite, rule_ids
from tests.engine.review.games import RULESETS, all_vote, by_lot, do, made, night, puts_up, shots, until


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", range(8))
def test_every_act_of_the_host_has_a_rule_that_the_rulebook_has(ruleset: str, seed: int) -> None:
    own = review(by_lot(ruleset, seed))
    cited = {act.index: act.rules for act in own.acts}
    for index, event in enumerate(by_lot(ruleset, seed)):
        assert (index in cited) == (event["event"] not in SEATS_OWN), event
    for rules in cited.values():
        assert rules
        assert set(rules) <= set(rule_ids(ruleset))


def test_each_phase_and_refusal_has_a_rule_in_a_ruleset_that_knows_it() -> None:
    known = {rule_id.partition(".")[2] for ruleset in RULESETS for rule_id in rule_ids(ruleset)}
    for names in (*PHASES.values(), *REFUSALS.values()):
        assert set(names) <= known, names


def rules(events: list[dict[str, Any]], **wanted: Any) -> set[str]:
    """All rules cited for the events with these fields."""
    own = review(events)
    fits = {index for index, event in enumerate(events) if wanted.items() <= event.items()}
    assert fits
    return {rule.partition(".")[2] for act in own.acts if act.index in fits for rule in act.rules}


HALF = {seat: 8 if seat <= 5 else 9 for seat in range(1, 11)}
TIE = [*puts_up(1, 8), *puts_up(2, 9), *all_vote(HALF), {"wait": 1}, *all_vote(HALF)]
SIGNS = [until("speech", 1), *[do("sign", 8, sentence=["red"])] * 7]


@pytest.mark.parametrize(
    ("steps", "wanted", "rule"),
    [
        ([{"wait": 0}], {"event": "dealt"}, "deal"),
        ([do("order", 5, seats=[1])], {"event": "order"}, "night.order"),
        ([{"wait": 60}], {"event": "order"}, "night.lot"),
        (TIE, {"event": "tie"}, "vote.tie"),
        (TIE, {"event": "votes", "round": 2}, "vote.revote"),
        (TIE, {"event": "phase", "name": "lift"}, "vote.lift"),
        ([until("shot")], {"event": "night", "number": 2}, "vote.none"),
        ([*puts_up(1, 2), until("shot")], {"event": "night", "number": 2}, "vote.first_day"),
        (night(1), {"event": "morning"}, "night.kill"),
        ([until("shot"), until("speech", 2)], {"event": "morning"}, "night.miss"),
        (SIGNS, {"event": "fouled", "fouls": 1}, "foul.signs"),
        (SIGNS, {"event": "fouled", "fouls": 3}, "foul.skip"),
        (SIGNS, {"event": "fouled", "fouls": 4}, "foul.removal"),
        ([*SIGNS, until("speech", 2)], {"event": "left"}, "foul.removal"),
        ([*puts_up(1, 2), do("nominate", 1, target=3)], {"event": "refused"}, "nomination.refused"),
        ([do("stop", 1)], {"event": "refused"}, "end.no_stop"),
        ([*shots(9), until("best_move")], {"event": "phase", "name": "best_move"}, "leaving.best_move"),
        ([*SIGNS, {"wait": 9000}], {"event": "over"}, "points.removal"),
        ([do("away", 1), {"wait": 130}], {"event": "bot"}, "bot"),
    ],
)
def test_the_rule_is_the_one_that_was_applied(steps: list[Any], wanted: dict[str, Any], rule: str) -> None:
    assert rule in rules(made(*steps), **wanted)


def test_an_agreement_that_ok_ended_is_cited_and_no_points_that_were_not_given() -> None:
    assert "night.ok" in rules(made({"wait": 5}, do("ok", 5), bots=[6, 7]), event="day")
    assert "night.ok" not in rules(made({"wait": 60}), event="day")
    assert rules(made({"wait": 9000}), event="over") == {"end.draw", "end.over", "points.outcome"}


def test_no_best_move_after_two_left_by_the_first_vote_is_cited() -> None:
    lift = [until("lift"), *(do("lift", seat, yes=True) for seat in range(1, 11))]
    events = made(*TIE, *lift, *shots(1), until("last_word", 1))
    assert "leaving.best_move_none" in rules(events, event="phase", name="last_word", seat=1)
    assert "leaving.best_move_none" not in rules(events, event="phase", name="last_word", seat=8)


def test_a_protection_and_an_idle_vote_in_house_rules() -> None:
    cards = ["mafia", "detective", "doctor", "town", "town", "town"]
    saved = [do("shoot", 1, target=4), until("protect"), do("protect", 3, target=4), until("speech")]
    events = made(
        *saved, until("nomination"), do("nominate", 1, target=2), until("shot"), ruleset="teaching", cards=cards
    )
    assert "night.saved" in rules(events, event="morning")
    assert "vote.stays" in rules(events, event="night", number=2)


def test_a_shot_of_two_minds_at_the_protected_seat_is_a_miss() -> None:
    cards = ["mafia", "mafia", "detective", "doctor", "town", "town", "town", "town", "town"]
    for second, rule, other in ((6, "night.miss", "night.saved"), (5, "night.saved", "night.miss")):
        picks = [do("shoot", 1, target=5), do("shoot", 2, target=second), until("protect"), do("protect", 4, target=5)]
        cited = rules(made(*picks, until("discussion"), ruleset="party", cards=cards), event="morning")
        assert rule in cited
        assert other not in cited


def test_headings_are_in_the_language_asked_for() -> None:
    for lang in ("en", "ru"):
        acts = document(review(made({"wait": 0})), lang)["acts"]  # type: ignore[arg-type]  # both are languages
        assert acts[0]["rules"][0]["id"] == "sport.deal"
        heading = cite("sport", "sport.deal").heading
        assert acts[0]["rules"][0]["heading"] == (heading.en if lang == "en" else heading.ru)
