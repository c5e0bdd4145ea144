"""A thin HTTP client: many of them leave a small machine's time to the server."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit


@dataclass(frozen=True, slots=True)
class Reply:
    """What the server answered."""

    status: int
    content: bytes

    @property
    def data(self) -> Any:
        """The answer's JSON."""
        return json.loads(self.content)


class Wire:
    """A connection to a server, made when it is needed and kept; it carries a request at a time.

    Without ``token`` the server does not know who asks.
    """

    def __init__(self, url: str, token: str | None = None) -> None:
        address = urlsplit(url)
        self._host, self._port = address.hostname or "", address.port or 80
        self._head = f"host: {address.netloc}\r\naccept: text/plain, */*\r\n"
        if token is not None:
            self._head += f"authorization: Bearer {token}\r\n"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(
        self, method: str, path: str, body: Any = None, *, form: dict[str, Any] | None = None
    ) -> Reply:
        """The answer; raises ConnectionRefusedError, or ConnectionError if none came."""
        content, kind = b"", "application/json"
        if body is not None:
            content = json.dumps(body).encode()
        elif form is not None:
            content, kind = (
                urlencode(form, doseq=True).encode(),
                "application/x-www-form-urlencoded",
            )
        head = (
            f"{method} {path} HTTP/1.1\r\n{self._head}"
            f"content-type: {kind}\r\ncontent-length: {len(content)}\r\n\r\n"
        )
        if self._streams is not None and self._streams[0].at_eof():
            self.close()  # the server closes what is not used for a while
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        try:
            writer.write(head.encode() + content)
            answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(answer.partition("content-length: ")[2].partition("\r\n")[0] or 0)
            found = await reader.readexactly(length)
        except (asyncio.IncompleteReadError, OSError) as error:
            self.close()
            raise ConnectionError("no answer came") from error
        if "connection: close" in answer:
            self.close()
        return Reply(int(answer.split(" ", 2)[1]), found)

    def close(self) -> None:
        """The connection is closed."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
