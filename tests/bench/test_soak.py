"""The soak: its judge on made-up samples, and a short one of two tables."""

from __future__ import annotations

import math
from typing import Any

import pytest

from benchmarks.soak.__main__ import main, soak
from benchmarks.soak.judge import judge, regression, unclean

EMPTY = {"tasks": 1, "descriptors": 19}
JOINS = {"done": 1000, "failed": 3, "left": 500}


def samples(**growth_per_s: float) -> list[dict[str, Any]]:
    """Twenty minutes, one sample each 5 s: people come and go, and what is named grows."""
    made = []
    for number in range(240):
        at = 5.0 * number
        wave = math.sin(number / 7.0)
        values = {
            "rss_mb": 200.0 + wave + 30.0 * (1 - math.exp(-at / 60.0)),
            "threads": 3.0,
            "tasks": 300.0 + 8.0 * wave,
            "descriptors": 600.0 + 16.0 * wave,
            "peers": 100.0,
            "lag_p99_ms": 2.0,
            "lag_max_ms": 9.0,
        }
        made.append({"at": 1000.0 + at, **{name: v + growth_per_s.get(name, 0.0) * at for name, v in values.items()}})
    return made


def failures(growth: dict[str, float], **other: Any) -> list[str]:
    given = {"before": EMPTY, "after": EMPTY, "joins": JOINS, "log": [], **other}
    found: list[str] = judge(samples(**growth), **given)["failures"]
    return found


def test_warming_up_and_people_who_come_and_go_are_no_growth() -> None:
    assert failures({}) == []
    assert failures({"rss_mb": -0.01}) == []


def test_more_people_are_no_growth_and_more_for_each_is() -> None:
    def judged(tasks_per_person: float) -> list[str]:
        given = samples()
        for number, sample in enumerate(given):
            sample["peers"] = 60.0 + number / 6.0
            sample["tasks"] = sample["peers"] * (3.0 + tasks_per_person * number)
            sample["descriptors"] = sample["peers"] * 2.0
        found: list[str] = judge(given, EMPTY, EMPTY, JOINS, [])["failures"]
        return found

    assert judged(0.0) == []
    (failure,) = judged(0.002)
    assert failure.startswith("tasks rose by")


@pytest.mark.parametrize(
    ("growth", "named"),
    [
        ({"rss_mb": 0.01}, "rss_mb rose by"),  # 0.6 MB a minute
        ({"tasks": 1 / 30}, "tasks rose by"),
        ({"descriptors": 0.05}, "descriptors rose by"),
        ({"threads": 1 / 400}, "threads went from"),
    ],
)
def test_what_grows_is_named(growth: dict[str, float], named: str) -> None:
    (failure,) = failures(growth)
    assert failure.startswith(named)


def test_what_stays_behind_fails_joins_and_a_log_that_is_not_clean() -> None:
    (failure,) = failures({}, after={"tasks": 2, "descriptors": 19})
    assert failure == "tasks when all had left: 2, and 1 before the first came"
    (failure,) = failures({}, joins={"done": 100, "failed": 3, "left": 0})
    assert failure == "3 of 103 joins failed"
    log = [
        "timestamp='2030-01-01T00:00:00Z' level='info' event='soak.server' tables=2",
        "timestamp='2030-01-01T00:00:00Z' level='warning' event='event loop was late' loop='soak' worst_ms=31",
        "timestamp='2030-01-01T00:00:00Z' level='error' event='media.peer.no_socket'",
        "ERROR asyncio Task exception was never retrieved",
        "Traceback (most recent call last):",
    ]
    assert unclean(log) == log[2:]
    (failure,) = failures({}, log=unclean(log))
    assert failure.startswith("3 lines of the log are warnings or worse, the first: timestamp=")


def test_the_line_through_samples() -> None:
    line = regression([0.0, 1.0, 2.0, 3.0], [1.0, 3.0, 5.0, 7.0])
    assert (line.slope, line.within, line.mean) == (2.0, 0.0, 4.0)
    line = regression([0.0, 1.0, 2.0, 3.0], [0.0, 1.0, 0.0, 1.0])
    assert line.slope == pytest.approx(0.2)
    assert line.within == pytest.approx(1.96 * math.sqrt(0.8 / 2 / 5))
    with pytest.raises(ValueError, match="three samples"):
        regression([1.0, 2.0], [1.0, 2.0])


def test_a_wrong_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    for wrong in (["--tables", "0"], ["--minutes", "0.5"], ["--churn", "0"]):
        with pytest.raises(SystemExit) as ended:
            main(wrong)
        assert ended.value.code == 2
    assert "expected time for 12 samples: --minutes 1 or more" in capsys.readouterr().err


@pytest.mark.parametrize("workers", [0, 1])
async def test_a_short_soak(workers: int) -> None:
    """Twelve seconds are all warming up, so memory has much room here; nothing else may grow, nor stay behind."""
    result = await soak(2, 12.0, workers=workers, churn_per_s=3.0, every_s=1.0, memory_mb=30.0)
    assert result["failures"] == []
    assert result["joins"]["done"] > 35
    assert result["joins"]["left"] > 5
    assert result["heard"] > 1000
    assert result["before"]["peers"] == result["after"]["peers"] == 0
