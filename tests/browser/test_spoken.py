"""Spoken commands and the transcript in the browser: by mouse, keyboard and screen reader, English and Russian."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from playwright.async_api import expect

from .conftest import Server, chromium
from .play import AXE, PHONE, axe, sit_alone

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from playwright.async_api import Page, WebSocketRoute

WORDS = {
    "en": {
        "pass": "End my turn",
        "seat": "Nominate seat {}",
        "again": "nothing happens",
        "transcript": "What was said",
        "kept": "some time after the game",
    },
    "ru": {
        "pass": "Закончить ход",
        "seat": "Выставить: место {}",
        "again": "ничего не произойдёт",
        "transcript": "Что было сказано",
        "kept": "какое-то время после игры",
    },
}


def in_language(lang: str) -> str:
    """A script that gives a new page its language."""
    settings = json.dumps(json.dumps({"lang": lang}))
    return f"localStorage.getItem('vt.settings') ?? localStorage.setItem('vt.settings', {settings})"


class Wire:
    """The page's WebSocket to the real server, on which the test says what the recogniser would bring about."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self._page_side: WebSocketRoute
        self._numbers = 0
        self._last: dict[str, Any] = {}

    async def between(self, page: Page) -> None:
        async def opened(route: WebSocketRoute) -> None:
            self._page_side = route
            server = route.connect_to_server()

            def up(message: str | bytes) -> None:
                self.sent.append(json.loads(message))
                server.send(message)

            route.on_message(up)

        await page.route_web_socket("**/ws", opened)

    def captions(self, state: str, lost: int = 0) -> None:
        self._page_side.send(json.dumps({"type": "captions", "state": state, "lost": lost}))

    def interim(self, seat: int, text: str, agreed: int = 0) -> None:
        frame = {"type": "interim", "seat": seat, "text": text, "agreed": agreed, "start": 1e6}
        self._page_side.send(json.dumps(frame))

    def propose(self, phase: int, command: dict[str, Any], until: float = 1e6) -> None:
        self._numbers += 1
        self._last = {"type": "proposal", "id": self._numbers, "phase": phase, "until": until, "command": command}
        self.propose_again()

    def propose_again(self) -> None:
        """The last one, as a new connection is sent what stands."""
        self._page_side.send(json.dumps(self._last))

    @property
    def commands(self) -> list[dict[str, Any]]:
        return [frame["command"] for frame in self.sent if frame["type"] == "command"]


needs_axe = pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: run `npm ci` in voice/web/app")
in_both_languages = pytest.mark.parametrize(
    ("lang", "size"), [("en", None), ("ru", PHONE)], ids=["english-desktop", "russian-phone"]
)


@asynccontextmanager
async def alone(
    folder: Path, server: Server, wire: Wire, lang: str, size: dict[str, int] | None, options: dict[str, Any]
) -> AsyncIterator[Page]:
    """A page of that language and size, its player seated alone among bots, the wire between it and the server."""
    async with chromium(folder / "one", viewport=size or {"width": 1440, "height": 900}, bypass_csp=True) as context:
        await context.add_init_script(path=AXE)
        await context.add_init_script(in_language(lang))
        await wire.between(context.pages[0])
        yield await sit_alone(context, server, options)


async def own_minute(page: Page) -> int:
    """Wait for the own speech; its phase."""
    await expect(page.get_by_test_id("mic-pill")).to_have_attribute("data-state", "open", timeout=150_000)
    phase = page.get_by_test_id("phase")
    assert await phase.get_attribute("data-phase") == "speech"
    return int(await phase.get_attribute("data-number") or 0)


