"""The dealing algorithm, compared with vectors of an independent implementation."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from byzanz.arena import game_seed
from byzanz.notation import parse_card
from byzanz.rules import ALL_CARDS, Chance, Deal, branch

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "dealing.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("seed", VECTORS["words"])
def test_words_and_bounded_numbers(seed: str) -> None:
    words, bounded = Chance(int(seed)), Chance(int(seed))
    assert [words.word() for _ in range(5)] == [int(word) for word in VECTORS["words"][seed]]
    assert [bounded.below(112) for _ in range(5)] == [int(n) for n in VECTORS["below_112"][seed]]


def test_branches_and_game_seeds() -> None:
    for seed, number, value in VECTORS["branch"]:
        assert branch(int(seed), int(number)) == int(value)
    for seed, number, value in VECTORS["game_seed"]:
        assert game_seed(int(seed), int(number)) == int(value)


@pytest.mark.parametrize("vector", VECTORS["deals"], ids=lambda vector: str(vector["players"]))
def test_deals(vector: dict[str, Any]) -> None:
    deal = Deal.from_seed(int(vector["players"]), int(vector["seed"]))
    assert [list(hand) for hand in deal.hands] == [
        [parse_card(text) for text in hand] for hand in vector["hands"]
    ]
    assert list(deal.removed) == [parse_card(text) for text in vector["removed"]]
    assert list(deal.deck) == [parse_card(text) for text in vector["deck"]]


def test_system_deals_are_complete_and_differ() -> None:
    deals = {Deal.from_system(4) for _ in range(20)}
    assert len(deals) == 20
    for deal in deals:
        cards = [card for hand in deal.hands for card in hand]
        assert Counter([*cards, *deal.deck, *deal.removed]) == Counter(ALL_CARDS)
