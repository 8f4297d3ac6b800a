"""Machine-learning models: found, verified and wrapped. Knows nothing of the table, nor of the game but a few of its
sentences, for who wants a model to expect them."""

from __future__ import annotations

import os

# ONNX Runtime, from 1.29 on also on Linux, tells its maker of each process that uses it, and keeps a name for the
# machine, unless this is there before it is loaded. Nothing here tells anybody anything.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
