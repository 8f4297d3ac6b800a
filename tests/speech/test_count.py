"""How many recogniser processes a server has by itself, and whose which GPU is."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from pydantic import ValidationError

from voice.settings import Settings
from voice.speech import count
from voice.wiring import Wiring

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(("cores", "processes"), [(1, 1), (2, 2), (4, 4), (64, 4)])
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the cores that a process may use are Linux's to say")
def test_one_a_core_and_four_at_most(monkeypatch: pytest.MonkeyPatch, cores: int, processes: int) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _pid: set(range(cores)))
    assert Settings().recognisers == processes
    assert Settings(asr_workers=7).recognisers == 7
    assert Settings(asr="off").recognisers == 0
    assert Settings(speech=False, asr_workers=7).recognisers == 0
    with pytest.raises(ValidationError):
        Settings(asr_workers=0)


def test_recognisers_are_told_the_compute_type(tmp_path: Path) -> None:
    speech = Wiring(Settings(data=tmp_path, asr_compute_type="float32", media=False)).speech
    assert speech is not None
    assert speech._settings.compute_type == "float32"


def test_one_a_gpu_each_on_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(count, "_DRIVER", tmp_path / "none")
    assert Settings(device="cuda").recognisers == 1
    assert count.device_of(0, "cuda") == {}
    for name in ("0000:01:00.0", "0000:02:00.0"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(count, "_DRIVER", tmp_path)
    assert Settings(device="cuda").recognisers == 2
    assert [count.device_of(number, "cuda")["CUDA_VISIBLE_DEVICES"] for number in range(3)] == ["0", "1", "0"]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "3, 5")
    assert [count.device_of(number, "cuda")["CUDA_VISIBLE_DEVICES"] for number in range(2)] == ["3", "5"]
    assert count.device_of(1, "cpu") == {}
