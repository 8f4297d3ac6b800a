"""Recognisers and taps that are killed in the middle of their work: each turn becomes one line, of its own seat.

`python -m benchmarks.speech.kills` is the same with 100 kills, `python -m benchmarks.speech.soak` with 5,000 turns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from benchmarks.speech import kills, soak
from benchmarks.speech.turns import Clip
from tests.speech.made_up import MODULE
from voice.speech.audio import packets
from voice.speech.settings import SpeechSettings

if TYPE_CHECKING:
    from tests.speech.sound import Clip as Recorded


LEAST_MB = 5.0
"""What a process may grow by while it is warming up: many times what it does."""


def as_packets(clips: dict[str, Recorded], *names: str) -> list[Clip]:
    found = [clips[name] for name in names]
    return [Clip(each.lang, tuple(packets([(each.pcm * 32767).astype("<i2").tobytes()]))) for each in found]


@pytest.mark.speech
async def test_every_line_comes_once_of_its_own_seat_whatever_is_killed(
    clips: dict[str, Recorded], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the tests have the machine's last place, a process that gets no processor is not to count as hung."""
    monkeypatch.setattr("voice.speech.patience.STILL_S", 6.0)
    spoken = as_packets(clips, "table_en_009", "table_en_022", "table_en_037")
    result = await kills.trial(6, 1, tables=3, workers=2, clips=spoken)
    assert result["failures"] == []
    assert result["killed"] == {"SIGKILL": 2, "SIGSEGV": 2, "SIGSTOP": 2, "tap": 1}
    assert min(result["heard_again"]) > 25, "half an utterance at least was to be heard again"
    assert result["counts"]["deaths"] >= 6
    assert result["counts"]["hung"] >= 2
    assert result["counts"]["dropped_crash"] == 0


@pytest.mark.speech
async def test_a_short_soak(clips: dict[str, Recorded]) -> None:
    """All of it is warming up, so memory has more room here than in a long one."""
    spoken = {"en": as_packets(clips, "table_en_009", "table_en_022")}
    result = await soak.soak(30, tables=2, workers=2, clips=spoken, memory_mb=LEAST_MB)
    assert result["failures"] == []
    assert result["utterances"] == 30
    assert set(result["memory"]) == {"server", "tap", "recogniser 1", "recogniser 2"}


@pytest.mark.speech
@pytest.mark.parametrize("leak_bytes", [0, 1_500_000])
async def test_a_short_soak_finds_a_leak(leak_bytes: int, clips: dict[str, Recorded]) -> None:
    """With recognisers that do no work, but for what one of them keeps of each utterance."""
    spoken = {"en": as_packets(clips, "table_en_009")}
    settings = SpeechSettings(recogniser=MODULE, models={"en": f"leaks {leak_bytes}"})
    result = await soak.soak(30, tables=2, workers=1, clips=spoken, memory_mb=LEAST_MB, settings=settings)
    assert bool(result["failures"]) == bool(leak_bytes), result["failures"]
    assert all(each.startswith(("the memory of recogniser 1 rose", "recycled: ")) for each in result["failures"])


def samples(mb_per_utterance: float) -> list[dict[str, float]]:
    return [
        {
            "at": float(n),
            "utterances": 100.0 * n,
            "tap": 90.0 + min(n, 5),
            "recogniser 1": 250 + 100 * n * mb_per_utterance,
        }
        for n in range(50)
    ]


def test_what_grows_is_named() -> None:
    assert soak.grown(samples(0.0)) == []
    assert soak.grown(samples(-0.01)) == []
    (failure,) = soak.grown(samples(0.01))
    assert failure.startswith("the memory of recogniser 1 rose by ")


def test_a_wrong_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    for main, wrong in (
        (kills.main, ["--kills", "0"]),
        (kills.main, ["--taps", "-1"]),
        (soak.main, ["--utterances", "5"]),
        (soak.main, ["--longest", "0"]),
    ):
        with pytest.raises(SystemExit) as ended:
            main(wrong)
        assert ended.value.code == 2
        assert "expected at least" in capsys.readouterr().err
