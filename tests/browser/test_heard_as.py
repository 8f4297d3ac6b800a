"""A line that was flagged for another reading of its sound: the moderators see what that was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from .conftest import Server, chromium
from .play import AXE, axe
from .test_spoken import in_language, needs_axe

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Route

HIT = {"start": 4, "end": 11, "rule": "en.hate.x", "category": "hate"}
LINE = {
    "id": 1, "table": "t", "table_name": "Club", "seat": 3, "name": "Anna", "lang": "en", "line": "5",
    "text": "you try any of it", "category": "hate", "severity": None, "review": True, "scores": {"hate": 0.4},
    "why": [{**HIT, "instead": "something else"}], "before": [], "after": [], "at": 0.0, "state": "open", "reason": "",
    "source": "check", "queued_at": 0.0, "ruled_at": None, "ruled_by": None, "words_gone": False, "clip_s": None,
    "appeal": None, "reports": [], "claim": None,
}  # fmt: skip
TOLD = {"en": "“something else” where the line has “try any”", "ru": "«something else» там, где в реплике «try any»"}


@needs_axe
@pytest.mark.parametrize("lang", ["en", "ru"])
async def test_what_was_heard_instead_is_shown_where_there_is_such_a_reading(
    server: Server, tmp_path: Path, lang: str
) -> None:
    lines: list[dict[str, Any]] = [LINE, {**LINE, "id": 2, "why": [HIT]}]

    async def queue(route: Route) -> None:
        await route.fulfill(
            content_type="application/json", body=json.dumps({"lines": lines, "waiting": len(lines), "own_tables": 0})
        )

    async with chromium(tmp_path / "one", bypass_csp=True) as context:
        await context.add_init_script(path=AXE)
        await context.add_init_script(in_language(lang))
        page = context.pages[0]
        await page.route("**/api/moderation/lines?*", queue)
        await page.goto(f"{server.address}/#/moderate/{server.moderator}")
        heard = page.get_by_test_id("heard-as")
        await page.get_by_test_id("flagged").first.click()
        await expect(heard).to_contain_text(TOLD[lang])
        await axe(page, "a line that was heard as another one")
        await page.get_by_test_id("flagged").last.click()
        await expect(page.get_by_test_id("flagged-detail")).to_have_attribute("data-id", "2")
        await expect(heard).to_have_count(0)
