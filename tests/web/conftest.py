"""A server for a test."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.web.client import Server, serving

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    """One server with a new data folder, no sound and no speech."""
    async with serving(tmp_path / "data") as made:
        yield made
