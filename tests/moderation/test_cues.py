"""Cues: reviewed words that do nothing alone."""

import pytest

from moderation import consider, judge
from moderation.classes import FUNCTION
from moderation.cues import LONGEST_STEM, Cues, Topic, cue_bits, cues
from moderation.tokens import tokenise
from moderation.vocabulary import lexicon

TOPICS = cues().topics
KNOWN = cues()


def spoken_for(text: str) -> set[str]:
    """The ids of the topics that a line's words speak for."""
    found = 0
    for token in tokenise(text):
        found |= cue_bits(token.text)
    return {topic.id for number, topic in enumerate(TOPICS) if found >> number & 1}


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.id)
def test_examples_of_a_topic(topic: Topic) -> None:
    for text in topic.hits:
        lang = "en" if text.isascii() else "ru"
        assert topic.id in spoken_for(text), text
        assert consider(text, lang).category == topic.category, text
    for text in topic.misses:
        lang = "en" if text.isascii() else "ru"
        assert judge(text, lang).category is None, text
        assert consider(text, lang).category is None, text


def test_a_topic_has_examples_in_both_languages() -> None:
    for topic in TOPICS:
        if topic.category is not None:
            assert {text.isascii() for text in topic.hits} == {True, False}, topic.id
        assert {text.isascii() for text in topic.misses} == {True, False}, topic.id


def test_no_cue_is_a_function_word() -> None:
    bits = lexicon().bits
    assert not [word for word in KNOWN.words if bits.get(word, 0) & FUNCTION]


def test_a_cue_alone_does_nothing() -> None:
    for word in sorted(KNOWN.words)[::7]:
        assert judge(f"I wrote {word} on the card", "en").severity is None, word


def test_words_and_stems() -> None:
    some = Cues((), {"brain": 1}, {"undress": 2, "br": 4})
    assert some.of("brain") == 1 | 4
    assert some.of("undressing") == 2
    assert some.of("undres") == 0
    assert some.of("b") == 0


def test_stems_are_short_enough_to_be_looked_up() -> None:
    assert all(2 <= len(stem) <= LONGEST_STEM for stem in KNOWN.stems)
    assert all("ё" not in word for word in (*KNOWN.words, *KNOWN.stems))
