"""Byzanz for Gymnasium: one learner against bots, and many such games at once.

Importing this module registers ``Byzanz-v0``: ``gymnasium.make("Byzanz-v0")`` makes a
:class:`ByzanzEnv`, one game on the readable engine against any bots by name, and
``gymnasium.make_vec("Byzanz-v0", num_envs=1024, vectorization_mode="vector_entry_point")`` a
:class:`ByzanzVectorEnv`, many games on the compiled engine against its own policies.

**Observation.** ``Dict``: ``observation`` ``Box(0, 255, (FEATURES,), uint8)``, what the learner may
know and nothing else, in the pieces of :data:`byzanz.encoding.PIECES`; ``action_mask`` ``Box(0, 1,
(289,), int8)``, 1 for each legal number, all 0 once the game is over. Seats are relative: slot 0 is
the learner.

**Actions.** ``Discrete(289)``, the numbers of :mod:`byzanz.encoding.numbers`. A bid is laid card by
card, in face order, and then confirmed. After each number the others play until the learner is to
act again. The learner cannot sell out of turn; bots may.

**Rewards.** ``"win"`` or ``"profit"``, see :mod:`byzanz.envs.rewards`; they come at the end.

**Illegal numbers.** Nothing changes, the step costs ``illegal_penalty`` (0.1 unless told), and
``info["refusal"]`` says so. A learner that plays nothing else never comes to an end:
``gymnasium.wrappers.TimeLimit`` helps.

**The end.** ``terminated`` is true once the game is over, and ``info`` then holds ``profit`` and
``share`` (of the win) by seat. Nothing is truncated. A vector deals finished games anew in the
next step (Gymnasium's ``AutoresetMode.NEXT_STEP``): that step ignores their actions, rewards them
with 0 and returns the first observation of the new game.

**Chance.** ``reset(seed=7)`` deals what seed 7 stands for (``docs/dealing.md``) and seeds the bots
from it, as ``byzanz simulate --seed 7`` does; game *i* of a vector is dealt from seed + *i*. Later
games follow from the seed as well.

Both can be copied (``copy.deepcopy``) and pickled in the middle of a game; the copy goes on exactly
as the original does.
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

from byzanz.arena import offer_sales
from byzanz.bots import Bot, check_bot, make_bot
from byzanz.encoding import FEATURES, NUMBERS, IllegalNumber, Moment, action_of, features
from byzanz.fast import Batch, choose, sensible, step, write_features, write_mask
from byzanz.fast.layout import OVER, PHASE, TURN
from byzanz.fast.parallel import by_rows
from byzanz.fast.policies import POLICIES
from byzanz.notation import write_cards, write_view
from byzanz.rules import SEEDS, SETUPS, Bid, Cards, Deal, Game, branch

from .observations import observation_space
from .rewards import check_reward, rewards_of, rewards_of_all

Observation = dict[str, Any]

ILLEGAL_PENALTY = 0.1
"""What an illegal number costs unless told."""


def _check(players: int, seat: int | None, reward: str) -> None:
    check_reward(reward)
    if players not in SETUPS:
        raise ValueError(f"Byzanz is for {min(SETUPS)} to {max(SETUPS)} players, not {players}")
    if seat is not None and not 0 <= seat < players:
        raise ValueError(f"there is no seat {seat} at a table of {players}")


class ByzanzEnv(gymnasium.Env[Observation, np.int64]):
    """One learner against bots, refereed by the readable rules.

    ``opponents`` are names of bots, from the learner's left on, repeated if they are fewer than
    the seats. With ``seat`` None the learner's seat is drawn for each game.
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
        """Where the learner sits in the present game."""
        self._wanted = seat
        self._bots: dict[int, Bot] = {}
        self._game: Game | None = None
        self._laid: Cards = ()

    @property
    def game(self) -> Game:
        """The present game, hidden cards too: not for the learner."""
        if self._game is None:
            raise gymnasium.error.ResetNeeded("there is no game before reset()")
        return self._game

    @property
    def moment(self) -> Moment:
        """The present state and what is laid towards a bid: not for the learner."""
        return Moment(self.game.state, self._laid)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new game has been dealt and played up to the learner's first decision.

        The option ``deal`` is a deal to play instead of the seed's; other options are ignored.
        """
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(SEEDS, dtype=np.uint64)) if seed is None else seed
        deal = (options or {}).get("deal") or Deal.from_seed(self.players, drawn)
        if len(deal.hands) != self.players:
            raise ValueError(f"a deal for {len(deal.hands)} players at a table of {self.players}")
        if self._wanted is None:
            self.seat = int(self.np_random.integers(self.players))
        self.close()
        self._bots = {
            seat: make_bot(self._opponent(seat), branch(drawn, seat))
            for seat in range(self.players)
            if seat != self.seat
        }
        self._game, self._laid = Game.start(deal), ()
        self._play_on()
        if self.render_mode == "human":
            self.render()
        return self._observation(), {}

    def step(self, action: int | np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """The learner has played this number, and the bots until the learner is to act again."""
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
            self._game = self.game.play(self.seat, action_of(number) or Bid(moment.laid))
            self._game = offer_sales(self.game, self._bots)
            self._play_on()
        if self.render_mode == "human":
            self.render()
        if not self.game.over:
            return self._observation(), 0.0, False, False, {}
        result = self.game.result
        ending = {"profit": np.array(result.profit), "share": np.array(rewards_of(result, "win"))}
        reward = rewards_of(result, self.reward)[self.seat]
        return self._observation(), reward, True, False, ending

    def render(self) -> str | None:
        """What the learner sees as a line of notation; ``human`` prints it."""
        text = write_view(self.game.view(self.seat))
        if self._laid:
            text += f" laid: {write_cards(self._laid)}"
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "human":
            sys.stdout.write(text + "\n")
        return None

    def close(self) -> None:
        """The bots of the present game are dismissed, with their programs if they have any."""
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

    def _play_on(self) -> None:
        """The bots have played until the learner is to act or the game is over."""
        while (seat := self.game.state.turn) is not None and seat != self.seat:
            self._game = self.game.play(seat, self._bots[seat].choose(self.game.view(seat)))
            self._game = offer_sales(self.game, self._bots)


_REFUSALS = np.array(
    [
        *(f"number {n} is not legal here; legal are those of the mask" for n in range(NUMBERS)),
        f"action numbers are 0 to {NUMBERS - 1}",
    ],
    dtype=object,
)
_NOTHING = np.array(None, dtype=object)


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
    """Plays each game's number but where it is refused, then the others up to the learner's turn.

    What is refused beforehand is skipped; an illegal number is marked as refused. Then writes the
    learners' masks and features.
    """
    for game in range(len(games)):
        words = games[game]
        if not refused[game]:
            number = numbers[game]
            write_mask(words, masks[game])
            if 0 <= number < NUMBERS and masks[game, number]:
                step(words, number)
            else:
                refused[game] = True
        while words[PHASE] != OVER and words[TURN] != seats[game]:
            step(words, sensible(words) if policy else choose(words))
        write_mask(words, masks[game])
        write_features(words, seats[game], rows[game])


class ByzanzVectorEnv(VectorEnv[Observation, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """Many games on the compiled engine, in each one learner against one of its policies.

    ``opponent`` is ``"random"``, all legal numbers alike, or ``"sensible"``, a cheap heuristic.
    With ``seat`` None the learner's seat is drawn for each game.
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
        """Where the learner sits in each present game."""
        self.deals = np.zeros(num_envs, dtype=np.uint64)
        """The seeds of the present deals: not for learners."""
        self._wanted = seat
        self._batch: Batch | None = None
        self._finished = np.zeros(num_envs, dtype=np.bool_)

    @property
    def batch(self) -> Batch:
        """The present games, hidden cards too: not for learners."""
        if self._batch is None:
            raise gymnasium.error.ResetNeeded("there are no games before reset()")
        return self._batch

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, dict[str, Any]]:
        """New games have been dealt and played up to each learner's first decision."""
        super().reset(seed=seed)
        self._draw(np.arange(self.num_envs))
        if seed is not None:
            self.deals = np.arange(self.num_envs, dtype=np.uint64) + np.uint64(seed)
        self._batch = Batch(self.players, self.deals)
        self._finished[:] = False
        skipped = np.ones(self.num_envs, dtype=np.bool_)
        return self._played(np.zeros(self.num_envs, dtype=np.int64), skipped), {}

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[
        Observation,
        npt.NDArray[np.float64],
        npt.NDArray[np.bool_],
        npt.NDArray[np.bool_],
        dict[str, Any],
    ]:
        """Each learner has played its number; games that were over have been dealt anew."""
        batch, begun = self.batch, self._finished
        numbers = np.asarray(actions, dtype=np.int64)
        if numbers.shape != (self.num_envs,):
            raise ValueError(f"{self.num_envs} games need as many numbers, not {numbers.shape}")
        if begun.any():
            places = np.flatnonzero(begun)
            self._draw(places)
            batch.deal(places, self.deals[places])
        refused = begun.copy()
        seen = self._played(numbers, refused)
        refused &= ~begun
        rewards = np.where(refused, -self.illegal_penalty, 0.0)
        over = np.array(batch.over)
        infos: dict[str, Any] = {}
        if refused.any():
            known = np.where((numbers >= 0) & (numbers < NUMBERS), numbers, NUMBERS)
            infos["refusal"] = np.where(refused, _REFUSALS[known], _NOTHING)
            infos["_refusal"] = refused
        if over.any():
            profits, shares = batch.results()
            earned = rewards_of_all(profits, shares, self.reward)
            rewards[over] = earned[over, self.seats[over]]
            infos["profit"] = np.where(over[:, None], profits, 0)
            infos["share"] = np.where(over[:, None], shares, 0.0)
            infos["_profit"], infos["_share"] = over.copy(), over.copy()
        self._finished = over
        return seen, rewards, over.copy(), np.zeros(self.num_envs, dtype=np.bool_), infos

    def _draw(self, places: npt.NDArray[np.int64]) -> None:
        """The next deals of these games, and seats if they are to be drawn, are decided."""
        self.deals[places] = self.np_random.integers(SEEDS, size=len(places), dtype=np.uint64)
        if self._wanted is None:
            self.seats[places] = self.np_random.integers(self.players, size=len(places))

    def _played(
        self, numbers: npt.NDArray[np.int64], refused: npt.NDArray[np.bool_]
    ) -> Observation:
        """The learners' observations once these numbers are played, but where refused."""
        masks = np.empty((self.num_envs, NUMBERS), dtype=np.int8)
        rows = np.empty((self.num_envs, FEATURES), dtype=np.uint8)
        policy = POLICIES[self.opponent]
        _play_all(self.batch.words, numbers, refused, self.seats, policy, masks, rows)
        return {"observation": rows, "action_mask": masks}


gymnasium.register(
    "Byzanz-v0",
    entry_point="byzanz.envs.gymnasium:ByzanzEnv",
    vector_entry_point="byzanz.envs.gymnasium:ByzanzVectorEnv",
)
