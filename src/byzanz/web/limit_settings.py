"""The settings of a web server: request rates, sizes and socket limits.

Every field describes itself for the operator, as in :mod:`byzanz.tables.service.limits`.
:mod:`byzanz.web.configuration` reads the values from a file and the environment.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from byzanz.tables.service.limits import setting


class Rate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The rate limit of a token bucket."""

    burst: Annotated[float, Meta(ge=1, le=1e12, description="maximum at once.")]
    per_second: Annotated[
        float, Meta(ge=1e-4, le=1e12, description="maximum per second after that.")
    ]


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of a web server. The defaults suit a public server."""

    secure: Annotated[
        bool,
        setting(
            "server",
            "Whether browsers use only HTTPS; cookies are then sent over HTTPS only.",
        ),
    ] = False

    public_address: Annotated[
        str,
        setting(
            "server",
            "Address of the server in links, such as https://byzanz.example; empty for the one "
            "that the browser uses, if it is allowed.",
            pattern=r"\A(?:https?://[A-Za-z0-9.:\[\]-]+/?)?\Z",
            expected="empty, or http:// or https:// and a host",
        ),
    ] = ""
    allowed_hosts: Annotated[
        str,
        setting(
            "server",
            "Hosts that links may name if there is no public address, separated by commas; empty "
            "for addresses and names of a local network.",
        ),
    ] = ""

    max_body_bytes: Annotated[
        int, setting("requests", "Maximum size of a request body in bytes.", least=1024)
    ] = 16 * 1024
    request_seconds: Annotated[
        float,
        setting(
            "requests",
            "Seconds in which a request must arrive and its answer must be read.",
            least=0.1,
            most=3600,
        ),
    ] = 30.0
    connections_per_address: Annotated[
        int,
        setting(
            "requests",
            "Maximum number of open connections from one network address, except a proxy's.",
            least=1,
        ),
    ] = 400
    guest_rate: Annotated[Rate, setting("requests", "Requests of one guest")] = Rate(
        burst=120, per_second=15
    )
    address_rate: Annotated[Rate, setting("requests", "Requests from one network address")] = Rate(
        burst=600, per_second=60
    )
    file_rate: Annotated[
        Rate, setting("requests", "Scripts, style sheets and pictures for one network address")
    ] = Rate(burst=3000, per_second=200)
    new_guest_rate: Annotated[Rate, setting("requests", "New guests from one network address")] = (
        Rate(burst=60, per_second=0.1)
    )

    picture_rate: Annotated[
        Rate, setting("requests", "Pictures of results for one network address")
    ] = Rate(burst=30, per_second=0.5)
    review_rate: Annotated[
        Rate, setting("requests", "Reviews that one network address can ask for")
    ] = Rate(burst=30, per_second=0.005)

    sockets_per_guest: Annotated[
        int, setting("sockets", "Maximum number of open sockets of one guest.", least=1)
    ] = 24
    sockets_per_address: Annotated[
        int, setting("sockets", "Maximum number of open sockets from one network address.", least=1)
    ] = 240
    max_socket_message_bytes: Annotated[
        int,
        setting("sockets", "Maximum size of a message that a client sends, in bytes.", least=1),
    ] = 1024
    max_socket_messages: Annotated[
        int,
        setting("sockets", "Number of client messages after which a socket is closed.", least=1),
    ] = 16
    socket_send_seconds: Annotated[
        float,
        setting(
            "sockets",
            "Seconds after which a socket is closed if its client does not read a message.",
            least=0.1,
            most=3600,
        ),
    ] = 20.0


UNLIMITED = Rate(burst=1e12, per_second=1e12)
"""A rate that no client exceeds."""
