"""`bench path`: one short run of it, over links that lose, and what it writes."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from voice.bench import path as path_bench
from voice.bench import plot
from voice.cli.bench_path import run

if TYPE_CHECKING:
    from pathlib import Path

    from voice.bench.sound import Sound

SPEECH_S = 1.0


def short(lang: str, client: int, _make: object = path_bench.make_sound) -> Sound:
    """The beginning of a client's sound."""
    assert callable(_make)
    sound: Sound = _make(lang, client)
    return replace(sound, speech=sound.speech[: round(SPEECH_S / 0.02)], ends_s=(SPEECH_S,))


@pytest.mark.timeout(180)
def test_one_short_round_over_links_that_lose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(path_bench, "make_sound", short)
    monkeypatch.setattr(path_bench, "AFTER_SPEECH_S", 0.6)
    made, picture = tmp_path / "path.json", tmp_path / "path.png"
    drawn = plot.refusal("x.png") is None
    status = run(
        listeners=1, tables=2, loss=10.0, lang="en", json_file=str(made), plot_file=str(picture) if drawn else None
    )
    document = json.loads(made.read_text())
    assert status == 0, (document, capsys.readouterr())
    assert document["bench"] == "path"
    result = document["result"]
    assert set(result) == {
        "mouth_to_ear_ms", "gate_open_ms", "gate_close_ms", "end_to_text_ms", "end_to_verdict_ms",
        "text_to_verdict_ms", "end_to_case_ms", "leaked_packets", "leaked_samples",
    }  # fmt: skip
    assert (result["leaked_packets"], result["leaked_samples"]) == (0, 0)
    assert result["mouth_to_ear_ms"]["n"] > 60, "two of each table speak for a second to one"
    assert result["gate_open_ms"]["n"] == result["gate_close_ms"]["n"] == 4
    assert len(document["rows"]) == 2
    assert all(row["packets_missing"] > 3 for row in document["rows"]), "10 % are lost on each of the two ways"
    assert all(row["clients"] == 2 for row in document["rows"])
    if drawn:
        assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_plot_without_matplotlib_says_what_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(plot.importlib.util, "find_spec", lambda name: None)
    assert run(listeners=1, tables=1, loss=0.0, lang="en", json_file=None, plot_file=str(tmp_path / "x.png")) == 2
    assert "voicetable[plot]" in capsys.readouterr().err
