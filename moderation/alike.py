"""A spoken line as it would be if its everyday words were the abusive ones that sound like them: one more reading.

Where that is plain abuse ("seat four is a piece of sheet"), a person is asked.
"""

import re
import tomllib
from functools import cache
from importlib import resources

LANGUAGES = ("en",)


def misheard(text: str) -> str | None:
    """The text with every such word replaced; None where it has none. Costs time linear in its length."""
    pattern, meant = _table()
    found, times = pattern.subn(lambda match: meant[" ".join(match.group().lower().split())], text)
    return found if times else None


@cache
def _table() -> tuple[re.Pattern[str], dict[str, str]]:
    meant: dict[str, str] = {}
    for lang in LANGUAGES:
        file = resources.files("moderation") / "lexicon" / lang / "alike.toml"
        for word, heard in tomllib.loads(file.read_text(encoding="utf-8"))["alike"].items():
            meant |= dict.fromkeys(heard, word)
    longest_first = sorted(meant, key=lambda heard: (-len(heard), heard))
    either = "|".join(re.escape(heard).replace(r"\ ", r"\s{1,3}") for heard in longest_first)
    return re.compile(rf"\b(?:{either})\b", re.IGNORECASE), meant
