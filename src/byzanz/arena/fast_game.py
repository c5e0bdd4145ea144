"""Matches on the compiled engine, converted to the actions and the result of a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from byzanz.encoding import action_of
from byzanz.fast import RECORD_LENGTH, deal, write_profits, write_shares
from byzanz.fast.layout import Ints
from byzanz.fast.playout import MOST_STEPS, play_out
from byzanz.rules import Bid, Card, Played, Result


def fast_match(players: int, seed: int, policies: Sequence[str]) -> tuple[Iterator[Played], Result]:
    """Play the game of a seed; return its actions, converted lazily, and its result."""
    game = np.zeros(RECORD_LENGTH, dtype=np.int64)
    numbers, seats = np.zeros((2, MOST_STEPS), dtype=np.int64)
    sensible = sum(1 << seat for seat, name in enumerate(policies) if name == "sensible")
    signed = int(np.array(seed, dtype=np.uint64).view(np.int64))
    deal(game, players, signed)
    count = play_out(game, sensible, numbers, seats)
    profits, shares = np.zeros(6, dtype=np.int64), np.zeros(6)
    write_profits(game, profits)
    write_shares(game, shares)
    result = Result(
        tuple(int(earned) for earned in profits[:players]),
        tuple(int(seat) for seat in np.flatnonzero(shares)),
    )
    return _plays(numbers[:count], seats[:count]), result


def _plays(numbers: Ints, seats: Ints) -> Iterator[Played]:
    """Yield whole actions: cards laid one by one become one bid."""
    laid: list[Card] = []
    for number, seat in zip(numbers.tolist(), seats.tolist(), strict=True):
        if number < len(Card) - 1:
            laid.append(Card(number))
        else:
            yield Played(seat, action_of(number) or Bid(tuple(laid)))
            laid = []
