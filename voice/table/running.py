"""A table whose cards are dealt: what each piece of mail, and the passing of time, comes to.

Synchronous: each call adds to the turn's `Batch`. The table's task writes the batch and then publishes it here.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

import structlog

from voice.cases import shadow
from voice.cases.docket import learnt, report
from voice.table import frames
from voice.table.flagging import Opinion, opinion
from voice.table.journal import Journal
from voice.table.mail import Heard, Thought, Wished
from voice.table.names import bot_name
from voice.table.records import Json, Spoken
from voice.table.second import ask_second

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from voice.cases.docket import Docket
    from voice.table.audience import Audience
    from voice.table.batch import Batch
    from voice.table.bots import Bots, Move
    from voice.table.mail import Order, Person, Rule
    from voice.table.offers import Offers
    from voice.table.parts import HeardLine, Parts
    from voice.table.play import Outcome, Play
    from voice.table.time import TableTime
    from voice.table.voices import Voices

logger = structlog.get_logger(__name__)

REPORTS_LIMIT: Final = 40  # of one seat in one game: people judge each of them
STEPS_LIMIT: Final = 200  # things due that one turn handles before it writes; more wait for the next turn
TEXT_LIMIT: Final = 2000  # characters of a line
PLAYERS_COMMANDS: Final = frozenset(
    (
        *("order", "ok", "shoot", "check", "protect", "pass", "nominate", "vote"),
        *("lift", "best_move", "sign", "say", "floor", "report", "stop"),
    )
)


ANY_PHASE: Final = frozenset(("report", "stop"))
"""Commands that belong to no phase: one that came a moment late means the same."""


class Running:
    """The game of one table, joined to its journal, bots and voices."""

    def __init__(
        self,
        table: str,
        lang: str,
        play: Play,
        clock: TableTime,
        voices: Voices,
        parts: Parts,
        bots: Bots,
        offers: Offers,
        docket: Docket,
    ) -> None:
        self.play = play
        self.clock = clock
        self.voices = voices
        self.journal = Journal(play.started.ruleset, len(play.game.cards))
        self.bots = bots
        self.offers = offers
        self._table = table
        self._lang = lang
        self._judge = parts.judge
        self._second = parts.second
        self._docket = docket
        voices.remember(docket.memory_s)
        self._reports = Counter[int]()
        self._log = logger.bind(table=table)

    def seat(self, people: Mapping[str, Person]) -> None:
        """Name the seats for the journal."""
        seats: dict[str, Json] = {}
        for seat in range(1, len(self.play.game.cards) + 1):
            person = people.get(self.play.started.seats.get(seat, ""))
            seats[str(seat)] = (
                {"name": bot_name(seat, self._lang), "bot": True}
                if person is None
                else {"name": person.name, "bot": False}
            )
        self.journal.seat(seats)

    def due(self) -> float | None:
        """The table time at which something happens by itself; None when nothing will."""
        times = [t for t in (self.play.game.due, self.bots.due()) if t is not None]
        return min(times) if times else None

    def pass_time(self, now: float, batch: Batch) -> bool:
        """All that is due by `now`, bots' moves at their times included. False where more is left for another turn."""
        for _ in range(STEPS_LIMIT):
            due, move = self.play.game.due, self.bots.due()
            if move is not None and move <= now and (due is None or move < due):
                self._move(*self.bots.pop(), batch)
            elif due is not None and due <= now:
                self._did(self.play.advance(due), batch)
            else:
                return True
        return False

    def order(self, seat: int, mail: Order, now: float, batch: Batch, audience: Audience) -> None:
        """A player's command, answered to that player."""
        do = mail.do
        code, why = "rule", self._barred(seat, mail)
        if why is None and mail.phase != self.play.phase and do not in ANY_PHASE:
            code, why = "late", f"that was phase {mail.phase}, now it is {self.play.phase}"
        command = {**mail.command, "seat": seat}
        if do == "report":
            command["line"] = mail.line
        if why is None:
            outcome = self.play.command(command, now)
            why = outcome.refused
            self._did(outcome, batch)
        if why is not None:
            answer = frames.refused(mail.number, do, why, code)
        else:
            answer = frames.done(mail.number)
            self.offers.done(seat, mail.command, batch)
            if do == "report":
                self._report(seat, mail, batch)
        batch.after.append(lambda: audience.reply(mail.person, answer))

    def presence(self, seat: int, do: str, now: float, batch: Batch) -> None:
        """The seat's connection was lost (`away`) or came back (`back`)."""
        outcome = self.play.command({"do": do, "seat": seat}, now)
        self._did(outcome, batch)
        self._log.info("presence", seat=seat, do=do, refused=outcome.refused)

    def listen(self, mail: Heard | Thought | Wished, now: float, batch: Batch) -> None:
        """What was said, what may have been said by now, and what is thought of it later."""
        match mail:
            case Heard():
                self._hear(mail, now, batch)
            case Thought():
                self._think(mail, batch)
            case Wished():
                self._wish(mail, now, batch)

    def _hear(self, mail: Heard, now: float, batch: Batch) -> None:
        """A recognised line: shown to all, judged, and told to the engine where it was flagged."""
        heard = mail.line
        start, end = (round(self.clock.at(at), 3) for at in (heard.start_s, heard.end_s))
        if not self.play.was_open(heard.seat, start, end):
            self._log.warning("line outside its window dropped", seat=heard.seat, start=start, end=end)
            return
        text = heard.text.strip()[:TEXT_LIMIT]
        if not text:
            return
        self._did(self.play.speak(self._spoken(heard, text, start, end), now), batch)
        self.offers.line(heard.seat, text, start, now, batch)
        line = self.play.newest
        others = None if heard.others is None else [(other.text, other.share) for other in heard.others]
        found = self._opinion(line, others, batch)
        if found.severity is not None:
            command = {
                "do": "line",
                "seat": line.seat,
                "line": line.line,
                "category": found.category,
                "severity": found.severity,
            }
            outcome = self.play.command(command, now)
            self._did(outcome, batch)
            self._log.info(
                "line flagged", seat=line.seat, line=line.line, severity=found.severity, refused=outcome.refused
            )
        if found.severity is not None or found.review:
            self._queue(line, "check", batch, found)
        batch.judged.append((line, found))

    def _think(self, mail: Thought, batch: Batch) -> None:
        """A second opinion: a person gets the line, or learns more of one that is there. The game hears nothing."""
        line = self.play.lines.get(mail.line)
        queued = mail.before.severity is not None or mail.before.review
        if line is None or not (queued or mail.found.review):
            return
        if not queued:
            self._queue(line, "model", batch, mail.found)
        batch.statements.append(learnt(self._table, mail.line, mail.found))

    def _wish(self, mail: Wished, now: float, batch: Batch) -> None:
        """Commands in text that may still change: offered to their speaker."""
        self.offers.early(mail.seat, mail.wishes, self.clock.at(mail.start_s), now, batch)

    def rule(self, mail: Rule, now: float, batch: Batch) -> None:
        """A person's ruling: kept with the line, and told to the engine where it has an effect there."""
        batch.statements += mail.kept
        line = self.play.lines.get(mail.line)
        if line is not None and mail.line not in self.play.judged:
            if not mail.uphold:
                return  # the engine has never heard of it, and need not
            # "Clear" since a person said so: it fouls, once, as an upheld line does.
            command = {
                "do": "line",
                "seat": line.seat,
                "line": line.line,
                "category": mail.category or "insult",
                "severity": "clear",
            }
            self._did(self.play.command(command, now), batch)
        outcome = self.play.command({"do": "ruling", "line": mail.line, "uphold": mail.uphold}, now)
        self._did(outcome, batch)
        self._log.info("ruling", line=mail.line, uphold=mail.uphold, refused=outcome.refused)

    def stop(self, now: float, batch: Batch) -> str | None:
        """A moderator ends the game without a winner; why not, where the rules refuse it."""
        outcome = self.play.command({"do": "stop"}, now)
        self._did(outcome, batch)
        self._log.info("stop", by="moderator", refused=outcome.refused)
        return outcome.refused

    def publish(self, batch: Batch, post: Callable[[Thought], bool]) -> None:
        """The batch is on the disk: move the gate, then let everybody see, then ask what else is thought of its lines.

        `post`: for the answers; not kept here, as it would keep the table.
        """
        for item in batch.items:
            if item.event is not None and item.event.name == "mic":
                fields: Json = item.event.fields
                self.voices.mic(fields["seats"])
        self.journal.publish(batch.items)
        self.offers.settle(self.clock.now())
        ask_second(self._second, batch.judged, post)

    def _barred(self, seat: int, mail: Order) -> str | None:
        if mail.do not in PLAYERS_COMMANDS:
            return "not a player's command"
        if "seat" in mail.command:
            return "a command of a player has no 'seat': it is the own one"
        if seat in self.play.bots:
            return "a bot plays this seat to the end"
        if mail.do == "report":
            line = self.play.lines.get(mail.line)
            if line is None or line.by == "bot" or line.seat != mail.command.get("target"):
                return "there is no such line of that seat to report"
            if self._reports[seat] >= REPORTS_LIMIT:
                return f"at most {REPORTS_LIMIT} lines can be reported in one game"
        return None

    def _did(self, outcome: Outcome, batch: Batch) -> None:
        batch.add(outcome)
        self.bots.see(outcome.items)

    def _move(self, seat: int, move: Move, batch: Batch) -> None:
        if move.caption is not None and seat in self.play.mic:
            line = Spoken("", seat, move.caption, move.at, move.at, "bot", self._lang, [])
            self._did(self.play.speak(line, move.at), batch)
        if move.command is not None:
            outcome = self.play.command({**move.command, "seat": seat}, move.at)
            self._did(outcome, batch)
            if outcome.refused is not None:
                self._log.info("bot refused", seat=seat, do=move.command.get("do"), why=outcome.refused)

    def _spoken(self, heard: HeardLine, text: str, start: float, end: float) -> Spoken:
        words = [
            (
                str(word.text),
                round(self.clock.at(word.start_s), 3),
                round(self.clock.at(word.end_s), 3),
                round(float(word.confidence), 3),
            )
            for word in heard.words
        ]
        return Spoken("", heard.seat, text, start, end, "voice", heard.lang or self._lang, words)

    def _opinion(self, line: Spoken, others: Sequence[tuple[str, float]] | None, batch: Batch) -> Opinion:
        """What the check says of a line; what rules in the shadow say is kept, and is not part of it."""
        found = opinion(self._judge, line, others)
        hidden = shadow.deciding(found, self._docket.shadow)
        if not hidden:
            return found
        live = shadow.without(self._docket.shadow, line, others)
        batch.statements += shadow.kept(self._table, line, hidden, found, live)
        return live

    def _report(self, seat: int, mail: Order, batch: Batch) -> None:
        """A player's report: the line is a case, and who reported it is told what becomes of it."""
        self._reports[seat] += 1
        self._queue(self.play.lines[mail.line], "report", batch)
        batch.statements.append(report(self._table, mail.line, mail.person, seat))

    def _queue(self, line: Spoken, source: str, batch: Batch, found: Opinion | None = None) -> None:
        found = self._opinion(line, None, batch) if found is None else found
        sound = self.voices.said(line.seat, self.clock.when(line.start), self.clock.when(line.end))
        number = self.play.entry_of[line.line]
        batch.statements += self._docket.file(self._table, line, number, found, source, sound)
        batch.after.append(self._docket.ring)
