"""What the routes need: the settings, the tables, the secrets and the limits of one server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from voice.web.guard import Limiter, Open, Origins
from voice.web.keys import Keys
from voice.web.moderators import Watching

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from voice.media.settings import MediaSettings
    from voice.settings import Settings
    from voice.store import Store
    from voice.table.tables import Tables


@dataclass(slots=True)
class House:
    """One server's parts."""

    settings: Settings
    store: Store
    tables: Tables
    keys: Keys
    limiter: Limiter
    origins: Origins
    speech_stats: Callable[[], dict[str, Any] | None]
    media_stats: Callable[[], dict[str, Any]]
    media: MediaSettings
    connections: Open = field(default_factory=Open)
    second_stats: Callable[[], dict[str, Any]] = dict
    watching: Watching = field(default_factory=Watching)
    ends: list[Callable[[], Awaitable[None]]] = field(default_factory=list)
    """What to call when the server goes down."""

    @classmethod
    def of(
        cls,
        settings: Settings,
        store: Store,
        tables: Tables,
        speech_stats: Callable[[], dict[str, Any] | None],
        media_stats: Callable[[], dict[str, Any]],
        media: MediaSettings,
    ) -> House:
        """Made of its settings. Raises KeyFileError."""
        pages = [*settings.origins, *([settings.public_url] if settings.public_url else [])]
        keys = Keys(settings.data, settings.invite_s)
        return cls(
            settings,
            store,
            tables,
            keys,
            Limiter(on=settings.rate_limits),
            Origins(pages),
            speech_stats,
            media_stats,
            media,
        )
