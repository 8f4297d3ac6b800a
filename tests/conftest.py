"""What holds for all tests."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A machine that is slow or busy for a moment is no finding: tests judge what is right, benchmarks how fast it is.
settings.register_profile("voicetable", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("voicetable")
