"""Before the game: who sits down, who is ready, and the draw of the seats."""

from __future__ import annotations

import secrets
import unicodedata
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, insert, update

from voice.store import schema
from voice.table import frames
from voice.table.mail import (
    Heard,
    Join,
    Leave,
    Mail,
    Order,
    Person,
    Ready,
    Rule,
    Start,
    Stop,
    TableError,
    Wished,
    answer,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Executable

    from voice.table.batch import Batch
    from voice.table.table import Table

LEFT: Final = 1000


def name_key(name: str) -> str:
    """Two names with the same key are the same name to the eye: case, spaces, wide letters, variants do not count."""
    seen = "".join(char for char in unicodedata.normalize("NFKC", name) if not "\ufe00" <= char <= "\ufe0f")
    return " ".join(seen.casefold().split())


def frame(table: Table) -> bytes:
    """Who waits for the game, whole, in the order of coming."""
    people = sorted(table.people.values(), key=lambda person: person.place)
    return frames.lobby(
        (
            {
                "id": person.id,
                "name": person.name,
                "ready": person.ready,
                "connected": table.audience.connected(person.id),
            }
            for person in people
        ),
        table.owner,
    )


def add(person: Person, table: str) -> Executable:
    """The statement that keeps a person."""
    return insert(schema.people).values(
        id=person.id,
        table=table,
        name=person.name,
        name_key=name_key(person.name),
        token_hash=person.token_hash,
        place=person.place,
        seat=person.seat,
        ready=person.ready,
    )


def draw(people: Mapping[str, Person], seats: int) -> tuple[dict[int, str], list[int], int]:
    """Seats drawn at random: the person of each seat that a person gets, the bots' seats, and the deal's seed.

    From the system's own randomness: nobody can know the cards before the deal.
    """
    drawn = secrets.SystemRandom().sample(range(1, seats + 1), len(people))
    taken = dict(sorted(zip(drawn, people, strict=True)))
    return taken, [seat for seat in range(1, seats + 1) if seat not in taken], secrets.randbits(63)


def place(seats: Mapping[int, str]) -> list[Executable]:
    """The statements that keep who sits where."""
    return [
        update(schema.people).where(schema.people.c.id == person).values(seat=seat) for seat, person in seats.items()
    ]


def take(table: Table, mail: Mail, batch: Batch) -> None:
    """What a piece of mail comes to while the table waits."""
    match mail:
        case Join():
            _join(table, mail, batch)
        case Ready():
            person = table.people.get(mail.person)
            if person is not None:
                person.ready = mail.ready
                batch.statements.append(
                    update(schema.people).where(schema.people.c.id == person.id).values(ready=person.ready)
                )
                batch.after.append(table.show_lobby)
        case Leave():
            _leave(table, mail.person, batch)
        case Order():
            table.audience.reply(mail.person, frames.refused(mail.number, mail.do, "the game has not begun", "late"))
        case Rule():
            answer(mail.answer, TableError("no_line", "nobody has spoken at this table yet"))
        case Stop():
            answer(mail.answer, TableError("not_stoppable", "the game has not begun"))
        case Heard() | Wished() | Start():
            pass


def give_up(table: Table, person: str, batch: Batch) -> None:
    """The person's token opens the seat no more, and later the transcript alone; the connection ends."""
    who = table.people[person]
    if who.token_hash is not None:
        values = {"token_hash": None, "left_hash": who.token_hash}
        batch.statements.append(update(schema.people).where(schema.people.c.id == person).values(**values))
        who.token_hash = None
    batch.after.append(lambda: _close(table, person))


def _join(table: Table, mail: Join, batch: Batch) -> None:
    error = None
    if len(table.people) >= table.seats:
        error = TableError("table_full", f"all {table.seats} seats of this table are taken")
    elif any(name_key(person.name) == name_key(mail.person.name) for person in table.people.values()):
        error = TableError("name_taken", "somebody at this table has that name: choose another")
    if error is not None:
        answer(mail.answer, error)
        return
    mail.person.place = 1 + max((person.place for person in table.people.values()), default=0)
    table.people[mail.person.id] = mail.person
    batch.statements.append(add(mail.person, table.id))
    batch.after.append(lambda: answer(mail.answer))
    batch.after.append(table.show_lobby)


def _leave(table: Table, person: str, batch: Batch) -> None:
    """Out of the lobby: as if never there. The table goes to who came next; without anybody it is gone."""
    if table.people.pop(person, None) is None:
        return
    batch.after.append(lambda: _close(table, person))
    if not table.people:
        batch.statements.append(delete(schema.tables).where(schema.tables.c.id == table.id))
        batch.after.append(table.ended.set)
        return
    batch.statements.append(delete(schema.people).where(schema.people.c.id == person))
    if person == table.owner:
        table.owner = min(table.people.values(), key=lambda each: each.place).id
        batch.statements.append(update(schema.tables).where(schema.tables.c.id == table.id).values(owner=table.owner))
    batch.after.append(table.show_lobby)


def _close(table: Table, person: str) -> None:
    outlet = table.audience.of(person)
    if outlet is not None:
        outlet.close(LEFT, "you left the table")
