"""What a recogniser makes of a silence, a breath or laughter, told from what somebody said.

The detector of speech lets through voices, and laughter is one; Whisper then writes laughter down, or invents a few
words for it. The rules look at the text, at how sure the model is of it, and at how much was said in the time.
Thresholds were set, by hand and once, between what 79 lines of a table and 54 sentences of people gave, and what
laughter gave.

What people say, too, is not told by its spelling alone: "no-no-no", a cry in capitals, a thank-you of a moment. It is
believed of a model that is sure (`_sure`). Of the sounds without a word whose texts are among the tests one had less
than 0.1 of `no_speech`, and of a word in it the model was sure by 0.17.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from models.guards import bare

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_SPEECH_ABOVE = 0.6
SCORE_BELOW = -1.0
DRAFT_NO_SPEECH_ABOVE = 0.2
DRAFT_NO_SPEECH_ALWAYS_ABOVE = 0.5
DRAFT_SCORE_BELOW = -0.9
DRAFT_SHORT_SCORE_BELOW = -0.8
DRAFT_SCORE_ALWAYS_BELOW = -1.2
SURE_NO_SPEECH_BELOW = 0.1
SURE_SCORE_ABOVE = -0.5
SURE_OF_EACH_WORD = 0.7
DRAFT_SURE_NO_SPEECH_BELOW = 0.05
DRAFT_SURE_SCORE_ABOVE = -0.3
SHORT_SPEECH_S = 0.5
SLOW_LETTERS_PER_S = 4.0
UNSURE = 0.4
VERY_UNSURE = 0.3
UNSURE_NO_SPEECH_ABOVE = 0.35
UNSURE_LETTERS_PER_S = 6.0
SCORE_ALWAYS_BELOW = -1.45
WHOLE_NO_SPEECH_ABOVE = 0.4
WHOLE_SCORE_BELOW = -0.9
FOREIGN = 0.05
"""A word of which the model is less sure than this is its own."""
SAID_NO_SPEECH_BELOW = 0.3
SAID_SCORE_ABOVE = -0.5
SAID_LETTERS_PER_S = (6.0, 25.0)
DIGIT_LETTERS = 4

# What Whisper says of a silence or a breath. Said in earnest, they last longer than half a second of speech, ...
_LONE = frozenset({"you", "so", "oh", "the", "и", "а", "ну"})
# ... but for what ends a minute: that is said in a moment.
_THANKS = frozenset({"thank you", "thanks", "bye", "спасибо"})
# What it learnt from the ends of videos, and a table says rarely: believed where it is sure and the time fits.
_VIDEO = re.compile(
    r"(thanks?( you)? for watching|please subscribe.*|subtitles? by .*|продолжение следует"
    r"|(редактор )?субтитр\w* .*|спасибо за (просмотр|внимание)|подписывайтесь на .*)"
)
_LAUGH = "(?:[hх]+[aeiouаеиоуёэ]+){3,}"
_LETTER = r"[^\W\d]"
_LAUGHTER = re.compile(rf".*(?:{_LAUGH}|({_LETTER})\1{{5,}}).*")
"""Laughter in a word: three times "ha", a letter drawn out."""
_OVER_AND_OVER = re.compile(rf".*({_LETTER}{{2,5}})\1{{2,}}.*")
"""A syllable three times or more: laughter, or "no-no-no"."""
_SOUNDS = re.compile(
    r".*(музык|смех|сме[её]т|аплодисм|зву[кч]|звон|шум|стук|крик|вздох|кашел|кашля|плач|гудок|тишин|пени[ея]|поёт|свист"
    r"|выстрел|music|laugh|chuckl|applau|clap|cheer|sigh|gasp|cough|groan|grunt|breath|scream|singing|whistl|sound|noise"
    r"|silence|beep|chatter).*"
)
"""Subtitles' words for sounds."""
_NO_WORD = re.compile(
    r"(?:[hх]+[aiouаеиоуёэ]+[hх]*|(?:[hх]+[aeiouаеиоуёэ]+){2,}[hх]*|(?:hm|хм)+|hee+|he+h|([^\W\d])\1+|[uеэ]+[mhrм]+"
    r"|[aoаоуэи][hх]+|[hхbdnsмн]|hm+|m+h?m*|м+г?м*)"
)
"""A sound that is no word: ha, heh, aaa, um, эм, мгм, ах."""


