"""What bots do in given positions. The positions are told as a seat is shown them, event by event."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.bots import Move, bot_for
from engine.bots.prospects import prospects
from engine.bots.sport import SportBot
from engine.bots.talker import Talker
from engine.numbers import read
from engine.rulesets import ruleset as find_ruleset


@dataclass
class Told:
    """A bot, and a way to tell it what happens."""

    bot: Talker
    t: float = 0.0
    said: list[Move] = field(default_factory=list)

    @classmethod
    def seat(
        cls, seat: int, card: str, team: tuple[int, ...] = (), ruleset: str = "sport", seed: int = 1, **options: int
    ) -> Told:
        numbers = read(find_ruleset(ruleset).numbers_type, options)
        bot = bot_for(ruleset, seat, "en", seed, numbers)
        assert isinstance(bot, Talker)
        told = cls(bot)
        told.see("dealt", seat=seat, card=card, **({"team": list(team)} if team else {}))
        return told

    def see(self, event: str, **fields: Any) -> Told:
        self.bot.see({"t": self.t, "event": event, **fields})
        return self

    def phase(self, name: str, **fields: Any) -> list[dict[str, Any]]:
        """Begins a phase, and returns the commands the bot wants in it."""
        self.see("phase", name=name, ends=self.t + 60, **fields)
        moves = self.bot.act(self.t)
        self.t += 60
        self.said = [move for move in moves if move.caption is not None]
        return [dict(move.command) for move in moves if move.command is not None]

    def night(self, number: int, killed: int | None = None) -> Told:
        """A shooting night and its morning."""
        self.see("night", number=number)
        for name in ("shot", "don_check", "sheriff_check"):
            self.see("phase", name=name, ends=self.t)
        self.see("morning", killed=killed)
        if killed is not None:
            self.see("left", seat=killed, how="shot")
        return self

    def claim(self, seat: int, **checks: str) -> Told:
        self.see("phase", name="speech", seat=seat, ends=self.t)
        self.see("said", seat=seat, kind="claim", card="sheriff")
        for target, colour in checks.items():
            self.see("signed", seat=seat, sentence=["check", int(target[1:]), colour])
        return self


def done(commands: list[dict[str, Any]], do: str) -> list[dict[str, Any]]:
    return [command for command in commands if command["do"] == do]


def sheriff(answer: str) -> Told:
    told = Told.seat(4, "sheriff").see("night", number=1).see("day", number=1)
    told.see("night", number=2).see("phase", name="sheriff_check", ends=0.0)
    told.see("answer", seat=4, target=7, answer=answer)
    return told.see("morning", killed=2).see("left", seat=2, how="shot").see("day", number=2)


def test_the_sheriff_comes_out_with_a_black_check_and_puts_it_up() -> None:
    commands = sheriff("black").phase("speech", seat=4)
    assert commands[0] == {"do": "say", "seat": 4, "kind": "claim", "card": "sheriff"}
    assert commands[1] == {"do": "sign", "seat": 4, "sentence": ["check", 7, "black"]}
    assert done(commands, "nominate") == [{"do": "nominate", "seat": 4, "target": 7}]
    assert commands[-1]["do"] == "pass"


def test_the_sheriff_hides_with_one_red_check() -> None:
    commands = sheriff("red").phase("speech", seat=4)
    assert not done(commands, "say")
    assert not done(commands, "sign")
    assert all(command["target"] != 7 for command in done(commands, "nominate"))


def test_the_sheriff_answers_a_false_claim_and_tells_all_with_the_last_word() -> None:
    told = sheriff("red").claim(9, s4="black")
    commands = told.phase("speech", seat=4)
    assert commands[:2] == [
        {"do": "say", "seat": 4, "kind": "claim", "card": "sheriff"},
        {"do": "sign", "seat": 4, "sentence": ["check", 7, "red"]},
    ]
    assert "9" in str(told.said[0].caption), "names the rival"
    assert done(commands, "nominate")[0]["target"] == 9
    shot = sheriff("black").see("night", number=3).see("morning", killed=4).see("left", seat=4, how="shot")
    last = shot.phase("last_word", seat=4)
    assert last[0]["kind"] == "claim"
    assert {"do": "say", "seat": 4, "kind": "ask", "target": 7} in last, "no sign is allowed any more"


def test_the_town_follows_a_lone_claim() -> None:
    told = Told.seat(1, "civilian").see("night", number=1).see("day", number=1).night(2, killed=3).see("day", number=2)
    told.claim(4, s7="black", s8="red")
    black = told.bot.believed()
    assert black[7] > 0.9
    assert black[8] < 0.1
    assert black[4] < 0.1
    told.see("nominated", seat=8, by=9).see("nominated", seat=7, by=4)
    assert done(told.phase("vote", round=1), "vote") == [{"do": "vote", "seat": 1, "target": 7}]
    assert told.bot.suspects()[0] == 7


def test_a_claimant_that_calls_a_red_seat_black_is_a_liar_to_it() -> None:
    told = Told.seat(1, "civilian").see("night", number=1).see("day", number=1).night(2, killed=3).see("day", number=2)
    told.claim(4, s1="black")
    assert told.bot.believed()[4] > 0.7
    told.phase("speech", seat=1)
    assert "4" in str(told.said[0].caption)


def test_all_black_seats_shoot_at_the_same_seat_by_the_order_and_a_claimed_sheriff_first() -> None:
    for claims, target in ((False, 5), (True, 8)):
        picks = set()
        for seat, card in ((2, "mafia"), (6, "don"), (9, "mafia")):
            told = Told.seat(seat, card, (2, 6, 9), seed=seat)
            told.see("night", number=1).see("order", seats=[5, 8, 1, 3], by="don").see("day", number=1)
            if claims:
                told.claim(8)
            told.see("night", number=2)
            picks.add(done(told.phase("shot"), "shoot")[0]["target"])
        assert picks == {target}


def test_black_seats_shoot_no_rival_of_their_own_team() -> None:
    told = Told.seat(2, "mafia", (2, 6, 9)).see("night", number=1).see("order", seats=[5, 8], by="don")
    told.see("day", number=1).claim(6, s8="black").see("night", number=2)
    assert done(told.phase("shot"), "shoot")[0]["target"] == 5


def test_the_don_looks_where_the_sheriff_is_likeliest() -> None:
    told = Told.seat(6, "don", (2, 6, 9)).see("night", number=1).see("day", number=1).claim(8)
    told.see("night", number=2)
    assert done(told.phase("don_check"), "check") == [{"do": "check", "seat": 6, "target": 8}]
    told.see("answer", seat=6, target=8, answer="sheriff")
    told.see("night", number=3)
    assert done(told.phase("don_check"), "check")[0]["target"] not in (2, 6, 8, 9)


def test_a_black_seat_that_is_caught_may_claim_the_card_itself() -> None:
    claimed = 0
    for seed in range(40):
        told = Told.seat(7, "mafia", (2, 6, 7), seed=seed).see("night", number=1).see("day", number=1)
        told.night(2, killed=3).see("day", number=2).claim(4, s7="black")
        commands = told.phase("speech", seat=7)
        if done(commands, "say"):
            claimed += 1
            signs = [command["sentence"] for command in done(commands, "sign")]
            assert ["check", 4, "black"] in signs
            assert told.bot.believed()[4] == pytest.approx(1.0), "and plays it"
    assert 8 < claimed < 32


def test_a_black_seat_votes_for_its_own_only_where_the_game_is_not_at_stake() -> None:
    told = Told.seat(2, "mafia", (2, 6, 9)).see("night", number=1).see("day", number=1).night(2, killed=3)
    told.see("day", number=2).claim(4, s6="black").see("nominated", seat=6, by=4).see("nominated", seat=1, by=6)
    assert done(told.phase("vote", round=1), "vote")[0]["target"] == 6, "the town will anyhow"
    for seat in (9, 5, 7):
        told.see("left", seat=seat, how="vote")
    told.night(3, killed=8).see("day", number=3)  # 1, 2, 4, 6, 10 live
    told.see("nominated", seat=6, by=4).see("nominated", seat=1, by=6)
    assert done(told.phase("vote", round=1), "vote")[0]["target"] == 1


def test_best_move_names_the_three_likeliest() -> None:
    told = Told.seat(1, "civilian").see("night", number=1).see("day", number=1).claim(4, s7="black")
    told.see("night", number=2).see("morning", killed=1).see("left", seat=1, how="shot")
    (best_move,) = told.phase("best_move", seat=1)
    assert best_move["do"] == "best_move"
    assert best_move["seats"] == told.bot.suspects()[:3]
    assert best_move["seats"][0] == 7
    black = told.bot.believed()
    assert min(black[seat] for seat in best_move["seats"]) + 0.1 > max(
        black[seat] for seat in told.bot.scene.living if seat not in best_move["seats"]
    )


def test_the_lift_is_answered_by_what_is_expected_of_it() -> None:
    for colour, yes in (("black", True), ("red", False)):
        told = Told.seat(1, "civilian").see("night", number=1).see("day", number=1).night(2, killed=3)
        told.see("day", number=2).claim(4, s7=colour, s8=colour)
        told.see("nominated", seat=7, by=4).see("nominated", seat=8, by=5).phase("vote", round=1)
        told.see("tie", seats=[7, 8])
        assert told.phase("lift") == [{"do": "lift", "seat": 1, "yes": yes}]
    told = Told.seat(1, "civilian").see("night", number=1).see("day", number=1)
    told.see("nominated", seat=1, by=4).see("nominated", seat=8, by=5).phase("vote", round=1)
    told.see("tie", seats=[1, 8])
    assert told.phase("lift") == [{"do": "lift", "seat": 1, "yes": False}]


def test_prospects_are_ordered_as_positions_are() -> None:
    assert prospects(8, 0) == 1.0
    assert prospects(6, 3) == prospects(4, 2) == 0.0
    for living in range(3, 10):
        for black in range(1, 4):
            assert 0.0 <= prospects(living, black) <= prospects(living, black - 1) <= 1.0


def test_signs_are_heard_as_claims_checks_and_questions() -> None:
    told = Told.seat(1, "civilian").see("night", number=1).see("day", number=1)
    told.see("signed", seat=4, sentence=["sheriff"])
    assert told.bot.evidence.claims == {4: {}}
    told.see("signed", seat=5, sentence=["check", 8, "red"])
    assert told.bot.evidence.claims == {4: {}, 5: {8: False}}
    before = told.bot.evidence.belief.pair[6][9]
    told.see("signed", seat=6, sentence=[9, "black"]).see("signed", seat=7, sentence=["vote", 99])
    assert told.bot.evidence.belief.pair[6][9] < before
    assert told.bot.evidence.asked == {9: 1}


def test_the_claims_of_two_of_a_team_never_come_from_bots() -> None:
    for seed in range(30):
        told = Told.seat(2, "don", (2, 6, 9), seed=seed).see("night", number=1).see("day", number=1)
        told.claim(4).claim(6, s4="black")
        assert not done(told.phase("speech", seat=2), "say")


def test_a_mafia_bot_follows_what_its_partner_picks_where_picks_are_shown() -> None:
    told = Told.seat(2, "mafia", (2, 6), "quick").see("night", number=2)
    (own,) = told.phase("shot")
    other = next(seat for seat in (1, 3, 4) if seat != own["target"])
    told.see("pick", seat=2, target=own["target"])
    assert told.bot.act(told.t) == []
    told.t -= 55
    told.see("pick", seat=6, target=other)
    (move,) = told.bot.act(told.t)
    assert move.command == {"do": "shoot", "seat": 2, "target": other}
    assert told.bot.act(told.t) == []


def test_the_doctor_keeps_a_believed_claimant_and_nobody_twice_running() -> None:
    told = Told.seat(3, "doctor", ruleset="teaching").see("night", number=1).see("day", number=1)
    told.see("said", seat=5, kind="claim", card="detective").see("night", number=2)
    assert told.phase("protect") == [{"do": "protect", "seat": 3, "target": 5}]
    told.see("pick", seat=3, target=5).see("day", number=2).see("night", number=3)
    assert told.phase("protect")[0]["target"] != 5
    told.see("day", number=3).see("night", number=4)
    assert told.phase("protect")[0]["target"] == 5, "a night without a pick frees it"


def test_sport_bots_play_the_sport_numbers() -> None:
    assert Told.seat(1, "civilian").bot.evidence.belief.size == 3
    assert Told.seat(1, "town", ruleset="party", seats=13).bot.evidence.belief.size == 2
    assert Told.seat(1, "town", ruleset="party", seats=7).bot.evidence.belief.size == 1
    assert SportBot.ruleset == "sport"
