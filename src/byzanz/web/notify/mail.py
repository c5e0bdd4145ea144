"""E-mails: which addresses are accepted, and how messages are sent over SMTP."""

from __future__ import annotations

import asyncio
import re
import smtplib
import ssl
from concurrent.futures import ThreadPoolExecutor
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr

from byzanz.tables import Sent
from byzanz.web.limit_settings import Settings

_MAX_LENGTH = 254
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(
    rf"([A-Za-z0-9!#$%&'*+/=?^_`{{|}}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{{|}}~-]+)*)@"
    rf"({_LABEL}(?:\.{_LABEL})+)"
)
_SECONDS = 20.0
"""The maximum time for each step of the conversation with the mail server."""
_PERMANENT = 500


def checked_email(address: str) -> str | None:
    """Return the address in a normalised form; None if it is not an e-mail address."""
    address = address.strip()
    found = _ADDRESS.fullmatch(address)
    if found is None or len(address) > _MAX_LENGTH or len(found[1]) > 64:
        return None
    return f"{found[1]}@{found[2].lower()}"


class Mailer:
    """Sends e-mails through the operator's mail server, in threads of its own."""

    def __init__(self, settings: Settings, password: str = "") -> None:
        self._settings = settings
        self._password = password
        self._threads = ThreadPoolExecutor(2, "byzanz-mail")

    async def send(
        self, to: str, subject: str, text: str, *, language: str, unsubscribe: str = ""
    ) -> Sent:
        """Send an e-mail. ``unsubscribe`` is a link for one-click unsubscription."""
        message = EmailMessage(SMTP)
        name, sender = parseaddr(self._settings.mail_sender)
        message["From"] = Address(name, addr_spec=sender)
        message["To"] = Address(addr_spec=to)
        message["Subject"] = subject
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
        message["Content-Language"] = language
        message["Auto-Submitted"] = "auto-generated"
        if unsubscribe:
            message["List-Unsubscribe"] = f"<{unsubscribe}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(text)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, self._deliver, message)

    def close(self) -> None:
        """Send nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _deliver(self, message: EmailMessage) -> Sent:
        """Pass the message to the mail server; raises OSError or SMTPException."""
        settings = self._settings
        with self._connected() as server:
            if settings.smtp_user:
                server.login(settings.smtp_user, self._password)
            try:
                server.send_message(message)
            except smtplib.SMTPRecipientsRefused as refused:
                (code, _), *_ = refused.recipients.values()
                return Sent.GONE if code >= _PERMANENT else Sent.FAILED
        return Sent.DONE

    def _connected(self) -> smtplib.SMTP:
        host, port = self._settings.smtp_host, self._settings.smtp_port
        if self._settings.smtp_security == "ssl":
            context = ssl.create_default_context()
            return smtplib.SMTP_SSL(host, port, timeout=_SECONDS, context=context)
        server = smtplib.SMTP(host, port, timeout=_SECONDS)
        if self._settings.smtp_security == "starttls":
            try:
                server.starttls(context=ssl.create_default_context())
            except BaseException:
                server.close()
                raise
        return server
