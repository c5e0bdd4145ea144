"""``python -m tests.notation.proofs --deals 10000``: deals verify, and no flipped bit does."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from typing import Any

from rich.console import Console

from byzanz.notation import ProofFault, check_proof, write_plays
from byzanz.notation.record import parse_header, parse_line
from byzanz.notation.text import Malformed
from byzanz.rules import Chance, Illegal, commitment, proven_deal

_KEYS = ("hands", "deck", "removed", "proof")


def header(number: int) -> dict[str, Any]:
    """Return the header of a record with a proven deal."""
    chance = Chance(number)
    secret = "".join(f"{chance.word():016x}" for _ in range(4))
    nonces: list[str | None] = []
    for _ in range(3 + number % 4):
        digits = f"{chance.word():016x}{chance.word():016x}"
        nonces.append(chance.choice((f"player:{digits}", f"server:{digits}", None)))
    deal = proven_deal(secret, nonces)
    proof = {"commitment": commitment(secret), "secret": secret, "nonces": nonces}
    text = write_plays(deal, (), None, [""] * len(nonces), {"proof": proof})
    found: dict[str, Any] = json.loads(text)
    return found


def fault(found: dict[str, Any]) -> str | None:
    """Return why a reader refuses a header or its proof; None if it does not."""
    try:
        record = parse_header(parse_line(json.dumps(found).encode()))
    except (Malformed, Illegal) as error:
        return type(error).__name__
    return check_proof(record.deal, record.extra)


def flipped(found: dict[str, Any], chance: Chance) -> dict[str, Any]:
    """Return the header with one bit flipped in one text of the deal or the proof."""
    copy: dict[str, Any] = json.loads(json.dumps(found))
    places: list[tuple[Any, Any]] = []

    def collect(holder: Any) -> None:
        for key in holder if isinstance(holder, dict) else range(len(holder)):
            if isinstance(holder[key], str):
                places.append((holder, key))
            elif holder[key] is not None:
                collect(holder[key])

    collect(copy[chance.choice(_KEYS)])
    holder, key = chance.choice(places)
    text = bytearray(holder[key].encode())
    text[chance.below(len(text))] ^= 1 << chance.below(7)  # so that it stays ASCII
    holder[key] = text.decode()
    return copy


def check(first: int, last: int) -> Counter[str]:
    """Check these deals and one flipped bit of each; return how the flipped ones were refused."""
    seen: Counter[str] = Counter()
    for number in range(first, last):
        whole = header(number)
        assert fault(whole) is None, number
        refused = fault(flipped(whole, Chance(number)))
        assert refused is not None, number
        seen[refused] += 1
    return seen


def main() -> None:
    """Check the deals and print how the flipped ones were refused."""
    parser = argparse.ArgumentParser(prog="python -m tests.notation.proofs", description=__doc__)
    parser.add_argument("--deals", type=int, default=10_000)
    deals = parser.parse_args().deals
    seen = check(0, deals)
    assert {ProofFault.SECRET, ProofFault.DEAL, ProofFault.MALFORMED} <= seen.keys()
    found = f"{deals} deals are proven, and {seen.total()} with a flipped bit are refused: {seen}"
    Console().print(found, markup=False)


if __name__ == "__main__":
    main()
