"""Byzanz for Gymnasium: one learner against bots, and many such games at once.

Importing this module registers ``Byzanz-v0``. ``gymnasium.make("Byzanz-v0")`` makes a
:class:`ByzanzEnv`: one game on the readable engine, against any bots by name.
``gymnasium.make_vec("Byzanz-v0", num_envs=1024, vectorization_mode="vector_entry_point")`` makes a
:class:`ByzanzVectorEnv`: many games on the compiled engine, against its own policies.

**Observation.** A ``Dict`` with two entries. ``observation`` is a ``Box(0, 255, (FEATURES,),
uint8)`` with the pieces of :data:`byzanz.encoding.PIECES`; it holds only what the learner may know.
``action_mask`` is a ``Box(0, 1, (289,), int8)``, which is 1 for each legal number and all 0 when
the game is over. Seats are relative: slot 0 is the learner.

**Actions.** ``Discrete(289)``, the numbers of :mod:`byzanz.encoding.numbers`. A bid is laid card by
card, in face order, and then confirmed. After each action of the learner the others play until the
learner is on turn again. The learner cannot sell out of turn; bots can.

**Rewards.** ``"win"`` or ``"profit"``, at the end of the game: see :mod:`byzanz.envs.rewards`.

**Illegal numbers.** The game does not change, the reward is ``-illegal_penalty`` (-0.1 by default),
and ``info["refusal"]`` says why the number is illegal. A learner that plays only illegal numbers
never finishes a game; ``gymnasium.wrappers.TimeLimit`` stops it.

**End of a game.** ``terminated`` is true when the game is over, and ``info`` then holds ``profit``
and ``share`` (of the win) by seat. ``truncated`` is never true. The vector environment deals a new
game in the step after the end (Gymnasium's ``AutoresetMode.NEXT_STEP``): that step ignores the
game's action, its reward is 0, and it returns the first observation of the new game.

**Seeds.** ``reset(seed=7)`` deals the cards of seed 7 (``docs/dealing.md``) and seeds the bots from
it, as ``byzanz simulate --seed 7`` does. Game *i* of a vector is dealt from seed + *i*. Later games
follow from the seed too.

Both environments can be copied (``copy.deepcopy``) and pickled in the middle of a game; the copy
continues exactly as the original does.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from byzanz.bots import Bot, check_bot, make_bot
from byzanz.bots.referee import play_action, play_on
from byzanz.encoding import FEATURES, NUMBERS, IllegalNumber, Moment, action_of, features
from byzanz.fast import Batch, choose, sensible, step, write_features, write_mask
from byzanz.fast.layout import OVER, PHASE, TURN
from byzanz.fast.parallel import by_rows
from byzanz.fast.policy_ids import POLICIES
from byzanz.notation import write_cards, write_view
from byzanz.rules import SEEDS, SETUPS, Bid, Cards, Deal, Game, branch

from .observations import observation_space
from .rewards import batch_rewards, check_reward, rewards_of

Observation = dict[str, Any]

ILLEGAL_PENALTY = 0.1
"""The default penalty for an illegal number."""


def _check(players: int, seat: int | None, reward: str) -> None:
    check_reward(reward)
    if players not in SETUPS:
        raise ValueError(f"Byzanz is for {min(SETUPS)} to {max(SETUPS)} players, not {players}")
    if seat is not None and not 0 <= seat < players:
        raise ValueError(f"there is no seat {seat} at a table of {players}")


class ByzanzEnv(gymnasium.Env[Observation, np.int64]):
    """One learner against bots, on the readable rules.

    ``opponents`` are names of bots, starting on the learner's left. If there are more seats than
    names, the names are repeated. If ``seat`` is None, the learner's seat is drawn for each game.
    Raises ValueError or UnknownBot if an argument is invalid.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "human"], "render_fps": 1}  # type: ignore[misc]

    def __init__(  # noqa: PLR0913
        self,
        players: int = 4,
        opponents: Sequence[str] = ("greedy",),
        *,
        seat: int | None = 0,
        reward: str = "win",
        illegal_penalty: float = ILLEGAL_PENALTY,
        render_mode: str | None = None,
    ) -> None:
        _check(players, seat, reward)
        if not opponents:
            raise ValueError("a learner needs at least one opponent")
        for name in opponents:
            check_bot(name)
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"there is no render mode '{render_mode}'")
        self.players = players
        self.opponents = tuple(opponents)
        self.reward = reward
        self.illegal_penalty = illegal_penalty
        self.render_mode = render_mode
        self.observation_space = observation_space()
        self.action_space = spaces.Discrete(NUMBERS)
        self.seat = seat or 0
        """The learner's seat in the current game."""
        self._fixed_seat = seat
        self._bots: dict[int, Bot] = {}
        self._game: Game | None = None
        self._laid: Cards = ()

    @property
    def game(self) -> Game:
        """The current game with all hidden cards; the learner must not see it."""
        if self._game is None:
            raise gymnasium.error.ResetNeeded("there is no game before reset()")
        return self._game

    @property
    def moment(self) -> Moment:
        """The current state and the cards laid towards a bid; the learner must not see it."""
        return Moment(self.game.state, self._laid)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game and play it up to the learner's first decision.

        The option ``deal`` is a deal to play instead of the seed's; other options are ignored.
        """
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(SEEDS, dtype=np.uint64)) if seed is None else seed
        deal = (options or {}).get("deal") or Deal.from_seed(self.players, drawn)
        if len(deal.hands) != self.players:
            raise ValueError(f"the deal has {len(deal.hands)} players, the table {self.players}")
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(self.players))
        self.close()
        self._bots = {
            seat: make_bot(self._opponent(seat), branch(drawn, seat))
            for seat in range(self.players)
            if seat != self.seat
        }
        self._game, self._laid = play_on(Game.start(deal), self._bots), ()
        if self.render_mode == "human":
            self.render()
        return self._observation(), {}

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play this number for the learner, and the bots until the learner is on turn again."""
        moment, number = self.moment, int(action)
        if moment.state.turn is None:
            raise gymnasium.error.ResetNeeded("the game is over: reset() deals the next one")
        try:
            after = moment.play(number)
        except IllegalNumber as refused:
            refusal = {"refusal": str(refused), "legal": moment.legal()}
            return self._observation(), -self.illegal_penalty, False, False, refusal
        self._laid = after.laid
        if not after.laid:
            chosen = action_of(number) or Bid(moment.laid)
            after_action = play_action(self.game, self.seat, chosen, self._bots)
            self._game = play_on(after_action, self._bots)
        if self.render_mode == "human":
            self.render()
        if not self.game.over:
            return self._observation(), 0.0, False, False, {}
        result = self.game.result
        ending = {"profit": np.array(result.profit), "share": np.array(rewards_of(result, "win"))}
        reward = rewards_of(result, self.reward)[self.seat]
        return self._observation(), reward, True, False, ending

    def render(self) -> str | None:
        """Return the learner's view as a line of notation; in mode ``human`` print it."""
        text = write_view(self.game.view(self.seat))
        if self._laid:
            text += f" laid: {write_cards(self._laid)}"
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "human":
            sys.stdout.write(text + "\n")
        return None

    def close(self) -> None:
        """Close the bots of the current game, and end their programs if they have any."""
        for bot in self._bots.values():
            bot.close()

    def _opponent(self, seat: int) -> str:
        place = (seat - self.seat) % self.players - 1
        return self.opponents[place % len(self.opponents)]

    def _observation(self) -> Observation:
        mask = self.moment.mask().astype(np.int8)
        return {
            "observation": features(self.game.view(self.seat), self._laid),
            "action_mask": mask,
        }


