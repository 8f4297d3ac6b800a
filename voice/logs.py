"""Logs to standard error, the same in the server and in its media workers."""

from __future__ import annotations

import contextlib
import io
import logging
import sys
from typing import TextIO, cast

import structlog


class StandardError(io.TextIOBase):
    """Standard error as it is at each write. What can't be written is left out: no work fails for its log line.

    Else a server whose reader is gone (`voicetable serve 2>&1 | head`) would leave undone what follows a log line, such
    as to end a process that hangs.
    """

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()


def configure_logs(*, quiet: bool = False) -> None:
    """Logs to standard error, one line an event: tables and seats, never names or words. `quiet`: warnings only."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.KeyValueRenderer(key_order=["timestamp", "level", "event"]),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING if quiet else logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(file=cast("TextIO", StandardError())),
        cache_logger_on_first_use=True,
    )
    logging.basicConfig(level=logging.WARNING, stream=StandardError(), format="%(levelname)s %(name)s %(message)s")
    # What a client sends that is no HTTP or no UTF-8 is answered to it; a stranger must not fill the log with it.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
