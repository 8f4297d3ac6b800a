"""SRTP in place: libsrtp's own calls on one buffer a thread, without pylibsrtp's allocations and copies.

This uses private parts of pylibsrtp (its binding, a session's context), of the version in `PIN`. `in_place` compares
them with the public calls once a process; where they differ, all goes through the public calls, with a loud line.
"""

from __future__ import annotations

import functools
import importlib.metadata
import threading
from typing import TYPE_CHECKING, Any

import pylibsrtp
import structlog
from pylibsrtp import Policy, Session

if TYPE_CHECKING:
    from collections.abc import Callable

PIN = "1.0.0"
BUFFER_BYTES = 2048
TRAILER_BYTES = 144
"""What libsrtp may add: the longest tag and key identifier."""
MAX_BYTES = BUFFER_BYTES - TRAILER_BYTES
MAX_DATAGRAM = 1500
"""What may be decrypted: pylibsrtp raises on a longer one, whoever sent it, and that would end aiortc's transport."""

log = structlog.get_logger(__name__)

_of_thread = threading.local()


class Scratch:
    """A packet's place while it is made: written to `view`, encrypted there, and sent from there."""

    __slots__ = ("buffer", "length", "view")

    def __init__(self) -> None:
        self.buffer: Any = None  # Any: cffi's data
        self.length: Any = None
        if in_place():
            from pylibsrtp._binding import ffi

            self.buffer = ffi.new("unsigned char[]", BUFFER_BYTES)
            self.length = ffi.new("int *")
            self.view = memoryview(ffi.buffer(self.buffer))
        else:
            self.view = memoryview(bytearray(BUFFER_BYTES))


def scratch() -> Scratch:
    """The one of this thread: libsrtp's calls let other threads run meanwhile."""
    made: Scratch | None = getattr(_of_thread, "scratch", None)
    if made is None:
        made = _of_thread.scratch = Scratch()
    return made


def protector(session: Any, place: Scratch) -> Callable[[int], memoryview]:
    """Encrypts the RTP packet of so many bytes (at most MAX_BYTES) that is in `place`; what it gives is to be sent.

    What it gives holds until the next packet is written. It raises `pylibsrtp.Error`, and ValueError for a longer one.
    """
    if place.buffer is None:

        def publicly(size: int) -> memoryview:
            if size > MAX_BYTES:
                raise ValueError(f"expected a packet of at most {MAX_BYTES} bytes, got {size}")
            return memoryview(session.protect(bytes(place.view[:size])))

        return publicly
    from pylibsrtp._binding import lib

    context, buffer, length, view, call = session._srtp[0], place.buffer, place.length, place.view, lib.srtp_protect

    def protect(size: int, session: Any = session) -> memoryview:  # the session owns the context
        if size > MAX_BYTES:
            raise ValueError(f"expected a packet of at most {MAX_BYTES} bytes, got {size}")
        length[0] = size
        if status := call(context, buffer, length):
            raise pylibsrtp.Error(pylibsrtp.ERRORS[status])
        return view[: length[0]]

    return protect


def unprotector(session: Any, place: Scratch) -> Callable[[bytes], bytes]:
    """Decrypts an SRTP packet of at most MAX_BYTES; raises `pylibsrtp.Error` if it is not for us, or came before."""
    if place.buffer is None:
        public: Callable[[bytes], bytes] = session.unprotect
        return public
    from pylibsrtp._binding import lib

    context, buffer, length, view, call = session._srtp[0], place.buffer, place.length, place.view, lib.srtp_unprotect

    def unprotect(data: bytes, session: Any = session) -> bytes:  # the session owns the context
        size = len(data)
        view[:size] = data
        length[0] = size
        if status := call(context, buffer, length):
            raise pylibsrtp.Error(pylibsrtp.ERRORS[status])
        return bytes(view[: length[0]])

    return unprotect


@functools.cache
def in_place() -> bool:
    """Is the installed pylibsrtp the one that is known here, and does it do what its public calls do?"""
    try:
        found = importlib.metadata.version("pylibsrtp")
        if found != PIN:
            raise RuntimeError(f"pylibsrtp {PIN} is known, and {found} is installed")
        _compare()
    except Exception as error:  # whatever a changed library throws: it is the answer
        log.error("media.srtp_selftest_failed", why=f"{type(error).__name__} {error}", using="pylibsrtp's public calls")
        return False
    return True


def _compare() -> None:
    from pylibsrtp._binding import ffi, lib

    def session(kind: int) -> Any:
        return Session(Policy(key=bytes(range(30)), ssrc_type=kind))

    packet = bytes((0x80, 96, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1)) + b"speech"
    buffer, length = ffi.new("unsigned char[]", BUFFER_BYTES), ffi.new("int *", len(packet))
    view = memoryview(ffi.buffer(buffer))
    view[: len(packet)] = packet
    ours = session(Policy.SSRC_ANY_OUTBOUND)
    sealed = session(Policy.SSRC_ANY_OUTBOUND).protect(packet)
    if lib.srtp_protect(ours._srtp[0], buffer, length) or bytes(view[: length[0]]) != sealed:
        raise RuntimeError("encrypting in place differs from the public call")
    theirs = session(Policy.SSRC_ANY_INBOUND)
    if lib.srtp_unprotect(theirs._srtp[0], buffer, length) or bytes(view[: length[0]]) != packet:
        raise RuntimeError("decrypting in place differs from the public call")
    view[: len(sealed)] = sealed
    length[0] = len(sealed)
    if not lib.srtp_unprotect(theirs._srtp[0], buffer, length):
        raise RuntimeError("a packet that came twice was decrypted twice")
