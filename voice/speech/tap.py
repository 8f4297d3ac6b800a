"""The tap process: `python -m voice.speech.tap DESCRIPTOR PARENT RULES`.

The only place where a player's Opus is decoded, apart from the process that forwards it. Takes packets of open
microphones, gives utterances; keeps no audio longer than the utterance it belongs to, and writes none down.
"""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

from voice.processes.child import Pipe, become_child
from voice.speech.endpointer import EndpointRules
from voice.speech.table_ears import TableEars
from voice.speech.wire import Close, Drafts, Mic, Open, Ping, Pong, ToTap, Wait

if TYPE_CHECKING:
    from voice.processes.wire import Message

POLL_S = 0.02


class Tap:
    """All tables' ears, by the messages of the server."""

    def __init__(self, rules: EndpointRules) -> None:
        self._rules = rules
        self._draft_every_s = rules.draft_every_s
        self._tables: dict[int, TableEars] = {}

    @property
    def restless(self) -> bool:
        """Whether `poll` is wanted."""
        return any(table.restless for table in self._tables.values())

    def handle(self, message: ToTap) -> list[Message]:
        """Act on a message; return what is to be said."""
        if isinstance(message, Ping):
            counts = [count for table in self._tables.values() for count in table.counts()]
            return [*counts, Pong(message.number)]
        if isinstance(message, Open):
            self._tables[message.stream] = ears = TableEars(message.stream, self._rules)
            ears.draft_every_s = self._draft_every_s
            return []
        if isinstance(message, Drafts):
            self._draft_every_s = message.every_s
            for ears in self._tables.values():
                ears.draft_every_s = message.every_s
            return []
        table = self._tables.get(message.stream)
        if table is None:
            return []
        if isinstance(message, Close):
            del self._tables[message.stream]
            return table.counts()
        if isinstance(message, Mic):
            return table.mic(message.seats, message.epoch)
        if isinstance(message, Wait):
            return table.wait(message)
        return table.packet(message)

    def poll(self, now: float) -> list[Message]:
        """Let time pass."""
        return [said for table in self._tables.values() for said in table.poll(now)]


def main(arguments: list[str]) -> None:
    """Serve until the server is gone."""
    descriptor, parent_pid, rules = arguments
    become_child(int(parent_pid), niceness=0)
    tap = Tap(EndpointRules(**json.loads(rules)))
    pipe = Pipe(int(descriptor), ToTap)
    next_poll_s = 0.0
    while True:
        # Time is let pass only when nothing waits: what has come counts as heard before any silence does.
        due = tap.restless and time.monotonic() >= next_poll_s
        messages = pipe.receive(0.0 if due else POLL_S if tap.restless else None)
        if messages is None:
            return
        for message in messages:
            for said in tap.handle(message):
                pipe.send(said)
        if due and not messages:
            now = time.monotonic()
            next_poll_s = now + POLL_S
            for said in tap.poll(now):
                pipe.send(said)


if __name__ == "__main__":
    main(sys.argv[1:])
