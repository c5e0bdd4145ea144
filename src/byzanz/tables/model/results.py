"""The results of finished games, one for each person, as lists and statistics use them."""

from __future__ import annotations

from enum import StrEnum

from msgspec import Struct

from byzanz.notation import write_cards
from byzanz.rules import Result, Sell

from .table import Chair, Table

PEOPLE = "people"
"""The value of ``opponents`` for a game in which another person played."""
MIXED = "mixed"
"""The value of ``opponents`` for a game against different bots."""


class Outcome(StrEnum):
    """Whether a game was won. A shared win is a win."""

    WON = "won"
    LOST = "lost"


class GameResult(Struct, frozen=True, kw_only=True):
    """The result of a finished game for one person."""

    table: str
    seat: int
    finished: float
    """The time of the last action, in seconds since 1970."""
    players: int
    place: int
    """From 1; all winners are first."""
    profit: int
    share: float
    """1 for a win, the person's part of a shared win, or 0."""
    sold: tuple[str, ...]
    """The sold sets in the order of their sale, each as its cards in notation."""
    opponents: str
    """The bot that played all other seats; ``mixed`` for different bots, ``people`` for people."""
    undone: int
    """The number of decisions that were taken back."""
    hints: int
    """The number of hints that players got."""
    accuracy: float | None = None
    """How close the decisions were to the best ones, from 0 to 1; None without a review."""
    luck: float | None = None
    """What the cards added to the winning chance, in hundredths; None without a review."""


class GameFilter(Struct, frozen=True, kw_only=True):
    """A filter for finished games. None matches every value."""

    players: int | None = None
    opponents: str | None = None
    outcome: Outcome | None = None
    since: float | None = None
    """The earliest time of the last action, in seconds since 1970."""


def game_results(table: Table, finished: float) -> tuple[tuple[str, GameResult], ...]:
    """Return the results of a finished table, each with the guest that it belongs to.

    A player who left the table for good has no result: a bot finished the game. A game that
    continues another one has no results.
    """
    if table.game is None or not table.game.over:
        raise ValueError("only a finished game has results")
    if table.origin is not None:
        return ()
    result = table.game.result
    found = []
    for seat, chair in enumerate(table.chairs):
        if chair.guest is None or chair.left:
            continue
        own = GameResult(
            table=table.id,
            seat=seat,
            finished=finished,
            players=len(table.chairs),
            place=place(result, seat),
            profit=result.profit[seat],
            share=1 / len(result.winners) if seat in result.winners else 0.0,
            sold=_sold(table, seat),
            opponents=_opponents(table.chairs, seat),
            undone=table.undone,
            hints=table.hints,
        )
        found.append((chair.guest, own))
    return tuple(found)


def place(result: Result, seat: int) -> int:
    """Return the seat's place in a finished game: 1 for all winners."""
    if seat in result.winners:
        return 1
    ahead = sum(profit > result.profit[seat] for profit in result.profit)
    return 1 + max(ahead, len(result.winners))


def _sold(table: Table, seat: int) -> tuple[str, ...]:
    plays = () if table.game is None else table.game.plays
    return tuple(
        write_cards(play.action.cards)
        for play in plays
        if play.seat == seat and isinstance(play.action, Sell)
    )


def _opponents(chairs: tuple[Chair, ...], seat: int) -> str:
    others = [chair for at, chair in enumerate(chairs) if at != seat]
    if any(chair.guest is not None or chair.bot is None for chair in others):
        return PEOPLE
    bots = {chair.bot for chair in others}
    return bots.pop() or MIXED if len(bots) == 1 else MIXED
