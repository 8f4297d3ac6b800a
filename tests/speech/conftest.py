"""A running speech service, and tables on it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.speech.sound import Clip, read_clips
from voice.speech.service import SpeechService

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from voice.speech.lines import Line
    from voice.speech.stream import SpeechStream


@pytest.fixture(scope="session")
def clips() -> dict[str, Clip]:
    """The fixture clips by name."""
    return read_clips()


@dataclass
class Table:
    """A table's speech in a test, and what it was told."""

    stream: SpeechStream
    lines: list[Line]
    interims: list[tuple[int, str]]


@pytest.fixture
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[SpeechService]:
    """A running speech service. Its data folder is shared in a session, so that a model is joined once."""
    service = SpeechService(tmp_path_factory.getbasetemp() / "speech-data")
    await service.start()
    yield service
    await service.stop()


@pytest.fixture
def table(service: SpeechService) -> Callable[[str], Table]:
    """Opens a table of a language."""

    def open_table(lang: str) -> Table:
        lines: list[Line] = []
        interims: list[tuple[int, str]] = []
        stream = service.open(f"table {lang}", lang, lines.append, lambda *said: interims.append(said[:2]))
        return Table(stream, lines, interims)

    return open_table
