from __future__ import annotations

import pytest

from byzanz.bots import Bot
from byzanz.bots.novice import NoviceBot
from byzanz.bots.random_bot import RandomBot
from byzanz.bots.trader import TraderBot
from byzanz.rules import Chance, Phase, Sell, options
from tests.bots.tables import one_against_many
from tests.random_games import other_world, random_game


def _trader(seed: int) -> Bot:
    return TraderBot(Chance(seed))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_trader_chooses_legally_and_never_sells_early(players: int) -> None:
    bot = _trader(0)
    for game in random_game(players, 5):
        for seat in game.state.waiting_for:
            choice = bot.choose(game.view(seat))
            assert choice in options(game.state, seat)
            if isinstance(choice, Sell):
                assert game.state.phase in (Phase.LIMIT, Phase.FINAL_SALE)


def test_a_traders_choice_depends_on_its_view_alone() -> None:
    bot = _trader(0)
    for number, game in enumerate(random_game(5, 2)):
        for seat in game.state.waiting_for:
            other = other_world(game, seat, number)
            assert bot.choose(other.view(seat)) == bot.choose(game.view(seat))


def test_a_trader_beats_random_players_and_novices() -> None:
    won, games = one_against_many(_trader, lambda seed: RandomBot(Chance(seed)), 4, deals=2)
    assert won >= 0.9 * games
    won, games = one_against_many(_trader, lambda seed: NoviceBot(Chance(seed)), 4, deals=3)
    assert won > 0.5 * games
