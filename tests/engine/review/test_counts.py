"""Timeline, players, counts, points and critical days, held against counting by hand in the raw log."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from engine.lots import play
from engine.review import SpokenLine, document, review
from tests.engine.review.games import CARDS, RULESETS, all_vote, by_lot, do, made, night, puts_up, shots, until

BLACK = {"mafia", "don"}
SEEDS = range(6)

each_game = pytest.mark.parametrize(("ruleset", "seed"), [(name, seed) for name in RULESETS for seed in SEEDS])


def cards_of(events: Any) -> dict[int, str]:
    return {event["seat"]: event["card"] for event in events if event["event"] == "dealt"}


@each_game
def test_votes_and_votes_for_black_are_those_in_the_log(ruleset: str, seed: int) -> None:
    events = by_lot(ruleset, seed)
    cards = cards_of(events)
    votes: Counter[int] = Counter()
    black: Counter[int] = Counter()
    for event in events:
        for voter, target in event["votes"].items() if event["event"] == "votes" else ():
            votes[int(voter)] += target is not None
            black[int(voter)] += target is not None and cards[target] in BLACK
    for counts in review(events).statistics:
        assert (counts["votes"], counts["votes_for_black"]) == (votes[counts["seat"]], black[counts["seat"]])


@each_game
def test_checks_shots_and_nominations_are_those_in_the_log(ruleset: str, seed: int) -> None:
    events = by_lot(ruleset, seed)
    cards = cards_of(events)
    own = {counts["seat"]: counts for counts in review(events).statistics}
    answers = [event for event in events if event["event"] == "answer"]
    for seat, counts in own.items():
        mine = [event for event in answers if event["seat"] == seat]
        looked_for = {"sheriff": "black", "don": "sheriff", "detective": "mafia"}.get(cards[seat])
        assert counts["checks"] == len(mine)
        assert counts["checks_hit"] == sum(event["answer"] == looked_for for event in mine)
        named = [event for event in events if event["event"] == "nominated" and event["by"] == seat]
        assert counts["nominations"] == len(named)
        assert counts["nominations_of_black"] == sum(cards[event["seat"]] in BLACK for event in named)


@each_game
def test_who_left_and_how(ruleset: str, seed: int) -> None:
    events = by_lot(ruleset, seed)
    left = {event["seat"]: (event["how"], event["t"]) for event in events if event["event"] == "left"}
    own = review(events)
    for seat, player in own.players.items():
        death = player.death
        assert (None if death is None else (death["how"], death["time"])) == left.get(seat)
        assert death is None or ("night" in death) == (death["how"] == "shot")
    first = [player.seat for player in own.players.values() if player.first_killed]
    mornings = [event for event in events if event["event"] == "morning"]
    assert first == ([mornings[0]["killed"]] if mornings and mornings[0]["killed"] is not None else [])


@each_game
def test_the_timeline_has_every_event_of_the_table_once(ruleset: str, seed: int) -> None:
    events = by_lot(ruleset, seed)
    told: list[int] = []
    circles = [circle.to_json() for circle in review(events).timeline]
    for circle in circles:
        for phase in circle["phases"]:
            told += [item["index"] for item in phase["happened"]]
    frame = {"dealt", "night", "day", "phase", "mic", "refused"}
    assert told == [index for index, event in enumerate(events) if event["event"] not in frame]
    phases = [phase["phase"] for circle in circles for phase in circle["phases"]]
    assert phases == [event["name"] for event in events if event["event"] == "phase"]
    for circle in circles:
        for phase, after in zip(circle["phases"], circle["phases"][1:], strict=False):
            assert phase["until"] == after["t"]


@each_game
def test_critical_days_are_those_before_parity(ruleset: str, seed: int) -> None:
    events = by_lot(ruleset, seed)
    cards, living, days = cards_of(events), set(cards_of(events)), []
    for event in events:
        if event["event"] == "left":
            living.discard(event["seat"])
        elif event["event"] == "day":
            black = sum(cards[seat] in BLACK for seat in living)
            red = len(living) - black
            days.append((event["number"], black, red, red - (1 if ruleset == "teaching" else black)))
    own = review(events).days
    assert [(day["day"], day["black"], day["red"], day["lost_in"]) for day in own] == days
    assert [day["critical"] for day in own] == [spare == 1 for *_, spare in days]
    assert [day["no_mistake_left"] for day in own] == [spare == 2 for *_, spare in days]


@pytest.mark.parametrize("seed", range(25))
def test_the_points_are_the_sum_of_their_parts(seed: int) -> None:
    events = by_lot("sport", seed)
    own = review(events)
    cards, over = cards_of(events), events[-1]
    assert own.points is not None
    for seat, points in own.points.items():
        assert points.total == over["points"][str(seat)]
        assert points.outcome is not None
        assert points.best_move is not None
        assert points.removal == 0
        assert round(points.outcome + points.best_move, 1) == points.total
        won = (cards[seat] in BLACK) == (over["winner"] == "mafia")
        assert points.outcome == (0.0 if over["winner"] == "draw" else 1.3 if won else 0.3)
    for event in events:
        if event["event"] == "best_move" and cards[event["seat"]] not in BLACK:
            black = sum(cards[seat] in BLACK for seat in event["seats"])
            assert own.points[event["seat"]].best_move == {3: 0.7, 2: 0.5}.get(black, 0.0)


def test_points_by_other_numbers_are_taken_apart_only_where_the_numbers_are_told() -> None:
    options = {"points_win": 2.0, "points_loss": 0.7}
    events = play(3, "sport", options).events
    told, untold = review(events, ruleset="sport", options=options).points, review(events).points
    assert told is not None
    assert untold is not None
    assert {points.outcome for points in told.values()} <= {2.0, 0.7, 0.0}
    assert {points.outcome for points in untold.values()} == {None}
    assert {points.extra for points in untold.values()} == {None}
    assert [points.total for points in untold.values()] == [points.total for points in told.values()]


def test_a_removal_takes_points_and_is_told_with_its_fouls() -> None:
    signs = [do("sign", 8, sentence=["red"])] * 7
    own = review(made(until("speech", 1), *signs, *shots(1), {"wait": 5000}))
    player = own.players[8]
    assert own.points is not None
    assert (own.points[8].removal, own.points[8].extra) == (-0.8, -0.8)
    assert player.death == {"how": "removal", "day": 1, "time": 120.0}
    assert [foul["fouls"] for foul in player.fouls] == [1, 2, 3, 4]
    assert player.fouls[0]["stage"] == {"day": 1, "phase": "speech", "seat": 1}
    assert player.fouls_standing == 4


def test_a_ruling_takes_back_the_warning_or_the_foul() -> None:
    flagged = [
        until("speech", 1),
        do("line", 1, line=1, category="insult", severity="likely"),
        do("line", 1, line=2, category="hate", severity="likely"),
    ]
    warned = review(made(*flagged, do("ruling", line=1, uphold=False))).players[1]
    fouled = review(made(*flagged, do("ruling", line=2, uphold=False))).players[1]
    assert ([each["taken_back"] for each in warned.warnings], warned.fouls_standing) == ([True], 1)
    assert ([each["taken_back"] for each in fouled.warnings], fouled.fouls_standing) == ([False], 0)
    assert fouled.fouls[0]["category"] == "hate"


def test_a_re_vote_and_a_lift_are_told_with_their_candidates() -> None:
    half = {seat: 8 if seat <= 5 else 9 for seat in range(1, 11)}
    lift = [until("lift"), *(do("lift", seat, yes=seat < 7) for seat in range(1, 11))]
    steps = [*puts_up(1, 8), *puts_up(2, 9), *all_vote(half), {"wait": 1}, *all_vote(half), *lift]
    own = review(made(*steps))
    assert [(ballot.get("round"), ballot.get("lift"), ballot["left"]) for ballot in own.ballots] == [
        (1, None, []), (2, None, []), (None, 6, [8, 9]),
    ]  # fmt: skip
    assert own.ballots[1]["candidates"] == [8, 9]
    assert own.ballots[1]["count"] == {"8": 5, "9": 5}
    phase = next(phase for circle in own.timeline for phase in circle.phases if phase.stage.round == 2)
    assert [item["event"] for item in phase.happened] == ["votes", "tie"]
    assert own.players[8].death == {"how": "lift", "day": 1, "time": own.course.named("lifted")[0].t}
    assert own.players[7].lifting == [{"day": 1, "yes": False}]


def test_a_pick_changed_is_one_shot_and_only_the_last_one_stands() -> None:
    own = review(made(until("shot"), do("shoot", 6, target=1), do("shoot", 6, target=2), until("don_check")))
    assert [shot["target"] for shot in own.players[6].shooting] == [2]
    picks = [item for circle in own.timeline for phase in circle.phases for item in phase.happened]
    assert [item["stands"] for item in picks if item["event"] == "pick"] == [False, True]


def test_a_claim_stands_beside_the_truth() -> None:
    own = review(made(until("speech", 5), do("say", 5, kind="claim", card="sheriff")))
    assert [(claim["card"], claim["truth"]) for claim in own.players[5].claims] == [("sheriff", "don")]


def test_a_lost_connection_and_the_bot_after_it() -> None:
    own = review(made(do("away", 1), {"wait": 5}, do("back", 1), do("away", 2), {"wait": 130}))
    assert own.players[1].away == [{"time": 0.0, "back": 5.0}]
    assert (own.players[2].away, own.players[2].bot_since) == ([{"time": 5.0, "back": None}], 125.0)


def test_a_saved_seat_is_the_doctors_merit() -> None:
    cards = ["mafia", "detective", "doctor", "town", "town", "town"]
    steps = [do("shoot", 1, target=4), until("protect"), do("protect", 3, target=4), until("speech")]
    own = review(made(*steps, ruleset="teaching", cards=cards))
    assert own.statistics[2]["saves"] == 1
    missed = review(made(*steps[1:], ruleset="teaching", cards=cards))
    assert (missed.statistics[2]["protections"], missed.statistics[2]["saves"]) == (1, 0)


def test_spoken_lines_stand_in_their_speech() -> None:
    line = SpokenLine("1", 2, "Я красный", 125.0, 128.5, "voice")
    own = review(made({"wait": 300}), lines=[line])
    speech = next(phase for circle in own.timeline for phase in circle.phases if phase.stage.seat == 2)
    assert speech.happened == [line.to_json()]
    assert speech.happened[0]["text"] == "Я красный"


def test_the_document_of_a_first_kill() -> None:
    named = [until("best_move"), do("best_move", 9, seats=[6, 1, 5])]
    whole = document(review(made(*shots(9), *named), ruleset="sport", options={}), "ru", {9: "Нина"})
    player = whole["players"][8]
    assert (player["name"], player["role"], player["legacy"], player["guess"]) == (
        "Нина", "civilian", [1, 5, 6], [1, 5, 6],
    )  # fmt: skip
    assert player["first_killed"]
    assert whole["state"] == "unfinished"
    assert whole["winner"] is None
    assert whole["ruleset"]["code"] == "sport1"
    assert whole["cards"] == {str(seat): card for seat, card in enumerate(CARDS, 1)}
    assert whole["shots"] == [{"night": 2, "shooter": seat, "victim": 9} for seat in (5, 6, 7)]
    assert whole["events"][-1]["event"] == "mic"


def test_checks_of_the_document_say_what_was_found() -> None:
    whole = document(review(made(*night(1, don=3, sheriff=6))))
    assert [(check["role"], check["player"], check["answer"], check["hit"]) for check in whole["checks"]] == [
        ("sheriff", 6, "black", True), ("don", 3, "sheriff", True),
    ]  # fmt: skip
    assert [(player["don"], player["sheriff"]) for player in whole["players"][2:6]] == [
        (2, None), (None, None), (None, None), (None, 2),
    ]  # fmt: skip


def test_a_stopped_game_is_abandoned() -> None:
    own = review(made(do("stop"), ruleset="quick", cards=["mafia", "mafia", "town", "town", "town", "town"],
                      options={"seats": 6}))  # fmt: skip
    assert (own.state, own.course.winner, own.points) == ("abandoned", None, None)
