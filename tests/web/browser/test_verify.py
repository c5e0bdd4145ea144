"""The browser checks a deal as the library does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from byzanz.rules import Chance
from byzanz.web.static_files import static
from tests.notation.proofs import fault, flipped, header

from .person import Person

Meet = Callable[..., Person]

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "proven_deals.json").read_text())
_CHECK = """async ([module, headers]) => {
  const { fault } = await import(module);
  return Promise.all(headers.map((header) => fault(header)));
}"""


def _faults(person: Person, headers: list[dict[str, Any]]) -> list[str]:
    found: list[str] = person.page.evaluate(_CHECK, [static("proof.js"), headers])
    return found


def test_vectors_verify_and_flipped_bits_are_refused(meet: Meet) -> None:
    ada = meet()
    ada.page.goto(ada.url)
    keys = ("commitment", "secret", "nonces")
    vectors = [vector | {"proof": {key: vector[key] for key in keys}} for vector in VECTORS]
    whole = [*vectors, *map(header, range(20))]
    assert _faults(ada, whole) == [""] * len(whole)
    changed = [flipped(header(number), Chance(number)) for number in range(60)]
    found = _faults(ada, changed)
    for code, header_ in zip(found, changed, strict=True):
        expected = fault(header_)
        if expected in ("Malformed", "IllegalDeal"):
            expected = "wrong-deal"  # the page does not read the cards, it only compares them
        assert code == expected


def test_each_fault_has_its_code(meet: Meet) -> None:
    ada = meet()
    ada.page.goto(ada.url)
    good = header(0)
    proof = good["proof"]
    changes = [None, {}, proof | {"nonces": []}, proof | {"secret": "0" * 64}]
    found = _faults(ada, [good | {"proof": change} for change in changes])
    assert found == ["no-proof", "malformed-proof", "wrong-seats", "wrong-secret"]
    options = """async ([module, header]) => {
      const { fault } = await import(module);
      const published = "0".repeat(64);
      return [await fault(header, { published }), await fault(header, { nonce: "0" })];
    }"""
    found = ada.page.evaluate(options, [static("proof.js"), good])
    assert found == ["other-commitment", "missing-nonce"]
