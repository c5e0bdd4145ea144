"""The result of a game: profits and winners (R7.2)."""

from __future__ import annotations

from dataclasses import dataclass

from .cards import Card, Cards
from .refusals import IllegalResult, Reason, Refusal
from .sets import profit
from .state import Phase, State


@dataclass(frozen=True)
class Result:
    """The result of a game."""

    profit: tuple[int, ...]
    """The profit of each seat."""
    winners: tuple[int, ...]
    """All winning seats; several if the tie-break does not separate them (I3)."""


def result(state: State) -> Result:
    """Return the result as if the game ended now; it is final once the game is over."""
    ranks = [(profit(player.kept), tie_break(player.hand)) for player in state.players]
    best = max(ranks)
    winners = tuple(seat for seat, rank in enumerate(ranks) if rank == best)
    return Result(tuple(earned for earned, _ in ranks), winners)


def check_result(state: State, claimed: Result) -> None:
    """Raise IllegalResult unless the game is over and has this result (R7.2)."""
    if state.phase is not Phase.OVER:
        refusal = Refusal(Reason.RESULT_TOO_EARLY, "R7.1", {"phase": state.phase.value})
        raise IllegalResult(refusal)
    actual = result(state)
    for reason, found, expected in (
        (Reason.WRONG_PROFIT, claimed.profit, actual.profit),
        (Reason.WRONG_WINNERS, claimed.winners, actual.winners),
    ):
        if found != expected:
            numbers = {"found": _listed(found), "expected": _listed(expected)}
            raise IllegalResult(Refusal(reason, "R7.2", numbers))


def _listed(numbers: tuple[int, ...]) -> str:
    return ", ".join(map(str, numbers))


def tie_break(hand: Cards) -> int:
    """Return the number of goods cards in a hand, which breaks ties (R7.2, I3)."""
    return len(hand) - hand.count(Card.M)
