"""A batch of games with the interface of a vector environment, played on all cores.

``reset`` and ``step`` return observations as users of pgx and EnvPool expect. They check their
arguments; :meth:`Batch.step_unchecked` does not, and returns the batch's own arrays.
"""

from __future__ import annotations

from operator import index
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from byzanz.encoding.features import FEATURES
from byzanz.encoding.numbers import NUMBERS
from byzanz.rules.deal import setup_for

from . import layout
from .arguments import integers, places_of, seeds_of
from .convert import Records, rows_of
from .layout import LAID, OVER, PHASE, RECORD, SEATS, TURN, Ints
from .loops import (
    check_all,
    choose_all,
    deal_all,
    deal_unseen_all,
    features_all,
    finish_all,
    finish_sensibly_all,
    mask_all,
    redeal_all,
    reseed_all,
    results_all,
    step_all,
)
from .policy_ids import POLICIES

Observation = dict[str, npt.NDArray[np.uint8]]
"""For the seat to act in each game, its features (``observation``) and mask (``action_mask``)."""


class Step(NamedTuple):
    """What a step of all games returns."""

    observations: Observation
    """The observations of the seats to act next; in a new game, that of its starter."""
    rewards: npt.NDArray[np.float64]
    """By game and seat, the share of the win if the game ended with this step, otherwise 0."""
    terminated: npt.NDArray[np.bool_]
    """Which games ended with this step."""
    info: dict[str, Any]
    """``turns``: the seat to act in each game. ``profit``, only if a game ended with this step: the
    profits by game and seat before new games are dealt."""


