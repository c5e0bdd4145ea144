"""How an answer fares in one world, played out step by step: what search must find."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from byzanz.fast import deal_unseen, step, write_features, write_shares
from byzanz.fast import layout as w
from byzanz.fast.layout import Words
from byzanz.network import Network
from byzanz.network.forward import chances, number_for, only_number, write_choices


def outlook(network: Network, root: Words, seed: int, numbers: Sequence[int]) -> float:
    """How likely the seat on turn is to win, as it sees it itself at its next offer."""
    game, seat = root.copy(), int(root[w.TURN])
    game[w.CHANCE] = seed
    deal_unseen(game, seat)
    for number in numbers:
        step(game, number)
    row, mask, shares, *_ = network.room
    while game[w.PHASE] != w.OVER:
        write_choices(game, mask)
        own = game[w.TURN] == seat and only_number(mask) < 0
        if own and game[w.DRAWN] > root[w.DRAWN] and game[w.LAID] == 0:
            write_features(game, seat, row)
            chances(network.parts, network.room)
            return float(shares[0])
        step(game, number_for(network.parts, network.room, game, 0.0))
    won = np.zeros(6)
    write_shares(game, won)
    return float(won[seat])