@needs_axe
@in_both_languages
async def test_what_was_spoken_is_a_button_that_alone_does_it(
    server: Server, tmp_path: Path, lang: str, size: dict[str, int] | None
) -> None:
    words, wire = WORDS[lang], Wire()
    async with alone(tmp_path, server, wire, lang, size, {"agreement_s": 3, "speech_s": 12}) as page:
        phase = await own_minute(page)
        nominated = await page.get_by_test_id("nominated").inner_text()
        target = next(seat for seat in range(1, 11) if str(seat) not in nominated.split())
        proposals, spoken = page.get_by_test_id("proposal"), page.get_by_test_id("proposal-spoken")

        wire.propose(phase, {"do": "nominate", "target": target})
        wire.propose(phase, {"do": "pass"})
        await expect(proposals).to_have_count(2)
        await expect(proposals.first).to_contain_text(words["seat"].format(target))
        await expect(proposals.last).to_contain_text(words["pass"])
        await expect(spoken).to_contain_text(words["again"])
        await axe(page, "a proposal")
        await page.keyboard.press("Escape")
        await expect(proposals).to_have_count(0)
        await expect(spoken).to_be_empty()

        wire.propose(phase - 1, {"do": "pass"})  # of a phase that is over
        wire.propose(phase, {"do": "pass"}, until=0.5)  # its time is up
        wire.propose(phase, {"do": "nominate", "target": target})
        await expect(proposals).to_have_count(1)
        before = page.get_by_test_id("tab-events")
        await before.focus()
        await page.get_by_test_id("proposal-no").focus()
        await page.keyboard.press("Enter")
        await expect(proposals).to_have_count(0)
        await expect(before).to_be_focused()
        wire.propose_again()
        wire.propose(phase, {"do": "pass"})
        await expect(proposals).to_have_count(1)  # what was put away stays away
        await page.keyboard.press("Escape")
        await expect(proposals).to_have_count(0)
        assert wire.commands == [], "what nobody has pressed is not sent"

        wire.propose(phase, {"do": "nominate", "target": target})
        await proposals.click()
        assert wire.commands == [], "a press at the moment it comes was meant for something else"
        await page.wait_for_timeout(600)
        await proposals.click()
        await expect(page.get_by_test_id("nominated")).to_contain_text(str(target))
        wire.propose(phase, {"do": "pass"})
        await expect(proposals).to_have_count(1)
        await page.wait_for_timeout(600)
        await page.keyboard.press("y")
        await expect(page.get_by_test_id("phase")).not_to_have_attribute("data-number", str(phase))
        assert wire.commands == [{"do": "nominate", "target": target}, {"do": "pass"}]


LATE = {
    "en": {
        "loading": "being loaded",
        "finals": "has paused",
        "late": "captions are late",
        "lost": "so far: 3",
        "missing": "A line could not be recognised. Lines without a caption so far: 4",
    },
    "ru": {
        "loading": "загружается",
        "finals": "делает паузу",
        "late": "опаздывают",
        "lost": "субтитров: 3",
        "missing": "Реплику не удалось распознать. Реплик без субтитров: 4",
    },
}


@needs_axe
@in_both_languages
async def test_captions_that_do_not_keep_up_are_told_and_no_more_when_they_do(
    server: Server, tmp_path: Path, lang: str, size: dict[str, int] | None
) -> None:
    words, wire = LATE[lang], Wire()
    async with alone(tmp_path, server, wire, lang, size, {"agreement_s": 60}) as page:
        notice = page.get_by_test_id("captions-notice")
        await expect(notice).to_have_attribute("data-state", "live", timeout=60_000)  # the model is loaded
        await expect(notice).to_be_empty()
        await expect(notice).to_have_attribute("aria-live", "polite")
        for state in ("loading", "finals", "late"):
            wire.captions(state)
            await expect(notice).to_contain_text(words[state])
        await axe(page, "captions that are late")
        wire.captions("late", 3)
        await expect(notice).to_contain_text(words["lost"])
        wire.captions("live", 3)
        await expect(notice).to_be_empty()
        wire.captions("live", 4)
        await expect(notice).to_contain_text(words["missing"])
        await expect(notice).to_be_empty(timeout=20_000)


