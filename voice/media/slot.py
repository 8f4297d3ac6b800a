"""Which of several open microphones the listeners' streams carry."""

from __future__ import annotations

import math

SPEECH = 72.0
"""Loudness is decibels above the quietest level of RFC 6464 (-127 dBov): from here on it is speech."""
QUIET_BYTES = 10
"""Opus DTX packets have 1 or 2 bytes, coded silence a few more: whatever their level says, they are no speech."""
LOUDEST = 127.0
_DB_PER_BYTE = 0.4

KEEP_S = 1.0
"""A slot is its holder's for so long, whoever else talks."""
PAUSE_S = 0.4
"""A holder that is silent for so long gives way to anybody who talks."""
FREE_S = 1.5
"""A slot whose holder is silent for so long is nobody's."""
LOUDER_DB = 6.0
"""A newcomer that is louder than a holder by this much ..."""
LOUDER_S = 0.3
"""... for so long gets its slot, ..."""
WORD_GAP_S = 0.1
"""... when the holder is between two words: quiet for so long, ..."""
WORD_S = 2.0
"""... or when it has made a noise without a gap for so long: no word is longer."""
WITHIN_S = LOUDER_S + WORD_S + 0.1
"""A newcomer that talks louder than a holder has a slot within this time, packets of 20 ms that arrive supposed."""

_MEMORY_S = 0.3
"""The time constant of the average loudness of a voice."""
_FORGET_S = 1.0
_PACKETS_S = 0.04
"""A gap must be longer than a word's by this to begin a new word, so that a newcomer's packet fell into it."""


def loudness(level: int | None, size: int) -> float:
    """How loud a packet is: by its RFC 6464 level (0 loudest to 127) where there is one, else by its payload's size.

    A coder with a variable bit rate gives speech at 32 kbit/s between 20 bytes for the quiet and 120 for the loud.
    """
    if size <= QUIET_BYTES:
        return 0.0
    if level is not None:
        return LOUDEST - level
    return min(LOUDEST, SPEECH + (size - QUIET_BYTES) * _DB_PER_BYTE)


class _Voice:
    """One open seat, as it is heard."""

    __slots__ = ("average", "heard_at", "louder_since", "seat", "since", "slot", "word_at")

    def __init__(self, seat: int, now: float) -> None:
        self.seat = seat
        self.average = 0.0
        self.heard_at = -math.inf
        """The last packet with speech."""
        self.word_at = now
        """The beginning of its present word."""
        self.louder_since: float | None = None
        """Since when it is louder than a holder without having a slot."""
        self.slot: int | None = None
        """The one it has, else the one it had last."""
        self.since = now
        """Since when it has that."""

    def speaks(self, loud: float, now: float) -> None:
        passed = now - self.heard_at
        if passed >= WORD_GAP_S + _PACKETS_S:
            self.word_at = now
        if passed > PAUSE_S:
            self.louder_since = None
        fresh = passed > _FORGET_S or not self.average
        self.average = loud if fresh else loud + (self.average - loud) * math.exp(-passed / _MEMORY_S)
        self.heard_at = now

    def between_words(self, now: float) -> bool:
        return now - self.heard_at >= WORD_GAP_S or now - self.word_at >= WORD_S


class Slots:
    """`count` streams for the open microphones of a table; times are the caller's, in seconds, and never go back.

    One open microphone is in slot 0. Of several the loudest are heard: who begins to talk gets a free slot at once, or
    that of a silent holder; else it has to be louder than a holder for a while, and gets its slot between two of the
    holder's words. A seat has at most one slot, and a closed seat none.
    """

    __slots__ = ("_holders", "_voices", "changes")

    def __init__(self, count: int) -> None:
        self._holders: list[_Voice | None] = [None] * count
        self._voices: dict[int, _Voice] = {}
        self.changes = 0
        """Counts what `seats` was."""

    @property
    def seats(self) -> tuple[int | None, ...]:
        """Who has each slot."""
        return tuple(None if holder is None else holder.seat for holder in self._holders)

    def alone(self, seat: int, now: float) -> int:
        """The slot of a packet of the only open seat."""
        holder = self._holders[0]
        if holder is None or holder.seat != seat:
            self.keep(())
            holder = self._give(0, self._voice(seat, now), now)
        holder.heard_at = holder.word_at = now
        return 0

    def take(self, seat: int, loud: float, now: float) -> int | None:
        """The slot of a packet of one of several open seats, by its `loudness`; None if it is not heard."""
        voice = self._voices.get(seat) or self._voice(seat, now)
        talks = loud >= SPEECH
        if talks:
            voice.speaks(loud, now)
        if self._has(voice):
            return voice.slot
        if not talks or (slot := self._place(voice, now)) is None:
            return None
        self._give(slot, voice, now)
        return slot

    def _voice(self, seat: int, now: float) -> _Voice:
        return self._voices.setdefault(seat, _Voice(seat, now))

    def _has(self, voice: _Voice) -> bool:
        return voice.slot is not None and self._holders[voice.slot] is voice

    def _place(self, voice: _Voice, now: float) -> int | None:
        """The slot that one who talks may have now."""
        if voice.slot is not None and self._holders[voice.slot] is None:
            return voice.slot
        holders: list[_Voice] = []
        for slot, holder in enumerate(self._holders):
            if holder is None:
                return slot
            holders.append(holder)
        kept = [holder for holder in holders if now - holder.since >= KEEP_S]
        silent = min(kept, key=lambda holder: holder.heard_at, default=None)
        if silent is not None and now - silent.heard_at >= PAUSE_S:
            return silent.slot
        if min(holder.average for holder in holders) + LOUDER_DB > voice.average:
            voice.louder_since = None
            return None
        if voice.louder_since is None:
            voice.louder_since = now
        if now - voice.louder_since < LOUDER_S:
            return None
        beaten = [h for h in kept if h.average + LOUDER_DB <= voice.average and h.between_words(now)]
        return min(beaten, key=lambda holder: holder.average).slot if beaten else None

    def _give(self, slot: int, voice: _Voice, now: float) -> _Voice:
        self._holders[slot] = voice
        voice.slot = slot
        voice.since = now
        voice.louder_since = None
        self.changes += 1
        return voice

    def keep(self, seats: frozenset[int] | tuple[int, ...]) -> list[int]:
        """These are open: free the slots of all others, and of one that is alone in another than slot 0; which."""
        alone = len(seats) == 1
        for seat in self._voices.keys() - seats:
            del self._voices[seat]
        return self._free(
            [
                slot
                for slot, holder in enumerate(self._holders)
                if holder is not None and (holder.seat not in seats or (alone and slot))
            ]
        )

    def rest(self, now: float) -> list[int]:
        """Free the slots of those who are silent for long; which."""
        return self._free(
            [
                slot
                for slot, holder in enumerate(self._holders)
                if holder is not None and now - max(holder.heard_at, holder.since) >= FREE_S
            ]
        )

    def _free(self, slots: list[int]) -> list[int]:
        for slot in slots:
            self._holders[slot] = None
        self.changes += bool(slots)
        return slots
