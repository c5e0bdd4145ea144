"""nginx and Caddy in front of a server, with the configurations that docs/deploying.md shows."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.requirements import CADDY, NGINX

from .server import PATIENCE, Served

HOST = "byzanz.example"
"""The name of the site in the documentation."""
SERVERS = ["10.0.0.11:8000", "10.0.0.12:8000"]
"""The servers of several machines in the documentation."""
TIMEOUT = "1s"
"""The time for headers and bodies, shorter than in the documentation."""

_DOCUMENT = Path(__file__).parents[2] / "docs" / "deploying.md"
_TLS = ssl.create_default_context()
_TLS.check_hostname = False
_TLS.verify_mode = ssl.CERT_NONE


def documented(beginning: str) -> str:
    """Return the code block of the documentation that begins like this."""
    blocks = re.findall(r"```\n(.*?)```", _DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    (block,) = [block for block in blocks if block.startswith(beginning)]
    return str(block)


def _changed(text: str, old: str, new: str) -> str:
    """Replace a line of the documentation that cannot be used in a test."""
    assert old in text, old
    return text.replace(old, new)


def nginx_command(folder: Path, port: int, server_port: int) -> list[str]:
    """Write nginx's configuration and return the command that runs nginx."""
    program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if program is None or shutil.which("openssl") is None:
        NGINX.skip()
    site = documented("limit_conn_zone")
    site = _changed(site, "listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;")
    key = f"ssl_certificate {folder}/cert.pem; ssl_certificate_key {folder}/key.pem;"
    site = _changed(site, "# ssl_certificate …", key)
    site = _changed(site, "127.0.0.1:8000", f"127.0.0.1:{server_port}")
    site = _changed(site, "timeout 15s;", f"timeout {TIMEOUT};")
    _write_nginx(folder, site)
    return [program, "-p", str(folder), "-e", f"{folder}/log", "-c", str(folder / "nginx.conf")]


def caddy_command(folder: Path, port: int, server_port: int) -> list[str]:
    """Write Caddy's configuration and return the command that runs Caddy."""
    program = shutil.which("caddy")
    if program is None or shutil.which("openssl") is None:
        CADDY.skip()
    site = documented("{\n    servers {")
    own = f"{{\n    admin off\n    auto_https disable_redirects\n    storage file_system {folder}\n"
    site = _changed(site, "{\n    servers {", f"{own}    servers {{")
    tls = f"    bind 127.0.0.1\n    tls {folder}/cert.pem {folder}/key.pem\n"
    site = _changed(site, f"{HOST} {{\n", f"https://{HOST}:{port} {{\n{tls}")
    site = _changed(site, "127.0.0.1:8000", f"127.0.0.1:{server_port}")
    site = _changed(site, " 15s\n", f" {TIMEOUT}\n")
    (folder / "Caddyfile").write_text(site)
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def nginx_for_several(folder: Path, port: int, servers: list[str]) -> list[str]:
    """Like ``nginx_command``, for several servers and without TLS."""
    program = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
    if program is None:
        NGINX.skip()
    upstream = documented("map $uri")
    for old, new in zip(SERVERS, servers, strict=True):
        upstream = _changed(upstream, old, new)
    site = f"server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://byzanz; }} }}"
    _write_nginx(folder, f"{upstream}\n{site}")
    return [program, "-p", str(folder), "-e", f"{folder}/log", "-c", str(folder / "nginx.conf")]


def caddy_for_several(folder: Path, port: int, servers: list[str]) -> list[str]:
    """Like ``caddy_command``, for several servers and without TLS."""
    program = shutil.which("caddy")
    if program is None:
        CADDY.skip()
    site = documented("    @table path_regexp")
    for old, new in zip(SERVERS, servers, strict=True):
        site = _changed(site, old, new)
    start = "{\n    admin off\n    auto_https off\n}\n"
    (folder / "Caddyfile").write_text(f"{start}http://127.0.0.1:{port} {{\n{site}}}\n")
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


def _write_nginx(folder: Path, site: str) -> None:
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(
        f"{user} daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/log;\n"
        f"events {{}}\nhttp {{ access_log off; {folders}\n{site}\n}}\n"
    )


COMMANDS: dict[str, Callable[[Path, int, int], list[str]]] = {
    "nginx": nginx_command,
    "caddy": caddy_command,
}


COMMANDS_FOR_SEVERAL: dict[str, Callable[[Path, int, list[str]], list[str]]] = {
    "nginx": nginx_for_several,
    "caddy": caddy_for_several,
}


@dataclass
class Proxied:
    """A server behind a proxy."""

    name: str
    served: Served
    port: int

    def client(self, address: str = "127.0.0.1", host: str = HOST, **given: Any) -> httpx.Client:
        """Return a browser at this network address, which calls the site by this name."""
        transport = httpx.HTTPTransport(verify=_TLS, local_address=address)
        client = httpx.Client(
            base_url=f"https://127.0.0.1:{self.port}",
            transport=transport,
            timeout=PATIENCE,
            headers={"host": host, "sec-fetch-site": "same-origin"},
            event_hooks={"request": [_named]},
            **given,
        )
        self.served.clients.append(client)
        return client

    def direct(self, address: str, **headers: str) -> httpx.Client:
        """Return a client at this network address that does not use the proxy."""
        transport = httpx.HTTPTransport(local_address=address)
        given = {"base_url": self.served.url, "transport": transport, "timeout": PATIENCE}
        client = httpx.Client(headers={"sec-fetch-site": "same-origin", **headers}, **given)  # type: ignore[arg-type]
        self.served.clients.append(client)
        return client

    @contextmanager
    def connection(self) -> Iterator[ssl.SSLSocket]:
        """Open a TLS connection to the proxy."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        with plain, _TLS.wrap_socket(plain, server_hostname=HOST) as wrapped:
            yield wrapped

    @contextmanager
    def socket(self, path: str, cookie: str, origin: str) -> Iterator[ClientConnection]:
        """Open a WebSocket through the proxy, as a page of this origin does."""
        with (
            socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as plain,
            connect(
                f"wss://{HOST}{path}",
                sock=plain,
                ssl=_TLS,
                additional_headers={"cookie": cookie, "origin": origin},
                open_timeout=PATIENCE,
            ) as opened,
        ):
            yield opened


def _named(request: httpx.Request) -> None:
    request.extensions["sni_hostname"] = HOST


@contextmanager
def proxied(name: str, folder: Path, served: Served) -> Iterator[Proxied]:
    """Run a proxy in front of a server; skip the test if the proxy is not installed."""
    port = _free_port()
    command = COMMANDS[name](folder, port, int(served.url.rpartition(":")[2]))
    _make_certificate(folder)
    with _running(command, folder, port):
        yield Proxied(name, served, port)


@contextmanager
def distributing(name: str, folder: Path, servers: list[str]) -> Iterator[str]:
    """Run a proxy in front of several servers, and yield its URL."""
    port = _free_port()
    with _running(COMMANDS_FOR_SEVERAL[name](folder, port, servers), folder, port):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def _running(command: list[str], folder: Path, port: int) -> Iterator[None]:
    with (folder / "output").open("w") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env=_environment(folder))
    try:
        until = time.monotonic() + PATIENCE
        while not _listens(port):
            ended = process.poll() is not None or time.monotonic() > until
            assert not ended, (folder / "output").read_text()
            time.sleep(0.05)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}


def _make_certificate(folder: Path) -> None:
    subject = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
    keys = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    command = ["openssl", "req", "-x509", "-days", "2", *keys, *subject, *files]
    subprocess.run(command, check=True, capture_output=True)


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