@needs_axe
@in_both_languages
async def test_the_beginning_of_a_caption_that_hardly_changes_stands_out(
    server: Server, tmp_path: Path, lang: str, size: dict[str, int] | None
) -> None:
    wire = Wire()
    async with alone(tmp_path, server, wire, lang, size, {"agreement_s": 60}) as page:
        interims, agreed = page.get_by_test_id("interim"), page.get_by_test_id("agreed")
        wire.interim(3, "🙂 I think he", 9)
        wire.interim(4, "so")
        await expect(interims).to_have_count(2)
        await expect(agreed.first).to_have_text("🙂 I think")
        await expect(interims.first).to_contain_text("🙂 I think he")
        await expect(agreed.last).to_be_empty()
        colours = [
            await each.evaluate("node => getComputedStyle(node).color") for each in (agreed.first, interims.first)
        ]
        assert len(set(colours)) == 2
        await axe(page, "captions that may still change")
        wire.interim(3, "")
        await expect(interims).to_have_count(1)


async def test_with_the_switch_off_nothing_is_offered(server: Server, tmp_path: Path) -> None:
    wire = Wire()
    async with chromium(tmp_path / "one") as context:
        await context.add_init_script("localStorage.setItem('vt.settings', JSON.stringify({proposals: false}))")
        await wire.between(context.pages[0])
        page = await sit_alone(context, server, {"agreement_s": 60})
        phase = int(await page.get_by_test_id("phase").get_attribute("data-number") or 0)
        wire.propose(phase, {"do": "pass"})
        await page.wait_for_timeout(300)
        await expect(page.get_by_test_id("proposal")).to_have_count(0)


@needs_axe
@in_both_languages
async def test_the_transcript_is_read_after_the_game_and_by_its_players_alone(
    server: Server, tmp_path: Path, lang: str, size: dict[str, int] | None
) -> None:
    async with chromium(tmp_path / "one", viewport=size or {"width": 1440, "height": 900}, bypass_csp=True) as context:
        await context.add_init_script(path=AXE)
        await context.add_init_script(in_language(lang))
        await context.pages[0].goto(server.address)
        await expect(context.pages[0].get_by_test_id("door-transcript")).to_contain_text("30")
        await context.route("**/api/privacy", lambda route: route.abort())
        await context.pages[0].reload()
        await expect(context.pages[0].get_by_test_id("door-transcript")).to_contain_text(WORDS[lang]["kept"])
        await context.unroute("**/api/privacy")
        page = await sit_alone(context, server, {"recognition_s": 1, "discussion_s": 60}, "quick")
        caption = page.get_by_test_id("caption").first
        await expect(caption).to_be_attached(timeout=60_000)
        said = await caption.locator("p").inner_text()
        await expect(caption.locator("p")).to_have_attribute("lang", lang)
        async with context.expect_page() as opening:
            await page.get_by_test_id("transcript-open").click()
        so_far = await opening.value
        await expect(so_far.get_by_test_id("transcript-entry").filter(has_text=said).first).to_be_visible()
        await so_far.close()
        await expect(page.get_by_test_id("phase")).to_be_visible()  # the game's own page stays
        button = page.get_by_test_id("stop")
        if not await button.is_visible():
            await page.locator("button.menu").click()
        await button.click()
        await page.get_by_test_id("stop-confirm").click()
        await page.get_by_test_id("transcript-link").click()
        await expect(page.get_by_role("heading", level=1)).to_contain_text(WORDS[lang]["transcript"])
        await expect(page.get_by_test_id("transcript-entry").filter(has_text=said).first).to_be_visible()
        await axe(page, "the transcript")
        async with page.expect_download() as saving:
            await page.get_by_test_id("transcript-save").click()
        assert said in (await (await saving.value).path()).read_text()

        await page.evaluate("localStorage.clear(); sessionStorage.clear()")
        await page.reload()
        await expect(page.get_by_role("alert")).to_be_visible()
        await expect(page.get_by_test_id("transcript-entry")).to_have_count(0)
