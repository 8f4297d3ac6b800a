"""What holds for all tests."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING

import pytest
import structlog
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Iterator

# Who starts the tests in the background may have them ignore Ctrl-C, and their children with them; some tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A machine that is slow or busy for a moment is no finding: tests judge what is right, benchmarks how fast it is.
settings.register_profile("voicetable", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("voicetable")


@pytest.fixture(autouse=True)
def logs_as_they_were() -> Iterator[None]:
    """The program's logs are set up for good, and once used go to standard error: where later tests want silence."""
    yield
    made_by = structlog.get_config()["logger_factory"]
    assert not isinstance(made_by, structlog.WriteLoggerFactory), "use a process of its own, or patch configure_logs"
