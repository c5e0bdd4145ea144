"""A mail server on this machine, with a certificate of its own."""

from __future__ import annotations

import datetime as dt
import email
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from queue import Queue
from typing import Any, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import NameOID

from .server import PATIENCE

USER, PASSWORD = "byzanz", "correct horse"


class MailServer:
    """A running mail server. ``answer`` is what it says to recipients, if that is not empty."""

    def __init__(self) -> None:
        self.port = 0
        self.answer = ""
        self.mails: Queue[EmailMessage] = Queue()
        self.encrypted: list[bool] = []
        """Whether each session was encrypted."""

    def next(self) -> EmailMessage:
        """Wait for the next e-mail."""
        return self.mails.get(timeout=PATIENCE)

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if self.answer:
            return self.answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        found = email.message_from_bytes(cast("bytes", envelope.content), policy=default)
        self.encrypted.append(session.ssl is not None)
        self.mails.put(cast("EmailMessage", found))
        return "250 OK"


class _Controller(Controller):
    """Runs a mail server on a free port, which aiosmtpd itself cannot find."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


def _authenticate(
    server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
) -> AuthResult:
    right = isinstance(data, LoginPassword) and data == LoginPassword(
        USER.encode(), PASSWORD.encode()
    )
    return AuthResult(success=right)


@contextmanager
def mail_server(folder: Path | None = None) -> Iterator[MailServer]:
    """Run a mail server on a free port.

    If a folder is given, the server requires encryption and a login; the folder has its
    certificate.
    """
    running = MailServer()
    given: dict[str, Any] = {}
    if folder is not None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate(folder))
        given = {
            "tls_context": context,
            "require_starttls": True,
            "auth_required": True,
            "authenticator": _authenticate,
        }
    controller = _Controller(running, hostname="127.0.0.1", port=0, **given)
    controller.start()
    running.port = controller.port
    try:
        yield running
    finally:
        controller.stop()


def certificate(folder: Path) -> Path:
    """Make a certificate for this machine; return the file with it and its key."""
    file = folder / "certificate.pem"
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    day = dt.timedelta(days=1)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(private + signed.public_bytes(Encoding.PEM))
    return file
