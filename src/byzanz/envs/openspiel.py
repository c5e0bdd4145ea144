"""Byzanz as an OpenSpiel game: importing this module registers ``python_byzanz``.

``pyspiel.load_game("python_byzanz(players=4,reward=profit)")`` loads it for 3 to 6 players, with
the reward ``win`` (the default) or ``profit``. Players choose among the 289 numbers of
:mod:`byzanz.encoding`; an illegal number raises an error. Each card that is dealt to a hand or
turned up for an offer is a chance node. The probability of a face is its share of the cards not
drawn yet. The removed cards are those that are never drawn. Players see the hands when all are
dealt, and an offer when it is complete, so the order of its cards reveals nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]

from byzanz.encoding import NUMBERS, PIECES, Moment, action_of, features, numbers_of, piece_of
from byzanz.encoding.numbers import ADD, CONFIRM
from byzanz.notation import write_action, write_cards, write_view
from byzanz.rules import (
    ALL_CARDS,
    FACES,
    HAND_LIMIT,
    SETUPS,
    Bid,
    Card,
    Cards,
    Deal,
    Played,
    Setup,
    State,
    TurnedUp,
    begin,
    in_order,
    result,
    view,
)
from byzanz.rules.cards import without
from byzanz.rules.setup import HAND_DEALT

from .rewards import REWARDS, check_reward, rewards_of

_CHANCE, _TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)

_PRIVATE = {"hand", "hidden", "laid", "pool", "dealt"}
"""The pieces of an observation that depend on the viewer's private knowledge."""


class Line(NamedTuple):
    """A line of play: the cards drawn and the actions played so far.

    The state's deck and removed cards hold the cards not drawn yet, in face order. Only their
    number is meaningful, because chance has not decided yet which of them will be drawn.
    """

    players: int
    dealt: Cards = ()
    """The cards dealt so far, four per seat, in the order of dealing."""
    moment: Moment | None = None
    """None until the hands are dealt. It has no offer while an offer is being turned up."""
    turned: Cards | None = None
    """The cards of the offer turned up so far, in drawing order; None at a player's decision."""
    course: tuple[TurnedUp | Played, ...] = ()
    """The public events: offers, and whole actions."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Line:
        return self  # immutable, so that all copies of a state can share it

    @property
    def state(self) -> State | None:
        """The state of the rules, None until the hands are dealt."""
        return None if self.moment is None else self.moment.state

    @property
    def at_chance(self) -> bool:
        """Whether the next event is a card being drawn."""
        return self.moment is None or self.turned is not None

    @property
    def undrawn(self) -> Cards:
        """The cards not drawn yet, including those that will be removed, in face order."""
        if self.moment is None:
            return without(ALL_CARDS, self.dealt)
        return without(self.moment.state.deck + self.moment.state.removed, self.turned or ())

    def hand_dealt(self, seat: int) -> Cards:
        """Return the cards dealt to the seat so far, in face order (R2.1)."""
        return in_order(self.dealt[HAND_DEALT * seat : HAND_DEALT * (seat + 1)])

    def laid(self, seat: int) -> Cards:
        """Return the cards that the seat has laid towards a bid."""
        return self.moment.laid if self.moment and self.moment.state.turn == seat else ()

    def draw(self, card: Card) -> Line:
        """Return the line after this card is drawn; raises ValueError if it cannot be drawn."""
        if not self.at_chance or card not in self.undrawn:
            raise ValueError(f"no card {card} can be drawn here")
        if self.moment is None:
            return self._deal(card)
        return self._turn_up(self.moment.state, (*(self.turned or ()), card))

    def play(self, number: int) -> Line:
        """Return the line after the seat on turn plays this number; raises IllegalNumber."""
        if self.moment is None or self.turned is not None:
            raise ValueError("a card is to be drawn here")
        before, laid = self.moment
        moment = self.moment.play(number)
        if before.turn is None or number < CONFIRM:
            return self._replace(moment=moment)
        action = action_of(number) or Bid(laid)
        line = self._replace(moment=moment, course=(*self.course, Played(before.turn, action)))
        if len(moment.state.deck) == len(before.deck):
            return line
        return line._to_turn_up(moment.state)

    def _deal(self, card: Card) -> Line:
        line = self._replace(dealt=(*self.dealt, card))
        if len(line.dealt) < HAND_DEALT * self.players:
            return line
        hands = tuple(line.hand_dealt(seat) for seat in range(self.players))
        rest, deck = line.undrawn, SETUPS[self.players].deck
        return line._to_turn_up(begin(Deal(hands, deck=rest[:deck], removed=rest[deck:])))

    def _to_turn_up(self, state: State) -> Line:
        """Return the line before an offer, whose cards will be drawn by chance nodes."""
        rest, deck = in_order(state.offer + state.deck + state.removed), len(state.deck)
        deck += len(state.offer)
        state = state._replace(offer=(), deck=rest[:deck], removed=rest[deck:])
        return self._replace(moment=Moment(state), turned=())

    def _turn_up(self, state: State, turned: Cards) -> Line:
        if len(turned) < state.stack[-1]:
            return self._replace(turned=turned)
        rest, deck = without(state.deck + state.removed, turned), len(state.deck) - len(turned)
        state = state._replace(offer=in_order(turned), deck=rest[:deck], removed=rest[deck:])
        event = TurnedUp(state.round, state.stack[-1], state.offer, state.starter)
        return self._replace(moment=Moment(state), turned=None, course=(*self.course, event))


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


def course_codes(course: tuple[TurnedUp | Played, ...]) -> list[int]:
    """Return the public events as codes: 1 + number for an action, 290 + face for a card turned up.

    A bid is the numbers of its cards and of its confirmation. The seats follow from the rules.
    """
    codes: list[int] = []
    for event in course:
        if isinstance(event, TurnedUp):
            codes += [1 + NUMBERS + card for card in event.cards]
        else:
            codes += [1 + number for number in numbers_of(event.action)]
    return codes


def _type(reward: str) -> Any:
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
        parameter_specification={"players": 4, "reward": "win"},
        provides_factored_observation_string=True,
    )


class ByzanzGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """The game for a number of players and a reward; raises ValueError for other parameters."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {"players": 4, "reward": "win", **(params or {})}
        self.players, self.reward = int(given["players"]), str(given["reward"])
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
        super().__init__(_type(self.reward), info, given)

    def new_initial_state(self) -> ByzanzState:
        """Return the state before the first card is dealt."""
        return ByzanzState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> ByzanzObserver:
        """Return an observer of this type, by default without perfect recall."""
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return ByzanzObserver(self.setup, kind, params)

    def max_chance_nodes_in_history(self) -> int:
        """Return the number of cards drawn in every game: all except those removed."""
        return len(ALL_CARDS) - self.setup.removed


