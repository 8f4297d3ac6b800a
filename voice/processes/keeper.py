"""One child process of the server: started, talked to, watched, and started again when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog

from voice.processes.channel import Channel
from voice.processes.wire import Message, frame

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

log = structlog.get_logger(__name__)

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
BACKOFF_S = (0.0, 0.5, 1.0, 2.0, 5.0, 10.0)
HEALTHY_AFTER_S = 30.0
STOP_S = 2.0
"""How long a process may take to end by itself when it is told to, ..."""
DIES_S = 0.3
"""... and when its socket has closed without that: as a rule it is dead."""
KILLED_S = 5.0
"""How long one that was killed may stay. What the system can't end is left behind, and another one is started."""


class Child:
    """A Python module run as a process with a socket pair to the server.

    `arguments` follow the socket's descriptor and the server's process number on its command line. `on_up` is called
    when it runs, `on_message` with each of its messages, `on_down` when it has died, before it is started again.
    `extra` is what its environment has in addition to the server's.
    """

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        kinds: Any,
        *,
        on_up: Callable[[], None],
        on_message: Callable[[Any], None],
        on_down: Callable[[], None],
        extra: Mapping[str, str] | None = None,
    ) -> None:
        self._extra = dict(extra or {})
        self._module = module
        self._arguments = tuple(arguments)
        self._kinds = kinds
        self._on_up = on_up
        self._on_message = on_message
        self._on_down = on_down
        self._process: asyncio.subprocess.Process | None = None
        self._channel: Channel | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._ended: asyncio.Future[str] | None = None
        self._attempt = 0
        self.deaths = 0

    @property
    def pid(self) -> int | None:
        """The process's number while it runs."""
        return self._process.pid if self._process is not None else None

    @property
    def up(self) -> bool:
        """Whether it can be talked to."""
        return self._channel is not None and not self._channel.closed

    @property
    def waiting_bytes(self) -> int:
        """How much that was sent the process has not taken yet."""
        return self._channel.waiting_bytes if self._channel is not None else 0

    async def start(self) -> None:
        """Start the process and keep it running until `stop`."""
        up = asyncio.get_running_loop().create_future()
        self._keeper = asyncio.create_task(self._keep(up), name=f"keep {self._module}")
        await up

    async def stop(self) -> None:
        """End the process and wait until it is gone."""
        if self._keeper is not None:
            self._keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._keeper
            self._keeper = None

    def send(self, message: Message) -> bool:
        """Send a message, at this call; False where the process is down. Never blocks: what it can't take yet waits."""
        return self.send_frame(frame(message))

    def send_frame(self, data: bytes) -> bool:
        """Send a message that was framed already."""
        if self._channel is None or self._channel.closed:
            return False
        self._channel.send_frame(data)
        return not self._channel.closed

    def look(self) -> None:
        """Hand on what the process has said by now, without waiting for the event loop to come to it."""
        if self._channel is not None:
            self._channel.look()

    def well(self) -> None:
        """It has done its work: should it die now, it is started again at once, however young it is."""
        self._attempt = 0

    def kill(self) -> None:
        """End a process that no longer answers; another is started, also where this one can't be ended."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            asyncio.get_running_loop().call_later(KILLED_S, self._over, self._ended)

    @staticmethod
    def _over(ended: asyncio.Future[str] | None) -> None:
        if ended is not None and not ended.done():
            ended.set_result("")

    async def _keep(self, up: asyncio.Future[None]) -> None:
        self._attempt = 0
        while True:
            begun_s = time.monotonic()
            try:
                await self._run(up)
            except OSError as error:
                log.error("child process does not start", module=self._module, error=error.strerror)
            except Exception as error:  # whatever it is, nobody else would start another
                log.error("child process is lost", module=self._module, error=type(error).__name__)
            if time.monotonic() - begun_s > HEALTHY_AFTER_S:
                self._attempt = 0
            await asyncio.sleep(BACKOFF_S[min(self._attempt, len(BACKOFF_S) - 1)])
            self._attempt += 1

    async def _run(self, up: asyncio.Future[None]) -> None:
        """One life of the process."""
        ours, theirs = socket.socketpair()
        try:
            ours.setblocking(False)
            with theirs:
                process = await asyncio.create_subprocess_exec(
                    sys.executable, "-P", "-m", self._module, str(theirs.fileno()), str(os.getpid()), *self._arguments,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=asyncio.subprocess.DEVNULL,
                    pass_fds=(theirs.fileno(),),
                    env={**environment(), **self._extra},
                )  # fmt: skip
        except BaseException:
            ours.close()
            raise
        self._process = process
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[str] = loop.create_future()
        self._ended = ended
        # It may be told of the end when this was told to stop, and waits no more.
        channel = Channel(ours, self._kinds, self._hand_on, lambda why: None if ended.done() else ended.set_result(why))
        self._channel = channel
        # A process of its own that outlives it may hold its end of the socket open.
        gone = asyncio.create_task(process.wait())
        gone.add_done_callback(lambda _: loop.call_later(DIES_S, self._over, ended))
        clean = False
        try:
            self._tell(self._on_up)
            if not up.done():
                up.set_result(None)
            if why := await ended:
                log.error("child process talks nonsense", module=self._module, why=why)
        except asyncio.CancelledError:
            clean = True
            raise
        finally:
            gone.cancel()
            self._channel = None
            channel.close()
            await _end(process, gently=clean)
            self._process = None
            if not clean:
                self.deaths += 1
                log.warning("child process died", module=self._module, status=process.returncode)
                self._tell(self._on_down)

    def _hand_on(self, message: Any) -> None:
        self._tell(self._on_message, message)

    def _tell(self, listener: Callable[..., None], *what: object) -> None:
        try:
            listener(*what)
        except Exception as error:  # whatever a listener does, the process is not to blame
            log.error("child process: its listener failed", module=self._module, error=type(error).__name__)


async def _end(process: asyncio.subprocess.Process, *, gently: bool) -> None:
    """Wait for a process whose socket is closed; kill it where it stays."""
    # Not at once: one that has died is not collected yet, and to signal it then loses what it died of.
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(process.wait(), STOP_S if gently else DIES_S)
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), KILLED_S)
        if process.returncode is None:
            log.error("child process can't be ended: left behind", pid=process.pid)


def environment() -> dict[str, str]:
    """The server's environment, with one thread for arithmetic and the packages where the server found them.

    With it goes Python's option -P: what lies in the folder that the server was started in is no module of ours.
    """
    root = str(Path(__file__).resolve().parents[2])
    before = os.environ.get("PYTHONPATH")
    return {**os.environ, **ONE_THREAD, "PYTHONPATH": root + (os.pathsep + before if before else "")}
