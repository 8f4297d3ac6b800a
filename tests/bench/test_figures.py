"""The bench's figures, from what clients saw that is made up here."""

from __future__ import annotations

import pytest

from voice.bench.figures import figures_of
from voice.bench.report import distribution
from voice.bench.seat import Seen
from voice.bench.sound import FRAME_S, make_sound, utterance_ends_s


def two_clients(arrivals_s: list[tuple[float, bytes]]) -> list[Seen]:
    """Seat 1 has the minute from table time 0 to 10 (ours: 100 to 110) and sends "a" at 101 and "b" at 109."""
    speaker = Seen(seat=1, sent={b"a": [101.0], b"b": [109.0], b"same": [102.0]}, offset_s=100.0, minutes=[(1, 0, 10)])
    listener = Seen(seat=2, sent={b"c": [105.0], b"same": [103.0]}, offset_s=100.0, minutes=[(1, 0, 10)])
    listener.heard = arrivals_s
    return [speaker, listener]


def test_the_way_of_a_packet_and_the_edges_of_a_minute() -> None:
    figures = figures_of(two_clients([(101.005, b"a"), (109.002, b"b")]), {1: (), 2: ()})
    assert figures.mouth_to_ear_ms == pytest.approx([5.0, 2.0])
    assert figures.gate_open_ms == pytest.approx([1005.0])
    assert figures.gate_close_ms == pytest.approx([-998.0])
    assert figures.leaked_packets == 0


@pytest.mark.parametrize("at_s", [99.0, 110.5])
def test_a_packet_outside_the_minute_has_leaked(at_s: float) -> None:
    assert figures_of(two_clients([(at_s, b"a")]), {1: (), 2: ()}).leaked_packets == 1


def test_a_packet_that_two_send_tells_nothing() -> None:
    figures = figures_of(two_clients([(120.0, b"same")]), {1: (), 2: ()})
    assert figures.leaked_packets == 0
    assert figures.mouth_to_ear_ms == []


def test_captions_and_verdicts_belong_to_the_utterance_before_them() -> None:
    speaker = Seen(seat=1, spoken_s=100.0, offset_s=0.0, lines=[102.4, 105.3], verdicts=[105.31], cases=[105.5])
    figures = figures_of([speaker], {1: (2.0, 5.0, 9.0)})
    assert figures.end_to_text_ms == pytest.approx([400.0, 300.0])
    assert figures.end_to_verdict_ms == pytest.approx([310.0])
    assert figures.text_to_verdict_ms == pytest.approx([10.0])
    assert figures.end_to_case_ms == pytest.approx([500.0])


def test_missing_numbers_are_counted_over_the_wrap() -> None:
    listener = Seen(seat=1, offset_s=0.0, sequences=[65534, 65535, 1, 2, 5])
    assert figures_of([listener], {1: ()}).packets_missing == 3


def test_percentiles_by_nearest_rank() -> None:
    assert distribution([float(n) for n in range(1, 101)]) == {"p50": 50, "p95": 95, "p99": 99, "n": 100}
    assert distribution([]) == {"p50": None, "p95": None, "p99": None, "n": 0}


def test_an_utterance_ends_where_a_pause_follows() -> None:
    loud, quiet = [1000.0] * 50, [0.0] * 50
    assert utterance_ends_s([*quiet, *loud, *quiet, *loud]) == pytest.approx((100 * FRAME_S, 200 * FRAME_S))


def test_two_clients_never_send_the_same_packet() -> None:
    first, second = make_sound("en", 0), make_sound("en", 1)
    assert len(first.ends_s) == 3
    assert not {*first.speech, *first.tone} & {*second.speech, *second.tone}
