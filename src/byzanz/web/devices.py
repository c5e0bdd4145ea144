"""The page of a guest's devices and tokens: list them, log out, create a token."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from gettext import NullTranslations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.locale import _
from byzanz.tables import TOKEN_DAYS, Label, Session, SessionKind, SessionService

from .form_fields import number_of, signed_in, text_of
from .identity import sign_out
from .pages import page, renderer_for

PATH = "/me/devices"
"""The path of the page."""

DAYS = (7, 30, TOKEN_DAYS, 365)
"""The validity periods that can be chosen for a token, in days."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A device or a token in the list."""

    id: str
    name: str
    current: bool
    """Whether the request comes from this device."""
    created: str
    seen: str
    expires: str


async def devices(request: Request) -> Response:
    """Show the guest's devices and tokens."""
    return await _show(request)


async def end(request: Request) -> Response:
    """Log out a device, or revoke a token."""
    guest = signed_in(request)
    ended = await _sessions(request).end(guest.id, request.path_params["session"])
    if request.state.session is not None and ended.id == request.state.session.id:
        sign_out(request)
        return RedirectResponse("/", 303)
    return RedirectResponse(PATH, 303)


async def end_others(request: Request) -> Response:
    """Log out all other devices, and revoke all tokens."""
    guest = signed_in(request)
    await _sessions(request).end_others(guest.id, request.state.session)
    return RedirectResponse(PATH, 303)


async def create_token(request: Request) -> Response:
    """Create a token and show it, once."""
    guest, form = signed_in(request), await request.form()
    days = text_of(form, "days")
    secret, _session = await _sessions(request).add_token(
        guest.id, text_of(form, "name"), (number_of(days) or 0) if days else None
    )
    return await _show(request, request.app.state.signer.sign(secret, SessionKind.TOKEN))


async def _show(request: Request, token: str = "") -> Response:
    guest, translations = signed_in(request), renderer_for(request).translations
    found = await _sessions(request).all_of(guest.id)
    current: Session | None = request.state.session
    entries = {
        kind: [_entry(session, current, translations) for session in found if session.kind is kind]
        for kind in SessionKind
    }
    return page(
        request,
        "devices.html",
        path=PATH,
        devices=entries[SessionKind.DEVICE],
        tokens=entries[SessionKind.TOKEN],
        days=DAYS,
        default_days=TOKEN_DAYS,
        token=token,
    )


def _entry(session: Session, current: Session | None, translations: NullTranslations) -> Entry:
    is_device = session.kind is SessionKind.DEVICE
    name = device_name(session.label, translations) if is_device else session.label.name
    return Entry(
        session.id,
        name,
        current is not None and session.id == current.id,
        *(_date(at) for at in (session.created, session.seen, session.expires)),
    )


def device_name(label: Label, translations: NullTranslations) -> str:
    """Return what a device is called, such as "Firefox on Linux"."""
    browser, system = label.browser, label.system
    if browser and system:
        text = translations.gettext(_("{browser} on {system}"))
        return text.format(browser=browser, system=system)
    return browser or system or translations.gettext(_("Unknown device"))


def _date(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).date().isoformat()


def _sessions(request: Request) -> SessionService:
    sessions: SessionService = request.app.state.service.guests.sessions
    return sessions


routes: list[BaseRoute] = [
    Route(PATH, devices),
    Route("/me/devices/end", end_others, methods=["POST"]),
    Route("/me/devices/{session}/end", end, methods=["POST"]),
    Route("/me/tokens", create_token, methods=["POST"]),
]
"""The routes of devices and tokens."""
