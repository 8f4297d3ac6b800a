"""Where utterances begin and end, with made-up probabilities: time is samples, so every length is exact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.vad import FRAME_SAMPLES, SAMPLE_RATE_HZ
from voice.speech.endpointer import Cut, Endpointer, EndpointRules, Stage, least_speech

RULES = EndpointRules()


def run(probabilities: list[float], rules: EndpointRules = RULES, *, flush: bool = True) -> list[Cut]:
    """Cuts of a stream whose frame n holds the number n in every sample."""
    endpointer = Endpointer(rules)
    cuts = [
        cut
        for number, probability in enumerate(probabilities)
        for cut in endpointer.push(np.full(FRAME_SAMPLES, number, np.float32), probability)
    ]
    return cuts + (endpointer.flush() if flush else [])


def finals(cuts: list[Cut]) -> list[Cut]:
    return [cut for cut in cuts if cut.stage is Stage.FINAL]


def frames_of(cut: Cut) -> list[int]:
    return [int(number) for number in cut.audio[::FRAME_SAMPLES]]


def test_an_utterance_has_its_preroll_and_ends_after_the_silence() -> None:
    cuts = finals(run([0.0] * 20 + [0.9] * 20 + [0.0] * 20, flush=False))
    assert len(cuts) == 1
    frames = frames_of(cuts[0])
    assert frames[0] == 20 - 8, "250 ms before the first speech"
    assert frames[-1] == 39 + 4, "and no more silence after it than a likely end has"
    assert cuts[0].start_sample == 12 * FRAME_SAMPLES
    assert cuts[0].speech_end_sample == 40 * FRAME_SAMPLES
    assert cuts[0].speech_samples == 20 * FRAME_SAMPLES


def test_the_end_comes_at_the_tenth_quiet_frame() -> None:
    endpointer = Endpointer(RULES)
    frame = np.zeros(FRAME_SAMPLES, np.float32)
    for _ in range(20):
        endpointer.push(frame, 0.9)
    stages = [[cut.stage for cut in endpointer.push(frame, 0.1)] for _ in range(10)]
    assert stages[3] == [Stage.LIKELY]
    assert stages[9] == [Stage.FINAL]
    assert sum(map(len, stages)) == 2
    assert not endpointer.speaking


def test_a_likely_end_that_holds_has_the_same_audio_as_the_end() -> None:
    cuts = run([0.9] * 20 + [0.0] * 15)
    likely, final = cuts
    assert (likely.stage, final.stage) == (Stage.LIKELY, Stage.FINAL)
    assert final.same_as == likely.version
    assert np.array_equal(likely.audio, final.audio)


def test_a_likely_end_that_does_not_hold_is_not_the_end() -> None:
    cuts = run([0.9] * 20 + [0.0] * 6 + [0.9] * 10 + [0.0] * 2)
    assert [cut.stage for cut in cuts] == [Stage.LIKELY, Stage.FINAL]
    assert cuts[1].same_as == 0
    assert len(cuts[1].audio) > len(cuts[0].audio)


@pytest.mark.parametrize("probability", [0.36, 0.45, 0.5])
def test_doubtful_frames_neither_begin_nor_end_an_utterance(probability: float) -> None:
    assert run([probability] * 50) == []
    assert not [cut for cut in run([0.9] * 20 + [probability] * 20, flush=False) if cut.stage is not Stage.DRAFT]


def test_one_frame_of_speech_is_a_click() -> None:
    assert run(([0.0] * 5 + [0.9]) * 10) == []


def test_less_than_a_quarter_second_of_speech_is_dropped() -> None:
    assert run([0.0] * 10 + [0.9] * 7 + [0.0] * 20) == []
    assert len(finals(run([0.0] * 10 + [0.9] * 8 + [0.0] * 20))) == 1


def test_the_gates_close_ends_an_utterance_at_once() -> None:
    cuts = finals(run([0.9] * 20))
    assert len(cuts) == 1
    assert frames_of(cuts[0]) == list(range(20))


def test_drafts_come_each_second_while_speech_goes_on() -> None:
    cuts = run([0.9] * 125, flush=False)
    assert [cut.stage for cut in cuts] == [Stage.DRAFT] * 3
    assert [len(cut.audio) // FRAME_SAMPLES for cut in cuts] == [32, 64, 96]


def test_a_long_utterance_is_cut_where_it_is_least_like_speech_and_loses_nothing() -> None:
    probabilities = [0.9] * 400
    probabilities[350] = 0.4
    cuts = finals(run(probabilities))
    assert len(cuts) == 2
    assert frames_of(cuts[0])[-1] == 350
    assert frames_of(cuts[0]) + frames_of(cuts[1]) == list(range(400))
    assert cuts[1].start_sample == cuts[0].speech_end_sample == 351 * FRAME_SAMPLES


def test_one_frames_dip_is_no_pause() -> None:
    probabilities = [0.9] * 400
    probabilities[330] = 0.36
    probabilities[350:357] = [0.6, 0.5, 0.45, 0.4, 0.45, 0.5, 0.6]
    cuts = finals(run(probabilities))
    assert frames_of(cuts[0])[-1] == 353


def test_of_equal_places_to_cut_the_latest_is_taken() -> None:
    assert least_speech([0.9, 0.2, 0.9, 0.9, 0.9, 0.2, 0.9, 0.9, 0.9], 3) == 5
    assert least_speech([0.5] * 9, 5) == 8
    assert least_speech([0.5], 5) == 0


def test_a_words_end_after_a_cut_is_not_dropped_as_too_short() -> None:
    last = [0.9] * 4 + [0.0] * 20
    assert finals(run([0.0] * 30 + last)) == []
    probabilities = [0.9] * 373 + [0.4, 0.4] + last
    cuts = finals(run(probabilities))
    assert len(cuts) == 2
    assert frames_of(cuts[1])[:4] == [375, 376, 377, 378]


def quiet_after_speech(frames: int) -> tuple[Endpointer, Cut]:
    """An endpointer that has heard twenty frames of speech and so many quiet ones, and the likely end it told."""
    endpointer = Endpointer(RULES)
    cuts = [
        cut
        for probability in [0.9] * 20 + [0.0] * frames
        for cut in endpointer.push(np.zeros(FRAME_SAMPLES, np.float32), probability)
    ]
    (likely,) = cuts
    return endpointer, likely


def quiet_until_the_end(endpointer: Endpointer) -> int:
    """How many more quiet frames end the utterance."""
    for number in range(1, 100):
        if endpointer.push(np.zeros(FRAME_SAMPLES, np.float32), 0.0):
            return number
    raise AssertionError("no end")


def test_a_whole_sentence_ends_sooner_and_a_hanging_one_later() -> None:
    for silence_s, frames in ((RULES.sentence_silence_s, 7), (RULES.end_silence_s, 10), (RULES.hanging_silence_s, 25)):
        endpointer, likely = quiet_after_speech(4)
        assert endpointer.wait(likely.utterance, likely.version, silence_s) == []
        assert quiet_until_the_end(endpointer) == frames - 4


def test_what_is_known_after_enough_silence_ends_at_once_with_the_likely_ends_audio() -> None:
    endpointer, likely = quiet_after_speech(8)
    (final,) = endpointer.wait(likely.utterance, likely.version, RULES.sentence_silence_s)
    assert (final.stage, final.same_as) == (Stage.FINAL, likely.version)
    assert np.array_equal(final.audio, likely.audio)
    assert not endpointer.speaking
    assert endpointer.wait(likely.utterance, likely.version, RULES.sentence_silence_s) == [], "once"


def test_no_wait_is_shorter_than_a_likely_end_or_longer_than_the_longest() -> None:
    endpointer, likely = quiet_after_speech(4)
    (final,) = endpointer.wait(likely.utterance, likely.version, -1.0)
    assert final.same_as == likely.version
    endpointer, likely = quiet_after_speech(4)
    endpointer.wait(likely.utterance, likely.version, 1e9)
    assert quiet_until_the_end(endpointer) == 25 - 4


def test_what_is_known_of_an_end_that_did_not_hold_changes_nothing() -> None:
    endpointer, likely = quiet_after_speech(4)
    frame = np.zeros(FRAME_SAMPLES, np.float32)
    endpointer.wait(likely.utterance, likely.version, RULES.hanging_silence_s)
    endpointer.push(frame, 0.9)
    assert endpointer.wait(likely.utterance, likely.version, 0.0) == [], "the speaker goes on"
    assert quiet_until_the_end(endpointer) == 4, "which is likely an end again, another one"
    assert endpointer.wait(likely.utterance, likely.version, 0.0) == []
    assert quiet_until_the_end(endpointer) == 6, "and waits as long as usual"


def test_the_silence_after_an_utterance_is_preroll_of_the_next() -> None:
    cuts = finals(run([0.9] * 20 + [0.0] * 12 + [0.9] * 20 + [0.0] * 12))
    assert len(cuts) == 2
    assert frames_of(cuts[1])[0] == 32 - 8


@given(st.lists(st.sampled_from([0.0, 0.2, 0.4, 0.6, 0.95]), max_size=900))
def test_laws(probabilities: list[float]) -> None:
    """Whatever the probabilities: order, bounds, contiguous audio, likely ends that are the end."""
    cuts = run(probabilities)
    longest = round(RULES.max_utterance_s * SAMPLE_RATE_HZ) + FRAME_SAMPLES
    ended = 0
    for cut in cuts:
        frames = frames_of(cut)
        assert frames == list(range(frames[0], frames[-1] + 1))
        assert cut.start_sample == frames[0] * FRAME_SAMPLES
        assert len(cut.audio) <= longest
        assert cut.speech_samples >= RULES.min_speech_s * SAMPLE_RATE_HZ - FRAME_SAMPLES
        assert cut.utterance > ended, "nothing comes of an utterance after its end"
        if cut.stage is Stage.FINAL:
            ended = cut.utterance
            if cut.same_as:
                (likely,) = [c for c in cuts if (c.utterance, c.version) == (cut.utterance, cut.same_as)]
                assert np.array_equal(likely.audio, cut.audio)
    versions = [(cut.utterance, cut.version) for cut in cuts]
    assert versions == sorted(set(versions))
