"""The process of second opinions on a machine without the sentence encoder."""

from __future__ import annotations

import sys

from models import sentences
from voice.second_opinions.process import main

if __name__ == "__main__":
    sentences.PACKAGE = "no_such_package_here"  # type: ignore[misc] - Final
    main(sys.argv[1:])
