"""The rules page in a real browser: from a phone's width up, in light and dark, and on paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from engine.rulebook import LANGS, rulebook
from engine.rulesets import names
from voice.rules.html import html

from .conftest import Server, chromium

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.browser

WIDER_THAN_THE_WINDOW = """() => [...document.querySelectorAll("main *")]
    .filter((each) => !each.closest(".wide table") && each.getBoundingClientRect().right > innerWidth + 0.5)
    .map((each) => each.outerHTML.slice(0, 80))"""

TABLES_TOO_WIDE = """() => [...document.querySelectorAll(".wide")]
    .filter((each) => each.scrollWidth > each.clientWidth).length"""

# The ratio of luminance between text and the ground behind it, by the formula of WCAG 2.2.
CONTRASTS = """() => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((each) => each / 255)
      .map((each) => each <= 0.04045 ? each / 12.92 : ((each + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (each) => {
    for (let at = each; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      if (colour !== "rgba(0, 0, 0, 0)") return colour;
    }
  };
  return [...document.querySelectorAll("h1, h2, h3, p, th, td, code, nav a")].map((each) => {
    const [a, b] = [light(getComputedStyle(each).color), light(ground(each))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  });
}"""


async def test_every_page_fits_and_can_be_read(tmp_path: Path) -> None:
    async with chromium(tmp_path / "browser") as browser:
        page = await browser.new_page()
        for lang in LANGS:
            every = [rulebook(name, None, lang) for name in names()]
            for document in (*(html([each]) for each in every), html(every)):
                await page.set_content(document)
                for width in (320, 390, 1280):
                    await page.set_viewport_size({"width": width, "height": 844})
                    assert await page.evaluate(WIDER_THAN_THE_WINDOW) == []
                    assert await page.evaluate("document.documentElement.scrollWidth") <= width
                    if width > 320:
                        assert await page.evaluate(TABLES_TOO_WIDE) == 0
                for scheme in ("light", "dark"):
                    await page.emulate_media(color_scheme=scheme)
                    assert min(await page.evaluate(CONTRASTS)) >= 4.5
        await page.emulate_media(media="print", color_scheme="dark")
        assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert not await page.locator("nav").is_visible()


async def test_a_rule_is_linked_by_its_id(tmp_path: Path) -> None:
    file = tmp_path / "rules.html"
    file.write_text(html([rulebook("sport")]), "utf-8")
    async with chromium(tmp_path / "browser") as browser:
        page = await browser.new_page()
        await page.goto(f"{file.as_uri()}#sport.vote.tie")
        target = page.locator(":target")
        assert await target.get_attribute("id") == "sport.vote.tie"
        assert await page.evaluate("scrollY") > 500
        await target.get_by_role("link", name="Link to this rule: A tie").click()
        assert page.url.endswith("#sport.vote.tie")


async def test_the_server_shows_it_with_its_style(server: Server, tmp_path: Path) -> None:
    async with chromium(tmp_path / "browser") as browser:
        page = await browser.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        await page.goto(f"{server.address}/rules/quick1:seats=7,runoff?lang=ru")
        assert await page.locator("h1").inner_text() == "Быстрая мафия"
        assert await page.evaluate("getComputedStyle(document.querySelector('.rule')).borderLeftWidth") == "3px"
        assert said == []


async def test_the_lobby_leads_to_the_rules_of_its_table(server: Server, tmp_path: Path) -> None:
    async with chromium(tmp_path / "browser") as browser:
        page = browser.pages[0]
        await page.goto(server.address)
        await page.get_by_test_id("mic-allow").click()
        await expect(page.get_by_test_id("mic-check")).to_have_attribute("data-state", "ready")
        await page.get_by_test_id("display-name").fill("Ann")
        await page.get_by_test_id("consent").check()
        await page.get_by_test_id("create").click()
        await page.get_by_test_id("rules").click()
        async with browser.expect_page() as opened:
            await page.get_by_role("link", name="All rules of this table").click()
        rules = await opened.value
        code = await page.get_by_test_id("game").get_attribute("data-code")
        await expect(rules.locator(".code code")).to_have_text(code or "none")
        await expect(rules.get_by_role("heading", level=1)).to_have_text("Sport Mafia")
