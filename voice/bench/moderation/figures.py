"""From verdicts on labelled lines to counts, and from counts to figures: no clock, no model.

A line is *flagged* where its verdict has a severity: the table acts. It is *found* where it is flagged or goes to a
person.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from moderation import CATEGORIES

if TYPE_CHECKING:
    from moderation import Verdict

ANY: Final = "any"
NAMES: Final = (*CATEGORIES, ANY)
"""The categories, and abuse of whichever."""


@dataclass(slots=True)
class Counts:
    """Of a group of lines."""

    harmless: int = 0
    harmless_flagged: int = 0
    harmless_clear: int = 0
    harmless_found: int = 0
    abusive: int = 0
    abusive_flagged: int = 0
    abusive_found: int = 0
    named: int = 0
    """Flagged lines whose label is a category, ..."""
    named_right: int = 0
    """... and is the verdict's."""
    labelled: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CATEGORIES, 0))
    flagged: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CATEGORIES, 0))
    right: dict[str, int] = field(default_factory=lambda: dict.fromkeys(CATEGORIES, 0))

    @property
    def lines(self) -> int:
        """All of them."""
        return self.harmless + self.abusive

    def add(self, label: str, verdict: Verdict) -> None:
        """Count one line."""
        flagged = verdict.category is not None
        found = flagged or verdict.review
        if label in self.labelled:
            self.labelled[label] += 1
        if verdict.category is not None and label != ANY:  # of abuse without a category none can be told right or wrong
            self.flagged[verdict.category] += 1
            self.right[verdict.category] += label == verdict.category
        if label == "none":
            self.harmless += 1
            self.harmless_flagged += flagged
            self.harmless_clear += verdict.severity == "clear"
            self.harmless_found += found
            return
        self.abusive += 1
        self.abusive_flagged += flagged
        self.abusive_found += found
        if flagged and label != ANY:
            self.named += 1
            self.named_right += verdict.category == label

    def scores(self, name: str) -> dict[str, float | None]:
        """Precision, recall and F1 of a category's flags, or (`any`) of all flags; None where nothing is to be told."""
        if name == ANY:
            return ratios(self.abusive_flagged, self.abusive_flagged + self.harmless_flagged, self.abusive)
        return ratios(self.right[name], self.flagged[name], self.labelled[name])

    def found(self) -> dict[str, float | None]:
        """The same of what is flagged or goes to a person, of whichever category."""
        return ratios(self.abusive_found, self.abusive_found + self.harmless_found, self.abusive)

    def row(self) -> dict[str, Any]:
        """As a row of the document."""
        return {
            "lines": self.lines,
            "harmless": self.harmless,
            "abusive": self.abusive,
            **self.scores(ANY),
            "found": self.found(),
            "false_flag": share(self.harmless_flagged, self.harmless),
            "false_clear": share(self.harmless_clear, self.harmless),
            "harmless_to_a_person": self.harmless_found - self.harmless_flagged,
            "abusive_to_a_person": self.abusive_found - self.abusive_flagged,
            "category_right": share(self.named_right, self.named),
            "accuracy": share(self.abusive_found + self.harmless - self.harmless_found, self.lines),
        }


def share(part: int, whole: int) -> float | None:
    """A share; None of nothing."""
    return round(part / whole, 4) if whole else None


def ratios(hit: int, said: int, wanted: int) -> dict[str, float | None]:
    """Precision, recall and F1 of so many right ones among those said and those wanted."""
    f1 = share(2 * hit, said + wanted) if wanted else None
    return {"precision": share(hit, said), "recall": share(hit, wanted), "f1": f1}
