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
            "for IP addresses and names of a local network.",
        ),
    ] = ""

    max_body_bytes: Annotated[
        int, setting("requests", "Maximum size of a request body in bytes.", least=1024)
    ] = 16 * 1024
    request_seconds: Annotated[
        float,
        setting(
            "requests",
            "Seconds within which a request must arrive and its answer must be read.",
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

    push: Annotated[
        bool,
        setting(
            "notifications",
            "Whether browsers can get push notifications, if the extra push is installed.",
        ),
    ] = True
    push_contact: Annotated[
        str,
        setting(
            "notifications",
            "Address at which push services can reach you, such as mailto:admin@byzanz.example; "
            "empty for the public address.",
            pattern=r"\A(?:(?:mailto:|https://)[!-~]+)?\Z",
            expected="empty, or mailto: and an e-mail address, or an https address",
        ),
    ] = ""
    push_to_local_addresses: Annotated[
        bool,
        setting(
            "notifications",
            "Whether push notifications may go to private addresses and without HTTPS, for tests.",
        ),
    ] = False
    smtp_host: Annotated[
        str,
        setting("notifications", "Mail server that sends e-mails; empty for no e-mails."),
    ] = ""
    smtp_port: Annotated[
        int, setting("notifications", "Port of the mail server.", least=1, most=65535)
    ] = 587
    smtp_security: Annotated[
        str,
        setting(
            "notifications",
            "How the connection to the mail server is encrypted.",
            choices=("starttls", "ssl", "none"),
        ),
    ] = "starttls"
    smtp_user: Annotated[
        str,
        setting(
            "notifications",
            "User at the mail server, whose password is in BYZANZ_SMTP_PASSWORD or in the file "
            "BYZANZ_SMTP_PASSWORD_FILE; empty for no login.",
        ),
    ] = ""
    mail_sender: Annotated[
        str,
        setting(
            "notifications",
            "Sender of e-mails, such as Byzanz <noreply@byzanz.example>.",
            pattern=r"\A(?:[^<>@\x00-\x1f]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)?\Z",
            expected="empty, or an e-mail address, or a name and <an e-mail address>",
        ),
    ] = ""
    mail_rate: Annotated[
        Rate, setting("notifications", "E-mails with notifications to one address")
    ] = Rate(burst=20, per_second=0.0005)
    confirmation_rate: Annotated[
        Rate,
        setting(
            "notifications",
            "E-mails that ask for confirmation, for one guest, one network address and one e-mail "
            "address",
        ),
    ] = Rate(burst=5, per_second=0.001)


UNLIMITED = Rate(burst=1e12, per_second=1e12)
"""A rate that no client exceeds."""
