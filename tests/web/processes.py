"""Server processes for tests that kill them."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
from typing import TYPE_CHECKING

from websockets.asyncio.client import connect

from tests.web.client import Client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

PYTHON = [sys.executable, "-m", "voice.serve", "--no-speech"]


class Process:
    """One server process."""

    def __init__(self, child: asyncio.subprocess.Process) -> None:
        self.child = child
        self.said = ""
        self.address = ""

    async def listens(self) -> None:
        """Wait until it says where it is."""
        assert self.child.stderr is not None
        async for line in self.child.stderr:
            self.said += line.decode()
            found = re.search(r"voicetable is at (http://\S+)", self.said)
            if found and "moderators" in self.said:
                self.address = found[1].replace("localhost", "127.0.0.1")
                return
        raise AssertionError(f"it ended: {self.said}")

    async def ends(self) -> int:
        """Its exit status; `said` has all that it wrote."""
        _, rest = await self.child.communicate()
        self.said += rest.decode()
        return await self.child.wait()


@contextlib.asynccontextmanager
async def process(data: Path, *more: str, port: int = 0) -> AsyncIterator[Process]:
    """A server process for the length of a block."""
    child = await asyncio.create_subprocess_exec(
        *PYTHON,
        "--port",
        str(port),
        "--data",
        str(data),
        *more,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    made = Process(child)
    try:
        yield made
    finally:
        if child.returncode is None:
            child.kill()
        await made.ends()


async def seat(address: str, token: str, after: int = 0) -> Client:
    client = Client(await connect(address.replace("http", "ws") + "/ws"))
    await client.send(type="hello", token=token, after=after)
    return client
