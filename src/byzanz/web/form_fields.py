"""What the handlers of forms share: reading fields, finding the guest, redirecting."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from byzanz.tables import Guest

from .pages import number
from .refusals import WebReason, WebRefusal


def signed_in(request: Request) -> Guest:
    """Return the guest of the request; raises WebRefusal if there is none."""
    guest: Guest | None = request.state.guest
    if guest is None:
        raise WebRefusal(WebReason.NO_IDENTITY)
    return guest


def to_table(table: str) -> Response:
    """Redirect to the table's page."""
    return RedirectResponse(f"/table/{table}", 303)


def text_of(form: FormData, name: str) -> str:
    """Return the text of a field; empty if there is none."""
    value = form.get(name)
    return value if isinstance(value, str) else ""


def number_of(text: str) -> int | None:
    """Return the text as a whole number of up to six digits, or None if it is not one."""
    return number(text, 10**6)
