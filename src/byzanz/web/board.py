"""The table as its page shows it: plain values made from one Sight, in one language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from gettext import NullTranslations
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from byzanz.locale import _
from byzanz.messages import BOT_PERSONS, bot_name, card_name, card_names, kind_name, printable
from byzanz.rules import Card, Cards, Phase, View, kept, profit, worth
from byzanz.tables import Sight, Sitter

from .advice import best_of_each_good, least_missed
from .game_log import Line, lines
from .questions import Asked, ask, forced, status

AVATARS = 12
"""How many pictures there are for players."""


class Face(NamedTuple):
    """One card lying somewhere on the page."""

    id: str
    """Names the place and the copy, so that the same card keeps its element from view to view."""
    code: str
    name: str
    worth: int
    kind: str
    marked: bool = False
    """Whether it belongs to a set that could be sold now."""


class Panel(NamedTuple):
    """One seat as everyone may see it."""

    seat: int
    name: str
    bot: str | None
    """What kind of bot plays here, in the reader's language."""
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
    """Cards of one kind that lie together; those of the market are taken together (R4.1)."""

    kind: str
    name: str
    cards: Cards


class Suggestion(NamedTuple):
    """Cards of the hand to choose: a set and what it would earn, or the one least missed."""

    cards: str
    name: str
    profit: int


@dataclass(frozen=True, slots=True)
class Board:
    """Everything the page of a started game shows."""

    sight: Sight
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
    """Those of the hand that belong to a set that could be sold now."""
    sets: tuple[Suggestion, ...]
    least: Suggestion | None
    """The card to discard if one must go (R6.1)."""
    selectable: bool
    """Whether cards of the hand can be chosen now: to act, to sell, or to be ready for a bid."""
    idle: bool
    """Whether the viewer has nothing more to decide in this round: bots may play fast."""
    asked: Asked
    status: str
    log: list[Line]
    ranking: tuple[Panel, ...]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.view.phase is Phase.OVER


def seat_names(table: str, sitters: Iterable[Sitter], words: NullTranslations) -> tuple[str, ...]:
    """What each seat is called: the person's name, or one that the table gives to its bot.

    No bot is called as a person is, and no two people alike.
    """
    sitters = tuple(sitters)
    names = [_name(table, sitter, words) for sitter in sitters]
    people = _told_apart([name for name, sitter in zip(names, sitters, strict=True) if sitter.name])
    spare = (person for person in BOT_PERSONS if person not in {*names, *people})
    told = iter(people)
    return tuple(
        next(told) if sitter.name else next(spare) if name in people else name
        for name, sitter in zip(names, sitters, strict=True)
    )


def faces(
    cards: Cards, place: str, words: NullTranslations, marked: Iterable[Card] = ()
) -> Iterator[Face]:
    """The cards as they lie at this place, some of them marked."""
    copies: Counter[Card] = Counter()
    marks = Counter(marked)
    for card in cards:
        copies[card] += 1
        yield Face(
            id=f"{place}-{card}-{copies[card]}",
            code=str(card),
            name=card_name(card, words),
            worth=card.worth,
            kind=card.kind.letter,
            marked=copies[card] <= marks[card],
        )


