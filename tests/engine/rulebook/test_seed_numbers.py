"""Every number in the pages of the rules of record, held against the rulesets' numbers; and the contract's times."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import fields, replace
from pathlib import Path

import pytest

from engine.numbers import read
from engine.rulebook import book
from engine.rulebook.values import values_of
from engine.rulesets import names, ruleset
from tests.engine.rulebook.number_words import numbers_in
from tests.engine.rulebook.seed_numbers import MEANINGS, REASONS, SEEDS

SHARED = Path(__file__).parents[4] / "shared"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason=f"the rules of record are not at {SHARED}")
EXACTLY = {"one": 1, "half": 0.5}


def page(seed: str) -> str:
    (path,) = (SHARED / "seeds").glob(f"{seed}_*.txt")
    return path.read_text("utf-8")


def values(name: str) -> dict[str, float]:
    """A ruleset's values, and two that only the pages speak of."""
    rules = ruleset(name)
    numbers = read(rules.numbers_type, {})
    kinds = {"kinds": len(set(rules.deck(numbers)))}
    at_second = {}
    if name == "party":
        deck = rules.deck(replace(numbers, seats=numbers.second_mafia_seats))
        at_second = {"town_at_second_mafia": Counter(deck)["town"]}
    return {**values_of(book(name), rules, numbers), **kinds, **at_second}


def faults(text: str, meanings: dict[str, str], known: dict[str, float]) -> list[str]:
    """What does not agree: a number not accounted for, one with another value, a meaning whose line is gone."""
    lines = text.splitlines()
    gone = [start for start in meanings if not any(line.startswith(start) for line in lines)]
    return [fault for line in lines for fault in line_faults(line, meanings, known)] + [
        f"no {start!r}" for start in gone
    ]


def line_faults(line: str, meanings: dict[str, str], known: dict[str, float]) -> list[str]:
    begins = [start for start in meanings if line.startswith(start)]
    means = meanings[begins[0]].split() if len(begins) == 1 else []
    numbers = numbers_in(line)
    if len(numbers) != len(means) or len(begins) > 1:
        return [f"{line[:60]!r}: {[said for said, _ in numbers]} against {means}"]
    return [
        f"{line[:60]!r}: {said!r} is not {meaning}"
        for (said, value), meaning in zip(numbers, means, strict=True)
        if not agrees(value, meaning, known)
    ]


def agrees(value: float, meaning: str, known: dict[str, float]) -> bool:
    if meaning in REASONS:
        return value == EXACTLY.get(meaning, value)
    name, op, by = re.fullmatch(r"(\w+?)(?:([+/-])(\d+))?", meaning).groups()
    expected = known[name]
    if op == "/":
        return value == expected / int(by)
    return value == expected + int(f"{op}{by}" if op else 0)


@needs_shared
@pytest.mark.parametrize("seed", SEEDS)
def test_every_number_of_the_page_is_ours(seed: str) -> None:
    assert faults(page(seed), MEANINGS[seed], values(SEEDS[seed])) == []


@needs_shared
def test_no_page_is_left_out() -> None:
    assert sorted(path.name[:3] for path in (SHARED / "seeds").glob("*.txt")) == sorted(SEEDS)


@needs_shared
@pytest.mark.parametrize("seed", SEEDS)
def test_a_number_changed_in_any_line_is_found(seed: str) -> None:
    known = values(SEEDS[seed])
    changed = 0
    for line in page(seed).splitlines():
        means = next((means.split() for start, means in MEANINGS[seed].items() if line.startswith(start)), [])
        for digits in re.finditer(r"\d+", line):
            before = len(numbers_in(line[: digits.start()]))
            if means[before : before + 1] and means[before] not in REASONS:
                other = f"{line[: digits.start()]}{int(digits[0]) + 41}{line[digits.end() :]}"
                assert line_faults(other, {other: " ".join(means)}, known), line
                changed += 1
        assert line_faults(f"{line} 17", MEANINGS[seed], known), line
    assert changed or seed == "003", "every page but that one has digits of ours"


@pytest.mark.parametrize("name", names())
def test_a_changed_number_of_ours_is_found(name: str) -> None:
    """Each value that a page speaks of is looked at: another value of it would be found."""
    if not SHARED.is_dir():
        pytest.skip(f"the rules of record are not at {SHARED}")
    known = values(name)
    seeds = [seed for seed, of in SEEDS.items() if of == name]
    spoken = {
        re.split(r"[+/-]", word)[0] for seed in seeds for line in MEANINGS[seed].values() for word in line.split()
    }
    for value in spoken - set(REASONS):
        other = {**known, value: known[value] + 1}
        assert any(line_faults(line, MEANINGS[seed], other) for seed in seeds for line in page(seed).splitlines()), (
            value
        )


# Times that the contract's table of phases gives beside a phase's own, or not at all.
NOT_PHASES = {"away_s", "short_speech_s", "floor_s"}


@needs_shared
@pytest.mark.parametrize("name", names())
def test_the_contracts_times(name: str) -> None:
    contract = (SHARED / "contract" / "engine.md").read_text("utf-8")
    table = values(name)
    seen = set()
    for row in re.findall(rf"^\| {name}\b[^|]*\|([^|]+)\|([^|]+)\|", contract, re.MULTILINE):
        phases, seconds = re.sub(r"\([^)]*\)", "", row[0]), re.search(r"\d+", row[1])
        if seconds is None:
            continue
        for phase in re.findall(r"`(\w+)`", phases):
            seen.add(f"{phase}_s")
            assert table[f"{phase}_s"] == int(seconds[0]), phase
    assert seen == {entry.name for entry in fields(ruleset(name).numbers_type) if entry.name[-2:] == "_s"} - NOT_PHASES
