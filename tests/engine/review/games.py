"""Games to look back at."""

from __future__ import annotations

from functools import cache
from typing import Any

from engine.lots import play
from engine.scenario import check
from engine.scenario import play as play_scenario

RULESETS = ("sport", "quick", "teaching", "party")

CARDS = ["civilian", "civilian", "sheriff", "civilian", "don", "mafia", "mafia", "civilian", "civilian", "civilian"]
"""Of the games made by hand: the sheriff is seat 3, the don seat 5, the mafia are seats 6 and 7."""


@cache
def by_lot(ruleset: str, seed: int) -> tuple[dict[str, Any], ...]:
    """The stored log of a finished game."""
    return tuple(event.to_json() for event in play(seed, ruleset).events)


def made(*steps: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    """The stored log of a game of sport Mafia made by hand."""
    scenario = {"ruleset": "sport", "cards": CARDS, "steps": list(steps), **more}
    return [event.to_json() for event in play_scenario(check(scenario))]


def do(name: str, seat: int | None = None, **fields: Any) -> dict[str, Any]:
    """A step that does a command."""
    return {"do": name, **({} if seat is None else {"seat": seat}), **fields}


def until(phase: str, seat: int | None = None) -> dict[str, Any]:
    """A step that waits for a phase."""
    return {"until": phase, **({} if seat is None else {"seat": seat})}


def shots(target: int, *, by: tuple[int, ...] = (5, 6, 7)) -> list[dict[str, Any]]:
    """The black seats shoot at one seat."""
    return [until("shot"), *(do("shoot", seat, target=target) for seat in by)]


def night(target: int, *, don: int | None = None, sheriff: int | None = None) -> list[dict[str, Any]]:
    """A shooting night with its checks, up to the morning."""
    steps = shots(target)
    if don is not None:
        steps += [until("don_check"), do("check", 5, target=don)]
    if sheriff is not None:
        steps += [until("sheriff_check"), do("check", 3, target=sheriff)]
    return [*steps, until("last_word")]


def puts_up(seat: int, target: int) -> list[dict[str, Any]]:
    """A seat nominates another in its speech."""
    return [until("speech", seat), do("nominate", seat, target=target)]


def all_vote(votes: dict[int, int]) -> list[dict[str, Any]]:
    """The vote, by voter."""
    return [until("vote"), *(do("vote", seat, target=target) for seat, target in votes.items())]
