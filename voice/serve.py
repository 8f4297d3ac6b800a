"""The server, put together: database, tables, sound, speech and moderation behind one port.

`python -m voice.serve --port 8000 --data DIR` runs it; so does `voicetable serve`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import errno
import fcntl
import os
import resource
import signal
import socket
import ssl
import sys
from typing import TYPE_CHECKING, Any, Final

import structlog
import uvicorn
from pydantic import ValidationError
from pydantic_settings import SettingsError
from sqlalchemy.exc import SQLAlchemyError

from models.compute import check_compute_type
from models.errors import ModelError
from models.toxicity.find import look_for as look_for_toxicity
from voice.cases.docket import Docket
from voice.cases.shadow import in_shadow
from voice.clips.box import Box, ClipKeyError
from voice.logs import configure_logs
from voice.media.errors import MediaError
from voice.media.ports import bind
from voice.memory import settle
from voice.processes.child import leave_no_core
from voice.settings import Settings, complaint, misspelt
from voice.speech.loading import look_at
from voice.store import BadAddressError, Store, StoreError
from voice.table.clock import SystemClock
from voice.table.tables import Tables
from voice.web.app import create_app
from voice.web.house import House
from voice.web.keys import KeyFileError
from voice.web.patience import PatientProtocol
from voice.wiring import Wiring

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

DONE: Final = 0
FAILED: Final = 1
BAD_INPUT: Final = 2
WS_LIMIT: Final = 256 * 1024  # bytes: above the protocol's 64 KiB, so that a client is told which limit it met
FILES: Final = 65_536
DAY_S: Final = 86_400.0
STUCK_MS: Final = 30_000  # a client that acknowledges nothing for so long is dropped by the kernel

logger = structlog.get_logger(__name__)


class ServeError(Exception):
    """The server can't run; one line that says what to do, and the exit status."""

    def __init__(self, message: str, status: int = FAILED) -> None:
        super().__init__(message)
        self.status = status


class _Server(uvicorn.Server):
    """uvicorn's server, with the signals left to us: an ordered end is exit status 0."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listens = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listens.set()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve(
    settings: Settings,
    ready: Callable[[str, str], None] | None = None,
    stopping: asyncio.Event | None = None,
    *,
    alone: bool = True,
) -> None:
    """Run a server until SIGTERM or SIGINT; where `stopping` is given, until that is set, signals left alone.

    `ready` is called with the server's address and the moderators' link once it listens; by default both are
    written to standard error. `alone`: nothing else runs on this event loop; otherwise it may be late by other work,
    and the log does not say so. Raises ServeError for what keeps it from running: a port that is taken, a database that
    is damaged, a data folder that can't be used or that another server uses.
    """
    _check_tls(settings)
    _check_voice(settings)
    with contextlib.ExitStack() as stack:
        _use_folder(settings.data, stack)
        listening = stack.enter_context(contextlib.closing(_listen(settings)))
        await _check_recogniser(settings)
        await _check_compute_type(settings)
        await _check_toxicity(settings)
        wiring = Wiring(settings, says_lag=alone)
        try:
            await wiring.check()
        except ModelError as error:
            raise ServeError(f"--asr: {error}", BAD_INPUT) from error
        try:
            store = await Store.open(settings.database)
        except StoreError as error:
            raise ServeError(str(error), BAD_INPUT if isinstance(error, BadAddressError) else FAILED) from error
        try:
            docket = Docket(_clip_box(settings), settings.clip_memory_s, settings.evidence_days * DAY_S)
            docket.shadow = await in_shadow(store)
            tables = Tables(store, SystemClock(), wiring.parts, settings.transcript_days * DAY_S, docket)
            try:
                house = House.of(settings, store, tables, wiring.stats, wiring.media_stats, wiring.media)
                house.second_stats = wiring.second_stats
            except KeyFileError as error:
                raise ServeError(str(error)) from error
            await wiring.start()
            try:
                await _bring_back(tables, settings)
                try:
                    await _run(settings, house, listening, ready or _tell, stopping)
                finally:
                    await tables.close()
            finally:
                await wiring.stop()
        finally:
            await store.close()


def _clip_box(settings: Settings) -> Box:
    try:
        return Box.kept(settings.clip_keys or settings.data / "clip-keys")
    except ClipKeyError as error:
        raise ServeError(str(error)) from error


async def _bring_back(tables: Tables, settings: Settings) -> None:
    try:
        await tables.open()
    except SQLAlchemyError as error:
        cause = str(getattr(error, "orig", None) or type(error).__name__)
        raise ServeError(f"the database {settings.database} can't be read or written: {cause}") from error


async def _run(
    settings: Settings,
    house: House,
    listening: socket.socket,
    ready: Callable[[str, str], None],
    stopping: asyncio.Event | None,
) -> None:
    config = uvicorn.Config(
        create_app(house),
        lifespan="off",
        log_config=None,
        access_log=False,
        http=PatientProtocol,
        ws="websockets-sansio",
        ws_max_size=WS_LIMIT,
        ws_per_message_deflate=False,
        server_header=False,
        timeout_graceful_shutdown=3,
        ssl_certfile=settings.tls_cert,
        ssl_keyfile=settings.tls_key,
    )
    server = _Server(config)
    with _told_to_stop(stopping) as stop:
        running = asyncio.create_task(server.serve(sockets=[listening]))
        listens = asyncio.create_task(server.listens.wait())
        ends = asyncio.create_task(stop.wait())
        try:
            await asyncio.wait({running, listens}, return_when=asyncio.FIRST_COMPLETED)
            if server.started:
                address = _address(settings, listening)
                ready(address, f"{address}/#/moderate/{house.keys.moderator}")
                logger.info("serving", address=address)
            await asyncio.wait({running, ends}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            server.should_exit = True
            listens.cancel()
            ends.cancel()
            for end in house.ends:
                await end()
            await running


@contextlib.contextmanager
def _told_to_stop(given: asyncio.Event | None) -> Iterator[asyncio.Event]:
    """The event to wait for: the caller's own, or one that SIGTERM and SIGINT set."""
    if given is not None:
        yield given
        return
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    try:
        yield stop
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)


