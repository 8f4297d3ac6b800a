"""How often there are drafts, and what a table is told: by load and by what waits, on a clock that the test moves."""

from __future__ import annotations

import numpy as np
import pytest

from voice.speech.cadence import Busy, Cadence, CadenceRules
from voice.speech.captions import CaptionState
from voice.speech.endpointer import Cut, Stage
from voice.speech.patience import IDLE_S, LOOK_S, STILL_S, TIMES_EXPECTED, UNKNOWN_S, Expected, Watch
from voice.speech.settings import SpeechSettings
from voice.speech.thinned import Thinned


def test_the_load_is_the_share_of_the_last_seconds() -> None:
    busy = Busy()
    assert busy.share(100.0) == 0.0
    busy.turn(100.0, working=True)
    assert busy.share(100.0) == 0.0
    assert 0.6 < busy.share(105.0) < 0.7
    assert busy.share(130.0) > 0.99
    busy.turn(130.0, working=False)
    assert 0.3 < busy.share(135.0) < 0.4
    assert busy.share(180.0) < 0.01


def test_a_process_that_works_a_third_of_the_time_has_that_load() -> None:
    busy, now_s = Busy(), 0.0
    for _ in range(60):
        busy.turn(now_s, working=True)
        busy.turn(now_s + 0.25, working=False)
        now_s += 0.75
    assert busy.share(now_s) == pytest.approx(1 / 3, abs=0.05)


def test_the_busier_the_fewer_drafts_and_no_change_for_a_load_in_between() -> None:
    cadence = Cadence(CadenceRules())
    assert cadence.every_s == 0.5
    loads = [0.3, 0.49, 0.5, 0.45, 0.84, 0.85, 0.8, 0.74, 0.45, 0.39, 0.9, 0.3]
    found = []
    for load in loads:
        before = cadence.every_s
        changed = cadence.look(load, behind_s=0.0)
        assert changed == (cadence.every_s != before)
        found.append(cadence.every_s)
    assert found == [0.5, 0.5, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.5, 0.0, 0.5]


def test_no_drafts_while_a_whole_utterance_waits() -> None:
    cadence = Cadence(CadenceRules())
    assert cadence.look(0.1, behind_s=2.5)
    assert cadence.every_s == 0.0
    assert cadence.look(0.1, behind_s=0.5)
    assert cadence.every_s == 0.5


def test_a_bench_has_its_own_cadence_and_the_others_have_it_under_any_load() -> None:
    fixed = Cadence(SpeechSettings(interim_every_s=0.7).cadence)
    assert not fixed.look(0.7, behind_s=0.0)
    assert fixed.every_s == 0.7
    assert fixed.look(0.9, behind_s=0.0)
    assert fixed.every_s == 0.0
    theirs = Cadence(SpeechSettings(interim_every_s=0.7, drafts_below_load=float("inf")).cadence)
    assert not theirs.look(1.0, behind_s=30.0)
    assert SpeechSettings(interim_every_s=0.7).ear.draft_every_s == 0.7
    assert SpeechSettings().ear.draft_every_s == 0.5


def test_a_gpu_takes_eight_at_once_and_a_processor_one() -> None:
    assert SpeechSettings().jobs_at_once == 1
    assert SpeechSettings(device="cuda").jobs_at_once == 8
    assert SpeechSettings(batch=3).jobs_at_once == 3


def cut(stage: Stage, seconds: float, utterance: int = 1) -> Cut:
    return Cut(stage, utterance, 1, 0, np.zeros(round(16_000 * seconds), np.float32), 0, 0, 0)


def test_drafts_that_are_not_wanted_are_not_sent_and_all_else_is() -> None:
    thinned = Thinned()
    drafts = [cut(Stage.DRAFT, seconds) for seconds in (0.5, 1.0, 1.5, 2.0)]
    assert [thinned.wanted(each, 1.0) for each in drafts] == [False, True, False, True]
    assert thinned.wanted(cut(Stage.LIKELY, 2.2), 0.0)
    assert not thinned.wanted(cut(Stage.DRAFT, 2.8), 1.0), "a likely end tells what a draft would"
    assert not thinned.wanted(cut(Stage.DRAFT, 9.0), 0.0)
    assert thinned.wanted(cut(Stage.FINAL, 9.5), 0.0)
    assert thinned.wanted(cut(Stage.DRAFT, 1.0, utterance=2), 1.0)


class Told:
    """A table's captions, looked at each half second."""

    def __init__(self) -> None:
        self.captions = CaptionState()
        self.states: list[str | None] = []
        self.now_s = 50.0

    def looks(self, seconds: float, behind_s: float = 0.0, *, ready: bool = True, drafts: bool = True) -> None:
        for _ in range(round(2 * seconds)):
            self.now_s += 0.5
            if self.captions.look(self.now_s, ready=ready, able=True, behind_s=behind_s, drafts=drafts):
                self.states.append(self.captions.state)


def test_a_table_is_told_that_its_model_is_loading_and_when_it_is_not_any_more() -> None:
    told = Told()
    told.looks(5, behind_s=4.0, ready=False)
    told.looks(0.5)
    assert told.states == ["loading", "live"]
    told.looks(1, ready=False)  # a process died and another is ready at once
    told.looks(5)
    assert told.states == ["loading", "live"]
    told.looks(3, ready=False)
    assert told.states[2:] == ["loading"]


