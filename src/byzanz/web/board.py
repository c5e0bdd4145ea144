"""The values that the page of a table shows, made from a TableView in one language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from gettext import NullTranslations
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from byzanz.bots.greedy import least_useful
from byzanz.locale import _
from byzanz.messages import BOT_PERSONS, bot_name, card_name, card_names, kind_name, printable
from byzanz.rules import Card, Cards, Phase, View, best_sales, kept, profit, worth
from byzanz.tables import Sitter, TableView, VisibleGame

from .game_log import Line, lines
from .questions import Asked, ask, status

AVATARS = 12
"""The number of player portraits."""


class Face(NamedTuple):
    """A card shown on the page."""

    id: str
    """An element id made of place, card and copy, so that a card keeps its element in updates."""
    code: str
    name: str
    worth: int
    kind: str
    marked: bool = False
    """Whether it belongs to a set that can be sold now."""


class Panel(NamedTuple):
    """A seat as everyone may see it."""

    seat: int
    name: str
    bot: str | None
    """The display name of the bot that plays here; None if a person plays."""
    avatar: int
    you: bool
    acting: bool
    passed: bool
    starter: bool
    done: bool
    winner: bool
    away: bool
    standing_in: bool
    known: Cards
    unknown: int
    bid: Cards
    bid_total: int
    leading: bool
    offer_card: int | None
    profit: int | None
    sets_sold: int


class Group(NamedTuple):
    """The market's cards of one kind. They are taken together (R4.1)."""

    kind: str
    name: str
    cards: Cards


class Suggestion(NamedTuple):
    """Hand cards suggested for selection: a set to sell with its profit, or a card to discard."""

    cards: str
    name: str
    profit: int


@dataclass(frozen=True, slots=True)
class Board:
    """Everything that the page of a started game shows."""

    table_view: TableView
    view: View
    opponents: tuple[Panel, ...]
    """In seating order, from the viewer's left; all seats for a spectator."""
    own: Panel | None
    offer: Cards
    offer_card: int | None
    to_come: tuple[int, ...]
    market: tuple[Group, ...]
    hand: Cards
    marked: Cards
    """The hand cards that belong to a set that can be sold now."""
    sets: tuple[Suggestion, ...]
    least: Suggestion | None
    """The least useful card, if one must be discarded (R6.1)."""
    asked: Asked
    status: str
    log: list[Line]
    ranking: tuple[Panel, ...]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.view.phase is Phase.OVER


def seat_names(
    table: str, sitters: Iterable[Sitter], translations: NullTranslations
) -> tuple[str, ...]:
    """Return the name shown for each seat: the person's own, or a personal name for a bot.

    A bot never gets the name of a person at the same table.
    """
    sitters = tuple(sitters)
    names = [_name(table, sitter, translations) for sitter in sitters]
    spare = (person for person in BOT_PERSONS if person not in names)
    people = {name for name, sitter in zip(names, sitters, strict=True) if sitter.name is not None}
    return tuple(
        next(spare) if sitter.name is None and name in people else name
        for name, sitter in zip(names, sitters, strict=True)
    )


def faces(
    cards: Cards, place: str, translations: NullTranslations, marked: Iterable[Card] = ()
) -> Iterator[Face]:
    """Yield the cards of one place on the page, some of them marked."""
    copies: Counter[Card] = Counter()
    marks = Counter(marked)
    for card in cards:
        copies[card] += 1
        yield Face(
            id=f"{place}-{card}-{copies[card]}",
            code=str(card),
            name=card_name(card, translations),
            worth=card.worth,
            kind=card.kind.letter,
            marked=copies[card] <= marks[card],
        )


def board(table_view: TableView, translations: NullTranslations) -> Board:
    """Return the values that the page of a started game shows."""
    game = table_view.game
    if game is None:
        raise ValueError("the game has not started")
    view = game.view
    names = seat_names(table_view.table, table_view.sitters, translations)
    panels = [
        _panel(table_view, game, seat, names[seat], translations) for seat in range(len(names))
    ]
    first = 0 if table_view.seat is None else table_view.seat + 1
    order = [panels[(first + step) % len(panels)] for step in range(len(panels))]
    sales = () if table_view.seat is None or not view.options.sales else best_sales(view.hand)
    auction = view.phase in {Phase.AUCTION, Phase.GIVE}
    hand, asked = view.hand, ask(view)
    return Board(
        table_view=table_view,
        view=view,
        opponents=tuple(panel for panel in order if not panel.you),
        own=None if table_view.seat is None else panels[table_view.seat],
        offer=view.offer,
        offer_card=view.stack[-1] if auction and view.stack else None,
        to_come=view.stack[:-1] if auction else (),
        market=_groups(view.market, translations),
        hand=hand,
        marked=tuple([card for sale in sales for card in sale.cards]),
        sets=tuple(
            Suggestion(
                " ".join(map(str, sale.cards)),
                card_names(sale.cards, translations),
                profit([kept(sale.cards)]),
            )
            for sale in sales
        ),
        least=_least(hand, translations) if asked is Asked.LIMIT else None,
        asked=asked,
        status=status(view, asked, names, translations),
        log=lines(view, names, translations),
        ranking=tuple(sorted(panels, key=lambda panel: (not panel.winner, -(panel.profit or 0)))),
    )


def _name(table: str, sitter: Sitter, translations: NullTranslations) -> str:
    if sitter.name is not None:
        return printable(sitter.name)
    if sitter.bot is not None:
        return BOT_PERSONS[_spread(table, sitter.seat, len(BOT_PERSONS))]
    return "" if sitter.open else translations.gettext(_("Guest"))


def _panel(
    table_view: TableView, game: VisibleGame, seat: int, name: str, translations: NullTranslations
) -> Panel:
    view = game.view
    player, sitter = view.players[seat], table_view.sitters[seat]
    own = seat == table_view.seat
    total = worth(player.bid)
    return Panel(
        seat=seat,
        name=name,
        bot=None if sitter.bot is None else bot_name(sitter.bot, translations),
        avatar=_spread(table_view.table, seat, AVATARS),
        you=own,
        acting=_acting(view, seat),
        passed=player.passed,
        starter=view.phase is Phase.AUCTION and view.starter == seat,
        done=player.done and view.phase is Phase.FINAL_SALE,
        winner=table_view.result is not None and seat in table_view.result.winners,
        away=sitter.bot is None and not sitter.present and view.phase is not Phase.OVER,
        standing_in=sitter.standing_in,
        known=player.known,
        unknown=player.unknown,
        bid=player.bid,
        bid_total=total,
        leading=bool(player.bid) and total == view.highest,
        offer_card=player.offer_card,
        profit=game.profit(seat),
        sets_sold=game.sets_sold[seat],
    )


def _acting(view: View, seat: int) -> bool:
    if view.phase is Phase.FINAL_SALE:
        return not view.players[seat].done
    return view.turn == seat


def _spread(table: str, seat: int, among: int) -> int:
    """Return a number below ``among`` for the seat, different for each seat of a table."""
    return (sum(table.encode()) + seat * 5) % among


def _least(hand: Cards, translations: NullTranslations) -> Suggestion:
    card = least_useful(hand)
    return Suggestion(str(card), card_name(card, translations), 0)


def _groups(market: Cards, translations: NullTranslations) -> tuple[Group, ...]:
    return tuple(
        Group(kind.letter, kind_name(kind, translations), tuple(of_kind))
        for kind, of_kind in groupby(market, attrgetter("kind"))
    )
