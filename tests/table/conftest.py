"""A server's tables, ready for a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.table.world import World

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    """One server's tables, in a new database."""
    made = World(tmp_path / "table.sqlite3")
    await made.open()
    yield made
    await made.close()
