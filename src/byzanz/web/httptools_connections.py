"""Limited connections with the parser httptools, which is faster than h11.

httptools has no limits of its own, so this module counts what is not part of a body: the request
line, headers, trailers and the frames of chunks.
"""

from __future__ import annotations

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from .connections import MAX_HEADER_BYTES, LimitedConnection

_BYTES_PER_BODY_BYTE = 16
"""How many bytes may frame one byte of a body; a chunk of one byte needs five or more."""


class LimitedHttpTools(LimitedConnection, HttpToolsProtocol):
    """A limited connection with the parser httptools."""

    _arriving = True
    _headers_done = False
    _unread = 0
    """The number of bytes of the request that have arrived."""
    _body = 0
    """The number of bytes of its body that have arrived."""

    def data_received(self, data: bytes) -> None:
        """Read a part of a request. Its headers and trailers must not be too large."""
        if self._counted is None:
            return
        self._arriving = True
        self._unread += len(data)
        super().data_received(data)
        if self._arriving and self._is_too_large() and not self.transport.is_closing():
            self.send_400_response("Invalid HTTP request received.")
        self._note(arriving=self._arriving)

    def on_message_begin(self) -> None:
        """Begin to count a request."""
        self._arriving, self._headers_done, self._body = True, False, 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Accept a header, and refuse trailers, which the application does not use."""
        if self._headers_done:
            raise ValueError("the request has trailers")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Refuse headers that are too large, even if they arrived at once."""
        self._headers_done = True
        size = len(self.url) + sum([len(name) + len(value) + 4 for name, value in self.headers])
        if size > MAX_HEADER_BYTES:
            raise ValueError("the headers are too large")
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Count a part of the body."""
        self._body += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Stop counting: the request has arrived."""
        self._arriving, self._unread = False, 0
        super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to the WebSocket protocol."""
        self._release()
        super().handle_websocket_upgrade()

    def _is_too_large(self) -> bool:
        return self._unread > MAX_HEADER_BYTES + (1 + _BYTES_PER_BODY_BYTE) * self._body
