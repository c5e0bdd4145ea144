"""A finished game after any number of actions, as any seat saw it or with all hands open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import msgspec

from byzanz.rules import Event, Game, Played, TurnedUp, View
from byzanz.tables import TableView, VisibleGame


@dataclass(frozen=True, slots=True)
class Eyes:
    """Whose view of the game is shown."""

    seat: int | None
    """The seat at the bottom of the board; None for a spectator."""
    open_hands: bool = False
    """Whether all hands are shown."""


def table_view_at(table_view: TableView, game: Game, step: int, eyes: Eyes) -> TableView:
    """Return what is shown after the first ``step`` actions of a finished game."""
    return next(table_views(table_view, game, range(step, step + 1), eyes))


def table_views(table_view: TableView, game: Game, steps: range, eyes: Eyes) -> Iterator[TableView]:
    """Yield what is shown at each of these steps of a finished game."""
    plays = game.plays
    then = Game.replay(game.deal, plays[: steps.start])
    for step in steps:
        if step > steps.start:
            then = then.play(plays[step - 1].seat, plays[step - 1].action)
        yield _table_view(table_view, then, step, eyes)


def steps_of(course: Sequence[Event]) -> list[int]:
    """Return for each event the number of actions up to and including it."""
    return list(accumulate(int(isinstance(event, Played)) for event in course))


def round_starts(course: Sequence[Event]) -> dict[int, int]:
    """Return the step at which each round begins."""
    starts: dict[int, int] = {}
    for event, step in zip(course, steps_of(course), strict=True):
        if isinstance(event, TurnedUp):
            starts.setdefault(event.round, step)
    return starts


def _table_view(table_view: TableView, then: Game, step: int, eyes: Eyes) -> TableView:
    view = then.view(eyes.seat)
    return msgspec.structs.replace(
        table_view,
        # Who is present now, and for whom a bot stands in now, has nothing to do with that moment.
        sitters=tuple(
            [
                msgspec.structs.replace(sitter, present=True, standing_in=False)
                for sitter in table_view.sitters
            ]
        ),
        seat=eyes.seat,
        is_host=False,
        game=VisibleGame.of(_with_open_hands(view, then) if eyes.open_hands else view),
        number=step,
        result=then.result if then.over else None,
    )


def _with_open_hands(view: View, game: Game) -> View:
    """Return the view with all cards of the other hands."""
    players = tuple(
        seen if seat == view.seat else replace(seen, known=player.hand, unknown=0)
        for seat, (seen, player) in enumerate(zip(view.players, game.state.players, strict=True))
    )
    return replace(view, players=players)
