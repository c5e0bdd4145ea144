"""Operations on the caller's notifications: where they are sent, and which kinds are sent."""

from __future__ import annotations

from typing import Annotated, cast

from msgspec import Meta, Struct

from byzanz.tables import Channel, NoticeKind, Session, Target
from byzanz.web.limits import client_address
from byzanz.web.notify import Notifier

from .operation import Call, Operation

Kinds = Annotated[
    list[NoticeKind],
    Meta(
        max_length=len(NoticeKind),
        description="When to notify: it is your turn, your table is full, or a rematch.",
    ),
]
_TARGET = "/api/me/notifications/{target}"


class NotificationTarget(Struct):
    """A browser or an e-mail address that gets your notifications, once it is confirmed."""

    id: str
    channel: Channel
    address: str
    kinds: list[NoticeKind]
    confirmed: bool


class Notifications(Struct):
    """Which notifications this server offers, and where you get yours."""

    push_key: str | None
    """The key with which a browser subscribes; null if there are no push notifications."""
    email: bool
    targets: list[NotificationTarget]


class NewBrowser(Struct, forbid_unknown_fields=True):
    """A browser's subscription: the endpoint of its push service, and its keys in base64url."""

    endpoint: Annotated[str, Meta(max_length=1000)]
    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=40)]
    kinds: Kinds | None = None


class NewEmail(Struct, forbid_unknown_fields=True):
    """An e-mail address."""

    address: Annotated[str, Meta(max_length=300)]
    kinds: Kinds | None = None


class KindsChange(Struct, forbid_unknown_fields=True):
    """The kinds of notifications to get."""

    kinds: Kinds


async def show(call: Call) -> Notifications:
    """Return what the server offers, and the caller's targets."""
    notifier = _notifier(call)
    targets = await call.service.notifications.targets(call.guest.id)
    shown = [_shown(target) for target in targets]
    return Notifications(notifier.push_key, notifier.offers_email, shown)


async def add_browser(call: Call) -> NotificationTarget:
    """Add a browser."""
    body: NewBrowser = call.body
    keys = body.p256dh, body.auth
    session: Session = call.request.state.session
    added = await _notifier(call).add_browser(session, body.endpoint, keys, _kinds(body.kinds))
    return _shown(added)


async def add_email(call: Call) -> NotificationTarget:
    """Add an e-mail address."""
    body: NewEmail = call.body
    added = await _notifier(call).add_email(
        call.guest.id,
        body.address,
        _kinds(body.kinds),
        client=client_address(call.request),
        language=call.request.state.language,
    )
    return _shown(added)


async def choose(call: Call) -> NotificationTarget:
    """Change which kinds of notifications a target receives."""
    body: KindsChange = call.body
    chosen = await call.service.notifications.choose(call.guest.id, _target(call), body.kinds)
    return _shown(chosen)


async def remove(call: Call) -> None:
    """Remove a target."""
    await call.service.notifications.remove(call.guest.id, _target(call))


def _notifier(call: Call) -> Notifier:
    return cast("Notifier", call.request.app.state.notifier)


def _target(call: Call) -> str:
    return cast("str", call.request.path_params["target"])


def _kinds(kinds: list[NoticeKind] | None) -> list[NoticeKind]:
    return list(NoticeKind) if kinds is None else kinds


def _shown(target: Target) -> NotificationTarget:
    return NotificationTarget(
        target.id, target.channel, target.address, list(target.kinds), target.confirmed
    )


OPERATIONS = (
    Operation(
        "GET",
        "/api/me/notifications",
        "notifications",
        "Return which notifications the server offers, and where you get yours.",
        show,
        response=Notifications,
    ),
    Operation(
        "POST",
        "/api/me/notifications/push",
        "notify_browser",
        "Send your notifications to a browser.",
        add_browser,
        body=NewBrowser,
        response=NotificationTarget,
        status=201,
        refuses=(409,),
    ),
    Operation(
        "POST",
        "/api/me/notifications/email",
        "notify_by_email",
        "Send your notifications to an e-mail address, once it is confirmed by the link in the "
        "e-mail that this sends. It replaces your earlier address.",
        add_email,
        body=NewEmail,
        response=NotificationTarget,
        status=201,
        refuses=(409,),
    ),
    Operation(
        "PATCH",
        _TARGET,
        "choose_notifications",
        "Change which kinds of notifications a browser or an address gets.",
        choose,
        body=KindsChange,
        response=NotificationTarget,
        refuses=(404,),
    ),
    Operation(
        "DELETE",
        _TARGET,
        "stop_notifications",
        "Send no more notifications to a browser or an address.",
        remove,
        status=204,
        refuses=(404,),
    ),
)
"""The operations on notifications."""
