"""A finished game after any number of actions, as any seat saw it."""

from __future__ import annotations

import msgspec

from byzanz.rules import Game
from byzanz.tables import TableView, VisibleGame


def table_view_at(table_view: TableView, game: Game, step: int, seat: int | None) -> TableView:
    """Return what the seat could see after the first ``step`` actions of a finished game."""
    then = Game.replay(game.deal, game.plays[:step])
    return msgspec.structs.replace(
        table_view,
        # Who is here now, and whom a bot stands in for, says nothing about that moment.
        sitters=tuple(
            [
                msgspec.structs.replace(sitter, present=True, standing_in=False)
                for sitter in table_view.sitters
            ]
        ),
        seat=seat,
        is_host=False,
        game=VisibleGame.of(then.view(seat)),
        number=step,
        result=then.result if then.over else None,
    )
