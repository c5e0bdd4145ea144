from __future__ import annotations

import pytest

from byzanz.bots.bot import Bot
from byzanz.bots.novice import NoviceBot
from byzanz.bots.random_bot import RandomBot
from byzanz.rules import Bid, Chance, Phase, Sell, options, worth
from tests.bots.tables import one_against_many
from tests.random_games import random_game


def _novice(seed: int) -> Bot:
    return NoviceBot(Chance(seed))


def _random(seed: int) -> Bot:
    return RandomBot(Chance(seed))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_novice_beats_a_table_of_random_players(players: int) -> None:
    won, games = one_against_many(_novice, _random, players, deals=4)
    assert won > 0.6 * games


def test_a_novice_bids_too_much_and_sells_too_early() -> None:
    overbid = sold_early = 0
    bot = _novice(1)
    for game in random_game(4, 7):
        for seat in game.state.waiting_for if game.state.phase is Phase.AUCTION else ():
            choice = bot.choose(game.view(seat))
            sold_early += isinstance(choice, Sell)
            if isinstance(choice, Bid):
                overbid += worth(choice.cards) > worth(options(game.state, seat).bids[0])
    assert overbid
    assert sold_early
