"""The OpenSpiel game and its states, for both engines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]

from byzanz.encoding import NUMBERS, action_of
from byzanz.encoding.numbers import ADD, CONFIRM
from byzanz.envs.rewards import REWARDS, batch_rewards, check_reward
from byzanz.fast.chance_nodes import AT_CHANCE, ENDED
from byzanz.notation import write_action
from byzanz.notation.text import run_together
from byzanz.rules import ALL_CARDS, FACES, HAND_LIMIT, SETUPS, Card, Cards, Setup

from .compiled import CompiledLine
from .observer import ByzanzObserver
from .readable import Line

DEFAULTS = {"players": 4, "reward": "win", "engine": "compiled"}
"""The parameters of the game, with their defaults."""

LINES: dict[str, type[CompiledLine | Line]] = {"compiled": CompiledLine, "readable": Line}
"""The classes of games in progress, by engine."""


def max_decisions(setup: Setup) -> int:
    """Return an upper bound for the number of decisions in a game with this set-up.

    When an auction begins, nobody holds more than seven cards (I5). Until it ends, a player gains
    cards only by passing, which ends their part in it. So in an auction with k players

    - each player lays at most 7 cards: 7k cards laid;
    - each confirmed bid has at least one of these cards and is worth more than the bid before it,
      at most 28 (seven 4s): min(7k, 28) confirmations;
    - k players pass, or k - 1 pass and the winner gives a card: k such actions.

    A round has auctions with n, n - 1, ... 2 players, one more card given by the last player
    (R3.11), and at most n takes from the market. A discard or a sale removes at least one card
    from the game. At the end n players are done.
    """
    n = setup.players
    bidders = range(2, n + 1)
    laid = sum(HAND_LIMIT * k for k in bidders)
    confirmed = sum(min(HAND_LIMIT * k, HAND_LIMIT * 4) for k in bidders)
    a_round = laid + confirmed + sum(bidders) + 1 + n
    return setup.rounds * a_round + (len(ALL_CARDS) - setup.removed) + n


def game_type(reward: str) -> Any:
    """Return OpenSpiel's description of the game with this reward."""
    utility = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name="python_byzanz",
        long_name="Python Byzanz",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if reward == "profit" else utility.CONSTANT_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=max(SETUPS),
        min_num_players=min(SETUPS),
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
        provides_factored_observation_string=True,
    )


class ByzanzGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """Byzanz for a given number of players, reward and engine.

    Raises ValueError for invalid parameters.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(params or {})}
        self.players, self.reward = int(given["players"]), str(given["reward"])
        self.engine = str(given["engine"])
        if self.engine not in LINES:
            raise ValueError(f"there is no engine '{self.engine}'; there are {', '.join(LINES)}")
        if self.players not in SETUPS:
            raise ValueError(f"Byzanz is for 3 to 6 players, not {self.players}")
        check_reward(self.reward)
        self.setup = SETUPS[self.players]
        least, most = REWARDS[self.reward]
        info = pyspiel.GameInfo(
            num_distinct_actions=NUMBERS,
            max_chance_outcomes=len(FACES),
            num_players=self.players,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if self.reward == "profit" else 1.0,
            max_game_length=max_decisions(self.setup),
        )
        super().__init__(game_type(self.reward), info, given)
        self.observers = tuple(
            [
                self.make_py_observer(pyspiel.IIGObservationType(perfect_recall=recall))
                for recall in (False, True)
            ]
        )
        """The observers that make observations and information states."""

    def new_initial_state(self) -> ByzanzState:
        """Return the state before the first card is dealt."""
        return ByzanzState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ByzanzObserver:
        """Return an observer of this type, by default without perfect recall."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return ByzanzObserver(max_decisions(self.setup) + self.setup.deck, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of cards drawn in every game: all except those removed."""
        return len(ALL_CARDS) - self.setup.removed


