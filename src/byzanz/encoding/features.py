"""Features: a View as one row of bytes, in named pieces.

A row contains everything in the View except the events. It also contains the cards that the viewer
has laid towards a bid. Seats are relative: slot 0 is the viewer, slot 1 is the next seat on the
left, and so on; slots without a player are zero. So one network can play with 3 to 6 players.
Counts are not scaled; dividing by ``scales()`` scales them to roughly the range 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from byzanz.rules import Cards, Phase, View, profit, worth

SLOTS = 6
FACES = 25

Row = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Piece:
    """A named part of a row."""

    name: str
    shape: tuple[int, ...]
    scale: int
    """The approximate maximum of the part's values."""
    meaning: str
    start: int = 0

    @property
    def size(self) -> int:
        """The number of bytes."""
        return int(np.prod(self.shape))


def _laid_out(*pieces: Piece) -> dict[str, Piece]:
    placed: dict[str, Piece] = {}
    start = 0
    for piece in pieces:
        placed[piece.name] = Piece(piece.name, piece.shape, piece.scale, piece.meaning, start)
        start += piece.size
    return placed


PIECES: dict[str, Piece] = _laid_out(
    Piece("players", (4,), 1, "one-hot: 3, 4, 5 or 6 players"),
    Piece("phase", (6,), 1, "one-hot, in the order of Phase"),
    Piece("turn", (SLOTS,), 1, "one-hot: the slot to act; all zero once the game is over"),
    Piece("starter", (SLOTS,), 1, "one-hot: the slot that started the auction"),
    Piece("round", (1,), 8, "the current round, from 1"),
    Piece("rounds", (1,), 8, "the number of rounds of the game"),
    Piece("deck", (1,), 96, "cards left in the deck"),
    Piece("highest", (1,), 28, "the worth of the highest bid"),
    Piece("stack", (6,), 1, "for each offer card 1 to 6, whether it is still to be won"),
    Piece("takers", (SLOTS,), 6, "by slot, its place in the taking order, from 1; 0 if none"),
    Piece("hand", (FACES,), 2, "the viewer's hand without the laid cards"),
    Piece("hidden", (FACES,), 2, "the viewer's cards that the others have not seen"),
    Piece("laid", (FACES,), 2, "the cards the viewer has laid towards a bid"),
    Piece("offer", (FACES,), 2, "the offer"),
    Piece("market", (FACES,), 4, "the market"),
    Piece("gone", (FACES,), 6, "cards that left the game face up"),
    Piece("pool", (FACES,), 6, "cards the viewer has not seen"),
    Piece("known", (SLOTS, FACES), 2, "by slot, the cards publicly known to be in hand"),
    Piece("unknown", (SLOTS,), 4, "by slot, the number of hand cards nobody else has seen"),
    Piece("bid", (SLOTS, FACES), 2, "by slot, the bid"),
    Piece("worth", (SLOTS,), 28, "by slot, the worth of the bid"),
    Piece("passed", (SLOTS,), 1, "by slot, whether it has passed in this auction"),
    Piece("done", (SLOTS,), 1, "by slot, whether it is done in the final sale"),
    Piece("offer_card", (SLOTS, 6), 1, "by slot, the offer card won in this round"),
    Piece("kept", (SLOTS, FACES), 2, "by slot, the cards kept as profit"),
    Piece("profit", (SLOTS,), 40, "by slot, the profit of those cards"),
)
"""The pieces of a row, by name, in order."""

FEATURES = sum(piece.size for piece in PIECES.values())
"""The number of bytes in a row."""


def scales() -> npt.NDArray[np.float32]:
    """Return the scale of each byte; dividing by it scales a row to roughly the range 0 to 1."""
    parts = [np.full(piece.size, piece.scale, np.float32) for piece in PIECES.values()]
    return np.concatenate(parts)


def piece_of(row: Row, name: str) -> Row:
    """Return a piece of a row, or of each row of an array, reshaped to the piece's shape."""
    piece = PIECES[name]
    return row[..., piece.start : piece.start + piece.size].reshape(*row.shape[:-1], *piece.shape)


def features(seen: View, laid: Cards = ()) -> Row:
    """Return the features of a seat's view and of the cards it has laid towards a bid.

    Raises ValueError for a spectator's view.
    """
    if seen.seat is None:
        raise ValueError("a spectator has no features, because slots are relative to a seat")
    own, count = seen.seat, len(seen.players)
    seats = [seen.players[(own + slot) % count] for slot in range(count)]
    empty = SLOTS - count
    hand = _counts(seen.hand)
    for card in laid:
        hand[card] -= 1
    takers = [0] * SLOTS
    for place, seat in enumerate(seen.takers, start=1):
        takers[(seat - own) % count] = place
    values = {
        "players": _one_of(4, count - 3),
        "phase": _one_of(6, _PHASES.index(seen.phase)),
        "turn": _one_of(SLOTS, -1 if seen.turn is None else (seen.turn - own) % count),
        "starter": _one_of(SLOTS, (seen.starter - own) % count),
        "round": [seen.round],
        "rounds": [seen.setup.rounds],
        "deck": [seen.deck_size],
        "highest": [seen.highest],
        "stack": [int(card in seen.stack) for card in range(1, 7)],
        "takers": takers,
        "hand": hand,
        "hidden": _counts(seen.hidden),
        "laid": _counts(laid),
        "offer": _counts(seen.offer),
        "market": _counts(seen.market),
        "gone": _counts(seen.gone),
        "pool": _counts(seen.pool),
        "known": _flat([_counts(seat.known) for seat in seats], empty * FACES),
        "unknown": _flat([[seat.unknown for seat in seats]], empty),
        "bid": _flat([_counts(seat.bid) for seat in seats], empty * FACES),
        "worth": _flat([[worth(seat.bid) for seat in seats]], empty),
        "passed": _flat([[int(seat.passed) for seat in seats]], empty),
        "done": _flat([[int(seat.done) for seat in seats]], empty),
        "offer_card": _flat([_one_of(6, (seat.offer_card or 0) - 1) for seat in seats], empty * 6),
        "kept": _flat([_counts(seat.kept) for seat in seats], empty * FACES),
        "profit": _flat([[profit(seat.kept) for seat in seats]], empty),
    }
    return np.array([byte for name in PIECES for byte in values[name]], dtype=np.uint8)


_PHASES = list(Phase)


def _one_of(size: int, place: int) -> list[int]:
    """Return a one-hot list; all zeros for -1."""
    return [int(place == at) for at in range(size)]


def _counts(cards: Cards) -> list[int]:
    counts = [0] * FACES
    for card in cards:
        counts[card] += 1
    return counts


def _flat(parts: list[list[int]], more: int) -> list[int]:
    """Concatenate the parts and append ``more`` zeros for empty slots."""
    return [byte for part in parts for byte in part] + [0] * more
