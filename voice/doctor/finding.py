"""What a check found: ok, a warning or a failure, in words of the language asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

State = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's. `code` names the words in `words.py`; `facts` are what they are filled with."""

    check: str
    state: State
    code: str
    facts: Mapping[str, Any]

    def said(self, lang: str) -> str:
        """What was found."""
        from .words import WORDS

        return WORDS[self.code][lang][0].format(**self.facts)

    def todo(self, lang: str) -> str:
        """What to do about it; empty where there is nothing to do."""
        from .words import WORDS

        return WORDS[self.code][lang][1].format(**self.facts)


def ok(check: str, code: str, **facts: Any) -> Finding:
    """All is well."""
    return Finding(check, "ok", code, facts)


def warn(check: str, code: str, **facts: Any) -> Finding:
    """A table can be held, though something will be missed, or could not be proven."""
    return Finding(check, "warn", code, facts)


def fail(check: str, code: str, **facts: Any) -> Finding:
    """A table can't be held as the settings say."""
    return Finding(check, "fail", code, facts)


def document(findings: Sequence[Finding], lang: str) -> dict[str, Any]:
    """All findings as one JSON document."""
    return {
        "ok": all(each.state != "fail" for each in findings),
        "findings": [
            {
                "check": each.check,
                "state": each.state,
                "code": each.code,
                "said": each.said(lang),
                "todo": each.todo(lang),
                "facts": {name: _plain(value) for name, value in each.facts.items()},
            }
            for each in findings
        ],
    }


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float | bool | None) else str(value)
