"""The pages on which people choose notifications, confirm an address, and unsubscribe."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from gettext import NullTranslations
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.locale import _
from byzanz.tables import Channel, NoticeKind, TableService, Target
from byzanz.web.form_fields import signed_in, text_of
from byzanz.web.limits import client_address
from byzanz.web.pages import page, renderer_for

from .notifier import Notifier

_PATH = "/notifications"

_KINDS = {
    NoticeKind.TURN: _("It is my turn"),
    NoticeKind.FULL: _("My table is full, or the game has begun"),
    NoticeKind.REMATCH: _("A rematch"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """A browser or an e-mail address on the page."""

    id: str
    name: str
    """The name of the push service's host, or the e-mail address."""
    by_email: bool
    confirmed: bool
    date: str
    kinds: tuple[tuple[str, str, bool], ...]
    """Each kind with its label, and whether it is chosen."""


async def notifications(request: Request) -> Response:
    """Show where the guest gets notifications."""
    notifier, guest = _notifier(request), request.state.guest
    translations = renderer_for(request).translations
    service: TableService = request.app.state.service
    targets = () if guest is None else await service.notifications.targets(guest.id)
    return page(
        request,
        "notifications.html",
        guest=guest,
        push_key=notifier.push_key,
        email=notifier.offers_email,
        places=[_place(target, translations) for target in targets],
        asked=request.query_params.get("asked") == "1",
    )


async def add_email(request: Request) -> Response:
    """Add an e-mail address, and send the link that confirms it."""
    guest, form = signed_in(request), await request.form()
    await _notifier(request).add_email(
        guest.id,
        text_of(form, "address"),
        tuple(NoticeKind),
        client=client_address(request),
        language=request.state.language,
    )
    return RedirectResponse(f"{_PATH}?asked=1", 303)


async def choose(request: Request) -> Response:
    """Change which kinds of notifications a target receives."""
    guest, form = signed_in(request), await request.form()
    kinds = [kind for kind in NoticeKind if kind in form.getlist("kind")]
    service: TableService = request.app.state.service
    await service.notifications.choose(guest.id, request.path_params["target"], kinds)
    return RedirectResponse(_PATH, 303)


async def remove(request: Request) -> Response:
    """Remove a target."""
    guest = signed_in(request)
    service: TableService = request.app.state.service
    await service.notifications.remove(guest.id, request.path_params["target"])
    return RedirectResponse(_PATH, 303)


async def ask_to_confirm(request: Request) -> Response:
    """Ask for confirmation of an address; a preview of the link has no effect."""
    token = request.path_params["token"]
    _notifier(request).links.read_confirm(token)
    return page(request, "notification_link.html", path=_PATH, token=token, step="confirm")


async def confirm(request: Request) -> Response:
    """Confirm an address."""
    target = _notifier(request).links.read_confirm(request.path_params["token"])
    await request.app.state.service.notifications.confirm(target)
    return page(request, "notification_link.html", path=_PATH, step="confirmed")


async def ask_to_stop(request: Request) -> Response:
    """Show a page that unsubscribes by itself; a preview of the link has no effect."""
    token = request.path_params["token"]
    _notifier(request).links.read_stop(token)
    return page(request, "notification_link.html", path=_PATH, token=token, step="stop")


async def stop(request: Request) -> Response:
    """Send no more notifications to a target. Mail programs and service workers also use this."""
    target = _notifier(request).links.read_stop(request.path_params["token"])
    await request.app.state.service.notifications.stop(target)
    return page(request, "notification_link.html", path=_PATH, step="stopped")


def _notifier(request: Request) -> Notifier:
    notifier: Notifier = request.app.state.notifier
    return notifier


def _place(target: Target, translations: NullTranslations) -> Place:
    by_email = target.channel is Channel.EMAIL
    return Place(
        id=target.id,
        name=target.address if by_email else urlsplit(target.address).hostname or "",
        by_email=by_email,
        confirmed=target.confirmed,
        date=datetime.fromtimestamp(target.created, UTC).date().isoformat(),
        kinds=tuple(
            (kind.value, translations.gettext(label), kind in target.kinds)
            for kind, label in _KINDS.items()
        ),
    )


routes: list[BaseRoute] = [
    Route(_PATH, notifications),
    Route(f"{_PATH}/email", add_email, methods=["POST"]),
    Route(f"{_PATH}/confirm/{{token}}", ask_to_confirm, methods=["GET"]),
    Route(f"{_PATH}/confirm/{{token}}", confirm, methods=["POST"]),
    Route(f"{_PATH}/stop/{{token}}", ask_to_stop, methods=["GET"]),
    Route(f"{_PATH}/stop/{{token}}", stop, methods=["POST"]),
    Route(f"{_PATH}/{{target}}", choose, methods=["POST"]),
    Route(f"{_PATH}/{{target}}/remove", remove, methods=["POST"]),
]
"""The routes of the pages."""
