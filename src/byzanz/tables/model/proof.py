"""The proof of a deal: what is published before a game, and what is revealed after it."""

from __future__ import annotations

import re
from typing import Any

from msgspec import Struct

from byzanz.rules import commitment
from byzanz.rules.proven_deal import NONCE_DIGITS

from .refusals import Declined, TableReason
from .table import Table


class DealProof(Struct, frozen=True):
    """The proof of a table's deal (``docs/dealing.md``)."""

    commitment: str
    """The hash of the server's secret, published before people sat down."""
    nonces: tuple[str | None, ...]
    """For each seat, its nonce after ``player:`` or ``server:``; None for a bot or an open seat."""
    secret: str | None
    """The server's secret; None until the game is over."""


def proof_of(table: Table, *, opened: bool) -> DealProof:
    """Return the proof of the table's deal, with the secret if ``opened``.

    Raises Declined if the deal cannot be checked.
    """
    if table.deal_secret is None:
        raise Declined(TableReason.NO_PROOF)
    nonces = tuple(chair.nonce for chair in table.chairs)
    return DealProof(commitment(table.deal_secret), nonces, table.deal_secret if opened else None)


def proof_data(table: Table) -> dict[str, Any]:
    """Return the proof with its secret for the header of a record; empty if there is no proof."""
    if table.deal_secret is None:
        return {}
    proof = proof_of(table, opened=True)
    found = {"commitment": proof.commitment, "secret": proof.secret}
    return {"proof": {**found, "nonces": list(proof.nonces)}}


def checked_nonce(nonce: str | None, drawn: str) -> str:
    """Return ``player:`` and the player's nonce, or ``server:`` and ``drawn`` if they sent none.

    Raises Declined if the nonce is malformed.
    """
    if not nonce:
        return f"server:{drawn}"
    if re.fullmatch(f"[0-9a-f]{{{NONCE_DIGITS}}}", nonce) is None:
        raise Declined(TableReason.BAD_NONCE, digits=NONCE_DIGITS)
    return f"player:{nonce}"
