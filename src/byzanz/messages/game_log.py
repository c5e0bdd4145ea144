"""The log of a game, line by line."""

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

# One sentence for each kind: in most languages the word for "all" depends on the noun.
_TAKES = {
    Kind.CLOTH: _("{name} takes all the cloth from the market."),
    Kind.GRAIN: _("{name} takes all the grain from the market."),
    Kind.OLIVES: _("{name} takes all the olives from the market."),
    Kind.SPICES: _("{name} takes all the spices from the market."),
    Kind.WOOD: _("{name} takes all the wood from the market."),
    Kind.WINE: _("{name} takes all the wine from the market."),
    Kind.MERCHANT: _("{name} takes all the merchants from the market."),
}


class GameLogWriter:
    """A writer that turns the events of one game into log lines.

    It must get the events in order. It keeps track of the bids, to show the new total of a raise.
    """

    def __init__(self, names: Sequence[str], translations: NullTranslations = ENGLISH) -> None:
        self._names = [printable(name) for name in names]
        self._translations = translations
        self._bids: dict[int, int] = {}
        self._round = 0

    def lines(self, event: Event) -> Iterator[str]:
        """Yield the lines for the next event, with headings where a round or an auction begins."""
        match event:
            case TurnedUp():
                yield from self._turned_up(event)
            case Played():
                yield "  " + self._played(event)
            case Won():
                yield "  " + self._won(event)
            case MarketCleared():
                if event.cards:
                    yield "  " + self._text(
                        _("Left in the market and removed from the game: {cards}."),
                        cards=card_names(event.cards, self._translations),
                    )
            case FinalSale():
                yield ""
                yield self._text(_("The final sale"))
            case Ended():
                yield from self._ended(event)

    def _turned_up(self, event: TurnedUp) -> Iterator[str]:
        self._bids = {}
        if event.round != self._round:
            self._round = event.round
            yield ""
            yield self._text(_("Round {number}"), number=event.round)
        last = event.offer_card == SETUPS[len(self._names)].offer_cards[0]
        yield self._text(
            _("Offer {number}: {cards}. {name} is the last player and need not bid.")
            if last
            else _("Offer {number}: {cards}. {name} starts."),
            number=event.offer_card,
            cards=card_names(event.cards, self._translations),
            name=self._names[event.starter],
        )

    def _played(self, played: Played) -> str:
        name, action, translations = self._names[played.seat], played.action, self._translations
        match action:
            case Bid():
                before = self._bids.get(played.seat, 0)
                self._bids[played.seat] = total = before + worth(action.cards)
                text = (
                    _("{name} raises to {total} with {cards}.")
                    if before
                    else _("{name} bids {total}: {cards}.")
                )
                cards = card_names(action.cards, translations)
                return self._text(text, name=name, total=total, cards=cards)
            case Pass():
                return self._text(_("{name} passes."), name=name)
            case Give():
                card = card_name(action.card, translations)
                return self._text(_("{name} gives {card} to the market."), name=name, card=card)
            case Take():
                return self._text(_TAKES[action.kind], name=name)
            case Sell():
                return self._text(
                    _("{name} sells {cards} for {profit}."),
                    name=name,
                    cards=card_names(action.cards, translations),
                    profit=profit([kept(action.cards)]),
                )
            case Discard():
                card = card_name(action.card, translations)
                return self._text(_("{name} discards {card}."), name=name, card=card)
            case Done():
                return self._text(_("{name} is done."), name=name)

    def _won(self, event: Won) -> str:
        name, offer_card = self._names[event.seat], event.offer_card
        if not event.paid:
            return self._text(
                _("Everyone passed. {name} passed first and gets offer {number} for free."),
                name=name,
                number=offer_card,
            )
        return self._text(
            _("{name} wins offer {number} with a bid of {total}. To the market: {cards}."),
            name=name,
            number=offer_card,
            total=worth(event.paid),
            cards=card_names(event.paid, self._translations),
        )

    def _ended(self, event: Ended) -> Iterator[str]:
        yield ""
        yield self._text(_("Final scores"))
        for name, earned in zip(self._names, event.result.profit, strict=True):
            yield "  " + self._text(_("{name}: {profit}"), name=name, profit=earned)
        winners = [self._names[seat] for seat in event.result.winners]
        if len(winners) == 1:
            yield self._text(_("{name} wins."), name=winners[0])
        else:
            yield self._text(_("Shared victory: {names}."), names=", ".join(winners))

    def _text(self, text: str, **values: object) -> str:
        return self._translations.gettext(text).format(**values)


def describe_game(
    game: Game, names: Sequence[str], translations: NullTranslations = ENGLISH
) -> Iterator[str]:
    """Yield the log of a whole game, with the dealt hands first."""
    for name, hand in zip(names, game.deal.hands, strict=True):
        yield translations.gettext(_("{name} is dealt {cards}.")).format(
            name=printable(name), cards=card_names(hand, translations)
        )
    writer = GameLogWriter(names, translations)
    for event in game.course:
        yield from writer.lines(event)