def _check_tls(settings: Settings) -> None:
    if settings.tls_cert is None or settings.tls_key is None:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(settings.tls_cert, settings.tls_key)
    except OSError as error:  # ssl.SSLError is one
        raise ServeError(
            f"--tls-cert {settings.tls_cert}, --tls-key {settings.tls_key}: can't be used: {error}", BAD_INPUT
        ) from error


def _check_voice(settings: Settings) -> None:
    """Every address that was asked for is this machine's, and the range of ports has a free one."""
    for address in settings.listen_address or ["127.0.0.1"]:
        try:
            bind(address, settings.udp_ports).close()
        except MediaError as error:
            raise ServeError(
                f"--udp-ports: every UDP port of {settings.udp_ports} is taken at {address}: choose another range, "
                f"or stop what uses it"
            ) from error
        except OSError as error:
            raise ServeError(
                f"--listen-address: {address} can't be used ({error.strerror}): expected an address of this machine",
                BAD_INPUT,
            ) from error


async def _check_recogniser(settings: Settings) -> None:
    if settings.recogniser is None:
        return
    try:
        await asyncio.to_thread(look_at, settings.recogniser)
    except ModelError as error:
        raise ServeError(f"--recogniser: {error}", BAD_INPUT) from error


async def _check_compute_type(settings: Settings) -> None:
    if not settings.recognisers or settings.asr_compute_type is None or settings.recogniser is not None:
        return  # what another recogniser makes of it is its own
    try:
        await asyncio.to_thread(check_compute_type, settings.device, settings.asr_compute_type)
    except ModelError as error:
        raise ServeError(f"--asr-compute-type: {error}", BAD_INPUT) from error


async def _check_toxicity(settings: Settings) -> None:
    if settings.toxicity is None:
        return
    try:
        await asyncio.to_thread(look_for_toxicity, settings.toxicity)
    except ModelError as error:
        raise ServeError(f"--toxicity: {error}", BAD_INPUT) from error


