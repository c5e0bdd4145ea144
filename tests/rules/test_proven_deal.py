"""Deals that follow from a secret and nonces: the vectors, and what changes the cards."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from byzanz.rules import Deal, commitment, proven_deal
from byzanz.rules.proven_deal import _below, _words

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "proven_deals.json").read_text())
SECRET = "5e" * 32
NONCES = ("player:" + "0a" * 16, "server:" + "0b" * 16, None)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: str(len(vector["nonces"])))
def test_the_vectors_of_an_independent_implementation(vector: dict[str, object]) -> None:
    secret, nonces = str(vector["secret"]), vector["nonces"]
    assert isinstance(nonces, list)
    deal = proven_deal(secret, nonces)
    assert commitment(secret) == vector["commitment"]
    words = list(islice(_words(bytes.fromhex(secret), nonces), 16))
    assert "".join(f"{word:08x}" for word in words) == vector["block"]
    assert [[card.name for card in hand] for hand in deal.hands] == vector["hands"]
    assert [card.name for card in deal.removed] == vector["removed"]
    assert [card.name for card in deal.deck] == vector["deck"]


def test_secret_nonce_origin_and_seat_all_change_the_deal() -> None:
    changed = [
        ("5f" + "5e" * 31, NONCES),
        (SECRET, ("player:" + "0a" * 15 + "0b", *NONCES[1:])),
        (SECRET, ("server:" + "0a" * 16, *NONCES[1:])),
        (SECRET, (NONCES[1], NONCES[0], None)),
        (SECRET, (NONCES[0], NONCES[1], NONCES[0])),
    ]
    deals = {proven_deal(secret, nonces) for secret, nonces in changed}
    assert len(deals) == len(changed)
    assert proven_deal(SECRET, NONCES) not in deals
    assert proven_deal(SECRET, NONCES) == proven_deal(SECRET, list(NONCES))


def test_words_that_would_favour_a_result_are_rejected() -> None:
    largest = 2**32 - 1
    assert _below(iter([largest, largest, 5]), 3) == 2
    assert _below(iter([largest]), 2) == 1
    end = 2**32 - 2**32 % 112
    assert _below(iter([end, end - 1]), 112) == 111


def test_every_card_is_equally_likely_on_top() -> None:
    tops = Counter(proven_deal(f"{number:064x}", NONCES).deck[0].name for number in range(2_000))
    expected = 2_000 * 16 / 112
    assert abs(tops["M"] - expected) < 5 * expected**0.5
    assert isinstance(proven_deal(SECRET, NONCES), Deal)
