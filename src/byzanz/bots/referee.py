"""The referee of a game with bots: asks them for actions and applies these.

Every function takes the bots by seat; seats without a bot are left to the caller. The game checks
each action once when it is played. A bot that may answer anything belongs into a
:class:`byzanz.bots.GuardedBot`, as :func:`byzanz.bots.make_bot` returns it.
"""

from __future__ import annotations

from collections.abc import Mapping

from byzanz.rules import Action, Game, State, options

from .bot import Bot


def play_on(game: Game, bots: Mapping[int, Bot]) -> Game:
    """Let bots act until a seat without a bot is to act or the game is over."""
    while game.state.turn in bots:
        game = play_turn(game, bots)
    return game


def play_turn(game: Game, bots: Mapping[int, Bot]) -> Game:
    """Let the bot on turn act, then offer sales; raise LookupError if no bot is on turn."""
    seat = game.state.turn
    if seat is None:
        raise LookupError("the game is over: no bot is on turn")
    return play_action(game, seat, bots[seat].choose(game.view(seat)), bots)


def play_action(game: Game, seat: int, action: Action, bots: Mapping[int, Bot]) -> Game:
    """Play a seat's action, then offer sales; raise IllegalAction if the action is not legal."""
    return offer_sales(game.play(seat, action), bots)


def offer_sales(game: Game, bots: Mapping[int, Bot]) -> Game:
    """Give each bot that wants it one chance to sell out of turn (R5.1), in the order given."""
    for seat, bot in bots.items():
        if bot.interrupts and may_sell(game.state, seat):
            sale = bot.sale(game.view(seat))
            if sale is not None:
                game = game.play(seat, sale)
    return game


def may_sell(state: State, seat: int) -> bool:
    """Return whether a seat is not on turn but holds a set that it may sell (R5.1)."""
    return seat != state.turn and bool(options(state, seat).sales)
