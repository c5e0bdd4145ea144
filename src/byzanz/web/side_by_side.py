"""Games of one deal side by side: what each player bought, sold and earned in each round."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from gettext import NullTranslations

from byzanz.messages import GameLogWriter
from byzanz.notation import write_action
from byzanz.rules import SETUPS, Cards, Event, FinalSale, Game, Played, Sell, TurnedUp, kept, profit

from .ending import Buy, Sale, buys, curves


@dataclass(frozen=True, slots=True)
class Round:
    """What a player did in one round, or in the final sale."""

    bought: tuple[Buy, ...]
    sold: tuple[Sale, ...]
    profit: int
    """The profit so far."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The first decision in which two games of one deal differ."""

    round: int
    own: str
    """What happened in the viewer's game, as a sentence."""
    other: str
    place: int
    """The number of actions before it in the viewer's game."""
    other_place: int
    actions: tuple[str, str]
    """Both actions in notation, the viewer's first."""


def rounds_of(game: Game, seat: int) -> tuple[Round, ...]:
    """Return the rounds of a finished game as the seat played them; the final sale is the last."""
    players = len(game.deal.hands)
    ends = SETUPS[players].rounds + 1
    sold: list[list[Sale]] = [[] for _ in range(ends)]
    for at, cards in _sales(game.course, seat, ends):
        sold[at].append(Sale(cards, profit([kept(cards)])))
    bought = [buy for buy in buys(game.course) if buy.seat == seat]
    return tuple(
        Round(tuple(buy for buy in bought if buy.round == end + 1), tuple(sold[end]), earned)
        for end, earned in enumerate(curves(game.course, players)[seat])
    )


def first_difference(
    own: Game,
    other: Game,
    seat: int,
    names: Sequence[Sequence[str]],
    translations: NullTranslations,
) -> Difference | None:
    """Return the seat's first action in which the games differ; None if all are the same.

    Only the seat's own actions count: in the final sale the others act in any order (I8).
    ``names`` are the names of the seats in the viewer's game, and in the other.
    """
    acted = [_actions(game, seat) for game in (own, other)]
    for (here, one), (there, two) in zip(*acted, strict=False):
        if one != two:
            at, sentence = _described(own, here, names[0], translations)
            return Difference(
                round=at,
                own=sentence,
                other=_described(other, there, names[1], translations)[1],
                place=here,
                other_place=there,
                actions=(write_action(one.action), write_action(two.action)),
            )
    return None


def _actions(game: Game, seat: int) -> list[tuple[int, Played]]:
    """Return the seat's actions, each with its place among all actions."""
    return [(place, play) for place, play in enumerate(game.plays) if play.seat == seat]


def _described(
    game: Game, place: int, names: Sequence[str], translations: NullTranslations
) -> tuple[int, str]:
    """Return the round of an action and a sentence about it."""
    writer, at, played = GameLogWriter(names, translations), 0, 0
    for event in game.course:
        lines = list(writer.lines(event))
        if isinstance(event, TurnedUp):
            at = event.round
        elif isinstance(event, Played):
            if played == place:
                return at, lines[0].strip()
            played += 1
    raise ValueError("the game has no such action")


def _sales(course: Iterable[Event], seat: int, ends: int) -> Iterable[tuple[int, Cards]]:
    """Yield the sets that the seat sold, each with the number of its round from 0."""
    at = 0
    for event in course:
        match event:
            case TurnedUp(round=number):
                at = number - 1
            case FinalSale():
                at = ends - 1
            case Played(seat=who, action=Sell(cards=cards)) if who == seat:
                yield at, cards
