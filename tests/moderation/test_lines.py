"""Tables of lines: game talk that must pass, abuse that must not."""

from pathlib import Path

import pytest

from moderation import judge

HERE = Path(__file__).parent


def rows(name: str) -> list[list[str]]:
    return [line.split("\t") for line in (HERE / name).read_text(encoding="utf-8").splitlines() if line]


@pytest.mark.parametrize(("lang", "text"), rows("harmless.tsv"))
def test_harmless_table_talk_passes(lang: str, text: str) -> None:
    verdict = judge(text, lang)
    assert verdict.category is None, verdict.why
    assert verdict.severity is None


@pytest.mark.parametrize(("lang", "category", "text"), rows("abusive.tsv"))
def test_abuse_is_flagged(lang: str, category: str, text: str) -> None:
    verdict = judge(text, lang)
    assert verdict.category == category, verdict.why
    assert verdict.severity in ("likely", "clear")
    assert verdict.scores[category] > 0.5


def test_almost_no_harmless_line_asks_a_person() -> None:
    asked = [text for lang, text in rows("harmless.tsv") if judge(text, lang).review]
    assert len(asked) <= 3, asked
