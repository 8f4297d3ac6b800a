"""Complaints about the text: said twice, cut off, made up, in another language. Numbered as in docs/speech.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from benchmarks.noise.sources import made
from models.catalogue import DEFAULT_BY_LANGUAGE
from models.store import locate
from models.whisper import WindowedWhisper
from tests.speech.complaints.sounds import noises, only_speech, repeats, silence, words_of
from tests.speech.sound import encode_opus, read_clips, words_wrong
from voice.bench.asr.clips import BESIDE_THE_CHECKOUT
from voice.speech.offline import recognise
from voice.speech.prompts import GAME

if TYPE_CHECKING:
    from pathlib import Path

    from tests.speech.complaints.conftest import Live
    from tests.speech.sound import Clip

pytestmark = [pytest.mark.speech, pytest.mark.asyncio(loop_scope="package")]

EN = ["table_en_000", "table_en_003", "table_en_009", "table_en_013", "table_en_022", "table_en_037"]
RU = ["table_ru_044", "table_ru_053", "table_ru_062", "table_ru_065"]


def recorded(lang: str = "en") -> list[Clip]:
    """The tests' own clips of a language, and of people's recordings beside a checkout each fourth, or eighth."""
    folder = BESIDE_THE_CHECKOUT
    people = [clip for clip in read_clips(folder).values() if clip.lang == lang] if folder.is_dir() else []
    return [*(clip for clip in read_clips().values() if clip.lang == lang), *people[:: 4 if lang == "en" else 8]]


@pytest.mark.parametrize(
    ("lang", "window_s", "words"),
    [("en", 2.0, True), ("en", 6.0, True), ("en", None, True), ("en", None, False), ("ru", None, True)],
)
async def test_01_no_window_makes_it_say_things_twice(
    lang: str, window_s: float | None, words: bool, data_dir: Path
) -> None:
    """Windows that nobody has by default, and those of lines and of captions (`words` False)."""
    model = WindowedWhisper(locate(DEFAULT_BY_LANGUAGE[lang], data_dir), min_window_s=window_s)
    for clip in recorded(lang):
        for after_s in (0.0, 0.3):
            heard = model.transcribe(np.concatenate([clip.pcm, silence(after_s)]), lang, words=words)
            assert set(repeats(heard.text)) <= set(repeats(clip.text)), (clip.name, after_s, heard.text)
            assert len(words_of(heard.text)) <= len(words_of(clip.text)) + 3, (clip.name, after_s, heard.text)


async def test_03_after_a_minute_of_silence_the_next_sentence_comes_once(live: Live, clips: dict[str, Clip]) -> None:
    first, second = clips["table_en_009"], clips["table_en_037"]
    table = live.open("en")
    table.stream.mic({1}, 1)
    await live.say(table, 1, 1, first.pcm, silence(60.0), second.pcm, silence(1.0))
    await live.service.settled()
    assert len(table.lines) == 2
    for line, clip in zip(table.lines, (first, second), strict=True):
        assert words_wrong(clip.text, line.text) <= 0.25
        assert repeats(line.text) == []


async def test_04_and_18_the_last_word_is_there_once_however_soon_the_sound_stops(
    live: Live, clips: dict[str, Clip]
) -> None:
    """Against the same speech with a second of silence after it: what the model mishears, it mishears in both."""
    table = live.open("en")
    spoken = [(name, after_s) for name in EN for after_s in (1.0, 0.0, 0.1, 0.3, 0.6)]
    for seat, (name, after_s) in enumerate(spoken):
        table.stream.mic({seat}, 2 * seat + 1)
        await live.say(table, seat, 2 * seat + 1, only_speech(clips[name]), silence(after_s))
        table.stream.mic((), 2 * seat + 2)
    await live.service.settled()
    heard = {
        (name, after_s): words_of(" ".join(line.text for line in table.lines if line.seat == seat))
        for seat, (name, after_s) in enumerate(spoken)
    }
    cut_off = []
    for (name, after_s), words in heard.items():
        whole = heard[name, 1.0]
        assert repeats(" ".join(words)) == [], (name, after_s)
        assert words.count(whole[-1]) <= whole.count(whole[-1]), (name, after_s, words)
        if whole[-1] not in words[-2:]:
            cut_off.append((name, after_s, words))
    # A word that ends a moment earlier may be taken for another one now and then.
    assert len(cut_off) <= 1, cut_off
    assert all(len(words) >= len(heard[name, 1.0]) - 1 for name, _, words in cut_off)


async def test_05_a_turn_that_ends_with_the_last_word_keeps_it_and_its_speaker(
    live: Live, clips: dict[str, Clip]
) -> None:
    first, second = clips["table_en_009"], clips["table_en_037"]
    table = live.open("en")
    table.stream.mic({3}, 1)
    await live.say(table, 3, 1, only_speech(first), silence(0.05))
    table.stream.mic({7}, 2)
    await live.say(table, 7, 2, only_speech(second), silence(0.05))
    table.stream.mic((), 3)
    await live.service.settled()
    by_seat = {line.seat: line.text for line in table.lines}
    assert by_seat.keys() == {3, 7}
    assert words_wrong(first.text, by_seat[3]) <= 0.25
    assert words_wrong(second.text, by_seat[7]) <= 0.25


async def test_06_who_speaks_the_moment_the_turn_opens_loses_no_word(live: Live, clips: dict[str, Clip]) -> None:
    """Against the same speech with a second of silence before it: what the model mishears, it mishears in both."""
    table = live.open("en")
    spoken = [(name, before_s) for name in EN for before_s in (1.0, 0.0)]
    for seat, (name, before_s) in enumerate(spoken):
        table.stream.mic({seat}, seat + 1)
        await live.say(table, seat, seat + 1, silence(before_s), only_speech(clips[name]), silence(0.5))
    table.stream.mic((), 100)
    await live.service.settled()
    heard = {
        key: words_of(" ".join(line.text for line in table.lines if line.seat == seat))
        for seat, key in enumerate(spoken)
    }
    for name in EN:
        assert heard[name, 0.0][0] == heard[name, 1.0][0], (name, heard[name, 0.0], heard[name, 1.0])


@pytest.mark.parametrize("lang", ["en", "ru"])
async def test_12_and_17_nothing_is_made_of_silence_and_noise(lang: str, live: Live) -> None:
    """No line and no caption: also none of the words that the recogniser may have been told of before.

    Laughter among them, which the detector takes for speech.
    """
    table = live.open(lang)
    before = live.service.stats()["recogniser"]["drafts"]
    for seat, sound in enumerate([*noises().values(), made("laughter", 6.0, 5).pcm]):
        table.stream.mic({seat}, seat + 1)
        await live.say_bit_by_bit(table, seat, seat + 1, sound)
    table.stream.mic((), 100)
    await live.service.settled()
    assert live.service.stats()["recogniser"]["drafts"] > before
    assert [line.text for line in table.lines] == []
    assert [text for _, text in table.captions if text] == []


async def test_13_single_words_come_in_the_tables_language(live: Live, clips: dict[str, Clip]) -> None:
    """Short words, each its own turn: whatever is heard, it is written in the letters of the table's language."""
    table = live.open("ru")
    for seat, name in enumerate(RU):
        speech = only_speech(clips[name])
        for part, begin in enumerate(range(0, min(len(speech) - 8_000, 24_000), 8_000)):
            epoch = 10 * seat + part + 1
            table.stream.mic({epoch}, epoch)
            await live.say(table, epoch, epoch, speech[begin : begin + 8_000], silence(0.5))
    table.stream.mic((), 1_000)
    await live.service.settled()
    letters = [letter for line in table.lines for letter in line.text.lower() if letter.isalpha()]
    assert len(table.lines) >= 3
    assert all("а" <= letter <= "я" or letter == "ё" for letter in letters), [line.text for line in table.lines]


async def test_17_a_prompt_puts_no_words_into_mouths(data_dir: Path) -> None:
    """With the game's prompt, off unless asked for: none of its words in noise, nor in speech that has none."""
    told = set(words_of(GAME["en"]))
    without, prompted = (WindowedWhisper(locate("tiny.en", data_dir), prompts=each) for each in (None, GAME))
    for name, noise in noises().items():
        assert [line.text for line in recognise(encode_opus(noise), "en", prompted)] == [], name
    for clip in recorded():
        plain, heard = (set(words_of(model.transcribe(clip.pcm, "en").text)) for model in (without, prompted))
        assert (heard & told) - set(words_of(clip.text)) - plain <= SHORT, clip.name


SHORT = frozenset({"i", "a", "he", "the", "is", "we"})
"""Words that any two readings of the same sound may differ in."""
