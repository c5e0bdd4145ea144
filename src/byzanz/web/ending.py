"""What the end of a game shows: places, sold sets, profit by round and the best buy.

All of it comes from the public course of a finished game (I6).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from gettext import NullTranslations
from typing import TYPE_CHECKING

from byzanz.locale import _
from byzanz.rules import (
    SETUPS,
    Card,
    Cards,
    Discard,
    Event,
    FinalSale,
    Give,
    Played,
    Sell,
    TurnedUp,
    Won,
    kept,
    profit,
    worth,
)
from byzanz.rules.cards import without

if TYPE_CHECKING:
    from .board import Panel

_WIDTH, _HEIGHT = 640, 230
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 12, 14, 34


@dataclass(frozen=True, slots=True)
class Sale:
    """A sold set and what it earned."""

    cards: Cards
    profit: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place, and the sets that the player sold."""

    place: int
    panel: Panel
    sales: tuple[Sale, ...]
    curve: tuple[int, ...]
    """The profit after each round, and after the final sale."""


@dataclass(frozen=True, slots=True)
class Buy:
    """A lot won in an auction, what it cost, and what the sets with its cards earned."""

    seat: int
    round: int
    cards: Cards
    paid: int
    earned: int


@dataclass(frozen=True, slots=True)
class Tick:
    """A line of the chart's grid with its label."""

    at: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    """The profit by round as lines, in the units of an SVG picture."""

    lines: tuple[tuple[int, str], ...]
    """For each seat the points of its line."""
    rounds: tuple[Tick, ...]
    profits: tuple[Tick, ...]
    size: tuple[int, int] = (_WIDTH, _HEIGHT)
    edges: tuple[int, int, int, int] = (_LEFT, _TOP, _WIDTH - _RIGHT, _HEIGHT - _BOTTOM)
    """Left, top, right and bottom of the area with the lines."""


@dataclass(frozen=True, slots=True)
class Ending:
    """The end of a game."""

    headline: str
    standings: tuple[Standing, ...]
    """By place."""
    chart: Chart
    best_buy: Buy | None

    @property
    def podium(self) -> tuple[Standing, ...]:
        """The first three as they stand on a podium: second, first, third.

        Everyone who shares the third place stands there too.
        """
        first, second, *others = self.standings
        third = others[0].place
        return second, first, *[each for each in others if each.place == third]

    def panel(self, seat: int) -> Panel:
        """Return the panel of a seat."""
        return next(each.panel for each in self.standings if each.panel.seat == seat)


def ending(
    course: Sequence[Event], panels: Iterable[Panel], translations: NullTranslations
) -> Ending:
    """Return what the end of this course shows."""
    ranked = sorted(panels, key=lambda panel: (not panel.winner, -(panel.profit or 0), panel.seat))
    profits, sales = curves(course, len(ranked)), _sales(course)
    standings = tuple(
        Standing(_place(panel, ranked), panel, tuple(sales[panel.seat]), profits[panel.seat])
        for panel in ranked
    )
    return Ending(_headline(standings, translations), standings, _chart(profits), best_buy(course))


def best_buy(course: Sequence[Event]) -> Buy | None:
    """Return the lot that earned the most above its cost; None if no lot earned anything.

    A lot earns the profit of every sold set that contains one of its cards. Its cost is the total
    of the winning bid. If a seat holds equal cards, those bought in an auction leave its hand
    first, starting with the last bought. If several lots are equal, the earliest is returned.
    """
    earning = [buy for buy in buys(course) if buy.earned]
    return max(earning, key=lambda buy: buy.earned - buy.paid, default=None)


def _place(panel: Panel, ranked: Sequence[Panel]) -> int:
    """Return the place: winners are first; players with the same profit share a place."""
    if panel.winner:
        return 1
    return 1 + sum(other.winner or (other.profit or 0) > (panel.profit or 0) for other in ranked)


def _headline(standings: Sequence[Standing], translations: NullTranslations) -> str:
    """Return a sentence about the viewer's place; for a spectator, about who wins."""
    gettext = translations.gettext
    winners = [each.panel for each in standings if each.panel.winner]
    own = next((each for each in standings if each.panel.you), None)
    if own is None or (own.panel.winner and len(winners) > 1):
        names = ", ".join(panel.name for panel in winners)
        text = _("{name} wins with a profit of {profit}.")
        if len(winners) > 1:
            text = _("{name} share the win with a profit of {profit} each.")
        return gettext(text).format(name=names, profit=winners[0].profit)
    if own.panel.winner:
        second = standings[1].panel
        ahead = (own.panel.profit or 0) - (second.profit or 0)
        text = _("You win, {distance} ahead of {name}.")
        if not ahead:
            text = _("You win: {name} has the same profit, but fewer goods cards left.")
        return gettext(text).format(distance=ahead, name=second.name)
    before = [each for each in standings if each.place < own.place][-1].panel
    behind = (before.profit or 0) - (own.panel.profit or 0)
    text = _("Your place: {place} of {players}. {name} earned {distance} more.")
    if not behind:
        text = _(
            "Your place: {place} of {players}. {name} has the same profit, but more goods cards "
            "left."
        )
    return gettext(text).format(
        place=own.place, players=len(standings), distance=behind, name=before.name
    )


