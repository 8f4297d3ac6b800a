"""The protocol sheet: what stands on it, in both languages, and that nothing runs out of its page."""

from __future__ import annotations

import io
import logging
from typing import TYPE_CHECKING

import pytest
from pypdf import PdfReader

from engine.lots import play
from engine.review import SheetError, review
from tests.engine.review.games import RULESETS, by_lot, do, made, shots, until
from voice.review.head import Head
from voice.review.paper import HEIGHT, WIDTH, Paper
from voice.review.sheet_pdf import pdf_sheet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.review import Review
    from engine.rulebook.rule import Lang

NAMES = {1: "Ёжик в тумане", 2: "Ghost", 3: "Константин Константинопольский-Задунайский из Твери", 4: "W" * 64}
HEAD = Head("Кубок города", "Финал", "2026-11-30", "7", "12", "Иванова А. А.")
POINTS_A_MM = 72 / 25.4


def pages(own: Review, names: Mapping[int, str] = NAMES, head: Head = HEAD, lang: Lang = "ru") -> list[str]:
    reader = PdfReader(io.BytesIO(pdf_sheet(own, names, head, lang)))
    for page in reader.pages:
        assert (round(float(page.mediabox.width)), round(float(page.mediabox.height))) == (
            round(WIDTH * POINTS_A_MM), round(HEIGHT * POINTS_A_MM),
        )  # fmt: skip
    return [page.extract_text() for page in reader.pages]


def test_the_front_in_russian() -> None:
    front, reverse = pages(review(by_lot("sport", 1)))
    for text in (
        "Протокол игры", "Турнир", "Кубок города", "Этап", "Финал", "Дата", "2026-11-30", "Стол №", "Игра №", "Ник",
        "Роль", "Фолы", "Очки", "Доп.", "Шериф", "Мирный", "Дон", "Ёжик в тумане", "Ghost", "Победила команда",
        "Лучший ход игрока №", "Протест", "Судья", "Иванова А. А.", "Подпись", "Голосования", "Кандидаты", "Голоса",
        "Перегол., круг 2", "Константинопольский",
    ):  # fmt: skip
        assert text in front, text
    assert "Обоснование дополнительных баллов и штрафов" in reverse
    assert "Комментарии к протесту" in reverse


def test_the_front_in_english() -> None:
    front, reverse = pages(review(by_lot("sport", 1)), lang="en")
    for text in ("Game protocol", "Tournament", "Table №", "Nick", "Winning team", "Best move by player №", "Votings"):
        assert text in front, text
    assert "Reasons for extra points and penalties" in reverse
    assert "Comments on the protest" in reverse


def test_points_extra_and_their_reasons() -> None:
    signs = [do("sign", 8, sentence=["red"])] * 7
    named = [*shots(9), until("best_move"), do("best_move", 9, seats=[5, 6, 1])]
    front, reverse = pages(review(made(until("speech", 1), *signs, *named, {"wait": 9000})), lang="en")
    assert "-0.8" in front
    assert "+0.5" in front
    assert "Seat 9: +0.5 for the best move 1, 5, 6; 2 of them black." in reverse
    assert "Seat 8: -0.8 for a removal." in reverse
    assert "A club host:" in reverse
    assert front.count("d1") == 4


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("lang", ["en", "ru"])
def test_every_ruleset_has_its_sheet(ruleset: str, lang: Lang) -> None:
    own = review(by_lot(ruleset, 1))
    front, _reverse = pages(own, {}, Head(), lang)[:2]
    assert ruleset in front


def test_an_unfinished_game_says_so() -> None:
    front, _ = pages(review(made({"wait": 100})), lang="en")
    assert "not finished" in front


def test_votings_that_do_not_fit_go_on_after_the_reverse() -> None:
    events = play(1, "party", {"seats": 13}).events
    own = review(events)
    days = [{**ballot, "day": day} for day in range(1, 41) for ballot in own.ballots[:1]]
    own.__dict__["ballots"] = days
    texts = pages(own)
    assert len(texts) > 2
    said = "".join(texts)
    assert all(f"День {day}\n" in said for day in range(1, 41))


def test_a_day_of_more_rounds_than_a_column_holds_ends() -> None:
    own = review(by_lot("sport", 1))
    own.__dict__["ballots"] = [{**own.ballots[0], "round": number} for number in range(1, 101)]
    assert len(pages(own)) > 2


def test_letters_that_the_font_lacks_are_squares_and_no_name_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        logging.getLogger("fpdf").setLevel(logging.DEBUG)
        front, _ = pages(review(by_lot("sport", 1)), {1: "漢字 Тайное"})
    assert "□□ Тайное" in front
    assert "Тайное" not in caplog.text
    assert "漢" not in caplog.text


def test_a_text_never_leaves_its_box() -> None:
    with Paper("") as paper:
        paper.page()
        for text in ("W" * 500, "слово " * 100, "", "ы", "e\u0301" * 80):
            fitted = paper._fitted(text, 30, 10, bold=False)
            assert paper.pdf.get_string_width(fitted) <= 30
        assert paper._fitted("W", 0.1, 10, bold=True) == ""
        for row in paper.rows("W" * 300 + " слово " * 30, 50, 8):
            assert paper.pdf.get_string_width(row) <= 50


def test_a_log_that_breaks_the_sheet_is_refused() -> None:
    with pytest.raises(SheetError, match="within the deal"):
        pdf_sheet(review(made()[:3]), {}, Head(), "en")
