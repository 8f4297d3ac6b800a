"""Logs that somebody has tampered with: reviewed, or refused by one clear line."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from engine.errors import GameError
from engine.review import document, read_log, review
from tests.engine.review.games import RULESETS, by_lot

VALUES = [
    None, True, 0, 1, 2, 5, 9, 10, 14, 99, -1, 1.5, 10**400, "", "all", "shot", "draw", "x", "\ud800", [], [1, 2], [99],
    {}, {"1": 2}, {"1": None}, {"2": True}, {"01": 2}, {"a": 1},
]  # fmt: skip


def tampered(events: list[dict[str, Any]], chance: Random) -> list[dict[str, Any]]:
    """The log with one to four changes: an event lost, doubled, moved, or one of its fields something else."""
    for _ in range(chance.randrange(1, 5)):
        one, other = chance.randrange(len(events)), chance.randrange(len(events))
        match chance.randrange(5):
            case 0 if len(events) > 1:
                del events[one]
            case 1:
                events.insert(one, {**events[other], "t": events[one]["t"]})
            case 2:
                events = events[: one + 1]
            case 3:
                first, second = events[one], events[other]
                events[one], events[other] = {**second, "t": first["t"]}, {**first, "t": second["t"]}
            case _:
                events[one][chance.choice(list(events[one]))] = chance.choice(VALUES)
    return events


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_log_tampered_with_is_reviewed_or_refused(ruleset: str) -> None:
    chance, reviewed = Random(ruleset), 0
    refused: list[str] = []
    for _ in range(60):
        events = tampered([dict(event) for event in by_lot(ruleset, 1)], chance)
        try:
            own = review(read_log("\n".join(map(json.dumps, events)).encode()))
        except GameError as why:
            refused.append(str(why))
        else:
            json.dumps(document(own))
            reviewed += 1
    assert min(reviewed, len(refused)) > 10
    assert all("\n" not in why and len(why) < 300 for why in refused)
