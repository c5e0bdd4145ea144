"""What is told of a best response is what its games were."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest
from benchmarks.best_response import COMPARISONS, Found, gathered, parts, played, show
from rich.console import Console

from byzanz.encoding import numbers_of
from byzanz.network import Network
from byzanz.rules import SETUPS, Action, Bid, Deal, Game, Pass, Phase, Sell, View, result, worth
from tests.network.nets import by_chance

SAME = COMPARISONS.index("same")
FROZEN, OTHER = by_chance(), by_chance(seed=2)


def found(players: int, part: str, deals: range = range(1, 5)) -> Found:
    answers = parts(SETUPS[players].rounds)[part]
    return gathered(played(Network(OTHER), Network(FROZEN), players, deals, answers))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_who_answers_alike_wins_an_equal_share(players: int) -> None:
    for answers in parts(SETUPS[players].rounds).values():
        some = played(Network(FROZEN), Network(FROZEN), players, range(3), answers)
        alike = gathered(some)
        assert np.allclose(alike.shares, 1 / players)
        assert not np.delete(alike.compared, SAME, axis=-1).any()


def test_networks_may_be_of_other_shapes() -> None:
    wide, narrow = Network(by_chance((2, 24, 150, 8, 40))), Network(by_chance((3, 30, 16, 8, 20)))
    for one, two in ((wide, narrow), (narrow, wide)):
        assert len(gathered(played(one, two, 4, range(3), parts(6)["all"])).shares) == 3


@pytest.mark.parametrize("part", parts(6))
def test_only_the_answers_asked_for_are_given_and_compared(part: str) -> None:
    given, bits = found(4, part).compared.any(-1), parts(6)[part]
    asked = [bits >> bit & 1 for bit in range(given.size)]
    assert given.any()
    assert not given.ravel()[np.logical_not(asked)].any()


def test_the_comparison_is_that_of_the_games_by_the_rules() -> None:
    told = found(4, "all", range(7, 8))
    compared, shares = np.zeros_like(told.compared), []
    for own in range(4):
        game = Game.start(Deal.from_seed(4, 7))
        while (seat := game.state.turn) is not None:
            seen = game.view(seat)
            frozen = answer = Network(FROZEN).choose(seen)
            if seat == own and seen.phase is not Phase.FINAL_SALE and _choices(seen) > 1:
                answer = Network(OTHER).choose(seen)
                kind = [Phase.AUCTION, Phase.GIVE, Phase.LIMIT, Phase.MARKET].index(seen.phase)
                compared[kind, seen.round - 1, COMPARISONS.index(_told(answer, frozen))] += 1
            game = game.play(seat, answer)
        winners = result(game.state).winners
        shares.append(winners.count(own) / len(winners))
    assert np.array_equal(told.compared, compared)
    assert told.shares == pytest.approx(np.mean(shares))


def _choices(seen: View) -> int:
    """Between how many numbers the network chooses; it sells only when cards must go."""
    sells = seen.phase is Phase.LIMIT
    answers = [answer for answer in seen.options if sells or not isinstance(answer, Sell)]
    return len({numbers_of(answer)[0] for answer in answers})


def _told(answer: Action, frozen: Action) -> str:
    match answer, frozen:
        case Pass(), Bid():
            return "passes, not bids"
        case Bid(), Pass():
            return "bids, not passes"
        case Bid(), Bid() if worth(answer.cards) != worth(frozen.cards):
            return "bids more" if worth(answer.cards) > worth(frozen.cards) else "bids less"
    return "same" if answer == frozen else "other"


def test_tables_tell_what_was_found() -> None:
    written, all_of_it = StringIO(), found(3, "all")
    show(Console(file=written, width=160), {"all": all_of_it})
    told = written.getvalue()
    assert str(all_of_it) in told
    assert "auctions: bids, not passes" in told
    assert "round 8" in told
    assert "round 9" not in told
