"""A TCP proxy that delays all data, so that a server seems to be far away."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

_CHUNK = 65536


@contextmanager
def far_away(url: str, seconds: float) -> Iterator[str]:
    """Return another address of the server, at which every byte is delayed in both directions."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    port = urlsplit(url).port
    assert port is not None
    listening = asyncio.run_coroutine_threadsafe(_listen(port, seconds), loop).result()
    try:
        yield f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    finally:
        asyncio.run_coroutine_threadsafe(_stop(listening), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _listen(port: int, seconds: float) -> asyncio.Server:
    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.CancelledError):
            back, forth = await asyncio.open_connection("127.0.0.1", port)
            try:
                await asyncio.gather(_carry(reader, forth, seconds), _carry(back, writer, seconds))
            finally:
                forth.transport.abort()
                writer.transport.abort()

    return await asyncio.start_server(connected, "127.0.0.1", 0)


async def _stop(listening: asyncio.Server) -> None:
    listening.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


async def _carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, late: float) -> None:
    """Forward all data after a fixed delay."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def deliver() -> None:
        while (item := await queue.get())[1]:
            await asyncio.sleep(max(0.0, item[0] - loop.time()))
            writer.write(item[1])
            await writer.drain()
        writer.close()

    delivering = asyncio.create_task(deliver())
    with suppress(OSError):
        while data := await reader.read(_CHUNK):
            queue.put_nowait((loop.time() + late, data))
    queue.put_nowait((0.0, b""))
    with suppress(OSError):
        await delivering
