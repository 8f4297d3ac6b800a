"""What can keep `bench asr` from measuring."""

from __future__ import annotations


class ClipsError(Exception):
    """The clips or a document are not what they must be; one line names the file and says why."""


class BenchError(Exception):
    """The bench could not be run; one line says why."""
