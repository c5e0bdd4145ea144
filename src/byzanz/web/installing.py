"""What a browser needs to install the application: manifest, service worker, offline page."""

from __future__ import annotations

from functools import cache

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.locale import LANGUAGES, _, load_translations

from .art import PICTURES
from .rendering import art, faces_css_address, get_renderer
from .static_files import content, mark, static, static_names

_DARK = "#2e241d"
_OFFLINE = "/offline"
_WORKER = "service-worker.js"

_TITLE = _("You are offline")
_TEXT = _("Byzanz cannot be reached right now. Your games are safe and wait for you.")
_AGAIN = _("Try again")


async def manifest(request: Request) -> Response:
    """Return the web manifest, in the reader's language."""
    gettext = load_translations(request.state.language).gettext
    icons = [
        {"src": static(f"icons/{name}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        | {"purpose": purpose}
        for name, size, purpose in (
            ("icon-192", 192, "any"),
            ("icon-512", 512, "any"),
            ("maskable-512", 512, "maskable"),
        )
    ]
    described = {
        "id": "/",
        "name": "Byzanz",
        "short_name": "Byzanz",
        "description": gettext(_("auctions in old Constantinople")),
        "lang": request.state.language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": _DARK,
        "theme_color": _DARK,
        "categories": ["games"],
        "icons": icons,
    }
    return Response(msgspec.json.encode(described), media_type="application/manifest+json")


async def service_worker(_: Request) -> Response:
    """Return the service worker; its text changes whenever a file that it stores changes."""
    return Response(worker_text(), media_type="text/javascript")


async def offline(_: Request) -> Response:
    """Show that the server cannot be reached. The service worker stores this page."""
    return HTMLResponse(offline_page())


def kept_files() -> tuple[str, ...]:
    """Return the addresses of the files that the service worker stores."""
    names = (name for name in static_names() if name != _WORKER)
    return (*map(static, names), faces_css_address(), *map(art, PICTURES))


@cache
def worker_text() -> str:
    """Return the service worker, with its version and the addresses of the files that it stores."""
    files, script = kept_files(), content(_WORKER).decode()
    version = mark("\n".join([*files, offline_page(), script]).encode())
    listed = msgspec.json.encode(files).decode()
    return f'const VERSION = "{version}";\nconst FILES = {listed};\n{script}'


@cache
def offline_page() -> str:
    """Return the offline page, which has the text in every language."""
    texts = {}
    for code in LANGUAGES:
        gettext = load_translations(code).gettext
        texts[code] = {"title": gettext(_TITLE), "text": gettext(_TEXT), "again": gettext(_AGAIN)}
    return get_renderer("en").page("offline.html", texts=texts)


routes: list[BaseRoute] = [
    Route("/manifest.webmanifest", manifest),
    Route(f"/{_WORKER}", service_worker),
    Route(_OFFLINE, offline),
]
"""The routes for installing the application."""
