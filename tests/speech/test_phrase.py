"""What the end of a text tells of the next word."""

from __future__ import annotations

from importlib.resources import files

import pytest

from voice.speech.endpointer import EndpointRules
from voice.speech.phrase import Ending, ending, hanging_words, silence_s

RULES = EndpointRules()
WHOLE, HANGING, UNKNOWN = Ending.WHOLE, Ending.HANGING, Ending.UNKNOWN


@pytest.mark.parametrize(
    ("text", "lang", "how"),
    [
        ("I nominate number five.", "en", WHOLE),
        ("Who checked him?", "en", WHOLE),
        ("He said “pass.”", "en", WHOLE),
        ("I nominate number.", "en", HANGING),
        ("I think it was the", "en", HANGING),
        ("He is red, and.", "en", HANGING),
        ("Seven is black because...", "en", HANGING),
        ("If you ask me,", "en", HANGING),
        ("The sheriff checked —", "en", HANGING),
        ("So I’m", "en", HANGING),
        ("Um.", "en", HANGING),
        ("I nominate five", "en", UNKNOWN),
        ("Выставляю номер пять.", "ru", WHOLE),
        ("Кто его проверил!", "ru", WHOLE),
        ("Выставляю номер", "ru", HANGING),
        ("Я думаю, что.", "ru", HANGING),
        ("Он чёрный, потому…", "ru", HANGING),
        ("Ну,", "ru", HANGING),
        ("Голосую в", "ru", HANGING),
        ("Мой голос против второй номер.", "ru", WHOLE),
        ("Второго выставляю, номер.", "ru", HANGING),
        ("I trust the seventh seat.", "en", WHOLE),
        ("Number.", "en", HANGING),
        ("Он красный", "ru", UNKNOWN),
        ("Ich nominiere die.", "de", WHOLE),
        ("Ich nominiere,", "de", HANGING),
        ("", "en", UNKNOWN),
        ("...", "en", HANGING),
    ],
)
def test_how_a_text_ends(text: str, lang: str, how: Ending) -> None:
    assert ending(text, lang, [0.9] * len(text.split()), -0.3, RULES) is how


def test_a_full_stop_is_not_believed_of_a_text_that_is_not_sure() -> None:
    text = "He was not."
    assert ending(text, "en", [0.9, 0.9, 0.4], -0.3, RULES) is UNKNOWN
    assert ending(text, "en", [0.9, 0.9, 0.9], -0.9, RULES) is UNKNOWN
    assert ending(text, "en", [], -0.3, RULES) is UNKNOWN


def test_the_wait_follows_the_ending() -> None:
    sentence_s, hanging_s = silence_s(WHOLE, RULES), silence_s(HANGING, RULES)
    assert sentence_s is not None
    assert hanging_s is not None
    assert RULES.likely_silence_s < sentence_s < RULES.end_silence_s < hanging_s
    assert silence_s(UNKNOWN, RULES) == RULES.end_silence_s


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_lists_hold_words_as_they_are_looked_up(lang: str) -> None:
    listed = hanging_words(lang)
    assert len(listed.words) > 40
    assert set(listed.whole_after) <= listed.words
    for word in listed.words:
        assert ending(f"xx {word.capitalize()}.", lang, [0.9, 0.9], 0.0, RULES) is HANGING, word


def test_there_is_a_list_for_each_language_of_a_table() -> None:
    there = {file.name for file in (files("voice.speech") / "words").iterdir()}
    assert there == {"en.toml", "ru.toml"}
    assert not hanging_words("de").words
