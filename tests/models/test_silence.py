"""What was made of no words, and what was said: texts as Whisper wrote them, with its own figures."""

from __future__ import annotations

import pytest

from models.silence import is_nothing


@pytest.mark.parametrize(
    ("text", "no_speech", "score", "speech_s", "confidences"),
    [
        (".", 0.0, 0.0, 3.0, (0.9,)),
        ("", 0.0, 0.0, 3.0, ()),
        ("I am going to the bathroom", 0.9, -1.4, 2.0, (0.5,) * 6),
        ("You", 0.1, -0.5, 0.3, (0.5,)),
        ("Thank you.", 0.1, -0.5, 0.3, (0.5, 0.9)),
        ("Thank you.", 0.18, -1.02, 2.18, (0.03, 0.97)),
        ("Oh,", 0.83, -0.63, 0.77, (0.01,)),
        ("Нет!", 0.13, -1.38, 3.14, (0.26,)),
        ("Те, че,", 0.17, -1.18, 1.7, (0.26, 0.1)),
        ("Hehehehehehehehehehehehehe", 0.49, -0.73, 1.34, (0.52,)),
        ("Da-ha-ha-ha-ha-ha-ha-ha", 0.21, -0.34, 2.91, (0.76,)),
        ("Хе-хе-хе-хе!", 0.44, -0.7, 0.77, (0.63,)),
        ("А-а-а-а-а-а-а!", 0.5, -0.71, 1.47, (0.52,)),
        ("ДАААААААААААААААА", 0.17, -0.21, 2.91, (0.85,)),
        ("Ммммммм", 0.39, -0.32, 1.54, (0.81,)),
        ("Та-та-та-та-та", 0.74, -0.49, 0.86, (0.47,)),
        ("СПОКОЙНАЯ МУЗЫКА", 0.2, -0.3, 1.9, (0.9, 0.9)),
        ("СМЕХ Мужужужужужужужуж", 0.3, -0.5, 1.4, (0.6, 0.6)),
        ("Look at that,", 0.51, -0.98, 1.79, (0.1, 0.79, 0.64)),
        ("У меня не контрару, пыль!", 0.24, -1.34, 1.79, (0.03, 0.15, 0.17, 0.29, 0.32)),
        ("You're truly...", 0.4, -1.64, 0.7, (0.1, 0.27)),
        ("Нет, ха-ха-ха-ха-ха-ха-", 0.07, -0.43, 3.14, (0.17, 0.81)),
        ("[laughter]", 0.2, -0.3, 0.9, (0.9,)),
        ("Thanks for watching!", 0.1, -0.8, 2.0, (0.4, 0.6, 0.6)),
        ("Продолжение следует...", 0.4, -0.2, 2.0, (0.9, 0.9)),
        ("Субтитры сделал DimaTorzok", 0.1, -0.2, 0.4, (0.9, 0.9, 0.9)),
    ],
)
def test_what_nobody_said(
    text: str, no_speech: float, score: float, speech_s: float, confidences: tuple[float, ...]
) -> None:
    assert is_nothing(text, no_speech, score, speech_s, confidences)


@pytest.mark.parametrize(
    ("text", "no_speech", "score", "speech_s", "confidences"),
    [
        ("Thank you.", 0.1, -0.5, 0.8, (0.7, 0.9)),
        ("No", 0.1, -0.4, 0.3, (0.6,)),
        ("Нет!", 0.1, -0.5, 0.9, (0.8,)),
        ("Нееет", 0.1, -0.6, 1.2, (0.5,)),
        ("I am the sheriff", 0.9, -0.3, 2.0, (0.8,) * 4),
        ("I am the sheriff", 0.1, -1.4, 2.0, (0.5,) * 4),
        ("ask not", 0.28, -1.1, 0.8, (0.1, 0.49)),
        ("cancel all tigers.", 0.11, -1.2, 1.15, (0.38, 0.93, 0.18)),
        ("бед.", 0.03, -1.38, 0.35, (0.13,)),
        ("8", 0.16, -0.87, 0.61, (0.5,)),
        ("OK.", 0.1, -0.5, 0.4, (0.7,)),
        ("Угу.", 0.1, -0.5, 0.4, (0.7,)),
        ("Хам!", 0.1, -0.5, 0.4, (0.7,)),
        ("He is red, hahaha.", 0.1, -0.5, 1.6, (0.7, 0.7, 0.8, 0.7)),
        ("He is red, ha ha.", 0.1, -0.5, 1.6, (0.7,) * 5),
        ("Я красный, я красный, я красный", 0.1, -0.3, 2.4, (0.8,) * 6),
        ("Спасибо за внимание.", 0.02, -0.2, 1.3, (0.9, 0.9, 0.9)),
        ("Спасибо за игру", 0.1, -0.2, 2.0, (0.9, 0.9, 0.9)),
        ("Thank you for watching.", 0.05, -0.3, 1.2, (0.9,) * 4),
        ("Thanks for watching number five closely", 0.1, -0.9, 2.0, (0.5,) * 6),
    ],
)
def test_what_was_said(
    text: str, no_speech: float, score: float, speech_s: float, confidences: tuple[float, ...]
) -> None:
    assert not is_nothing(text, no_speech, score, speech_s, confidences)


