"""A game's prompt: what it holds, and that it does not speak by itself."""

from __future__ import annotations

import numpy as np
import pytest

from models.guards import bare
from models.silence import is_nothing
from models.store import locate
from models.whisper import WindowedWhisper
from moderation import judge
from tests.speech.sound import read_clips, words_counted
from voice.speech.prompts import GAME

RATE_HZ = 16_000


def noises() -> dict[str, np.ndarray]:
    chance = np.random.default_rng(5)
    time_s = np.arange(3 * RATE_HZ) / RATE_HZ
    white = chance.standard_normal(len(time_s))
    breath = white * np.clip(np.sin(2 * np.pi * 0.4 * time_s), 0, 1)
    clicks = white * (chance.random(len(time_s)) > 0.9995)
    return {
        "silence": 0.0 * time_s,
        "white": 0.03 * white,
        "hum": 0.1 * np.sin(2 * np.pi * 50 * time_s),
        "breath": 0.05 * breath,
        "clicks": 0.5 * clicks,
    }


@pytest.mark.parametrize("lang", sorted(GAME))
def test_nothing_in_a_prompt_would_be_flagged(lang: str) -> None:
    assert GAME[lang].count(".") > 3, "sentences, no list of words"
    assert judge(GAME[lang], lang).category is None


@pytest.mark.speech
def test_no_word_of_the_prompt_comes_of_noise(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("data")
    for lang, name in (("en", "tiny.en"), ("ru", "base")):
        model = WindowedWhisper(locate(name, folder), prompts=GAME)
        prompt = {word for word in map(bare, GAME[lang].split()) if len(word) > 3}  # not "I" and "he"
        for kind, sound in noises().items():
            heard = model.transcribe(sound.astype(np.float32), lang)
            sure = [word.confidence for word in heard.words]
            if not is_nothing(heard.text, heard.no_speech, heard.score, 0.3, sure):
                assert not prompt & {bare(word) for word in heard.text.split()}, (kind, heard.text)


@pytest.mark.speech
def test_with_it_a_line_of_the_table_is_still_that_line(tmp_path_factory: pytest.TempPathFactory) -> None:
    model = WindowedWhisper(locate("tiny.en", tmp_path_factory.mktemp("data")), prompts=GAME)
    counted = [
        words_counted(clip.text, model.transcribe(clip.pcm, "en").text)
        for clip in read_clips().values()
        if clip.lang == "en"
    ]
    assert sum(wrong for wrong, _ in counted) < 0.25 * sum(said for _, said in counted)
