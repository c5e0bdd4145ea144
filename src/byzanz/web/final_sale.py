"""What every player has sold in the final sale, shown in place of the offer and the market."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from byzanz.rules import FinalSale, Phase, Played, Sell, View, kept, profit

from .ending import Sale


class Seller(NamedTuple):
    """A player in the final sale."""

    name: str
    avatar: int
    done: bool
    sales: tuple[Sale, ...]

    @property
    def profit(self) -> int:
        """The profit of the sales together."""
        return sum([sale.profit for sale in self.sales])


def final_sale(view: View, names: Sequence[str], avatars: Sequence[int]) -> tuple[Seller, ...]:
    """Return all players and what they have sold; empty before the final sale."""
    if view.phase is not Phase.FINAL_SALE:
        return ()
    sales: defaultdict[int, list[Sale]] = defaultdict(list)
    for event in reversed(view.course):
        match event:
            case Played(seat=seat, action=Sell(cards=cards)):
                sales[seat].insert(0, Sale(cards, profit([kept(cards)])))
            case FinalSale():
                break
    return tuple(
        Seller(names[seat], avatars[seat], player.done, tuple(sales[seat]))
        for seat, player in enumerate(view.players)
    )
