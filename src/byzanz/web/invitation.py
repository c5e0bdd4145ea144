"""The QR code with the link to a table."""

from __future__ import annotations

from io import BytesIO

import segno
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from .pages import viewer
from .public_address import public_url
from .refusals import WebReason, WebRefusal

_BORDER = 4
"""The width of the quiet zone, in modules."""


async def qr_code(request: Request) -> Response:
    """Return the link to a table as a QR code.

    Raises Declined if the viewer may not see the table, and WebRefusal if links may not name the
    host of the request.
    """
    table: str = request.path_params["table"]
    await request.app.state.service.look(table, viewer(request))
    link = public_url(request, f"/table/{table}")
    if link.startswith("/"):
        raise WebRefusal(WebReason.BAD_HOST)
    return Response(draw(link), media_type="image/svg+xml")


def draw(text: str) -> bytes:
    """Draw a QR code as SVG; raises WebRefusal if the text is too long."""
    try:
        code = segno.make(text, error="m", micro=False)
    except segno.DataOverflowError:
        raise WebRefusal(WebReason.BAD_REQUEST) from None
    drawn = BytesIO()
    code.save(
        drawn,
        kind="svg",
        xmldecl=False,
        border=_BORDER,
        svgclass=None,
        lineclass=None,
        omitsize=True,
    )
    return drawn.getvalue()


routes: list[BaseRoute] = [Route("/table/{table}/qr.svg", qr_code)]
"""The route of the QR code."""
