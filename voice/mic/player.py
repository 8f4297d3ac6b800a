"""The player at the terminal: one seat, its voice and its ears, kept alive over lost connections."""

from __future__ import annotations

import asyncio
import contextlib
import time
from typing import TYPE_CHECKING, Any, Final

from websockets.exceptions import WebSocketException

from voice.media.client import OpusEncoder, VoiceClient
from voice.media.errors import MediaError
from voice.media.settings import MediaSettings, TurnServer
from voice.player.session import PlayerSession, SessionError

from .keys import Keys, Wish
from .sound import SILENT_DB, level_db

if TYPE_CHECKING:
    from .ears import Sink
    from .screen import Screen
    from .sound import Source
    from .state import TableState
    from .tell import Teller

FIRST_WAIT_S: Final = 0.5
MOST_WAIT_S: Final = 8.0
REFRESH_S: Final = 0.1
VOICE_S: Final = 0.5
SILENT_S: Final = 3.0
"""The table says something at least every 0.4 s: a link without a datagram for so long is dead."""
UNLINKED_S: Final = 1.0
"""A link that the table has told as lost for so long is lost, whatever this end believes."""
EXPECTED_LOSS_PERCENT: Final = 10
"""For so much the speech carries forward error correction, as a browser's does."""
FINAL: Final = {4400, 4401, 4409, 4410, 4413, 1000}
"""Closes after which coming back makes no sense (docs/protocol.md)."""


class PlayerError(Exception):
    """The seat is gone, or was opened elsewhere; one line says why."""


