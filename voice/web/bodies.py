"""What HTTP requests may hold."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

NAME_LIMIT = 24
TABLE_NAME_LIMIT = 48
MARKS_LIMIT = 3  # on one letter: enough for every script, and no tower over the neighbours' lines
# Letters, signs and marks that show nothing: the joiner of graphemes, the fillers of Hangul, the empty Braille cell.
UNSEEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
LONGEST_S = 3600.0
SHORTEST_S = 0.05  # a phase of no time at all would let a game spin


def clean(text: str, limit: int = NAME_LIMIT) -> str:
    """A name as it is kept. Raises ValueError for one that can't be seen, or hides or covers what stands beside it."""
    text = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(text) <= limit:
        raise ValueError(f"expected 1 to {limit} characters, got {len(text)}")
    # Other, C*: control and formatting characters (which can hide or turn text around), surrogates, unassigned.
    kinds = ["Cf" if char in UNSEEN else unicodedata.category(char) for char in text]
    if any(kind[0] == "C" or kind in ("Zl", "Zp") for kind in kinds):
        raise ValueError("expected no control characters")
    if not any(kind[0] in "LNPS" for kind in kinds):
        raise ValueError("expected letters or other signs that can be seen")
    marks = "".join("m" if kind in ("Mn", "Me") else " " for kind in kinds)
    if "m" * (MARKS_LIMIT + 1) in marks:
        raise ValueError(f"expected at most {MARKS_LIMIT} marks on a letter")
    return text


def _name(text: str) -> str:
    return clean(text)


def _table_name(text: str) -> str:
    return clean(text, TABLE_NAME_LIMIT)


def _consent(given: bool) -> bool:
    if not given:
        raise ValueError("nobody sits down without consent to voice being recognised and checked")
    return given


def _options(options: dict[str, Any]) -> dict[str, Any]:
    if len(options) > 64:
        raise ValueError(f"expected at most 64 options, got {len(options)}")
    for name, value in options.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if name.endswith("_s") and number and not SHORTEST_S <= value <= LONGEST_S:
            raise ValueError(f"{name[:40]}: expected {SHORTEST_S} to {LONGEST_S:g} s")
    return options


Name = Annotated[str, AfterValidator(_name)]
Consent = Annotated[bool, Field(validate_default=True), AfterValidator(_consent)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class NewTable(_Body):
    """POST /api/tables."""

    name: Annotated[str, AfterValidator(_table_name)]
    lang: Literal["en", "ru"] = "en"
    display_name: Name
    ruleset: str = Field(default="sport", max_length=32)
    options: Annotated[dict[str, Any], AfterValidator(_options)] = {}
    consent: Consent = False


class Joining(_Body):
    """POST /api/invites/INVITE/join."""

    display_name: Name
    consent: Consent = False


class Ruling(_Body):
    """POST /api/moderation/lines/ID/ruling."""

    uphold: bool
    reason: str = Field(default="", max_length=500)


class Seats(_Body):
    """POST /api/moderation/seats."""

    tokens: list[Annotated[str, Field(max_length=200)]] = Field(max_length=64)


class RuleState(_Body):
    """POST /api/moderation/rules."""

    rule: str = Field(max_length=128)
    state: Literal["shadow", "live"]


class Appeal(_Body):
    """POST /api/tables/TABLE/lines/LINE/appeal."""

    text: str = Field(default="", max_length=1000)


class TestCall(_Body):
    """POST /api/doctor/call."""

    sdp: str = Field(max_length=65_536)
