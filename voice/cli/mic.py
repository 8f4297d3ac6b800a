"""`voicetable mic`: a player in the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from voice.mic.ears import Sink
    from voice.mic.screen import Screen
    from voice.mic.sound import Source
    from voice.mic.state import TableState

DONE: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2
NULL: Final = "null"
OUTPUT_SUFFIX: Final = ".wav"


class BadInputError(Exception):
    """What was given can't be used; one line says why."""


def run(
    link: str | None,
    *,
    name: str,
    source: str | None,
    sink: str | None,
    token: str | None,
    lang: str,
    devices: bool,
) -> int:
    """Play one seat; exit status 0 after the game or a quit, 1 when the seat is lost, 2 for bad input."""
    from voice.mic.devices import DeviceError
    from voice.player.audio import AudioFileError
    from voice.player.door import DoorError

    try:
        if devices:
            return _list_devices()
        if lang not in ("en", "ru"):
            raise BadInputError(f"--lang must be en or ru, not {lang!r}")
        if link is None:
            raise BadInputError("expected an invitation link, such as https://table.example.org/#/join/...")
        server, invite = parse_link(link)
        return asyncio.run(_main(server, invite, name, source, sink, token, lang))
    except (BadInputError, AudioFileError) as why:
        return _told(why, BAD_INPUT)
    except DeviceError as why:
        return _told(why, BAD_INPUT)
    except DoorError as why:
        return _told(why, BAD_INPUT if why.code in ("invite_unknown", "invite_expired", "bad_request") else FAILED)
    except OSError as why:
        return _told(f"--output {sink}: {why.strerror or why}", BAD_INPUT)


def _told(why: object, status: int) -> int:
    print(f"mic: {why}", file=sys.stderr)
    return status


def parse_link(link: str) -> tuple[str, str]:
    """An invitation link to the server's address and the invitation. Raises BadInputError."""
    with contextlib.suppress(ValueError):
        parts = urlsplit(link.strip())
        before, _, invite = parts.fragment.partition("/join/")
        if parts.scheme in ("http", "https") and parts.hostname and not before and invite:
            return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}", invite
    raise BadInputError(f"expected an invitation link, such as https://table.example.org/#/join/..., got {link!r}")


def _list_devices() -> int:
    from voice.mic.devices import list_devices

    for each in list_devices():
        kinds = [f"{count} {kind}" for count, kind in ((each.inputs, "in"), (each.outputs, "out")) if count]
        marks = " *in" * each.default_input + " *out" * each.default_output
        print(each.number, each.name, ", ".join(kinds) + marks, sep="\t")
    return DONE


async def _main(
    server: str, invite: str, name: str, source: str | None, sink: str | None, token: str | None, lang: str
) -> int:
    from voice.mic.player import MicPlayer, PlayerError
    from voice.mic.state import TableState
    from voice.mic.tell import Teller
    from voice.player.door import join_table, kept_days

    state = TableState()
    teller = Teller(lang, state)
    with contextlib.ExitStack() as stack:
        voice = _source(source)
        stack.callback(voice.close)
        ears = _sink(sink)
        stack.callback(ears.close)
        if token is None:
            print(teller.consent(*await kept_days(server)), flush=True)
            token = (await join_table(server, invite, name)).token
        screen = stack.enter_context(_screen(state, teller.words))
        player = MicPlayer(server, token, voice, ears, screen, state, teller)
        stack.enter_context(_keyboard(player))
        screen.say(teller.words["help"])
        try:
            await player.run()
        except PlayerError as why:
            screen.close()
            return _told(why, FAILED)
        if state.state != "over":
            screen.say(teller.words["bye"].format(token=token))
    return DONE


def _source(given: str | None) -> Source:
    from voice.mic.sound import DeviceSource, FileSource

    if given == NULL:
        return FileSource(None)
    if given is not None and Path(given).is_file():
        return FileSource(Path(given))
    return DeviceSource(given)


def _sink(given: str | None) -> Sink:
    from voice.mic.ears import DeviceSink, FileSink, NullSink

    if given == NULL:
        return NullSink()
    if given is not None and given.lower().endswith(OUTPUT_SUFFIX):
        return FileSink(Path(given))
    return DeviceSink(given)


@contextlib.contextmanager
def _screen(state: TableState, words: dict[str, str]) -> Iterator[Screen]:
    from voice.mic.screen import LiveScreen, PlainScreen

    made: Screen = LiveScreen(state, words) if sys.stdout.isatty() else PlainScreen(sys.stdout)
    try:
        yield made
    finally:
        made.close()


@contextlib.contextmanager
def _keyboard(player: Any) -> Iterator[None]:
    """Single keys where standard input is a terminal; from a pipe, its characters. Ctrl-C leaves like `q`."""
    loop = asyncio.get_running_loop()
    descriptor = sys.stdin.fileno()

    def read() -> None:
        data = os.read(descriptor, 64)
        if data:
            player.press(data.decode(errors="ignore"))
        else:
            loop.remove_reader(descriptor)

    with contextlib.ExitStack() as stack:
        if sys.stdin.isatty():
            import termios
            import tty

            before = termios.tcgetattr(descriptor)
            tty.setcbreak(descriptor)
            stack.callback(termios.tcsetattr, descriptor, termios.TCSADRAIN, before)
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, player.quit)
            stack.callback(loop.remove_signal_handler, number)
        try:
            loop.add_reader(descriptor, read)
            stack.callback(loop.remove_reader, descriptor)
        except OSError:  # standard input is a file, or closed: no keys
            pass
        yield
