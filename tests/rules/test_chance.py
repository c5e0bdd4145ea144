"""Seeded random numbers, compared with SplitMix64 as its authors published it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from byzanz.rules import ALL_CARDS, SEEDS, Card, Chance, Deal, branch
from byzanz.rules.chance import mixed

from .positions import TABLES

SAMPLE = [0, 1, 2, 41, 1234567, 2**32, 2**63, 2**64 - 1]


def stirred(z: int) -> int:
    z ^= z >> 30
    z = (z * 0xBF58476D1CE4E5B9) % 2**64
    z ^= z >> 27
    z = (z * 0x94D049BB133111EB) % 2**64
    return z ^ (z >> 31)


def reference(seed: int) -> Iterator[int]:
    """Yield the numbers of SplitMix64: a counter grows by the golden gamma and is then mixed."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        yield stirred(state)


def shuffled(seed: int) -> list[Card]:
    """Shuffle all cards: swap each place, from the last down, with a random place up to it."""
    words = reference(seed)
    pile = list(ALL_CARDS)
    for place in range(len(pile) - 1, 0, -1):
        other = ((next(words) >> 32) * (place + 1)) >> 32
        pile[place], pile[other] = pile[other], pile[place]
    return pile


def test_the_published_numbers_of_seed_1234567() -> None:
    chance = Chance(1234567)
    assert [chance.word() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@pytest.mark.parametrize("seed", SAMPLE)
def test_words_are_those_of_splitmix64(seed: int) -> None:
    chance = Chance(seed)
    assert [chance.word() for _ in range(50)] == list(islice(reference(seed), 50))


@pytest.mark.parametrize("word", SAMPLE)
def test_words_are_mixed_as_published(word: int) -> None:
    assert mixed(word) == stirred(word)


def test_the_number_of_seeds() -> None:
    assert SEEDS == 18446744073709551616


@pytest.mark.parametrize("seed", [-1, -(2**64), 2**64, 2**64 + 5])
def test_a_bad_seed_is_refused(seed: int) -> None:
    expected = f"^a seed is a whole number from 0 to 18446744073709551615, not {seed}$"
    with pytest.raises(ValueError, match=expected):
        Chance(seed)


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 112, 2**31, 2**32])
def test_numbers_below_a_bound(bound: int) -> None:
    chance = Chance(5)
    found = [chance.below(bound) for _ in range(300)]
    assert found == [((word >> 32) * bound) >> 32 for word in islice(reference(5), 300)]
    assert min(found) >= 0
    assert max(found) < bound
    if bound <= 6:
        assert set(found) == set(range(bound))


def test_a_choice_is_one_of_the_items() -> None:
    chance = Chance(8)
    found = [chance.choice("abcde") for _ in range(100)]
    assert found == ["abcde"[((word >> 32) * 5) >> 32] for word in islice(reference(8), 100)]
    assert set(found) == set("abcde")


@pytest.mark.parametrize("seed", SAMPLE)
def test_a_shuffle_is_a_permutation_that_depends_on_the_seed(seed: int) -> None:
    pile = list(ALL_CARDS)
    Chance(seed).shuffle(pile)
    assert pile == shuffled(seed)
    assert sorted(pile) == list(ALL_CARDS)


def test_every_order_of_three_occurs() -> None:
    chance = Chance(3)
    orders = set()
    for _ in range(100):
        pile = [1, 2, 3]
        chance.shuffle(pile)
        orders.add(tuple(pile))
    assert len(orders) == 6


@pytest.mark.parametrize("size", [0, 1])
def test_shuffling_fewer_than_two_items_draws_no_number(size: int) -> None:
    chance, pile = Chance(1), list(range(size))
    chance.shuffle(pile)
    assert pile == list(range(size))
    assert chance.word() == next(reference(1))


@pytest.mark.parametrize("players", TABLES)
@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
def test_a_seed_gives_one_deal(players: int, seed: int) -> None:
    assert Deal.from_seed(players, seed) == Deal.of(shuffled(seed), players)


def test_a_bad_seed_makes_no_deal() -> None:
    with pytest.raises(ValueError, match="a seed is a whole number"):
        Deal.from_seed(3, -1)


def test_branches_are_different_streams() -> None:
    branches = [branch(seed, number) for seed in range(40) for number in range(40)]
    assert len(set(branches)) == 1600
    assert all(0 <= seed < SEEDS for seed in branches)
    assert len({Chance(seed).word() for seed in branches}) == 1600


@pytest.mark.parametrize("seed", SAMPLE)
def test_no_branch_equals_its_own_stream(seed: int) -> None:
    assert seed not in [branch(seed, number) for number in range(100)]


@pytest.mark.parametrize("seed", SAMPLE)
def test_branch_seeds_are_the_numbers_of_a_salted_stream(seed: int) -> None:
    aside = stirred(seed ^ 0x6A09E667F3BCC909)
    assert [branch(seed, number) for number in range(100)] == list(islice(reference(aside), 100))


def test_a_branch_may_have_any_number() -> None:
    gamma = 0x9E3779B97F4A7C15
    aside = stirred(7 ^ 0x6A09E667F3BCC909)
    for number in (10**6, 2**64 - 1, 2**70):
        assert branch(7, number) == stirred((aside + (number + 1) * gamma) % 2**64)
