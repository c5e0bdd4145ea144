"""Web Push: encryption, signatures, and endpoints that the server must not send requests to."""

from __future__ import annotations

import asyncio
import socket
from typing import Any
from urllib.parse import urlsplit

import pytest
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec

from byzanz.tables import Channel, NoticeKind, Sent, Target
from byzanz.web.notify import endpoints
from byzanz.web.notify.encryption import (
    MAX_MESSAGE_BYTES,
    Vapid,
    are_keys,
    encrypt,
    from_base64,
    public_bytes,
)
from byzanz.web.notify.endpoints import BadEndpoint, check_endpoint, is_public, resolve
from byzanz.web.notify.web_push import WebPush

from .push_service import Browser, Pushed, PushService, decoded, encoded, push_service

# RFC 8291, appendix A
PLAIN = b"When I grow up, I want to be a watermelon"
SERVER_KEY = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BROWSER_KEY = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
BROWSER_PUBLIC = (
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
)
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
SEALED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6"
    "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy"
    "4a-fN"
)


def key(number: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decoded(number)), ec.SECP256R1())


def test_the_example_of_rfc_8291_is_encrypted_to_the_same_bytes() -> None:
    assert encoded(public_bytes(key(BROWSER_KEY))) == BROWSER_PUBLIC
    body = encrypt(
        PLAIN,
        decoded(BROWSER_PUBLIC),
        decoded(AUTH),
        salt=decoded(SALT),
        own_key=key(SERVER_KEY),
    )
    assert encoded(body) == SEALED
    assert Browser(key(BROWSER_KEY), decoded(AUTH)).decrypt(body) == PLAIN


def test_only_the_browser_can_read_a_message() -> None:
    browser = Browser()
    keys = browser.point, decoded(browser.subscription("")["auth"])
    one, two = encrypt(b"secret", *keys), encrypt(b"secret", *keys)
    assert browser.decrypt(one) == browser.decrypt(two) == b"secret"
    assert one[:16] != two[:16]
    with pytest.raises(InvalidTag):
        Browser().decrypt(one)
    assert browser.decrypt(encrypt(b"x" * MAX_MESSAGE_BYTES, *keys)) == b"x" * MAX_MESSAGE_BYTES
    with pytest.raises(ValueError, match="at most"):
        encrypt(b"x" * (MAX_MESSAGE_BYTES + 1), *keys)


def test_the_server_signs_who_it_is_for_each_push_service() -> None:
    vapid = Vapid("a secret", "mailto:admin@byzanz.example")
    assert vapid.public_key == Vapid("a secret").public_key
    assert vapid.public_key != Vapid("another").public_key
    header = vapid.authorization("https://push.example:443/a/b?c", now=1000.0)
    claims = Pushed("", {"authorization": header}, b"").claims(vapid.public_key)
    assert claims == {
        "aud": "https://push.example:443",
        "exp": 1000 + 12 * 3600,
        "sub": "mailto:admin@byzanz.example",
    }
    assert vapid.authorization("https://push.example:443/other", now=2000.0) == header
    assert vapid.authorization("https://push.example:443/a", now=1000.0 + 12 * 3600) != header
    assert vapid.authorization("https://other.example/a", now=1000.0) != header
    forged = header.replace("t=ey", "t=eyA", 1)
    with pytest.raises((InvalidSignature, ValueError)):
        Pushed("", {"authorization": forged}, b"").claims(vapid.public_key)


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", ""),
        (BROWSER_PUBLIC, ""),
        (BROWSER_PUBLIC, AUTH[:-4]),
        (BROWSER_PUBLIC[:-4], AUTH),
        ("A" + BROWSER_PUBLIC[1:], AUTH),
        (BROWSER_PUBLIC[:-2] + "AA", AUTH),
        ("ß" * 87, AUTH),
        (BROWSER_PUBLIC, "!" * 22),
    ],
)
def test_keys_that_are_not_a_point_and_a_secret_are_refused(p256dh: str, auth: str) -> None:
    assert not are_keys(p256dh, auth)


def test_keys_with_and_without_padding_are_accepted() -> None:
    assert are_keys(BROWSER_PUBLIC, AUTH)
    assert are_keys(BROWSER_PUBLIC + "=", AUTH + "==")
    assert len(from_base64(AUTH)) == 16


