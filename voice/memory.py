"""Python's collector in a process that carries voice: while it looks, nobody is heard. So it is to find little."""

from __future__ import annotations

import gc


def settle() -> None:
    """What exists now stays for the life of the process: the collector need not look at it again.

    To be called once, when a server or worker has started. A full collection with 300 connections then takes 31 ms
    instead of 130, of a server with everything it imports.
    """
    gc.collect()
    gc.freeze()


def nobody(*_: object) -> None:
    """In place of whoever was told, and given packets, by something that has ended: so it does not hold them."""
