"""The safe action that is played for a bot that fails."""

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
    """Return a legal action that does little harm to the viewer, who must act.

    In an auction the action is a pass. Otherwise it gives or discards the least useful card, or
    takes the kind with the most cards. It sells only above the hand limit and in the final sale.
    The same view always gives the same action. Raises ValueError if the game is over.
    """
    match view.phase:
        case Phase.AUCTION:
            return Pass()
        case Phase.GIVE:
            return Give(_least_useful(view.offer, view.hand + view.offer))
        case Phase.MARKET:
            return Take(_fullest(view.market))
        case Phase.LIMIT:
            sales = best_sales(view.hand)
            return sales[0] if sales else Discard(_least_useful(view.hand, view.hand))
        case Phase.FINAL_SALE:
            return final_sale(view.hand)
        case Phase.OVER:
            raise ValueError("the game is over: there is nothing to play")


def _least_useful(cards: Cards, hand: Cards) -> Card:
    """Return the lowest card of the rarest good in hand; a merchant if there are no goods cards."""

    def usefulness(card: Card) -> tuple[bool, int, int]:
        return card is Card.M, sum(other.kind is card.kind for other in hand), card.worth

    return min(cards, key=usefulness)


def _fullest(market: Cards) -> Kind:
    """Return the kind with the most cards."""
    kinds = [card.kind for card in market]
    return max(kinds, key=lambda kind: (kinds.count(kind), kind is Kind.MERCHANT))
