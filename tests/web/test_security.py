"""Protection against other sites, other guests and injected code."""

from __future__ import annotations

import re

import pytest
from starlette.routing import Route
from websockets.exceptions import InvalidStatus

from byzanz.coach.puzzles import load_puzzles

from .server import Served

PATHS = ["/", "/rules", "/api", "/api/openapi.json", "/api/lobby", "/nowhere", "/api/nowhere",
         "/health", "/metrics", "/art/C1.svg", "/art/faces.css", "/static/style.css"]  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
def test_every_response_has_the_security_headers(server: Served, path: str) -> None:
    with server.client() as client:
        answer = client.get(path)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "same-origin"
    assert "server" not in answer.headers
    drawn = path.startswith("/art/")
    assert answer.headers["cache-control"].startswith("public" if drawn else "private")


def test_what_a_guest_gets_is_not_cached(server: Served) -> None:
    player = server.player("Ada")
    table = player.found("random", "random")
    paths = ("/", f"/table/{table}", f"/api/tables/{table}", "/api/me", "/nowhere", "/rules")
    for path in paths:
        assert player.client.get(path).headers["cache-control"] == "no-store", path
    with server.client() as client:
        assert client.get("/pass/token").headers["cache-control"] == "no-store"
        assert client.get("/").headers["cache-control"] == "private, no-cache"
    files = player.client.get("/static/style.css"), player.client.get("/art/hero.svg")
    assert all("no-store" not in answer.headers["cache-control"] for answer in files)


IN_PATHS = {
    "day": "2026-01-01",
    "lesson": "auction",
    "step": "1",
    "name": "C1",
    "token": "nonsense",
    "session": "nonsense",
    "deal": "nonsense",
}
"""Values of the parameters of paths, apart from the table and a puzzle."""
SHARED = {"/art/faces.css", "/art/{name}.svg", "/table/{table}/result.png"}
"""Paths of pictures that are the same for everybody."""


def test_no_response_to_a_guest_is_stored_whatever_the_route(server: Served) -> None:
    player = server.player("Ada")
    table, finished = player.found("random", "random"), player.found("random", "random")
    player.play_on(finished)
    values = IN_PATHS | {"puzzle": next(iter(load_puzzles()))}
    asked = 0
    for route in server.app.routes:
        if not isinstance(route, Route) or "GET" not in (route.methods or ()):
            continue
        for at in (table, finished):
            names = re.findall(r"{(\w+)", route.path)
            path = route.path
            for name in names:
                path = re.sub(rf"{{{name}[^}}]*}}", values.get(name, at), path)
            answer = player.client.get(path)
            assert answer.status_code < 500, path
            stored = answer.headers["cache-control"] != "no-store"
            assert not stored or route.path in SHARED, (path, answer.headers["cache-control"])
            asked += 1
    assert asked > 80


def test_a_file_with_its_version_in_the_url_is_cached_forever(server: Served) -> None:
    with server.client() as client:
        found = re.search(r"/static/style\.css\?\w+", client.get("/").text)
        assert found is not None
        assert "immutable" in client.get(found[0]).headers["cache-control"]
        assert client.get("/static/../app.py").status_code == 404
        assert client.get("/static/nothing.css?x").status_code == 404


@pytest.mark.parametrize("path", ["/", "/rules", "/about", "/api", "/nowhere"])
def test_pages_contain_no_inline_code(server: Served, path: str) -> None:
    with server.client() as client:
        page = client.get(path).text
    assert "<style" not in page
    assert " style=" not in page
    assert " onclick" not in page
    for script in page.split("<script")[1:]:
        assert " src=" in script.split(">")[0]


@pytest.mark.parametrize(
    "headers",
    [
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "https://elsewhere.example"},
        {"origin": "null"},
        {"origin": "http://[broken"},
        {},
    ],
)
def test_another_site_cannot_act_for_a_guest(server: Served, headers: dict[str, str]) -> None:
    with server.client() as client:
        client.post("/play", data={"bot": "random"}, headers={"sec-fetch-site": "same-origin"})
        for path, body in (("/play", {"data": {"bot": "random"}}), ("/api/me", {"json": {}})):
            answer = client.post(path, headers=headers, **body)  # type: ignore[arg-type]
            assert answer.status_code == 403
        assert len(client.get("/api/me/tables").json()["tables"]) == 1


def test_another_site_cannot_sign_a_visitor_in_as_a_new_guest(server: Served) -> None:
    # A cross-site form has no cookie. If it were accepted, its response would replace the cookie.
    with server.client() as client:
        answer = client.post("/play", data={"bot": "random"}, headers={"origin": "https://evil"})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers


