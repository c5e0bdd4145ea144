"""Web Push: sends an encrypted message to the push service of a browser."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable

from byzanz.tables import Sent, Target

from .encryption import Vapid, are_keys, encrypt, from_base64, to_base64
from .endpoints import BadEndpoint, check_endpoint, post, resolve

_LOG = logging.getLogger(__name__)

_SECONDS = 10.0
"""The maximum time for a request."""
_KEPT_SECONDS = 24 * 3600
"""How long a push service keeps a message for a browser that is offline."""
_GONE = (404, 410)


class WebPush:
    """Sends messages to browsers. ``local`` allows endpoints on this machine, for tests."""

    def __init__(
        self, vapid: Vapid, *, local: bool = False, clock: Callable[[], float] = time.time
    ) -> None:
        self._vapid = vapid
        self._local = local
        self._clock = clock

    @property
    def public_key(self) -> str:
        """The key that a browser needs to subscribe."""
        return self._vapid.public_key

    async def accepts(self, endpoint: str, keys: tuple[str, str]) -> bool:
        """Return whether messages can be sent to a subscription with this endpoint and keys."""
        try:
            parts = check_endpoint(endpoint, local=self._local)
            await resolve(parts, local=self._local)
        except (BadEndpoint, OSError):
            return False
        return are_keys(*keys)

    async def send(self, target: Target, message: bytes, topic: str) -> Sent:
        """Send a message. It replaces an earlier one on the same topic that is still waiting."""
        if target.keys is None:
            return Sent.GONE
        try:
            parts = check_endpoint(target.address, local=self._local)
            address = await resolve(parts, local=self._local)
        except BadEndpoint:
            return Sent.GONE
        body = encrypt(message, *map(from_base64, target.keys))
        headers = {
            "Authorization": self._vapid.authorization(target.address, self._clock()),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(_KEPT_SECONDS),
            "Topic": to_base64(hashlib.sha256(topic.encode()).digest()[:24]),
            "Urgency": "normal",
        }
        status = await post(parts, address, headers, body, _SECONDS)
        if status in _GONE:
            return Sent.GONE
        if status == 429 or status >= 500:
            return Sent.FAILED
        if status >= 300:
            _LOG.warning("the push service %s answered %d", parts.hostname, status)
        return Sent.DONE
