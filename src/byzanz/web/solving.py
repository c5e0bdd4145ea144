"""Positions to solve in lessons and puzzles: their boards, and the answers that forms send."""

from __future__ import annotations

from starlette.datastructures import FormData

from byzanz.rules import Phase, View
from byzanz.tables import Sitter, Stage, TableOptions, TableView, VisibleGame

LONGEST_ANSWER = 100
"""The maximum number of characters that are read of an answer."""
_TABLE = "lesson"
"""A substitute for a table's id, which determines the other players' names and portraits."""
_OPPONENT = "trader"


def answer_text(form: FormData) -> str:
    """Return the text of the action that the board's form describes."""
    verb, chosen = form.get("do"), form.getlist("card")
    if verb in ("give", "take"):
        chosen = form.getlist(verb)[:1]
    elif verb in ("pass", "done"):
        chosen = []
    text = " ".join(text for text in (verb, *chosen) if isinstance(text, str))
    return text[:LONGEST_ANSWER]


def table_view_of(view: View, number: int, name: str) -> TableView:
    """Return a seat's view of a position as a table's page shows it.

    ``number`` is the number of actions before it, and ``name`` the name of the player.
    """
    seat = view.seat or 0
    return TableView(
        table=_TABLE,
        version=number,
        stage=Stage.PLAYING,
        options=TableOptions(),
        sitters=sitters(view, name),
        seat=seat,
        is_host=False,
        game=VisibleGame.of(view),
        number=number,
        decision=number,
        sale=len(view.players[seat].kept),
        waiting_for=_waiting_for(view),
        deadline=None,
        result=None,
        created=0.0,
        follows=None,
        followed_by=None,
        skipped=False,
    )


def sitters(view: View, name: str) -> tuple[Sitter, ...]:
    """Return who sits at the table: the player with this name, and bots."""
    return tuple(
        Sitter(
            seat=each,
            name=name if each == view.seat else None,
            bot=None if each == view.seat else _OPPONENT,
            open=False,
            standing_in=False,
            left=False,
            host=False,
            present=True,
            avatar=None,
            invited=False,
        )
        for each in range(len(view.players))
    )


def _waiting_for(view: View) -> tuple[int, ...]:
    """Return the seats that are to act: one, or in the final sale all that are not done."""
    if view.phase is Phase.FINAL_SALE:
        return tuple(seat for seat, player in enumerate(view.players) if not player.done)
    return () if view.turn is None else (view.turn,)
