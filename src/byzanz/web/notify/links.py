"""Signed links in e-mails and notifications: to confirm an address, and to unsubscribe."""

from __future__ import annotations

from collections.abc import Callable

from itsdangerous import BadSignature, Signer

from byzanz.tables import Declined, TableReason

CONFIRM_SECONDS = 24 * 3600
"""How long a link that confirms an address is valid."""


class Links:
    """Makes and reads the tokens of links. A token names a target, but not its guest."""

    def __init__(self, secret: str, clock: Callable[[], float]) -> None:
        self._confirming = Signer(secret, salt="byzanz confirm address")
        self._stopping = Signer(secret, salt="byzanz unsubscribe")
        self._clock = clock

    def confirm(self, target: str) -> str:
        """Return the path that confirms an address. It is valid for a day."""
        until = int(self._clock()) + CONFIRM_SECONDS
        return f"/notifications/confirm/{self._confirming.sign(f'{target}~{until}').decode()}"

    def stop(self, target: str) -> str:
        """Return the path that ends notifications to a target. It never expires."""
        return f"/notifications/stop/{self._stopping.sign(target).decode()}"

    def read_confirm(self, token: str) -> str:
        """Return the target of a token; raises Declined if it is invalid or too old."""
        target, _, until = self._read(self._confirming, token).rpartition("~")
        if int(until) < self._clock():
            raise Declined(TableReason.BAD_LINK)
        return target

    def read_stop(self, token: str) -> str:
        """Return the target of a token; raises Declined if it is invalid."""
        return self._read(self._stopping, token)

    @staticmethod
    def _read(signer: Signer, token: str) -> str:
        try:
            return signer.unsign(token).decode()
        except (BadSignature, UnicodeError):
            raise Declined(TableReason.BAD_LINK) from None
