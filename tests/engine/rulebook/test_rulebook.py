"""The rulebooks: the same in both languages, without a number of their own, and following every option."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import GameError
from engine.code import code_of
from engine.numbers import Numbers, read
from engine.rulebook import LANGS, Lang, Page, Rule, book, cite, register, rule_ids, rulebook
from engine.rulebook.fill import number, placeholders
from engine.rulebook.labels import NUMBERS
from engine.rulebook.rule import always
from engine.rulebook.values import seats_range, values_of
from engine.rulesets import names, ruleset
from tests.engine.rulebook.number_words import numbers_in

ALL = [(name, rule) for name in names() for rule in book(name).rules]
every_rule = pytest.mark.parametrize(("name", "rule"), ALL, ids=[rule.id for _, rule in ALL])
SEEDS = Path(__file__).parents[4] / "shared" / "seeds"


def texts(page: Page) -> dict[str, str]:
    return {paragraph.id: paragraph.text for section in page.sections for paragraph in section.paragraphs}


def values(name: str, options: dict[str, Any]) -> dict[str, float]:
    return values_of(book(name), ruleset(name), read(ruleset(name).numbers_type, options))


def ranges(name: str) -> dict[str, Any]:
    return {entry.name: entry.metadata["range"] for entry in fields(ruleset(name).numbers_type)}


def another(name: str, field: str) -> Any:
    """Another value that the field may hold, or None where there is none."""
    allowed, default = ranges(name)[field], getattr(read(ruleset(name).numbers_type, {}), field)
    if allowed is None:
        return not default
    if not allowed.whole:
        return default + 1.5
    return next((value for value in range(int(allowed.low), int(min(allowed.high, 50)) + 1) if value != default), None)


FIELDS = [(name, field) for name in names() for field in ranges(name)]
every_field = pytest.mark.parametrize(("name", "field"), FIELDS, ids=[".".join(each) for each in FIELDS])
WITH: dict[str, dict[str, Any]] = {"quick": {"runoff": True}}
"""Options under which a ruleset has all its rules but those that they switch off."""


@every_rule
def test_both_languages_ask_for_the_same_numbers(name: str, rule: Rule) -> None:
    assert placeholders(rule.text.en) == placeholders(rule.text.ru)
    assert re.search("[а-я]", rule.text.ru)
    assert not re.search("[а-яА-Я]", rule.text.en + rule.heading.en)
    assert not re.search("[a-zA-Z]", re.sub(r"\{[^}]*\}", "", rule.text.ru + rule.heading.ru))
    assert rule.heading.en
    assert rule.heading.ru
    assert rule.source


@every_rule
def test_no_rule_has_a_number_of_its_own(name: str, rule: Rule) -> None:
    for said in (*rule.text, *rule.heading):
        own = [(word, value) for word, value in numbers_in(re.sub(r"\{[^}]*\}", "", said)) if value not in (0.5, 1)]
        assert not own
        assert not re.search(r"\d", re.sub(r"\{[^}]*\}", "", said))


@pytest.mark.parametrize("name", names())
def test_no_heading_or_label_has_a_number(name: str) -> None:
    found = book(name)
    labels = (*found.labels.values(), *NUMBERS.values())
    for words in (found.title, *(section.heading for section in found.sections), *labels):
        assert not re.search(r"\d", "".join(re.sub(r"\{[^}]*\}", "", said) for said in words))


@pytest.mark.parametrize("name", names())
def test_ids(name: str) -> None:
    ids = rule_ids(name)
    assert len(set(ids)) == len(ids) > 20
    assert all(re.fullmatch(rf"{name}(\.[a-z][a-z_]*){{1,2}}", rule_id) for rule_id in ids)
    keys = [section.key for section in book(name).sections]
    assert len(set(keys)) == len(keys)
    assert all(section.rules for section in book(name).sections)
    for rule_id in ids:
        assert cite(name, rule_id).id == rule_id


def test_what_is_not_there_is_not_cited() -> None:
    with pytest.raises(GameError, match=r"no rule 'sport\.night\.chess'"):
        cite("sport", "sport.night.chess")
    with pytest.raises(GameError, match=r"'sport' has no rule 'quick\.seats'"):
        cite("sport", "quick.seats")
    with pytest.raises(GameError, match="unknown ruleset 'chess'"):
        cite("chess", "chess.seats")
    with pytest.raises(GameError, match=r"has its rulebook in engine\.rulebook\.sport"):
        register("sport", "somewhere.else")
    register("sport", "engine.rulebook.sport")


@every_field
def test_every_number_is_on_the_page(name: str, field: str) -> None:
    """In a rule, by its placeholder or by what is shown only because of it; and in the table, with a label."""
    flag = ranges(name)[field] is None
    if flag:
        shown = {rule.id for rule in book(name).rules if rule.when(values(name, {field: True}))}
        hidden = {rule.id for rule in book(name).rules if rule.when(values(name, {field: False}))}
        assert shown != hidden
    else:
        asked = [rule for rule in book(name).rules if field in placeholders(rule.text.en)]
        assert asked
        assert any(rule.when(values(name, WITH.get(name, {}))) for rule in asked)
    for lang in LANGS:
        (entry,) = (entry for entry in rulebook(name, {}, lang).entries if entry.name == field)
        assert entry.label != field
        assert flag or entry.text.removesuffix(" s").removesuffix(" с") == number(values(name, {})[field], lang)


@pytest.mark.parametrize("lang", LANGS)
@every_field
def test_an_option_changes_its_rules_and_no_others(name: str, field: str, lang: Lang) -> None:
    value = another(name, field)
    if value is None:
        assert seats_range(read(ruleset(name).numbers_type, {})) == (value or values(name, {})[field],) * 2
        return
    base = {key: option for key, option in WITH.get(name, {}).items() if key != field}
    before, after = values(name, base), values(name, {**base, field: value})
    moved = {key for key in before if before[key] != after[key]}
    assert field in moved
    old, new = texts(rulebook(name, base, lang)), texts(rulebook(name, {**base, field: value}, lang))
    changed = 0
    for rule in book(name).rules:
        if rule.when(before) != rule.when(after):
            assert (rule.id in old) != (rule.id in new)
            changed += 1
        elif rule.when(before):
            asks = placeholders(rule.text.say(lang))
            assert (old[rule.id] != new[rule.id]) == bool(asks & moved), rule.id
            changed += bool(asks & moved)
            if field in asks:
                assert number(after[field], lang) in re.findall(r"−?\d+(?:[.,]\d+)?", new[rule.id])
    assert changed


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", names())
def test_every_number_of_a_page_with_all_numbers_changed_was_filled_in(name: str, lang: Lang) -> None:
    options = {field: other for field in ranges(name) if (other := another(name, field)) is not None}
    filled = values(name, options)
    for rule_id, text in texts(rulebook(name, options, lang)).items():
        asked = placeholders(cite(name, rule_id).text.say(lang))
        allowed = {number(abs(filled[each]), lang) for each in asked}
        assert {digits.rstrip(".,") for digits in re.findall(r"\d[\d.,]*", text)} <= allowed, rule_id


def test_the_runoff_is_switched_in_and_the_plain_tie_out() -> None:
    plain, with_runoff = (set(texts(rulebook("quick", {"runoff": flag}))) for flag in (False, True))
    assert plain - with_runoff == {"quick.vote.tie"}
    assert with_runoff - plain == {"quick.runoff.speech", "quick.runoff.vote"}
    assert [rule.id for name, rule in ALL if rule.when is not always] == [
        "quick.vote.tie",
        "quick.runoff.speech",
        "quick.runoff.vote",
    ]


def test_decks_by_seats() -> None:
    page = rulebook("party")
    assert page.cards == ("Mafia", "Detective", "Doctor", "Town")
    assert {row.seats: row.counts for row in page.decks} == {
        7: (1, 1, 1, 4),
        8: (1, 1, 1, 5),
        **{seats: (2, 1, 1, seats - 4) for seats in range(9, 14)},
    }
    assert rulebook("sport").decks == ()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", names())
def test_json(name: str, lang: Lang) -> None:
    page = rulebook(name, {"away_s": 7.5}, lang)
    made = page.to_json()
    numbers = read(ruleset(name).numbers_type, {"away_s": 7.5})
    assert (made["ruleset"], made["lang"], made["code"]) == (name, lang, code_of(name, numbers))
    assert set(made["numbers"]) == set(ranges(name))  # type: ignore[call-overload]  # a JSON object
    assert {each["id"]: each["text"] for each in made["paragraphs"]} == texts(page)  # type: ignore[attr-defined]  # a list


def options_of(name: str) -> st.SearchStrategy[dict[str, Any]]:
    def of(allowed: Any) -> st.SearchStrategy[Any]:
        if allowed is None:
            return st.booleans()
        if allowed.whole:
            return st.integers(int(allowed.low), int(allowed.high))
        return st.floats(allowed.low, allowed.high, allow_nan=False)

    return st.fixed_dictionaries({}, optional={field: of(allowed) for field, allowed in ranges(name).items()})


@given(data=st.data(), name=st.sampled_from(names()), lang=st.sampled_from(LANGS))
def test_a_page_can_be_made_of_any_options(data: st.DataObject, name: str, lang: Lang) -> None:
    page = rulebook(name, data.draw(options_of(name)), lang)
    assert set(texts(page)) <= set(rule_ids(name))
    assert all(text and not set("{}|") & set(text) for text in texts(page).values())


def test_options_are_checked_as_the_game_does() -> None:
    with pytest.raises(GameError, match="unknown option 'runoff'"):
        rulebook("sport", {"runoff": True})
    with pytest.raises(GameError, match="expected a whole number from 7 to 13"):
        rulebook("party", {"seats": 6})


def test_a_ruleset_without_a_label_is_shown_by_its_field() -> None:
    assert all(entry.name in NUMBERS for entry in fields(Numbers))


@pytest.mark.skipif(not SEEDS.is_dir(), reason=f"the rules of record are not at {SEEDS}")
@every_rule
def test_the_words_are_our_own(name: str, rule: Rule) -> None:
    """No run of eight words is one of the pages that the facts come from."""

    def words(text: str) -> list[str]:
        return re.findall(r"\w+", text.lower().replace("ё", "е"))

    theirs = [" ".join(words(path.read_text("utf-8"))) for path in SEEDS.glob("*.txt")]
    for lang in LANGS:
        text = next((text for each, text in texts(rulebook(name, WITH.get(name), lang)).items() if each == rule.id), "")
        ours = words(text)
        runs = (" ".join(ours[start : start + 8]) for start in range(len(ours) - 7))
        assert not [run for run in runs if any(run in page for page in theirs)]
