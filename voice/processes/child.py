"""What a child process of the server does about being one: die with it, leave Ctrl-C to it, talk over the socket."""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import socket
import sys
from typing import TYPE_CHECKING, Any

from voice.processes.wire import LENGTH, MAX_FRAME_BYTES, Message, decoder, frame

if TYPE_CHECKING:
    import msgspec

_PR_SET_PDEATHSIG = 1
READ_BYTES = 1 << 18


class Pipe:
    """The child's end of the socket pair; reads and writes block."""

    def __init__(self, descriptor: int, kinds: Any) -> None:
        self._socket = socket.socket(fileno=descriptor)
        self._socket.setblocking(True)
        self._decoder: msgspec.msgpack.Decoder[Any] = decoder(kinds)
        self._buffer = bytearray()

    def receive(self, timeout_s: float | None) -> list[Any] | None:
        """The next whole messages; an empty list when `timeout_s` has passed; None when the server is gone."""
        readable, _, _ = select.select([self._socket], [], [], timeout_s)
        if not readable:
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


def become_child(parent_pid: int, niceness: int) -> None:
    """Tie this process to the server's life, and yield the processor to the sound by `niceness`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent_pid:
        sys.exit(0)  # the server died before the tie was made
    os.nice(niceness)
    leave_no_core()


def leave_no_core() -> None:
    """Should this process crash, its memory is not written to disk: people's speech is in it."""
    with contextlib.suppress(ImportError, OSError, ValueError):  # not on Windows; or it may not
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))
