"""Says before the tests whether a Chromium is there for those that need one, and how to get it."""

from __future__ import annotations

import os
import sys

from voice.bench.chromium import find as find_browser

__all__ = ["HOW_TO_GET_ONE", "find_browser"]

HOW_TO_GET_ONE = (
    "no Chromium found: the browser tests are left out. To run them: `apt-get install chromium` (Debian), or set "
    "VOICETABLE_CHROMIUM to the browser's path."
)

if __name__ == "__main__":
    browser = find_browser()
    print(f"browser tests: {browser}" if browser else f"browser tests: {HOW_TO_GET_ONE}")
    sys.exit(1 if not browser and os.environ.get("VOICETABLE_TESTS_SKIP_NOTHING") else 0)
