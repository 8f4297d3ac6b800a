"""A server's database with one game of bots in it, in which two seats are people's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from sqlalchemy import insert

from engine.selfplay import play
from voice.store import Store, schema
from voice.store.store import append
from voice.table.play import Outcome, deal
from voice.table.records import Spoken, to_row

if TYPE_CHECKING:
    from pathlib import Path

    from voice.store import LogRow

GAME = "game1"
NAMES = {1: "Аня Ёлкина", 2: '=HYPERLINK("http://x","y")'}
LINE = "Я — красная, проверяйте восьмого"


def write_database(path: Path, rows: list[LogRow] | None = None) -> str:
    """Writes the database and returns its address. rows: the log, in place of that of a whole game."""
    url = f"sqlite:///{path}"
    asyncio.run(_write(url, game_log() if rows is None else rows))
    return url


def game_log(seed: int = 3) -> list[LogRow]:
    """The log of a finished game with one spoken line."""
    played = play(seed)
    game, outcome = deal("sport", {}, seed, {1: "person1", 2: "person2"}, range(3, 11))
    entries = list(outcome.entries)
    for t, command in played.inputs:
        if command is not None and game.game.phase.name == "speech" and not game.lines:
            line = Spoken("", 1, LINE, t - 0.2, t - 0.1, "voice", "ru", [])
            entries += game.speak(line, t).entries
        outcome = game.advance(t) if command is None else _done(game.command(dict(command), t))
        entries += outcome.entries
    assert game.over
    return [to_row(entry) for entry in entries]


def _done(outcome: Outcome) -> Outcome:
    return Outcome() if outcome.refused is not None else outcome


async def _write(url: str, rows: list[LogRow]) -> None:
    store = await Store.open(url)
    table = {
        "id": GAME, "name": "Стол", "lang": "ru", "ruleset": "sport", "options": "{}", "seats": 10, "state": "over",
        "reason": "", "owner": "person1", "now_s": 0.0, "created_at": 0.0,
    }  # fmt: skip
    await store.write([insert(schema.tables).values(table)])
    for seat, name in NAMES.items():
        person = {
            "id": f"person{seat}", "table": GAME, "name": name, "name_key": name, "token_hash": None, "place": seat,
            "seat": seat, "ready": True,
        }  # fmt: skip
        await store.write([insert(schema.people).values(person)])
    if rows:
        await store.write([append(GAME, rows)])
    await store.close()
