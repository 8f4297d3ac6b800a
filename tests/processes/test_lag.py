"""A loop that is late is noticed, counted, and told now and then."""

from __future__ import annotations

import asyncio
import time

from structlog.testing import capture_logs

from voice.lag import LagWatch


async def test_a_blocked_loop_is_an_alarm() -> None:
    watch = LagWatch("test")
    watch.start()
    await asyncio.sleep(0.12)
    time.sleep(0.3)  # noqa: ASYNC251 - the point
    await asyncio.sleep(0.12)
    watch.stop()
    stats = watch.stats()
    assert stats["max"] >= 200.0
    assert stats["alarms"] >= 1
    after = watch.stats()
    await asyncio.sleep(0.12)
    assert watch.stats() == after


def test_alarms_are_counted_and_said_once_in_ten_seconds_with_the_worst() -> None:
    watch = LagWatch("test")
    with capture_logs() as logs:
        for number in range(100):
            watch.note(19.9, number * 0.05)
        assert logs == []
        for number in range(100):
            watch.note(25.0 + number, 10.0 + number * 0.05)
        watch.note(1.0, 20.5)
    assert [(each["times"], each["worst_ms"]) for each in logs] == [(1, 25), (99, 124)]
    assert watch.stats() == {"p99": 122.0, "max": 124.0, "alarms": 100}


def test_one_that_says_nothing_counts_all_the_same() -> None:
    watch = LagWatch("busy", says=False)
    with capture_logs() as logs:
        watch.note(50.0, 1.0)
        watch.note(30.0, 100.0)
    assert logs == []
    assert watch.stats()["alarms"] == 2
