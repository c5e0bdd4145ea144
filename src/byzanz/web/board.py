"""The table as its page shows it: plain values made from one Sight, in one language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from gettext import NullTranslations

from byzanz.bots.greedy import least_useful
from byzanz.locale import _
from byzanz.rules import HAND_LIMIT, Card, Cards, Kind, Phase, View, best_sales, kept, profit, worth
from byzanz.table import Sight, Sitter
from byzanz.telling import bot_name, card_name, card_names, kind_name, printable

from .asking import Asked, ask, status
from .storylines import Line, lines

AVATARS = 12
"""How many pictures there are for players."""

BOTS_NAMES = (
    "Theodora",
    "Niketas",
    "Anna",
    "Basil",
    "Irene",
    "Leo",
    "Zoe",
    "Michael",
    "Helena",
    "Alexios",
    "Euphemia",
    "Isaac",
)
"""What a table calls its bots: names of old Constantinople, the same in every language."""


@dataclass(frozen=True, slots=True)
class Face:
    """One card lying somewhere on the page."""

    id: str
    """Names the place and the copy, so that the same card keeps its element from view to view."""
    code: str
    name: str
    worth: int
    kind: str
    marked: bool = False
    """Whether it belongs to a set that could be sold now."""


@dataclass(frozen=True, slots=True)
class Panel:
    """One seat as everyone may see it."""

    seat: int
    name: str
    bot: str | None
    """What kind of bot plays here, in the reader's language."""
    avatar: int
    you: bool
    host: bool
    acting: bool
    passed: bool
    starter: bool
    done: bool
    winner: bool
    away: bool
    standing_in: bool
    hand_size: int
    known: tuple[Face, ...]
    unknown: int
    bid: tuple[Face, ...]
    bid_total: int
    leading: bool
    offer_card: int | None
    profit: int | None
    sets_sold: int


@dataclass(frozen=True, slots=True)
class Group:
    """The market's cards of one kind, which are taken together (R4.1)."""

    kind: str
    name: str
    faces: tuple[Face, ...]


@dataclass(frozen=True, slots=True)
class Suggestion:
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
    offer: tuple[Face, ...]
    offer_card: int | None
    to_come: tuple[int, ...]
    market: tuple[Group, ...]
    hand: tuple[Face, ...]
    sets: tuple[Suggestion, ...]
    least: Suggestion | None
    """The card to discard if one must go (R6.1)."""
    asked: Asked
    status: str
    log: tuple[Line, ...]
    ranking: tuple[Panel, ...]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.view.phase is Phase.OVER

    @property
    def excess(self) -> int:
        """How many cards the viewer holds above the limit (R6.1)."""
        return max(0, len(self.hand) - HAND_LIMIT)


def seat_names(table: str, sitters: Iterable[Sitter], words: NullTranslations) -> tuple[str, ...]:
    """What each seat is called: the person's name, or one that the table gives to its bot."""
    return tuple(_name(table, sitter, words) for sitter in sitters)


def board(sight: Sight, words: NullTranslations) -> Board:
    """The page's values for this sight of a started game."""
    view = sight.view
    if view is None:
        raise ValueError("the game has not started")
    names = seat_names(sight.table, sight.sitters, words)
    panels = [_panel(sight, view, seat, names[seat], words) for seat in range(len(names))]
    first = 0 if sight.seat is None else sight.seat + 1
    order = [panels[(first + step) % len(panels)] for step in range(len(panels))]
    sales = () if sight.seat is None or not view.options.sales else best_sales(view.hand)
    auction = view.phase in {Phase.AUCTION, Phase.GIVE}
    return Board(
        sight=sight,
        view=view,
        opponents=tuple(panel for panel in order if not panel.you),
        own=None if sight.seat is None else panels[sight.seat],
        offer=_faces("offer", view.offer, words),
        offer_card=view.stack[-1] if auction and view.stack else None,
        to_come=view.stack[:-1] if auction else (),
        market=_groups(view.market, words),
        hand=_faces("hand", view.hand, words, [card for sale in sales for card in sale.cards]),
        sets=tuple(
            Suggestion(
                " ".join(map(str, sale.cards)),
                card_names(sale.cards, words),
                profit([kept(sale.cards)]),
            )
            for sale in sales
        ),
        least=_least(view, words),
        asked=ask(view),
        status=status(view, names, words),
        log=lines(view, names, words),
        ranking=tuple(sorted(panels, key=lambda panel: (not panel.winner, -(panel.profit or 0)))),
    )


def _name(table: str, sitter: Sitter, words: NullTranslations) -> str:
    if sitter.name is not None:
        return printable(sitter.name)
    if sitter.bot is not None:
        return BOTS_NAMES[_spread(table, sitter.seat, len(BOTS_NAMES))]
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
        host=sitter.host,
        acting=_acting(view, seat),
        passed=player.passed,
        starter=view.phase is Phase.AUCTION and view.starter == seat,
        done=player.done and view.phase is Phase.FINAL_SALE,
        winner=sight.result is not None and seat in sight.result.winners,
        away=sitter.bot is None and not sitter.present and view.phase is not Phase.OVER,
        standing_in=sitter.standing_in,
        hand_size=player.hand_size,
        known=_faces(f"known-{seat}", player.known, words),
        unknown=player.unknown,
        bid=_faces(f"bid-{seat}", player.bid, words),
        bid_total=total,
        leading=bool(player.bid) and total == view.highest,
        offer_card=player.offer_card,
        profit=sight.profit[seat],
        sets_sold=sight.sets_sold[seat],
    )


def _acting(view: View, seat: int) -> bool:
    if view.phase is Phase.FINAL_SALE:
        return not view.players[seat].done
    return view.turn == seat


def _spread(table: str, seat: int, among: int) -> int:
    """One of so many for each seat, no two alike at a table, another at another table."""
    return (sum(table.encode()) + seat * 5) % among


def _faces(
    place: str, cards: Cards, words: NullTranslations, marked: Iterable[Card] = ()
) -> tuple[Face, ...]:
    copies: Counter[Card] = Counter()
    marks = Counter(marked)
    faces = []
    for card in cards:
        copies[card] += 1
        faces.append(
            Face(
                id=f"{place}-{card}-{copies[card]}",
                code=str(card),
                name=card_name(card, words),
                worth=card.worth,
                kind=card.kind.letter,
                marked=copies[card] <= marks[card],
            )
        )
    return tuple(faces)


def _least(view: View, words: NullTranslations) -> Suggestion | None:
    if ask(view) is not Asked.LIMIT:
        return None
    card = least_useful(view.hand)
    return Suggestion(str(card), card_name(card, words), 0)


def _groups(market: Cards, words: NullTranslations) -> tuple[Group, ...]:
    faces = _faces("market", market, words)
    return tuple(
        Group(kind.letter, kind_name(kind, words), of_kind)
        for kind in Kind
        if (of_kind := tuple(face for face in faces if face.kind == kind.letter))
    )
