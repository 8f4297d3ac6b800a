"""Logs: a line that can't be written harms nothing."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import io, logging, os, sys
import structlog
from voice.logs import configure_logs

real = sys.stderr
sys.stderr = io.StringIO()
configure_logs()
log = structlog.get_logger("test")
log.error("one")
first, sys.stderr = sys.stderr, real
assert "one" in first.getvalue()
first.close()
log.error("two")  # its logger was made for a stream that is closed by now
logging.getLogger("other").error("three")
reader, writer = os.pipe()
os.dup2(writer, 2)
os.close(reader)
for _ in range(3):
    log.error("nobody reads this")
    logging.getLogger("other").error("nor this")
print("done")
"""


def test_a_line_goes_to_the_stream_that_there_is_and_its_failure_to_nobody() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, timeout=60)
    assert ran.stdout == "done\n", ran.stderr
    assert "two" in ran.stderr
    assert "three" in ran.stderr
    assert "Logging error" not in ran.stderr
