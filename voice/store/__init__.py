"""The database: an append-only log of each table, the people at it, and the lines that wait for a moderator."""

from voice.store.store import LogRow, Store, StoreError

__all__ = ["LogRow", "Store", "StoreError"]
