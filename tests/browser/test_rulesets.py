"""The app with the house rulesets: whole games by keyboard, each phase's panel under axe, the floor, the stop."""

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

NIGHT = {"shot_s": 1.5, "check_s": 1.5, "protect_s": 1.5}
QUICK = {"seats": 6, "recognition_s": 1.5, "discussion_s": 2, "vote_s": 4, "tie_speech_s": 1, "shot_s": 1.5}
TEACHING = {**NIGHT, "speech_s": 0.6, "nomination_s": 3, "defence_s": 1, "vote_s": 4}
PARTY = {**NIGHT, "seats": 13, "discussion_s": 60, "floor_s": 3}
NEEDS_AXE = pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: run `npm ci` in voice/web/app")


async def act(page: Page, phase: str) -> bool:
    """One move by keyboard where this phase has one for the seat; whether it was made."""
    if phase == "vote" and await page.get_by_test_id("removal-yes").count():
        await page.get_by_test_id("removal-no").press("Enter")
        await page.get_by_test_id("confirm").press("Enter")
        return True
    if phase == "nomination" and await page.get_by_test_id("prompt").count():
        return await pick(page)
    if phase in ("shot", "check", "protect", "vote"):
        return await pick(page)
    if phase == "discussion" and await page.get_by_test_id("act-ask").get_attribute("aria-disabled") == "false":
        await page.keyboard.press("a")
        return await pick(page)
    return False


@NEEDS_AXE
@pytest.mark.parametrize(
    ("ruleset", "options", "lang", "size", "seats", "phases"),
    [
        ("teaching", TEACHING, "en", None, 6, {"shot", "check", "protect", "speech", "nomination"}),
        ("quick", {**QUICK, "runoff": True}, "ru", PHONE, 6, {"recognition", "discussion", "vote", "shot"}),
    ],
    ids=["teaching-english-desktop", "quick-russian-phone"],
)
async def test_a_whole_game_by_keyboard_every_phase_under_axe(
    server: Server,
    tmp_path: Path,
    ruleset: str,
    options: dict[str, float],
    lang: str,
    size: dict[str, int] | None,
    seats: int,
    phases: set[str],
) -> None:
    errors: list[str] = []
    settings = json.dumps({"lang": lang})
    async with chromium(tmp_path / "one", viewport=size or {"width": 1280, "height": 900}, bypass_csp=True) as context:
        await context.add_init_script(path=AXE)
        await context.add_init_script(
            f"localStorage.getItem('vt.settings') ?? localStorage.setItem('vt.settings', {settings!r})"
        )
        context.pages[0].on("pageerror", lambda error: errors.append(str(error)))
        page = await sit_alone(context, server, options, ruleset)
        await expect(page.locator('[data-testid^="seat-"]')).to_have_count(seats)
        assert not await page.get_by_test_id("tab-signs").count()
        seen: set[str] = set()
        acted: dict[str, str | None] = {}
        until = time.monotonic() + 150
        while not await page.get_by_test_id("result").count():
            assert time.monotonic() < until, "the game did not end"
            phase = page.get_by_test_id("phase")
            name, number = await phase.get_attribute("data-phase"), await phase.get_attribute("data-number")
            assert name is not None
            if name not in seen:
                seen.add(name)
                await axe(page, name)
            if acted.get(name) != number and await act(page, name):
                acted[name] = number
            await page.wait_for_timeout(100)
        # On a slow machine the look at one phase may take longer than the next phase lasts.
        assert len(phases & seen) >= 3
        result = page.get_by_test_id("result")
        assert await result.get_attribute("data-winner") in ("town", "mafia", "draw")
        await expect(result.locator("tbody tr")).to_have_count(seats)
        # There are no points in these games: seat, name, card, how it left.
        await expect(result.locator("thead th")).to_have_count(4)
        await axe(page, "the result")
    assert errors == []