class ByzanzState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A state of the game, with the methods that OpenSpiel calls."""

    def __init__(self, game: ByzanzGame) -> None:
        super().__init__(game)
        self.line = LINES[game.engine](game.players)
        self.reward = game.reward

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's number for a chance node or for the end."""
        return self.line.player

    def is_terminal(self) -> bool:
        """Return whether the game is over (R7.2)."""
        return self.line.player == ENDED

    def is_chance_node(self) -> bool:
        """Return whether a card is to be drawn."""
        return self.line.player == AT_CHANCE

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal numbers of the seat to act, or the faces that can be drawn."""
        line = self.line
        if line.player < 0:
            return [face for face, _ in line.outcomes()] if line.player == AT_CHANCE else []
        return line.legal() if player is None or player == line.player else []

    # OpenSpiel's own versions of these methods call Python several times and convert each number.

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """Return a seat's observation as numbers; by default that of the seat to act."""
        return self._tensor(self.get_game().observers[0], player)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """Return a seat's information state as numbers; by default that of the seat to act."""
        return self._tensor(self.get_game().observers[1], player)

    def observation_string(self, player: int | None = None) -> str:
        """Return a seat's observation as text; by default that of the seat to act."""
        return self._text(self.get_game().observers[0], player)

    def information_state_string(self, player: int | None = None) -> str:
        """Return a seat's information state as text; by default that of the seat to act."""
        return self._text(self.get_game().observers[1], player)

    def _tensor(self, observer: ByzanzObserver, player: int | None) -> list[float]:
        observer.set_from(self, self._seat(player))
        tensor: list[float] = observer.tensor.tolist()
        return tensor

    def _text(self, observer: ByzanzObserver, player: int | None) -> str:
        return observer.string_from(self, self._seat(player))

    def _seat(self, player: int | None) -> int:
        seat = self.line.player if player is None else player
        if not 0 <= seat < self.line.players:
            raise pyspiel.SpielError(f"there is no player {seat} to observe this state")
        return seat

    def returns(self) -> list[float]:
        """Return each seat's reward; 0 before the end of the game."""
        if self.line.player != ENDED:
            return [0.0] * self.line.players
        returns: list[float] = batch_rewards(*self.line.results(), self.reward).tolist()
        return returns

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each face that can be drawn, with its share of the cards not drawn yet."""
        return self.line.outcomes()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> ByzanzState:
        """Return a state that the player cannot distinguish from this one.

        The cards that the player has not seen are dealt again; all ways to deal them are equally
        likely. ``sampler`` returns random numbers in [0, 1). Raises ValueError at a chance node.
        """
        line = self.line
        if line.player == AT_CHANCE:
            raise ValueError("a state at a chance node cannot be resampled")
        unseen, counts = line.unseen(player)
        hidden: dict[int, Cards] = {}
        dealt: list[Card] = []
        for seat, count in enumerate(counts):
            if seat == player:
                dealt += line.hand_dealt(seat)
            else:
                drawn = [unseen.pop(int(sampler() * len(unseen))) for _ in range(count)]
                hidden[seat] = tuple(drawn)
                dealt += [*line.hand_shown(seat), *drawn]
        history = self.full_history()
        if line.player in hidden:  # the player does not know of cards that another seat has laid
            while history[-1].player == line.player and history[-1].action < CONFIRM:
                history.pop()
        actions = [*dealt, *[move.action for move in history[len(dealt) :]]]
        other: ByzanzState = self.get_game().new_initial_state()
        if isinstance(line, CompiledLine):
            other.line = _Replay([move.player for move in history], line.players)  # type: ignore[assignment]
        for action in actions:
            other.apply_action(int(action))
        if isinstance(line, CompiledLine):
            other.line = line.with_hidden(hidden, dealt)
        return other

    def _legal_actions(self, player: int) -> list[int]:
        return self.line.legal() if self.line.player == player else []

    def _apply_action(self, action: int) -> None:
        self.line = self.line.after(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == AT_CHANCE:
            dealing = len(self.line.dealt) < 4 * self.line.players
            return f"{'deal' if dealing else 'turn up'} {Card(action)}"
        if action < CONFIRM:
            return f"lay {Card(action - ADD)}"
        played = action_of(action)
        return "confirm" if played is None else write_action(played)

    def __str__(self) -> str:
        line = self.line
        view = line.view_text(None)
        if not view:
            return f"dealt: {run_together(line.dealt)}"
        lines = [view, *[f"hand {seat}: {line.hand_text(seat)}" for seat in range(line.players)]]
        laid = line.laid_text(line.player)
        if laid != "-":
            lines.append(f"laid: {laid}")
        if line.turned is not None:
            lines.append(f"turned up: {run_together(line.turned)}")
        return "\n".join(lines)


class _Replay:
    """A stand-in for a game in progress while OpenSpiel writes a resampled state's history."""

    def __init__(self, history: list[int], players: int) -> None:
        self._rest = iter(history)
        self.players = players
        self.player = next(self._rest)

    def after(self, action: int) -> _Replay:  # noqa: ARG002
        """Set the player of the next action, and return this object."""
        self.player = next(self._rest, AT_CHANCE)
        return self
