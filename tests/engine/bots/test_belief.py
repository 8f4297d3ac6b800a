"""Inference: what is summed in closed form is the same as adding up all deals one by one."""

from __future__ import annotations

from itertools import combinations
from math import exp, isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bots import weights
from engine.bots.belief import Belief, Known, teams
from engine.bots.weights import Tie

SEATS, SIZE = 10, 3


def said(black: float, is_black: bool) -> float:
    return black if is_black else 1 - black


def likelihood(belief: Belief, team: tuple[int, ...], don: int, seeker: int) -> float:
    """The stated model, term by term, for one deal."""
    log = sum(belief.single[seat] for seat in team)
    log += sum(belief.pair[a][b] for a, b in combinations(team, 2))
    likely = exp(log)
    for seat in range(1, belief.seats + 1):
        checks = belief.claims.get(seat)
        if seat == seeker:
            if checks is None:
                quiet = 1 - weights.CLAIM_BY_SEEKER if belief.claims else 1.0
                likely *= quiet * exp(belief.silence[seat])
            else:
                likely *= weights.CLAIM_BY_SEEKER
                for target, black in checks.items():
                    likely *= said(weights.MISREAD, black != (target in team))
        elif checks is not None and seat in team:
            likely *= weights.CLAIM_BY_DON if seat == don and belief.has_don else weights.CLAIM_BY_MAFIA
            for target, black in checks.items():
                named = weights.FALSE_BLACK_ON_BLACK if target in team else weights.FALSE_BLACK_ON_RED
                likely *= said(named, black)
        elif checks is not None:
            likely *= weights.CLAIM_BY_OTHER_RED
            for black in checks.values():
                likely *= said(weights.FALSE_BLACK_BY_RED, black)
    return likely


def one_by_one(belief: Belief, known: Known) -> tuple[list[float], list[float], int]:
    black, seeker_is = [0.0] * (belief.seats + 1), [0.0] * (belief.seats + 1)
    total, deals = 0.0, 0
    for team in combinations(range(1, belief.seats + 1), belief.size):
        if not known.black <= set(team) or known.red & set(team):
            continue
        if belief.living is not None and not 1 <= len(set(team) & set(belief.living)) <= belief.most:
            continue
        for don in team:
            for seeker in range(1, belief.seats + 1):
                if seeker in team or seeker in known.not_seeker or known.seeker not in (0, seeker):
                    continue
                likely = likelihood(belief, team, don, seeker)
                deals += 1
                total += likely
                seeker_is[seeker] += likely
                for seat in team:
                    black[seat] += likely
    return [weight / total for weight in black], [weight / total for weight in seeker_is], deals


logs = st.floats(-3, 3, allow_nan=False)


@st.composite
def beliefs(draw: st.DrawFn, seats: int = SEATS, size: int = SIZE, *, has_don: bool = True) -> Belief:
    belief = Belief(seats, size, has_don=has_don, has_seeker=True)
    seat = st.integers(1, seats)
    for actor, other in draw(st.lists(st.tuples(seat, seat), max_size=12)):
        belief.note(actor, other, Tie(*(draw(logs) for _ in range(3))))
    for silent in draw(st.lists(seat, max_size=4)):
        belief.silence[silent] -= 2.0
    belief.claims.update(draw(st.dictionaries(seat, st.dictionaries(seat, st.booleans(), max_size=3), max_size=3)))
    if draw(st.booleans()):
        living = sorted(draw(st.sets(seat, min_size=seats - 2)))
        belief.goes_on(living, (len(living) - 1) // 2)
    return belief


@settings(max_examples=60, deadline=None)
@given(beliefs(), st.integers(1, SEATS), st.booleans())
def test_a_red_seats_posterior_is_the_sum_over_all_deals(belief: Belief, own: int, seeks: bool) -> None:
    nobody: frozenset[int] = frozenset()
    known = Known(frozenset([own]), nobody, own if seeks else 0, nobody if seeks else frozenset([own]))
    black, seeker, _ = one_by_one(belief, known)
    both = belief.posterior_of_both(known)
    assert all(isclose(a, b, abs_tol=2e-9) for a, b in zip(both.black, black, strict=True))
    assert all(isclose(a, b, abs_tol=2e-9) for a, b in zip(both.seeker, seeker, strict=True))
    alone = belief.posterior(known).black
    assert all(isclose(a, b, abs_tol=2e-9) for a, b in zip(alone, black, strict=True))
    assert isclose(sum(alone), SIZE, abs_tol=1e-7)
    assert isclose(sum(both.seeker), 1, abs_tol=1e-7)


@settings(max_examples=25, deadline=None)
@given(st.one_of(beliefs(7, 1, has_don=False), beliefs(8, 2, has_don=False)))
def test_smaller_teams_without_a_don_too(belief: Belief) -> None:
    black, _, _ = one_by_one(belief, Known())
    alone = belief.posterior().black
    assert all(isclose(a, b, abs_tol=2e-9) for a, b in zip(alone, black, strict=True))


def test_a_table_of_ten_has_2520_deals() -> None:
    belief = Belief(SEATS, SIZE, has_don=True, has_seeker=True)
    black, seeker, deals = one_by_one(belief, Known())
    assert deals == 2520
    assert len(teams(SEATS, SIZE, frozenset(), frozenset())) == 120
    assert all(isclose(p, 0.3) for p in black[1:])
    assert all(isclose(p, 0.1) for p in seeker[1:])


def test_what_is_known_is_certain() -> None:
    belief = Belief(SEATS, SIZE, has_don=True, has_seeker=True)
    belief.note(1, 2, weights.VOTE)
    black = belief.posterior(Known(red=frozenset([1, 4]), black=frozenset([7]))).black
    assert (black[1], black[4], black[7]) == (0.0, 0.0, pytest.approx(1.0))


def test_where_nothing_is_possible_nobody_is_thought_black() -> None:
    belief = Belief(SEATS, SIZE, has_don=True, has_seeker=True)
    assert belief.posterior(Known(black=frozenset([1, 2, 3, 4]))).black == [0.0] * (SEATS + 1)


def test_a_lone_claim_is_believed_and_a_shot_makes_it_surer() -> None:
    belief = Belief(SEATS, SIZE, has_don=True, has_seeker=True)
    belief.claims[4] = {6: True}
    known = Known(red=frozenset([1]), not_seeker=frozenset([1]))
    alive = belief.posterior(known).black
    assert alive[6] > 0.8
    assert alive[4] < 0.2
    belief.note_seat(4, weights.SHOT_LOG)
    assert belief.posterior(known).black[6] > max(alive[6], 0.97)


def test_two_claims_are_weighed_against_each_other() -> None:
    belief = Belief(SEATS, SIZE, has_don=True, has_seeker=True)
    belief.claims[4] = {6: True}
    belief.claims[6] = {4: True}
    black = belief.posterior().black
    assert isclose(black[4], black[6])
    assert isclose(black[4] + black[6], 1.0, abs_tol=0.1)


def test_evidence_never_runs_away() -> None:
    belief = Belief(SEATS, SIZE, has_don=True, has_seeker=True)
    for _ in range(10_000):
        belief.note(1, 2, Tie(1.0, 1.0, 1.0))
    assert isclose(sum(belief.posterior().black), SIZE, abs_tol=1e-7)
