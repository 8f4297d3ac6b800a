"""The spectrogram is the one that faster-whisper makes of the same sound with silence behind it."""

from __future__ import annotations

import numpy as np
import pytest
from faster_whisper.feature_extractor import FeatureExtractor
from hypothesis import given, settings
from hypothesis import strategies as st

from models.mel import HOP_SAMPLES, log_mel

FRAMES = 200


@pytest.mark.parametrize("bands", [80, 128])
@settings(max_examples=40, deadline=None)
@given(samples=st.integers(0, FRAMES * HOP_SAMPLES - 200), loudness=st.sampled_from([0.0, 1e-6, 0.01, 1.0]))
def test_it_is_the_librarys(bands: int, samples: int, loudness: float) -> None:
    library = FeatureExtractor(feature_size=bands)
    audio = (np.random.default_rng(samples).standard_normal(samples) * loudness).astype(np.float32)
    behind = np.concatenate([audio, np.zeros(FRAMES * HOP_SAMPLES - samples, np.float32)])
    expected = library(behind, padding=0)[:, :FRAMES]
    found = log_mel(audio, library.mel_filters, FRAMES)
    assert found.dtype == np.float32
    assert found.flags.c_contiguous
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_window_without_silence_behind_is_refused() -> None:
    filters = FeatureExtractor().mel_filters
    with pytest.raises(ValueError, match="silence"):
        log_mel(np.zeros(FRAMES * HOP_SAMPLES - 199, np.float32), filters, FRAMES)
