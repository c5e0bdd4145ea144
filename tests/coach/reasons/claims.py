"""The slow, independent check of reasons: what each sentence claims, tested by brute force.

A claim gets the view, the action and the parameters of the sentence, and returns whether it is
true. It is written from the rules and the English sentence, and imports nothing that finds reasons.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from byzanz.rules import Action, View

from . import auction_claims, card_claims, market_claims, selling_claims
from .case import Case, Claim

CLAIMS: dict[str, Claim] = {
    claim.__name__.replace("_", "-"): claim
    for module in (auction_claims, card_claims, market_claims, selling_claims)
    for claim in module.CLAIMS
}
"""The check of each sentence, by its code."""


def is_true(seen: View, action: Action, code: str, said: Mapping[str, Any]) -> bool:
    """Return whether a sentence is true of an action in a position."""
    return CLAIMS[code](Case(seen, action, said))
