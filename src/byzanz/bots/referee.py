"""The referee of a game with bots, which asks the bots for actions and plays them.

``bots`` maps each seat with a bot to its bot. The caller plays the other seats. The game checks
each action and raises IllegalAction. A bot that may give any answer must be wrapped in a
:class:`byzanz.bots.GuardedBot`; :func:`byzanz.bots.make_bot` does so.
"""

from __future__ import annotations

from collections.abc import Mapping

from byzanz.rules import Action, Game, State, options

from .bot import Bot


def play_on(game: Game, bots: Mapping[int, Bot]) -> Game:
    """Let bots act until the game is over or a seat without a bot must act."""
    while game.state.turn in bots:
        game = play_turn(game, bots)
    return game


def play_turn(game: Game, bots: Mapping[int, Bot]) -> Game:
    """Let the bot whose turn it is act, then let the bots sell out of turn.

    Raises LookupError if it is no bot's turn, IllegalAction if an action is not legal.
    """
    seat = game.state.turn
    if seat is None:
        raise LookupError("the game is over: it is no bot's turn")
    return play_action(game, seat, bots[seat].choose(game.view(seat)), bots)


def play_action(game: Game, seat: int, action: Action, bots: Mapping[int, Bot]) -> Game:
    """Play a seat's action, then let the bots sell out of turn; raises IllegalAction."""
    return offer_sales(game.play(seat, action), bots)


def offer_sales(game: Game, bots: Mapping[int, Bot]) -> Game:
    """Ask each bot that may sell out of turn for at most one sale, in the order of the mapping.

    The sales are played (R5.1).
    """
    for seat, bot in bots.items():
        if bot.interrupts and may_sell(game.state, seat):
            sale = bot.sale(game.view(seat))
            if sale is not None:
                game = game.play(seat, sale)
    return game


def may_sell(state: State, seat: int) -> bool:
    """Return whether it is not the seat's turn and the seat holds a set that it may sell (R5.1)."""
    return seat != state.turn and bool(options(state, seat).sales)
