"""The proof of a deal in a record: every deal verifies, and anything changed is refused."""

from __future__ import annotations

from typing import Any

import pytest

from byzanz.messages import PROOF_TEXTS, explain_proof
from byzanz.notation import ProofFault, drawn_by_server
from byzanz.notation.proof import check_proof
from byzanz.notation.record import parse_header

from .proofs import check, fault, header


def test_200_deals_verify_and_no_flipped_bit_does() -> None:
    seen = check(0, 200)
    assert {ProofFault.SECRET, ProofFault.DEAL, ProofFault.MALFORMED} <= seen.keys()


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"proof": None}, ProofFault.MISSING),
        ({"proof": []}, ProofFault.MALFORMED),
        ({"proof": {}}, ProofFault.MALFORMED),
        ({"nonces": "player"}, ProofFault.MALFORMED),
        ({"nonces": [None, None]}, ProofFault.SEATS),
        ({"nonces": [1, None, None]}, ProofFault.MALFORMED),
        ({"nonces": ["player:" + "٣" * 32, None, None]}, ProofFault.MALFORMED),
        ({"secret": "0" * 64}, ProofFault.SECRET),
        ({"secret": "0" * 63}, ProofFault.MALFORMED),
        ({"secret": "0" * 64 + "\n"}, ProofFault.MALFORMED),
        ({"commitment": "A" * 64}, ProofFault.MALFORMED),
        ({"nonces": [None, None, None]}, ProofFault.DEAL),
    ],
)
def test_each_fault_has_its_own_reason(change: dict[str, Any], expected: ProofFault) -> None:
    found = header(0)
    if "proof" in change:
        found |= change
    else:
        found["proof"] |= change
    assert fault(found) is expected


def test_a_noted_commitment_and_nonce_are_compared() -> None:
    number = next(n for n in range(100) if any("player" in (x or "") for x in _nonces(n)))
    found = parse_header(header(number))
    mine = next(nonce for nonce in _nonces(number) if nonce and nonce.startswith("player:"))[7:]
    published = found.extra["proof"]["commitment"]
    assert check_proof(found.deal, found.extra, published=published, nonce=mine) is None
    other = "0" * 64
    assert check_proof(found.deal, found.extra, published=other) is ProofFault.COMMITMENT
    assert check_proof(found.deal, found.extra, nonce=other[:32]) is ProofFault.NONCE


def test_nonces_of_the_server_are_named() -> None:
    for number in range(20):
        drawn = [seat for seat, nonce in enumerate(_nonces(number)) if "server" in (nonce or "")]
        assert drawn_by_server(header(number)) == tuple(drawn)


def test_every_result_has_a_sentence() -> None:
    assert PROOF_TEXTS.keys() == {None, *ProofFault}
    assert len({explain_proof(each) for each in PROOF_TEXTS}) == len(PROOF_TEXTS)


def _nonces(number: int) -> list[str | None]:
    nonces: list[str | None] = header(number)["proof"]["nonces"]
    return nonces
