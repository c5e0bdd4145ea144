"""A course of play told line by line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from gettext import NullTranslations

from byzanz.locale import ENGLISH, _
from byzanz.rules import (
    SETUPS,
    Bid,
    Discard,
    Done,
    Ended,
    Event,
    FinalSale,
    Game,
    Give,
    Kind,
    MarketCleared,
    Pass,
    Played,
    Sell,
    Take,
    TurnedUp,
    Won,
    kept,
    profit,
    worth,
)

from .cards import card_name, card_names, printable

# One sentence a kind: in most languages the word for "all" depends on what follows.
_TAKES = {
    Kind.CLOTH: _("{name} takes all cloth from the market."),
    Kind.GRAIN: _("{name} takes all grain from the market."),
    Kind.OLIVES: _("{name} takes all olives from the market."),
    Kind.SPICES: _("{name} takes all spices from the market."),
    Kind.WOOD: _("{name} takes all wood from the market."),
    Kind.WINE: _("{name} takes all wine from the market."),
    Kind.MERCHANT: _("{name} takes all merchants from the market."),
}


class Storyteller:
    """Tells events one after the other; it remembers the bids, to say what a raise comes to."""

    def __init__(self, names: Sequence[str], words: NullTranslations = ENGLISH) -> None:
        self._names = [printable(name) for name in names]
        self._words = words
        self._bids: dict[int, int] = {}
        self._round = 0

    def tell(self, event: Event) -> Iterator[str]:
        """The lines that tell this event; headings first where a round or an auction begins."""
        match event:
            case TurnedUp():
                yield from self._turned_up(event)
            case Played():
                yield "  " + self._played(event)
            case Won():
                yield "  " + self._won(event)
            case MarketCleared():
                if event.cards:
                    yield "  " + self._say(
                        _("Left in the market, and out of the game: {cards}."),
                        cards=card_names(event.cards, self._words),
                    )
            case FinalSale():
                yield ""
                yield self._say(_("The final sale"))
            case Ended():
                yield from self._ended(event)

    def _turned_up(self, event: TurnedUp) -> Iterator[str]:
        self._bids = {}
        if event.round != self._round:
            self._round = event.round
            yield ""
            yield self._say(_("Round {number}"), number=event.round)
        last = event.offer_card == SETUPS[len(self._names)].offer_cards[0]
        text = _("Offer {number}: {cards}. {name} starts.")
        yield self._say(
            _("Offer {number}: {cards}. {name} is the last and needs no bid.") if last else text,
            number=event.offer_card,
            cards=card_names(event.cards, self._words),
            name=self._names[event.starter],
        )

    def _played(self, played: Played) -> str:
        name, action, words = self._names[played.seat], played.action, self._words
        match action:
            case Bid():
                before = self._bids.get(played.seat, 0)
                self._bids[played.seat] = total = before + worth(action.cards)
                text = (
                    _("{name} raises to {total} with {cards}.")
                    if before
                    else _("{name} bids {total}: {cards}.")
                )
                cards = card_names(action.cards, words)
                return self._say(text, name=name, total=total, cards=cards)
            case Pass():
                return self._say(_("{name} passes."), name=name)
            case Give():
                card = card_name(action.card, words)
                return self._say(_("{name} gives {card} to the market."), name=name, card=card)
            case Take():
                return self._say(_TAKES[action.kind], name=name)
            case Sell():
                return self._say(
                    _("{name} sells {cards} for {profit}."),
                    name=name,
                    cards=card_names(action.cards, words),
                    profit=profit([kept(action.cards)]),
                )
            case Discard():
                card = card_name(action.card, words)
                return self._say(_("{name} discards {card}."), name=name, card=card)
            case Done():
                return self._say(_("{name} is done."), name=name)

    def _won(self, event: Won) -> str:
        name, offer_card = self._names[event.seat], event.offer_card
        if not event.paid:
            return self._say(
                _("All have passed: {name}, the first, takes offer {number} for nothing."),
                name=name,
                number=offer_card,
            )
        return self._say(
            _("{name} wins offer {number} for {total}; to the market: {cards}."),
            name=name,
            number=offer_card,
            total=worth(event.paid),
            cards=card_names(event.paid, self._words),
        )

    def _ended(self, event: Ended) -> Iterator[str]:
        yield ""
        yield self._say(_("The end"))
        for name, earned in zip(self._names, event.result.profit, strict=True):
            yield "  " + self._say(_("{name}: {profit}"), name=name, profit=earned)
        winners = [self._names[seat] for seat in event.result.winners]
        if len(winners) == 1:
            yield self._say(_("{name} wins."), name=winners[0])
        else:
            yield self._say(_("The win is shared: {names}."), names=", ".join(winners))

    def _say(self, text: str, **named: object) -> str:
        return self._words.gettext(text).format(**named)


def story(game: Game, names: Sequence[str], words: NullTranslations = ENGLISH) -> Iterator[str]:
    """The whole game told, hands as dealt first."""
    for seat, hand in enumerate(game.deal.hands):
        yield words.gettext(_("Seat {seat}, {name}: {cards}")).format(
            seat=seat, name=printable(names[seat]), cards=card_names(hand, words)
        )
    teller = Storyteller(names, words)
    for event in game.course:
        yield from teller.tell(event)
