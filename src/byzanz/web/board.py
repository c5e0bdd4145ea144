"""The values that the page of a table shows, made from a TableView in one language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from gettext import NullTranslations
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from byzanz.locale import _
from byzanz.messages import BOT_PERSONS, bot_name, card_name, card_names, kind_name, printable
from byzanz.rules import Card, Cards, Phase, View, kept, profit, worth
from byzanz.tables import Sitter, TableView, VisibleGame
from byzanz.tables.model.look_alikes import skeleton

from .advice import best_of_each_good, gains, least_useful, market_gains
from .ending import Ending, ending
from .final_sale import Seller, final_sale
from .game_log import Line, Picture, lines
from .last_round import Share, last_round
from .portraits import default_number, seat_portraits
from .preparing import Shown, notice, preparable, shown
from .questions import Asked, answering, ask, is_forced, status

_CACHED_TABLES = 1024


class Face(NamedTuple):
    """A card shown on the page."""

    id: str
    """An element id made of place, card and copy; it lets a card keep its element in updates."""
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
    selling: bool
    """Whether all players act at once, in the final sale."""
    passed: bool
    starter: bool
    done: bool
    winner: bool
    away: bool
    standing_in: bool
    replaced: str
    """Why a bot plays, or played, for the viewer; empty on all other seats."""
    known: Cards
    unknown: int
    bid: Cards
    bid_total: int
    leading: bool
    offer_card: int | None
    profit: int | None
    sets_sold: int
    kept: Cards
    """The cards kept as profit; none if the table's options hide them."""

    @property
    def state(self) -> str:
        """What the mark at the name says: acting, selling, winner, standing-in, away or nothing."""
        if self.acting:
            return "selling" if self.selling else "acting"
        return "winner" if self.winner else self._absence

    @property
    def stance(self) -> str:
        """What is said in place of a bid or offer card: passed, done or an absence."""
        return "passed" if self.passed else "done" if self.done else self._absence

    @property
    def _absence(self) -> str:
        return "standing-in" if self.standing_in else "away" if self.away else ""


class Group(NamedTuple):
    """Cards of one kind that lie together. Those in the market are taken together (R4.1)."""

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
    gains: tuple[tuple[str, int], ...]
    """The kinds in the offer that add to the profit of the viewer's sets, and how much.

    Empty when the viewer no longer takes part in the auction.
    """
    market: tuple[Group, ...]
    market_gains: tuple[tuple[str, int], ...]
    """The kinds in the market that add to the profit of the viewer's sets, and how much."""
    last_round: tuple[Share, ...]
    """What everybody got in the previous round, while the market is empty."""
    final_sale: tuple[Seller, ...]
    """What everybody has sold in the final sale; empty before it."""
    hand: Cards
    marked: Cards
    """The hand cards that belong to a set that can be sold now."""
    sets: tuple[Suggestion, ...]
    least: Suggestion | None
    """The least useful card, if one must be discarded (R6.1)."""
    selectable: bool
    """Whether hand cards can be selected now: to act, to sell, or to prepare a bid."""
    idle: bool
    """Whether the viewer has nothing more to decide in this round, so that bots may play fast."""
    asked: Asked
    preparing: str
    """What the viewer can prepare: ``bid``, ``take`` or nothing."""
    prepared: Shown | None
    notice: str
    """Why the last prepared answer was dropped; empty if none was."""
    names: tuple[str, ...]
    """The name shown for each seat."""
    status: str
    log: list[Line]
    ranking: tuple[Panel, ...]
    ending: Ending | None
    """The end of the game; None before it."""

    @property
    def avatars(self) -> tuple[int, ...]:
        """The number of each seat's portrait."""
        return tuple([panel.avatar for panel in sorted(self.ranking)])

    @property
    def last_picture(self) -> Picture | None:
        """The last action in pictures, for screens that hide the log; None before the first."""
        pictures = [line.picture for line in self.log if line.seat is not None and line.picture]
        return pictures[-1] if pictures else None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.view.phase is Phase.OVER


def seat_names(
    table: str, sitters: Iterable[Sitter], translations: NullTranslations
) -> tuple[str, ...]:
    """Return the name shown for each seat: the person's own, or a personal name for a bot.

    A bot never gets the name of a person at the same table, and people with the same name get
    numbers.
    """
    return _seat_names(table, tuple(sitters), translations)


