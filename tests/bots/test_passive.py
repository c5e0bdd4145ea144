from __future__ import annotations

import pytest

from byzanz.bots import make_bot
from byzanz.bots.passive import PassiveBot
from byzanz.bots.random_bot import RandomBot
from byzanz.rules import Chance, Pass, Phase, Sell
from tests.bots.tables import one_against_many
from tests.random_games import random_game


@pytest.mark.parametrize("players", [3, 6])
def test_it_passes_in_every_auction_and_never_otherwise(players: int) -> None:
    passive = make_bot("passive", 1)
    phases = set()
    for game in random_game(players, 5):
        for seat in game.state.waiting_for:
            seen = game.view(seat)
            phases.add(seen.phase)
            assert (passive.choose(seen) == Pass()) == (seen.phase is Phase.AUCTION)
    assert {Phase.AUCTION, Phase.GIVE, Phase.MARKET, Phase.FINAL_SALE} <= phases
    assert not passive.faults


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