def is_nothing(text: str, no_speech: float, score: float, speech_s: float, confidences: Sequence[float] = ()) -> bool:
    """Whether a text was made of no words: of silence, noise, breath or laughter.

    `no_speech` is the model's probability that nobody spoke, `score` the mean log probability of a token, `speech_s`
    how long the detector heard speech, `confidences` those of the words (0 to 1); none of a draft, which is believed
    less.
    """
    shown = [word for word in text.replace("-", "").split() if bare(word)]
    words = [bare(word) for word in shown]
    sure = _sure(no_speech, score, confidences)
    if not words or (no_speech > NO_SPEECH_ABOVE and score < SCORE_BELOW) or _describes(text, sure):
        return True
    laughs = [_laughs(word, sure) for word in words]
    if all(
        laughing or _NO_WORD.fullmatch(word) or _describes(written, sure)
        for laughing, word, written in zip(laughs, words, shown, strict=True)
    ):
        return True
    plain = " ".join(words)
    letters_per_s = _letters(plain) / max(speech_s, 0.1)
    if _VIDEO.fullmatch(plain) is not None and not _surely_said(no_speech, score, letters_per_s):
        return True
    if speech_s < SHORT_SPEECH_S and (plain in _LONE or (plain in _THANKS and not sure)):
        return True
    if confidences:
        if len(confidences) == len(shown) and any(laughs):
            rest = [of_word for of_word, laughing in zip(confidences, laughs, strict=True) if not laughing]
            if max(rest, default=0.0) < VERY_UNSURE:
                return True
        return _unsure(words, no_speech, score, letters_per_s, confidences)
    if no_speech > DRAFT_NO_SPEECH_ALWAYS_ABOVE or score < DRAFT_SCORE_ALWAYS_BELOW:
        return True
    if speech_s < SHORT_SPEECH_S and score < DRAFT_SHORT_SCORE_BELOW:
        return True
    doubtful = no_speech > DRAFT_NO_SPEECH_ABOVE and score < DRAFT_SCORE_BELOW
    slow = letters_per_s < SLOW_LETTERS_PER_S and score < DRAFT_SCORE_BELOW
    return doubtful or slow or any(laughs)


def _sure(no_speech: float, score: float, confidences: Sequence[float]) -> bool:
    """Whether the model is sure of every word; of a draft its figures have to be better, as it has no more."""
    if confidences:
        well = no_speech < SURE_NO_SPEECH_BELOW and score > SURE_SCORE_ABOVE
        return well and min(confidences) >= SURE_OF_EACH_WORD
    return no_speech < DRAFT_SURE_NO_SPEECH_BELOW and score > DRAFT_SURE_SCORE_ABOVE


def _laughs(word: str, sure: bool) -> bool:
    return _LAUGHTER.fullmatch(word) is not None or (not sure and _OVER_AND_OVER.fullmatch(word) is not None)


def _unsure(
    words: Sequence[str], no_speech: float, score: float, letters_per_s: float, confidences: Sequence[float]
) -> bool:
    """Whether a whole utterance's text is one that the model itself hardly believes."""
    sure = sum(confidences) / len(confidences)
    if len(words) <= 2 and min(confidences) < FOREIGN:
        return True
    if letters_per_s < SLOW_LETTERS_PER_S and sure < UNSURE:
        return True
    if no_speech > NO_SPEECH_ABOVE and sure < VERY_UNSURE:
        return True
    if no_speech > WHOLE_NO_SPEECH_ABOVE and score < WHOLE_SCORE_BELOW:
        return True
    bad = score < SCORE_BELOW
    return (bad and sure < UNSURE and no_speech > UNSURE_NO_SPEECH_ABOVE) or (
        sure < VERY_UNSURE
        and (score < SCORE_ALWAYS_BELOW or (bad and (len(words) > 2 or letters_per_s < UNSURE_LETTERS_PER_S)))
    )


def _describes(text: str, sure: bool) -> bool:
    """Whether a text is a subtitle's word for a sound: in brackets, or in capitals, as hardly a spoken word is written.

    A cry is, now and then: one that names no sound is believed of a model that is sure.
    """
    stripped = text.strip()
    letters = [letter for letter in stripped if letter.isalpha()]
    if stripped[:1] + stripped[-1:] in ("[]", "()", "**", "♪♪"):
        return True
    capitals = len(letters) >= 4 and all(letter.isupper() for letter in letters)
    return capitals and (not sure or _SOUNDS.fullmatch(stripped.lower()) is not None)


def _surely_said(no_speech: float, score: float, letters_per_s: float) -> bool:
    low, high = SAID_LETTERS_PER_S
    return no_speech < SAID_NO_SPEECH_BELOW and score > SAID_SCORE_ABOVE and low <= letters_per_s <= high


def _letters(plain: str) -> int:
    """How many letters were said, a digit for a word of a few."""
    return sum(DIGIT_LETTERS if letter.isdigit() else letter != " " for letter in plain)
