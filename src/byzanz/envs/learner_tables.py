"""A table with one learner: against bots on the readable rules, or against compiled policies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from byzanz.bots import Bot, make_bot
from byzanz.bots.referee import play_action, play_on
from byzanz.encoding import Moment, action_of, features
from byzanz.notation import write_cards, write_view
from byzanz.rules import Bid, Cards, Deal, Game, branch

from .engines import ENGINES, Observation
from .policies import actors_at, play_single
from .rewards import rewards_of


class BotTable:
    """A game against bots, on the readable rules. Bots get views, and may sell out of turn."""

    def __init__(self, deal: Deal, seed: int, seat: int, opponents: Sequence[str]) -> None:
        """Start the game; the opponents follow on the learner's left, and ``seed`` seeds them."""
        self.seat = seat
        players = len(deal.hands)
        self._bots: dict[int, Bot] = {
            other: make_bot(
                opponents[((other - seat) % players - 1) % len(opponents)], branch(seed, other)
            )
            for other in range(players)
            if other != seat
        }
        self.game = play_on(Game.start(deal), self._bots)
        self._laid: Cards = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.game.over

    @property
    def moment(self) -> Moment:
        """The current state and the cards laid towards a bid."""
        return Moment(self.game.state, self._laid)

    def play(self, number: int) -> None:
        """Play the learner's number, then let the bots play until it is the learner's turn.

        Raises IllegalNumber.
        """
        moment = self.moment
        self._laid = moment.play(number).laid
        if not self._laid:
            chosen = action_of(number) or Bid(moment.laid)
            self.game = play_on(play_action(self.game, self.seat, chosen, self._bots), self._bots)

    def mask(self) -> npt.NDArray[np.int8]:
        """Return the learner's mask."""
        return self.moment.mask().astype(np.int8)

    def observe(self) -> Observation:
        """Return the learner's features and mask."""
        seen = features(self.game.view(self.seat), self._laid)
        return {"observation": seen, "action_mask": self.mask()}

    def results(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Return each seat's profit and share of the win."""
        result = self.game.result
        return np.array(result.profit), np.array(rewards_of(result, "win"))

    def render(self) -> str:
        """Return the learner's view as a line of notation."""
        text = write_view(self.game.view(self.seat))
        return text + (f" laid: {write_cards(self._laid)}" if self._laid else "")

    def close(self) -> None:
        """Close the bots, and end their programs if they have any."""
        for bot in self._bots.values():
            bot.close()


class PolicyTable:
    """A game against compiled policies, on either engine. Nobody sells out of turn."""

    def __init__(
        self, dealt: Deal | int, players: int, seat: int, opponents: Sequence[str], engine: str
    ) -> None:
        """Start the game of a deal or of a seed."""
        self.seat = seat
        self._actors = actors_at(seat, opponents, players)
        self._game = ENGINES[engine](players, dealt)
        play_single(self._game, self._actors)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._game.turn < 0

    @property
    def moment(self) -> Moment:
        """The current state and the cards laid towards a bid."""
        return self._game.moment

    def play(self, number: int) -> None:
        """Play the learner's number, then let the others play until it is the learner's turn.

        Raises IllegalNumber.
        """
        self._game.play(number)
        if self._game.turn != self.seat:
            play_single(self._game, self._actors)

    def mask(self) -> npt.NDArray[np.int8]:
        """Return the learner's mask."""
        return self._game.mask()

    def observe(self) -> Observation:
        """Return the learner's features and mask."""
        return self._game.observe(self.seat)

    def results(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Return each seat's profit and share of the win."""
        return self._game.results()

    def render(self) -> str:
        """Return the learner's view as a line of notation."""
        return self._game.render(self.seat)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
