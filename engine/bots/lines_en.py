"""What bots say in English, by topic, and the reasons they give.

`{seat}` is the seat a line is about, `{by}` another seat that a reason names, `{reason}` one of REASONS.
"""

from __future__ import annotations

LINES: dict[str, tuple[str, ...]] = {
    "opening": (
        "Little to go on yet, so I would rather listen.",
        "I have no facts so far, only impressions.",
        "Let us hear the whole circle before we judge anyone.",
        "A quiet start; I am watching who avoids naming names.",
        "Nothing solid for me yet. I will judge by the votes.",
        "The first circle tells little; the second will tell more.",
    ),
    "suspect": (
        "Seat {seat} worries me most right now.",
        "I keep coming back to seat {seat}.",
        "If I had to pick one black seat, it would be number {seat}.",
        "Of all the living, I believe seat {seat} the least.",
        "My eyes are on seat {seat}.",
    ),
    "suspect_because": (
        "Seat {seat} is my main suspect: {reason}.",
        "I doubt seat {seat}. Why? {reason}.",
        "Look at seat {seat}: {reason}.",
        "Against seat {seat} I have a fact: {reason}.",
        "Seat {seat} plays black to my mind: {reason}.",
    ),
    "trust": (
        "Seat {seat} sounds honest to me.",
        "I would not touch seat {seat} today.",
        "For now I take seat {seat} as red.",
        "Seat {seat} is the one I worry about least.",
    ),
    "believe": (
        "I believe the claim of seat {seat}.",
        "Seat {seat} is the real one, as I see it.",
        "Let us play by the checks of seat {seat}.",
    ),
    "torn": (
        "Two claims at once: one of them lies, and I lean towards seat {seat}.",
        "Between the two claims I trust seat {seat} a little more.",
    ),
    "nominate": (
        "I put up seat {seat}.",
        "My nomination is seat {seat}; let them answer.",
        "Seat {seat} goes on the list.",
        "Let us vote on seat {seat}.",
    ),
    "agree": (
        "Seat {seat} is up already, and that suits me.",
        "My vote goes to seat {seat}, no need for another name.",
        "The list is good as it is: seat {seat}.",
    ),
    "accused": (
        "Seat {seat} put me up, and it is a mistake: I am red.",
        "Ask yourselves why seat {seat} was in such a hurry with my number.",
        "Seat {seat} is spending a vote on a red player.",
    ),
    "shown": (
        "Seat {seat} shows me black. That is a lie, and it tells you what seat {seat} is.",
        "The check by seat {seat} is false: I am red.",
    ),
    "claim_sheriff": (
        "I am the sheriff, and I have something to show.",
        "Sheriff here. Please watch my hands.",
        "My card is the sheriff; here is what I know.",
    ),
    "claim_detective": (
        "I am the detective, and I have something to tell.",
        "My card is the detective; listen closely.",
    ),
    "counter": (
        "Seat {seat} is not the sheriff. I am.",
        "There is one sheriff at this table, and it is not seat {seat}.",
    ),
    "counter_detective": (
        "Seat {seat} is not the detective. I am.",
        "There is one detective here, and it is not seat {seat}.",
    ),
    "check_black": (
        "My check on seat {seat}: black.",
        "I checked seat {seat}, and the answer was black.",
        "Seat {seat} is black by my check.",
    ),
    "check_red": (
        "My check on seat {seat}: red.",
        "I checked seat {seat}, and the answer was red.",
        "Seat {seat} is red by my check.",
    ),
    "no_checks": (
        "No check to show yet.",
        "My checks are still to come.",
    ),
    "tie": (
        "Taking me out helps only the mafia. Vote for seat {seat}.",
        "I am red. The other name here is seat {seat}: look again.",
        "Choose between me and seat {seat} with a cool head; I am red.",
    ),
    "defence": (
        "I am not mafia. A vote against me is a vote wasted.",
        "Weigh it once more: nothing I did helped the mafia.",
        "If you remove me, you will see an honest card.",
    ),
    "last_word": (
        "Thank you for the game. Remember how I voted.",
        "Good luck, town; go back over the votes.",
        "I leave with a clear conscience. Keep counting.",
    ),
    "last_suspect": (
        "My last word: look at seat {seat}.",
        "When I am gone, ask seat {seat} first.",
        "Do not let seat {seat} talk you round.",
    ),
    "critical": (
        "There is no room for a mistake today.",
        "One wrong vote now, and it is over.",
    ),
    "saved": (
        "Nobody left at night: somebody was well protected.",
        "A quiet night. The doctor did well, or the mafia slipped.",
    ),
    "done": (
        "That is all from me.",
        "I pass the turn.",
        "I have nothing to add.",
    ),
}

REASONS: dict[str, str] = {
    "shown_black": "shown black by seat {by}",
    "rival": "a counter-claim against seat {by}",
    "voted_red": "voted against seat {by}, whom I hold for red",
    "voted_checked": "voted against seat {by}, a checked seat",
    "spared": "passed over seat {by} at the vote",
    "nominated_red": "put up seat {by}, whom I hold for red",
    "best_move": "named in the best move of seat {by}",
    "silent": "kept silent on the vote, not one name so far",
}

HOUSE_LINES: dict[str, tuple[str, ...]] = {
    "suspect": (
        "Seat {seat} worries me most right now.",
        "I keep coming back to seat {seat}.",
        "If I had to name one mafia seat, it would be number {seat}.",
        "Of all the living, I believe seat {seat} the least.",
        "My eyes are on seat {seat}.",
    ),
    "suspect_because": (
        "Seat {seat} is my main suspect: {reason}.",
        "I doubt seat {seat}. Why? {reason}.",
        "Look at seat {seat}: {reason}.",
        "Against seat {seat} I have a fact: {reason}.",
        "Seat {seat} plays like mafia to my mind: {reason}.",
    ),
    "trust": (
        "Seat {seat} sounds honest to me.",
        "I would not touch seat {seat} today.",
        "For now I count seat {seat} with the town.",
        "Seat {seat} is the one I worry about least.",
    ),
    "accused": (
        "Seat {seat} put me up, and it is a mistake: I am with the town.",
        "Ask yourselves why seat {seat} was in such a hurry with my number.",
        "Seat {seat} is spending a vote on an honest player.",
    ),
    "shown": (
        "Seat {seat} calls me mafia. That is a lie, and it tells you what seat {seat} is.",
        "The check by seat {seat} is false: I am not mafia.",
    ),
    "check_black": (
        "My check on seat {seat}: mafia.",
        "I checked seat {seat}, and the answer was mafia.",
        "Seat {seat} is mafia by my check.",
    ),
    "check_red": (
        "My check on seat {seat}: not mafia.",
        "I checked seat {seat}, and the answer was not mafia.",
        "Seat {seat} is clean by my check.",
    ),
    "tie": (
        "Taking me out helps only the mafia. Vote for seat {seat}.",
        "I am with the town. The other name here is seat {seat}: look again.",
        "Choose between me and seat {seat} with a cool head; I am not mafia.",
    ),
}
"""In place of the lines above, where cards have no colours."""

HOUSE_REASONS: dict[str, str] = {
    "shown_black": "mafia by the check of seat {by}",
    "voted_red": "voted against seat {by}, whom I hold for town",
    "nominated_red": "put up seat {by}, whom I hold for town",
}
"""In place of the reasons above, where cards have no colours."""
