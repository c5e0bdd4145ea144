"""The notifier: which channels a server offers, and how it sends notifications through them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from byzanz.locale import _, load_translations
from byzanz.messages import (
    Told,
    confirmation_mail,
    notification,
    notification_mail,
)
from byzanz.tables import (
    Channel,
    Declined,
    NoticeKind,
    Notification,
    Sent,
    Session,
    Stage,
    TableReason,
    TableService,
    TableView,
    Target,
)
from byzanz.tables.service.token_buckets import TokenBuckets
from byzanz.web.board import seat_names
from byzanz.web.refusals import WebReason, WebRefusal

from .links import Links
from .mail import Mailer, checked_email

try:
    from .encryption import Vapid
    from .web_push import WebPush
except ModuleNotFoundError:  # the extra "push" is not installed
    PUSH_INSTALLED = False
else:
    PUSH_INSTALLED = True

if TYPE_CHECKING:
    from collections.abc import Iterable
    from gettext import NullTranslations

    from byzanz.web.limit_settings import Settings


_LOG = logging.getLogger(__name__)


class Notifier:
    """Sends the notifications of a service, and adds browsers and e-mail addresses as targets."""

    def __init__(
        self,
        service: TableService,
        settings: Settings,
        *,
        smtp_password: str = "",
        clock: Callable[[], float],
    ) -> None:
        self._service = service
        self._settings = settings
        self._clock = clock
        self._push: WebPush | None = None
        self._mailer = Mailer(settings, smtp_password) if settings.smtp_host else None
        self._mails = TokenBuckets(settings.mail_rate)
        self._confirmations = TokenBuckets(settings.confirmation_rate)
        self._sending: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Let the service, which must be open, send notifications until the context ends."""
        service = self._service
        self.links = Links(await service.secret("notifications"), self._clock)
        if self._settings.push and PUSH_INSTALLED:
            vapid = Vapid(await service.secret("push"), self._contact)
            local = self._settings.push_to_local_addresses
            self._push = WebPush(vapid, local=local, clock=self._clock)
        if not self.offers_anything:
            yield
            return
        service.notifications.start(self.send)
        try:
            yield
        finally:
            if self._mailer is not None:
                self._mailer.close()

    @property
    def push_key(self) -> str | None:
        """The key that a browser needs to subscribe; None if the server sends no push messages."""
        return None if self._push is None else self._push.public_key

    @property
    def offers_email(self) -> bool:
        """Whether the server sends e-mails."""
        return self._mailer is not None

    @property
    def offers_anything(self) -> bool:
        """Whether the server sends notifications at all."""
        return self._push is not None or self._mailer is not None

    def push_key_for(self, table_view: TableView) -> str | None:
        """Return the push key if the viewer can be notified of turns at this table."""
        seat, thinking = table_view.seat, table_view.options.think_seconds
        unfinished = table_view.stage in (Stage.OPEN, Stage.PLAYING)
        others = any(
            sitter.open or (sitter.bot is None and not sitter.left)
            for sitter in table_view.sitters
            if sitter.seat != seat
        )
        least = self._service.limits.notification_least_seconds
        slow = thinking is None or thinking >= least
        return self.push_key if seat is not None and unfinished and others and slow else None

    async def add_browser(
        self,
        session: Session,
        endpoint: str,
        keys: tuple[str, str],
        kinds: Iterable[NoticeKind],
    ) -> Target:
        """Add a browser of the session's guest.

        Raises Declined if push messages are off or cannot be sent to this endpoint.
        """
        if self._push is None:
            raise Declined(TableReason.NO_PUSH)
        if not await self._push.accepts(endpoint, keys):
            raise Declined(TableReason.BAD_ENDPOINT)
        return await self._service.notifications.add_browser(
            session.guest, endpoint, keys, kinds, session
        )

    async def add_email(
        self, guest: str, address: str, kinds: Iterable[NoticeKind], client: str, language: str
    ) -> Target:
        """Add an e-mail address and, if it is not confirmed yet, send it a link that confirms it.

        ``client`` is the network address of the request. Raises Declined if the address cannot be
        added, and WebRefusal if there were too many requests.
        """
        if self._mailer is None:
            raise Declined(TableReason.NO_EMAIL)
        checked = checked_email(address)
        if checked is None:
            raise Declined(TableReason.BAD_EMAIL)
        for key in (f"from {client}", f"guest {guest}", f"to {checked.lower()}"):
            wait = self._confirmations.take(key)
            if wait:
                raise WebRefusal(WebReason.TOO_MANY_REQUESTS, {"retry-after": str(wait)})
        target = await self._service.notifications.add_email(guest, checked, kinds)
        if not target.confirmed:
            link = self._address(self.links.confirm(target.id))
            subject, text = confirmation_mail(link, load_translations(language))
            # Not awaited: the mail server may be slow, and the page does not depend on it.
            self._send_later(self._mailer.send(checked, subject, text, language=language))
        return target

    async def send(self, sending: Notification) -> Sent:
        """Send a notification; raises OSError, or SMTPException for e-mail."""
        translations = load_translations(sending.language)
        title, text = describe(sending, translations)
        if sending.target.channel is Channel.PUSH:
            return await self._send_push(sending, title, text, translations)
        return await self._send_mail(sending, title, text, translations)

    async def _send_push(
        self, sending: Notification, title: str, text: str, translations: NullTranslations
    ) -> Sent:
        if self._push is None:
            return Sent.DROPPED
        table = sending.table_view.table
        message = {
            "title": title,
            "text": text,
            "language": sending.language,
            "table": f"/table/{table}",
            "tag": f"{sending.kind}-{table}",
            "stop": self.links.stop(sending.target.id),
            "off": translations.gettext(_("Turn off")),
        }
        encoded = msgspec.json.encode(message)
        return await self._push.send(sending.target, encoded, f"{sending.kind} {table}")

    async def _send_mail(
        self, sending: Notification, title: str, text: str, translations: NullTranslations
    ) -> Sent:
        target = sending.target
        if self._mailer is None:
            return Sent.DROPPED
        if self._mails.take(target.address.lower()):
            _LOG.info("an e-mail was not sent: its address gets too many")
            return Sent.DROPPED
        table = self._address(f"/table/{sending.table_view.table}")
        stop = self._address(self.links.stop(target.id))
        content = notification_mail(text, table, stop, translations)
        return await self._mailer.send(
            target.address, title, content, language=sending.language, unsubscribe=stop
        )

    def _send_later(self, sending: Coroutine[Any, Any, Sent]) -> None:
        async def send() -> None:
            try:
                await sending
            except Exception as error:  # noqa: BLE001 (the guest can ask for it again)
                # The message of the error may hold the address.
                _LOG.warning("an e-mail was not sent: %s", type(error).__name__)

        task = asyncio.create_task(send())
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    def _address(self, path: str) -> str:
        return self._settings.public_address.rstrip("/") + path

    @property
    def _contact(self) -> str:
        """The address at which push services can reach the operator; empty if there is none."""
        settings = self._settings
        if settings.push_contact:
            return settings.push_contact
        return settings.public_address if settings.public_address.startswith("https:") else ""


def describe(sending: Notification, translations: NullTranslations) -> tuple[str, str]:
    """Return the title and the text of a notification: what happened, and names of players."""
    view = sending.table_view
    names = seat_names(view.table, view.sitters, translations)
    others = [names[sitter.seat] for sitter in view.sitters if sitter.seat != view.seat]
    hosts = [names[sitter.seat] for sitter in view.sitters if sitter.host]
    return notification(
        _told(sending),
        names=", ".join(name for name in others if name),
        host=hosts[0] if hosts else "",
        translations=translations,
    )


def _told(sending: Notification) -> Told:
    if sending.kind is NoticeKind.TURN:
        return "turn"
    begun = sending.table_view.stage is Stage.PLAYING
    if sending.kind is NoticeKind.FULL:
        return "begun" if begun else "full"
    return "rematch-begun" if begun else "rematch"
