"""A push service on this machine, and a browser that reads what it gets.

Messages are decrypted by the browser's side of RFC 8291, and signatures are checked, so that
nothing of the server's code checks itself.
"""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Queue
from typing import Any

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from .server import PATIENCE


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Browser:
    """The keys of a subscription."""

    def __init__(
        self, key: ec.EllipticCurvePrivateKey | None = None, auth: bytes | None = None
    ) -> None:
        self._key = key or ec.generate_private_key(ec.SECP256R1())
        self._auth = auth or os.urandom(16)

    @property
    def point(self) -> bytes:
        public = self._key.public_key()
        return public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, endpoint: str) -> dict[str, str]:
        """Return the subscription as the page sends it."""
        return {"endpoint": endpoint, "p256dh": encoded(self.point), "auth": encoded(self._auth)}

    def decrypt(self, body: bytes) -> bytes:
        """Return the message in a body; raises InvalidTag if it is not for this browser."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender = body[21 : 21 + length]
        assert size >= len(body) - 21 - length
        public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender)
        shared = self._key.exchange(ec.ECDH(), public)
        info = b"WebPush: info\0" + self.point + sender
        secret = HKDF(hashes.SHA256(), 32, self._auth, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        padded = AESGCM(key).decrypt(nonce, body[21 + length :], None).rstrip(b"\0")
        assert padded.endswith(b"\2")
        return padded[:-1]


@dataclass(frozen=True)
class Pushed:
    """A request that the push service got."""

    path: str
    headers: dict[str, str]
    body: bytes

    def message(self, browser: Browser) -> dict[str, Any]:
        """Return the message for this browser."""
        assert self.headers["content-encoding"] == "aes128gcm"
        message: dict[str, Any] = json.loads(browser.decrypt(self.body))
        return message

    def claims(self, public_key: str) -> dict[str, Any]:
        """Return the claims of the signed token; raises InvalidSignature."""
        scheme, _, rest = self.headers["authorization"].partition(" ")
        assert scheme == "vapid"
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert parts["k"] == public_key
        signed, _, signature = parts["t"].rpartition(".")
        raw = decoded(signature)
        dss = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(public_key))
        point.verify(dss, signed.encode(), ec.ECDSA(hashes.SHA256()))
        head, claims = (json.loads(decoded(part)) for part in signed.split("."))
        assert head == {"typ": "JWT", "alg": "ES256"}
        result: dict[str, Any] = claims
        return result


@dataclass
class PushService:
    """A running push service. ``status`` is what it answers."""

    url: str
    pushed: Queue[Pushed] = field(default_factory=Queue)
    status: int = 201

    def next(self) -> Pushed:
        """Wait for the next request."""
        return self.pushed.get(timeout=PATIENCE)


@contextmanager
def push_service() -> Iterator[PushService]:
    """Run a push service on a free port."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            running.pushed.put(Pushed(self.path, headers, body))
            self.send_response(running.status)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        running = PushService(f"http://127.0.0.1:{server.server_port}")
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield running
        finally:
            server.shutdown()
            thread.join(PATIENCE)
