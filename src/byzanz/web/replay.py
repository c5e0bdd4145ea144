"""A finished game at any of its steps, from any seat's eyes."""

from __future__ import annotations

from dataclasses import replace

from byzanz.rules import Game, profit
from byzanz.tables import Sight


def sight_at(sight: Sight, game: Game, step: int, seat: int | None) -> Sight:
    """What the seat could see after so many actions of the finished game."""
    then = Game.replay(game.deal, game.plays[:step])
    view = then.view(seat)
    return replace(
        sight,
        # Who is here now, and for whom a bot stands in, was not so then.
        sitters=tuple(replace(sitter, present=True, standing_in=False) for sitter in sight.sitters),
        seat=seat,
        is_host=False,
        view=view,
        number=step,
        profit=tuple(profit(player.kept) for player in view.players),
        sets_sold=tuple(len(player.kept) for player in view.players),
        hand_sizes=tuple(player.hand_size for player in view.players),
        result=then.result if then.over else None,
    )
