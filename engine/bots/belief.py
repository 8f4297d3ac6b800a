"""Exact inference over who is black, who leads them, and who looks for them.

A deal is a team, its don, and a seeker (the sheriff, or a house ruleset's detective) among the others: 2,520 of them at
a table of ten with three black seats. The likelihood of what happened is a product of terms of one seat's colour, of
two seats' colours, and of the claims; so a sum over teams, with the don and the seeker summed out in closed form,
is the same as the sum over all deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import exp
from typing import TYPE_CHECKING, TypeAlias

from engine.bots import weights

if TYPE_CHECKING:
    from engine.bots.weights import Tie

Team: TypeAlias = tuple[int, ...]

DIGITS = 9
"""Of a probability."""

NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Known:
    """What somebody knows for certain, beside what all have seen.

    red, black: seats of a known colour. seeker: who holds that card, 0 where that is not known. not_seeker: who does
    not.
    """

    red: frozenset[int] = NOBODY
    black: frozenset[int] = NOBODY
    seeker: int = 0
    not_seeker: frozenset[int] = NOBODY


@dataclass(frozen=True, slots=True)
class Posterior:
    """Probabilities by seat; index 0 is not a seat, and nought. `black` adds up to the team's size, `seeker` to 1.

    Rounded to DIGITS.
    """

    black: list[float]
    seeker: list[float]


@lru_cache(maxsize=4096)
def teams(seats: int, size: int, red: frozenset[int], black: frozenset[int]) -> tuple[Team, ...]:
    """Every team of `size` seats with all of `black` and none of `red`, in order."""
    free = [seat for seat in range(1, seats + 1) if seat not in red and seat not in black]
    rest = size - len(black)
    if rest < 0:
        return ()
    return tuple(sorted(tuple(sorted((*black, *chosen))) for chosen in combinations(free, rest)))


class Belief:
    """What everybody has seen, as weights over the deals. It knows nothing of its owner's card.

    single: by seat, the log-weight of being black. pair: by two seats, of both being black. silence: by seat, the
    log-weight of holding the seeker's card without having claimed it. claims: by claimant, whom it has called black
    (True) or red. living, most: with so many living, at most so many of them are black, and one at least, for
    the game has not ended; None before that is known.
    """

    __slots__ = ("claims", "has_don", "has_seeker", "living", "most", "pair", "seats", "silence", "single", "size")

    def __init__(self, seats: int, size: int, *, has_don: bool, has_seeker: bool) -> None:
        self.seats = seats
        self.size = size
        self.has_don = has_don
        self.has_seeker = has_seeker
        self.single = [0.0] * (seats + 1)
        self.pair = [[0.0] * (seats + 1) for _ in range(seats + 1)]
        self.silence = [0.0] * (seats + 1)
        self.claims: dict[int, dict[int, bool]] = {}
        self.living: list[int] | None = None
        self.most = size

    def note(self, actor: int, other: int, tie: Tie) -> None:
        """Takes in an act of one seat towards another; one towards itself says nothing."""
        if actor == other:
            return
        single, pair = self.single, self.pair
        single[actor] = _kept(single[actor] + tie.black_on_red)
        single[other] = _kept(single[other] + tie.red_on_black)
        both = _kept(pair[actor][other] + tie.black_on_black - tie.black_on_red - tie.red_on_black)
        pair[actor][other] = pair[other][actor] = both

    def note_seat(self, seat: int, log: float) -> None:
        """Takes in something that tells of one seat's colour."""
        self.single[seat] = _kept(self.single[seat] + log)

    def goes_on(self, living: list[int], most: int) -> None:
        """The game has not ended with these living: some of them are black, and no more than `most`."""
        self.living, self.most = list(living), most

    def weigh(self, known: Known = Known()) -> list[tuple[Team, float]]:
        """Every team that is possible for who knows that, with its weight, don and seeker summed out.

        Empty where nothing is possible.
        """
        rows = _weigh(self, self._possible(known))
        if self.has_seeker and self._tells(known):
            roles = Roles(self, known)
            rows = [(team, weight * roles.total(team)) for team, weight in rows]
        return rows

    def posterior(self, known: Known = Known()) -> Posterior:
        """The probabilities by seat for who knows that. Where nothing is possible, nobody is thought black."""
        black = [0.0] * (self.seats + 1)
        total = 0.0
        for team, weight in self.weigh(known):
            total += weight
            for seat in team:
                black[seat] += weight
        if total > 0.0:
            black = _shares(black, total)
        return Posterior(black, [])

    def posterior_of_both(self, known: Known = Known()) -> Posterior:
        """As `posterior`, with the probabilities of holding the seeker's card as well."""
        black, seeker = [0.0] * (self.seats + 1), [0.0] * (self.seats + 1)
        total = 0.0
        roles = Roles(self, known)
        for team, weight in _weigh(self, self._possible(known)):
            shares = roles.shares(team)
            share = weight * sum(share for _, share in shares)
            total += share
            for seat in team:
                black[seat] += share
            for seat, part in shares:
                seeker[seat] += weight * part
        if total > 0.0:
            black, seeker = _shares(black, total), _shares(seeker, total)
        return Posterior(black, seeker)

    def _tells(self, known: Known) -> bool:
        """Whether who may be the seeker makes any team likelier than another."""
        if self.claims:
            return True
        if known.seeker:
            return False
        return any(self.silence) or not known.not_seeker <= known.red

    def _possible(self, known: Known) -> tuple[Team, ...]:
        red = known.red | {known.seeker} if known.seeker else known.red
        return teams(self.seats, self.size, red, known.black)


