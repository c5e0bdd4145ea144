"""Endpoints of push services: which of them the server sends requests to.

Anybody can name any endpoint. It must not be possible to make the server contact machines on its
own network, so the endpoint must have a public address. The host name is resolved and checked
before every request, and the request goes to the address that was checked.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

_MAX_LENGTH = 1000
_HTTPS_PORT = 443
_CHARACTERS = re.compile(r"[!-~]+")
_STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})[ \r]")
_RESOLVER = ThreadPoolExecutor(4, "byzanz-resolver")
"""The threads that resolve names. Slow name servers must not delay anything else."""
_RESOLVE_SECONDS = 5.0
_UNICAST = IPv6Network("2000::/3")
"""The IPv6 addresses that are given to hosts of the internet."""
_NAT64 = 0x0064FF9B << 96
"""The prefix 64:ff9b::/96, whose addresses contain IPv4 addresses."""


class BadEndpoint(ValueError):
    """Raised for an endpoint that the server sends nothing to."""


class Address(NamedTuple):
    """The resolved address of an endpoint."""

    ip: str
    port: int


def check_endpoint(endpoint: str, *, local: bool) -> SplitResult:
    """Return the parts of the endpoint; raises BadEndpoint if it is not allowed.

    It must use HTTPS and its standard port. ``local`` also allows HTTP and other ports, for tests.
    """
    if len(endpoint) > _MAX_LENGTH or not _CHARACTERS.fullmatch(endpoint):
        raise BadEndpoint("an endpoint has at most 1000 characters, without spaces")
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError as error:
        raise BadEndpoint(str(error)) from None
    if not parts.hostname or parts.username is not None or parts.password is not None:
        raise BadEndpoint("an endpoint names a host and no user")
    if parts.scheme == "http" and local:
        return parts
    if parts.scheme != "https" or not (local or port in (None, _HTTPS_PORT)):
        raise BadEndpoint("an endpoint uses https and its standard port")
    return parts


async def resolve(parts: SplitResult, *, local: bool) -> Address:
    """Return the address of the endpoint.

    Raises BadEndpoint if the host name is invalid or its address is private, and OSError if the
    name cannot be resolved.
    """
    port = parts.port or (_HTTPS_PORT if parts.scheme == "https" else 80)
    look_up = partial(socket.getaddrinfo, parts.hostname, port, type=socket.SOCK_STREAM)
    try:
        async with asyncio.timeout(_RESOLVE_SECONDS):
            found = await asyncio.get_running_loop().run_in_executor(_RESOLVER, look_up)
    except UnicodeError:
        raise BadEndpoint("not the name of a host") from None
    addresses = [str(entry[4][0]) for entry in found]
    if not addresses:
        raise OSError("the host has no address")
    if not local and not all(map(is_public, addresses)):
        raise BadEndpoint("the address of the host is not public")
    return Address(addresses[0], port)


def is_public(address: str) -> bool:
    """Return whether everybody on the internet can reach this IP address."""
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or _nat64(ip)
        if inner is None:
            return ip.is_global and ip in _UNICAST
        ip = inner
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def _nat64(ip: IPv6Address) -> IPv4Address | None:
    number = int(ip)
    return IPv4Address(number - _NAT64) if number >> 32 << 32 == _NAT64 else None


async def post(
    parts: SplitResult, address: Address, headers: dict[str, str], body: bytes, seconds: float
) -> int:
    """Send a request to the address and return the status; raises OSError or TimeoutError.

    The rest of the response is not read, and no redirect is followed.
    """
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    host = parts.netloc
    lines = [f"POST {path} HTTP/1.1", f"Host: {host}", "Connection: close"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    head = "\r\n".join([*lines, f"Content-Length: {len(body)}", "", ""]).encode("ascii")
    context = ssl.create_default_context() if parts.scheme == "https" else None
    async with asyncio.timeout(seconds):
        reader, writer = await asyncio.open_connection(
            address.ip,
            address.port,
            ssl=context,
            server_hostname=parts.hostname if context else None,
        )
        try:
            writer.write(head + body)
            await writer.drain()
            line = await reader.readline()
        except ValueError:  # the line is too long
            line = b""
        finally:
            writer.close()
    found = _STATUS.match(line)
    if found is None:
        raise OSError("the answer is not HTTP")
    return int(found[1])
