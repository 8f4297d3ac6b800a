"""The browser app against a real server: a whole game alone by keyboard, the pages under axe, a seat and its tabs."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from .conftest import Server, chromium
from .play import AXE, PHONE, axe, pick, sit_alone

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Page

SHORT = {
    "agreement_s": 3,
    "speech_s": 2.5,
    "vote_s": 5,
    "tie_speech_s": 1,
    "lift_s": 5,
    "shot_s": 2,
    "don_check_s": 2,
    "sheriff_check_s": 2,
    "best_move_s": 3,
    "last_word_s": 1,
}


async def _held_card(page: Page) -> str:
    """What the own card says while its key is held."""
    card = page.get_by_test_id("card")
    await expect(card).to_have_attribute("data-shown", "false")
    await page.keyboard.down("c")
    await expect(card).to_have_attribute("data-shown", "true")
    said = await card.locator("strong").inner_text()
    await page.keyboard.up("c")
    await expect(card).to_have_attribute("data-shown", "false")
    return said


async def _act(page: Page, phase: str) -> bool:
    """One move by keyboard where this phase has one for the seat; whether it was made."""
    if phase in ("agreement", "shot", "don_check", "sheriff_check", "vote", "best_move"):
        return await pick(page)
    if phase == "lift":
        await page.get_by_test_id("lift-no").press("Enter")
        await page.get_by_test_id("confirm").press("Enter")
        return True
    if phase == "speech" and await page.get_by_test_id("mic-pill").get_attribute("data-state") == "open":
        await page.keyboard.press("n")
        await pick(page)
        await page.keyboard.press("p")
        await page.keyboard.press("p")
        return True
    return False


async def test_a_whole_game_alone_by_keyboard(server: Server, tmp_path: Path) -> None:
    errors: list[str] = []
    async with chromium(tmp_path / "one") as context:
        context.pages[0].on("pageerror", lambda error: errors.append(str(error)))
        page = await sit_alone(context, server, SHORT)
        card = await _held_card(page)
        acted: dict[str, str | None] = {}
        until = time.monotonic() + 240
        while not await page.get_by_test_id("result").count():
            assert time.monotonic() < until, "the game did not end"
            phase = page.get_by_test_id("phase")
            name, number = await phase.get_attribute("data-phase"), await phase.get_attribute("data-number")
            assert name is not None
            if acted.get(name) != number and await _act(page, name):
                acted[name] = number
            await page.wait_for_timeout(100)
        result = page.get_by_test_id("result")
        assert await result.get_attribute("data-winner") in ("town", "mafia", "draw")
        await expect(result.locator("tbody tr")).to_have_count(10)
        await expect(result.locator("tbody tr.me")).to_contain_text(card)
        assert "vote" in acted
        await expect(page.locator('[data-testid="caption"][data-by="bot"]').first).to_be_attached()
        # After the game everybody may talk.
        await expect(page.get_by_test_id("mic-pill")).to_have_attribute("data-state", "open")
    assert errors == []


async def test_a_seat_survives_a_reload_and_the_newest_tab_has_it(server: Server, tmp_path: Path) -> None:
    async with chromium(tmp_path / "one") as context:
        page = await sit_alone(context, server, {"agreement_s": 60})
        own = await page.locator(".seat.me").get_attribute("data-testid")
        await page.reload()
        await expect(page.locator(".seat.me")).to_have_attribute("data-testid", str(own))
        # The microphone comes back without being asked for, and closed, as the rules say.
        await expect(page.get_by_test_id("mic-pill")).to_have_attribute("data-state", "closed", timeout=15_000)

        second = await context.new_page()
        await second.goto(page.url)
        await expect(second.locator(".seat.me")).to_have_attribute("data-testid", str(own))
        await page.get_by_test_id("take-back").click()
        await expect(page.locator(".seat.me")).to_have_attribute("data-testid", str(own))
        await expect(second.get_by_test_id("take-back")).to_be_visible()


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: run `npm ci` in voice/web/app")
@pytest.mark.parametrize(("lang", "size"), [("en", None), ("ru", PHONE)], ids=["english-desktop", "russian-phone"])
async def test_the_pages_passaxe(server: Server, tmp_path: Path, lang: str, size: dict[str, int] | None) -> None:
    settings = json.dumps({"lang": lang})
    async with chromium(tmp_path / "one", viewport=size or {"width": 1440, "height": 900}, bypass_csp=True) as context:
        await context.add_init_script(path=AXE)
        await context.add_init_script(
            f"localStorage.getItem('vt.settings') ?? localStorage.setItem('vt.settings', {settings!r})"
        )
        page = context.pages[0]
        await page.goto(server.address)
        await expect(page.locator("html")).to_have_attribute("lang", lang)
        await axe(page, "the first page")
        page = await sit_alone(context, server, {"agreement_s": 4, "speech_s": 8})
        await axe(page, "the agreement")
        await expect(page.get_by_test_id("phase")).to_have_attribute("data-phase", "speech", timeout=15_000)
        await page.keyboard.press("g")
        await axe(page, "a speech")
        for dialog in ("rules", "settings", "report", "leave"):
            button = page.get_by_test_id(dialog)
            if not await button.is_visible():
                await page.locator("button.menu").click()
            await button.click()
            await axe(page, dialog)
            await page.keyboard.press("Escape")
        await page.goto(f"{server.address}/#/moderate/{server.moderator}")
        await expect(page.get_by_test_id("queue-empty")).to_be_visible()
        assert server.moderator not in page.url
        await axe(page, "the moderators' page")