@pytest.mark.parametrize(
    "endpoint",
    [
        "",
        "nonsense",
        "https://",
        "http://push.example/a",
        "ftp://push.example/a",
        "https://push.example:8443/a",
        "https://push.example:22/a",
        "https://push.example:99999/a",
        "https://user@push.example/a",
        "https://user:secret@push.example/a",
        "https://push.example/a b",
        "https://push.example/\r\nX: y",
        "https://push.example/\N{LATIN SMALL LETTER E WITH ACUTE}",
        "https://push.example/" + "a" * 1000,
        "https://[::1",
    ],
)
def test_only_https_at_its_own_port_is_accepted(endpoint: str) -> None:
    with pytest.raises(BadEndpoint):
        check_endpoint(endpoint, local=False)
    assert check_endpoint("https://push.example/a", local=False).hostname == "push.example"
    assert check_endpoint("https://push.example:443/a", local=False).port == 443


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.1.2.3", "169.254.169.254",
        "172.16.0.1", "192.0.0.1", "192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1",
        "64:ff9b::7f00:1", "2001:db8::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2002:7f00:1::",
        "2002:a00:1::", "fc00::1", "fd12::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
    ],
)  # fmt: skip
def test_private_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


def test_addresses_of_the_internet_are_public() -> None:
    for address in ("1.1.1.1", "142.250.0.1", "2606:4700::1111", "::ffff:1.1.1.1"):
        assert is_public(address)


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "[::1]", "2130706433", "0x7f.1", "169.254.169.254", "0"]
)
def test_names_of_private_addresses_are_refused(host: str) -> None:
    parts = check_endpoint(f"https://{host}/a", local=False)
    with pytest.raises((BadEndpoint, OSError)):
        asyncio.run(resolve(parts, local=False))


def target(service: PushService, browser: Browser, path: str = "/sub") -> Target:
    given = browser.subscription(service.url + path)
    keys = given["p256dh"], given["auth"]
    kinds = tuple(NoticeKind)
    return Target("id", "guest", Channel.PUSH, given["endpoint"], keys, kinds, True, 0.0)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (200, Sent.DONE),
        (201, Sent.DONE),
        (302, Sent.DONE),
        (400, Sent.DONE),
        (404, Sent.GONE),
        (410, Sent.GONE),
        (429, Sent.FAILED),
        (500, Sent.FAILED),
    ],
)
def test_the_answer_of_the_push_service_decides(status: int, expected: Sent) -> None:
    browser = Browser()
    with push_service() as service:
        service.status = status
        push = WebPush(Vapid("secret"), local=True)
        sent = asyncio.run(push.send(target(service, browser, "/a?b=c"), b"hello", "topic"))
        assert sent is expected
        pushed = service.next()
        assert pushed.path == "/a?b=c"
        assert browser.decrypt(pushed.body) == b"hello"
        assert pushed.claims(push.public_key)["aud"] == service.url
        assert int(pushed.headers["ttl"]) > 0
        assert len(pushed.headers["topic"]) <= 32
        assert service.pushed.empty()


def test_an_endpoint_that_became_private_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name had a public address at first, and leads to this machine when a message is sent."""
    answers = ["1.1.1.1", "127.0.0.1"]

    def lookup(host: str, port: int, *_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (answers.pop(0), port))]

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    push = WebPush(Vapid("secret"))
    browser = Browser()
    keys = tuple(browser.subscription("")[name] for name in ("p256dh", "auth"))
    endpoint = "https://rebinding.example/a"

    async def check() -> Sent:
        assert await push.accepts(endpoint, keys)  # type: ignore[arg-type]
        kinds = tuple(NoticeKind)
        gone = Target("id", "guest", Channel.PUSH, endpoint, keys, kinds, True, 0.0)  # type: ignore[arg-type]
        return await push.send(gone, b"hello", "topic")

    assert asyncio.run(check()) is Sent.GONE
    assert answers == []


def test_the_request_goes_to_the_address_that_was_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No name is resolved a second time between the check and the request."""
    connected: list[tuple[str, int]] = []

    async def connect(host: str, port: int, **given: Any) -> Any:
        connected.append((host, port))
        assert given["server_hostname"] == "push.example"
        raise ConnectionRefusedError

    monkeypatch.setattr(asyncio, "open_connection", connect)
    parts = urlsplit("https://push.example/a")
    address = endpoints.Address("1.2.3.4", 443)
    with pytest.raises(ConnectionRefusedError):
        asyncio.run(endpoints.post(parts, address, {}, b"", 5))
    assert connected == [("1.2.3.4", 443)]


def test_a_push_service_that_does_not_answer_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        parts = urlsplit(f"http://127.0.0.1:{silent.getsockname()[1]}/a")
        address = endpoints.Address("127.0.0.1", parts.port or 0)
        with pytest.raises(TimeoutError):
            asyncio.run(endpoints.post(parts, address, {}, b"", 0.2))
