"""What a command has to look like, and how a log tells that one did not: a refusal keeps its words alone."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.commands import FIELDS, Malformed, is_form_refusal, parse

if TYPE_CHECKING:
    from collections.abc import Iterator

SEATS = 10

RIGHT: dict[str, Any] = {
    "seat": 1, "target": 2, "seats": [2, 3], "yes": True, "sentence": [4, "red"], "kind": "ask", "card": "don",
    "line": "a", "category": "insult", "severity": "clear", "uphold": False,
}  # fmt: skip

ENGINE = Path(engine.__file__).parent


def malformed(do: str) -> Iterator[dict[str, Any]]:
    """A command with a field too many, and for each field one without it and some with a wrong value."""
    right = {"do": do} | {name: RIGHT[name] for name in FIELDS[do].needed}
    yield right | {"colour": "red"}
    for name in FIELDS[do].forms:
        if name in FIELDS[do].needed:
            yield {key: value for key, value in right.items() if key != name}
        yield right | {name: None}
        yield right | {name: {}}
        yield right | {name: 1.5}
    if "seat" in FIELDS[do].forms:
        yield right | {"seat": 0}
        yield right | {"seat": SEATS + 1}


@pytest.mark.parametrize("do", FIELDS)
def test_every_malformed_command_is_told_as_one(do: str) -> None:
    parse({"do": do} | {name: RIGHT[name] for name in FIELDS[do].needed}, SEATS)
    for command in malformed(do):
        with pytest.raises(Malformed) as refused:
            parse(command, SEATS)
        assert is_form_refusal(do, str(refused.value)), (command, refused.value)


def test_what_stored_logs_say_of_malformed_commands_is_still_known() -> None:
    """These words are in logs that are kept: a change here would change what is found in them."""
    for why in (
        "'check' needs 'target'", "'check': 'target' must be a seat number, not 'x'", "'check' has no field 'seats'",
    ):  # fmt: skip
        assert is_form_refusal("check", why)
        assert not is_form_refusal("best_move", why)


def refusals() -> Iterator[tuple[str, ast.expr]]:
    """Why the rules refuse: what each `Refusal` is made with, and where."""
    for path in sorted(ENGINE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                yield f"{path.name}:{node.lineno}", node.args[0]


def test_no_rule_refuses_in_the_words_of_a_malformed_command() -> None:
    found = dict(refusals())
    assert len(found) > 40
    for where, why in found.items():
        first = why.values[0] if isinstance(why, ast.JoinedStr) else why
        assert isinstance(first, ast.Constant), (where, "a refusal begins with words of its own")
        assert str(first.value)[0].isalpha(), (where, first.value)
