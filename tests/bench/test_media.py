"""`bench media`: what it makes of what it saw, and one short run."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser_here import HOW_TO_GET_ONE, find_browser
from tests.media.headers import rtp_header
from voice.bench import media_plot, plot, report
from voice.bench.media import leaks, result_of
from voice.cli.bench_media import run

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="bench media reads Linux's clocks")


def row(way: str, cost: float, live: int = 1, leaked: int | None = None) -> dict[str, Any]:
    added = report.distribution([1.0, 2.0])
    return {"way": way, "tables": 1, "live": live, "cpu_s_per_table_s": cost, "added_ms": added,
            "rss_mb_per_table": 2.0, "leaked_packets": leaked, "concealed": None}  # fmt: skip


def test_ratios_are_of_the_costs() -> None:
    rows = [row("ours", 0.01), row("ours", 0.02, 10, 3), row("relay", 0.4), row("floor", 0.004), row("janus", 0.02)]
    result = result_of(rows, 30)
    assert (result["tables"], result["cpu_s_per_table_s"], result["rss_mb_per_table"]) == (30, 0.01, 2.0)
    assert (result["relay_ratio"], result["floor_ratio"], result["janus_ratio"]) == (40.0, 2.5, 0.5)
    assert result["leaked_packets"] == 3
    assert result["added_ms"]["n"] == 2


def test_what_was_not_measured_is_null() -> None:
    result = result_of([row("ours", 0.01)], 1)
    assert result["relay_ratio"] is result["floor_ratio"] is result["janus_ratio"] is result["leaked_packets"] is None
    assert result_of([row("relay", 0.4)], 1)["cpu_s_per_table_s"] is None


class Open:
    """In place of the keys: what comes is not encrypted."""

    def unprotect(self, data: bytes) -> bytes:
        return data


@dataclass
class FakePeer:
    """A client with what it sent and heard."""

    seat: int
    payloads: tuple[bytes, ...] = ()
    sent_ns: list[int] = field(default_factory=list)
    heard: list[tuple[int, bytes]] = field(default_factory=list)
    table: int = 0
    wire: Open = field(default_factory=Open)


@pytest.mark.parametrize(("sent_ns", "leaked"), [(99, 1), (100, 0), (150, 0), (200, 0), (201, 1)])
def test_a_packet_sent_while_its_seat_was_closed_is_a_leak(sent_ns: int, leaked: int) -> None:
    speaker = FakePeer(1, (b"speech",), [sent_ns * 1_000_000])
    other = FakePeer(2, (b"noise",), [150], [(300, rtp_header(96, False, 1, 1, 1) + b"speech")])
    peers: Any = [speaker, other]
    assert leaks(peers, {1: (100_000_000, 200_000_000)}) == (leaked, 1)
    assert leaks(peers, {}) == (1, 1)


def test_a_plot_of_rows_with_and_without_a_browsers(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = [row("ours", 0.01), row("relay", 0.4), row("floor", 0.004) | {"added_ms": None}]
    for concealed in (None, {"one_speaker": {"samples": 48_000, "concealed": 480, "events": 1}}):
        rows[0]["concealed"] = concealed
        media_plot.write(str(tmp_path / "x.png"), rows)
        assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG")


def test_one_short_run_of_everything_small(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "media.json"
    status = run(
        tables=1, listeners=2, seconds=1.0, only="ours,workers,fallback,floor", json_file=str(made), plot_file=None,
        browser=False,
    )  # fmt: skip
    document = json.loads(made.read_text())
    assert status == 0, (document, capsys.readouterr())
    assert document["bench"] == "media"
    assert set(document["result"]) == {
        "tables", "cpu_s_per_table_s", "added_ms", "rss_mb_per_table", "relay_ratio", "floor_ratio", "janus_ratio",
        "leaked_packets",
    }  # fmt: skip
    assert document["result"]["cpu_s_per_table_s"] > 0
    assert document["result"]["added_ms"]["n"] > 50
    assert document["result"]["leaked_packets"] == 0
    assert [(each["way"], each["live"]) for each in document["rows"]] == [
        ("ours", 1), ("ours", 3), ("workers", 1), ("workers", 3), ("fallback", 1), ("fallback", 3),
        ("floor", 1), ("floor at once", 1),
    ]  # fmt: skip
    assert all(each["packets_heard"] for each in document["rows"][:7])
    assert all(each["concealed"] is None for each in document["rows"])


@pytest.mark.browser
@pytest.mark.skipif(find_browser() is None, reason=HOW_TO_GET_ONE)
def test_a_chromium_listens_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = tmp_path / "media.json"
    assert (
        run(tables=1, listeners=1, seconds=1.0, only="ours", json_file=str(made), plot_file=None, browser=True) == 0
    ), capsys.readouterr()
    one, live = json.loads(made.read_text())["rows"]
    assert list(one["concealed"]) == ["one_speaker", "changes", "nobody"]
    assert all(each["samples"] > 30_000 for each in one["concealed"].values())
    assert 0 <= one["concealed"]["nobody"]["concealed"] < 0.5 * one["concealed"]["nobody"]["samples"]
    assert live["concealed"] is None
    assert "concealed in Chromium" in capsys.readouterr().out


def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    none = {"tables": 1, "listeners": 1, "seconds": 1.0, "plot_file": None}
    assert run(only="ours,theirs", json_file=None, **none) == 2  # type: ignore[arg-type]  # one of the values
    assert "not theirs" in capsys.readouterr().err
    assert run(only=None, json_file=str(tmp_path / "no" / "x"), **none) == 2  # type: ignore[arg-type]  # the same
    assert capsys.readouterr().err.count("\n") == 1


def test_a_plot_without_matplotlib_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(plot.importlib.util, "find_spec", lambda name: None)
    picture = str(tmp_path / "x.png")
    assert run(tables=1, listeners=1, seconds=1.0, only="ours", json_file=None, plot_file=picture) == 2
    assert "voicetable[plot]" in capsys.readouterr().err
