"""What the hostile seat does besides sending."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from tests.media.headers import rtp_header

if TYPE_CHECKING:
    import random

    from .player import Page, Player

FLOOD = 60


def misbehave(player: Player, page: Page, chance: random.Random) -> None:
    """Now and then: a flood, another's SSRC, a jump of the sequence, what is neither STUN nor speech."""
    link = page.client.link
    match chance.randrange(40):
        case 0:
            for _ in range(FLOOD):
                player.send(page)
        case 1:
            link._streams[0].ssrc = (link._streams[0].ssrc + 1) & 0xFFFFFFFF
            player.send(page)
            link._streams[0].ssrc = (link._streams[0].ssrc - 1) & 0xFFFFFFFF
        case 2:
            page.client._sequence = (page.client._sequence + chance.choice((300, 9_000, 40_000))) & 0xFFFF
        case 3:
            for size in (1, 12, 60, 1_400, 3_000):
                header = rtp_header(96, False, chance.randrange(1 << 16), 0, link._streams[0].ssrc)
                page.link.to_server(header + os.urandom(size))
                page.link.to_server(os.urandom(size))
        case _:
            pass
