"""What the words of a speech may wish for: found in both languages, and in nobody's words but the speaker's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice.spoken import Wish, wishes
from voice.spoken.book import LANGUAGES, book_of
from voice.spoken.tokens import flat

SHARED = Path(__file__).parents[3] / "shared"

EN_NUMBERS = {
    1: ("one", "first", "1", "1st"),
    2: ("two", "second", "2", "2nd"),
    3: ("three", "third", "3", "3rd"),
    4: ("four", "fourth", "4", "4th"),
    5: ("five", "fifth", "5", "5th"),
    6: ("six", "sixth", "6", "6th"),
    7: ("seven", "seventh", "7", "7th"),
    8: ("eight", "eighth", "8", "8th"),
    9: ("nine", "ninth", "9", "9th"),
    10: ("ten", "tenth", "10", "10th"),
    11: ("eleven", "11"),
    12: ("twelve", "12"),
    13: ("thirteen", "13"),
}
# Cardinals and ordinals in the cases that follow "номер", "игрока" or the verb, and what players call them.
RU_NUMBERS = {
    1: ("один", "одного", "первый", "первого", "первую", "единицу", "1", "1-го"),
    2: ("два", "двух", "второй", "второго", "вторую", "двойку", "2", "2-го"),
    3: ("три", "трёх", "третий", "третьего", "третью", "тройку", "3", "3-го"),
    4: ("четыре", "четырёх", "четвёртый", "четвёртого", "четвёртую", "четвёрку", "4", "4-го"),
    5: ("пять", "пяти", "пятый", "пятого", "пятому", "пятым", "пятую", "пятёрку", "5", "5-го"),
    6: ("шесть", "шести", "шестой", "шестого", "шестую", "шестёрку", "6", "6-го"),
    7: ("семь", "семи", "седьмой", "седьмого", "седьмую", "семёрку", "7", "7-й"),
    8: ("восемь", "восьми", "восьмой", "восьмого", "восьмую", "восьмёрку", "8", "8-го"),
    9: ("девять", "девяти", "девятый", "девятого", "девятую", "девятку", "9", "9-го"),
    10: ("десять", "десяти", "десятый", "десятого", "десятую", "десятку", "10", "10-го"),
    11: ("одиннадцать", "одиннадцатого", "11"),
    12: ("двенадцать", "двенадцатого", "12"),
    13: ("тринадцать", "тринадцатого", "13"),
}
NUMBERS = {"en": EN_NUMBERS, "ru": RU_NUMBERS}
NOMINATIONS = {
    "en": (
        "I nominate number {n}.",
        "I nominate seat {n}",
        "I nominate {n}.",
        "So, I'm nominating player number {n}, because of the vote.",
        "I would like to nominate number {n}.",
        "I'll put number {n} up for the vote.",
        "I put up seat {n}.",
        "My nomination is number {n}.",
        "Nominate number {n}.",
        "He is black. I nominate the player number {n}. He lied.",
        "I nominate #{n}",
    ),
    "ru": (
        "Выставляю номер {n}.",
        "Я выставляю {n}.",
        "Я выставляю на голосование игрока под номером {n}.",
        "Поэтому сегодня я выставлю номер {n}, он молчал.",
        "Номинирую номер {n}",
        "Хочу выставить {n}.",
        "На голосование номер {n}.",
        "Моя кандидатура — номер {n}.",
        "Номер {n} выставляю.",
        "Он чёрный. Выставляю №{n}. Он врал.",
    ),
}
PASSES = {
    "en": (
        *("Pass.", "I pass", "I'll pass.", "Okay, pass.", "Thank you.", "Thanks", "Thank you very much, everyone."),
        *("That's all.", "That is all from me, thank you.", "Number three is red, thank you.", "I'm done."),
    ),
    "ru": (
        *("Пас.", "Я пас", "Пасую", "Спасибо.", "Спасибо за внимание!", "Всё, спасибо.", "У меня всё."),
        *("На этом всё, спасибо.", "Третий красный, спасибо.", "Передаю ход.", "Закончила."),
    ),
}
REPORTED = {
    "en": ("He said ", "Number three says that ", "She said, ", "You all think that ", "If ", "Why should "),
    "ru": (
        "Он сказал: ",
        "Третий говорит, что ",
        "Все думают, что если ",
        "Она сказала, ",
        "Если ",
        "Кто сказал, что ",
    ),
}
OWN = {"en": ("I nominate number {n}", "I put up seat {n}"), "ru": ("я выставляю номер {n}", "выставляю {n}")}
SAID = [(lang, number, said) for lang, rows in NUMBERS.items() for number, ways in rows.items() for said in ways]


@pytest.mark.parametrize(("lang", "number", "said"), SAID)
def test_every_number_is_nominated_however_it_is_said(lang: str, number: int, said: str) -> None:
    for phrase in NOMINATIONS[lang]:
        if "#" in phrase or "№" in phrase:
            said = str(number)
        assert wishes(phrase.format(n=said), lang) == (Wish("nominate", target=number),), phrase


@pytest.mark.parametrize(("lang", "phrase"), [(lang, each) for lang, ways in PASSES.items() for each in ways])
def test_the_end_of_a_speech_is_a_pass_and_only_at_its_end(lang: str, phrase: str) -> None:
    assert wishes(phrase, lang) == (Wish("pass"),)
    assert wishes(phrase, lang, ended=False) == ()
    more = {"en": "But look at number two.", "ru": "Но посмотрите на второго."}[lang]
    assert wishes(f"{phrase} {more}", lang) == ()


@pytest.mark.parametrize("lang", LANGUAGES)
@given(data=st.data())
def test_what_somebody_else_said_or_might_say_is_nobodys_wish(lang: str, data: st.DataObject) -> None:
    prefix = data.draw(st.sampled_from(REPORTED[lang]))
    phrase = data.draw(st.sampled_from(OWN[lang]))
    number = data.draw(st.sampled_from([way for ways in NUMBERS[lang].values() for way in ways]))
    assert wishes(prefix + phrase.format(n=number), lang) == ()


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "I don't nominate number five."),
        ("en", "I do not want to nominate number five."),
        ("en", "I never nominate number five."),
        ("en", "I would not put up number five."),
        ("en", "Number three nominated number five."),
        ("en", "You nominate number five, then."),
        ("en", "Should I nominate number five?"),
        ("en", "I nominate number five?"),
        ("en", "I nominate number five or number six."),
        ("en", "I nominate nobody, number five is red."),
        ("en", "My nomination is 1. 3."),
        ("en", "My nomination is 1.4."),
        ("en", "I nominated number five yesterday."),
        ("en", "They let it pass."),
        ("en", "I won't pass."),
        ("en", "It was so in the past."),
        ("en", "No, thank you."),
        ("en", "Thank you, number five, for the check."),
        ("en", "I vote for seat five."),
        ("en", "I am not the sheriff."),
        ("en", "He claims that I am the don."),
        ("en", "If I am the sheriff, who is he?"),
        ("en", "I am down with that."),
        ("en", "I am a civilian."),
        ("ru", "Я не выставляю пятого."),
        ("ru", "Не буду выставлять номер пять."),
        ("ru", "Третий выставил пятого."),
        ("ru", "Выставляйте пятого."),
        ("ru", "Выставляю пятого или шестого."),
        ("ru", "Я выставляю пятого?"),
        ("ru", "Зачем я выставляю пятого"),
        ("ru", "Никого не выставляю, пятый красный."),
        ("ru", "Голосую за пятого."),
        ("ru", "Спасибо пятому за проверку."),
        ("ru", "Не скажу спасибо."),
        ("ru", "Это был бас гитариста."),
        ("ru", "Я не пас."),
        ("ru", "Я не шериф."),
        ("ru", "Он говорит, что я дон."),
        ("ru", "Если я шериф, то кто он?"),
        ("ru", "Я дому не верю."),
        ("ru", "Я мирный житель."),
    ],
)
def test_what_is_denied_asked_or_something_else_is_no_wish(lang: str, text: str) -> None:
    assert wishes(text, lang) == ()


@pytest.mark.parametrize(
    ("lang", "text", "wish"),
    [
        ("en", "I nominate see five.", Wish("nominate", target=5)),
        ("en", "I nominate C5.", Wish("nominate", target=5)),
        ("en", "I nominate c 5", Wish("nominate", target=5)),
        ("en", "I dominate sea ate.", Wish("nominate", target=8)),
        ("en", "I nominate number to.", Wish("nominate", target=2)),
        ("en", "I nominate number for because he lied.", Wish("nominate", target=4)),
        ("en", "I nominate No. 9.", Wish("nominate", target=9)),
        ("en", "I put number three up for the boat.", Wish("nominate", target=3)),
        ("en", "I put seat tree to the boat", Wish("nominate", target=3)),
        ("en", "Past.", Wish("pass")),
        ("en", "I parse.", Wish("pass")),
        ("en", "Think you.", Wish("pass")),
        ("en", "I am the dawn.", Wish("say", card="don")),
        ("en", "I'm the share if.", Wish("say", card="sheriff")),
        # Written by the embedded models of synthetic voices.
        ("en", "I know minute number 3.", Wish("nominate", target=3)),
        ("en", "I know I'm in at number 5.", Wish("nominate", target=5)),
        ("en", "I nomenate number five.", Wish("nominate", target=5)),
        ("en", "I nominate seek to, because of the vote.", Wish("nominate", target=2)),
        ("en", "I Norman at seat free because of the vault.", Wish("nominate", target=3)),
        ("en", "I boot seat one up for the vote.", Wish("nominate", target=1)),
        ("en", "I am nominating play or number four.", Wish("nominate", target=4)),
        ("en", "Number 3 is black than cute.", Wish("pass")),
        ("en", "I am the shareth.", Wish("say", card="sheriff")),
        ("ru", "Воставляю игрока номер 5, потому что он молчал.", Wish("nominate", target=5)),
        ("ru", "Я восстанавливаю пятого.", Wish("nominate", target=5)),
        ("ru", "Сегодня я выставлю у номер 2.", Wish("nominate", target=2)),
        ("ru", "Он соврал, выставляю первого.", Wish("nominate", target=1)),
        ("ru", "И я паса.", Wish("pass")),
        ("ru", "Скрываясь шарифтым. Скрываюсь шарифтым.", Wish("say", card="sheriff")),
        ("ru", "Вы ставлю номер пять.", Wish("nominate", target=5)),
        ("ru", "Выставляю номер Пет.", Wish("nominate", target=5)),
        ("ru", "Выставляю номер Син.", Wish("nominate", target=7)),
        ("ru", "Выставляю намер осень.", Wish("nominate", target=8)),
        ("ru", "Паз.", Wish("pass")),
        ("ru", "Пасибо.", Wish("pass")),
        ("ru", "Вскрываюсь шеривом.", Wish("say", card="sheriff")),
        ("ru", "Моя карта дом.", Wish("say", card="don")),
    ],
)
def test_what_a_recogniser_writes_for_a_word_is_taken_for_it(lang: str, text: str, wish: Wish) -> None:
    assert wishes(text, lang) == (wish,)


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        *(
            ("en", each)
            for each in ("I nominate to win.", "I nominate for the town.", "See five of them.", "I am the past.")
        ),
        *(("ru", each) for each in ("Выставляю петь.", "Выставляю осень.", "Я тон.", "Номер син чёрный.")),
    ],
)
def test_what_sounds_like_a_word_is_taken_for_it_in_its_place_alone(lang: str, text: str) -> None:
    assert wishes(text, lang) == ()


def test_the_last_word_counts_and_each_kind_has_one() -> None:
    assert wishes("I nominate number five, no, number six.", "en") == (Wish("nominate", target=6),)
    assert wishes("I nominate number five. Sorry, number six.", "en") == (Wish("nominate", target=6),)
    assert wishes("Выставляю пятого, точнее шестого.", "ru") == (Wish("nominate", target=6),)
    assert wishes("I nominate seat two. I nominate seat four. Thank you.", "en") == (
        Wish("nominate", target=4),
        Wish("pass"),
    )
    assert wishes("Я шериф, выставляю седьмого. Спасибо.", "ru") == (
        Wish("say", card="sheriff"),
        Wish("nominate", target=7),
        Wish("pass"),
    )


def test_a_seat_named_before_another_is_nominated_is_not_the_one() -> None:
    assert wishes("Номер пять, выставляю номер шесть.", "ru") == (Wish("nominate", target=6),)
    assert wishes("Против номера пять я выставляю шестого.", "ru") == (Wish("nominate", target=6),)


def test_a_wish_is_a_command_of_the_engine() -> None:
    assert Wish("nominate", target=5).command() == {"do": "nominate", "target": 5}
    assert Wish("pass").command() == {"do": "pass"}
    assert Wish("say", card="don").command() == {"do": "say", "kind": "claim", "card": "don"}


@given(text=st.text(max_size=200), lang=st.sampled_from((*LANGUAGES, "fr")), ended=st.booleans())
def test_any_text_is_read(text: str, lang: str, ended: bool) -> None:
    for wish in wishes(text, lang, ended=ended):
        assert wish.do in ("nominate", "pass", "say")
        assert 0 <= wish.target <= 99
        assert bool(wish.target) == (wish.do == "nominate")
        assert bool(wish.card) == (wish.do == "say")


@given(data=st.data(), lang=st.sampled_from(LANGUAGES))
def test_letter_case_and_commas_are_nothing(data: st.DataObject, lang: str) -> None:
    said = data.draw(st.sampled_from(NOMINATIONS[lang])).format(n="5")
    words = said.rstrip(".").split()
    other = "".join(word + data.draw(st.sampled_from((" ", ", "))) for word in words)
    assert wishes(other.upper(), lang) == wishes(other.lower(), lang) == wishes(said, lang)


WORDS = {
    "en": (
        "i",
        "you",
        "he",
        "we",
        "number",
        "seat",
        "five",
        "six",
        "red",
        "was",
        "not",
        "and",
        "vote",
        "check",
        "sheriff",
    ),
    "ru": ("я", "ты", "он", "мы", "номер", "пять", "шестой", "черный", "был", "не", "и", "голос", "проверка", "шериф"),
}


@pytest.mark.parametrize("lang", LANGUAGES)
@given(data=st.data())
def test_talk_without_a_word_of_command_nominates_nobody(lang: str, data: st.DataObject) -> None:
    text = " ".join(data.draw(st.lists(st.sampled_from(WORDS[lang]), max_size=30)))
    assert not [wish for wish in wishes(text, lang) if wish.do != "say"]


def test_a_long_line_is_read_in_time_linear_in_its_length() -> None:
    # Repetitions that could be taken in many ways: the count of steps must not explode.
    for lang, word in (("en", "i will am now today "), ("ru", "я сегодня тогда поэтому ну ")):
        assert wishes(word * 400, lang) == ()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_table_of_words_contradicts_itself_nowhere(lang: str) -> None:
    book = book_of(lang)
    assert set(book.numbers.values()) == set(range(1, 14))
    assert set(book.cards.values()) == {"don", "sheriff", "detective", "doctor"}
    for said, number in book.numbers.items():
        assert flat(said) == f" {said}", "as it stands in the flat text"
        assert book.seat(said) == number


def test_table_talk_has_the_wishes_that_are_in_it_and_no_more() -> None:
    path = SHARED / "modset" / "tabletalk_dev.jsonl"
    if not path.exists():
        pytest.skip("the shared lines are not here")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = {row["text"]: wishes(row["text"], row["lang"]) for row in lines}
    assert len(found) > 100
    assert {text: wish for text, wish in found.items() if wish} == {
        "I'm the sheriff and I checked number four, black": (Wish("say", card="sheriff"),),
        "я шериф проверил четвёртого он чёрный": (Wish("say", card="sheriff"),),
    }


@pytest.mark.parametrize(
    ("lang", "text"),
    [
        ("en", "If I am the sheriff, I nominate number two."),
        ("en", "Suppose that number four is black, then I nominate him, I nominate number four"),
        ("en", "Unless somebody is sure of it I am the sheriff"),
        ("ru", "Если я шериф, выставляю второго."),
        ("ru", "Допустим, что четвёртый чёрный, тогда я выставляю четвёртого"),
        ("ru", "Если никто не против то я шериф"),
    ],
)
def test_what_depends_on_something_is_no_wish(lang: str, text: str) -> None:
    assert wishes(text, lang) == ()


def test_a_condition_reaches_to_the_end_of_its_sentence_and_holds_no_pass() -> None:
    assert wishes("If he is red, we lose. I nominate number two.", "en") == (Wish("nominate", target=2),)
    assert wishes("Если он красный, мы проиграли. Выставляю второго.", "ru") == (Wish("nominate", target=2),)
    assert wishes("If I am killed, check number two, thank you.", "en") == (Wish("pass"),)