def board(sight: Sight, words: NullTranslations) -> Board:
    """The page's values for this sight of a started game."""
    view = sight.view
    if view is None:
        raise ValueError("the game has not started")
    names = seat_names(sight.table, sight.sitters, words)
    panels = [_panel(sight, view, seat, names[seat], words) for seat in range(len(names))]
    first = 0 if sight.seat is None else sight.seat + 1
    order = [panels[(first + step) % len(panels)] for step in range(len(panels))]
    may_sell = sight.seat is not None and bool(view.options.sales)
    sales = best_of_each_good(view.hand) if may_sell else ()
    auction = view.phase in {Phase.AUCTION, Phase.GIVE}
    hand, asked = view.hand, ask(view)
    own = None if sight.seat is None else panels[sight.seat]
    return Board(
        sight=sight,
        view=view,
        opponents=tuple(panel for panel in order if not panel.you),
        own=own,
        offer=view.offer,
        offer_card=view.stack[-1] if auction and view.stack else None,
        to_come=view.stack[:-1] if auction else (),
        market=grouped(view.market, words),
        hand=hand,
        marked=tuple([card for sale in sales for card in sale.cards]),
        sets=tuple(
            Suggestion(
                " ".join(map(str, sale.cards)),
                card_names(sale.cards, words),
                profit([kept(sale.cards)]),
            )
            for sale in sales
        ),
        least=_least(hand, words) if asked is Asked.LIMIT else None,
        selectable=bool(sales)
        or asked in (Asked.BID, Asked.LIMIT)
        or (own is not None and view.phase is Phase.AUCTION and _still_in(own)),
        idle=own is not None and asked is Asked.WAIT and _is_idle(view, own),
        asked=asked,
        status=status(view, asked, names, words),
        log=lines(view, names, words, avatars=tuple([panel.avatar for panel in panels])),
        ranking=tuple(sorted(panels, key=lambda panel: (not panel.winner, -(panel.profit or 0)))),
    )


def _told_apart(names: list[str]) -> list[str]:
    """The names; who is called like somebody before gets a number."""
    apart: list[str] = []
    for name in names:
        number, new = 1, name
        while new in apart:
            number += 1
            new = f"{name} {number}"
        apart.append(new)
    return apart


def _name(table: str, sitter: Sitter, words: NullTranslations) -> str:
    if sitter.name is not None:
        return printable(sitter.name)
    if sitter.bot is not None:
        return BOT_PERSONS[_spread(table, sitter.seat, len(BOT_PERSONS))]
    return "" if sitter.open else words.gettext(_("Guest"))


def _panel(sight: Sight, view: View, seat: int, name: str, words: NullTranslations) -> Panel:
    player, sitter = view.players[seat], sight.sitters[seat]
    own = seat == sight.seat
    total = worth(player.bid)
    return Panel(
        seat=seat,
        name=name,
        bot=None if sitter.bot is None else bot_name(sitter.bot, words),
        avatar=_spread(sight.table, seat, AVATARS),
        you=own,
        acting=_acting(view, seat),
        passed=player.passed,
        starter=view.phase is Phase.AUCTION and view.starter == seat,
        done=player.done and view.phase is Phase.FINAL_SALE,
        winner=sight.result is not None and seat in sight.result.winners,
        away=sitter.bot is None and not sitter.present and view.phase is not Phase.OVER,
        standing_in=sitter.standing_in,
        known=player.known,
        unknown=player.unknown,
        bid=player.bid,
        bid_total=total,
        leading=bool(player.bid) and total == view.highest,
        offer_card=player.offer_card,
        profit=sight.profit[seat],
        sets_sold=sight.sets_sold[seat],
    )


def _still_in(own: Panel) -> bool:
    """Whether the seat still bids in this auction."""
    return own.offer_card is None and not own.passed


def _is_idle(view: View, own: Panel) -> bool:
    """Whether the seat has its offer card, or has taken from the market, or is done."""
    if view.phase is Phase.MARKET:
        return own.seat not in view.takers
    return own.offer_card is not None or own.done


def _acting(view: View, seat: int) -> bool:
    if forced(view):
        return False
    if view.phase is Phase.FINAL_SALE:
        return not view.players[seat].done
    return view.turn == seat


def _spread(table: str, seat: int, among: int) -> int:
    """One of so many for each seat, no two alike at a table, another at another table."""
    return (sum(table.encode()) + seat * 5) % among


def _least(hand: Cards, words: NullTranslations) -> Suggestion | None:
    card = least_missed(hand)
    return None if card is None else Suggestion(str(card), card_name(card, words), 0)


def grouped(cards: Cards, words: NullTranslations) -> tuple[Group, ...]:
    """The cards by kind."""
    return tuple(
        Group(kind.letter, kind_name(kind, words), tuple(of_kind))
        for kind, of_kind in groupby(cards, attrgetter("kind"))
    )
