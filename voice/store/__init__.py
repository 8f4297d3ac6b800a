"""The database: an append-only log of each table, the people at it, and the lines that wait for a moderator."""

from voice.store.store import BadAddressError, LogRow, Store, StoreError

__all__ = ["BadAddressError", "LogRow", "Store", "StoreError"]
