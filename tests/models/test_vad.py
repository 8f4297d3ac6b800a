"""The voice-activity detector frame by frame: the numbers of the whole file, and a blank state after a reset."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import numpy as np
import pytest
from faster_whisper.vad import get_vad_model

from models import store, vad
from models.catalogue import VAD, VAD_DISTRIBUTIONS, VAD_NAME
from models.errors import ModelError
from models.store import part_path
from models.vad import FRAME_SAMPLES, Samples, VoiceActivity
from models.verifying import verify
from tests.speech.sound import read_clips

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def speech() -> Samples:
    pcm = np.concatenate([clip.pcm for clip in read_clips().values()])
    return pcm[: len(pcm) // FRAME_SAMPLES * FRAME_SAMPLES]


def heard(pcm: Samples, detector: VoiceActivity) -> list[float]:
    return [detector(frame) for frame in pcm.reshape(-1, FRAME_SAMPLES)]


def test_frame_by_frame_is_the_same_as_all_at_once(speech: Samples) -> None:
    ours = heard(speech, VoiceActivity())
    theirs = get_vad_model()(speech.copy()).reshape(-1)
    # Theirs blanks the end of the last frame that it is given; all before must be equal.
    assert np.abs(np.array(ours)[:-1] - theirs[:-1]).max() < 1e-6
    assert max(ours) > 0.9
    assert min(ours) < 0.1


def test_a_reset_forgets_the_speaker(speech: Samples) -> None:
    detector = VoiceActivity()
    first = heard(speech[: 60 * FRAME_SAMPLES], detector)
    detector.reset()
    assert heard(speech[: 60 * FRAME_SAMPLES], detector) == first


def test_streams_do_not_mix(speech: Samples) -> None:
    one, other = VoiceActivity(), VoiceActivity()
    rng = np.random.default_rng(0)
    alone = heard(speech[: 40 * FRAME_SAMPLES], VoiceActivity())
    mixed = []
    for frame in speech[: 40 * FRAME_SAMPLES].reshape(-1, FRAME_SAMPLES):
        mixed.append(one(frame))
        other(rng.normal(0, 0.1, FRAME_SAMPLES).astype(np.float32))
    assert mixed == alone


def test_another_file_than_the_pinned_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = part_path(VAD, VAD_DISTRIBUTIONS).read_bytes()
    other = tmp_path / "faster_whisper" / VAD.path
    other.parent.mkdir(parents=True)
    other.write_bytes(theirs[:-1] + bytes([theirs[-1] ^ 1]))
    monkeypatch.setattr(store, "package_directory", lambda package, _: tmp_path / package)
    (bad,) = [check for check in verify(tmp_path / "data") if check.model == VAD_NAME]
    assert "damaged" in bad.problem
    vad._session.cache_clear()
    try:
        with pytest.raises(ModelError, match=r"another file .* reinstall faster-whisper"):
            VoiceActivity()
    finally:
        vad._session.cache_clear()


def test_its_runtime_tells_nobody_of_it(tmp_path: Path) -> None:
    """ONNX Runtime's Linux packages collect and send what they are used for, unless they are told not to, or in CI."""
    code = "import numpy; from models.vad import VoiceActivity; VoiceActivity()(numpy.zeros(512, numpy.float32))"
    told = {"CI", "GITHUB_ACTIONS", "TF_BUILD", "ORT_DISABLE_TELEMETRY"}
    environment = {name: value for name, value in os.environ.items() if name not in told}
    homes = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=environment | homes, check=True)
    assert list(tmp_path.rglob("*")) == []
