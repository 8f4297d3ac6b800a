"""Games in which everything is drawn by lot: the rules at full speed, without bots and without views.

Whoever draws sees the whole state and chooses for every seat, legally at once, in the middle of each phase. So these
games say nothing of how anybody plays; they are for measuring the engine, and for tests that need many games.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from engine.permits import permits_of
from engine.replay import Start
from engine.selfplay import Played
from engine.stream import Stream

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.game import Game
    from engine.permits import Permits

Commands: TypeAlias = list[dict[str, Any]]


def play(seed: int, ruleset: str = "sport", options: Mapping[str, object] | None = None) -> Played:
    """Plays one game to its end. The same arguments give the same game; no command of it is refused.

    Raises:
        GameError: what `Game.start` refuses, or a ruleset that does not say what a seat may choose (`permits`).
    """
    start = Start(ruleset, options or {}, seed)
    game, events = start.game()
    played, lot = Played(start, game, events), Lot(game, permits_of(ruleset), seed)
    inputs, state = played.inputs, game.state
    while (ends := game.due) is not None:
        choose = _CHOICES.get(state.phase.name)
        if choose is not None and state.now < ends:  # what is done at a phase's end is done in the next one
            phase, at = state.phase, (state.now + ends) / 2
            for command in choose(lot):
                inputs.append((at, command))
                events += game.command(command, at)
            if state.phase is not phase:
                continue
        inputs.append((ends, None))
        events += game.advance(ends)
    return played


class Lot:
    """Draws for all seats of one game. checked: whom the don has checked. protected: on which night, whom."""

    __slots__ = ("checked", "game", "permits", "protected", "state", "stream")

    def __init__(self, game: Game, permits: Permits, seed: int) -> None:
        self.game = game
        self.state = game.state
        self.permits = permits
        self.stream = Stream(~seed)  # another one than the game's own
        self.checked: list[int] = []
        self.protected: tuple[int, int] = (0, 0)

    def order(self) -> Commands:
        """The don's order of all living seats."""
        don = self._holder("don")
        return [{"do": "order", "seat": don, "seats": self.stream.shuffled(self.state.living)}] if don else []

    def speech(self) -> Commands:
        """Half of the speakers nominate, where a speech may; all pass."""
        named = self._named() if self.permits.speech_nominates else []
        return [*named, *self.only_pass()]

    def short_turn(self) -> Commands:
        """A nomination, or a pass."""
        return self._named() or self.only_pass()

    def nomination(self) -> Commands:
        """The phase's seat names somebody or passes; a phase that is nobody's gets one nomination or none."""
        state, stream = self.state, self.stream
        named = state.living
        if (seat := state.phase.seat) is None:
            if stream.below(2):
                return []
            seat = stream.pick(state.living)
        elif stream.below(2):
            return self.only_pass()
        if not self.permits.nominates_self:
            named = [other for other in named if other != seat]
        return [{"do": "nominate", "seat": seat, "target": stream.pick(named)}]

    def only_pass(self) -> Commands:
        """The turn ends."""
        return [{"do": "pass", "seat": self.state.phase.seat}]

    def vote(self) -> Commands:
        """Every living seat's vote, each answer that there is as likely as the others."""
        below, candidates, permits = self.stream.below, self.state.ballot.candidates, self.permits
        commands: Commands = []
        for seat in self.state.living:
            up = candidates if permits.votes_self else [other for other in candidates if other != seat]
            drawn = below(len(up) + permits.may_abstain)
            if drawn < len(up):
                commands.append({"do": "vote", "seat": seat, "target": up[drawn]})
            else:
                commands.append({"do": "pass", "seat": seat})
        return commands

    def lift(self) -> Commands:
        """Every living seat's answer."""
        return [{"do": "lift", "seat": seat, "yes": self.stream.below(2) == 1} for seat in self.state.living]

    def shot(self) -> Commands:
        """The living mafia agree on one seat outside their team."""
        state = self.state
        target = self.stream.pick([seat for seat in state.living if seat not in state.mafia])
        return [{"do": "shoot", "seat": seat, "target": target} for seat in state.living if seat in state.mafia]

    def don_check(self) -> Commands:
        """A living don checks a seat that he has not checked."""
        state = self.state
        seats = [seat for seat in state.living if seat not in state.mafia and seat not in self.checked]
        commands = self._pick("check", "don", seats)
        self.checked += [command["target"] for command in commands]
        return commands

    def sheriff_check(self) -> Commands:
        """A living sheriff checks another seat."""
        return self._pick("check", "sheriff", self.state.living)

    def check(self) -> Commands:
        """A living detective checks another seat."""
        return self._pick("check", "detective", self.state.living)

    def protect(self) -> Commands:
        """A living doctor protects somebody else than the night before."""
        state, (night, last) = self.state, self.protected
        barred = last if night == state.night - 1 else 0
        commands = self._pick("protect", "doctor", [seat for seat in state.living if seat != barred], own=True)
        for command in commands:
            self.protected = (state.night, command["target"])
        return commands

    def best_move(self) -> Commands:
        """As many different seats as may be named."""
        most: int = getattr(self.state.numbers, "best_move_seats", 0)
        named = self.stream.shuffled(self.state.living)[:most]
        return [{"do": "best_move", "seat": self.state.phase.seat, "seats": named}]

    def _pick(self, do: str, card: str, seats: list[int], own: bool = False) -> Commands:
        """The night pick of the seat that holds `card`, where it lives. own: it may pick itself."""
        holder = self._holder(card)
        if holder not in self.state.living:
            return []
        if not own:
            seats = [seat for seat in seats if seat != holder]
        return [{"do": do, "seat": holder, "target": self.stream.pick(seats)}] if seats else []

    def _holder(self, card: str) -> int:
        """The seat that was dealt `card`; 0 where the deck has none."""
        cards = self.state.cards
        return cards.index(card) + 1 if card in cards else 0

    def _named(self) -> Commands:
        state, stream = self.state, self.stream
        seat = state.phase.seat
        if not getattr(state.numbers, "nominations", 1) or stream.below(2):
            return []
        target = stream.pick(state.living)
        if target in state.nominees or (target == seat and not self.permits.nominates_self):
            return []
        return [{"do": "nominate", "seat": seat, "target": target}]


_CHOICES: dict[str, Callable[[Lot], Commands]] = {
    "agreement": Lot.order,
    "speech": Lot.speech,
    "short_turn": Lot.short_turn,
    "nomination": Lot.nomination,
    "tie_speech": Lot.only_pass,
    "defence": Lot.only_pass,
    "last_word": Lot.only_pass,
    "vote": Lot.vote,
    "lift": Lot.lift,
    "shot": Lot.shot,
    "don_check": Lot.don_check,
    "sheriff_check": Lot.sheriff_check,
    "check": Lot.check,
    "protect": Lot.protect,
    "best_move": Lot.best_move,
}
"""Phases without a choice: `recognition`, `discussion`, in which nobody has to do anything, and `over`."""
