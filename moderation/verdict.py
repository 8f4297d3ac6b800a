"""What moderation answers: a verdict on one line, with the reasons a moderator is shown."""

from dataclasses import dataclass, field
from typing import Literal

Category = Literal["insult", "hate", "sexual"]
Severity = Literal["likely", "clear"]
Language = Literal["en", "ru"]

CATEGORIES: tuple[Category, ...] = ("insult", "hate", "sexual")
LANGUAGES: tuple[Language, ...] = ("en", "ru")


@dataclass(frozen=True, slots=True)
class WordEvidence:
    """One recognised word and how sure the recogniser was of it (0..1)."""

    text: str
    confidence: float


@dataclass(frozen=True, slots=True)
class OtherReading:
    """Something else that the line may have been, and how likely that is beside what else was heard (0..1)."""

    text: str
    share: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A span of the original line (`text[start:end]`), and the rule and category that it speaks for.

    `instead`: the words that the rule is about, where they stand in another reading and not in the line.
    """

    start: int
    end: int
    rule: str
    category: Category
    instead: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome for one line.

    `category` and `severity` are both set or both None. `review` is True where nothing may act on the line but a
    person should look at it: its category then stands in `scores` alone. `why` holds the spans that decided.
    """

    category: Category | None = None
    severity: Severity | None = None
    scores: dict[Category, float] = field(default_factory=lambda: dict.fromkeys(CATEGORIES, 0.0))
    why: tuple[Hit, ...] = ()
    review: bool = False
