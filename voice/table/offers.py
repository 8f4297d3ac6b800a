"""Commands that a player has spoken, offered to that player alone: nothing here ever acts.

An offer is made of the words of a seat in its own minute, where the rules would take the command now. It stands for
OFFER_S, or until the phase ends, the rules would not take it any more, or the whole line says something else.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final

from engine.legal import is_legal
from voice.spoken import Agreed, Wish, wishes
from voice.table import frames
from voice.table.play import WINDOW_SLACK_S

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from voice.table.audience import Audience, Outlet
    from voice.table.batch import Batch
    from voice.table.play import Play

OFFER_S: Final = 10.0


@dataclass(slots=True)
class Offer:
    """One that stands. `until`: table time. `early`: made of text that may still change."""

    number: int
    seat: int
    phase: int
    until: float
    wish: Wish
    early: bool


class Offers:
    """The offers of one table: at most one of each kind of command, since one seat has the minute."""

    def __init__(self, lang: str, play: Play, audience: Audience) -> None:
        self._lang = lang
        self._play = play
        self._audience = audience
        self._numbers = count(1)
        self._standing: dict[str, Offer] = {}

    def draft(self, seat: int, agreed: Agreed) -> tuple[Wish, ...]:
        """The wishes in what two hypotheses in a row of what a seat is saying agree on."""
        if not agreed.text or self._since(seat) is None:
            return ()
        return wishes(agreed.text, self._lang, ended=agreed.whole)

    def line(self, seat: int, text: str, start: float, now: float, batch: Batch) -> None:
        """A whole line, spoken from `start` (table time) on: what was offered early stands or falls with it."""
        self._expire(now)
        heard = self._allowed(seat, wishes(text, self._lang), start)
        for offer in [each for each in self._standing.values() if each.seat == seat and each.early]:
            if offer.wish in heard:
                offer.early = False
                heard.remove(offer.wish)
            else:
                self._withdraw(offer, batch)
        for wish in heard:
            self._make(seat, wish, now, batch, early=False)

    def early(self, seat: int, found: Sequence[Wish], start: float, now: float, batch: Batch) -> None:
        """Wishes of text that may still change, spoken from `start` (table time) on."""
        self._expire(now)
        for wish in self._allowed(seat, found, start):
            standing = self._standing.get(wish.do)
            if standing is None or standing.wish != wish or not standing.early:
                self._make(seat, wish, now, batch, early=True)

    def settle(self, now: float) -> None:
        """Something has happened and everybody was told: what could not be done any more is taken back."""
        self._expire(now)
        for offer in list(self._standing.values()):
            if self._since(offer.seat) is None or self._play.phase != offer.phase or not self._legal(offer):
                del self._standing[offer.wish.do]
                self._tell(offer, frames.proposal_gone(offer.number))

    def done(self, seat: int, command: Mapping[str, object], batch: Batch) -> None:
        """A command of the seat was accepted, however it was given: what offered just that is no question any more."""
        for offer in list(self._standing.values()):
            if offer.seat == seat and offer.wish.command() == command:
                self._withdraw(offer, batch)

    def show(self, person: str, outlet: Outlet, now: float) -> None:
        """A page of that person is there, perhaps anew: it is shown what stands."""
        for offer in self._standing.values():
            if now < offer.until and self._play.started.seats.get(offer.seat) == person:
                outlet.put(f"proposal {offer.wish.do}", _frame(offer))

    def _expire(self, now: float) -> None:
        """What has stood for its time is gone: its page has put it away by itself."""
        self._standing = {do: offer for do, offer in self._standing.items() if now < offer.until}

    def _allowed(self, seat: int, found: Sequence[Wish], start: float) -> list[Wish]:
        """Those that the rules would take now, where the words are of the seat's own minute that is running."""
        since = self._since(seat)
        if since is None or start < since - WINDOW_SLACK_S:
            return []
        return [wish for wish in found if is_legal(self._play.game, {**wish.command(), "seat": seat})]

    def _since(self, seat: int) -> float | None:
        """When the seat's own minute began; None where it has none now: it does not speak, or others do too."""
        play = self._play
        own = play.game.phase.seat == seat and play.mic == (seat,) and seat not in play.bots
        return play.phase_since if own and not play.over else None

    def _legal(self, offer: Offer) -> bool:
        return is_legal(self._play.game, {**offer.wish.command(), "seat": offer.seat})

    def _make(self, seat: int, wish: Wish, now: float, batch: Batch, *, early: bool) -> None:
        offer = Offer(next(self._numbers), seat, self._play.phase, round(now + OFFER_S, 3), wish, early)
        self._standing[wish.do] = offer
        batch.after.append(lambda: self._tell(offer, _frame(offer)))

    def _withdraw(self, offer: Offer, batch: Batch) -> None:
        del self._standing[offer.wish.do]
        batch.after.append(lambda: self._tell(offer, frames.proposal_gone(offer.number)))

    def _tell(self, offer: Offer, frame: bytes) -> None:
        person = self._play.started.seats.get(offer.seat)
        outlet = None if person is None else self._audience.of(person)
        if outlet is not None:
            outlet.put(f"proposal {offer.wish.do}", frame)


def _frame(offer: Offer) -> bytes:
    return frames.proposal(offer.number, offer.phase, offer.until, offer.wish.command())
