"""The Chromium of the media tests, driven by Playwright."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from tests.browser_here import find_browser

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from playwright.async_api import Browser

OPTIONS = (
    "--no-sandbox",
    "--autoplay-policy=no-user-gesture-required",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--no-first-run",
)
"""Pages that are not in front work as those that are, and nothing but the test uses the network."""


@asynccontextmanager
async def chromium(*more: str) -> AsyncIterator[Browser]:
    """One that is running, with these options more."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        yield await playwright.chromium.launch(executable_path=find_browser(), args=[*OPTIONS, *more])
