"""One table: a task that owns the lobby, then the game, its clock and its mailbox.

A turn takes all the mail there is and all the time that has passed, works out what comes of it, writes that to the
log, and only then lets anybody know. Whoever calls from outside only leaves mail, or looks.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import structlog
from sqlalchemy import update
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from voice.store import schema
from voice.table import frames, lobby, presence, welcome
from voice.table.audience import CLOSED, COME_BACK, Audience, Outlet
from voice.table.batch import Batch
from voice.table.bots import Bots, brought_back
from voice.table.closing import Closing
from voice.table.faults import place
from voice.table.interims import Interims
from voice.table.journal import MODERATOR, Journal, Viewer
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
    Thought,
    Wished,
    answer,
    ask,
)
from voice.table.offers import Offers
from voice.table.play import deal
from voice.table.records import Spoken
from voice.table.running import Running
from voice.table.time import TableTime
from voice.table.voices import Voices

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from sqlalchemy import Executable

    from voice.cases.docket import Docket
    from voice.store import Store
    from voice.table.clock import Clock
    from voice.table.parts import HeardLine, Parts
    from voice.table.play import Play
    from voice.table.records import Entry, Json
    from voice.table.rules import TableRules

logger = structlog.get_logger(__name__)

State: TypeAlias = Literal["waiting", "running", "over", "broken"]

MAIL_LIMIT: Final = 512
GRACE_S: Final = 3.0  # from the loss of a connection to `away`: a reload takes less
RESTART_GRACE_S: Final = 10.0  # the same after the server's own restart: everybody has to come back at once
INTERIM_LIMIT: Final = 2000  # characters


class Table:
    """One table. Make it with `create` or `restore` (`voice.table.tables`), then `start` its task."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        parts: Parts,
        docket: Docket,
        *,
        table: str,
        name: str,
        lang: str,
        ruleset: str,
        options: Json,
        seats: int,
        rules: TableRules,
        owner: str,
        state: State = "waiting",
        reason: str = "",
    ) -> None:
        self.id = table
        self.name = name
        self.lang = lang
        self.ruleset = ruleset
        self.options = options
        self.seats = seats
        self.rules = rules
        self.owner = owner
        self.state: State = state
        self.reason = reason
        self.people: dict[str, Person] = {}
        self.audience = Audience()
        self.interims = Interims()
        self.words_gone = False  # deleted: whatever is said now is to be deleted, too
        self.running: Running | None = None
        self.ended = asyncio.Event()
        self._store = store
        self._clock = clock
        self._parts = parts
        self._docket = docket
        self._mail: deque[Mail] = deque()
        self._bell = asyncio.Event()
        self._quiet = asyncio.Event()
        self._stopping = False
        self._closing = Closing()
        self._chores: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._log = logger.bind(table=table)

    def start(self) -> None:
        """Begin the table's task."""
        self._keep_open()
        self._task = asyncio.create_task(self._run(), name=f"table-{self.id}")

    async def stop(self) -> None:
        """The server goes down: write what there is, and leave the game where it stands."""
        self._stopping = True
        self._bell.set()
        if self._task is not None:
            await self._task

    async def done(self) -> None:
        """Back when the table's task has ended."""
        if self._task is not None:
            await self._task

    async def settled(self) -> None:
        """Back when all mail there is has been dealt with, written and told."""
        await asyncio.sleep(0)
        if self._task is not None and not self._task.done():
            quiet = asyncio.create_task(self._quiet.wait())
            await asyncio.wait({quiet, self._task}, return_when=asyncio.FIRST_COMPLETED)
            quiet.cancel()

    def post(self, mail: Mail) -> bool:
        """Leave mail; False where the mailbox is full or the table has ended."""
        if len(self._mail) >= MAIL_LIMIT or self.ended.is_set():
            return False
        self._mail.append(mail)
        self._ring()
        return True

    async def join(self, person: Person) -> None:
        """Sit down in the lobby. Raises TableError: `table_started`, `table_full`, `name_taken`, `busy`."""
        await self._ask(lambda answer: Join(person, answer))

    async def rule(self, line: str, uphold: bool, category: str | None, kept: Sequence[Executable] = ()) -> None:
        """A moderator's ruling on a line; `kept`: the statements that keep it. Raises TableError `busy`."""
        await self._ask(lambda answer: Rule(line, uphold, category, kept, answer))

    async def abandon(self) -> None:
        """A moderator stops the game: it ends without a winner. Raises TableError `not_stoppable`, `busy`."""
        await self._ask(Stop)

    def attach(self, person: str | None, outlet: Outlet, opened_s: float | None = None) -> None:
        """A connection is there: a person's, or (None) a moderator's. `opened_s`: since when (monotonic).

        Raises TableError `busy`, `table_broken`, or `bad_token` for a person who has left meanwhile.
        """
        if self.state == "broken" or self.ended.is_set():
            raise TableError("table_broken", self.reason or "this table is closed")
        if person is not None and (person not in self.people or self.people[person].token_hash is None):
            raise TableError("bad_token", "this seat was given up")
        if person is None:
            if not self.audience.watch(outlet):
                raise TableError("busy", "too many moderators watch this table")
        else:
            self.audience.enter(person, outlet, opened_s)
            if self.state == "waiting":
                self.show_lobby()
        welcome.show(self, person, outlet)
        self._keep_open()
        self._ring()

    def detach(self, person: str | None, outlet: Outlet) -> None:
        """A connection ended."""
        if self.audience.exit(person, outlet) and person is not None:
            if self.running is not None:
                if person in self.people:  # not one who left the lobby, and whose page took longer to close
                    self.audience.absent[person] = self._clock.now() + GRACE_S
            elif self.state == "waiting":
                self.show_lobby()
        if not len(self.audience):
            self._keep_open()
        self._ring()

    def now(self) -> float:
        """Table time, s."""
        return self.running.clock.now() if self.running is not None else 0.0

    def last(self, person: str | None) -> int:
        """The number of the viewer's last message."""
        journal, viewer = self._stream(person)
        return 0 if journal is None else journal.last(viewer)

    def messages(self, person: str | None, after: int, limit: int) -> list[bytes]:
        """At most `limit` of the viewer's numbered messages after `after`."""
        journal, viewer = self._stream(person)
        return [] if journal is None else journal.messages(viewer, after, limit)

    def welcome(self, person: str | None) -> Json:
        """The fields of `welcome` that the table knows."""
        return welcome.of(self, person)

    def voice_of(self, person: str) -> int | str | None:
        """The person's name in the voice room: their seat; another, which only listens, where a bot plays it; None
        before the deal."""
        seat = self.people[person].seat if person in self.people else None
        if seat is None or self.running is None:
            return None
        return f"watcher {person}" if seat in self.running.play.bots else seat

    async def offer(self, viewer: int | str, sdp: str) -> str:
        """A WebRTC offer to its answer. Raises TableError `not_seated`, or the room's own MediaError."""
        if self.running is None:
            raise TableError("not_seated", "the microphone is connected when the game begins")
        return await self.running.voices.connect(viewer, sdp)

    def unplug(self, viewer: int | str) -> None:
        """End a viewer's voice link, in the background."""
        if self.running is not None:
            self._chore(self.running.voices.disconnect(viewer))

    # The task

    def _ring(self) -> None:
        self._quiet.clear()
        self._bell.set()

    async def _run(self) -> None:
        try:
            while not self._stopping and not self.ended.is_set():
                due = self._due()
                timer = None if due is None else self._clock.call_at(due, self._ring)
                if not self._bell.is_set():
                    self._quiet.set()
                await self._bell.wait()
                self._bell.clear()
                if timer is not None:
                    timer.cancel()
                await self._turn()
        except OperationalError as error:
            # The disk is full, or another program holds the file: whoever comes back finds the table as its log has it.
            self.state, self.reason = "broken", "the log can't be written now"
            self._log.error("the log can't be written", cause=str(error.orig))
            self._dismiss("busy", "the server can't write the game down now: come back", COME_BACK)
        except SQLAlchemyError as error:
            # Not kept: once the database is well again, the table goes on from its log.
            await self._break(f"the log can't be written ({type(error).__name__})", keep=False)
        except Exception as error:  # a fault in one game must not end the others; it is told, with its trace
            self._log.error("table failed", error=type(error).__name__, place=place(error))
            await self._break(f"a fault in the game ({type(error).__name__})", keep=True)
        finally:
            self.ended.set()
            self._quiet.set()
            await self._shut()

    def _due(self) -> float | None:
        """The moment of the clock at which the table has something to do without mail."""
        times = list(self.audience.absent.values())
        if self._closing.at is not None:
            times.append(self._closing.at)
        if self.running is not None and (due := self.running.due()) is not None:
            times.append(self.running.clock.when(due))
        return min(times, default=None)

    async def _turn(self) -> None:
        batch, now = Batch(), self.now()
        if self.running is not None:
            if not self.running.pass_time(now, batch):
                await self._commit(batch)
                self._bell.set()  # the mail waits for the next turn: what was due earlier comes first
                return
            presence.settle(self, self.running, self._clock.now(), now, batch)
        while self._mail:
            mail = self._mail.popleft()
            if isinstance(mail, Start):
                await self._commit(batch)
                batch = Batch()
                await self._begin(mail)
                self._bell.set()  # mail that is later than the deal waits for a turn of its own, with that turn's time
                return
            if self.running is None:
                lobby.take(self, mail, batch)
            else:
                self._take(self.running, mail, now, batch)
        await self._commit(batch)
        if self._closing.due(self._clock.now()):
            self.ended.set()
            self.audience.close(CLOSED, "the table is closed")

    def _take(self, running: Running, mail: Mail, now: float, batch: Batch) -> None:
        # `now` is the turn's: were it a newer one, a phase could end between the look at its number and the command.
        match mail:
            case Order():
                person = self.people.get(mail.person)
                if person is None or (seat := person.seat) is None:
                    return  # who left the lobby a moment ago
                running.order(seat, mail, now, batch, self.audience)
            case Heard() | Thought() | Wished():
                running.listen(mail, now, batch)
            case Rule():
                running.rule(mail, now, batch)
                batch.after.append(lambda: answer(mail.answer))
            case Stop():
                why = running.stop(now, batch)
                error = None if why is None else TableError("not_stoppable", f"the game can't be stopped: {why}")
                batch.after.append(lambda: answer(mail.answer, error))
            case Leave():
                if mail.person not in self.people:
                    return
                lobby.give_up(self, mail.person, batch)
                self.audience.absent[mail.person] = self._clock.now()
                presence.settle(self, running, self._clock.now(), now, batch)
            case Join():
                answer(mail.answer, TableError("table_started", "the game at this table has begun"))
            case Ready():
                self.audience.reply(mail.person, frames.error("table_started", "the game has begun"))
            case Start():
                raise AssertionError("handled by _turn")

    async def _begin(self, mail: Start) -> None:
        """The owner begins: draw the seats, deal, and let bots have the empty ones."""
        if self.running is not None:
            self.audience.reply(mail.person, frames.error("table_started", "the game has begun"))
            return
        if mail.person != self.owner:
            self.audience.reply(mail.person, frames.error("not_owner", "only the table's owner begins the game"))
            return
        batch = Batch()
        seats, empty, seed = lobby.draw(self.people, self.seats)
        play, outcome = deal(self.ruleset, self.options, seed, seats, empty)
        batch.add(outcome)
        batch.statements += [self._update(state="running", code=play.game.code), *lobby.place(seats)]
        bots = Bots(self.lang, play)
        bots.see(outcome.items)
        await self._store.write(batch.writes(self.id))
        for seat, person in seats.items():
            self.people[person].seat = seat
            if not self.audience.connected(person):
                self.audience.absent[person] = self._clock.now() + GRACE_S
        self.running = self._joined(play, bots, 0.0)
        self.state = "running"
        self._keep_open()
        self.audience.put("lobby", None)
        self._publish(batch)
        self._log.info("dealt", rules=play.game.code, people=len(seats), bots=len(empty))

    async def _commit(self, batch: Batch) -> None:
        if self.running is not None and self.state == "running" and self.running.play.over:
            batch.statements.append(self._update(state="over", ended_at=time.time()))
            batch.after.append(self._is_over)
        if self.words_gone and any(isinstance(entry.body, Spoken) for entry in batch.entries):
            batch.statements.append(self._update(words_gone_at=None))
            self.words_gone = False
        writes = batch.writes(self.id)
        if writes:
            if self.running is not None:
                self.running.voices.narrow(self.running.play.mic)
            await self._store.write(writes)
        self._publish(batch)

    def _publish(self, batch: Batch) -> None:
        if self.running is not None and batch.items:
            self.running.publish(batch, self.post)
            for item in batch.items:
                # Its interim captions are stale: who has not got one yet need not. One of later words is not.
                if item.line is not None and not self.interims.stands(item.line.seat):
                    self.audience.put(f"interim {item.line.seat}", None)
            self.audience.wake()
        for call in batch.after:
            call()

    def _is_over(self) -> None:
        self.state = "over"
        self._keep_open()
        self._log.info("over")

    def _keep_open(self) -> None:
        self._closing.look(self.state, len(self.audience), self._clock.now())

    async def _break(self, reason: str, *, keep: bool) -> None:
        ended = {} if self.state == "over" else {"ended_at": time.time()}  # its words' time counts from the first end
        self.state, self.reason = "broken", reason
        self._dismiss("table_broken", f"this table had to be closed: {reason}", CLOSED)
        if keep:
            try:
                await self._store.write([self._update(state="broken", reason=reason, **ended)])
            except SQLAlchemyError as error:
                self._log.error("the broken table can't be marked", error=type(error).__name__)

    def _dismiss(self, code: str, message: str, close: int) -> None:
        for outlet in self.audience:
            outlet.reply(frames.error(code, message))
        self.audience.close(close, message)

    async def _shut(self) -> None:
        self._mail.clear()
        if self.running is not None:
            try:
                await self.running.voices.close()
            except Exception as error:  # whatever its sound does, the table has ended
                self._log.error("the room did not close", error=type(error).__name__, place=place(error))
        for chore in list(self._chores):
            chore.cancel()

    # Helpers

    def resume(self, entries: Sequence[Entry], now_s: float) -> None:
        """After a restart: fold the game again; it goes on from `now_s`, the last table time that was written.

        Raises LogCorruptError where the log does not fold.
        """
        play, bots, steps = brought_back(entries, self.lang)
        written_s = max(entry.t for entry in entries)
        bots.forget(written_s)
        running = self._joined(play, bots, max(now_s, written_s))
        for items in steps:
            running.journal.publish(items)
        running.voices.mic(play.mic)
        self.running = running
        if play.over:
            running.journal.close()
            return
        for seat, person in play.started.seats.items():
            if seat not in play.bots and person in self.people:
                self.audience.absent[person] = self._clock.now() + RESTART_GRACE_S

    def _joined(self, play: Play, bots: Bots, now_s: float) -> Running:
        """A game joined to its sound and its people; it is `now_s` there now."""
        clock = TableTime.running_from(self._clock, now_s)
        voices = Voices(
            self.id, self.lang, self._parts, self._heard, self._interim, self._linked, self._slots, self._captions
        )
        offers = Offers(self.lang, play, self.audience)
        running = Running(self.id, self.lang, play, clock, voices, self._parts, bots, offers, self._docket)
        running.seat(self.people)
        return running

    def show_lobby(self) -> None:
        """Everybody who waits sees who waits."""
        self.audience.put("lobby", lobby.frame(self))

    def _stream(self, person: str | None) -> tuple[Journal | None, Viewer]:
        journal = None if self.running is None else self.running.journal
        if person is None:
            return journal, MODERATOR
        who = self.people.get(person)
        return (None, MODERATOR) if who is None or who.seat is None else (journal, who.seat)

    def _heard(self, line: HeardLine) -> None:
        self.interims.line(line.seat, line.end_s)
        if not self.post(Heard(line)):
            self._log.warning("line dropped: the mailbox is full", seat=line.seat)

    def _interim(self, seat: int, text: str, start_s: float) -> None:
        text = text[:INTERIM_LIMIT]
        agreed = self.interims.hear(seat, text, start_s)
        if self.running is None:
            return
        if not text or seat in self.running.play.mic:
            start = round(self.running.clock.at(start_s), 3) if text else 0.0
            self.audience.put(f"interim {seat}", frames.interim(seat, text, len(agreed.text), start))
        if wishes := self.running.offers.draft(seat, agreed):
            self.post(Wished(seat, wishes, start_s))

    def _linked(self, seats: frozenset[int]) -> None:
        self.audience.put("link", frames.link(seats))

    def _slots(self, change: int, seats: tuple[int | None, ...]) -> None:
        self.audience.put(f"slots {len(seats)}", frames.slots(change, seats))

    def _captions(self, state: str, lost: int) -> None:
        self.audience.put("captions", frames.captions(state, lost))

    def _update(self, **values: object) -> Executable:
        return update(schema.tables).where(schema.tables.c.id == self.id).values(**values)

    def _chore(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    async def _ask(self, mail: Callable[[asyncio.Future[None]], Mail]) -> None:
        assert self._task is not None, "a table that takes mail has been started"
        await ask(self.post, self._task, mail)
