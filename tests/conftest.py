"""What holds for all tests."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

# Who starts the tests in the background may have them ignore Ctrl-C, and their children with them; some tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A machine that is slow or busy for a moment is no finding: tests judge what is right, benchmarks how fast it is.
settings.register_profile("voicetable", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("voicetable")
