"""Bots that play sport Mafia."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.bots.bot import Lang, Move
from engine.bots.sport_memory import BLACK, RED, Memory
from engine.bots.sport_words import WORDS
from engine.rulesets.sport.numbers import SportNumbers
from engine.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.numbers import Numbers

PAUSE_S = (2.0, 4.0)
"""Between two things that a bot does in its speech."""

THINK_S = (2.0, 9.0)
"""Before a vote or a night pick."""

LATEST = 0.9
"""The part of a phase's remaining time by which a bot has done everything."""


CERTAIN = 2.0
"""The doubt from which a bot always nominates."""


class SportBot:
    """Plays one seat. The same seat, language, seed and views give the same moves."""

    def __init__(self, seat: int, lang: Lang = "en", seed: int = 0, numbers: Numbers | None = None) -> None:
        """numbers: the game's table of numbers, which every player knows; the ruleset's own by default."""
        self.seat = seat
        self.lang = lang
        self._numbers = numbers if numbers is not None else SportNumbers()
        self._stream = Stream(seed * 1_000_003 + seat)
        self._memory = Memory.fresh(seat, self._numbers.seats, self._stream)
        self._acted_in = 0
        self._wants: list[tuple[str, object]] = []

    def see(self, event: Mapping[str, Any]) -> None:
        """Takes in one event, in the form the seat was shown it."""
        self._memory.see(event)

    def act(self, now: float) -> list[Move]:
        """What the bot wants to do in the running phase, in order of time; empty when asked again in the same phase.

        Where its seat has done something already before the bot took over, such as voted, the table refuses the
        second one, and nothing is lost.
        """
        memory = self._memory
        if self._acted_in == memory.phase or memory.ends is None:
            return []
        self._acted_in = memory.phase
        choose = _CHOICES.get(memory.phase_name)
        if choose is None:
            return []
        self._wants = []
        choose(self)
        return self._timed(now, memory.ends)

    # what is wanted, in order, and when

    def _do(self, do: str, **fields: object) -> None:
        self._wants.append(("command", {"do": do, "seat": self.seat, **fields}))

    def _speak(self, topic: str, seat: int | None = None) -> None:
        line = self._stream.pick(WORDS[topic][self.lang])
        self._wants.append(("caption", line.format(seat=seat)))

    def _timed(self, now: float, ends: float) -> list[Move]:
        low, high = PAUSE_S if self._memory.phase_seat == self.seat else THINK_S
        longest = max(0.0, ends - now) * LATEST / max(1, len(self._wants))
        at, moves = now, []
        for kind, what in self._wants:
            at += min(low + (high - low) * self._stream.chance(), longest)
            moves.append(Move(round(at, 3), self._memory.phase, **{kind: what}))  # type: ignore[arg-type]
        return moves

    # the day

    def _speech(self) -> None:
        memory = self._memory
        if memory.phase_seat != self.seat:
            return
        self._show_checks()
        suspects = memory.suspects()
        if memory.accusers:
            self._speak("accused", memory.accusers[-1])
        elif not suspects or (memory.day == 1 and self._stream.chance() < 0.5):
            self._speak("opening")
        elif self._stream.chance() < 0.7:
            self._speak("suspect", suspects[0])
            if self._stream.chance() < 0.3:
                self._do("say", kind="ask", target=suspects[0])
        else:
            self._speak("trust", suspects[-1])
        target = self._nominee(suspects)
        if target is not None:
            self._do("nominate", target=target)
            self._speak("nominate", target)
        elif self._stream.chance() < 0.5:
            self._speak("done")
        self._do("pass")

    def _short_turn(self) -> None:
        if self._memory.phase_seat != self.seat:
            return
        target = self._nominee(self._memory.suspects())
        if target is not None:
            self._do("nominate", target=target)  # ends the turn
        else:
            self._do("pass")

    def _nominee(self, suspects: list[int]) -> int | None:
        memory = self._memory
        most: int = getattr(self._numbers, "nominations", 1)
        if memory.nominated >= most:
            return None
        fresh = [seat for seat in suspects if seat not in memory.nominees]
        if not fresh:
            return None
        # A table that names nobody never gets on: the fewer names there are, the likelier one more is given.
        eager = memory.doubt(fresh[0]) > CERTAIN or self._stream.chance() < 0.8 / (1 + len(memory.nominees))
        return fresh[0] if eager else None

    def _show_checks(self) -> None:
        """The sheriff comes out with a black check; the don may answer another's claim with one of his own."""
        most: int = getattr(self._numbers, "signs_per_speech", 0)
        memory, room = self._memory, most - self._memory.signs
        if memory.card == "sheriff" and (BLACK in memory.checks.values() or self.seat in memory.told):
            checks = [(s, c) for s, c in memory.checks.items() if s not in memory.shown_checks]
        elif memory.card == "don" and memory.told and self.seat not in memory.told and self._stream.chance() < 0.4:
            rivals = [(seat, BLACK) for seat in memory.told if seat not in memory.team]
            checks = rivals[:1]
        else:
            return
        if self.seat not in memory.told:
            self._do("say", kind="claim", card="sheriff")
            self._speak("claim")
        for seat, colour in checks[: max(0, room)]:
            self._do("sign", sentence=["check", seat, colour])
            self._speak("check_black" if colour == BLACK else "check_red", seat)

    def _tie_speech(self) -> None:
        if self._memory.phase_seat == self.seat:
            self._speak("tie")
            self._do("pass")

    def _last_word(self) -> None:
        if self._memory.phase_seat == self.seat:
            self._speak("last_word")
            suspects = self._memory.suspects()
            if suspects:
                self._speak("suspect", suspects[0])
            self._do("pass")

    def _vote(self) -> None:
        memory = self._memory
        if self.seat in memory.living and memory.candidates:
            self._do("vote", target=min(memory.candidates, key=self._mercy))

    def _mercy(self, seat: int) -> tuple[bool, float, int]:
        """Orders candidates from whom the bot would vote out first to whom it would keep."""
        mine = seat == self.seat or seat in self._memory.team
        return mine, -self._memory.doubt(seat), seat

    def _lift(self) -> None:
        memory = self._memory
        if self.seat in memory.living:
            friends = {self.seat, *memory.team} | {seat for seat, known in memory.checks.items() if known == RED}
            doubts = [memory.doubt(seat) for seat in memory.living]
            tied = [memory.doubt(seat) for seat in memory.candidates]
            darker = bool(tied) and sum(tied) / len(tied) > sum(doubts) / len(doubts)
            self._do("lift", yes=darker and friends.isdisjoint(memory.candidates))

    def _best_move(self) -> None:
        if self._memory.phase_seat == self.seat:
            most: int = getattr(self._numbers, "best_move_seats", 0)
            self._do("best_move", seats=self._memory.suspects()[:most])

    # the night

    def _agreement(self) -> None:
        """The don orders the red seats. No bot says "ok": it would tell who plays with whom."""
        memory = self._memory
        if memory.card == "don":
            red = [seat for seat in sorted(memory.living) if seat not in memory.team]
            self._do("order", seats=self._stream.shuffled(red))

    def _shot(self) -> None:
        """All follow the order, for a kill takes all; after its end, the lowest red seat."""
        memory = self._memory
        if self.seat in memory.team and self.seat in memory.living:
            red = [seat for seat in [*memory.order, *sorted(memory.living)] if seat in memory.living]
            targets = [seat for seat in red if seat not in memory.team]
            if targets:
                self._do("shoot", target=targets[0])

    def _don_check(self) -> None:
        if self._memory.card == "don":
            claimants = [seat for seat in self._fresh() if seat in self._memory.told]
            self._check(claimants or self._fresh())

    def _sheriff_check(self) -> None:
        if self._memory.card == "sheriff":
            self._check(self._fresh()[:3])

    def _fresh(self) -> list[int]:
        return [seat for seat in self._memory.suspects() if seat not in self._memory.checks]

    def _check(self, seats: list[int]) -> None:
        if seats and self.seat in self._memory.living:
            self._do("check", target=self._stream.pick(seats))


_CHOICES: dict[str, Callable[[SportBot], None]] = {
    "agreement": SportBot._agreement,
    "speech": SportBot._speech,
    "short_turn": SportBot._short_turn,
    "vote": SportBot._vote,
    "tie_speech": SportBot._tie_speech,
    "lift": SportBot._lift,
    "shot": SportBot._shot,
    "don_check": SportBot._don_check,
    "sheriff_check": SportBot._sheriff_check,
    "best_move": SportBot._best_move,
    "last_word": SportBot._last_word,
}


def make(seat: int, lang: Lang, seed: int, numbers: Numbers) -> SportBot:
    """A bot for one seat."""
    return SportBot(seat, lang, seed, numbers)
