"""What the table can know of who is black comes true about as often as bots' belief says."""

from __future__ import annotations

from collections import defaultdict

from engine.bots.evidence import Evidence
from engine.bots.scene import Scene
from engine.bots.sport import SportBot
from engine.selfplay import play
from engine.view import SPECTATOR, view

GAMES = 120
ENOUGH = 60
MOST_OFF = 0.15


def test_probabilities_come_true_as_often_as_they_say() -> None:
    """Of the seats that were thought black with a probability near p, about p are, whatever p.

    Looked at when each vote from day 2 on begins, by what everybody knows. The margin is wide: 60 seats near one half
    stray by 0.13 in one case of twenty.
    """
    said: dict[int, list[float]] = defaultdict(list)
    was: dict[int, list[bool]] = defaultdict(list)
    for seed in range(GAMES):
        game = play(seed)
        scene = Scene("sport", 1, game.game.numbers)
        evidence = Evidence(scene, SportBot.setting, 3)
        for event in game.events:
            seen = view(event, SPECTATOR)
            if seen is None:
                continue
            scene.see(seen)
            evidence.see(seen)
            if scene.day > 1 and seen["event"] == "phase" and seen["name"] == "vote" and scene.round == 1:
                black = evidence.belief.posterior(evidence.public()).black
                for seat in scene.living:
                    said[int(black[seat] * 10)].append(black[seat])
                    was[int(black[seat] * 10)].append(seat in game.game.state.mafia)
    looked_at = {tenth for tenth in said if len(said[tenth]) >= ENOUGH}
    assert looked_at >= {0, 2, 3, 4, 9}
    for tenth in sorted(looked_at):
        mean = sum(said[tenth]) / len(said[tenth])
        share = sum(was[tenth]) / len(was[tenth])
        assert abs(mean - share) < MOST_OFF, (tenth, mean, share, len(said[tenth]))
