"""What a speaker may do beside speaking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.errors import Refusal

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.table import Action, Table


def own_turn(table: Table, command: Command) -> None:
    """Refuses whoever the phase does not belong to."""
    if command.seat != table.state.phase.seat:
        raise Refusal("it is not your turn")


def end_turn(table: Table, command: Command) -> None:
    """`pass`: the phase's own seat ends it."""
    own_turn(table, command)
    table.end_phase()


def next_speaker(table: Table, phase: str) -> bool:
    """Begins `phase` of the next living seat in `state.speakers`. Returns False where nobody is left there."""
    speakers = table.state.speakers
    while speakers:
        seat = speakers.pop(0)
        if table.is_living(seat):
            table.begin(phase, seat=seat)
            return True
    return False


def say(table: Table, command: Command) -> None:
    """A caption by button of the phase's own seat, for those who cannot speak."""
    own_turn(table, command)
    _say(table, command)


def say_in_discussion(table: Table, command: Command) -> None:
    """The same of any living seat, where all may speak."""
    if not table.is_living(command.seat):
        raise Refusal("you have left the table")
    _say(table, command)


def _say(table: Table, command: Command) -> None:
    kind, card, target = command.kind, command.card, command.target
    fields: dict[str, object] = {"seat": command.seat, "kind": kind}
    if kind == "claim":
        if card not in table.state.cards or target:
            raise Refusal("a claim names a card of this game, and nothing else")
        fields["card"] = card
    elif kind in ("defend", "ask"):
        if not table.is_seat(target) or target == command.seat or card:
            raise Refusal("this names another seat, and nothing else")
        fields["target"] = target
    else:
        raise Refusal("there is no such thing to say")
    table.emit("said", "all", fields)


SPEECH_ACTIONS: dict[str, Action] = {"pass": end_turn, "say": say}
"""What the seat may do in every speech."""