class Batch:
    """A batch of games with the same number of players, and arrays for their observations.

    ``records`` is the structured array of all games, ``games`` the same memory as rows of integers.
    ``masks`` and ``rows`` hold the last observation. With ``autoreset``, a game that ends is
    replaced in the same step by a new one, whose seed the old game's random generator draws.
    """

    def __init__(self, players: int, seeds: npt.ArrayLike, *, autoreset: bool = False) -> None:
        """Deal one game for each seed (unsigned 64-bit).

        Raises IllegalDeal if there is no game for this number of players (R2.1).
        """
        setup_for(index(players))
        dealt = seeds_of(seeds)
        self._hold(np.zeros(len(dealt), dtype=RECORD), index(players), autoreset=autoreset)
        deal_all(self.games, self.players, dealt)

    def _hold(self, records: Records, players: int, *, autoreset: bool) -> None:
        self.players = players
        self.autoreset = autoreset
        self.records: Records = records
        self.games = rows_of(records)
        self.masks = np.zeros((len(records), NUMBERS), dtype=np.uint8)
        self.rows = np.zeros((len(records), FEATURES), dtype=np.uint8)

    @classmethod
    def from_records(cls, records: Records, *, autoreset: bool = False) -> Batch:
        """Return a batch of copies of these records, of dtype :data:`byzanz.fast.RECORD`.

        Copies of one record also have copies of its random generator: :meth:`reseed` makes them
        play differently. Raises TypeError or ValueError unless all are records of games with the
        same number of players.
        """
        found = np.atleast_1d(np.asarray(records))
        if found.dtype != RECORD or found.ndim != 1:
            raise TypeError(f"records must be an array of dtype RECORD, not {found.dtype}")
        players = np.unique(found["players"])
        if len(players) != 1:
            raise ValueError(f"the records of a batch must have one player count, not {players}")
        setup_for(int(players[0]))
        batch = cls.__new__(cls)
        batch._hold(np.array(found, copy=True), int(players[0]), autoreset=autoreset)
        return batch

    def copy(self) -> Batch:
        """Return a batch with copies of all games, which continue identically."""
        return self[:]

    def __getitem__(self, which: int | slice | npt.ArrayLike) -> Batch:
        """Return a batch with copies of the games at an index, a slice, indexes or a mask."""
        if not isinstance(which, slice):
            which = places_of(np.atleast_1d(np.asarray(which)), len(self))
        batch = type(self).__new__(type(self))
        batch._hold(self.records[which].copy(), self.players, autoreset=self.autoreset)
        return batch

    def __len__(self) -> int:
        return len(self.records)

    def __repr__(self) -> str:
        over = int(self.over.sum())
        return f"<Batch of {len(self):,} games with {self.players} players, {over:,} over>"

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.games = rows_of(self.records)  # shares memory with this object's records

    @property
    def turns(self) -> Ints:
        """The seat to act in each game, as a new array; -1 if the game is over."""
        return self.games[:, TURN].copy()

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which games are over."""
        return np.asarray(self.games[:, PHASE] == OVER)

    def reset(self, seeds: npt.ArrayLike | None = None) -> tuple[Observation, dict[str, Any]]:
        """Deal a new game in each place, and return the first observations and an info.

        Without seeds, the random generator of each game draws the seed of the next game.
        """
        if seeds is None:
            redeal_all(self.games, np.ones(len(self), dtype=np.uint8))
        else:
            deal_all(self.games, self.players, seeds_of(seeds, len(self)))
        return self._observations(copy=True), {"turns": self.turns}

    def deal(self, places: npt.ArrayLike, seeds: npt.ArrayLike) -> None:
        """Deal new games at these places, one for each seed."""
        at = places_of(places, len(self))
        fresh = np.zeros((len(at), layout.RECORD_LENGTH), dtype=np.int64)
        deal_all(fresh, self.players, seeds_of(seeds, len(at)))
        self.games[at] = fresh

    def reseed(self, seeds: npt.ArrayLike) -> None:
        """Set the random generators, so that copies of a game make different random choices.

        The cards stay as they are; :meth:`deal_unseen` deals the unseen ones again.
        """
        reseed_all(self.games, seeds_of(seeds, len(self)))

    def deal_unseen(self, seats: npt.ArrayLike) -> None:
        """Shuffle, in each game, the cards that the given seat has not seen.

        Raises ValueError if there is no such seat, or if another seat has laid cards towards a bid.
        """
        viewers = integers(seats, "seats", len(self)).astype(np.int64)
        if ((viewers < 0) | (viewers >= self.players)).any():
            raise ValueError(f"seats are 0 to {self.players - 1}")
        if ((self.games[:, LAID] != 0) & (self.games[:, TURN] != viewers)).any():
            raise ValueError("another seat is laying cards for a bid in one of these games")
        deal_unseen_all(self.games, viewers)

    def observe(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return the masks and features of the seats to act.

        Every call overwrites and returns the same two arrays.
        """
        mask_all(self.games, self.masks)
        features_all(self.games, self.rows)
        return self.masks, self.rows

    def step(self, numbers: npt.ArrayLike) -> Step:
        """Play one action number in each game that is not over; return new arrays.

        Raises TypeError if the numbers are not integers, and ValueError if there is not one for
        each game or if one is illegal. Then no game is changed.
        """
        chosen = integers(numbers, "action numbers", len(self)).astype(np.int64)
        illegal = np.zeros(len(self), dtype=np.uint8)
        check_all(self.games, chosen, self.masks, illegal)
        if illegal.any():
            raise ValueError(f"illegal action numbers in games {np.flatnonzero(illegal)[:10]}")
        return self._step(chosen, copy=True)

    def step_unchecked(self, numbers: Ints) -> Step:
        """Play one action number in each game that is not over, without checking the numbers.

        ``numbers`` is an int64 array. The observations are ``rows`` and ``masks``, which the next
        call overwrites. An illegal number leaves a game in an impossible state.
        """
        return self._step(numbers, copy=False)

    def _step(self, numbers: Ints, *, copy: bool) -> Step:
        going = self.games[:, PHASE] != OVER
        step_all(self.games, numbers)
        terminated = going & self.over
        rewards = np.zeros((len(self), self.players))
        info: dict[str, Any] = {}
        if terminated.any():
            profits, shares = self.results()
            rewards[terminated] = shares[terminated]
            info["profit"] = profits
            if self.autoreset:
                redeal_all(self.games, terminated.view(np.uint8))
        info["turns"] = self.turns
        return Step(self._observations(copy=copy), rewards, terminated, info)

    def _observations(self, *, copy: bool) -> Observation:
        masks, rows = self.observe()
        if copy:
            masks, rows = masks.copy(), rows.copy()
        return {"observation": rows, "action_mask": masks}

    def choose(self) -> Ints:
        """Return a legal action number, drawn uniformly, for each game that is not over."""
        numbers = np.zeros(len(self), dtype=np.int64)
        choose_all(self.games, numbers)
        return numbers

    def finish(self, policy: str = "random") -> tuple[int, int]:
        """Play all games to their end; return how many steps and whole actions they took.

        ``policy`` is ``random`` or ``sensible``. A step is one action number.
        """
        if policy not in POLICIES:
            raise ValueError(f"there is no policy '{policy}'; there are {', '.join(POLICIES)}")
        steps = np.zeros(len(self), dtype=np.int64)
        actions = np.zeros(len(self), dtype=np.int64)
        finish = (finish_all, finish_sensibly_all)[POLICIES[policy]]
        finish(self.games, steps, actions)
        return int(steps.sum()), int(actions.sum())

    def results(self) -> tuple[Ints, npt.NDArray[np.float64]]:
        """Return each seat's current profit and share of the win."""
        profits = np.zeros((len(self), SEATS), dtype=np.int64)
        shares = np.zeros((len(self), SEATS))
        results_all(self.games, profits, shares)
        return profits[:, : self.players], shares[:, : self.players]
