"""The emperor plays by its network, and with a budget by search."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from byzanz.arena import League, play_deals
from byzanz.arena.standings import Tally
from byzanz.bots import Bot, Budget
from byzanz.bots.emperor import EmperorBot
from byzanz.network import Network
from byzanz.rules import Chance, Deal, Game, Phase, Sell, options
from tests.network.nets import profit_weights, random_weights

Make = Callable[..., Bot]


@pytest.fixture
def emperor(tmp_path: Path) -> Make:
    random_weights().save(tmp_path / "weights.npz")
    return partial(EmperorBot, weights=tmp_path / "weights.npz")


@pytest.fixture
def profit_emperor(tmp_path: Path) -> Make:
    """An emperor whose network has a uniform policy and values profit alone."""
    profit_weights().save(tmp_path / "weights.npz")
    return partial(EmperorBot, weights=tmp_path / "weights.npz")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("budget", [None, Budget(iterations=16)])
def test_an_emperor_chooses_legally(emperor: Make, players: int, budget: Budget | None) -> None:
    bots = [
        emperor(Chance(seat)) if budget is None else emperor(Chance(seat), budget)
        for seat in range(players)
    ]
    game = Game.start(Deal.from_seed(players, 2))
    for _ in range(500 if budget is None else 60):
        seat = game.state.turn
        if seat is None:
            break
        action = bots[seat].choose(game.view(seat))
        assert action in options(game.state, seat)
        game = game.play(seat, action)


def test_without_a_budget_it_plays_the_networks_choice(emperor: Make, tmp_path: Path) -> None:
    network = Network.load(tmp_path / "weights.npz")
    game = Game.start(Deal.from_seed(4, 6))
    for _ in range(40):
        seat = game.state.turn
        assert seat is not None
        action = emperor(Chance(1)).choose(game.view(seat))
        if game.state.phase is not Phase.FINAL_SALE:
            assert action == network.choose(game.view(seat))
        game = game.play(seat, action)


def test_with_iterations_the_choice_is_repeatable(profit_emperor: Make) -> None:
    game = Game.start(Deal.from_seed(4, 4))
    for _ in range(25):
        seat = game.state.turn
        assert seat is not None
        seen = game.view(seat)
        first, second = (
            profit_emperor(Chance(9), Budget(iterations=24)).choose(seen) for _ in range(2)
        )
        assert first == second
        game = game.play(seat, first)


def test_search_finds_what_the_network_values_most(profit_emperor: Make) -> None:
    """The policy is uniform, and only profit counts, so search sells where the policy does not."""
    asked, sold = 0, 0
    for seed in range(12):
        game = Game.start(Deal.from_seed(3, seed))
        while (seat := game.state.turn) is not None:
            seen = game.view(seat)
            at_once = profit_emperor(Chance(seed)).choose(seen)
            if game.state.phase is Phase.LIMIT and seen.options.sales:
                assert not isinstance(at_once, Sell)
                asked += 1
                searching = profit_emperor(Chance(seed), Budget(iterations=64))
                sold += isinstance(searching.choose(seen), Sell)
                break
            game = game.play(seat, at_once)
    assert asked >= 8
    assert sold > asked * 2 / 3


def test_the_shipped_network_beats_traders() -> None:
    league = League(players=3, seed=1, bots=("emperor", "trader", "trader"))
    tally = Tally(league)
    for played in play_deals(league, range(16)):
        tally.count(played)
    best = tally.standings().bots[0]
    assert best.bot == "emperor"
    assert best.wins.value > 0.55
