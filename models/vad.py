"""Silero's voice-activity detector, frame by frame with carried state.

faster-whisper's own wrapper starts from a blank state at each call; the network underneath takes and gives its
state, so that a stream costs one small run a frame and gives the same numbers as the whole file at once.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from models.catalogue import VAD, VAD_DISTRIBUTIONS
from models.checksums import sha256_of
from models.errors import ModelError
from models.store import part_path

SAMPLE_RATE_HZ = 16_000
FRAME_SAMPLES = 512
CONTEXT_SAMPLES = 64
_STATE_SHAPE = (1, 1, 128)

Samples = npt.NDArray[np.float32]
"""Mono PCM at 16 kHz, full scale 1.0."""


@functools.cache
def _session() -> Any:  # onnxruntime has no types
    import onnxruntime

    path = part_path(VAD, VAD_DISTRIBUTIONS)
    if not path.is_file():
        raise ModelError(f"{path} is missing: expected Silero's detector there; reinstall faster-whisper")
    if sha256_of(path) != VAD.sha256:
        raise ModelError(f"{path} is another file than Silero's detector as released; reinstall faster-whisper")
    options = onnxruntime.SessionOptions()
    options.inter_op_num_threads = 1
    options.intra_op_num_threads = 1
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"], sess_options=options)


class VoiceActivity:
    """The probability of speech in each frame of one stream. One network serves all streams of a process."""

    def __init__(self) -> None:
        self._network = _session()
        self.reset()

    def reset(self) -> None:
        """Forget what was heard: for a new speaker."""
        self._h: Any = np.zeros(_STATE_SHAPE, np.float32)
        self._c: Any = np.zeros(_STATE_SHAPE, np.float32)
        self._input: Samples = np.zeros((1, CONTEXT_SAMPLES + FRAME_SAMPLES), np.float32)

    def __call__(self, frame: Samples) -> float:
        """Probability of speech, 0 to 1, in the next FRAME_SAMPLES samples."""
        self._input[0, :CONTEXT_SAMPLES] = self._input[0, -CONTEXT_SAMPLES:]
        self._input[0, CONTEXT_SAMPLES:] = frame
        output, self._h, self._c = self._network.run(None, {"input": self._input, "h": self._h, "c": self._c})
        return float(output.reshape(-1)[0])
