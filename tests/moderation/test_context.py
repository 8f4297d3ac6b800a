"""Who a word is said of, whether it is denied, and whose words it is."""

import pytest

from moderation.pipeline import rules_alone

judge = rules_alone().judge  # what the model makes of a line is tested by itself


def flagged(text: str) -> bool:
    return judge(text, "en").category is not None


@pytest.mark.parametrize(
    ("abuse", "harmless"),
    [
        ("you are an idiot", "I am an idiot"),
        ("you are an idiot", "you are not an idiot"),
        ("no, you are an idiot", "no idiot would do that here"),
        ("isn't he an idiot", "he isn't an idiot"),
        ("it's not me, you're an idiot", "it's not that you're an idiot"),
        ("I say you are an idiot", "he says you are an idiot"),
        ("I want to say that he is an idiot", "he wants to say that I am an idiot"),
        ("I call you an idiot", "they call you an idiot"),
        ("you stupid player", "you made a stupid vote"),
        ("number four is stupid", "the version of number four is stupid"),
        ("how stupid are you", "how stupid is this vote"),
        ("what an idiot, this guy on seven", "what an idiot I am"),
        ("he voted like an idiot", "I voted like an idiot"),
        ("shut up, idiot", "shut up, he said to me, idiot that I am"),
        ("two idiots at this table", "no idiots at this table"),
        ("ты дурак", "я дурак"),
        ("ты дурак", "ты не дурак"),
        ("дурак ты", "дурак я"),
        ("какой же ты дурак", "какой же я дурак"),
        ("я говорю ты идиот", "он говорит ты идиот"),
        ("четвёртый тупой", "версия четвёртого тупая"),
        ("ты тупой", "тупой ход"),
        ("четвёртый идиот", "идиотом меня назвал четвёртый"),
        ("ты идиот", "я не говорил что ты идиот"),
        ("не ты прав, идиот", "ты не идиот"),
        ("тебя дурака никто не слушает", "никто тебя дураком не называл"),
        ("эта сука врёт", "сука опять промах"),
        ("ты сука", "вот сука какая ночь"),
        ("заткнись придурок", "он сказал мне заткнись придурок"),
    ],
)
def test_the_same_words_said_otherwise(abuse: str, harmless: str) -> None:
    assert flagged(abuse)
    assert not flagged(harmless)


@pytest.mark.parametrize("text", ["don't be an idiot", "stop acting like an idiot", "не будь идиотом"])
def test_an_admonition_carries_one_step_less_far(text: str) -> None:
    assert judge(text, "en").severity == "likely"


def test_an_admonition_with_a_mild_word_is_nothing() -> None:
    assert not flagged("don't be a fool")


def test_an_admonition_does_not_excuse_a_slur() -> None:
    assert judge("don't be a faggot", "en").severity == "clear"


@pytest.mark.parametrize("text", ["only an idiot would vote there", "any moron can see it"])
def test_a_strong_word_of_everybody_asks_a_person(text: str) -> None:
    verdict = judge(text, "en")
    assert (verdict.category, verdict.review) == (None, True)


def test_counter_speech_asks_a_person_only() -> None:
    for text in ("saying that all women are stupid is wrong", "stop saying gays are disgusting"):
        assert judge(text, "en").category is None
