"""Between the engines: a moment becomes a record and back, and a view becomes a record."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from byzanz.encoding.moment import Moment
from byzanz.rules import (
    FACES,
    SETUPS,
    Card,
    Cards,
    Phase,
    Player,
    State,
    View,
    in_order,
    world,
    worth,
)
from byzanz.rules.cards import without

from . import layout as w
from .layout import (
    RECORD,
    Words,
)

Records = npt.NDArray[np.void]

_PHASES = list(Phase)

_ONE = [*(1 << 10 * good + shift for good in range(w.GOODS) for shift in (0, 3, 6, 8)), 0]
"""One card of each face, packed; merchants are not."""


def words_of(records: Records) -> Words:
    """The records as rows of words, the same memory: what the compiled functions work on."""
    return records.view(np.int64).reshape(*records.shape, w.WORDS)


def packed(cards: Iterable[Card]) -> int:
    """The goods among the cards, packed into a word; merchants are left out."""
    return sum([_ONE[card] for card in cards])


def unpacked(goods: int, merchants: int = 0) -> Cards:
    """The cards of a packed word, in face order, and so many merchants."""
    cards: list[Card] = []
    for face in range(0, w.GOODS_FACES, 4):
        lane = goods & w.LANE
        goods >>= 10
        if lane:
            counts = (lane & 7, lane >> 3 & 7, lane >> 6 & 3, lane >> 8)
            for value, count in enumerate(counts):
                cards += [FACES[face + value]] * count
    return (*cards, *(Card.M,) * merchants)


def to_record(moment: Moment, chance: int = 0) -> Records:
    """An array of one record that is this moment, with this state of the generator."""
    state, laid = moment
    words = [0] * w.DECK
    words[w.PLAYERS] = len(state.players)
    words[w.PHASE] = _PHASES.index(state.phase)
    words[w.TURN] = -1 if state.turn is None else state.turn
    words[w.STARTER] = state.starter
    words[w.STACK] = len(state.stack)
    words[w.TAKERS] = sum([(seat + 1) << 4 * place for place, seat in enumerate(state.takers)])
    words[w.DRAWN] = w.CARDS - len(state.deck)
    words[w.HIGHEST] = state.highest
    words[w.LAID] = packed(laid)
    for place, shift, cards in (
        (w.OFFER, w.OFFER_M, state.offer), (w.MARKET, w.MARKET_M, state.market),
        (w.GONE, w.GONE_M, state.gone),
    ):  # fmt: skip
        words[place] = packed(cards)
        words[w.MERCHANTS] += cards.count(Card.M) << shift
    for seat, player in enumerate(state.players):
        hand = without(player.hand, laid) if seat == state.turn else player.hand
        words[w.HAND + seat] = packed(hand)
        words[w.HIDDEN + seat] = packed(player.hidden)
        words[w.BID + seat] = packed(player.bid)
        words[w.KEPT + seat] = packed(player.kept)
        words[w.SEAT + seat] = _seat(player)
    order = bytearray(w.CARDS)
    dealt = 4 * len(state.players)
    order[dealt : dealt + len(state.removed)] = bytes(state.removed)
    order[w.CARDS - len(state.deck) :] = bytes(state.deck)
    records = np.zeros(1, dtype=RECORD)
    game = words_of(records)[0]
    game[: w.DECK] = words
    game[w.DECK :].view(np.uint8)[:] = order
    game[w.CHANCE : w.CHANCE + 1].view(np.uint64)[0] = chance
    return records


def view_to_record(seen: View, laid: Cards = (), chance: int = 0) -> Records:
    """An array of one record that the view allows; :func:`byzanz.fast.deal_unseen` makes others."""
    return to_record(Moment(world(seen, seen.pool), laid), chance)


def words_for(view: View, chance: int = 0) -> Words:
    """A record that the view allows, as words, with this state of the generator."""
    words: Words = words_of(view_to_record(view, chance=chance))[0]
    return words


def to_moment(game: np.void) -> Moment:
    """The moment that a record is."""
    players = int(game["players"])
    phase = _PHASES[int(game["phase"])]
    turn = int(game["turn"])
    laid = unpacked(int(game["laid"]))
    order = [FACES[face] for face in np.ascontiguousarray(game["cards"]).view(np.uint8).tolist()]
    setup = SETUPS[players]
    dealt = 4 * players
    state = State(
        phase=phase,
        turn=None if turn < 0 else turn,
        starter=int(game["starter"]),
        players=tuple(_player(game, seat, laid if seat == turn else ()) for seat in range(players)),
        stack=setup.offer_cards[: int(game["stack"])],
        takers=_takers(int(game["takers"])),
        offer=unpacked(int(game["offer"]), _byte(game["merchants"], w.OFFER_M)),
        market=unpacked(int(game["market"]), _byte(game["merchants"], w.MARKET_M)),
        deck=tuple(order[int(game["drawn"]) :]),
        removed=in_order(order[dealt : dealt + setup.removed]),
        gone=unpacked(int(game["gone"]), _byte(game["merchants"], w.GONE_M)),
    )
    return Moment(state, laid)


def _seat(player: Player) -> int:
    word = player.hand.count(Card.M) << w.HAND_M
    word |= player.hidden.count(Card.M) << w.HIDDEN_M
    word |= player.kept.count(Card.M) << w.KEPT_M
    word |= worth(player.bid) << w.WORTH
    word |= (player.offer_card or 0) << w.OFFER_CARD
    return word | (w.PASSED if player.passed else 0) | (w.DONE if player.done else 0)


def _player(game: np.void, seat: int, laid: Cards) -> Player:
    word = int(game["seat"][seat])
    hand = unpacked(int(game["hand"][seat]), _byte(word, w.HAND_M))
    return Player(
        hand=in_order(hand + laid),
        hidden=unpacked(int(game["hidden"][seat]), _byte(word, w.HIDDEN_M)),
        bid=unpacked(int(game["bid"][seat])),
        passed=bool(word & w.PASSED),
        offer_card=(word >> w.OFFER_CARD & 15) or None,
        kept=unpacked(int(game["kept"][seat]), _byte(word, w.KEPT_M)),
        done=bool(word & w.DONE),
    )


def _takers(word: int) -> tuple[int, ...]:
    seats = []
    while word:
        seats.append((word & 15) - 1)
        word >>= 4
    return tuple(seats)


def _byte(word: np.int64 | int, shift: int) -> int:
    return int(word) >> shift & 255