class MicPlayer:
    """Plays until `run` returns: the player quits, or the table is closed after the game. Raises PlayerError."""

    def __init__(
        self, server: str, token: str, source: Source, sink: Sink, screen: Screen, state: TableState, teller: Teller
    ) -> None:
        self._server, self._token = server, token
        self._source, self._sink, self._screen = source, sink, screen
        self._state, self._teller = state, teller
        self._keys = Keys()
        self._muted = False
        self._quit = asyncio.Event()
        self._session: PlayerSession | None = None
        self._voice: VoiceClient | None = None
        self._linked = False
        """The table has told that it has this voice link."""
        self._unlinked_at: float | None = None
        self._mine_db = SILENT_DB
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Play."""
        loop = asyncio.get_running_loop()
        playing = loop.create_task(self._play())
        helpers = [loop.create_task(work()) for work in (self._speak, self._keep_voice, self._refresh)]
        quitting = loop.create_task(self._quit.wait())
        try:
            done, _ = await asyncio.wait([playing, quitting, *helpers], return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            for task in (playing, quitting, *helpers, *self._tasks):
                task.cancel()
            await asyncio.gather(playing, quitting, *helpers, *self._tasks, return_exceptions=True)
            await self._drop_voice()

    # --- the connection

    async def _play(self) -> None:
        wait = FIRST_WAIT_S
        lost = False
        while True:
            why = "no answer"
            session = PlayerSession(self._server, self._token, after=self._state.last, phase=self._state.phase_number)
            try:
                async with session:
                    self._session = session
                    async for message in session.messages():
                        if message["type"] == "welcome" and lost:
                            self._screen.say(self._teller.words["back"])
                            lost, wait = False, FIRST_WAIT_S
                        self._take(message)
                code = session.close_code
                why = f"{code}"
                if self._state.state == "over" and code in FINAL:
                    return
                if code in FINAL:
                    raise PlayerError(_ended(code))
            except (OSError, WebSocketException, SessionError, TimeoutError) as error:
                why = str(error) or type(error).__name__
            finally:
                self._session = None
            lost = True
            self._screen.say(self._teller.words["lost"].format(why=why, seconds=wait))
            await asyncio.sleep(wait)
            wait = min(MOST_WAIT_S, wait * 2)

    def _take(self, message: dict[str, Any]) -> None:
        was_open = self._state.open
        if not self._state.take(message):
            return
        if self._state.open and not was_open:
            self._source.begin()
        if (line := self._teller.line(message)) is not None:
            self._screen.say(line)

    # --- the voice

    async def _keep_voice(self) -> None:
        """A voice link whenever the game runs: a new one in place of one that has gone."""
        wait, told = VOICE_S, False
        while True:
            session, voice = self._session, self._voice
            wanted = session is not None and self._state.seat is not None and self._state.state == "running"
            if wanted and session is not None and (voice is None or self._has_gone(voice, time.monotonic())):
                try:
                    await self._connect(session)
                    self._screen.say(self._teller.words["voice"])
                    wait, told = VOICE_S, False
                except (MediaError, SessionError, TimeoutError, OSError, WebSocketException) as error:
                    await self._drop_voice()
                    if not told and self._session is session:
                        why = str(error) or "no connection in time"
                        self._screen.say(self._teller.words["no_voice"].format(why=why))
                        told = True
                    wait = min(MOST_WAIT_S, wait * 2)
                except asyncio.CancelledError:
                    # The session ended while it was asked; our own end is not to be held up by it.
                    await self._drop_voice()
                    if (task := asyncio.current_task()) is not None and task.cancelling():
                        raise
            await asyncio.sleep(wait)

    def _has_gone(self, voice: VoiceClient, now: float) -> bool:
        """Is this link dead? ICE by itself notices after half a minute (RFC 7675, 5.1)."""
        if voice.link.down or (voice.link.connected and now - voice.link.heard_at > SILENT_S):
            return True
        if self._state.seat in self._state.linked:
            self._linked, self._unlinked_at = True, None
        elif self._linked and self._unlinked_at is None:
            self._unlinked_at = now
        return self._unlinked_at is not None and now - self._unlinked_at >= UNLINKED_S

    async def _connect(self, session: PlayerSession) -> None:
        await self._drop_voice()
        servers = tuple(
            TurnServer(tuple(each["urls"]), each.get("username"), each.get("credential"))
            for each in self._state.ice_servers
        )
        settings = MediaSettings(turn=servers, packets_per_s=1e6, packets_burst=1e6, bytes_per_s=1e9, bytes_burst=1e9)
        self._linked, self._unlinked_at = False, None
        self._sink.begin()
        self._voice = session.voice = VoiceClient(on_packet=self._sink.hear, slots=self._state.slots, settings=settings)
        session.on_mic = None
        await session.connect_voice()
        session.voice = None  # it outlives the WebSocket, which closes what it has

    async def _drop_voice(self) -> None:
        voice, self._voice = self._voice, None
        if voice is not None:
            await voice.close()

    async def _speak(self) -> None:
        """Frame by frame; muted, silence goes out while the microphone is open, so that listeners hear no jump."""
        encoder = OpusEncoder(self._source.rate_hz, loss_percent=EXPECTED_LOSS_PERCENT)
        while True:
            pcm = await self._source.frame()
            self._mine_db = level_db(pcm)
            if self._state.open:
                payload = encoder.encode(bytes(len(pcm)) if self._muted else pcm)
                voice = self._voice
                if payload and voice is not None and voice.link.connected:
                    voice.send(payload)

    async def _refresh(self) -> None:
        while True:
            if (wish := self._keys.expire(time.monotonic())) is not None:
                self._wish(wish)
            self._screen.refresh(self._mine_db, self._sink.level_db, self._muted)
            await asyncio.sleep(REFRESH_S)

    # --- keys

    def press(self, chars: str) -> None:
        """Keys from the terminal."""
        for char in chars:
            if (wish := self._keys.press(char, time.monotonic())) is not None:
                self._wish(wish)

    def quit(self) -> None:
        """Leave the terminal; the seat stays."""
        self._quit.set()

    def _wish(self, wish: Wish) -> None:
        words = self._teller.words
        match wish.kind:
            case "quit":
                self.quit()
            case "help":
                self._screen.say(words["help"])
            case "mute":
                self._muted = not self._muted
                self._screen.say(words["muted" if self._muted else "unmuted"])
            case "prompt":
                self._screen.say(words["prompt"].format(do=wish.do))
            case "unknown":
                self._screen.say(words["unknown"].format(key=wish.key))
            case "ready":
                self._later(self._ready())
            case "command":
                named = {"target": wish.target} if wish.target else {}
                self._later(self._command({"do": wish.do, **named}))
            case "accept":
                self._accept(time.monotonic())
            case "decline":
                there = self._state.standing(time.monotonic())
                self._state.proposals.clear()
                self._screen.say(words["put_away" if there else "no_proposal"])

    def _accept(self, now: float) -> None:
        """Do what was heard last, unless the player can hardly have read it yet."""
        if self._state.standing(now) and self._state.unseen(now):
            self._screen.say(self._teller.words["proposal_soon"])
        elif (command := self._state.take_proposal(now)) is not None:
            self._later(self._command(command))
        else:
            self._screen.say(self._teller.words["no_proposal"])

    def _later(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _ready(self) -> None:
        session = self._session
        if session is not None and self._state.state == "waiting":
            with contextlib.suppress(WebSocketException, OSError, SessionError):  # told by the connection's own loop
                await session.ready()

    async def _command(self, command: dict[str, Any]) -> None:
        session = self._session
        if session is None:
            return
        try:
            # A refusal is told when it comes, like any message.
            await session.command(**command)
        except (SessionError, WebSocketException, OSError) as error:
            self._screen.say(self._teller.words["refused"].format(why=str(error) or "no connection"))


def _ended(code: int | None) -> str:
    reasons = {
        4401: "the seat's token opens nothing any more: it was given up, or the table is gone",
        4409: "this seat was opened elsewhere, and the newest counts",
        4410: "the table is closed",
        1000: "the seat was given up",
    }
    return reasons.get(code or 0, f"the server ended the connection for good (code {code})")
