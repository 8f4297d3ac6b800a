"""The real parts of a server's tables: sound, speech and judgement, as the settings have them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import structlog

from models.catalogue import DEFAULT_BY_LANGUAGE
from models.errors import ModelError
from models.store import look_for
from moderation import OtherReading, WordEvidence, judge
from voice.lag import LagWatch
from voice.media import selftest
from voice.media.ports import resolve
from voice.media.room import MediaRoom
from voice.media.settings import MediaSettings
from voice.media.workers.pool import MediaWorkers
from voice.second_opinions.opinions import SENTENCES
from voice.second_opinions.service import SecondOpinions
from voice.speech.service import SpeechService
from voice.speech.settings import SpeechSettings
from voice.table.faults import place
from voice.table.parts import NoHearing, NoRoom, Parts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from moderation import Verdict
    from voice.settings import Settings
    from voice.table.parts import MakeRoom


logger = structlog.get_logger(__name__)


class Wiring:
    """Makes a table's parts. `start` before the first table, `stop` after the last.

    `media` is what `media_settings` found when this was made. `says_lag`: a delay of the event loop is logged. Raises
    the ValueError of `media_settings`.
    """

    def __init__(self, settings: Settings, *, says_lag: bool = True) -> None:
        self._settings = settings
        self.media = media_settings(settings)
        self.speech: SpeechService | None = None
        if settings.recognisers:
            told = SpeechSettings.of_model(settings.asr, settings.device, settings.recogniser)
            told = replace(told, workers=settings.recognisers, compute_type=settings.asr_compute_type)
            self.speech = SpeechService(settings.data, told)
        self.second = _second(settings)
        self.workers: MediaWorkers | None = None
        self._lag = LagWatch("server", says=says_lag)
        room: MakeRoom = NoRoom
        if settings.workers:
            self.workers = MediaWorkers(settings.workers, self.media)
            room = self.workers.open
        elif settings.media:
            room = partial(MediaRoom, settings=self.media)
        self.parts = Parts(
            room=room,
            hearing=NoHearing if self.speech is None else self.speech.open,
            judge=judge_line,
            second=self._ask_second if self.second else None,
        )

    async def check(self) -> None:
        """Look for the speech models before anybody waits for them.

        Raises ModelError for one that was asked for and is not there. A default one that is not there is told in the
        log: its tables go on without captions.
        """
        if self.speech is None or self._settings.recogniser is not None:
            return  # the names of another recogniser's models are its own
        if self._settings.asr is not None:
            await asyncio.to_thread(look_for, self._settings.asr)
            return
        for lang, name in DEFAULT_BY_LANGUAGE.items():
            try:
                await asyncio.to_thread(look_for, name)
            except ModelError as error:
                logger.error("speech model can't be used", lang=lang, model=name, reason=str(error))

    async def start(self) -> None:
        """Start the processes, and read the check's lists before the first line comes.

        The media workers get ready while the server serves: an offer that comes first waits for them. Where the
        server's own process carries the voice, its libraries are tested here, so that what they lack is said at once.
        """
        self._lag.start()
        if self.workers is not None:
            await self.workers.start()  # each tests its own libraries
        elif self._settings.media:
            await selftest.link_factory()
        try:
            await asyncio.to_thread(judge_line, "", self._settings.lang, [])
        except Exception as error:  # without its check a table still plays, and every line goes to a person
            logger.error("the check can't be read", error=type(error).__name__, place=place(error))
        if self.speech is not None:
            await self.speech.start()
        await asyncio.gather(*(opinions.start() for opinions in self.second.values()))

    def stats(self) -> dict[str, Any] | None:
        """What the speech processes counted; None where there are none."""
        return None if self.speech is None else self.speech.stats()

    def second_stats(self) -> dict[str, Any]:
        """What the processes of second opinions counted, by their models; no entry where there is none."""
        return {model: opinions.stats() for model, opinions in self.second.items()}

    def media_stats(self) -> dict[str, Any]:
        """How late the server's event loop was, in ms, and what the media workers counted, where there are any."""
        return {"lag_ms": self._lag.stats(), "workers": [] if self.workers is None else self.workers.stats()}

    async def stop(self) -> None:
        """Stop them."""
        self._lag.stop()
        parts = (self.speech, self.workers, *self.second.values())
        await asyncio.gather(*(part.stop() for part in parts if part is not None))

    def _ask_second(self, text: str, lang: str, tell: Callable[[Verdict], None]) -> None:
        for opinions in self.second.values():
            opinions.ask(text, lang, tell)


def _second(settings: Settings) -> dict[str, SecondOpinions]:
    """Who is asked for a second opinion: the embedded model wherever lines are spoken, and a toxicity model."""
    found = {}
    if settings.sentences and settings.recognisers:
        found["sentences"] = SecondOpinions(settings.data, SENTENCES)
    if settings.toxicity is not None:
        device = settings.toxicity_device or settings.device
        found["toxicity"] = SecondOpinions(settings.data, settings.toxicity, device)
    return found


def media_settings(settings: Settings) -> MediaSettings:
    """The ports, addresses and slots of the voice. A public name is looked up here, which blocks. Raises ValueError."""
    public = dict.fromkeys(address for name in settings.public_address for address in resolve(name))
    return MediaSettings(
        ports=settings.udp_ports,
        addresses=tuple(settings.listen_address) or None,
        loopback=not settings.listen_address,
        public_addresses=tuple(public),
        slots=settings.slots,
    )


def judge_line(
    text: str,
    lang: str,
    words: Sequence[tuple[str, float, float, float]],
    others: Sequence[tuple[str, float]] | None = None,
) -> Verdict:
    """Judge one line; `words`: text, start, end, confidence; `others`: text and share of what it may also have been."""
    evidence = [WordEvidence(word, confidence) for word, _, _, confidence in words]
    readings = None if others is None else [OtherReading(other, share) for other, share in others]
    return judge(text, "ru" if lang == "ru" else "en", evidence or None, readings)
