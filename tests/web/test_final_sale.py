"""What every player has sold in the final sale."""

from __future__ import annotations

import pytest

from byzanz.rules import FinalSale, Phase, Played, Sell, view
from byzanz.web.final_sale import final_sale
from tests.random_games import random_game

NAMES = tuple("ABCDEF")


@pytest.mark.parametrize("players", [3, 6])
def test_it_shows_the_sets_that_were_sold_since_it_began(players: int) -> None:
    sold = 0
    for seed in range(20):
        for game in random_game(players, seed):
            sellers = final_sale(view(game.state, None, game.course), NAMES, range(players))
            if game.state.phase is not Phase.FINAL_SALE:
                assert sellers == ()
                continue
            began = game.course.index(FinalSale())
            for seat, seller in enumerate(sellers):
                sales = [
                    event.action.cards
                    for event in game.course[began:]
                    if isinstance(event, Played)
                    and event.seat == seat
                    and isinstance(event.action, Sell)
                ]
                assert [sale.cards for sale in seller.sales] == sales
                assert (seller.name, seller.avatar) == (NAMES[seat], seat)
                assert seller.done == game.state.players[seat].done
                sold += len(sales)
    assert sold
