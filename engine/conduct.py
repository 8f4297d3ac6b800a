"""Warnings and fouls: hand signs beyond the limit, flagged and reported lines, moderators' rulings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import Refusal
from engine.events import MODERATORS
from engine.numbers import SigningNumbers
from engine.state import Line

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Table

CATEGORIES = frozenset({"insult", "hate", "sexual"})
SEVERITIES = frozenset({"likely", "clear"})
WORD_SIGNS = frozenset(
    {"civilian", "sheriff", "mafia", "don", "red", "black", "check", "shot", "vote", "trust", "yes", "no"}
)


def _foul(table: Table, seat: int, why: str, category: str | None = None) -> None:
    fouls = table.state.conduct.fouls
    fouls[seat] = fouls.get(seat, 0) + 1
    fields: dict[str, object] = {"seat": seat, "fouls": fouls[seat], "why": why}
    if category is not None:
        fields["category"] = category
    table.emit("fouled", "all", fields)
    if table.is_living(seat):
        table.rules.fouled(table, seat)


def signing(table: Table) -> SigningNumbers:
    """The limits of hand signs in a ruleset that has them."""
    limits = table.state.numbers
    assert isinstance(limits, SigningNumbers)
    return limits


def sign(table: Table, command: Command) -> None:
    """A hand-sign sentence of a living seat; each one beyond the limit in one speech is a foul."""
    state, sentence = table.state, command.sentence
    if not table.is_living(command.seat):
        raise Refusal("you have left the table")
    limits = signing(table)
    most = limits.signs_per_sentence
    if not 1 <= len(sentence) <= most:
        raise Refusal(f"a sentence has 1 to {most} signs")
    for each in sentence:
        if not (each in WORD_SIGNS if isinstance(each, str) else table.is_seat(each)):
            raise Refusal("there is no such sign")
    shown = state.signs[command.seat] = state.signs.get(command.seat, 0) + 1
    table.emit("signed", "all", {"seat": command.seat, "sentence": list(sentence)})
    if shown > limits.signs_per_speech:
        _foul(table, command.seat, "signs")


def flag(table: Table, command: Command) -> None:
    """Moderation flags a line: the first one warns unless it is clear, each later one fouls."""
    conduct, seat = table.state.conduct, command.seat
    if command.category not in CATEGORIES:
        raise Refusal("there is no such category")
    if command.severity not in SEVERITIES:
        raise Refusal("there is no such severity")
    line = conduct.lines.get(command.line)
    if line is not None:
        if line.flagged:
            raise Refusal("this line was flagged already")
        if line.ruling is not None:
            raise Refusal("a person has ruled on this line")
        if line.seat != seat:
            raise Refusal("this line is another seat's")
    first = not any(known.stands for known in conduct.lines.values() if known.seat == seat)
    if line is None:
        line = conduct.lines[command.line] = Line(seat)
    line.flagged, line.category = True, command.category
    fields: dict[str, object] = {"seat": seat, "line": command.line, "category": command.category}
    if not table.is_living(seat):
        line.kept = True
        table.emit("kept", MODERATORS, fields)
    elif first and command.severity != "clear":
        line.warned = True
        table.emit("warned", "all", fields)
    elif table.rules.holds_line_foul(table, seat):
        line.held = True
        table.emit("held", MODERATORS, fields)
    else:
        line.fouled = True
        _foul(table, seat, "line", command.category)


def report(table: Table, command: Command) -> None:
    """A player, at the table or not any more, reports a line to the moderators."""
    lines = table.state.conduct.lines
    if not table.is_seat(command.target):
        raise Refusal("there is no such seat")
    line = lines.get(command.line)
    if line is None:
        lines[command.line] = Line(command.target)
    elif line.seat != command.target:
        raise Refusal("this line is another seat's")
    fields: dict[str, object] = {"seat": command.seat, "target": command.target, "line": command.line}
    table.emit("reported", MODERATORS, fields)


def rule(table: Table, command: Command) -> None:
    """A person upholds or dismisses a line. The latest ruling stands; repeating it changes nothing."""
    line = table.state.conduct.lines.get(command.line)
    if line is None:
        raise Refusal("nobody flagged or reported this line")
    before, line.ruling = line.ruling, command.uphold
    if line.kept:
        return
    if command.uphold:
        if not line.fouled:
            line.fouled, line.held = True, False
            _foul(table, line.seat, "ruling", line.category)
    elif before is not False:
        _dismiss(table, line, command)


def _dismiss(table: Table, line: Line, command: Command) -> None:
    """Takes back what a line has brought; what has happened because of it stands."""
    fouls = table.state.conduct.fouls
    took = line.warned or line.fouled
    if line.fouled:
        fouls[line.seat] -= 1
        table.rules.foul_taken_back(table, line.seat)
    line.warned = line.fouled = line.held = False
    fields: dict[str, object] = {"seat": line.seat, "line": command.line, "fouls": fouls.get(line.seat, 0)}
    table.emit("cleared", "all" if took else MODERATORS, fields)
