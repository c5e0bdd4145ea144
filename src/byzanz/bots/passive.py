"""The bot ``passive``, a baseline that never bids."""

from __future__ import annotations

from byzanz.rules import Action, Pass, Phase, View

from .bot import StatelessBot
from .final_sale import final_sale
from .own_hand import own_hand_action


class PassiveBot(StatelessBot):
    """A bot that passes in every auction. In other phases it looks only at its own cards."""

    def choose(self, view: View) -> Action:
        if view.phase is Phase.AUCTION:
            return Pass()
        if view.phase in (Phase.FINAL_SALE, Phase.OVER):
            return final_sale(view.hand)
        return own_hand_action(view, self.chance.word())
