"""One game between bots, refereed by the readable rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from byzanz.bots import Bot, make_bot
from byzanz.rules import Deal, Game, branch, options


def play_match(deal: Deal, bots: Sequence[Bot]) -> Game:
    """The finished game of this deal with these bots, by seat."""
    game = Game.start(deal)
    while (seat := game.state.turn) is not None:
        game = game.play(seat, bots[seat].choose(game.view(seat)))
        game = offer_sales(game, dict(enumerate(bots)))
    return game


def seeded_match(players: int, seed: int, names: Sequence[str]) -> Game:
    """The game that a seed stands for: its deal, and its bots' chance, all from this one number."""
    bots = [make_bot(name, branch(seed, seat)) for seat, name in enumerate(names)]
    try:
        return play_match(Deal.from_seed(players, seed), bots)
    finally:
        for bot in bots:
            bot.close()


def offer_sales(game: Game, bots: Mapping[int, Bot]) -> Game:
    """The game after each bot that ever does so was offered to sell out of turn (R5.1)."""
    for seat, bot in bots.items():
        if bot.interrupts and seat != game.state.turn and options(game.state, seat).sales:
            sale = bot.sale(game.view(seat))
            if sale is not None:
                game = game.play(seat, sale)
    return game
