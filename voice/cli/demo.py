"""`voicetable demo`: the main job without a microphone.

A server of its own, a table of nine bots, and a real WebRTC player that speaks recorded audio when the server opens its
microphone. What happens is printed as it happens, from what the player's and the moderators' sides are told.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from voice.cli.demo_words import Teller
from voice.player.audio import RATE_HZ, AudioFileError, read_pcm
from voice.player.door import DoorError, get_flagged, make_table
from voice.player.session import PlayerSession, SessionError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

DONE: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2
AFTER_SPEECH_S: Final = 3.0  # of the player's minute that is left when the recording has ended
AGREEMENT_S: Final = 3.0
SETTLED_S: Final = 12.0  # after the player's minute has closed: the last line's text and verdict are there by then
GIVE_UP_S: Final = 900.0


class DemoError(Exception):
    """The demo could not be played; one line says why."""


def run(lang: str, wav: str | None) -> int:
    """Play the demo; exit status 0 when a line of the player's was flagged, 1 when none was, 2 for bad input."""
    if lang not in ("en", "ru"):
        print(f"demo: --lang must be en or ru, not {lang!r}", file=sys.stderr)
        return BAD_INPUT
    try:
        pcm = _speech(lang, wav)
    except AudioFileError as why:
        print(f"demo: --wav: {why}", file=sys.stderr)
        return BAD_INPUT
    try:
        flagged = asyncio.run(_play(lang, pcm))
    except (DemoError, DoorError, SessionError) as why:
        print(f"demo: {why}", file=sys.stderr)
        return FAILED
    except TimeoutError:
        print(f"demo: the player's minute had not come after {GIVE_UP_S:.0f} s", file=sys.stderr)
        return FAILED
    return DONE if flagged else FAILED


def _speech(lang: str, wav: str | None) -> bytes:
    if wav is not None:
        return read_pcm(Path(wav))
    with as_file(files("voice.cli") / "demo_speech" / f"{lang}.flac") as path:
        return read_pcm(path)


async def _play(lang: str, pcm: bytes) -> bool:
    from voice.media.client import VoiceClient

    teller = Teller(lang)
    speech_s = len(pcm) / 2 / RATE_HZ
    async with asyncio.timeout(GIVE_UP_S), _server() as (address, moderator):
        teller.say(f"a server of its own at {address}")
        key = await make_table(
            address,
            name="Demo",
            display_name="Demo",
            lang=lang,
            options={"agreement_s": AGREEMENT_S, "speech_s": round(speech_s + AFTER_SPEECH_S, 1)},
        )
        async with PlayerSession(address, key.token, VoiceClient(pcm, RATE_HZ)) as player:
            await player.start()
            await player.seated()
            await player.connect_voice()
            teller.say(
                f"nine bots sit down; seat {player.seat}, a player with a recorded voice, is connected by WebRTC"
            )
            return await _watch(player, teller, address, moderator)


async def _watch(player: PlayerSession, teller: Teller, address: str, moderator: str) -> bool:
    """Tell what comes until the player has spoken and been judged; whether a line of theirs was flagged."""
    flagged = spoke = False
    told: set[object] = set()
    until: float | None = None
    loop = asyncio.get_running_loop()
    messages = player.messages()
    while True:
        left = None if until is None else until - loop.time()
        try:
            async with asyncio.timeout(left):
                message = await anext(messages)
        except TimeoutError:
            return flagged
        except StopAsyncIteration:
            raise DemoError("the server closed the connection") from None
        teller.tell(message, player.seat)
        event: dict[str, Any] = message.get("event", {}) if message["type"] == "event" else {}
        if event.get("event") in ("warned", "fouled") and event["seat"] == player.seat:
            flagged = True
            for line in await get_flagged(address, moderator):
                if line["line"] not in told:
                    told.add(line["line"])
                    teller.judged(line)
        spoke = spoke or player.mic_open
        if spoke and not player.mic_open and until is None:
            until = loop.time() + SETTLED_S
        if flagged and until is not None and event.get("event") == "fouled":
            return True


@contextlib.asynccontextmanager
async def _server() -> AsyncIterator[tuple[str, str]]:
    """A server on a free port with a data folder of its own, gone afterwards: its address, the moderators' token."""
    from voice.logs import configure_logs
    from voice.serve import ServeError, serve
    from voice.settings import Settings

    configure_logs(quiet=True)
    ready: asyncio.Future[tuple[str, str]] = asyncio.get_running_loop().create_future()

    def listens(address: str, moderators: str) -> None:
        ready.set_result((address.replace("//localhost:", "//127.0.0.1:"), moderators.rsplit("/", 1)[-1]))

    with tempfile.TemporaryDirectory(prefix="voicetable-demo-") as folder:
        settings = Settings(port=0, data=Path(folder), media_workers=0)
        serving = asyncio.create_task(serve(settings, listens, alone=False))
        try:
            either: set[asyncio.Future[Any]] = {serving, ready}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not ready.done():
                await serving
            yield ready.result()
        except ServeError as why:
            raise DemoError(str(why)) from why
        finally:
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving
