from __future__ import annotations

import pytest

from byzanz.bots import make_bot
from byzanz.bots.passive import PassiveBot
from byzanz.bots.random_bot import RandomBot
from byzanz.rules import Bid, Chance, Pass, Phase, Sell
from tests.bots.tables import one_against_many
from tests.random_games import random_game


@pytest.mark.parametrize("players", [3, 6])
def test_it_passes_in_every_auction_and_otherwise_plays_like_greedy(players: int) -> None:
    passive, greedy = make_bot("passive", 1), make_bot("greedy", 1)
    bids = 0
    for game in random_game(players, 5):
        for seat in game.state.waiting_for:
            seen = game.view(seat)
            if seen.phase is Phase.AUCTION:
                assert passive.choose(seen) == Pass()
                bids += isinstance(greedy.choose(seen), Bid)
            else:
                assert passive.choose(seen) == greedy.choose(seen)
    assert bids


def test_it_sells_at_the_end() -> None:
    bot = make_bot("passive", 1)
    last = [
        (seat, game.view(seat))
        for game in random_game(4, 5)
        if game.state.phase is Phase.FINAL_SALE
        for seat in game.state.waiting_for
    ]
    sold = [isinstance(bot.choose(seen), Sell) for _, seen in last if seen.options.sales]
    assert sold
    assert all(sold)


def test_it_beats_random_players() -> None:
    won, games = one_against_many(
        lambda seed: PassiveBot(Chance(seed)), lambda seed: RandomBot(Chance(seed)), 4, deals=2
    )
    assert won >= 0.9 * games
