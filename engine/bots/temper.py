"""How bots play: every habit with a number, once. Probabilities, unless it says otherwise.

They are set by what bots' own games give, near the even score that clubs see; docs/bots.md has the figures.
"""

from __future__ import annotations

PAUSE_S = (2.0, 4.0)
"""Seconds between two things that a bot does in its own turn."""

THINK_S = (2.0, 9.0)
"""Seconds before a vote or a night pick."""

TALK_S = (4.0, 40.0)
"""Seconds before each thing that a bot says in an open discussion."""

LATEST = 0.9
"""The part of a phase's remaining time by which a bot has done everything."""

LEANING = 0.03
"""How far a bot's private impression moves a probability up or down: no two players weigh the same facts alike."""

OPENS = 0.6
"""A seat says on day 1 that there is nothing to go on."""

NAMES_A_SUSPECT = 0.8
"""A seat names whom it suspects; otherwise whom it trusts."""

AGREES = 0.4
"""A seat that adds no name to the list says which of those that are up it would see leave."""

SAYS_DONE = 0.4
"""A seat that neither adds a name nor agrees with one says that it has done."""

JUDGES_AGAIN = 0.2
"""A seat says once more what it makes of the claims, with nothing new in them."""

SAYS_CRITICAL = 0.15
"""A seat reminds the table that a mistake today would be the last one."""

CHECKS_UP_TO = 0.6
"""A check of a seat likelier to be black than this tells no more than of one just as likely (a probability)."""

NEARLY = 0.05
"""Seats whose probabilities differ by no more are held for alike."""

# the town

DAY_1_NAMES = 0.25
"""A red seat puts somebody up on day 1, when nothing is known."""

NAME_BETTER_BY = 0.10
"""A name is added to the list where the seat looks blacker by so much than the blackest that is up already."""

NAME_ANYWAY = 0.15
"""A name is added otherwise, so that the table has a choice."""

SURE_IS_QUICKER = 0.8
"""What part of the time before a name falls away for one who is certain of it, where the first name is the day's."""

CLAIM_ON_BLACK = 0.9
"""The sheriff claims in its speech, having found a black seat that lives."""

CLAIM_AFTER_CHECKS = 3
"""With so many answers the sheriff claims whatever they are."""

VOTE_SKILL = 1.6
"""How many times as often as a lot the town's votes are reckoned to take a black seat out, in looking ahead."""

CERTAIN = 0.9
"""A seat this likely to be black needs no second look."""

ASKS = 0.7
"""In an open discussion a seat asks its suspect by the button."""

FOLLOWS = 0.05
"""By how much each question that the table asked a seat today makes a vote against it likelier (a probability)."""

REMOVES_ABOVE = 1.0
"""Where one may abstain, a seat votes against whom it thinks this many times as likely to be black as the others."""

DOCTOR_KEEPS_OWN_SEAT = 0.2
"""A doctor without a claimant to keep protects the own seat."""

# the mafia

SHIELD = 0.0
"""How much blacker than any red name one of the own may look before a black seat votes with the town against it.

Nought in sport: as long as the game is not at stake, a black seat names and votes as a red one would in its place, so
that its votes tell nothing.
"""

HOUSE_SHIELD = 0.05
"""The same in the house rulesets, where the rules favour the mafia and few play as hard as that."""

LAST_SHIELD = 1.0
"""The same where one of the own leaving would lose the game, or a red one leaving win it."""

HUNT = 0.15
"""How much blacker a seat is made out that the don knows for the sheriff."""

BLUFF_CAUGHT = 0.5
"""A black seat that a claimant calls black claims the sheriff's card itself."""

BLUFF_IN_DANGER = 0.2
"""A black seat that the table is about to vote out, from day 2 on and before any claim, claims the sheriff's card."""

BLUFF_DON = 0.25
"""The don answers a claim with one of its own; asked once for each claim."""

BLUFF_MAFIA = 0.05
"""Another black seat does; asked once for each claim."""

BLUFF_NAMES_OWN_RED = 0.3
"""A false check calls one of the own team red."""

BLUFF_BLACK = 0.6
"""A false check of a red seat calls it black."""
