"""A review as one JSON document. Its fields are described in docs/review.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.numbers import listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.review.course import Course
    from engine.review.players import Player
    from engine.review.points import Points
    from engine.review.review import Review
    from engine.rulebook.rule import Lang

FORMAT, VERSION = "voicetable.review", 1


def document(review: Review, lang: Lang = "en", names: Mapping[int, str] | None = None) -> dict[str, Any]:
    """The whole review as JSON values. names: of the seats, where they are known. lang: of headings and notes."""
    course, played = review.course, review.played
    over = course.named("over")
    return {
        "format": FORMAT,
        "version": VERSION,
        "lang": lang,
        "state": review.state,
        "winner": course.winner,
        "length_s": (over[0] if over else course.steps[-1]).t,
        "ruleset": None if played is None else {
            "name": played.ruleset,
            "code": review.code(),
            "options": dict(played.options) if played.told else None,
            "numbers": listed(played.numbers),
        },
        "cards": {str(seat): card for seat, card in course.cards.items()},
        "players": [_player(player, review, names or {}) for player in review.players.values()],
        "votes": _votes(course),
        "ballots": review.ballots,
        "shots": _shots(review.players),
        "checks": _checks(review.players),
        "bonuses": _bonuses(review.points),
        "statistics": review.statistics,
        "days": review.days,
        "timeline": [circle.to_json() for circle in review.timeline],
        "knowledge": _knowledge(review),
        "club": review.club(lang),
        "acts": [act.to_json(played.ruleset, lang) for act in review.acts] if played is not None else [],
        "events": [event.to_json() for event in course.events],
    }  # fmt: skip


def _player(player: Player, review: Review, names: Mapping[int, str]) -> dict[str, Any]:
    own = review.points[player.seat].to_json() if review.points is not None else None
    if own is not None:
        del own["seat"]
    said = player.to_json()
    checked = {
        by.card: check.get("night")
        for by in review.players.values()
        for check in reversed(by.checks)
        if check["target"] == player.seat
    }
    return {
        "seat": said.pop("seat"),
        "name": names.get(player.seat),
        "role": said.pop("card"),
        "colour": said.pop("colour"),
        "points": own,
        "guess": said["best_move"],
        "legacy": said.pop("best_move"),
        "bonus": own["extra"] if own is not None else None,
        "don": checked.get("don"),
        "sheriff": checked.get("sheriff", checked.get("detective")),
        **said,
    }


def _votes(course: Course) -> list[dict[str, Any]]:
    """Every vote: day, round, voter, candidate (null: abstained)."""
    votes: list[dict[str, Any]] = []
    for step in course.named("votes"):
        day = step.stage.circle[1] if step.stage.circle is not None else None
        votes += [
            {"day": day, "round": step.fields["round"], "voter": int(voter), "candidate": candidate}
            for voter, candidate in step.fields["votes"].items()
        ]
    return votes


def _shots(players: Mapping[int, Player]) -> list[dict[str, Any]]:
    shots = [
        {"night": shot.get("night"), "shooter": player.seat, "victim": shot["target"]}
        for player in players.values()
        for shot in player.shooting
    ]
    return sorted(shots, key=_night_and_shooter)


def _night_and_shooter(shot: dict[str, Any]) -> tuple[int, int]:
    return shot["night"] or 0, shot["shooter"]


def _checks(players: Mapping[int, Player]) -> list[dict[str, Any]]:
    checks = [
        {"night": check.get("night"), "role": player.card, "seat": player.seat, "player": check["target"],
         "answer": check["answer"], "hit": check["hit"]}
        for player in players.values()
        for check in player.checks
    ]  # fmt: skip
    return sorted(checks, key=lambda check: (check["night"] or 0, check["seat"]))


def _bonuses(points: Mapping[int, Points] | None) -> list[dict[str, Any]]:
    """Points beside the outcome's, one object each."""
    bonuses: list[dict[str, Any]] = []
    for seat, own in (points or {}).items():
        parts = (("best_move", own.best_move), ("removal", own.removal))
        bonuses += [{"player": seat, "kind": kind, "points": value} for kind, value in parts if value]
    return bonuses


def _knowledge(review: Review) -> dict[str, Any]:
    """By night and day, what each seat became certain of, with the truth; and the events that were for few."""
    circles: list[dict[str, Any]] = []
    for at in (None, *(record.circle for record in review.timeline)):
        facts = {
            str(seat): [fact.to_json() for fact in own.facts if fact.circle == at]
            for seat, own in review.knowledge.items()
        }
        name: dict[str, Any] = {"deal": True} if at is None else {at[0]: at[1]}
        circles.append(name | {"seats": {seat: new for seat, new in facts.items() if new}})
    shown = {str(seat): list(own.shown) for seat, own in review.knowledge.items()}
    return {"circles": circles, "shown": shown}
