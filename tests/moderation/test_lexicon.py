"""The lexicon's own examples, its hygiene, and the errors of a wrong file."""

import re

import pytest

from moderation import judge
from moderation.inflect import LexiconError, expand, read_endings
from moderation.lemmas import SecondKey
from moderation.tokens import tokenise
from moderation.vocabulary import Entry, Rule, lexicon

LEXICON = lexicon()
RULES = list(LEXICON.rules.values())
ENTRIES = list({entry.id: entry for entry in LEXICON.entries.values()}.values())
FRAMES = {
    ("en", "noun"): ("you are a {}", "he is such a {}", "number four is a {}"),
    ("en", "stuff"): ("you are {}",),
    ("en", "adjective"): ("you are {}", "seat three is so {}", "how {} are you"),
    ("ru", "noun"): ("ты {}", "он {}", "четвёртый номер просто {}"),
    ("ru", "stuff"): ("ты {}",),
    ("ru", "adjective"): ("ты {}", "какой же ты {}"),
}
DENIALS = {
    ("en", "noun"): ("you are not a {}", "I am a {}", "he said I am a {}"),
    ("en", "stuff"): ("you are not {}", "your vote is {}"),
    ("en", "adjective"): ("you are not {}", "that was a {} vote", "I am so {}"),
    ("ru", "noun"): ("ты не {}", "я {}", "он сказал что я {}"),
    ("ru", "stuff"): ("ты не {}", "твоя версия {}"),
    ("ru", "adjective"): ("ты не {}", "я {}"),
}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_examples_of_a_rule(rule: Rule) -> None:
    lang = "ru" if rule.id.startswith("ru") else "en"
    for text in rule.hits:
        verdict = judge(text, lang)
        if rule.outcome == "review":
            assert verdict.review, text
        else:
            assert verdict.category == rule.category, text
    for text in rule.misses:
        assert judge(text, lang).category is None, text


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_has_examples(rule: Rule) -> None:
    if rule.outcome in ("clear", "likely"):
        assert len(rule.hits) >= 2
    if rule.outcome != "review":
        assert len(rule.misses) >= 2


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.id)
def test_an_entry_is_flagged_of_a_person_and_not_where_denied(entry: Entry) -> None:
    lang = entry.id[:2]
    form = entry.forms[0]
    for frame in FRAMES[lang, entry.kind]:
        assert judge(frame.format(form), lang).category == entry.category, frame
    for frame in DENIALS[lang, entry.kind]:
        assert judge(frame.format(form), lang).category is None, frame
    for text in entry.hits:
        assert judge(text, lang).category == entry.category, text
    for text in entry.misses:
        assert judge(text, lang).category is None, text


def test_every_form_is_written_as_lines_are_read() -> None:
    for form in LEXICON.bits:
        assert [token.text for token in tokenise(form)] in ([form], []) or form in ("yours",), form


def test_the_lexicon_is_broad() -> None:
    for lang, least in (("en", 250), ("ru", 1500)):
        assert sum(entry.id.startswith(lang) for entry in LEXICON.entries.values()) >= least


def test_patterns_end_in_something_that_must_be_there() -> None:
    for rule in RULES:
        for pattern in rule.patterns:
            items = re.sub(r"\|\s+", "|", pattern).split()
            assert not items[0].startswith(".."), pattern
            assert not items[-1].startswith(".."), pattern
            assert not any(item.startswith("!") for item in items[:-1]), f"{rule.id}: {pattern}"


def test_endings() -> None:
    endings = read_endings({"f": "а ы -"})
    assert list(expand("гнид~f ещё", endings)) == ["гнида", "гниды", "гнид", "еще"]
    with pytest.raises(LexiconError, match="expected an ending class"):
        list(expand("гнид~x", endings))


@pytest.mark.parametrize("word", ["придурошным", "болванами", "мразотным", "недотёпами"])
def test_the_second_key_asks_the_dictionary(word: str) -> None:
    known = SecondKey({"болван": ENTRIES[0], "недотепа": ENTRIES[0]})
    listed = known.form(word.replace("ё", "е"))
    assert listed == {"болванами": "болван", "недотёпами": "недотепа"}.get(word)


def test_the_second_key_leaves_words_that_only_begin_alike() -> None:
    for text in ("барабанный бой за стеной", "козлятник это домино", "дурачимся по пятницам", "мудрый ход шестого"):
        assert judge(text, "ru").category is None, text
