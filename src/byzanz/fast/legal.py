"""Compiled functions that count, draw and mark the legal actions of the seat to act.

No function scans all 289 action numbers. The faces in a hand are the bits of an integer, and sales
are searched only among goods that can form a set.
"""

from __future__ import annotations

from byzanz.encoding.numbers import (
    CONFIRM,
    DISCARD,
    DONE,
    GIVE,
    NUMBERS,
    PASS,
    SELL,
    SETS_A_GOOD,
    TAKE,
)

from . import layout
from .bits import highest, lowest, ones
from .chance import draw
from .jit import entry, inlined, part, private
from .layout import (
    HAND,
    HAND_M,
    LANES,
    MARKET_M,
    OFFER_M,
    PHASE,
    SEAT,
    TURN,
    Bytes,
    Record,
    count_of,
    face_at,
    faces_in,
    worth_of,
)
from .play import _VALUES


@part
def cards_to_lay(game: Record) -> int:
    """Return, as bits, the faces that the seat to act may lay next towards a bid.

    Cards are laid in face order. A card may be laid only if the bid can then still beat the highest
    one.
    """
    seat = game[TURN]
    hand = game[HAND + seat]
    faces = faces_in(hand)
    laid = game[layout.LAID]
    short = game[layout.HIGHEST] - ((game[SEAT + seat] >> layout.WORTH) & 255)
    if laid:
        faces &= -1 << highest(faces_in(laid))
        short -= worth_of(laid)
    if short <= 0:
        return faces
    # Add up the worth of the hand from the highest face down. The seat may lay the face at which
    # the sum is enough, and all lower faces.
    reach = 0
    rest = faces
    while rest:
        top = highest(rest)
        face = face_at(top)
        reach += (1 + (face & 3)) * count_of(hand, face)
        if reach > short:
            return rest
        rest ^= 1 << top
    return 0


@part
def may_confirm(game: Record) -> bool:
    """Return whether the laid cards make a bid that beats the highest (R3.3)."""
    laid = game[layout.LAID]
    own = (game[SEAT + game[TURN]] >> layout.WORTH) & 255
    return laid != 0 and own + worth_of(laid) > game[layout.HIGHEST]


@inlined
def goods_with_sets(hand: int, merchants: int) -> int:
    """Return the lowest bit of each good that forms a set, alone or with merchants."""
    sizes = (
        (hand & (7 * LANES))
        + ((hand >> 3) & (7 * LANES))
        + ((hand >> 6) & (3 * LANES))
        + ((hand >> 8) & (3 * LANES))
    )
    needed = 3 - merchants
    needed = max(needed, 1)
    return ((sizes + (16 - needed) * LANES) >> 4) & LANES


@part
def sets_of_good(lane: int, merchants: int) -> int:
    """Return how many different sets one good's packed cards and these merchants can form."""
    first, second, third, fourth = lane & 7, (lane >> 3) & 7, (lane >> 6) & 3, lane >> 8
    single = int(first > 0) + int(second > 0) + int(third > 0) + int(fourth > 0)
    double = int(first > 1) + int(second > 1) + int(third > 1) + int(fourth > 1)
    triple = int(first > 2) + int(second > 2) + int(third > 2)
    sets = single * (single - 1) * (single - 2) // 6 + double * (single - 1) + triple
    if merchants > 0:
        sets += single * (single - 1) // 2 + double
    if merchants > 1:
        sets += single
    return sets


@part
def sales(hand: int, merchants: int) -> int:
    """Return the number of different sets in a hand (R5)."""
    goods = goods_with_sets(hand, merchants)
    count = 1 if merchants > 2 else 0
    while goods:
        count += sets_of_good((hand >> lowest(goods)) & layout.LANE, merchants)
        goods &= goods - 1
    return count


@inlined
def _has_set(lane: int, merchants: int, kind: int) -> bool:
    """Return whether one good's packed cards and these merchants contain this kind of set."""
    first, second, third = _VALUES[kind, 0], _VALUES[kind, 1], _VALUES[kind, 2]
    if third == 4:
        if second == 4:
            return merchants > 1 and count_of(lane, first) > 0
        return (
            merchants > 0
            and count_of(lane, second) > int(first == second)
            and (count_of(lane, first) > 0)
        )
    return (
        count_of(lane, first) > 0
        and count_of(lane, second) > int(first == second)
        and count_of(lane, third) > int(first == third) + int(second == third)
    )


