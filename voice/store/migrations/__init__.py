"""Alembic's scripts, run when the server starts."""