@dataclass(frozen=True, slots=True)
class _Claim:
    """One claimant's checks, as factors of a team's likelihood: a base, times the team's own seats' factors.

    false_base, false_by: the claimant is of the team. by_red: it is neither of the team nor the seeker, whatever the
    team. true_base, true_by: it is the seeker; nought where it can't be.
    """

    false_base: float
    false_by: list[float]
    by_red: float
    true_base: float
    true_by: list[float]


def _claim(seats: int, checks: dict[int, bool], *, may_be_true: bool) -> _Claim:
    false_base, by_red = 1.0, weights.CLAIM_BY_OTHER_RED
    true_base = weights.CLAIM_BY_SEEKER if may_be_true else 0.0
    false_by, true_by = [1.0] * (seats + 1), [1.0] * (seats + 1)
    for target, is_black in checks.items():
        on_red = _says(weights.FALSE_BLACK_ON_RED, is_black)
        false_base *= on_red
        false_by[target] = _says(weights.FALSE_BLACK_ON_BLACK, is_black) / on_red
        by_red *= _says(weights.FALSE_BLACK_BY_RED, is_black)
        right, wrong = 1.0 - weights.MISREAD, weights.MISREAD
        true_base *= wrong if is_black else right
        true_by[target] = right / wrong if is_black else wrong / right
    return _Claim(false_base, false_by, by_red, true_base, true_by)


def _says(black: float, is_black: bool) -> float:
    return black if is_black else 1.0 - black


