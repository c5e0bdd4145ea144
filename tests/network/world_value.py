"""A readable implementation of the network search's evaluation of one world, for comparison."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from byzanz.fast import deal_unseen, layout, step, write_features, write_shares
from byzanz.fast.layout import Record
from byzanz.network import Network
from byzanz.network.forward import (
    choose_number,
    only_number,
    win_probabilities,
    write_choice_mask,
)


def value_in_world(network: Network, root: Record, seed: int, numbers: Sequence[int]) -> float:
    """Return the win probability that the seat on turn estimates at its next offer."""
    game, seat = root.copy(), int(root[layout.TURN])
    game[layout.CHANCE] = seed
    deal_unseen(game, seat)
    for number in numbers:
        step(game, number)
    row, mask, output, *_ = network.workspace
    while game[layout.PHASE] != layout.OVER:
        write_choice_mask(game, mask)
        own = game[layout.TURN] == seat and only_number(mask) < 0
        if own and game[layout.DRAWN] > root[layout.DRAWN] and game[layout.LAID] == 0:
            write_features(game, seat, row)
            win_probabilities(network.arrays, network.workspace)
            return float(output[0])
        step(game, choose_number(network.arrays, network.workspace, game, 0.0, 0.0))
    shares = np.zeros(6)
    write_shares(game, shares)
    return float(shares[seat])
