"""A page at a table of its own: what the tests of the app do with it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from playwright.async_api import expect

from .conftest import ROOT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.async_api import BrowserContext, Page, Route

    from .conftest import Server

AXE = ROOT / "voice" / "web" / "app" / "node_modules" / "axe-core" / "axe.min.js"
PHONE = {"width": 390, "height": 844}
MAY = '[data-testid^="pick-"][aria-disabled="false"]'


async def sit_alone(
    context: BrowserContext,
    server: Server,
    options: Mapping[str, float],
    ruleset: str = "sport",
    lang: str | None = None,
) -> Page:
    """A page at a table of its own that has just begun. `options` come on top of those chosen on the page; `lang`: the
    table's language, where it is not the page's."""
    page = context.pages[0]

    async def short(route: Route) -> None:
        body = json.loads(route.request.post_data or "{}")
        body["options"] = {**body["options"], **options}
        await route.continue_(post_data=json.dumps(body))

    await page.route("**/api/tables", short)
    await page.goto(server.address)
    await page.get_by_test_id(f"game-{ruleset}").check()
    if lang is not None:
        await page.get_by_test_id("table-lang").select_option(lang)
    await page.get_by_test_id("mic-allow").click()
    await expect(page.get_by_test_id("mic-check")).to_have_attribute("data-state", "ready")
    await page.get_by_test_id("display-name").fill("Мира")
    await page.get_by_test_id("consent").check()
    await page.get_by_test_id("create").click()
    await page.get_by_test_id("start").click()
    await expect(page.get_by_test_id("table")).to_be_visible()
    return page


async def pick(page: Page) -> bool:
    """Picks the first seat that may be picked, by its digit, and confirms it."""
    seats = await page.locator(MAY).all_inner_texts()
    if not seats:
        return False
    await page.keyboard.press(f"Digit{int(seats[0].split()[0]) % 10}")
    await page.keyboard.press("Enter")
    return True


async def axe(page: Page, where: str) -> None:
    found: list[dict[str, Any]] = await page.evaluate(
        """async () => (await axe.run(document, {
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        })).violations.map(({id, nodes}) => ({id, at: nodes.map(node => node.target.join(' '))}))"""
    )
    assert found == [], (where, found)
    wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide, f"{where}: the page is wider than the screen"
