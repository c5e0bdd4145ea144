"""The address under which people reach the server, for links that are passed on.

A client can send any ``Host`` header. A link with a secret must not lead to a host that somebody
else chose, so the header is used only if the operator allows it, or if it cannot be a public name.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.requests import Request

    from .limit_settings import Settings

_LOCAL = (".localhost", ".local", ".lan", ".internal", ".home.arpa", ".test")
"""The endings of names that are not public."""


def public_url(request: Request, path: str) -> str:
    """Return the URL of a path on this server; only the path if the host is not trusted."""
    settings: Settings = request.app.state.settings
    if settings.public_address:
        return settings.public_address.rstrip("/") + path
    if not is_trusted(request.headers.get("host", ""), settings.allowed_hosts):
        return path
    return str(request.base_url).rstrip("/") + path


def is_trusted(host: str, allowed: str) -> bool:
    """Return whether links may name this host.

    ``allowed`` lists names, separated by commas. If it is empty, IP addresses and names that are
    not public are allowed.
    """
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return False
    names = {each.strip().lower() for each in allowed.split(",") if each.strip()}
    if names:
        return name in names or host.lower() in names
    return bool(name) and (_is_address(name) or "." not in name or name.endswith(_LOCAL))


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True