@lru_cache(_CACHED_TABLES)
def _seat_names(
    table: str, sitters: tuple[Sitter, ...], translations: NullTranslations
) -> tuple[str, ...]:
    names = [_name(table, sitter, translations) for sitter in sitters]
    people = _numbered([name for name, sitter in zip(names, sitters, strict=True) if sitter.name])
    spare = (person for person in BOT_PERSONS if person not in {*names, *people})
    numbered = iter(people)
    return tuple(
        next(numbered) if sitter.name else next(spare) if name in people else name
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
    portraits = seat_portraits(table_view.table, table_view.sitters)
    panels = [
        _panel(table_view, game, seat, (names[seat], portraits[seat]), translations)
        for seat in range(len(names))
    ]
    first = 0 if table_view.seat is None else table_view.seat + 1
    order = [panels[(first + step) % len(panels)] for step in range(len(panels))]
    can_sell = table_view.seat is not None and bool(view.options.sales)
    final = view.phase is Phase.FINAL_SALE
    sales = best_of_each_good(view.hand, final=final) if can_sell else ()
    auction = view.phase in {Phase.AUCTION, Phase.GIVE}
    hand, asked = view.hand, Asked.WAIT if table_view.answering else ask(view)
    own = None if table_view.seat is None else panels[table_view.seat]
    return Board(
        table_view=table_view,
        view=view,
        opponents=tuple(panel for panel in order if not panel.you),
        own=own,
        names=names,
        offer=view.offer,
        offer_card=view.stack[-1] if auction and view.stack else None,
        to_come=_to_come(view),
        gains=gains(hand, view.offer) if own is not None and auction and not own.offer_card else (),
        market=by_kind(view.market, translations),
        market_gains=market_gains(hand, view.market) if own is not None else (),
        last_round=last_round(view, names, portraits, translations),
        final_sale=final_sale(view, names, portraits),
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
        selectable=can_sell
        or asked in (Asked.BID, Asked.LIMIT)
        or (own is not None and view.phase is Phase.AUCTION and _in_auction(own)),
        idle=own is not None and asked is Asked.WAIT and _is_idle(view, own),
        asked=asked,
        preparing=preparable(table_view, view),
        prepared=shown(table_view.prepared, translations),
        notice=notice(table_view.dropped, translations),
        status=answering(translations)
        if table_view.answering
        else status(view, asked, names, translations),
        log=lines(view, names, translations, avatars=tuple([panel.avatar for panel in panels])),
        ranking=tuple(sorted(panels, key=lambda panel: (not panel.winner, -(panel.profit or 0)))),
        ending=ending(view.course, panels, translations) if view.phase is Phase.OVER else None,
    )


def _numbered(names: list[str]) -> list[str]:
    """Return the names, with a number after each that looks like an earlier one."""
    numbered: list[str] = []
    taken: set[str] = set()
    for name in names:
        number, new = 1, name
        while skeleton(new) in taken:
            number += 1
            new = f"{name} {number}"
        numbered.append(new)
        taken.add(skeleton(new))
    return numbered


def _name(table: str, sitter: Sitter, translations: NullTranslations) -> str:
    if sitter.name is not None:
        return printable(sitter.name)
    if sitter.bot is not None:
        return BOT_PERSONS[default_number(table, sitter.seat, len(BOT_PERSONS))]
    return "" if sitter.open else translations.gettext(_("Guest"))


def _panel(
    table_view: TableView,
    game: VisibleGame,
    seat: int,
    shown: tuple[str, int],
    translations: NullTranslations,
) -> Panel:
    """Return the panel of a seat, which shows this name and portrait."""
    view, (name, portrait) = game.view, shown
    player, sitter = view.players[seat], table_view.sitters[seat]
    own = seat == table_view.seat
    total = worth(player.bid)
    return Panel(
        seat=seat,
        name=name,
        bot=None if sitter.bot is None else bot_name(sitter.bot, translations),
        avatar=portrait,
        you=own,
        acting=_acting(view, seat),
        selling=view.phase is Phase.FINAL_SALE,
        passed=player.passed,
        starter=view.phase is Phase.AUCTION and view.starter == seat,
        done=player.done and view.phase is Phase.FINAL_SALE,
        winner=table_view.result is not None and seat in table_view.result.winners,
        away=sitter.bot is None and not sitter.present and view.phase is not Phase.OVER,
        standing_in=sitter.standing_in,
        replaced=(table_view.replaced or "") if own and view.phase is not Phase.OVER else "",
        known=player.known,
        unknown=player.unknown,
        bid=player.bid,
        bid_total=total,
        leading=bool(player.bid) and total == view.highest,
        offer_card=player.offer_card,
        profit=game.profit(seat),
        sets_sold=game.sets_sold[seat],
        kept=player.kept,
    )


def _in_auction(own: Panel) -> bool:
    """Return whether the seat can still bid in this auction."""
    return own.offer_card is None and not own.passed


def _to_come(view: View) -> tuple[int, ...]:
    """Return the offer cards of this round whose offers have not been turned up yet."""
    if view.phase is Phase.LIMIT:
        return view.stack
    return view.stack[:-1] if view.phase in {Phase.AUCTION, Phase.GIVE} else ()


def _is_idle(view: View, own: Panel) -> bool:
    """Return whether the seat has its offer card, has taken from the market, or is done."""
    if view.phase is Phase.MARKET:
        return own.seat not in view.takers
    return own.offer_card is not None or own.done


def _acting(view: View, seat: int) -> bool:
    if is_forced(view):
        return False
    if view.phase is Phase.FINAL_SALE:
        return not view.players[seat].done
    return view.turn == seat


def _least(hand: Cards, translations: NullTranslations) -> Suggestion | None:
    card = least_useful(hand)
    return None if card is None else Suggestion(str(card), card_name(card, translations), 0)


def by_kind(cards: Cards, translations: NullTranslations) -> tuple[Group, ...]:
    """Return the cards in groups of one kind."""
    return tuple(
        Group(kind.letter, kind_name(kind, translations), tuple(of_kind))
        for kind, of_kind in groupby(cards, attrgetter("kind"))
    )


def largest(groups: Iterable[Group]) -> int:
    """Return the number of cards of the largest group."""
    return max([len(group.cards) for group in groups], default=0)


def total(groups: Iterable[Group]) -> int:
    """Return the number of cards of all groups."""
    return sum([len(group.cards) for group in groups])
