"""The open microphones of one table in the tap process: from the server's messages to utterances."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from voice.speech.ear import Ear
from voice.speech.jitter import Arrived
from voice.speech.thinned import Thinned
from voice.speech.wire import SeatCounts, Utterance

if TYPE_CHECKING:
    from voice.processes.wire import Message
    from voice.speech.ear import Heard
    from voice.speech.endpointer import EndpointRules
    from voice.speech.wire import Packet, Wait


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
