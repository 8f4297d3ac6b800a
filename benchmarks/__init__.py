"""Measurements, side by side with an alternative where there is one; never asserted in tests."""