@pytest.mark.parametrize(
    ("text", "no_speech", "score", "speech_s", "nothing"),
    [
        ("I'm so sorry.", 0.41, -2.04, 2.18, True),
        ("Thank you.", 0.41, -1.04, 1.98, True),
        ("Да!", 0.19, -1.03, 0.7, True),
        ("Да!", 0.19, -0.9, 0.26, True),
        ("Идут, хахахахаха", 0.18, -0.58, 1.76, True),
        ("Слышь, тихо-тихо-тихо-тихо-", 0.31, -0.76, 1.7, True),
        ("Women are too dumb.", 0.02, -1.1, 0.93, False),
        ("покажи сиськи пятая", 0.02, -1.11, 0.9, False),
        ("I accuse number.", 0.01, -1.14, 0.96, False),
    ],
)
def test_a_draft_is_believed_less(text: str, no_speech: float, score: float, speech_s: float, nothing: bool) -> None:
    assert is_nothing(text, no_speech, score, speech_s) is nothing


MIXED = "Нет-нет-нет, он красный!"
SAYINGS = [
    ("11.", 0.5),
    ("22", 0.4),
    ("Да-да-да.", 0.7),
    ("Нет-нет-нет!", 0.7),
    ("No-no-no!", 0.6),
    ("Nonono!", 0.6),
    ("Тихо-тихо-тихо!", 0.9),
    ("Стоп-стоп-стоп.", 0.8),
    (MIXED, 1.4),
    ("СТОП!", 0.5),
    ("ПЯТЫЙ ЧЁРНЫЙ!", 1.0),
    ("STOP IT!", 0.6),
    ("Спасибо.", 0.35),
    ("Thank you.", 0.4),
    ("Thanks", 0.3),
]


@pytest.mark.parametrize(("text", "speech_s"), SAYINGS)
@pytest.mark.parametrize("confidence", [0.7, 0.9, 1.0])
def test_what_the_model_is_sure_of_is_said_however_it_is_spelled(text: str, speech_s: float, confidence: float) -> None:
    assert not is_nothing(text, 0.02, -0.2, speech_s, (confidence,) * len(text.split()))
    assert not is_nothing(text, 0.02, -0.2, speech_s), "and the caption before it"


@pytest.mark.parametrize(("text", "speech_s"), [each for each in SAYINGS if each[0] not in ("11.", "22", MIXED)])
@pytest.mark.parametrize(
    ("no_speech", "score", "confidence"), [(0.1, -0.2, 0.9), (0.02, -0.5, 0.9), (0.02, -0.2, 0.69), (0.3, -0.7, 0.6)]
)
def test_what_it_is_less_sure_of_is_told_by_its_spelling(
    text: str, speech_s: float, no_speech: float, score: float, confidence: float
) -> None:
    assert is_nothing(text, no_speech, score, speech_s, (confidence,) * len(text.split()))


@pytest.mark.parametrize(
    ("text", "speech_s"),
    [
        ("Хе-хе-хе-хе!", 0.8),
        ("Da-ha-ha-ha-ha-ha", 1.5),
        ("ДАААААААААААА", 2.9),
        ("А-а-а!", 0.7),
        ("Ммм", 0.6),
        ("СПОКОЙНАЯ МУЗЫКА", 1.9),
        ("ТРЕВОЖНАЯ МУЗЫКА", 1.9),
        ("СМЕХ", 0.6),
        ("LAUGHTER", 0.6),
        ("APPLAUSE AND CHEERING", 1.6),
        ("[laughter]", 0.9),
        ("you", 0.3),
        ("и", 0.3),
    ],
)
def test_laughter_and_subtitles_are_no_words_however_sure_it_is(text: str, speech_s: float) -> None:
    assert is_nothing(text, 0.0, -0.05, speech_s, (1.0,) * len(text.split()))
    assert is_nothing(text, 0.0, -0.05, speech_s)
