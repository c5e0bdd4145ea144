"""A minimal HTTP client, so that many clients use little processor time."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit


@dataclass(frozen=True, slots=True)
class Reply:
    """A response of the server."""

    status: int
    content: bytes

    @property
    def data(self) -> Any:
        """The body as JSON."""
        return json.loads(self.content)


class Wire:
    """A connection to a server, opened at the first request. It carries one request at a time.

    A second request waits for the first. Without ``token`` the requests are anonymous.
    """

    def __init__(self, url: str, token: str | None = None) -> None:
        address = urlsplit(url)
        self._host, self._port = address.hostname or "", address.port or 80
        self._head = f"host: {address.netloc}\r\naccept: text/plain, */*\r\n"
        if token is not None:
            self._head += f"authorization: Bearer {token}\r\n"
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._free = asyncio.Lock()

    async def ask(
        self, method: str, path: str, body: Any = None, *, form: dict[str, Any] | None = None
    ) -> Reply:
        """Send a request and return the response; raises ConnectionError if none comes."""
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
        async with self._free:
            return await self._exchange(head.encode() + content)

    async def _exchange(self, request: bytes) -> Reply:
        if self._streams is not None and self._streams[0].at_eof():
            self.close()  # the server closes idle connections
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port)
        reader, writer = self._streams
        try:
            writer.write(request)
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
        """Close the connection."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
