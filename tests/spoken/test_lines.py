"""Lines of real speeches: ordinary talk that must offer nothing, and commands that must be offered."""

from __future__ import annotations

from pathlib import Path

import pytest

from voice.spoken import Wish, wishes
from voice.spoken.book import LANGUAGES

HERE = Path(__file__).parent
NOTHING = [
    (lang, line)
    for lang in LANGUAGES
    for line in (HERE / f"nothing.{lang}.txt").read_text(encoding="utf-8").splitlines()
]
COMMANDS = [row.split("\t") for row in (HERE / "commands.tsv").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize(("lang", "line"), NOTHING)
def test_ordinary_talk_offers_nothing(lang: str, line: str) -> None:
    assert wishes(line, lang) == ()
    assert wishes(line.rstrip(".").replace(",", "").lower(), lang) == (), "as a recogniser without marks writes it"


@pytest.mark.parametrize(("lang", "line", "offered"), COMMANDS)
def test_a_command_is_offered(lang: str, line: str, offered: str) -> None:
    assert wishes(line, lang) == tuple(map(_wish, offered.split(", ")))


def _wish(said: str) -> Wish:
    match said.split():
        case ["nominate", seat]:
            return Wish("nominate", target=int(seat))
        case ["say", card]:
            return Wish("say", card=card)
        case _:
            return Wish(said)
