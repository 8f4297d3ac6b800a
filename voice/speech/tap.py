"""The tap process: `python -m voice.speech.tap DESCRIPTOR PARENT RULES`.

The only place where a player's Opus is decoded, apart from the process that forwards it. Takes packets of open
microphones, gives utterances; keeps no audio longer than the utterance it belongs to, and writes none down.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from voice.processes.child import Pipe, become_child
from voice.speech.ear import Ear, Heard
from voice.speech.endpointer import EndpointRules
from voice.speech.jitter import Arrived
from voice.speech.thinned import Thinned
from voice.speech.wire import Close, Drafts, Mic, Open, Packet, Ping, Pong, SeatCounts, ToTap, Utterance, Wait

if TYPE_CHECKING:
    from voice.processes.wire import Message

POLL_S = 0.02


class TableEars:
    """The ears of one table: one for each open seat."""

    def __init__(self, stream: int, rules: EndpointRules) -> None:
        self._stream = stream
        self._rules = rules
        self._ears: dict[int, Ear] = {}
        self._epoch = -1
        self._utterances = 0
        self._numbers: dict[tuple[int, int], int] = {}
        self._past: dict[int, dict[str, int]] = {}
        self._thinned: dict[int, Thinned] = {}
        self.draft_every_s = rules.draft_every_s

    @property
    def restless(self) -> bool:
        """Whether any ear wants `poll`."""
        return any(ear.restless for ear in self._ears.values())

    def mic(self, seats: list[int], epoch: int) -> list[Message]:
        """Close and flush the ears of the seats that are closed now; open new ones for the others."""
        self._epoch = epoch
        said: list[Message] = []
        for seat in sorted(self._ears.keys() - set(seats)):
            ear = self._ears.pop(seat)
            said += self._tell(seat, ear.close())
            self._keep_counts(seat, ear)
            self._forget(seat)
            self._thinned.pop(seat, None)
        for seat in sorted(set(seats) - self._ears.keys()):
            self._ears[seat] = Ear(self._rules)
        return said

    def packet(self, packet: Packet) -> list[Message]:
        """Hear a packet of an open microphone; refuse any other, whoever let it through."""
        ear = self._ears.get(packet.seat)
        if ear is None or packet.epoch != self._epoch:
            past = self._past.setdefault(packet.seat, {})
            past["packets_refused"] = past.get("packets_refused", 0) + 1
            return []
        arrived = Arrived(packet.sequence, packet.timestamp, packet.payload, packet.arrival)
        return self._tell(packet.seat, ear.push(arrived))

    def wait(self, wait: Wait) -> list[Message]:
        """More is known of a likely end."""
        ear = self._ears.get(wait.seat)
        own = next((key for key, number in self._numbers.items() if number == wait.utterance), None)
        if ear is None or own is None or own[0] != wait.seat:
            return []
        return self._tell(wait.seat, ear.wait(own[1], wait.version, wait.silence_s))

    def poll(self, now: float) -> list[Message]:
        """Let time pass."""
        said: list[Message] = []
        for seat, ear in self._ears.items():
            if ear.restless:
                said += self._tell(seat, ear.poll(now))
        return said

    def counts(self) -> list[Message]:
        """The counts of every seat that was ever open or sent anything."""
        seats = sorted(self._past.keys() | self._ears.keys())
        return [SeatCounts(self._stream, seat, self._counts_of(seat)) for seat in seats]

    def _counts_of(self, seat: int) -> dict[str, int]:
        total = dict(self._past.get(seat, {}))
        ear = self._ears.get(seat)
        if ear is not None:
            for name, count in (asdict(ear.counts) | asdict(ear.jitter.counts)).items():
                total[name] = total.get(name, 0) + count
        return total

    def _keep_counts(self, seat: int, ear: Ear) -> None:
        past = self._past.setdefault(seat, {})
        for name, count in (asdict(ear.counts) | asdict(ear.jitter.counts)).items():
            past[name] = past.get(name, 0) + count

    def _forget(self, seat: int) -> None:
        self._numbers = {key: number for key, number in self._numbers.items() if key[0] != seat}

    def _tell(self, seat: int, heard: list[Heard]) -> list[Message]:
        said: list[Message] = []
        for item in heard:
            cut = item.cut
            if not self._thinned.setdefault(seat, Thinned()).wanted(cut, self.draft_every_s):
                continue
            key = (seat, cut.utterance)
            if key not in self._numbers:
                self._forget(seat)
                self._utterances += 1
                self._numbers[key] = self._utterances
            pcm = (np.clip(cut.audio, -1.0, 1.0) * 32767.0).astype("<i2").tobytes()
            said.append(
                Utterance(
                    self._stream,
                    seat,
                    cut.stage.value,
                    self._numbers[key],
                    cut.version,
                    cut.same_as,
                    pcm,
                    item.start_s,
                    item.end_s,
                    item.speech_s,
                )
            )
        return said


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
