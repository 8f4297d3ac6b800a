"""From what the clients of a bench saw to its figures: no clock, no network."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from voice.bench.seat import Seen

SLACK_S: Final = 0.1
"""How far outside a minute a packet may arrive and be of it: the way, and the mapping of the table's clock to ours."""
TEXT_WITHIN_S: Final = 3.0
VERDICT_WITHIN_S: Final = 1.0
CASE_WITHIN_S: Final = 5.0


@dataclass(slots=True)
class Figures:
    """One table's figures: lists of milliseconds, and counts."""

    mouth_to_ear_ms: list[float] = field(default_factory=list)
    gate_open_ms: list[float] = field(default_factory=list)
    gate_close_ms: list[float] = field(default_factory=list)
    end_to_text_ms: list[float] = field(default_factory=list)
    end_to_verdict_ms: list[float] = field(default_factory=list)
    text_to_verdict_ms: list[float] = field(default_factory=list)
    end_to_case_ms: list[float] = field(default_factory=list)
    packets_heard: int = 0
    packets_missing: int = 0
    leaked_packets: int = 0


def figures_of(clients: Sequence[Seen], ends_s: Mapping[int, Sequence[float]]) -> Figures:
    """The figures of one table. `ends_s`: by seat, where in its speech each utterance's voice ends."""
    figures = Figures()
    owner_of = _owners(clients)
    by_seat = {client.seat: client for client in clients}
    for client in clients:
        figures.packets_heard += len(client.heard)
        figures.packets_missing += _missing(client.sequences)
        minutes = {seat: (begun + client.offset_s, end + client.offset_s) for seat, begun, end in client.minutes}
        first: dict[int, float] = {}
        last: dict[int, float] = {}
        for arrival_s, payload in client.heard:
            speaker = owner_of.get(payload)
            if speaker is None or speaker == client.seat:
                continue
            minute = minutes.get(speaker)
            if minute is None or not minute[0] - SLACK_S <= arrival_s <= minute[1] + SLACK_S:
                figures.leaked_packets += 1
                continue
            first.setdefault(speaker, arrival_s)
            last[speaker] = arrival_s
            sent_s = _latest(by_seat[speaker].sent[payload], arrival_s)
            if sent_s is not None:
                figures.mouth_to_ear_ms.append((arrival_s - sent_s) * 1000)
        figures.gate_open_ms += [(at - minutes[seat][0]) * 1000 for seat, at in first.items()]
        figures.gate_close_ms += [(at - minutes[seat][1]) * 1000 for seat, at in last.items()]
        _judgements(client, ends_s[client.seat], figures)
    return figures


def _owners(clients: Sequence[Seen]) -> dict[bytes, int]:
    """Who alone sends a payload; what two of them send, digital silence, tells nothing."""
    senders: defaultdict[bytes, set[int]] = defaultdict(set)
    for client in clients:
        for payload in client.sent:
            senders[payload].add(client.seat)
    return {payload: next(iter(seats)) for payload, seats in senders.items() if len(seats) == 1}


def _latest(times_s: Sequence[float], until_s: float) -> float | None:
    place = bisect_right(times_s, until_s)
    return times_s[place - 1] if place else None


def _missing(sequences: Sequence[int]) -> int:
    """How many numbers lie in gaps; numbers count modulo 2^16 (RFC 3550, 5.1)."""
    missing = 0
    for before, after in pairwise(sequences):
        gap = (after - before) & 0xFFFF
        missing += gap - 1 if 1 < gap < 1 << 15 else 0
    return missing


def _judgements(client: Seen, ends_s: Sequence[float], figures: Figures) -> None:
    """Each utterance's end with the caption that follows it, and that caption's warning or foul where there is one, and
    when a moderator had it."""
    if client.spoken_s is None:
        return
    lines = list(client.lines)
    verdicts, cases = list(client.verdicts), list(client.cases)
    for end_s in ends_s:
        end_s += client.spoken_s
        text_s = next((at for at in lines if end_s < at <= end_s + TEXT_WITHIN_S), None)
        if text_s is None:
            continue
        lines.remove(text_s)
        figures.end_to_text_ms.append((text_s - end_s) * 1000)
        verdict_s = next((at for at in verdicts if text_s - 0.05 <= at <= text_s + VERDICT_WITHIN_S), None)
        if verdict_s is not None:
            verdicts.remove(verdict_s)
            figures.end_to_verdict_ms.append((verdict_s - end_s) * 1000)
            figures.text_to_verdict_ms.append((verdict_s - text_s) * 1000)
            case_s = next((at for at in cases if verdict_s - 0.05 <= at <= verdict_s + CASE_WITHIN_S), None)
            if case_s is not None:
                cases.remove(case_s)
                figures.end_to_case_ms.append((case_s - end_s) * 1000)
