"""The work of a recogniser process on what it is sent: jobs that came together are one batch, answers go by number."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np
import pytest

from models.errors import ModelError
from models.recognition import Hypothesis
from voice.speech.endpointer import EndpointRules
from voice.speech.recogniser import MOST_AT_ONCE, Desk
from voice.speech.wire import Failed, Job, Load, Loaded, NotLoaded, Ping, Pong, Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from models.recognition import Ask
    from models.vad import Samples


def said_of(audio: Samples, lang: str, words: bool) -> Hypothesis:
    return Hypothesis(f"{len(audio)} {lang} {words}", (), 0.0, 0.0, loops=False)


class OneByOne:
    def __init__(self, name: str) -> None:
        self.name = name

    def transcribe(self, audio: Samples, lang: str, *, words: bool = True) -> Hypothesis:
        if lang == "xx":
            raise ModelError("xx is no language")
        return said_of(audio, lang, words)


class Together(OneByOne):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.batches: list[int] = []

    def transcribe_batch(self, asks: Sequence[Ask]) -> list[Hypothesis]:
        self.batches.append(len(asks))
        return [said_of(ask.audio, ask.lang, ask.words) for ask in asks]


def job(number: int, lang: str = "en", *, samples: int = 100, words: bool = True) -> Job:
    return Job(number, lang, np.zeros(samples, "<i2").tobytes(), words)


@pytest.fixture
def models() -> dict[str, Together]:
    return {"a": Together("a"), "b": Together("b")}


@pytest.fixture
def desk(models: dict[str, Together]) -> Desk:
    desk = Desk(lambda name: models[name])
    loaded = list(desk.handle([Load("en", "a"), Load("de", "a"), Load("ru", "b")]))
    assert [type(answer) for answer in loaded] == [Loaded] * 3
    return desk


def texts(answers: Sequence[object]) -> dict[int, str]:
    return {answer.number: answer.text for answer in answers if isinstance(answer, Result)}


def test_jobs_that_came_together_are_one_batch_of_their_model(desk: Desk, models: dict[str, Together]) -> None:
    jobs = [job(1), job(2, "ru", samples=7), job(3, "de", words=False), job(4, samples=50), job(5, "ru")]
    answers = list(desk.handle(jobs))
    assert len(answers) == len(jobs)
    assert texts(answers) == {
        1: "100 en True", 2: "7 ru True", 3: "100 de False", 4: "50 en True", 5: "100 ru True",
    }  # fmt: skip
    assert models["a"].batches == [3], "languages of one model are mixed"
    assert models["b"].batches == [2]


def test_a_batch_is_no_longer_than_memory_allows(desk: Desk, models: dict[str, Together]) -> None:
    answers = list(desk.handle([job(number) for number in range(2 * MOST_AT_ONCE + 3)]))
    assert sorted(texts(answers)) == list(range(2 * MOST_AT_ONCE + 3))
    assert models["a"].batches == [MOST_AT_ONCE, MOST_AT_ONCE, 3]


def test_what_stands_between_jobs_is_done_in_its_place(desk: Desk, models: dict[str, Together]) -> None:
    answers = list(desk.handle([job(1), Ping(9), job(2), Load("fr", "b"), job(3, "fr")]))
    assert [type(answer) for answer in answers] == [Result, Pong, Result, Loaded, Result]
    assert models["a"].batches == [1, 1]
    assert list(desk.handle([])) == []


def test_a_recogniser_of_one_at_a_time_is_asked_one_at_a_time() -> None:
    desk = Desk(OneByOne)
    answers = list(desk.handle([Load("en", "own"), Load("xx", "own"), job(1), job(2, words=False)]))
    assert isinstance(answers[1], NotLoaded)
    assert texts(answers) == {1: "100 en True", 2: "100 en False"}


def test_the_time_of_a_batch_is_shared_out(desk: Desk) -> None:
    took = [answer.decode_s for answer in desk.handle([job(1), job(2), job(3)]) if isinstance(answer, Result)]
    assert len(took) == 3
    assert len(set(took)) == 1
    assert took[0] >= 0.0


class Fails(Together):
    """One that can't do an utterance of 7 samples, and meets `error` with it."""

    def __init__(self, error: Exception) -> None:
        super().__init__("fails")
        self._error = error

    def transcribe_batch(self, asks: Sequence[Ask]) -> list[Hypothesis]:
        if any(len(ask.audio) == 7 for ask in asks):
            raise self._error
        return super().transcribe_batch(asks)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ModelError("two\nlines"), "two lines"),
        (ValueError("somebody's words"), "ValueError"),
        (KeyError(1), "KeyError"),
    ],
)
def test_one_that_can_not_be_done_costs_the_others_of_its_batch_nothing(error: Exception, reason: str) -> None:
    desk = Desk(lambda _: Fails(error))
    list(desk.handle([Load("en", "own")]))
    answers = list(desk.handle([job(1), job(2, samples=7), job(3)]))
    assert texts(answers) == {1: "100 en True", 3: "100 en True"}
    assert [answer for answer in answers if isinstance(answer, Failed)] == [Failed(2, reason)]


def wrapped(error: Exception) -> ModelError:
    told = ModelError("the model is not well")
    told.__cause__ = error
    return told


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("CUDA failed with error out of memory"),
        RuntimeError("cuBLAS failed with status CUBLAS_STATUS_ALLOC_FAILED"),
        wrapped(MemoryError()),
    ],
)
def test_what_leaves_a_process_good_for_nothing_ends_it(error: Exception) -> None:
    desk = Desk(lambda _: Fails(error))
    list(desk.handle([Load("en", "own")]))
    with pytest.raises(type(error)):
        list(desk.handle([job(1), job(2, samples=7)]))


def test_the_first_utterance_is_not_the_first_that_is_as_long_and_as_thorough() -> None:
    """Its memory is what a process has from the beginning, and its time is known."""
    heard: list[tuple[int, bool]] = []

    class Listens(OneByOne):
        def transcribe(self, audio: Samples, lang: str, *, words: bool = True) -> Hypothesis:
            heard.append((len(audio), words))
            return super().transcribe(audio, lang, words=words)

    (answer,) = Desk(Listens).handle([Load("en", "own")])
    longest = round(16_000 * EndpointRules().max_utterance_s)
    assert max(heard) == (longest, True)
    assert isinstance(answer, Loaded)
    assert 0.0 <= answer.warm_s <= answer.took_s


def test_a_model_settles_when_it_has_heard_the_longest_and_is_timed_after_that() -> None:
    did: list[str] = []

    class Settles(OneByOne):
        def transcribe(self, audio: Samples, lang: str, *, words: bool = True) -> Hypothesis:
            did.append("hears")
            return super().transcribe(audio, lang, words=words)

        def settle(self) -> None:
            did.append("settles")
            time.sleep(0.2)

    (answer,) = Desk(Settles).handle([Load("en", "own")])
    assert isinstance(answer, Loaded)
    assert did == ["hears", "hears", "settles", "hears"]
    assert answer.took_s - answer.warm_s >= 0.2