@NEEDS_AXE
async def test_the_floor_is_held_and_the_game_is_stopped(server: Server, tmp_path: Path) -> None:
    async with chromium(tmp_path / "one", viewport={"width": 1280, "height": 800}, bypass_csp=True) as context:
        await context.add_init_script(path=AXE)
        page = await sit_alone(context, server, PARTY, "party")
        await expect(page.get_by_test_id("phase")).to_have_attribute("data-phase", "discussion", timeout=20_000)
        mine = await page.locator(".seat.me").get_attribute("data-testid")
        if await page.get_by_test_id("act-floor").get_attribute("aria-disabled") == "false":
            await page.keyboard.press("f")
            await expect(page.locator(".seat.open")).to_have_count(1)
            assert await page.locator(".seat.open").get_attribute("data-testid") == mine
            await expect(page.get_by_test_id("next")).to_contain_text("floor")
            # Once in a discussion: the second time the page says why not.
            await expect(page.locator(".seat.open")).not_to_have_count(1, timeout=8_000)
            await page.keyboard.press("f")
            await expect(page.get_by_test_id("notice")).to_contain_text("You have had the floor")
        else:  # shot in the first night: the page says that too
            await page.keyboard.press("f")
            await expect(page.get_by_test_id("notice")).to_contain_text("You have left")
        await page.get_by_test_id("stop").press("Enter")
        await axe(page, "the stop's dialog")
        await page.get_by_test_id("stop-confirm").press("Enter")
        result = page.get_by_test_id("result")
        await expect(result).to_contain_text("Мира, stopped the game")
        await expect(result.locator("table")).to_have_count(0)
        await expect(page.get_by_test_id("stop")).to_have_count(0)
        await axe(page, "a stopped game")


@NEEDS_AXE
async def test_the_choice_of_a_game_reaches_the_table_and_a_moderator_stops_it(server: Server, tmp_path: Path) -> None:
    async with (
        chromium(tmp_path / "one", viewport={"width": 1280, "height": 800}, bypass_csp=True) as context,
        chromium(
            tmp_path / "moderator", bypass_csp=True
        ) as elsewhere,  # who plays in a browser does not moderate there
    ):
        await context.add_init_script(path=AXE)
        await elsewhere.add_init_script(path=AXE)
        page = context.pages[0]
        await page.goto(server.address)
        await page.get_by_test_id("game-sport").press("ArrowDown")
        await expect(page.get_by_test_id("game-quick")).to_be_checked()
        await page.get_by_test_id("game-seats").select_option("8")
        await page.get_by_test_id("game-runoff").press("Space")
        await axe(page, "the choice of a game")
        await page.get_by_test_id("display-name").fill("Mira")
        await page.get_by_test_id("consent").press("Space")
        await page.get_by_test_id("create").press("Enter")
        game = page.get_by_test_id("game")
        await expect(game).to_have_attribute("data-code", "quick1:seats=8,runoff")
        await expect(game).to_contain_text("2 × Mafia, 6 × Townsperson")
        await expect(game).to_contain_text("Runoff")
        await axe(page, "the lobby of a house game")
        invite = await page.get_by_test_id("invite").input_value()
        guest = await context.new_page()
        await guest.goto(invite)
        await expect(guest.get_by_test_id("invitation")).to_contain_text("The game: Quick.")
        await page.get_by_test_id("start").press("Enter")
        await expect(page.locator('[data-testid^="seat-"]')).to_have_count(8)
        guest = elsewhere.pages[0]
        await guest.goto(f"{server.address}/#/moderate/{server.moderator}")
        stop = guest.locator('[data-testid^="stop-"]')
        await expect(stop).to_be_visible()
        await axe(guest, "the moderators' page with a game")
        await stop.press("Enter")
        await expect(stop).to_contain_text("Really stop it?")
        await stop.press("Enter")
        await expect(page.get_by_test_id("result")).to_contain_text("A moderator stopped the game")
        await expect(guest.get_by_test_id("tables")).to_contain_text("No game is running.")