def test_the_servers_own_pages_are_recognised_by_either_header(server: Served) -> None:
    for headers in ({"sec-fetch-site": "same-origin"}, {"origin": server.url}):
        with server.client() as client:
            answer = client.post("/play", data={"bot": "random"}, headers=headers)
            assert answer.status_code == 303


def test_a_token_needs_no_origin(server: Served) -> None:
    player = server.player()
    answer = player.client.patch("/api/me", json={"name": "Zoe"}, headers={"origin": "https://x"})
    assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/table/{}/socket", "/api/tables/{}/stream"])
def test_another_site_cannot_open_a_socket(server: Served, path: str) -> None:
    with server.client() as client:
        client.post("/play", data={"bot": "random"}, headers={"sec-fetch-site": "same-origin"})
        table = client.get("/api/me/tables").json()["tables"][0]["table"]
        cookie = {"cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}
    for headers in ({"origin": "https://elsewhere.example"}, {"origin": "null"}, {}):
        with pytest.raises(InvalidStatus) as refused:
            server.socket(path.format(table), additional_headers={**cookie, **headers})
        assert refused.value.response.status_code == 403
    headers = {**cookie, "origin": server.url}
    with server.socket(path.format(table), additional_headers=headers) as socket:
        assert table in str(socket.recv())


def test_nobody_acts_for_another_seat(server: Served) -> None:
    host, other, stranger = server.player("Host"), server.player("Other"), server.player("Third")
    table = host.found("greedy", open_seats=1)
    other.client.post(f"/api/tables/{table}/join", json={})
    table_view = host.waits(table)
    hand = table_view["view"]["hand"]
    for player, status in ((other, 409), (stranger, 403)):
        answer = player.act(table, "pass", decision=table_view["decision"])
        assert answer.status_code == status
        cards = f"bid {hand[0]}"
        assert player.act(table, cards, decision=table_view["decision"]).status_code == status
    assert host.look(table)["number"] == table_view["number"]
    for command in ("start", "leave", "replace", "rematch"):
        body = {"seat": 0} if command == "replace" else {}
        given = {} if command == "leave" else {"json": body}
        answer = stranger.client.post(f"/api/tables/{table}/{command}", **given)
        assert answer.status_code in (403, 409), command


def test_nobody_acts_without_an_identity(server: Served) -> None:
    table = server.player().found("random", "random")
    with server.client() as client:
        for path in ("join", "start", "leave", "replace", "return", "rematch", "actions"):
            answer = client.post(f"/api/tables/{table}/{path}", json={})
            assert answer.status_code == 401, path
            assert answer.json()["error"]["code"] == "no-identity"


def test_a_form_without_a_script_can_be_sent_again_after_a_refusal(server: Served) -> None:
    """The key depends on the form's content, so the next form has another key."""
    host = server.player("Host")
    table = host.found("greedy", "greedy")
    table_view = host.waits(table)
    decision = {"decision": str(table_view["decision"]), "sale": str(table_view["sale"])}
    same = {"sec-fetch-site": "same-origin"}
    path = f"/table/{table}/act"
    refused = host.client.post(path, data={**decision, "do": "discard", "card": "C1"}, headers=same)
    assert refused.status_code == 409
    again = host.client.post(path, data={**decision, "do": "pass"}, headers=same)
    assert again.status_code == 303


def test_a_script_gets_errors_as_plain_text(server: Served) -> None:
    table = server.player("Host").found("greedy", "greedy")
    plain = {"sec-fetch-site": "same-origin", "accept": "text/plain"}
    with server.client() as client:
        for path in (f"/table/{table}/act", "/table/nowhere/act"):
            answer = client.post(path, data={"do": "pass"}, headers=plain)
            assert answer.status_code >= 400
            assert answer.headers["content-type"].startswith("text/plain")
            assert "<" not in answer.text


NASTY = "<img src=x>&'\" </b>"


def test_names_are_escaped_everywhere(server: Served) -> None:
    host = server.player(NASTY)
    table = host.found("random", open_seats=1, listed=True)
    answer = host.client.get(f"/api/tables/{table}")
    assert answer.headers["content-type"] == "application/json"
    assert answer.json()["sitters"][0]["name"] == NASTY
    pages = [f"/table/{table}", "/", f"/table/{table}/story"]
    for path in pages:
        page = host.client.get(path)
        assert "<img src=x>" not in page.text
        assert page.headers["content-type"].startswith("text/html")
    headers = {"authorization": f"Bearer {host.token}"}
    with server.socket(f"/table/{table}/socket", additional_headers=headers) as socket:
        assert "<img src=x>" not in str(socket.recv())
