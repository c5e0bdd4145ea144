"""Encryption of push messages (RFC 8291) and the server's signature (VAPID, RFC 8292).

Only the browser can read a message: the push service, which passes it on, cannot.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import os
from urllib.parse import urlsplit

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The number of points of the curve."""
_RECORD_SIZE = 4096
MAX_MESSAGE_BYTES = 3993
"""The size of the longest message that fits into one record."""
_VALID_SECONDS = 12 * 3600
_RENEW_SECONDS = 3600


def encrypt(
    message: bytes,
    browser_key: bytes,
    auth_secret: bytes,
    *,
    salt: bytes | None = None,
    own_key: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """Return the body of a request that pushes the message, in the encoding ``aes128gcm``.

    ``browser_key`` and ``auth_secret`` are the keys of the subscription. Raises ValueError if the
    message is too long or the key is not a point of the curve. Tests pass ``salt`` and ``own_key``,
    which are otherwise random.
    """
    if len(message) > MAX_MESSAGE_BYTES:
        raise ValueError(f"a push message has at most {MAX_MESSAGE_BYTES} bytes")
    salt = os.urandom(16) if salt is None else salt
    own_key = ec.generate_private_key(CURVE) if own_key is None else own_key
    browser = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, browser_key)
    own_public = public_bytes(own_key)
    shared = own_key.exchange(ec.ECDH(), browser)
    info = b"WebPush: info\0" + browser_key + own_public
    secret = _derive(shared, auth_secret, info, 32)
    content_key = _derive(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(secret, salt, b"Content-Encoding: nonce\0", 12)
    last_record = b"\2"
    sealed = AESGCM(content_key).encrypt(nonce, message + last_record, None)
    head = salt + _RECORD_SIZE.to_bytes(4) + bytes([len(own_public)]) + own_public
    return head + sealed


class Vapid:
    """The server's key pair, and signed tokens that identify the server to push services.

    The key is derived from a secret in the database, so that every backup contains it. If it
    changed, browsers would have to subscribe again. ``contact`` is a ``mailto:`` or ``https:``
    address for the operators of push services.
    """

    def __init__(self, secret: str, contact: str = "") -> None:
        digest = hashlib.sha512(b"byzanz web push\0" + secret.encode()).digest()
        number = int.from_bytes(digest) % (_ORDER - 1) + 1
        self._key = ec.derive_private_key(number, CURVE)
        self._contact = contact
        self._signed: dict[str, tuple[float, str]] = {}

    @property
    def public_key(self) -> str:
        """The public key, as browsers expect it: base64url of an uncompressed point."""
        return to_base64(public_bytes(self._key))

    def authorization(self, endpoint: str, now: float) -> str:
        """Return the ``Authorization`` header of a request to this endpoint."""
        parts = urlsplit(endpoint)
        audience = f"{parts.scheme}://{parts.netloc}"
        expires, header = self._signed.get(audience, (0.0, ""))
        if expires < now + _RENEW_SECONDS:
            expires = now + _VALID_SECONDS
            header = f"vapid t={self._token(audience, int(expires))}, k={self.public_key}"
            if len(self._signed) > 100:
                self._signed.clear()
            self._signed[audience] = expires, header
        return header

    def _token(self, audience: str, expires: int) -> str:
        claims: dict[str, str | int] = {"aud": audience, "exp": expires}
        if self._contact:
            claims["sub"] = self._contact
        signed = f"{_json({'typ': 'JWT', 'alg': 'ES256'})}.{_json(claims)}"
        signature = self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
        r, s = decode_dss_signature(signature)
        return f"{signed}.{to_base64(r.to_bytes(32) + s.to_bytes(32))}"


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Return the public key as an uncompressed point of the curve."""
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def are_keys(browser_key: str, auth_secret: str) -> bool:
    """Return whether these are the keys of a subscription: a point of the curve, and 16 bytes."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, from_base64(browser_key))
        return len(from_base64(browser_key)) == 65 and len(from_base64(auth_secret)) == 16
    except ValueError:
        return False


def to_base64(data: bytes) -> str:
    """Return the bytes as base64url without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64(text: str) -> bytes:
    """Return the bytes of base64url, with or without padding; raises ValueError if invalid."""
    padded = text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4)
    try:
        return base64.b64decode(padded, altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from None


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


def _json(value: dict[str, str | int] | dict[str, str]) -> str:
    return to_base64(json.dumps(value, separators=(",", ":")).encode())
