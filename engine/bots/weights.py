"""How bots read the table: the stated likelihood model, every number once.

A number named `..._LOG` is a natural logarithm of a likelihood ratio; nought says nothing. The colours are of who acts
and of whom it concerns, against the case that both are red. They were set near what counts of bots' own games give,
nearer to nought, for people play otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tie:
    """What an act of one seat towards another says of their colours, against both being red.

    black_on_red, black_on_black, red_on_black: logarithms of likelihood ratios, the acting seat first.
    """

    black_on_red: float
    black_on_black: float
    red_on_black: float


VOTE = Tie(black_on_red=-0.10, black_on_black=-0.60, red_on_black=0.0)
"""A vote for a seat, cast between two or more: black seats spare their own where they can."""

HOUSE_VOTE = Tie(black_on_red=0.10, black_on_black=-2.00, red_on_black=0.0)
"""The same in the house rulesets, where a mafia seat hardly ever votes for its own: see `temper.HOUSE_SHIELD`."""

SPARED = Tie(black_on_red=0.0, black_on_black=0.25, red_on_black=0.08)
"""A vote for another one while this seat was up as well."""

NOMINATION = Tie(black_on_red=0.15, black_on_black=-0.80, red_on_black=-0.30)
"""A seat was put up: black seats seldom put up their own.

`red_on_black` is below nought because a red seat names whom it thinks black already: what made it think so was counted.
"""

QUESTION = Tie(black_on_red=0.05, black_on_black=-0.50, red_on_black=0.0)
"""A seat was asked a question, by the button or by a sign against it: black seats draw attention to others."""

LIFT_YES = Tie(black_on_red=0.05, black_on_black=-0.60, red_on_black=0.05)
"""A yes to "should all of them leave?", for each of the tied seats."""

LIFT_NO = Tie(black_on_red=0.0, black_on_black=0.30, red_on_black=0.0)
"""A no to the same question."""

SHOT_LOG = -4.0
"""For the black of a seat that was shot: the mafia hardly ever kills its own."""

BEST_MOVE_LOG = 0.10
"""For the black of a seat that a best move names, where its author is red, as the shot ones nearly always are."""

CLAIM_BY_SEEKER = 0.70
"""Probability that the sheriff (or detective) has claimed by the time that somebody claims."""

CLAIM_BY_DON = 0.06
"""Probability that the don has claimed the sheriff's card by then: who leads bluffs more."""

CLAIM_BY_MAFIA = 0.04
"""The same for another black seat."""

CLAIM_BY_OTHER_RED = 0.002
"""The same for a red seat that has another card: it takes a shot away from nobody, and costs the town a day."""

FALSE_BLACK_ON_RED = 0.65
"""Probability that a black claimant calls a red seat black, having named it; otherwise it calls it red."""

FALSE_BLACK_ON_BLACK = 0.06
"""Probability that a black claimant calls one of its own black, having named it."""

FALSE_BLACK_BY_RED = 0.40
"""Probability that a red seat with another card calls whom it names black, whatever that one is."""

MISREAD = 0.01
"""Probability that the true sheriff shows a check wrongly."""

SILENT_LEAVER_LOG = -2.0
"""For the sheriff's card of a seat that left with a last word, and did not claim."""

SILENT_RIVAL_LOG = -3.0
"""For the sheriff's card of a seat that spoke after another one's claim, and did not claim."""

MOST_LOG = 30.0
"""The farthest that the evidence on one seat or pair may go: beyond it a float says nothing more."""
