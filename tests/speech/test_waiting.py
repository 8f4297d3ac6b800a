"""Who is next: the order of ranks, what is replaced, what is dropped and told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from voice.speech.job import Job
from voice.speech.waiting import Waiting
from voice.speech.wire import Utterance

KNOWN = {"en"}


def job(stage: str, stream: int = 1, seat: int = 1, audio_s: float = 1.0, lang: str = "en") -> Job:
    pcm = b"\0" * round(32_000 * audio_s)
    utterance = Utterance(stream, seat, stage, 1, 1, 0, pcm, 0.0, audio_s, audio_s)
    return Job(utterance, lang, final=stage == "final", words=stage != "draft")


def taken(waiting: Waiting, *, empty: bool = True, drafts: bool = True) -> list[Job]:
    found: list[Job] = []
    while (each := waiting.take(KNOWN, empty=empty, drafts=drafts)) is not None:
        found.append(each)
    return found


def test_whole_utterances_before_likely_ends_before_drafts() -> None:
    waiting = Waiting(60.0, 60.0)
    draft, likely, one, two = job("draft", 1), job("likely", 2), job("final", 3), job("final", 4)
    waiting.draft(draft)
    waiting.likely(likely)
    for each in (one, two):
        assert waiting.final(each) == []
    assert taken(waiting) == [one, two, likely, draft]
    assert len(waiting) == 0


def test_of_drafts_the_newest_of_a_table_waits_and_of_likely_ends_that_of_a_seat() -> None:
    waiting = Waiting(60.0, 60.0)
    old, new, other = job("draft", 1, seat=1), job("draft", 1, seat=2), job("draft", 2)
    assert [waiting.draft(each) for each in (old, other, new)] == [False, False, True]
    stale, likely, third = job("likely", 1, seat=3), job("likely", 1, seat=3), job("likely", 1, seat=4)
    for each in (stale, likely, third):
        waiting.likely(each)
    assert taken(waiting) == [likely, third, other, new]


def test_what_ends_makes_its_seats_draft_stale_and_no_others() -> None:
    waiting = Waiting(60.0, 60.0)
    mine, other = job("draft", 1, seat=1), job("draft", 2, seat=1)
    waiting.draft(mine)
    waiting.draft(other)
    end = job("likely", 1, seat=1)
    waiting.likely(end)
    assert taken(waiting) == [end, other]


def test_a_likely_end_that_was_the_end_waits_among_the_finals() -> None:
    waiting = Waiting(60.0, 60.0)
    first, second = job("likely", 1), job("likely", 2)
    waiting.likely(first)
    waiting.likely(second)
    second.final = True
    assert waiting.promote(second) == []
    assert taken(waiting) == [second, first]
    assert waiting.promote(second) == []
    assert len(waiting) == 0, "one that is being recognised does not wait again"


def test_drafts_wait_where_none_are_wanted_and_can_be_forgotten() -> None:
    waiting = Waiting(60.0, 60.0)
    waiting.draft(job("draft"))
    assert taken(waiting, drafts=False) == []
    assert waiting.no_drafts() == 1
    assert len(waiting) == 0


def test_a_process_is_given_only_what_it_knows() -> None:
    waiting = Waiting(60.0, 60.0)
    russian, english = job("final", 1, lang="ru"), job("final", 2)
    waiting.final(russian)
    waiting.final(english)
    assert taken(waiting) == [english]
    assert waiting.refuse("ru") == [russian]
    assert len(waiting) == 0


def test_what_a_process_died_of_is_first_and_goes_to_one_with_empty_hands() -> None:
    waiting = Waiting(60.0, 60.0)
    later = job("final", 1)
    waiting.final(later)
    twice = [job("final", 2), job("final", 3)]
    for each in twice:
        each.attempts = 1
    waiting.again(twice)
    assert taken(waiting, empty=False) == [], "a process with other work is let get empty"
    assert taken(waiting) == [*twice, later]


def test_of_too_much_the_oldest_of_that_table_is_dropped_and_told() -> None:
    waiting = Waiting(10.0, 1000.0)
    others = job("final", 2, audio_s=4.0)
    waiting.final(others)
    own = [job("final", 1, audio_s=4.0) for _ in range(3)]
    assert [waiting.final(each) for each in own] == [[], [], [own[0]]]
    assert taken(waiting) == [others, *own[1:]]
    longer = job("final", 1, audio_s=12.0)
    assert waiting.final(longer) == []
    assert taken(waiting) == [longer], "the newest is not dropped for itself"


def test_of_far_too_much_of_all_tables_the_oldest_is_dropped() -> None:
    waiting = Waiting(10.0, 12.0)
    jobs = [job("final", stream, audio_s=4.0) for stream in range(4)]
    assert [waiting.final(each) for each in jobs] == [[], [], [], [jobs[0]]]


def test_nothing_of_a_closed_table_is_left() -> None:
    waiting = Waiting(60.0, 60.0)
    for stage, add in (("final", waiting.final), ("likely", waiting.likely), ("draft", waiting.draft)):
        add(job(stage, 1))
        add(job(stage, 2))
    waiting.forget(1)
    assert {each.utterance.stream for each in taken(waiting)} == {2}


@given(
    st.lists(
        st.tuples(st.sampled_from(["draft", "likely", "final"]), st.integers(1, 3), st.integers(1, 3)), max_size=40
    )
)
def test_no_final_is_lost_below_the_bounds_and_those_of_a_table_keep_their_order(
    told: list[tuple[str, int, int]],
) -> None:
    waiting = Waiting(600.0, 3600.0)
    finals = []
    for stage, stream, seat in told:
        each = job(stage, stream, seat, audio_s=0.5)
        if stage == "final":
            finals.append(each)
            assert waiting.final(each) == []
        elif stage == "likely":
            waiting.likely(each)
        else:
            waiting.draft(each)
    found = taken(waiting)
    assert found[: len(finals)] == finals
    rest = found[len(finals) :]
    assert len([each for each in rest if each.draft]) <= 3
    ranks = [each.draft for each in rest]
    assert ranks == sorted(ranks)