def test_late_captions_are_told_at_once_and_taken_back_when_they_have_caught_up() -> None:
    told = Told()
    told.looks(1)
    told.looks(3, behind_s=2.5)
    assert told.states == ["live"]
    told.looks(0.5, behind_s=3.5)
    assert told.states == ["live", "late"]
    told.looks(20, behind_s=2.0)  # no longer late, not caught up either
    for _ in range(10):
        told.looks(2)
        told.looks(0.5, behind_s=1.5)
    assert told.states == ["live", "late"]
    told.looks(5)
    assert told.states == ["live", "late", "live"]


def test_a_load_that_comes_and_goes_is_not_told() -> None:
    told = Told()
    told.looks(1)
    for _ in range(10):
        told.looks(1, drafts=False)
        told.looks(1)
    assert told.states == ["live"]
    told.looks(3, drafts=False)
    assert told.states == ["live", "finals"]
    for _ in range(10):
        told.looks(3)
        told.looks(1, drafts=False)
    assert told.states == ["live", "finals"]
    told.looks(5)
    assert told.states == ["live", "finals", "live"]


def test_a_model_that_cannot_be_used_is_told_at_once() -> None:
    captions = CaptionState()
    assert captions.look(1.0, ready=False, able=False, behind_s=0.0, drafts=True)
    assert captions.state == "off"


def looked(watch: Watch, begun_s: float, works: list[float | None]) -> str | None:
    """The first verdict, with a look each LOOK_S and the processor's seconds at each."""
    for number, work_s in enumerate(works, 1):
        if (found := watch.look(begun_s + number * LOOK_S, work_s)) is not None:
            return f"{found} at {number}"
    return None


def test_a_process_that_stands_still_is_ended_and_a_slow_one_is_not() -> None:
    stands = round(STILL_S / LOOK_S)
    assert looked(Watch.of_decode(0.2, 10.0, 7.0), 10.0, [7.0] * 20) == f"still at {stands}"
    slow = [7.0 + 0.05 * number for number in range(1, 60)]  # others have the cores: a twentieth of one is left for it
    assert looked(Watch.of_decode(0.2, 10.0, 7.0), 10.0, list(slow)) is None
    stops: list[float | None] = [*slow[:10], *[slow[9]] * 10]
    assert looked(Watch.of_decode(0.2, 10.0, 7.0), 10.0, stops) == f"still at {10 + stands}"


def test_a_decode_may_have_ten_times_the_work_that_is_expected() -> None:
    endless: list[float | None] = [float(second) for second in range(1, 100)]
    assert looked(Watch.of_decode(0.2, 10.0, 0.0), 10.0, endless) == "too long at 6"
    assert looked(Watch.of_decode(2.0, 10.0, 0.0), 10.0, endless) == "too long at 21"
    assert looked(Watch.of_decode(None, 10.0, 0.0), 10.0, endless) == "too long at 11"


def test_where_nobody_can_say_what_it_does_time_alone_counts() -> None:
    assert looked(Watch.of_decode(0.2, 10.0, None), 10.0, [None] * 100) == "too long at 11"
    assert looked(Watch.of_decode(3.0, 10.0, None), 10.0, [None] * 100) == "too long at 31"
    assert looked(Watch.of_load(10.0, None), 10.0, [None] * 100) is None


def test_a_machine_that_was_asleep_says_nothing_of_the_process() -> None:
    watch = Watch.of_decode(0.2, 10.0, 7.0)
    assert watch.look(10.0 + LOOK_S, 7.0) is None
    assert watch.look(500.0, 7.0) is None
    assert looked(watch, 500.0, [7.0] * 20) == f"still at {round(STILL_S / LOOK_S)}"


def test_what_is_expected_follows_what_was_measured() -> None:
    expected = Expected()
    assert expected.of("en", True, 2.0) is None
    for _ in range(50):
        expected.measured("en", True, 2.0, 0.4)
    assert expected.of("en", True, 4.0) == pytest.approx(0.8)
    assert expected.of("en", False, 4.0) is None
    for _ in range(50):
        expected.measured("en", True, 2.0, 4.0)
    assert expected.of("en", True, 2.0) == pytest.approx(4.0, rel=0.05)
    assert IDLE_S > STILL_S, "one that has nothing to do is given more time than one that somebody waits for"


@pytest.mark.parametrize("warm_s", [0.02, 1.0, 30.0])
def test_a_model_is_given_time_by_what_it_takes_here_before_one_utterance_was_measured(warm_s: float) -> None:
    """The slowest that a machine can bear is slow, and does not hang."""
    expected = Expected()
    expected.warmed("en", warm_s)
    first = expected.of("en", True, 0.5)
    assert first is not None
    watch = Watch.of_decode(first, 0.0, 0.0)
    beats = int(9 * max(warm_s, 1.0))
    assert looked(watch, 0.0, [float(beat) for beat in range(beats)]) is None
    expected.measured("en", True, 12.0, warm_s)
    short = expected.of("en", True, 0.5)
    assert short is not None
    assert short >= warm_s / 2, "a short one is searched in a window, too"


@pytest.mark.parametrize("known", ["nothing", "warm", "measured"])
def test_after_a_decode_that_took_too_long_the_next_has_more_time_until_one_ends(known: str) -> None:
    expected = Expected()
    if known != "nothing":
        expected.warmed("en", 2.0)
    if known == "measured":
        expected.measured("en", True, 4.0, 2.0)
    before = expected.of("en", True, 4.0) or UNKNOWN_S / TIMES_EXPECTED
    for times in (2, 4, 8, 8):
        expected.took_too_long("en", True)
        assert expected.of("en", True, 4.0) == pytest.approx(times * before)
    assert expected.of("en", False, 4.0) == (None if known == "nothing" else 2.0), "of another kind"
    expected.measured("en", True, 4.0, 2.0)
    assert expected.of("en", True, 4.0) == pytest.approx(2.0)
