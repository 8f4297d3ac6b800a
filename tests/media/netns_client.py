"""A player's client in a network namespace of its own; offers and answers go over its standard output and input.

It speaks all the time, and makes a whole new connection when the table has fallen silent, as the app does.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time

from voice.media.client import ReceivedPacket, VoiceClient
from voice.media.errors import MediaError
from voice.media.settings import MediaSettings

SILENT_S = 1.5
FREE = MediaSettings(packets_per_s=1e6, packets_burst=1e6, bytes_per_s=1e9, bytes_burst=1e9, loopback=False)


async def main() -> None:
    """Until standard input ends."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=1 << 20)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    heard_at = 0.0

    def hear(_packet: ReceivedPacket) -> None:
        nonlocal heard_at
        heard_at = time.monotonic()

    while True:
        client = VoiceClient(on_packet=hear, settings=FREE)
        print(json.dumps({"offer": await client.offer()}), flush=True)
        line = await reader.readline()
        if not line:
            await client.close()
            return
        try:
            await client.accept(json.loads(line)["answer"])
            await client.connected(5.0)
        except (MediaError, TimeoutError):
            await client.close()
            await asyncio.sleep(0.5)
            continue
        heard_at = time.monotonic()
        while time.monotonic() - heard_at < SILENT_S and not reader.at_eof():
            try:
                client.send(b"\x48" + bytes(40))
            except OSError:
                break  # the address is gone
            await asyncio.sleep(0.02)
        await client.close()
        if reader.at_eof():
            return


if __name__ == "__main__":
    asyncio.run(main())
