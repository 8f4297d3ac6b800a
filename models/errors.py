"""What can go wrong with a model, told so that a host knows what to do."""

from __future__ import annotations


class ModelError(Exception):
    """A model can't be used: missing, damaged, out of reach, or not for the language. The message says what to do."""