def _use_folder(data: Path, stack: contextlib.ExitStack) -> None:
    """Make the data folder and take its lock: two servers would write over each other."""
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ServeError(f"--data: the folder {data} can't be used: {error.strerror}", BAD_INPUT) from error
    stack.callback(os.close, descriptor)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise ServeError(f"--data: another server uses the folder {data}: stop it, or choose another folder") from error


def _listen(settings: Settings) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError) as error:
        cause = error.strerror if isinstance(error, OSError) else "no name of a host"
        raise ServeError(f"--host: {settings.host!r} can't be found: {cause}", BAD_INPUT) from error
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STUCK_MS)
        listening.bind(address)
        listening.listen(256)
        listening.setblocking(False)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise ServeError(
                f"--host: {settings.host} can't be used ({error.strerror}): expected an address of this machine",
                BAD_INPUT,
            ) from error
        raise ServeError(
            f"--port: {settings.host}:{settings.port} can't be listened on ({error.strerror}): "
            f"choose another with --port, or stop what uses it"
        ) from error
    return listening


def _address(settings: Settings, listening: socket.socket) -> str:
    if settings.public_url:
        return settings.public_url.rstrip("/")
    scheme = "http" if settings.tls_cert is None else "https"
    host = settings.host if settings.host not in ("127.0.0.1", "::1", "0.0.0.0", "::") else "localhost"  # noqa: S104 - named, not bound
    return f"{scheme}://{host}:{listening.getsockname()[1]}"


def _begun(address: str, moderators: str) -> None:
    """The process serves from now on, and nothing else."""
    settle()
    _tell(address, moderators)


def _tell(address: str, moderators: str) -> None:
    sys.stderr.write(f"voicetable is at {address}\nmoderators: {moderators}\n")
    sys.stderr.flush()


def run(given: dict[str, Any]) -> int:
    """Run a server with what the command line gave; the exit status."""
    configure_logs()
    _have_files()
    leave_no_core()
    for name, meant in sorted(misspelt(os.environ).items()):
        sys.stderr.write(f"serve: {name} is no setting and does nothing; is {meant} meant?\n")
    try:
        settings = Settings(**given)
    except ValidationError as error:
        sys.stderr.write(f"serve: {complaint(error, given)}\n")
        return BAD_INPUT
    except SettingsError as error:  # a list in the environment that is no JSON
        sys.stderr.write(f"serve: {error}: expected JSON\n")
        return BAD_INPUT
    try:
        _run_loop(settings)
    except ServeError as error:
        sys.stderr.write(f"serve: {error}\n")
        return error.status
    return DONE


def _have_files() -> None:
    """As many open files as the system gives: each page is one, and so is each voice."""
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if most == resource.RLIM_INFINITY else min(most, FILES)
    if now != resource.RLIM_INFINITY and now < wanted:
        with contextlib.suppress(OSError, ValueError):  # what it has will have to do
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _run_loop(settings: Settings) -> None:
    try:
        import uvloop
    except ImportError:  # not on Windows
        asyncio.run(serve(settings, _begun))
    else:
        uvloop.run(serve(settings, _begun))


def _main() -> int:
    parser = argparse.ArgumentParser(prog="python -m voice.serve")
    for name in (
        "host",
        "db",
        "data",
        "lang",
        "asr",
        "asr-compute-type",
        "device",
        "recogniser",
        "toxicity",
        "toxicity-device",
    ):
        parser.add_argument(f"--{name}")
    for name in ("tls-cert", "tls-key", "public-url", "udp-ports"):
        parser.add_argument(f"--{name}")
    for name in ("listen-address", "public-address", "turn"):
        parser.add_argument(f"--{name}", action="append")
    for name in ("port", "media-workers", "asr-workers"):
        parser.add_argument(f"--{name}", type=int)
    parser.add_argument("--transcript-days", type=float)
    parser.add_argument("--no-speech", dest="speech", action="store_false", default=None)
    given = {name: value for name, value in vars(parser.parse_args()).items() if value is not None}
    return run(given)


if __name__ == "__main__":
    sys.exit(_main())
