"""What a mutant must get past, quickest first: scenarios, generated games with laws and model, perft, twins, permits.

Nothing of the engine is imported before a check runs, so that a mutant can take the place of a module first.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
RULESETS = ("sport", "quick", "teaching", "party")
GAMES = 40
KEYS = ("ruleset", "options", "seed", "cards", "bots", "steps")
"""What an engine is given of a scenario; the rest is for whoever checks."""


@dataclass
class Check:
    """One check: it raises where something is wrong. `seconds` and `lines` are measured on the engine as it is.

    quick: it is worth choosing by the lines that it comes by; the others are run last, whatever was changed.
    """

    name: str
    ruleset: str
    run: Callable[[], None]
    quick: bool = True
    seconds: float = 0.0
    lines: frozenset[tuple[str, int]] = frozenset()


def checks() -> list[Check]:
    """All of them."""
    made = []
    folders = [ROOT / "tests" / "engine" / "scenarios", ROOT.parent / "shared" / "scenarios"]
    for path in sorted(path for folder in folders for path in folder.rglob("*.json")):
        scenario = json.loads(path.read_text("utf-8"))
        made.append(
            Check(f"scenario {path.parent.name}/{path.stem}", str(scenario.get("ruleset")), _Scenario(scenario))
        )
    for name in RULESETS:
        made += [Check(f"game {name} {seed}", name, _Game(name, seed)) for seed in range(GAMES)]
        made += [Check(f"commands {name} {seed}", name, _Commands(name, seed), False) for seed in range(0, GAMES, 8)]
        made += [Check(f"twins {name} {seed}", name, _Twins(name, seed), False) for seed in range(0, GAMES, 16)]
        made.append(Check(f"permits {name}", name, _Permits(name), False))
    positions = json.loads((ROOT / "tests" / "engine" / "perft" / "positions.json").read_text("utf-8"))
    made += [
        Check(f"perft {each['ruleset']} {each['name']}", each["ruleset"], _Perft(each), False) for each in positions
    ]
    return made


@dataclass
class _Scenario:
    scenario: dict[str, Any]

    def __call__(self) -> None:
        from engine import GameError
        from engine.scenario import check, play
        from tests.engine.expectations import check_expectations
        from tests.engine.laws import check_laws

        scenario = self.scenario
        try:
            events = [event.to_json() for event in play(check({key: scenario[key] for key in KEYS if key in scenario}))]
        except GameError:
            assert scenario.get("status", 0)
            return
        assert not scenario.get("status", 0)
        check_expectations(scenario, events)
        check_laws(events, scenario["ruleset"], scenario.get("options"), scenario.get("bots", ()))


@dataclass
class _Game:
    ruleset: str
    seed: int

    def __call__(self) -> None:
        from engine.replay import refold
        from tests.engine.driver import drawn_acts, started
        from tests.engine.follower import Follower, stored

        bots = [self.seed % 13 + 1, self.seed % 5 + 1] if self.seed % 3 == 0 else []
        follower = Follower(started(self.ruleset, self.seed, self.seed, bots))
        for number in drawn_acts(self.seed, 90):
            follower.act(number)
            follower.look()
        follower.finish()
        driven = follower.driven
        game, events = refold(driven.start, driven.inputs)
        assert stored(events) == stored(driven.events)
        assert game == driven.game


@dataclass
class _Commands:
    ruleset: str
    seed: int

    def __call__(self) -> None:
        from tests.engine.driver import drawn_acts, started
        from tests.engine.follower import Follower

        follower = Follower(started(self.ruleset, self.seed, self.seed))
        for number in drawn_acts(self.seed, 10 + 2 * self.seed):
            follower.act(number)
        follower.look_at_every_command()


@dataclass
class _Twins:
    ruleset: str
    seed: int

    def __call__(self) -> None:
        from random import Random

        from tests.engine.driver import drawn_acts, drive, started
        from tests.engine.test_noninterference import shown
        from tests.engine.twins import Story, Twin

        first = drive(started(self.ruleset, self.seed, self.seed), drawn_acts(self.seed, 90))
        story = Story.of(first)
        for viewer in ("spectator", 1, 4):
            second = Twin(story, viewer, Random(self.seed)).play()  # type: ignore[arg-type]
            assert shown(first, viewer) == shown(second, viewer)  # type: ignore[arg-type]


@dataclass
class _Permits:
    ruleset: str

    def __call__(self) -> None:
        from tests.engine.bots.test_permits import test_permits_say_what_the_rules_allow

        test_permits_say_what_the_rules_allow(self.ruleset)


@dataclass
class _Perft:
    position: dict[str, Any]

    def __call__(self) -> None:
        from tests.engine.perft_positions import count

        assert count(self.position) == self.position["counts"]
