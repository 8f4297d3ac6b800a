"""Text that may still change counts as far as two hypotheses in a row agree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from voice.spoken import Agreement, wishes

WORDS = st.lists(st.sampled_from(("I", "nominate", "number", "five", "nine", "thank", "you", "it's")), max_size=12)


def test_one_hypothesis_is_none() -> None:
    assert Agreement().hear("I nominate number five") == ("", False)


def test_the_shared_beginning_counts_whatever_its_case_and_commas() -> None:
    agreement = Agreement()
    agreement.hear("i nominate number five because")
    assert agreement.hear("I nominate, number five: he is") == ("I nominate, number five", False)
    assert agreement.hear("I nominate number five. He is") == ("I nominate number five. He is", True)


def test_an_utterance_that_is_over_agrees_with_nothing() -> None:
    agreement = Agreement()
    agreement.hear("thank you")
    agreement.forget()
    assert agreement.hear("thank you") == ("", False)
    assert agreement.hear("thank you") == ("thank you", True)


@given(first=WORDS, second=WORDS)
def test_what_counts_is_the_beginning_of_both(first: list[str], second: list[str]) -> None:
    agreement = Agreement()
    agreement.hear(" ".join(first))
    agreed = agreement.hear(" ".join(second))
    shared = agreed.text.split()
    assert shared == first[: len(shared)] == second[: len(shared)]
    assert first[len(shared) :][:1] != second[len(shared) :][:1] or not first[len(shared) :]
    assert agreed.whole == (first == second != [])


@given(texts=st.lists(WORDS, max_size=5))
def test_no_wish_is_in_the_agreed_text_that_was_not_in_both(texts: list[list[str]]) -> None:
    agreement = Agreement()
    before: str | None = None
    for words in texts:
        text = " ".join(words)
        agreed = agreement.hear(text)
        if before is None:
            assert wishes(agreed.text, "en", ended=agreed.whole) == ()
        for wish in wishes(agreed.text, "en", ended=agreed.whole):
            if wish.do == "pass":
                assert before is not None
                assert wish in wishes(before, "en")
                assert wish in wishes(text, "en")
        before = text