def _sales(course: Iterable[Event]) -> defaultdict[int, list[Sale]]:
    sold: defaultdict[int, list[Sale]] = defaultdict(list)
    for event in course:
        match event:
            case Played(seat=seat, action=Sell(cards=cards)):
                sold[seat].append(Sale(cards, profit([kept(cards)])))
    return sold


def curves(course: Iterable[Event], players: int) -> list[tuple[int, ...]]:
    """Return for each seat the profit after each round, and after the final sale."""
    ends = SETUPS[players].rounds + 1
    gains = [[0] * ends for _ in range(players)]
    at = 0
    for event in course:
        match event:
            case TurnedUp(round=number):
                at = number - 1
            case FinalSale():
                at = ends - 1
            case Played(seat=seat, action=Sell(cards=cards)):
                gains[seat][at] += profit([kept(cards)])
    return [tuple(sum(each[: end + 1]) for end in range(ends)) for each in gains]


def _chart(profits: Sequence[tuple[int, ...]]) -> Chart:
    top = max(5, *[curve[-1] for curve in profits])
    ends = len(profits[0])

    def across(end: int) -> float:
        return round(_LEFT + end * (_WIDTH - _LEFT - _RIGHT) / ends, 1)

    def up(earned: int) -> float:
        return round(_HEIGHT - _BOTTOM - earned * (_HEIGHT - _TOP - _BOTTOM) / top, 1)

    return Chart(
        lines=tuple(
            (
                seat,
                " ".join(f"{across(end)},{up(earned)}" for end, earned in enumerate((0, *curve))),
            )
            for seat, curve in enumerate(profits)
        ),
        rounds=tuple(Tick(across(end), str(end)) for end in range(1, ends)),
        profits=tuple(Tick(up(earned), str(earned)) for earned in range(0, top + 1, _step(top))),
    )


def _step(top: int) -> int:
    return next(step for step in (2, 5, 10, 20, 50, 100) if top / step <= 5)


class _Bought:
    """Tracks bought cards from the auctions to the sets that are sold."""

    def __init__(self) -> None:
        self.lots: list[tuple[int, int, Cards, int]] = []
        self.earned: list[int] = []
        self._held: defaultdict[tuple[int, Card], list[int]] = defaultdict(list)
        """For each seat and face, the lots of the cards that were bought and are still held."""
        self._offer: Cards = ()
        self._round = 0
        self._paid: int | None = None

    def add(self, event: Event) -> None:
        """Process the next event."""
        match event:
            case TurnedUp(round=number, cards=cards):
                self._round, self._offer, self._paid = number, cards, None
            case Won(seat=seat, paid=paid):
                self._leave(seat, paid)
                self._paid = worth(paid) if paid else None
            case Played(seat=seat, action=Give(card=card)) if self._paid is not None:
                self._buy(seat, without(self._offer, (card,)), self._paid)
            case Played(seat=seat, action=Discard(card=card)):
                self._leave(seat, (card,))
            case Played(seat=seat, action=Sell(cards=cards)):
                for lot in self._leave(seat, cards):
                    self.earned[lot] += profit([kept(cards)])

    def _buy(self, seat: int, cards: Cards, paid: int) -> None:
        for card in cards:
            self._held[seat, card].append(len(self.lots))
        self.lots.append((seat, self._round, cards, paid))
        self.earned.append(0)

    def _leave(self, seat: int, cards: Cards) -> set[int]:
        """Remove the cards from what the seat has bought; return the lots that they came from."""
        held = [self._held[seat, card] for card in cards]
        return {lots.pop() for lots in held if lots}


def buys(course: Iterable[Event]) -> list[Buy]:
    """Return every lot that was won with a bid, and what the sets with its cards earned."""
    bought = _Bought()
    for event in course:
        bought.add(event)
    return [Buy(*lot, brought) for lot, brought in zip(bought.lots, bought.earned, strict=True)]
