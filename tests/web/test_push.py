"""Sockets: every seat is sent what it may see, in order, and nothing else."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.exceptions import InvalidStatus
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.sync.client import ClientConnection

from byzanz.tables import Host, NewTable, Open, Store, TableService, TableView
from byzanz.web.app import create_app
from byzanz.web.frames import ViewCache
from byzanz.web.push import SLOW

from .elements import apply, parse
from .server import PATIENCE, UNHURRIED, Served, simple_action
from .shapes import check_shape


def receive(socket: ClientConnection) -> dict[str, Any]:
    frame: dict[str, Any] = json.loads(socket.recv(timeout=PATIENCE))
    return frame


def test_a_stream_begins_with_the_table_and_goes_on_with_every_change(server: Served) -> None:
    host, guest = server.player("Host"), server.player("Guest")
    table = host.found("greedy", open_seats=1)
    with host.stream(table) as mine, server.socket(f"/api/tables/{table}/stream") as public:
        first = receive(mine)
        check_shape(first, TableView)
        assert (first["stage"], first["seat"]) == ("open", 0)
        assert receive(public)["seat"] is None
        guest.client.post(f"/api/tables/{table}/join", json={})
        while (begun := receive(mine))["stage"] != "playing":
            pass
        hand = begun["view"]["hand"]
        assert len(hand) == 4
        while (seen := receive(public))["stage"] != "playing":
            pass
        assert seen["view"]["hand"] == []
        assert host.act(table, "pass", decision=begun["decision"]).status_code == 200
        versions = [begun["version"]]
        while len(versions) < 3:
            versions.append(receive(mine)["version"])
        assert versions == sorted(versions)


def test_a_frame_is_compressed_by_the_one_before_it(server: Served) -> None:
    host = server.player("Host")
    table = host.found("greedy", open_seats=1)
    with server.socket(f"/table/{table}/socket") as socket:
        (deflate,) = socket.protocol.extensions
        assert isinstance(deflate, PerMessageDeflate)
        assert not deflate.remote_no_context_takeover
        assert 2**deflate.remote_max_window_bits > len(host.client.get(f"/table/{table}").content)


def test_a_page_is_sent_its_board_in_the_language_it_asks_for(server: Served) -> None:
    host = server.player("Host")
    table = host.found("greedy", "greedy")
    headers = {"authorization": f"Bearer {host.token}"}
    frames = {}
    host.waits(table)
    for language in ("", "?language=de", "?language=hu", "?language=xx"):
        path = f"/table/{table}/socket{language}"
        with server.socket(path, additional_headers=headers) as socket:
            frames[language] = receive(socket)
    assert frames[""]["content"] == frames["?language=xx"]["content"]
    assert len({frame["content"] for frame in frames.values()}) == 3
    assert {frame["version"] for frame in frames.values()} == {host.look(table)["version"]}


def test_each_socket_begins_with_the_whole_board_and_goes_on_with_changes(server: Served) -> None:
    host = server.player("Host")
    table = host.found("greedy", "greedy")
    headers = {"authorization": f"Bearer {host.token}"}

    def open_socket(query: str) -> ClientConnection:
        return server.socket(f"/table/{table}/socket?{query}", additional_headers=headers)

    view = host.waits(table)
    pages = [parse("") for _ in range(2)]
    with open_socket("language=en&changes") as one, open_socket("language=en") as plain:
        frames = [receive(one)]
        assert "frame" not in receive(plain)
        assert host.act(table, simple_action(view), decision=view["decision"]).status_code == 200
        view = host.waits(table)
        with open_socket("language=en&changes") as late:
            begun = [receive(late)]
            assert host.act(table, simple_action(view), decision=view["decision"]).is_success
            view = host.waits(table)
            for socket, got in ((one, frames), (late, begun)):
                while got[-1]["version"] < view["version"]:
                    got.append(receive(socket))
            while (whole := receive(plain))["version"] < view["version"]:
                assert "attributes" not in whole
    for page, got in zip(pages, (frames, begun), strict=True):
        assert [each["frame"] for each in got] == list(range(len(got)))
        page.children = parse(got[0]["content"]).children
        for each in got[1:]:
            apply(page, each["content"], each["attributes"])
    assert pages[0] == pages[1] == parse(whole["content"])


def test_a_guest_with_an_open_socket_is_present(server: Served) -> None:
    host = server.player("Host")
    table = host.found("greedy", open_seats=1)
    other = server.player("Other")
    assert not other.look(table)["sitters"][0]["present"]
    with host.stream(table) as socket:
        receive(socket)
        assert other.look(table)["sitters"][0]["present"]


@pytest.mark.parametrize("path", ["/table/nowhere/socket", "/api/tables/nowhere/stream"])
def test_a_missing_table_has_no_socket(server: Served, path: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        server.socket(path)
    assert refused.value.response.status_code == 404


def test_a_missing_path_has_no_socket(server: Served) -> None:
    with pytest.raises(InvalidStatus) as refused:
        server.socket("/nowhere")
    assert refused.value.response.status_code in (403, 404)


def test_viewers_who_see_the_same_share_one_frame() -> None:
    made: list[str] = []

    def write(table_view: Any) -> str:
        made.append(str(table_view))
        return made[-1]

    frames = ViewCache[str]()
    one, other = "one", "other"
    texts = [
        frames.get(table_view, language, write)  # type: ignore[arg-type]
        for table_view in (one, one, other, one)
        for language in ("en", "de", "en")
    ]
    assert made == ["one", "one", "other", "other"]
    assert texts[0] is texts[2]
    for number in range(1000):
        frames.get(str(number), "en", write)  # type: ignore[arg-type]
    assert len(frames._cache) < 1000


def test_a_client_that_does_not_read_is_disconnected(tmp_path: Path) -> None:
    sent = []

    async def receive() -> dict[str, Any]:
        if not sent:
            return {"type": "websocket.connect"}
        return await asyncio.Future()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)
        if message["type"] == "websocket.send":
            await asyncio.Future()

    async def watching() -> str:
        service = TableService(Store.open(f"sqlite:///{tmp_path / 'byzanz.db'}"))
        app = create_app(service, msgspec.structs.replace(UNHURRIED, socket_send_seconds=0.05))
        async with app.router.lifespan_context(app):
            host = await service.guests.create("Zoe", "en")
            table = await service.create(host.id, NewTable((Host(), Open(), Open())))
            path = f"/api/tables/{table}/stream"
            scope = {"type": "websocket", "path": path, "headers": [], "query_string": b""}
            async with asyncio.timeout(PATIENCE):
                await app(scope, receive, send)  # type: ignore[arg-type]
            assert service.figures["watches"] == 0
        return app.state.metrics.text().decode()

    metrics = asyncio.run(watching())
    assert [message["type"] for message in sent] == [
        "websocket.accept", "websocket.send", "websocket.close",
    ]  # fmt: skip
    assert sent[-1]["code"] == SLOW
    assert "byzanz_slow_readers_total 1.0" in metrics
