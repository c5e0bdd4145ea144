"""Passwords of tables: which are allowed, and how they are stored."""

from __future__ import annotations

import hashlib
import hmac

from .refusals import Declined, TableReason

SHORTEST_PASSWORD, LONGEST_PASSWORD = 4, 64
"""The shortest and the longest password, in characters."""

_COST, _BLOCK, _PARALLEL = 2**14, 8, 1
"""The parameters of scrypt: one hash takes about 16 MiB and some hundredths of a second."""
_SCHEME = "scrypt"


def check_password(password: str) -> None:
    """Raise Declined if a table cannot have this password."""
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD or "\0" in password:
        raise Declined(
            TableReason.BAD_PASSWORD, shortest=SHORTEST_PASSWORD, longest=LONGEST_PASSWORD
        )


def hash_password(password: str, salt: bytes) -> str:
    """Return the hash of a password as it is stored, with its parameters and its salt."""
    digest = _digest(password, salt, _COST, _BLOCK, _PARALLEL)
    return "$".join([_SCHEME, f"{_COST}", f"{_BLOCK}", f"{_PARALLEL}", salt.hex(), digest.hex()])


def matches(password: str, stored: str) -> bool:
    """Return whether the password matches the stored hash."""
    scheme, cost, block, parallel, salt, digest = stored.split("$")
    if scheme != _SCHEME or len(password) > LONGEST_PASSWORD:
        return False
    found = _digest(password, bytes.fromhex(salt), int(cost), int(block), int(parallel))
    return hmac.compare_digest(found, bytes.fromhex(digest))


def _digest(password: str, salt: bytes, cost: int, block: int, parallel: int) -> bytes:
    # Surrogates cannot be encoded otherwise; such a password simply does not match.
    text = password.encode("utf-8", "surrogatepass")
    return hashlib.scrypt(
        text, salt=salt, n=cost, r=block, p=parallel, maxmem=64 * 1024 * 1024, dklen=32
    )
