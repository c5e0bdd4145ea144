"""The bots ``level1`` to ``level10``: opponents for people, from the weakest to the strongest.

All of them follow the network. Levels 1 to 9 make mistakes that people make, and the lower the
level, the more often: they look only at their own cards, let a lot go when somebody else wants it,
and sell a set as soon as they hold it. Level 10 makes none of these mistakes, and looks ahead.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from byzanz.network import Network
from byzanz.rules import Action, Card, Chance, Pass, Phase, View, best_sales, worth
from byzanz.search.budget import Budget

from .bot import StatelessBot
from .emperor import EmperorBot, warm_up
from .final_sale import final_sale
from .own_hand import own_hand_action
from .silly_actions import looks_silly

_FLOOR_IN_AUCTION, _FLOOR_ELSEWHERE = 0.03, 0.25
"""An action is never chosen if its probability is below this share of the highest probability.

An unusual bid looks human, but giving away or discarding a good card looks random.
"""


@dataclass(frozen=True, slots=True)
class Habits:
    """How often a level makes each mistake, as a probability per decision."""

    own_cards_in_auction: float
    """It looks only at its own cards when it bids or passes."""
    own_cards_elsewhere: float
    """It looks only at its own cards when it gives, takes, discards or sells."""
    lets_go: float
    """It passes because somebody has bid; this chance counts once for each point of that bid."""
    sells_early: float
    """It sells a set without merchants in an auction, although the cards could still be bid."""


class LevelBot(StatelessBot):
    """A bot that follows the network but makes mistakes."""

    habits: ClassVar[Habits]

    def __init__(self, chance: Chance, budget: Budget | None = None) -> None:
        """Create the bot; it does not search, and ignores its budget."""
        super().__init__(chance, budget)
        self._network = Network.load()
        warm_up(searching=False)

    def choose(self, view: View) -> Action:
        if view.phase in (Phase.FINAL_SALE, Phase.OVER):
            return final_sale(view.hand)
        if view.phase is Phase.AUCTION:
            plain = [sale for sale in best_sales(view.hand) if Card.M not in sale.cards]
            if plain and self._happens(self.habits.sells_early):
                return plain[0]
            if self._happens(1 - (1 - self.habits.lets_go) ** _highest_bid(view)):
                return Pass()
            narrow, floor = self.habits.own_cards_in_auction, _FLOOR_IN_AUCTION
        else:
            narrow, floor = self.habits.own_cards_elsewhere, _FLOOR_ELSEWHERE
        if self._happens(narrow):
            return own_hand_action(view, self.chance.word())
        action = self._network.choose(view, 1.0, self.chance.word(), floor)
        return self._network.choose(view) if looks_silly(view, action) else action

    def _happens(self, probability: float) -> bool:
        return self.chance.below(1 << 30) < probability * (1 << 30)


def _highest_bid(view: View) -> int:
    return max(worth(player.bid) for player in view.players)


class Level1Bot(LevelBot):
    """Level 1: for a first game."""

    habits = Habits(1.00, 1.00, 0.60, 1.00)


class Level2Bot(LevelBot):
    """Level 2."""

    habits = Habits(0.58, 0.67, 0.50, 0.62)


class Level3Bot(LevelBot):
    """Level 3."""

    habits = Habits(0.47, 0.54, 0.36, 0.51)


class Level4Bot(LevelBot):
    """Level 4."""

    habits = Habits(0.37, 0.43, 0.28, 0.40)


class Level5Bot(LevelBot):
    """Level 5."""

    habits = Habits(0.29, 0.33, 0.22, 0.31)


class Level6Bot(LevelBot):
    """Level 6."""

    habits = Habits(0.22, 0.25, 0.17, 0.23)


class Level7Bot(LevelBot):
    """Level 7."""

    habits = Habits(0.15, 0.17, 0.11, 0.16)


class Level8Bot(LevelBot):
    """Level 8."""

    habits = Habits(0.08, 0.09, 0.06, 0.09)


class Level9Bot(LevelBot):
    """Level 9: the strongest level without look-ahead."""

    habits = Habits(0.03, 0.03, 0.02, 0.03)


class Level10Bot(EmperorBot):
    """Level 10: the emperor with look-ahead."""

    def __init__(self, chance: Chance, budget: Budget | None = None) -> None:
        """Create the bot; by default, it searches for one second."""
        super().__init__(chance, budget or Budget(seconds=1))
