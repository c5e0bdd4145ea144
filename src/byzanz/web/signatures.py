"""The signatures of cookies and tokens.

The secret of a session is random, and the database has only its digest. The signature lets the
server refuse a forged secret without asking the database.

Earlier versions signed the id of a guest, with SHA-1. Such a cookie is replaced as soon as it is
used. Such a token is accepted until :data:`OLD_UNTIL`.
"""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from itsdangerous import BadSignature, Signer, TimestampSigner

from byzanz.tables import SessionKind

if TYPE_CHECKING:
    from collections.abc import Callable

OLD_UNTIL = datetime(2028, 1, 1, tzinfo=UTC).timestamp()
"""When the server stops accepting cookies and tokens of versions without sessions."""

_YEAR = 365 * 24 * 3600


@dataclass(frozen=True, slots=True)
class OldSignature:
    """The content of a cookie or token of a version without sessions."""

    guest: str
    signed: float
    secret: str
    """The secret of the session that takes its place; the same one each time it is read."""


class SessionSigner:
    """Signs the secrets of sessions, and reads what earlier versions signed."""

    def __init__(self, key: str, clock: Callable[[], float]) -> None:
        self._key = key
        self.clock = clock
        self._signers = {
            kind: Signer(key, salt=f"byzanz session {kind}", digest_method=hashlib.sha256)
            for kind in SessionKind
        }
        self._old_signers = {
            SessionKind.DEVICE: TimestampSigner(key, salt="byzanz cookie"),
            SessionKind.TOKEN: TimestampSigner(key, salt="byzanz token"),
        }

    def sign(self, secret: str, kind: SessionKind) -> str:
        """Return the value of a cookie, or a token, for a session's secret."""
        return self._signers[kind].sign(secret).decode()

    def read(self, value: str, kind: SessionKind) -> str | None:
        """Return the secret in a cookie or token, or None if the signature is wrong."""
        try:
            return self._signers[kind].unsign(value).decode()
        except BadSignature:
            return None

    def read_old(self, value: str, kind: SessionKind) -> OldSignature | None:
        """Return what an earlier version signed, or None if it is invalid or no longer accepted."""
        now = self.clock()
        if now >= OLD_UNTIL:
            return None
        try:
            guest, at = self._old_signers[kind].unsign(value, return_timestamp=True)
        except BadSignature:
            return None
        signed = at.timestamp()
        if kind is SessionKind.DEVICE and now - signed > _YEAR:
            return None
        secret = hmac.digest(self._key.encode(), f"old {kind} {value}".encode(), "sha256")
        return OldSignature(guest.decode(), signed, urlsafe_b64encode(secret).decode())
