"""Detoxify's models (the extra `detoxify`): found, verified, loaded without running what is in them, and asked."""
