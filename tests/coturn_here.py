"""A real coturn for tests that need a relay: where it is, and one that runs on the loopback interface."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

HOW_TO_GET_ONE = "no coturn found: the relay tests are left out. To run them: `apt-get install coturn` (Debian)."
SECRET = "a-secret-of-the-tests"


def find_coturn() -> str | None:
    """The path of coturn's `turnserver`; an error where it must not be missing."""
    found = shutil.which("turnserver")
    if found is None and os.environ.get("VOICETABLE_TESTS_SKIP_NOTHING"):
        raise RuntimeError(HOW_TO_GET_ONE)
    return found


def free_port() -> int:
    """A UDP port of the loopback interface that nobody has right now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.asynccontextmanager
async def coturn(folder: Path, *more: str) -> AsyncIterator[str]:
    """A coturn with the REST scheme's `SECRET` on the loopback interface; its address as `turn:127.0.0.1:PORT`."""
    program = find_coturn()
    assert program is not None
    port = free_port()
    log = folder / "coturn.log"
    child = await asyncio.create_subprocess_exec(
        *(program, "-n", "--listening-ip=127.0.0.1", "--relay-ip=127.0.0.1", f"--listening-port={port}"),
        *("--min-port=50000", "--max-port=50400", "--realm=test", "--fingerprint", "--no-tls", "--no-dtls"),
        *("--allow-loopback-peers", "--no-cli", "--simple-log", f"--log-file={log}", f"--pidfile={folder / 'pid'}"),
        *(f"--userdb={folder / 'users.sqlite'}", "--verbose"),
        *(more or ("--use-auth-secret", f"--static-auth-secret={SECRET}")),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(10):
            while not await _answers(port):
                assert child.returncode is None, log.read_text() if log.exists() else "coturn ended"
                await asyncio.sleep(0.1)
        yield f"turn:127.0.0.1:{port}"
    finally:
        if child.returncode is None:
            child.terminate()
        await child.wait()


async def _answers(port: int) -> bool:
    """Whether a STUN server answers there: one binding request (RFC 8489)."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.setblocking(False)
        probe.connect(("127.0.0.1", port))
        loop = asyncio.get_running_loop()
        try:
            await loop.sock_sendall(probe, b"\x00\x01\x00\x00\x21\x12\xa4\x42" + os.urandom(12))
            async with asyncio.timeout(0.3):
                return bool(await loop.sock_recv(probe, 1500))
        except (OSError, TimeoutError):
            return False
