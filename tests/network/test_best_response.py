"""The report on a best response agrees with its games."""

from __future__ import annotations

from io import StringIO

import numpy as np
import pytest
from benchmarks.best_response import COMPARISONS, Result, decision_sets, joined, play, show
from rich.console import Console

from byzanz.encoding import numbers_of
from byzanz.network import Network
from byzanz.rules import SETUPS, Action, Bid, Deal, Game, Pass, Phase, Sell, View, result, worth
from tests.network.nets import random_weights

SAME = COMPARISONS.index("same")
FROZEN, OTHER = random_weights(), random_weights(seed=2)


def result_of(players: int, name: str, deals: range = range(1, 5)) -> Result:
    decisions = decision_sets(SETUPS[players].rounds)[name]
    return joined(play(Network(OTHER), Network(FROZEN), players, deals, decisions))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_copy_of_the_network_wins_an_equal_share(players: int) -> None:
    for decisions in decision_sets(SETUPS[players].rounds).values():
        found = joined(play(Network(FROZEN), Network(FROZEN), players, range(3), decisions))
        assert np.allclose(found.shares, 1 / players)
        assert not np.delete(found.compared, SAME, axis=-1).any()


def test_the_networks_may_have_different_shapes() -> None:
    wide, narrow = (
        Network(random_weights((2, 24, 150, 8, 40))),
        Network(random_weights((3, 30, 16, 8, 20))),
    )
    for one, two in ((wide, narrow), (narrow, wide)):
        assert len(joined(play(one, two, 4, range(3), decision_sets(6)["all"])).shares) == 3


@pytest.mark.parametrize("name", decision_sets(6))
def test_only_the_chosen_decisions_are_made_and_compared(name: str) -> None:
    made, bits = result_of(4, name).compared.any(-1), decision_sets(6)[name]
    chosen = [bits >> bit & 1 for bit in range(made.size)]
    assert made.any()
    assert not made.ravel()[np.logical_not(chosen)].any()


def test_the_comparison_agrees_with_games_by_the_readable_rules() -> None:
    found = result_of(4, "all", range(7, 8))
    compared, shares = np.zeros_like(found.compared), []
    for own in range(4):
        game = Game.start(Deal.from_seed(4, 7))
        while (seat := game.state.turn) is not None:
            seen = game.view(seat)
            frozen = answer = Network(FROZEN).choose(seen)
            if seat == own and seen.phase is not Phase.FINAL_SALE and _choices(seen) > 1:
                answer = Network(OTHER).choose(seen)
                kind = [Phase.AUCTION, Phase.GIVE, Phase.LIMIT, Phase.MARKET].index(seen.phase)
                compared[kind, seen.round - 1, COMPARISONS.index(_comparison(answer, frozen))] += 1
            game = game.play(seat, answer)
        winners = result(game.state).winners
        shares.append(winners.count(own) / len(winners))
    assert np.array_equal(found.compared, compared)
    assert found.shares == pytest.approx(np.mean(shares))


def _choices(seen: View) -> int:
    """Return how many action numbers the network considers; it sells only at the hand limit."""
    sells = seen.phase is Phase.LIMIT
    answers = [answer for answer in seen.options if sells or not isinstance(answer, Sell)]
    return len({numbers_of(answer)[0] for answer in answers})


def _comparison(answer: Action, frozen: Action) -> str:
    match answer, frozen:
        case Pass(), Bid():
            return "passes, not bids"
        case Bid(), Pass():
            return "bids, not passes"
        case Bid(), Bid() if worth(answer.cards) != worth(frozen.cards):
            return "bids more" if worth(answer.cards) > worth(frozen.cards) else "bids less"
    return "same" if answer == frozen else "other"


def test_the_tables_show_the_result() -> None:
    file, found = StringIO(), result_of(3, "all")
    show(Console(file=file, width=160), {"all": found})
    text = file.getvalue()
    assert str(found) in text
    assert "auctions: bids, not passes" in text
    assert "round 8" in text
    assert "round 9" not in text