class ByzanzState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A line of play with the methods that OpenSpiel calls."""

    def __init__(self, game: ByzanzGame) -> None:
        super().__init__(game)
        self.line = Line(game.players)
        self.reward = game.reward

    def current_player(self) -> int:
        """Return the seat on turn, or OpenSpiel's number for chance or for the end."""
        state = self.line.state
        if state is None or self.line.at_chance:
            return _CHANCE
        return _TERMINAL if state.turn is None else state.turn

    def is_terminal(self) -> bool:
        """Return whether the game is over (R7.2)."""
        return self.current_player() == _TERMINAL

    def returns(self) -> list[float]:
        """Return each seat's reward, 0 before the end of the game."""
        state = self.line.state
        if state is None or not self.is_terminal():
            return [0.0] * self.line.players
        return list(rewards_of(result(state), self.reward))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return each face that can be drawn, with its share of the cards not drawn yet."""
        left = self.line.undrawn
        return [(int(card), count / len(left)) for card, count in sorted(Counter(left).items())]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> ByzanzState:
        """Return a state that the player cannot distinguish from this one.

        The cards that the player has not seen are dealt again; all ways to deal them are equally
        likely. ``sampler`` returns random numbers in [0, 1). Raises ValueError at a chance node.
        """
        state = self.line.state
        if state is None or self.line.at_chance:
            raise ValueError("a state at a chance node cannot be resampled")
        unseen = list(view(state, player).pool)
        cards: list[Card] = []
        for seat, owner in enumerate(state.players):
            hand = self.line.hand_dealt(seat)
            if seat != player:
                drawn = tuple(unseen.pop(int(sampler() * len(unseen))) for _ in owner.hidden)
                hand = without(hand, owner.hidden) + drawn
            cards += hand
        other: ByzanzState = self.get_game().new_initial_state()
        unseen_laid = 0 if state.turn in (player, None) else len(self.line.laid(state.turn))
        for action in (*cards, *self.history()[len(cards) : len(self.history()) - unseen_laid]):
            other.apply_action(int(action))
        return other

    def _legal_actions(self, player: int) -> list[int]:
        moment = self.line.moment
        if moment is None or self.line.at_chance or moment.state.turn != player:
            return []
        return list(moment.legal())

    def _apply_action(self, action: int) -> None:
        line = self.line
        self.line = line.draw(Card(action)) if line.at_chance else line.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == _CHANCE:
            return f"{'deal' if self.line.moment is None else 'turn up'} {Card(action)}"
        if action < CONFIRM:
            return f"lay {Card(action - ADD)}"
        played = action_of(action)
        return "confirm" if played is None else write_action(played)

    def __str__(self) -> str:
        line, state = self.line, self.line.state
        if state is None:
            return f"dealt: {_cards_text(line.dealt)}"
        hands = [
            f"hand {seat}: {_cards_text(player.hand)}" for seat, player in enumerate(state.players)
        ]
        lines = [write_view(view(state, None)), *hands]
        if line.moment is not None and line.moment.laid:
            lines.append(f"laid: {_cards_text(line.moment.laid)}")
        if line.turned is not None:
            lines.append(f"turned up: {_cards_text(line.turned)}")
        return "\n".join(lines)


class ByzanzObserver:
    """An OpenSpiel observer: a seat's view as ``tensor``, as its parts by name, and as text.

    Without perfect recall the tensor is the row of :func:`byzanz.encoding.features`. Perfect recall
    adds ``dealt``, the hand dealt to the seat by face, and ``course``, the codes of the public
    events. Raises ValueError for other kinds of observations.
    """

    def __init__(self, setup: Setup, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"there are no observation parameters, but {params} were given")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("observations of all players' private information are not supported")
        self._public = bool(kind.public_info)
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recall = bool(kind.perfect_recall)
        shapes = {name: piece.shape for name, piece in PIECES.items()}
        if self._recall:
            shapes |= {"dealt": (len(FACES),), "course": (max_decisions(setup) + setup.deck,)}
        shapes = {
            name: shape
            for name, shape in shapes.items()
            if (self._private if name in _PRIVATE else self._public)
        }
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor: npt.NDArray[np.float32] = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        named = zip(shapes.items(), parts, strict=False)
        self.dict = {name: part.reshape(shape) for (name, shape), part in named}

    def set_from(self, state: ByzanzState, player: int) -> None:
        """Write what the player sees to the tensor, which is all 0 until the hands are dealt."""
        self.tensor.fill(0)
        line = state.line
        if line.state is None:
            return
        row = features(view(line.state, player), line.laid(player))
        for name in self.dict.keys() & PIECES.keys():
            self.dict[name][...] = piece_of(row, name)
        if "dealt" in self.dict:
            for card in line.hand_dealt(player):
                self.dict["dealt"][card] += 1
        if "course" in self.dict:
            codes = course_codes(line.course)
            self.dict["course"][: len(codes)] = codes

    def string_from(self, state: ByzanzState, player: int) -> str:
        """Return what the player sees as text; with perfect recall, the information state."""
        line = state.line
        if line.state is None:
            return "dealing"
        texts: list[str] = []
        if self._recall:
            if self._private:
                texts.append(f"seat={player} dealt={_cards_text(line.hand_dealt(player))}")
            if self._public:
                texts.append("course=" + "; ".join(map(_event_text, line.course)))
        elif self._public:
            texts.append(write_view(view(line.state, player if self._private else None)))
        elif self._private:
            texts.append(f"seat={player} hidden={_cards_text(line.state.players[player].hidden)}")
        if self._private:
            texts.append(f"laid={_cards_text(line.laid(player))}")
        return " ".join(texts)


def _cards_text(cards: Cards) -> str:
    return "".join(map(str, cards)) or "-"


def _event_text(event: TurnedUp | Played) -> str:
    if isinstance(event, TurnedUp):
        return f"up {write_cards(event.cards)}"
    return f"{event.seat} {write_action(event.action)}"


pyspiel.register_game(_type("win"), ByzanzGame)