class Roles:
    """The part of the likelihood that hangs on who is the seeker and who the don, for one look at the deals."""

    __slots__ = ("_bluffs", "_claims", "_free", "_free_total")

    def __init__(self, belief: Belief, known: Known) -> None:
        # Once there is a claim at all, a seeker that is not among the claimants has kept silent.
        quiet = 1.0 - weights.CLAIM_BY_SEEKER if belief.claims else 1.0
        possible = [
            seat for seat in range(1, belief.seats + 1) if seat not in known.not_seeker and known.seeker in (0, seat)
        ]
        self._free = [0.0] * (belief.seats + 1)
        for seat in possible:
            if seat not in belief.claims:
                self._free[seat] = quiet * exp(belief.silence[seat])
        self._free_total = sum(self._free)
        self._claims = [
            (claimant, _claim(belief.seats, checks, may_be_true=claimant in possible))
            for claimant, checks in belief.claims.items()
        ]
        self._bluffs = [_bluffs(claimants, belief) for claimants in range(belief.size + 1)]

    def total(self, team: Team) -> float:
        """The weight of a team's deals, over that team's own."""
        left, free = self._free_total, self._free
        for seat in team:
            left -= free[seat]
        if not self._claims:
            return max(left, 0.0)
        all_false, bluffing, honest = 1.0, 0, 0.0  # honest: one of the claims is true, the others before it false
        for claimant, claim in self._claims:
            if claimant in team:
                bluffing += 1
                false, true = claim.false_base, 0.0
                for seat in team:
                    false *= claim.false_by[seat]
            else:
                false, true = claim.by_red, claim.true_base
                for seat in team:
                    true *= claim.true_by[seat]
            honest = honest * false + all_false * true
            all_false *= false
        # What is left of `left` where the whole rest is of the team is a rounding.
        return self._bluffs[bluffing] * (max(left, 0.0) * all_false + honest)

    def shares(self, team: Team) -> list[tuple[int, float]]:
        """The same by seeker."""
        false: list[float] = []
        bluffing = 0
        for claimant, claim in self._claims:
            weight = claim.by_red
            if claimant in team:
                bluffing += 1
                weight = claim.false_base
                for seat in team:
                    weight *= claim.false_by[seat]
            false.append(weight)
        bluffs = self._bluffs[bluffing]
        all_false = bluffs
        for weight in false:
            all_false *= weight
        shares = [(seat, free * all_false) for seat, free in enumerate(self._free) if free and seat not in team]
        for place, (claimant, claim) in enumerate(self._claims):
            if claimant not in team:
                share = bluffs * claim.true_base
                for seat in team:
                    share *= claim.true_by[seat]
                for other, weight in enumerate(false):
                    if other != place:
                        share *= weight
                shares.append((claimant, share))
        return shares


def _bluffs(claimants: int, belief: Belief) -> float:
    """How likely it is that just these of the team claim, over which of them is the don."""
    if not claimants:
        return 1.0
    mafia = weights.CLAIM_BY_MAFIA
    if not belief.has_don:
        return float(mafia**claimants)
    with_don = claimants * weights.CLAIM_BY_DON * mafia ** (claimants - 1)
    without = (belief.size - claimants) * mafia**claimants
    return float((with_don + without) / belief.size)


def _shares(weights_by_seat: list[float], total: float) -> list[float]:
    """Rounded, so that what is equal but for the order of a sum, or a machine's `exp`, compares equal."""
    return [round(weight / total, DIGITS) for weight in weights_by_seat]


def _kept(log: float) -> float:
    if log > weights.MOST_LOG:
        return weights.MOST_LOG
    return log if log > -weights.MOST_LOG else -weights.MOST_LOG


def _weigh(belief: Belief, possible: tuple[Team, ...]) -> list[tuple[Team, float]]:
    """Teams with the weight of their seats and pairs; those that would have ended the game are left out."""
    single = [exp(log) for log in belief.single]
    pair = [[exp(log) if log else 1.0 for log in row] for row in belief.pair]
    rows: list[tuple[Team, float]] = []
    living = belief.living
    lives = [0] * (belief.seats + 1)
    for seat in living or ():
        lives[seat] = 1
    least, most = (1, belief.most) if living is not None else (0, belief.size)
    if belief.size == 3:  # the same as below, unrolled: sport asks this thousands of times a game
        for team in possible:
            a, b, c = team
            if least <= lives[a] + lives[b] + lives[c] <= most:
                of_a = pair[a]
                rows.append((team, single[a] * single[b] * single[c] * of_a[b] * of_a[c] * pair[b][c]))
        return rows
    for team in possible:
        if least <= sum(lives[seat] for seat in team) <= most:
            weight = 1.0
            for place, seat in enumerate(team):
                weight *= single[seat]
                for other in team[:place]:
                    weight *= pair[seat][other]
            rows.append((team, weight))
    return rows
