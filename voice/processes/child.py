"""What a child process of the server does about being one: die with it, leave signals to it, talk over the socket."""

from __future__ import annotations

import contextlib
import ctypes
import os
import queue
import selectors
import signal
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any

from voice.processes.wire import LENGTH, MAX_FRAME_BYTES, Message, decoder, frame

if TYPE_CHECKING:
    import msgspec

_CORE_BYTES = 1
_PR_SET_PDEATHSIG = 1
READ_BYTES = 1 << 18


class Pipe:
    """The child's end of the socket pair; reads and writes block."""

    def __init__(self, descriptor: int, kinds: Any) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._socket.setblocking(True)
        # Not `select`: a server with many connections hands down descriptors that are too high for it.
        self._ready = selectors.DefaultSelector()
        self._ready.register(self._socket, selectors.EVENT_READ)
        self._decoder: msgspec.msgpack.Decoder[Any] = decoder(kinds)
        self._buffer = bytearray()

    def receive(self, timeout_s: float | None) -> list[Any] | None:
        """The next whole messages; an empty list when `timeout_s` has passed; None when the server is gone."""
        if not self._ready.select(timeout_s):
            return []
        try:
            data = self._socket.recv(READ_BYTES)
        except ConnectionError:
            return None
        if not data:
            return None
        self._buffer += data
        messages = []
        while len(self._buffer) >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._buffer)
            if length > MAX_FRAME_BYTES:
                raise ValueError(f"expected a message of at most {MAX_FRAME_BYTES} bytes, got {length}")
            if len(self._buffer) < LENGTH.size + length:
                break
            messages.append(self._decoder.decode(self._buffer[LENGTH.size : LENGTH.size + length]))
            del self._buffer[: LENGTH.size + length]
        return messages

    def send(self, message: Message) -> None:
        """Send one message; ends the process where the server is gone."""
        try:
            self._socket.sendall(frame(message))
        except ConnectionError:
            sys.exit(0)


class Inbox:
    """A pipe's messages, read by a thread of their own: the server never waits with them while this process works."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._come: queue.SimpleQueue[list[Any] | Exception | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, name="inbox", daemon=True).start()

    def receive(self, more_within_s: float = 0.0, most: int = sys.maxsize) -> list[Any] | None:
        """Wait for messages, then for those that follow each other by `more_within_s` at most, up to `most` or so.

        None when the server is gone. Raises what went wrong with reading.
        """
        messages = self._next(None)
        while messages and len(messages) < most:
            try:
                more = self._next(more_within_s)
            except queue.Empty:
                break
            if more is None:
                return None
            messages += more
        return messages

    def _next(self, timeout_s: float | None) -> list[Any] | None:
        come = self._come.get(timeout_s != 0.0, timeout_s)
        if isinstance(come, Exception):
            raise come
        return come

    def _read(self) -> None:
        try:
            while (messages := self._pipe.receive(None)) is not None:
                if messages:  # not a part of one
                    self._come.put(messages)
        except Exception as error:  # whatever it is, it ends the process, and not this thread alone
            self._come.put(error)
        else:
            self._come.put(None)


def become_child(parent_pid: int, niceness: int) -> None:
    """Tie this process to the server's life, and yield the processor to the sound by `niceness`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        # A service manager tells every process; the server ends this one. Not SIG_IGN: its own children would have it.
        signal.signal(signal.SIGTERM, _go_on)
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent_pid:
        sys.exit(0)  # the server died before the tie was made
    os.nice(niceness)
    leave_no_core()


def _go_on(*_: object) -> None:
    """What was waited for is waited for."""


def leave_no_core() -> None:
    """Should this process crash, its memory is not written to disk: people's speech is in it."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # not on Windows; or it may not
        import resource

        most = resource.getrlimit(resource.RLIMIT_CORE)[1]
        # One byte, too little for a file. Linux hands the core to a program whatever the limit is, 0 too, but not
        # at 1 (fs/coredump.c): that is how it knows the program's own crash.
        resource.setrlimit(resource.RLIMIT_CORE, (0 if most == 0 else _CORE_BYTES, most))
