"""One running speech service for all of these tests: each model is loaded once. Each test opens tables of its own."""

from __future__ import annotations

import asyncio
import itertools
import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from tests.speech.complaints.sounds import packets, text_of
from voice.speech.cadence import CadenceRules
from voice.speech.service import SpeechService
from voice.speech.settings import SpeechSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from tests.speech.sound import Samples
    from voice.speech.lines import Line
    from voice.speech.stream import SpeechStream

_NAMES = itertools.count()


@dataclass
class Table:
    """A table's speech in a test, and what it was told: lines, and captions by seat ("" takes one back)."""

    stream: SpeechStream
    lines: list[Line] = field(default_factory=list)
    captions: list[tuple[int, str]] = field(default_factory=list)
    on_line: Callable[[], None] | None = None


@dataclass
class Live:
    """The running service."""

    service: SpeechService
    tables: list[Table] = field(default_factory=list)

    def open(self, lang: str) -> Table:
        """A new table."""

        def line(said: Line) -> None:
            table.lines.append(said)
            if table.on_line is not None:
                table.on_line()

        def caption(seat: int, *told: Any) -> None:
            table.captions.append((seat, text_of(told[0])))

        table = Table(self.service.open(f"table {next(_NAMES)}", lang, line, caption))
        self.tables.append(table)
        return table

    async def say(self, table: Table, seat: int, epoch: int, *parts: Samples, sequence: int = 1_000) -> None:
        """Sounds one after the other, at once and into an open microphone, which stays open."""
        for number, packet in enumerate(packets(seat, epoch, *parts, sequence=sequence)):
            if number % 100 == 0:
                await self._until_the_tap_has_room()
            table.stream.feed(packet)

    async def say_bit_by_bit(self, table: Table, seat: int, epoch: int, *parts: Samples) -> None:
        """As `say`, each packet when all before it has been recognised: no caption is left out for a newer one."""
        for packet in packets(seat, epoch, *parts, ahead_s=3_600.0):
            table.stream.feed(packet)
            await self.service.settled()

    async def _until_the_tap_has_room(self) -> None:
        while self.service.stats()["tap"]["waiting_bytes"]:  # noqa: ASYNC110 - another process is waited for
            await asyncio.sleep(0.01)


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared by all speech tests, so that a model is joined once."""
    return tmp_path_factory.getbasetemp() / "speech-data"


@pytest_asyncio.fixture(scope="package", loop_scope="package")
async def service(data_dir: Path) -> AsyncIterator[SpeechService]:
    """A service as a server has it, with captions as often as there ever are, whatever the load."""
    often = SpeechSettings(interim_every_s=CadenceRules().often_s, drafts_below_load=math.inf)
    service = SpeechService(data_dir, often)
    await service.start()
    yield service
    await service.stop()


@pytest.fixture
def live(service: SpeechService) -> Iterator[Live]:
    """The service, without a table."""
    live = Live(service)
    yield live
    for table in live.tables:
        table.stream.close()
