"""Where a club host would have acted otherwise: every row of the table, by games made by hand."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from engine import Game, GameError
from engine.review import SpokenLine, review
from engine.review.club import Finding, Row, register, rows_of
from engine.rulebook.rule import Words
from tests.engine.review.games import CARDS, all_vote, by_lot, do, made, night, puts_up, shots, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.review.course import Course

SEED = Path(__file__).parents[4] / "shared" / "seeds"


def found(row: str, *steps: dict[str, Any], lines: tuple[SpokenLine, ...] = (), **more: Any) -> list[dict[str, Any]]:
    rows = {each["row"]: each for each in review(made(*steps, **more), lines=lines).club()}
    places: list[dict[str, Any]] = rows[row]["found"]
    return places


def flag(seat: int, line: int | str, category: str = "insult", severity: str = "likely") -> dict[str, Any]:
    return do("line", seat, line=line, category=category, severity=severity)


def test_every_row_of_the_page_is_here_in_its_order() -> None:
    if not SEED.exists():
        pytest.skip("the rules of record are not beside this checkout")
    page = next(SEED.glob("000_*")).read_text(encoding="utf-8")
    table = page[page.index("Club rulebook\tMafiaVoice") : page.index("What level one teaches")]
    rows = [line.split("\t")[0] for line in table.splitlines() if "\t" in line][1:]
    assert len(rows) == len(rows_of("sport"))
    for row, own in zip(rows, rows_of("sport"), strict=True):
        words = set(re.findall(r"[a-z]{4,}", row.lower()))
        assert words & set(re.findall(r"[a-z]{4,}", own.club.en.lower())), (row, own.club.en)


def test_a_row_is_derived_or_says_why_not() -> None:
    for row in rows_of("sport"):
        assert (row.find is not None) == (row.can == "derived") == (row.why is None)
    rows = review(by_lot("sport", 1)).club("ru")
    assert [row["row"] for row in rows] == [row.id for row in rows_of("sport")]
    assert all(re.search("[а-я]", row["club"]) for row in rows)
    assert review(by_lot("party", 1)).club() == []


def test_a_ruleset_from_outside_may_have_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GameError, match=r"'sport' has its club table in engine\.review\.sport\.club"):
        register("sport", "mine.club")
    ours = types.ModuleType("our_club")
    ours.__dict__["CLUB"] = (
        Row("claps", Words("Clapping is penalised.", "За хлопки — штраф."), find=everybody_leaving),
    )
    monkeypatch.setitem(sys.modules, "our_club", ours)
    monkeypatch.setattr("engine.review.club.MODULES", {})
    assert rows_of("party") == ()
    register("party", "our_club")
    log = by_lot("party", 1)
    (row,) = review(log).club()
    assert (row["row"], row["club"]) == ("claps", "Clapping is penalised.")
    assert [place["seat"] for place in row["found"]] == [each["seat"] for each in log if each["event"] == "left"]


def everybody_leaving(course: Course, *_: object) -> Iterator[Finding]:
    for step in course.named("left"):
        yield Finding(step.t, step.stage, step.fields["seat"], Words("one", "раз"))


def test_an_agreement_that_ok_ended_early() -> None:
    early = found("agreement", {"wait": 12}, do("ok", 5), bots=[6, 7])
    assert [(place["t"], place["left_s"]) for place in early] == [(12.0, 48.0)]
    assert found("agreement", {"wait": 100}) == []
    assert found("agreement", {"wait": 12}) == []


def test_gestures_beyond_the_number_and_in_the_vote() -> None:
    speech = [until("speech", 1), *[do("sign", 2, sentence=[1])] * 4]
    vote = [*puts_up(1, 2), *puts_up(2, 3), until("vote"), do("sign", 4, sentence=["red"])]
    assert [(place["seat"], place["stage"]["phase"]) for place in found("gestures", *speech)] == [(2, "speech")]
    assert [(place["seat"], place["stage"]["phase"]) for place in found("gestures", *vote)] == [(4, "vote")]
    assert found("gestures", until("speech", 1), *[do("sign", 2, sentence=[1])] * 3) == []


def test_an_insult_that_was_not_taken_back() -> None:
    lines = [until("speech", 1), flag(1, 1), flag(1, 2, "sexual"), flag(2, 3)]
    assert [(place["seat"], place["category"], place["sure"]) for place in found("insult", *lines)] == [
        (1, "insult", True), (1, "sexual", False), (2, "insult", True),
    ]  # fmt: skip
    dismissed = [*lines, do("ruling", line=3, uphold=False), do("ruling", line=2, uphold=False)]
    assert [place["seat"] for place in found("insult", *dismissed)] == [1]
    held = [*[flag(4, number, severity="clear") for number in range(10, 14)]]
    places = found("insult", until("speech", 4), *held)
    assert len(places) == 4
    assert len(found("insult", until("speech", 4), *held, do("ruling", line=13, uphold=False))) == 3


def test_a_violation_in_the_own_last_word() -> None:
    own = [*shots(1), until("last_word", 1), {"wait": 10}, flag(1, "a")]
    assert [(place["seat"], place["category"]) for place in found("last_word", *own)] == [(1, "insult")]
    sign = [*shots(1), until("last_word", 1), do("sign", 1, sentence=["red"])]
    assert [place["seat"] for place in found("last_word", *sign)] == [1]
    late = [*shots(1), until("last_word", 1), until("speech", 2), flag(1, "a")]
    assert found("last_word", *late) == []
    start = next(event["t"] for event in made(*own) if event.get("name") == "last_word")
    spoken = (SpokenLine("a", 1, "...", start + 5, start + 7, "voice"),)
    assert [place["t"] for place in found("last_word", *late, lines=spoken)] == [start + 5]


def test_a_removal_that_waited_for_the_end_of_a_speech() -> None:
    signs = [until("speech", 1), {"wait": 20}, *[do("sign", 8, sentence=["red"])] * 7, until("speech", 2)]
    assert [(place["seat"], place["later_s"]) for place in found("fourth_foul", *signs)] == [(8, 40.0)]
    assert found("fourth_foul", *signs[:3]) == []


def test_a_cancellation_used_up_on_a_day_without_a_vote() -> None:
    signs = [*[do("sign", 8, sentence=["red"])] * 7]
    used_up = found("cancelled_vote", until("speech", 1), *signs, until("shot"))
    assert [(place["day"], place["next_vote_day"]) for place in used_up] == [(1, None)]
    cancelled = [*puts_up(1, 2), *puts_up(2, 3), *signs, until("shot")]
    assert found("cancelled_vote", *cancelled) == []
    assert found("cancelled_vote", until("speech", 1), *signs, until("speech", 3)) == []
    last_word = [*shots(1), until("last_word", 1), *signs, until("shot")]
    assert [place["day"] for place in found("cancelled_vote", *last_word)] == [2]


def test_checks_that_a_club_penalises() -> None:
    again = [*night(1, sheriff=6), *night(2, sheriff=6)]
    assert [(place["seat"], place["target"]) for place in found("checks", *again)] == [(3, 6)]
    refused = [until("don_check"), do("check", 5, target=6), until("sheriff_check"), do("check", 3, target=3)]
    assert [place["seat"] for place in found("checks", *refused)] == [5, 3]
    others = [
        until("don_check"),
        do("check", 3, target=6),
        do("check", 5, target=99),
        until("sheriff_check"),
    ]
    assert [place["seat"] for place in found("checks", *others)] == [5]
    assert found("checks", until("sheriff_check"), do("check", 5, target=1)) == []


def test_a_check_that_was_no_well_formed_command_is_none_to_penalise() -> None:
    """What the engine itself says of it, put where the sheriff may check."""
    game, _ = Game.start("sport", cards=CARDS)
    (malformed,) = game.command({"do": "check", "seat": 3}, at=0)
    (by_rule,) = game.command({"do": "check", "seat": 3, "target": 1}, at=0)
    log = made(*night(1), until("sheriff_check"))
    for refused, places in ((malformed, []), (by_rule, [3])):
        stored = refused.to_json() | {"t": log[-1]["t"]}
        rows = {each["row"]: each for each in review([*log, stored]).club()}
        assert [place["seat"] for place in rows["checks"]["found"]] == places


def test_a_best_move_that_a_club_would_take() -> None:
    own = [*shots(9), until("best_move"), do("best_move", 9, seats=[9, 1])]
    assert [place["seat"] for place in found("best_move_seats", *own)] == [9]
    assert found("best_move_seats", *shots(9), until("best_move"), do("best_move", 1, seats=[9])) == []


def test_a_draw_comes_a_night_later_here() -> None:
    idle = [until("shot")] * 2 + [{"wait": 2000}]
    early = found("draw_nights", *idle)
    assert [place["stage"]["night"] for place in early] == [3]
    pays = found("draw_points", *idle, {"wait": 5000})
    assert [(place["seat"], place["points"], place["here"]) for place in pays] == [
        (seat, 0.3, 0.0) for seat in range(1, 11)
    ]
    assert found("draw_nights", *night(1), until("speech")) == []
    assert found("draw_points", *night(1)) == []


def test_a_lost_connection_is_a_pause_at_a_club() -> None:
    places = found("pause", do("away", 1), {"wait": 5}, do("back", 1), do("away", 2), {"wait": 130})
    assert [(place["seat"], place["back_t"], place["bot_t"]) for place in places] == [(1, 5.0, None), (2, None, 125.0)]


def test_a_vote_against_oneself() -> None:
    votes = dict.fromkeys(range(1, 11), 2)
    places = found("oneself", *puts_up(1, 2), *puts_up(2, 3), *all_vote(votes))
    assert [(place["seat"], place["left"], place["maybe_uncast"]) for place in places] == [(2, True, False)]
    silent = found("oneself", *puts_up(1, 2), *puts_up(2, 3), until("vote"), {"wait": 60})
    assert [(place["seat"], place["left"], place["maybe_uncast"]) for place in silent] == [(3, True, True)]
