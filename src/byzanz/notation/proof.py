"""The proof of a deal in the header of a record, and how to check it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from byzanz.rules import Deal
from byzanz.rules.proven_deal import NONCE_DIGITS, SECRET_DIGITS, commitment, proven_deal

PROOF = "proof"
"""The key of the proof in the header of a record."""

_SECRET = re.compile(rf"[0-9a-f]{{{SECRET_DIGITS}}}", re.ASCII)
_NONCE = re.compile(rf"(?:player|server):[0-9a-f]{{{NONCE_DIGITS}}}", re.ASCII)


class ProofFault(StrEnum):
    """Why a deal is not proven."""

    MISSING = "no-proof"
    MALFORMED = "malformed-proof"
    SEATS = "wrong-seats"
    SECRET = "wrong-secret"  # noqa: S105
    DEAL = "wrong-deal"
    COMMITMENT = "other-commitment"
    NONCE = "missing-nonce"


def check_proof(
    deal: Deal,
    extra: Mapping[str, Any],
    *,
    published: str | None = None,
    nonce: str | None = None,
) -> ProofFault | None:
    """Return why the proof in a header does not prove the deal, or None if it does.

    ``published`` is the commitment that a player noted before the game, and ``nonce`` is the nonce
    that a player added.
    """
    proof = extra.get(PROOF)
    if proof is None:
        return ProofFault.MISSING
    if not _well_formed(proof):
        return ProofFault.MALFORMED
    if len(proof["nonces"]) != len(deal.hands):
        return ProofFault.SEATS
    if published is not None and proof["commitment"] != published:
        return ProofFault.COMMITMENT
    if nonce is not None and f"player:{nonce}" not in proof["nonces"]:
        return ProofFault.NONCE
    if commitment(proof["secret"]) != proof["commitment"]:
        return ProofFault.SECRET
    if proven_deal(proof["secret"], proof["nonces"]) != deal:
        return ProofFault.DEAL
    return None


def drawn_by_server(extra: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the seats whose nonces the server drew; the proof must be well-formed."""
    nonces = extra[PROOF]["nonces"]
    return tuple(seat for seat, nonce in enumerate(nonces) if nonce and nonce.startswith("server:"))


def _well_formed(proof: Any) -> bool:
    if not isinstance(proof, dict) or not isinstance(proof.get("nonces"), list):
        return False
    return all(
        isinstance(proof.get(key), str) and _SECRET.fullmatch(proof[key])
        for key in ("commitment", "secret")
    ) and all(
        nonce is None or (isinstance(nonce, str) and _NONCE.fullmatch(nonce) is not None)
        for nonce in proof["nonces"]
    )
