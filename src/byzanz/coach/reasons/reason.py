"""Reasons as values: a code, its computed parameters, and a weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Parameter = int | str | tuple[str, ...]
"""A number, the index of a seat, or the names of cards."""


class Template(NamedTuple):
    """A kind of reason. At most one reason of each topic is shown."""

    topic: str
    weight: float
    """The weight of such a reason in points of profit; it is multiplied by the reason's size."""


TEMPLATES = {
    "offer-set": Template("gain", 1.0),
    "offer-set-missed": Template("gain", 1.0),
    "offer-gain-missed": Template("gain", 0.9),
    "offer-no-set": Template("gain", 1.2),
    "offer-not-worth-it": Template("gain", 1.6),
    "offer-set-for-other": Template("others", 0.6),
    "makes-set": Template("gain", 1.0),
    "improves-sets": Template("gain", 0.9),
    "frees-merchant": Template("gain", 1.5),
    "starts-pair": Template("pair", 0.7),
    "breaks-set": Template("payment", 1.1),
    "breaks-pair": Template("payment", 0.7),
    "breaks-set-with-offer": Template("payment", 1.1),
    "pays-high-card": Template("high card", 0.2),
    "every-bid-costs": Template("payment", 1.6),
    "other-payment": Template("other payment", 2.0),
    "spare-payment": Template("payment", 0.6),
    "bid-wins": Template("rivals", 1.0),
    "nobody-can-beat": Template("rivals", 1.5),
    "only-one-can-beat": Template("rivals", 1.3),
    "most-likely-to-beat": Template("rivals", 0.7),
    "surely-can-beat": Template("rivals", 0.7),
    "less-likely-to-beat": Template("rivals", 0.8),
    "bid-is-dear": Template("price", 1.0),
    "bid-for-gain": Template("price", 0.6),
    "bid-without-gain": Template("price", 0.8),
    "cannot-bid": Template("price", 1.0),
    "lowest-bid": Template("price", 0.3),
    "raises-price": Template("price", 0.3),
    "less-is-enough": Template("price", 1.8),
    "payment-helps-other": Template("market", 0.6),
    "market-helps-other": Template("market", 0.7),
    "market-left-to-other": Template("market", 0.6),
    "market-kept-from-other": Template("market", 0.6),
    "market-set-waiting": Template("market", 0.4),
    "worth-most": Template("money", 0.45),
    "market-fits": Template("market", 0.4),
    "gift-helps-nobody": Template("market", 0.3),
    "market-no-set": Template("gain", 0.3),
    "take-most-cards": Template("cards", 0.4),
    "take-highest": Template("cards", 0.35),
    "market-other-kind": Template("choice", 1.0),
    "takes-last": Template("order", 0.35),
    "takes-first": Template("market", 0.9),
    "gets-merchants": Template("merchants", 0.8),
    "must-discard": Template("limit", 1.0),
    "free-for-you": Template("free", 0.8),
    "free-for-other": Template("free", 0.3),
    "last-offer-free": Template("free", 0.6),
    "offers-to-come": Template("money", 0.3),
    "keeps-bid-worth": Template("money", 0.3),
    "last-round": Template("round", 0.9),
    "only-card": Template("payment", 0.6),
    "lowest-spare": Template("choice", 0.5),
    "merchant-given-up": Template("merchants", 1.5),
    "sale-earns-less": Template("sale", 1.0),
    "sale-best": Template("sale", 0.5),
    "sale-order": Template("sale", 0.7),
    "sale-cheaper": Template("sale", 0.6),
    "sale-fewer-merchants": Template("merchants", 1.3),
    "sale-merchants": Template("merchants", 0.7),
    "sale-bid-worth": Template("money", 0.2),
    "sale-higher-unseen": Template("later", 0.3),
    "sale-top": Template("later", 0.5),
    "sale-worth-most": Template("money", 0.45),
    "sale-frees-hand": Template("limit", 0.4),
    "set-unsold": Template("sale", 1.0),
    "sell-instead": Template("sale", 1.0),
}
"""Every kind of reason, by its code. :mod:`byzanz.messages` has the sentences."""


@dataclass(frozen=True)
class Reason:
    """A true statement about an action: a code and computed parameters, never free text."""

    code: str
    supports: bool
    """Whether the reason speaks for the action; otherwise it speaks against it."""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    weight: float = 0.0
    """How much the reason matters by itself, in points of profit, as a rule of thumb."""

    @property
    def topic(self) -> str:
        """What the reason is about."""
        return TEMPLATES[self.code].topic


def speaks_for(code: str, size: float = 1, **parameters: Parameter) -> Reason:
    """Return a reason in favour of an action."""
    return Reason(code, True, parameters, TEMPLATES[code].weight * size)


def speaks_against(code: str, size: float = 1, **parameters: Parameter) -> Reason:
    """Return a reason against an action."""
    return Reason(code, False, parameters, TEMPLATES[code].weight * size)
