"""Counts of a game, per seat: votes for black, checks, best move, and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.review.players import Player


def statistics_of(players: Mapping[int, Player]) -> list[dict[str, Any]]:
    """One object a seat, in seat order.

    votes: opened votes of the seat, each round counted, abstentions left out; votes_for_black: those for a black seat.
    checks_hit: checks whose answer was what the seat looked for. best_move_black: how many of the seats that it named
    in its best move are black; null where it made none.
    """
    return [_of(player, players) for _, player in sorted(players.items())]


def _of(player: Player, players: Mapping[int, Player]) -> dict[str, Any]:
    votes = [vote for vote in player.voting if vote["candidate"] is not None]
    named = player.best_move
    return {
        "seat": player.seat,
        "votes": len(votes),
        "votes_for_black": sum(vote["black"] for vote in votes),
        "nominations": len(player.nominating),
        "nominations_of_black": sum(each["colour"] == "black" for each in player.nominating),
        "checks": len(player.checks),
        "checks_hit": sum(check["hit"] for check in player.checks),
        "shots": len(player.shooting),
        "protections": len(player.protecting),
        "saves": sum(each["saved"] for each in player.protecting),
        "best_move": named,
        "best_move_black": None if named is None else sum(players[seat].colour == "black" for seat in named),
        "warnings": sum(not warning["taken_back"] for warning in player.warnings),
        "fouls": player.fouls_standing,
    }
