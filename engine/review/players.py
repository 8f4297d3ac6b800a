"""What each seat did and what became of it: the rows of a protocol."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from engine.events import HITS
from engine.review.timeline import saves_of, standing_picks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.review.course import Course, Step
    from engine.review.played import Played

Json = dict[str, Any]


@dataclass(slots=True)
class Player:
    """One seat. `time` is a table time in seconds; `stage` is where in the game something happened.

    death: `how`, `day` or `night`, `time`; None for a seat that stayed. warnings, fouls: as given, `taken_back` where a
    ruling took one back. voting: every vote with its day and round; the log does not tell a vote cast from one that
    was counted by rule because it was not cast. best_move: the seats named; None where none was. first_killed: shot on
    the first night with a shot. claims: what the seat said of its own card, beside the card.
    """

    seat: int
    card: str
    colour: str
    death: Json | None = None
    warnings: list[Json] = field(default_factory=list)
    fouls: list[Json] = field(default_factory=list)
    voting: list[Json] = field(default_factory=list)
    lifting: list[Json] = field(default_factory=list)
    nominating: list[Json] = field(default_factory=list)
    shooting: list[Json] = field(default_factory=list)
    checks: list[Json] = field(default_factory=list)
    protecting: list[Json] = field(default_factory=list)
    best_move: list[int] | None = None
    first_killed: bool = False
    claims: list[Json] = field(default_factory=list)
    away: list[Json] = field(default_factory=list)
    bot_since: float | None = None

    @property
    def fouls_standing(self) -> int:
        """How many fouls stand at the log's end."""
        return sum(not foul["taken_back"] for foul in self.fouls)

    def to_json(self) -> Json:
        """Every field by its name."""
        return asdict(self)


def players_of(course: Course, played: Played) -> dict[int, Player]:
    """The seats of the game, by number."""
    players = {seat: Player(seat, card, played.colour[card]) for seat, card in course.cards.items()}
    picks = standing_picks(course)
    first_shot = next((step.stage.circle for step in course.steps if step.stage.phase == "shot"), None)
    for step in course.steps:
        _follow(players, step, is_first_shot=first_shot is not None and step.stage.circle == first_shot)
        if step.index in picks:
            _picked(players, step)
    _mark_saves(course, players)
    return players


def _follow(players: Mapping[int, Player], step: Step, *, is_first_shot: bool) -> None:
    fields, stage = step.fields, step.stage.to_json()
    player = players.get(fields.get("seat", 0))
    at: Json = {"time": step.t, "stage": stage}
    if step.event.name in ("votes", "lifted"):
        _voted(players, step)
    if step.event.name == "nominated":
        target = players[fields["seat"]]
        players[fields["by"]].nominating.append(_circle(step) | {"seat": target.seat, "colour": target.colour} | at)
    if player is None:
        return
    match step.event.name:
        case "left":
            player.death = {"how": fields["how"], **_circle(step), "time": step.t}
            player.first_killed = fields["how"] == "shot" and is_first_shot
        case "best_move":
            player.best_move = list(fields["seats"])
        case "warned":
            player.warnings.append(
                at | {"category": fields["category"], "line": fields["line"], "taken_back": False, "index": step.index}
            )
        case "fouled":
            foul = at | {"fouls": fields["fouls"], "why": fields["why"], "taken_back": False, "index": step.index}
            player.fouls.append(foul | ({"category": fields["category"]} if "category" in fields else {}))
        case "cleared":
            _take_back(player, step)
        case "answer":
            target = players[fields["target"]]
            check = {"target": target.seat, "answer": fields["answer"], "hit": fields["answer"] in HITS}
            player.checks.append(_circle(step) | check | {"time": step.t})
        case "said" if fields["kind"] == "claim":
            player.claims.append(at | {"card": fields.get("card"), "truth": player.card})
        case "away":
            player.away.append({"time": step.t, "back": None})
        case "back":
            player.away[-1:] = [{**away, "back": step.t} for away in player.away[-1:]]
        case "bot":
            player.bot_since = step.t
        case _:
            pass


def _circle(step: Step) -> Json:
    return {step.stage.circle[0]: step.stage.circle[1]} if step.stage.circle is not None else {}


def _voted(players: Mapping[int, Player], step: Step) -> None:
    day = _circle(step)
    for voter, target in step.fields["votes"].items():
        if step.event.name == "lifted":
            players[int(voter)].lifting.append(day | {"yes": target})
        else:
            black = target is not None and players[target].colour == "black"
            vote = {"round": step.fields["round"], "candidate": target, "black": black}
            players[int(voter)].voting.append(day | vote)


def _take_back(player: Player, step: Step) -> None:
    """Marks what a ruling took back. `fouled` does not name its line: of several such fouls the latest is taken."""
    for warning in player.warnings:
        if warning["line"] == step.fields["line"]:
            warning["taken_back"] = True
            return
    if player.fouls_standing > step.fields["fouls"]:
        standing = [foul for foul in player.fouls if not foul["taken_back"] and foul["why"] != "signs"]
        if standing:
            standing[-1]["taken_back"] = True


def _picked(players: Mapping[int, Player], step: Step) -> None:
    player, target = players[step.fields["seat"]], players[step.fields["target"]]
    pick = _circle(step) | {"target": target.seat, "colour": target.colour}
    if step.stage.phase == "shot":
        player.shooting.append(pick)
    elif step.stage.phase == "protect":
        player.protecting.append(pick | {"saved": False})


def _mark_saves(course: Course, players: Mapping[int, Player]) -> None:
    saved = saves_of(course)
    for player in players.values():
        for protection in player.protecting:
            if "night" in protection:
                protection["saved"] = saved.get(("night", protection["night"])) == protection["target"]
