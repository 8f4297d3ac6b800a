"""`voicetable doctor`: what the host has and lacks, a line each, with what to do."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any, Final

from voice.cli.json_file import seems_writable, write_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from voice.doctor.finding import Finding
    from voice.settings import Settings

DONE: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2
MARKS: Final = {
    "en": {"ok": "ok  ", "warn": "warn", "fail": "FAIL"},
    "ru": {"ok": "да  ", "warn": "хм  ", "fail": "НЕТ "},
}
STYLES: Final = {"ok": "green", "warn": "yellow", "fail": "bold red"}
ENDS: Final = {
    "en": ("Nothing fails.", "{count} of the checks failed: see above what to do."),
    "ru": ("Всё, что нужно, есть.", "Не прошло проверок: {count}. Что делать, сказано выше."),
}


def run(given: dict[str, Any], *, lang: str, outside: str | None, token: str | None, json_file: str | None) -> int:
    """Run the checks; exit status 0 when nothing fails, 1 when something does, 2 for bad input."""
    from pydantic import ValidationError
    from pydantic_settings import SettingsError

    from voice.doctor.finding import document
    from voice.settings import Settings, complaint

    if lang not in MARKS:
        return _bad(f"--lang must be en or ru, not {lang!r}")
    if not seems_writable("doctor", json_file):
        return BAD_INPUT
    if outside is not None:
        if not outside.startswith(("http://", "https://")):
            return _bad(f"--from-outside: expected an address such as https://table.example.org, got {outside!r}")
        if not token:
            return _bad("--from-outside needs --token: the moderators' token of that server (data/moderator-token)")
    try:
        settings = Settings(**given)
    except ValidationError as error:
        return _bad(complaint(error, given))
    except SettingsError as error:
        return _bad(f"{error}: expected JSON")
    findings = asyncio.run(_all(settings, lang, outside, token))
    written = write_json("doctor", json_file, document(findings, lang))
    failed = sum(each.state == "fail" for each in findings)
    print(ENDS[lang][1].format(count=failed) if failed else ENDS[lang][0])
    return FAILED if failed or not written else DONE


def _bad(why: str) -> int:
    print(f"doctor: {why}", file=sys.stderr)
    return BAD_INPUT


async def _all(settings: Settings, lang: str, outside: str | None, token: str | None) -> list[Finding]:
    checks = _here(settings) if outside is None else _outside(outside.rstrip("/"), token or "")
    findings = []
    async for finding in checks:
        findings.append(finding)
        show(finding, lang)
    return findings


async def _here(settings: Settings) -> AsyncIterator[Finding]:
    from voice.doctor import host, network, parts
    from voice.wiring import media_settings

    media = media_settings(settings)
    for finding in host.check_host(settings):
        yield finding
    for finding in await asyncio.to_thread(lambda: [*parts.check_models(settings), *parts.check_toxicity(settings)]):
        yield finding
    yield await parts.check_database(settings)
    yield parts.check_broker()
    yield parts.check_tls(settings)
    for finding in network.check_ports(media):
        yield finding
    async for finding in network.check_calls(settings, media):
        yield finding
    async for finding in network.check_turn(settings, media):
        yield finding


async def _outside(url: str, token: str) -> AsyncIterator[Finding]:
    from voice.doctor.outside import check_from_outside

    async for finding in check_from_outside(url, token):
        yield finding


def show(finding: Finding, lang: str) -> None:
    """One line to standard output, and a second one with what to do where there is something."""
    from rich.console import Console
    from rich.text import Text

    console = Console(soft_wrap=True, highlight=False)
    line = Text(MARKS[lang][finding.state], STYLES[finding.state])
    line.append(f"  {finding.check}: {finding.said(lang)}", "default")
    console.print(line)
    if (todo := finding.todo(lang)) and finding.state != "ok":
        console.print(Text(f"        → {todo}", "dim" if finding.state == "warn" else "default"))
    elif todo:
        console.print(Text(f"        ({todo})", "dim"))
    sys.stdout.flush()