@part
def sale_number(hand: int, merchants: int, place: int) -> int:
    """Return the action number of the n-th set in a hand; ``place`` counts from 0."""
    goods = goods_with_sets(hand, merchants)
    while goods:
        shift = lowest(goods)
        lane = (hand >> shift) & layout.LANE
        count = sets_of_good(lane, merchants)
        if place < count:
            for kind in range(SETS_A_GOOD):
                if _has_set(lane, merchants, kind):
                    if place == 0:
                        return SELL + (shift // 10) * SETS_A_GOOD + kind
                    place -= 1
        place -= count
        goods &= goods - 1
    return NUMBERS - 1


@part
def kinds_in_market(game: Record) -> int:
    """Return, as bits, the kinds in the market."""
    lanes = lanes_in(game[layout.MARKET])
    kinds = 1 << layout.GOODS if (game[layout.MERCHANTS] >> MARKET_M) & 255 else 0
    while lanes:
        kinds |= 1 << (lowest(lanes) // 10)
        lanes &= lanes - 1
    return kinds


@entry
def choose(game: Record) -> int:  # noqa: C901, PLR0912
    """Draw a legal action number uniformly, with the record's random generator.

    The legal numbers are counted in this order: the bits of ``faces``, then ``other`` if there is
    one, then sales.
    """
    seat = game[TURN]
    phase = game[PHASE]
    hand = game[HAND + seat]
    merchants = (game[SEAT + seat] >> HAND_M) & 255
    faces, first, other = 0, 0, -1
    if phase == layout.AUCTION:
        faces = cards_to_lay(game)
        if game[layout.LAID] == 0:
            other = PASS
        elif may_confirm(game):
            other = CONFIRM
    elif phase == layout.GIVE:
        faces, first = faces_in(game[layout.OFFER]), GIVE
        if (game[layout.MERCHANTS] >> OFFER_M) & 255:
            other = GIVE + layout.MERCHANT
    elif phase == layout.TAKE:
        faces, first = lanes_in(game[layout.MARKET]), TAKE
        if (game[layout.MERCHANTS] >> MARKET_M) & 255:
            other = TAKE + layout.GOODS
    elif phase == layout.LIMIT:
        faces, first = faces_in(hand), DISCARD
        if merchants:
            other = DISCARD + layout.MERCHANT
    else:
        other = DONE
    count = ones(faces)
    answers = count + int(other >= 0)
    drawn = draw(game, answers + (sales(hand, merchants) if game[layout.LAID] == 0 else 0))
    if drawn >= answers:
        return sale_number(hand, merchants, drawn - answers)
    if drawn == count:
        return other
    for _ in range(drawn):
        faces &= faces - 1
    shift = lowest(faces)
    return first + (shift // 10 if phase == layout.TAKE else face_at(shift))


@inlined
def lanes_in(packed: int) -> int:
    """Return the lowest bit of each good that the packed integer contains."""
    faces = faces_in(packed)
    return (faces | (faces >> 3) | (faces >> 6) | (faces >> 8)) & LANES


@entry
def write_mask(game: Record, mask: Bytes) -> None:
    """Set ``mask`` to 1 for the legal numbers of the seat to act, and to 0 for all others."""
    for number in range(NUMBERS):
        mask[number] = 0
    phase = game[PHASE]
    if phase == layout.OVER:
        return
    hand = game[HAND + game[TURN]]
    merchants = (game[SEAT + game[TURN]] >> HAND_M) & 255
    faces, first, some = 0, 0, 0
    if phase == layout.AUCTION:
        faces = cards_to_lay(game)
        mask[CONFIRM] = may_confirm(game)
        mask[PASS] = game[layout.LAID] == 0
    elif phase == layout.GIVE:
        faces, first, some = (
            faces_in(game[layout.OFFER]),
            GIVE,
            (game[layout.MERCHANTS] >> OFFER_M) & 255,
        )
    elif phase == layout.TAKE:
        kinds = kinds_in_market(game)
        while kinds:
            mask[TAKE + lowest(kinds)] = 1
            kinds &= kinds - 1
    elif phase == layout.LIMIT:
        faces, first, some = faces_in(hand), DISCARD, merchants
    else:
        mask[DONE] = 1
    while faces:
        mask[first + face_at(lowest(faces))] = 1
        faces &= faces - 1
    if some:
        mask[first + layout.MERCHANT] = 1
    if game[layout.LAID] == 0:
        _write_sales(mask, hand, merchants)


@private
def _write_sales(mask: Bytes, hand: int, merchants: int) -> None:
    goods = goods_with_sets(hand, merchants)
    while goods:
        shift = lowest(goods)
        lane = (hand >> shift) & layout.LANE
        first = SELL + (shift // 10) * SETS_A_GOOD
        for kind in range(SETS_A_GOOD):
            mask[first + kind] = _has_set(lane, merchants, kind)
        goods &= goods - 1
    if merchants > 2:
        mask[NUMBERS - 1] = 1
