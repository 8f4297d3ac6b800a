"""The seeded stream of chance: part of a game's state, the same on every machine and Python."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

T = TypeVar("T")

_MASK = (1 << 64) - 1


@dataclass(slots=True)
class Stream:
    """SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).

    state: 64 bits; any integer may be given as a seed and is taken modulo 2**64.
    """

    state: int

    def __post_init__(self) -> None:
        self.state &= _MASK

    def next(self) -> int:
        """The next 64 random bits."""
        self.state = z = (self.state + 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)

    def below(self, bound: int) -> int:
        """A whole number from 0 to `bound` - 1, each as likely as the others."""
        # The few values above the highest whole multiple of `bound` would make small results likelier.
        while (drawn := self.next()) > _MASK - bound and drawn >= _MASK + 1 - (_MASK + 1) % bound:
            pass
        return drawn % bound

    def chance(self) -> float:
        """A number from 0 up to, not including, 1."""
        return (self.next() >> 11) / (1 << 53)

    def pick(self, items: Sequence[T]) -> T:
        """One of `items`, which may not be empty."""
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """`items` in random order (Fisher and Yates)."""
        order = list(items)
        for i in range(len(order) - 1, 0, -1):
            j = self.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return order