_REFUSALS = np.array(
    [
        *(f"number {n} is not legal here; legal are those of the mask" for n in range(NUMBERS)),
        f"action numbers are 0 to {NUMBERS - 1}",
    ],
    dtype=object,
)
_NO_REFUSAL = np.array(None, dtype=object)


@by_rows(fewest=4)
def _play_all(  # noqa: PLR0913, PLR0917
    games: np.ndarray,
    numbers: np.ndarray,
    refused: np.ndarray,
    seats: np.ndarray,
    policy: int,
    masks: np.ndarray,
    rows: np.ndarray,
) -> None:
    """Play a number in each game, then the other seats until the learner is on turn.

    Games marked in ``refused`` skip the learner's number; a game whose number is illegal is marked
    there too. Then write the learners' masks and features.
    """
    for place in range(len(games)):
        game = games[place]
        if not refused[place]:
            number = numbers[place]
            write_mask(game, masks[place])
            if 0 <= number < NUMBERS and masks[place, number]:
                step(game, number)
            else:
                refused[place] = True
        while game[PHASE] != OVER and game[TURN] != seats[place]:
            step(game, sensible(game) if policy else choose(game))
        write_mask(game, masks[place])
        write_features(game, seats[place], rows[place])


class ByzanzVectorEnv(VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games on the compiled engine, each with one learner against one of its policies.

    ``opponent`` is ``"random"``, which plays all legal numbers with equal probability, or
    ``"sensible"``, a cheap heuristic. If ``seat`` is None, the learner's seat is drawn for each
    game. Raises ValueError if an argument is invalid.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "render_modes": [],
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(  # noqa: PLR0913
        self,
        num_envs: int = 1,
        players: int = 4,
        opponent: str = "random",
        *,
        seat: int | None = 0,
        reward: str = "win",
        illegal_penalty: float = ILLEGAL_PENALTY,
    ) -> None:
        _check(players, seat, reward)
        if opponent not in POLICIES:
            raise ValueError(f"there is no policy '{opponent}'; there are {', '.join(POLICIES)}")
        self.num_envs = num_envs
        self.players = players
        self.opponent = opponent
        self.reward = reward
        self.illegal_penalty = illegal_penalty
        self.single_observation_space = observation_space()
        self.single_action_space = spaces.Discrete(NUMBERS)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seats = np.full(num_envs, seat or 0, dtype=np.int64)
        """The learner's seat in each current game."""
        self.deals = np.zeros(num_envs, dtype=np.uint64)
        """The seeds of the current deals; learners must not see them."""
        self._fixed_seat = seat
        self._batch: Batch | None = None
        self._finished = np.zeros(num_envs, dtype=np.bool_)

    @property
    def batch(self) -> Batch:
        """The current games with all hidden cards; learners must not see them."""
        if self._batch is None:
            raise gymnasium.error.ResetNeeded("there are no games before reset()")
        return self._batch

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal new games and play each up to the learner's first decision."""
        super().reset(seed=seed)
        self._draw_deals(np.arange(self.num_envs))
        if seed is not None:
            self.deals = np.arange(self.num_envs, dtype=np.uint64) + np.uint64(seed)
        self._batch = Batch(self.players, self.deals)
        self._finished[:] = False
        skipped = np.ones(self.num_envs, dtype=np.bool_)
        return self._play_numbers(np.zeros(self.num_envs, dtype=np.int64), skipped), {}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        Observation,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Play each learner's number, and deal a new game where the last one is over."""
        batch, restarted = self.batch, self._finished
        numbers = np.asarray(actions, dtype=np.int64)
        if numbers.shape != (self.num_envs,):
            raise ValueError(f"expected {self.num_envs} numbers, not shape {numbers.shape}")
        if restarted.any():
            places = np.flatnonzero(restarted)
            self._draw_deals(places)
            batch.deal(places, self.deals[places])
        refused = restarted.copy()
        seen = self._play_numbers(numbers, refused)
        refused &= ~restarted
        rewards = np.where(refused, -self.illegal_penalty, 0.0)
        over = np.array(batch.over)
        infos: dict[str, Any] = {}
        if refused.any():
            known = np.where((numbers >= 0) & (numbers < NUMBERS), numbers, NUMBERS)
            infos["refusal"] = np.where(refused, _REFUSALS[known], _NO_REFUSAL)
            infos["_refusal"] = refused
        if over.any():
            profits, shares = batch.results()
            earned = batch_rewards(profits, shares, self.reward)
            rewards[over] = earned[over, self.seats[over]]
            infos["profit"] = np.where(over[:, None], profits, 0)
            infos["share"] = np.where(over[:, None], shares, 0.0)
            infos["_profit"], infos["_share"] = over.copy(), over.copy()
        self._finished = over
        return seen, rewards, over.copy(), np.zeros(self.num_envs, dtype=np.bool_), infos

    def _draw_deals(self, places: npt.NDArray[np.int64]) -> None:
        """Draw the next deals of these games, and the learners' seats if they are not fixed."""
        self.deals[places] = self.np_random.integers(SEEDS, size=len(places), dtype=np.uint64)
        if self._fixed_seat is None:
            self.seats[places] = self.np_random.integers(self.players, size=len(places))

    def _play_numbers(
        self, numbers: npt.NDArray[np.int64], refused: npt.NDArray[np.bool_]
    ) -> Observation:
        """Play these numbers, except where refused, and return the learners' observations."""
        masks = np.empty((self.num_envs, NUMBERS), dtype=np.int8)
        rows = np.empty((self.num_envs, FEATURES), dtype=np.uint8)
        policy = POLICIES[self.opponent]
        _play_all(self.batch.games, numbers, refused, self.seats, policy, masks, rows)
        return {"observation": rows, "action_mask": masks}


gymnasium.register(
    "Byzanz-v0",
    entry_point="byzanz.envs.gymnasium:ByzanzEnv",
    vector_entry_point="byzanz.envs.gymnasium:ByzanzVectorEnv",
)
