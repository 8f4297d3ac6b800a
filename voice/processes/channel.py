"""One end of a socket pair on an event loop: whole messages, in order, sent at the call and read whenever asked."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import msgspec

from voice.processes.wire import LENGTH, MAX_FRAME_BYTES, Message, decoder, frame

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

READ_BYTES = 1 << 18
READS = 64
"""At most so many at one look: the rest waits for the next turn of the loop."""


class Channel:
    """Messages over a connected, non-blocking stream socket, which it owns. Used from the event loop's thread alone.

    `on_message` is called with each message, `on_end` once: with "" when the other side is gone, else with what was
    wrong with what it said. A message is on its way when `send` returns, unless the other side is behind: then it
    waits here, in order, and `waiting_bytes` says how much does.
    """

    def __init__(
        self, own: socket.socket, kinds: Any, on_message: Callable[[Any], None], on_end: Callable[[str], None]
    ) -> None:
        own.setblocking(False)
        self._socket = own
        self._decode = decoder(kinds).decode
        self._on_message = on_message
        self._on_end = on_end
        self._in = bytearray()
        self._out = bytearray()
        self._looking = False
        self.closed = False
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(own, self.look)

    @property
    def waiting_bytes(self) -> int:
        """How much that was sent the other side has not taken yet."""
        return len(self._out)

    def send(self, message: Message) -> None:
        """Send a message, now; what is sent after the end is lost."""
        self.send_frame(frame(message))

    def send_frame(self, data: bytes) -> None:
        """Send a message that was framed already."""
        if self.closed:
            return
        sent = 0
        if not self._out:
            try:
                sent = self._socket.send(data)
            except BlockingIOError:
                pass
            except OSError:
                self._end("")
                return
            if sent < len(data):
                self._loop.add_writer(self._socket, self._write)
        if sent < len(data):
            self._out += memoryview(data)[sent:]

    def look(self) -> None:
        """Read what has come, now, and hand it on: also before the event loop would come to it."""
        if self._looking or self.closed:
            return
        self._looking = True
        try:
            for _ in range(READS):
                if not self._read():
                    break
        finally:
            self._looking = False

    def close(self) -> None:
        """Close this end; nothing is called any more."""
        if not self.closed:
            self.closed = True
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)
            self._socket.close()
            self._in.clear()
            self._out.clear()

    def _read(self) -> bool:
        """Read once and hand on each whole message; False where there is no more."""
        try:
            data = self._socket.recv(READ_BYTES)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self._end("")
            return False
        self._in += data
        done = 0
        while not self.closed and len(self._in) - done >= LENGTH.size:
            (length,) = LENGTH.unpack_from(self._in, done)
            if length > MAX_FRAME_BYTES:
                self._end(f"expected a message of at most {MAX_FRAME_BYTES} bytes, got {length}")
                return False
            if len(self._in) - done < LENGTH.size + length:
                break
            body = bytes(memoryview(self._in)[done + LENGTH.size : done + LENGTH.size + length])
            done += LENGTH.size + length
            try:
                message = self._decode(body)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
                self._end(f"expected a message of this protocol, got {length} bytes of something else")
                return False
            self._on_message(message)
        if self.closed:
            return False
        del self._in[:done]
        return len(data) == READ_BYTES

    def _write(self) -> None:
        try:
            sent = self._socket.send(self._out)
        except BlockingIOError:
            return
        except OSError:
            self._end("")
            return
        del self._out[:sent]
        if not self._out:
            self._loop.remove_writer(self._socket)

    def _end(self, why: str) -> None:
        self.close()
        self._on_end(why)
