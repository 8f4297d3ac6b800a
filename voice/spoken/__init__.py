"""Commands of the game that a player speaks: text of the recogniser to what might be wished. It never acts."""

from __future__ import annotations

from voice.spoken.agreement import Agreed, Agreement
from voice.spoken.parse import Wish, wishes

__all__ = ["Agreed", "Agreement", "Wish", "wishes"]
