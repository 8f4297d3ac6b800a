"""Whole games in which every seat sends all the time: nobody may be heard whose microphone is closed.

    python -m tests.media.leak_games --games 200 [--seed 1] [--where room,worker,room,worker,fallback]

The microphones move as in games of the real engine (one speaker, or all at once in three slots), faster than in real
time. Ten WebRTC clients and moderators on the loopback interface; a seat and a moderator come late. Three of the seats
have bad links (loss in bursts, jitter, reordering, duplicates); seats reconnect in the middle of everything; each seat
keeps packets of the time before its minute back and sends them in it, and what the server had before it is sent again
from the same address; the tenth seat's client floods, sends what is no speech, and jumps; and the server is late, so
that packets wait unread when the gate moves. `--where`: of one game after the other, where its voice is: in this
process (`room`), in it by the public API of aiortc (`fallback`), or in a media worker (`worker`), which is stopped and
let go on while the gate moves, and killed, or left hanging, in the middle of an opening.

Every packet is a tone of its seat's own frequency with a number in its Opus padding, so that both each packet and each
sample has an owner. What may be heard is decided when a packet comes to the server's socket (`leak/book.py`); what was
heard by seats and moderators, and what the tap was given, is held against that. Exit status 1 if anything was heard
that may not be.
"""

from __future__ import annotations

import argparse
import asyncio
import sys

from .leak.games import WHERE, play

PLACES = frozenset(WHERE)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.media.leak_games", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--where", default=",".join(WHERE), help=f"of {', '.join(sorted(PLACES))}, with commas")
    given = parser.parse_args()
    where = given.where.split(",")
    if given.games < 1:
        parser.error("--games: expected at least 1")
    if not PLACES.issuperset(where):
        parser.error(f"--where: expected words of {', '.join(sorted(PLACES))}, with commas between them")

    def progress(said: str) -> None:
        if sys.stderr.isatty() or said.split()[1].endswith("0"):
            print(said, file=sys.stderr, flush=True)

    outcome = asyncio.run(play(given.games, given.seed, where, progress))
    for name, count in sorted(outcome.counts.items()):
        print(f"{count:>10}  {name}")
    print(f"{len(outcome.leaks):>10}  leaks")
    for leak in outcome.leaks[:50]:
        print(leak)
    return 1 if outcome.leaks or not outcome.counts["openings that were heard"] else 0


if __name__ == "__main__":
    sys.exit(main())
