"""The table a seat: read back as a spreadsheet would, and safe in one."""

from __future__ import annotations

import csv
import io

import pytest

from engine.review import SheetError, review
from tests.engine.review.games import RULESETS, by_lot, do, made, night, shots, until
from voice.review.table_csv import csv_table, number, safe
from voice.review.words import COLUMNS


def rows(text: str, lang: str = "en") -> list[dict[str, str]]:
    table = list(csv.reader(io.StringIO(text, newline="")))
    heads = [heading.en if lang == "en" else heading.ru for heading in COLUMNS.values()]
    assert table[0] == heads
    assert all(len(row) == len(heads) for row in table)
    return [dict(zip(COLUMNS, row, strict=True)) for row in table[1:]]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_one_row_a_seat_with_the_games_own_figures(ruleset: str) -> None:
    events = by_lot(ruleset, 1)
    own = review(events)
    table = rows(csv_table(own, {}, "en"))
    over = events[-1]
    assert [row["seat"] for row in table] == list(over["cards"])
    for row in table:
        card = over["cards"][row["seat"]]
        assert row["card"].lower() == card
        assert row["team"] == ("black" if card in ("mafia", "don") else "red")
        won = (row["team"] == "black") == (over["winner"] == "mafia")
        assert row["result"] == ("win" if won else "loss")
        if "points" in over:
            assert float(row["points"]) == over["points"][row["seat"]]
        else:
            assert row["points"] == row["extra"] == ""
    left = {event["seat"] for event in events if event["event"] == "left"}
    assert {int(row["seat"]) for row in table if row["left"]} == left


def test_a_first_kill_with_its_best_move_and_the_checks() -> None:
    steps = [*night(1, don=3, sheriff=6)]
    table = rows(csv_table(review(made(*steps)), {}, "ru"), "ru")
    assert (table[0]["first_killed"], table[0]["left"], table[0]["when"]) == ("1", "убит", "ночь 2")
    assert table[4]["don_checks"] == "3 sheriff"
    assert table[2]["sheriff_checks"] == "6 black"
    assert (table[0]["result"], table[0]["points"]) == ("", "")
    named = [*shots(9), until("best_move"), do("best_move", 9, seats=[6, 1, 5])]
    table = rows(csv_table(review(made(*named)), {}, "en"))
    assert (table[8]["best_move"], table[8]["best_move_black"]) == ("1 5 6", "2")


def test_extra_points_below_nought() -> None:
    signs = [do("sign", 8, sentence=["red"])] * 7
    table = rows(csv_table(review(made(until("speech", 1), *signs, {"wait": 9000})), {}, "en"))
    assert (table[7]["extra"], table[7]["left"], table[7]["fouls"]) == ("-0.8", "removed", "4")


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ("Аня", "Аня"), ('Кот "Том", рыжий', 'Кот "Том", рыжий'), ("=2+2", "'=2+2"), ("+7 900", "'+7 900"),
        ("-1", "'-1"), ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "'=1"), ("\r\n=1", "'=1"), ("＝1", "'＝1"), ("a\nb", "a b"),
        (" =1", "'=1"), ("", ""), ("a=1", "a=1"), ("'=1", "'=1"),
    ],
)  # fmt: skip
def test_a_name_is_no_formula_and_stays_in_its_cell(name: str, cell: str) -> None:
    assert safe(name) == cell
    table = rows(csv_table(review(by_lot("sport", 1)), {1: name}, "en"))
    assert table[0]["name"] == cell


def test_numbers_have_no_trailing_noughts() -> None:
    assert [number(value) for value in (1.0, 0.3, -0.0, -0.5, 1.25)] == ["1", "0.3", "0", "-0.5", "1.25"]


def test_a_log_that_breaks_the_sheet_is_refused() -> None:
    with pytest.raises(SheetError, match="within the deal"):
        csv_table(review(made()[:3]), {}, "en")
