"""What a table is joined to: sound, speech and judgement, by the few calls it makes of each.

The real ones are `voice.media.room.MediaRoom`, `voice.speech.service.SpeechService` and `moderation.judge`; a part that
is absent (no speech model, a test of the rules alone) is a quiet one from here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from moderation import Verdict


class Room(Protocol):
    """The voices of one table."""

    @property
    def epoch(self) -> int:
        """Counts the gate's moves; each packet that is let through carries it."""

    def mic(self, seats: frozenset[int]) -> None:
        """Open exactly these seats, at once."""

    async def connect(self, viewer: int | str, sdp: str) -> str:
        """A WebRTC offer to its answer; replaces the viewer's connection. Raises a MediaError (`code`, `message`)."""

    async def disconnect(self, viewer: int | str) -> None:
        """End the viewer's connection, if there is one."""

    async def close(self) -> None:
        """End them all."""

    def stats(self) -> dict[str, object]:
        """Counters of its packets."""


class HeardWord(Protocol):
    """One recognised word; seconds of the service's clock, confidence 0..1."""

    text: str
    start_s: float
    end_s: float
    confidence: float


class HeardLine(Protocol):
    """One recognised utterance; seconds of the service's clock (monotonic). `others`: what else it may have been."""

    id: str
    seat: int
    text: str
    words: Sequence[Any]
    start_s: float
    end_s: float
    lang: str
    others: Sequence[Any] | None


class Hearing(Protocol):
    """The speech of one table becoming lines."""

    def feed(self, packet: Any) -> None:
        """A packet that the gate let through."""

    def mic(self, seats: frozenset[int], epoch: int) -> None:
        """The gate moved."""

    def close(self) -> None:
        """No more lines."""


OnSlots = Callable[[int, tuple[int | None, ...]], None]
"""The number of the change, and the seat in each slot (None: nobody), for all who hear that many slots."""


class MakeRoom(Protocol):
    """Makes a table's room: `on_packet` is the tap, `on_link` is told whose voice links are alive."""

    def __call__(
        self,
        table: str,
        on_packet: Callable[[Any], None],
        on_link: Callable[[frozenset[int]], None],
        *,
        on_slots: OnSlots,
    ) -> Room: ...


# table, language, on_line, on_interim (seat, text, its utterance's start), on_captions (their state, lines lost)
MakeHearing = Callable[
    [str, str, Callable[[Any], None], Callable[[int, str, float], None], Callable[[Any, int], None]], Hearing
]
# text, language, words (text, start, end, confidence), what else it may have been (text, share)
Judge = Callable[[str, str, Sequence[tuple[str, float, float, float]], Sequence[tuple[str, float]] | None], "Verdict"]

# text, language, whom to tell some time, from the event loop, or never, and each time that another model has answered
Second = Callable[[str, str, Callable[["Verdict"], None]], None]


@dataclass(frozen=True, slots=True)
class Parts:
    """The makers of a table's parts. `judge(text, lang, words, others)` is fast and never blocks; `second` asks for a
    second opinion on a line and never blocks either; None where there are none."""

    room: MakeRoom
    hearing: MakeHearing
    judge: Judge
    second: Second | None = None


class NoRoom:
    """A table without sound."""

    epoch = 0

    def __init__(self, table: str, on_packet: object, on_link: object, *, on_slots: object) -> None:
        pass

    def mic(self, seats: frozenset[int]) -> None:
        """Nobody can be heard anyway."""

    async def connect(self, viewer: int | str, sdp: str) -> str:
        """Refuse: there is no sound here."""
        raise NoSoundError

    async def disconnect(self, viewer: int | str) -> None:
        """Nobody is connected."""

    async def close(self) -> None:
        """Nothing is open."""

    def stats(self) -> dict[str, object]:
        """Nothing is counted."""
        return {}


class NoSoundError(Exception):
    """An offer to a table without sound."""

    code = "no_media"
    message = "this server carries no sound: play by the buttons"


class NoHearing:
    """A table without speech recognition."""

    def __init__(self, _table: str, _lang: str, _line: object, _interim: object, _captions: object) -> None:
        pass

    def feed(self, packet: object) -> None:
        """Nobody listens."""

    def mic(self, seats: frozenset[int], epoch: int) -> None:
        """Nobody listens."""

    def close(self) -> None:
        """Nothing is open."""
