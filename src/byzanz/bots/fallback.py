"""What is played for a bot that does not play."""

from __future__ import annotations

from byzanz.rules import (
    Action,
    Card,
    Cards,
    Discard,
    Give,
    Kind,
    Pass,
    Phase,
    Take,
    View,
    best_sales,
)

from .final_sale import final_sale


def safe_action(view: View) -> Action:
    """A legal action of little harm for the viewer, who is to act; the same view, the same action.

    It passes; gives and discards the card least missed; takes the kind with the most cards; and
    sells only above the hand limit and in the final sale.
    """
    match view.phase:
        case Phase.AUCTION:
            return Pass()
        case Phase.GIVE:
            return Give(_least_missed(view.offer, view.hand + view.offer))
        case Phase.MARKET:
            return Take(_fullest(view.market))
        case Phase.LIMIT:
            sales = best_sales(view.hand)
            return sales[0] if sales else Discard(_least_missed(view.hand, view.hand))
        case Phase.FINAL_SALE:
            return final_sale(view.hand)
        case Phase.OVER:
            raise ValueError("the game is over: there is nothing to play")


def _least_missed(cards: Cards, among: Cards) -> Card:
    """A card of the good with the fewest cards, and of these the lowest; a merchant last."""

    def missed(card: Card) -> tuple[bool, int, int]:
        return card is Card.M, sum(other.kind is card.kind for other in among), card.worth

    return min(cards, key=missed)


def _fullest(market: Cards) -> Kind:
    kinds = [card.kind for card in market]
    return max(kinds, key=lambda kind: (kinds.count(kind), kind is Kind.MERCHANT))
