"""The rules of each ruleset as data: in English and Russian, every number filled in from the table of numbers.

`rulebook("sport", {"speech_s": 45}, "ru")` is the rules page of a table with that option; `cite("sport",
"sport.vote.tie")` is the rule that an act of the host goes by.

Rule ids are stable, as stored reviews name them: an id is never given to another rule. `rule_ids("sport")` has all of
them. They begin with the ruleset's name; what may follow is

- `seats`, `deal`, `card.<card>`, `closed` (sport: no card is shown before the end)
- `night.`: `agreement`, `order`, `lot`, `ok`, `don_check`, `sheriff_check` (sport), `recognition` (quick), `shot`,
  `check`, `protect`, `repeat` (the doctor's), `kill`, `saved`, `miss`, `called`, `picks`; `morning`
- `day.`: `opener`, `speech`, `discussion`, `floor`, `mic`, `pass`, `buttons`, `signs`
- `nomination.`: `asked`, `accepted`, `refused`, `repeat`, `none`
- `vote.`: `defence`, `ballot`, `uncast`, `leaves`, `stays`, `pass`, `none`, `first_day`, `tie`, `revote`, `lift`,
  `lift_barred`; `runoff.speech`, `runoff.vote`
- `leaving.`: `last_word`, `best_move`, `best_move_none`, `reveal`
- `foul.`: `signs`, `warning`, `line`, `report`, `ruling`, `held`, `kept`, `cleared`, `skip`, `short_speech`, `removal`,
  `vote_cancelled`, `count` (in games where fouls are counted only)
- `end.`: `town`, `mafia`, `draw`, `over`, `stop` (abandoned), `no_stop`; `points.outcome`, `points.best_move`,
  `points.removal`; `away`, `bot`; `differs.<what>` (sport: from the club rulebook)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from engine.errors import GameError, shown
from engine.numbers import read
from engine.rulebook.page import Page, make_page
from engine.rulebook.rule import LANGS, Book, Lang, Rule, Section, Words
from engine.rulesets import ruleset as find_ruleset

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "LANGS",
    "Book",
    "Lang",
    "Page",
    "Rule",
    "Section",
    "Words",
    "book",
    "cite",
    "register",
    "rule_ids",
    "rulebook",
]

MODULES: dict[str, str] = {name: f"engine.rulebook.{name}" for name in ("sport", "quick", "teaching", "party")}
"""Where each ruleset has its `BOOK`. Another one is made known by `register`."""


def register(ruleset: str, module: str) -> None:
    """Makes a ruleset's rulebook known: `module`, imported when first asked for, has it as `BOOK`.

    Raises:
        GameError: the ruleset has one already.
    """
    if MODULES.get(ruleset, module) != module:
        raise GameError(f"ruleset {shown(ruleset)} has its rulebook in {MODULES[ruleset]}")
    MODULES[ruleset] = module


def book(ruleset: str) -> Book:
    """The rulebook of `ruleset`, with no numbers filled in.

    Raises:
        GameError: there is no such ruleset, or it has no rulebook.
    """
    module = MODULES.get(ruleset)
    if module is None:
        find_ruleset(ruleset)
        raise GameError(f"ruleset {shown(ruleset)} has no rulebook")
    found: Book = import_module(module).BOOK
    return found


def rule_ids(ruleset: str) -> tuple[str, ...]:
    """The ids of all rules of `ruleset`, in the order of its page, whatever the options.

    Raises:
        GameError: see `book`.
    """
    return tuple(rule.id for rule in book(ruleset).rules)


def cite(ruleset: str, rule_id: str) -> Rule:
    """The rule `rule_id` of `ruleset`; its heading is in both languages.

    Raises:
        GameError: see `book`; or the ruleset has no such rule.
    """
    for rule in book(ruleset).rules:
        if rule.id == rule_id:
            return rule
    raise GameError(f"ruleset {shown(ruleset)} has no rule {shown(rule_id)}")


def rulebook(ruleset: str, options: Mapping[str, object] | None = None, lang: Lang = "en") -> Page:
    """The rules page of a table with these options.

    Raises:
        GameError: see `book`; or an option that the ruleset does not have, or a value it may not have.
    """
    found, rules = book(ruleset), find_ruleset(ruleset)
    return make_page(found, rules, read(rules.numbers_type, options or {}), lang)
