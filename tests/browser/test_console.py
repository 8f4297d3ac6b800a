"""The moderators' round with real speech: spoken, flagged, heard, judged, appealed, decided by another, told to all."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from playwright.async_api import expect

from voice.player.audio import RATE_HZ, read_pcm

from .conftest import ROOT, Server, chromium, write_wav
from .play import AXE, PHONE, axe, sit_alone
from .test_spoken import in_language, needs_axe

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import BrowserContext, Page

SPEECH_S = 90.0
"""The speaker's minute: the recording fits in several times, and the moderators' work too."""

REASON = {"en": "A figure of speech", "ru": "Фигура речи"}
APPEAL = {"en": "It was a quotation", "ru": "Это была цитата"}
HAS_NEWS = {"en": "There is news", "ru": "Есть новости"}


def account(server: Server, name: str, role: str) -> str:
    """Make an account with the command; its token."""
    command = [sys.executable, "-m", "voice.cli.main", "user", "add", name, "--role", role, "--data", str(server.data)]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


async def speaker(context: BrowserContext, server: Server, lang: str) -> Page:
    """A page at a table of bots, whose microphone insults."""
    page = context.pages[0]
    await page.goto(server.address)
    await expect(page.get_by_test_id("door-evidence")).to_contain_text("30")
    return await sit_alone(context, server, {"agreement_s": 4, "speech_s": SPEECH_S}, lang=lang)


async def console(context: BrowserContext, server: Server, token: str) -> Page:
    page = context.pages[0] if context.pages[0].url == "about:blank" else await context.new_page()
    await page.goto(f"{server.address}/#/moderate/{token}")
    await expect(page.get_by_test_id("console-me")).to_have_attribute("data-linked", "true")
    return page


@needs_axe
@pytest.mark.speech
@pytest.mark.parametrize("lang", ["en", "ru"])
async def test_spoken_flagged_heard_judged_appealed_and_decided_by_another(
    server: Server, tmp_path: Path, lang: str
) -> None:
    pcm = read_pcm(ROOT / "voice" / "cli" / "demo_speech" / f"{lang}.flac")
    write_wav(tmp_path / "speech.wav", pcm + bytes(RATE_HZ * 2 * 2), RATE_HZ)
    tokens = [account(server, name, "moderator") for name in ("Ann", "Bob")]
    async with (
        chromium(tmp_path / "player", tmp_path / "speech.wav", bypass_csp=True) as players,
        chromium(tmp_path / "moderators", bypass_csp=True) as moderators,
    ):
        for context in (players, moderators):
            await context.add_init_script(path=AXE)
            await context.add_init_script(in_language(lang))
        ann = await console(moderators, server, tokens[0])
        bob = await console(moderators, server, tokens[1])
        await expect(ann.get_by_test_id("queue-empty")).to_be_visible()
        player = await speaker(players, server, lang)

        # In the queue as soon as it is judged, with its clip; one person has it in hand, and the other sees that.
        items = ann.get_by_test_id("flagged")
        await expect(items.first).to_be_visible(timeout=240_000)
        # A warning or a foul: the recording is heard from anywhere on.
        await expect(player.locator('[data-testid="warning"], [data-testid="foul"]').first).to_be_attached()
        await ann.bring_to_front()
        detail = ann.get_by_test_id("flagged-detail")
        await ann.keyboard.press("n")
        await expect(detail).to_have_attribute("data-mine", "true")
        while await detail.get_attribute("data-severity") == "person":  # nothing was done for it: nothing to take back
            done = await detail.get_attribute("data-id")
            await ann.keyboard.press("d")
            await expect(ann.locator(f'[data-testid="flagged"][data-id="{done}"]')).to_have_count(0)
            await ann.keyboard.press("n")
            await expect(detail).not_to_have_attribute("data-id", str(done))
            await expect(detail).to_have_attribute("data-mine", "true")
        case = await detail.get_attribute("data-id")
        await expect(bob.locator(f'[data-testid="flagged"][data-id="{case}"]')).to_have_attribute("data-claim", "other")
        await expect(detail.locator("mark").first).to_be_visible()
        clip = ann.get_by_test_id("clip")
        await ann.keyboard.press("p")
        await expect(clip).to_have_attribute("data-bars", "96")
        await expect(clip).not_to_have_attribute("data-at", "0.0")
        await axe(ann, "a case in hand")

        # Dismissed by keyboard, with a reason: the table sees at once that it was taken back.
        await ann.keyboard.press("r")
        await ann.keyboard.type(REASON[lang])
        await ann.keyboard.press("Escape")
        await ann.keyboard.press("d")
        await expect(player.get_by_test_id("cleared").first).to_be_attached()
        await expect(ann.get_by_test_id("moderate-done")).not_to_be_empty()

        # The line of the foul is upheld, taken out of turn; the player reads why meanwhile, and appeals.
        fouls = player.get_by_test_id("foul")
        foul = fouls.nth(await fouls.count())
        await expect(foul).to_be_attached(timeout=120_000)
        await player.bring_to_front()
        await foul.get_by_role("button").click()
        own = player.get_by_test_id("own-case")
        await expect(own).to_have_attribute("data-state", "open")
        await expect(own.locator("mark").first).to_be_visible()
        spoken = await own.get_attribute("data-line")
        await ann.bring_to_front()
        await ann.locator(f'[data-testid="flagged"][data-line="{spoken}"]').click()
        if await detail.get_attribute("data-mine") != "true":
            await ann.keyboard.press("c")
        await expect(detail).to_have_attribute("data-mine", "true")
        upheld = await detail.get_attribute("data-id")
        assert upheld != case
        await ann.keyboard.press("u")
        await expect(own).to_have_attribute("data-state", "upheld")
        await expect(player.get_by_text(HAS_NEWS[lang])).to_be_visible()
        await player.bring_to_front()
        await own.get_by_test_id("appeal-text").fill(APPEAL[lang])
        await axe(player, "the reason and the appeal")
        await own.get_by_test_id("appeal-send").click()
        await expect(own).to_have_attribute("data-appeal", "open")

        # Not for her who ruled; another one decides, and everybody sees it.
        await ann.bring_to_front()
        await ann.get_by_test_id("state-appeals").click()
        await ann.locator(f'[data-testid="flagged"][data-id="{upheld}"]').click()
        if await detail.get_attribute("data-mine") == "true":
            await ann.keyboard.press("Escape")
        await ann.get_by_test_id("claim").click()
        await expect(ann.get_by_role("alert")).to_be_visible()
        await bob.bring_to_front()
        await bob.locator(f'[data-testid="flagged"][data-id="{upheld}"]').click()
        await bob.keyboard.press("c")
        await expect(bob.get_by_test_id("flagged-detail")).to_have_attribute("data-mine", "true")
        await expect(bob.get_by_test_id("appeal")).to_contain_text(APPEAL[lang])
        await bob.keyboard.press("d")
        await expect(own).to_have_attribute("data-appeal", "overturned")
        await expect(player.get_by_test_id("cleared")).to_have_count(2)

        # The record, the figures, and the player's own page.
        await bob.keyboard.press("Escape")
        await bob.get_by_test_id("state-ruled").click()
        await expect(bob.locator(f'[data-testid="flagged"][data-id="{upheld}"]')).to_have_attribute(
            "data-state", "dismissed"
        )
        await axe(bob, "the record")
        await bob.get_by_test_id("view-figures").click()
        await expect(bob.get_by_test_id("figures").locator("table").first).to_be_visible()
        await axe(bob, "the figures")
        await bob.get_by_test_id("view-shadow").click()
        await axe(bob, "rules in the shadow")
        mine = await players.new_page()
        table = player.url.rpartition("/")[2]
        await mine.goto(f"{server.address}/#/mine/{table}")
        await expect(mine.locator('[data-testid="own-case"][data-appeal="overturned"]')).to_be_visible()
        await mine.set_viewport_size(PHONE)
        await axe(mine, "the own record")

        # Who listens in hears and sees the table; who played in this browser does not.
        await bob.get_by_test_id(f"watch-{table}").click()
        await expect(bob.get_by_test_id("watching")).to_be_visible()
        await expect(bob.get_by_test_id("table")).to_be_visible()
        played = await players.new_page()
        await played.goto(f"{server.address}/#/moderate/{server.moderator}")
        await expect(played.get_by_test_id("console-me")).to_have_attribute("data-linked", "true")
        await expect(played.get_by_test_id("queue-empty")).to_be_visible()
        await played.get_by_test_id(f"watch-{table}").click()
        await expect(played.get_by_test_id("watch-refused")).to_be_visible()
    said = "дебил" if lang == "ru" else "brick"
    assert said not in server.log
