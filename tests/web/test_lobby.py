"""The lobby, the waiting room, portraits, and what a browser needs to install the game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from byzanz.locale import LANGUAGES
from byzanz.rules import Result
from byzanz.tables import AVATARS, Sitter, place
from byzanz.web.art.avatars import AVATARS as PORTRAITS
from byzanz.web.installing import kept_files, worker_text
from byzanz.web.invitation import draw
from byzanz.web.portraits import bot_portrait, seat_portraits
from byzanz.web.static_files import content, static, static_names

from .server import Served, simple_action


def sitter(seat: int, **changes: object) -> Sitter:
    """Return a person on this seat, with these changes."""
    person = {"name": "Ann", "bot": None, "open": False, "standing_in": False, "left": False}
    more = {"host": False, "present": True, "avatar": None, "invited": False}
    return Sitter(seat=seat, **{**person, **more, **changes})  # type: ignore[arg-type]


# -- portraits


def test_there_is_a_picture_for_every_portrait() -> None:
    assert len(PORTRAITS) == AVATARS


def test_portraits_of_a_table_are_different_unless_people_chose_the_same() -> None:
    for table in ("a", "b", "c", "table"):
        sitters = [sitter(0, avatar=3), sitter(1), sitter(2)]
        sitters += [sitter(seat, name=None, bot="trader") for seat in (3, 4, 5)]
        found = seat_portraits(table, sitters)
        assert found[0] == 3 == bot_portrait("trader")
        assert len(set(found)) == 6
    assert seat_portraits("t", [sitter(0, avatar=3), sitter(1, avatar=3)]) == (3, 3)


def test_a_bot_has_the_portrait_of_its_kind_and_a_stand_in_that_of_the_person() -> None:
    sitters = [sitter(0, avatar=0), sitter(1, name=None, bot="novice"), sitter(2, avatar=2)]
    assert seat_portraits("t", sitters) == (0, bot_portrait("novice"), 2)
    owned = seat_portraits("t", [*sitters[:2], sitter(2)])
    replaced = sitter(2, name=None, bot="emperor", standing_in=True)
    assert seat_portraits("t", [*sitters[:2], replaced]) == owned


def test_a_guest_chooses_a_portrait_that_the_others_see(server: Served) -> None:
    ada, ben = server.player("Ada"), server.player("Ben")
    table = ada.found(open_seats=2)
    assert ada.client.get("/api/me").json() == {"name": "Ada", "language": "en", "avatar": None}
    assert ada.client.patch("/api/me", json={"avatar": 4}).json()["avatar"] == 4
    assert ben.look(table)["sitters"][0]["avatar"] == 4
    assert "av-4" in ben.client.get(f"/table/{table}").text
    form = {"avatar": "6", "back": f"/table/{table}"}
    answer = ada.client.post("/me", data=form)
    assert answer.headers["location"] == f"/table/{table}"
    assert ada.client.get("/api/me").json() == {"name": "Ada", "language": "en", "avatar": 6}
    assert ada.client.patch("/api/me", json={"avatar": None}).json()["avatar"] is None
    refused = ada.client.post("/me", data={"avatar": "12"})
    assert refused.status_code == 400
    assert "0 to 11" in refused.text
    assert ada.client.patch("/api/me", json={"avatar": 12}).status_code == 400


# -- the lobby


def test_the_place_in_a_game_is_one_for_all_winners() -> None:
    result = Result((20, 31, 31, 5), (2,))
    assert [place(result, seat) for seat in range(4)] == [3, 2, 1, 4]
    assert [place(Result((9, 9, 4), (0, 1)), seat) for seat in range(3)] == [1, 1, 3]


def test_one_click_seats_a_person_with_bots(server: Served) -> None:
    with server.client() as client:
        answer = client.post("/play", data={}, headers={"origin": server.url})
        assert answer.status_code == 303
        found = client.get(f"/api{answer.headers['location'].replace('table', 'tables')}").json()
    assert found["stage"] == "playing"
    assert [sitter["bot"] for sitter in found["sitters"]] == [None, "level1", "level1", "level1"]


def test_the_lobby_shows_turns_and_last_games_with_place_and_profit(server: Served) -> None:
    ada = server.player("Ada")
    done = ada.found("random", "random")
    finished = ada.play_on(done)
    going = ada.found("random", "random")
    ada.waits(going)
    page = ada.client.get("/").text
    assert re.search(rf'Your turn against [^<]+</p>\s*<a[^>]+href="/table/{going}"', page)
    last = re.search(r'<ul class="lines last">(.*?)</ul>', page, re.DOTALL)
    assert last is not None
    result = Result(*map(tuple, finished["result"].values()))
    won = place(result, 0)
    shown = re.sub(r"<[^>]+>|\s+", " ", last[1])
    assert f" {result.profit[0]} " in shown
    assert ("Won" if won == 1 else f"Place {won} of 3") in shown
    assert re.search(r'<time class="state" datetime="\d{4}-\d\d-\d\d">', last[1])


def test_an_open_table_is_listed_until_it_is_full(server: Served) -> None:
    ada, ben, cid = [server.player(name) for name in ("Ada", "Ben", "Cid")]
    table = ada.found(open_seats=2, listed=True, host_starts=True)
    listed = f'href="/table/{table}"'
    assert listed in cid.client.get("/").text
    for joining in (ben, server.player("Dan")):
        joining.client.post(f"/table/{table}/join", data={})
    assert listed not in cid.client.get("/").text
    assert ada.look(table)["stage"] == "open"


def test_the_link_to_the_lessons_is_there_if_the_route_is(server: Served) -> None:
    learn = Route("/learn", lambda _: PlainTextResponse("lessons"))
    with server.client() as client:
        present = any(getattr(route, "path", "") == "/learn" for route in server.app.routes)
        assert ('href="/learn"' in client.get("/").text) == present
        server.app.router.routes.append(learn)
        try:
            assert 'href="/learn"' in client.get("/").text
        finally:
            server.app.router.routes.remove(learn)


def test_an_invitation_is_shown_in_the_lobby_and_accepted_there(server: Served) -> None:
    ada, ben = server.player("Ada"), server.player("Ben")
    table = ada.found("random", open_seats=1)
    ben.client.post(f"/api/tables/{table}/join", json={})
    while ada.look(table)["stage"] == "playing":
        for player in (ada, ben):
            seen = player.look(table)
            if seen["seat"] in seen["waiting_for"]:
                player.act(table, simple_action(seen), decision=seen["decision"])
    again = ada.client.post(f"/table/{table}/rematch").headers["location"]
    page = ben.client.get("/").text
    assert "Ada invites you to a rematch" in page
    assert f'action="{again}/decline"' in page
    assert "Ada invites you to a rematch" in ben.client.get(again).text
    assert "A rematch is being prepared" in ben.client.get(f"/table/{table}").text
    ben.client.post(f"{again}/accept")
    assert ben.look(again.rpartition("/")[2])["stage"] == "playing"
    assert "invites you" not in ben.client.get("/").text


# -- the waiting room


def test_the_qr_code_holds_the_link_of_the_table(server: Served) -> None:
    ada = server.player("Ada")
    table = ada.found(open_seats=2)
    with server.client() as client:
        answer = client.get(f"/table/{table}/qr.svg")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.content == draw(f"{server.url}/table/{table}")
        assert b"style" not in answer.content
        assert client.get("/table/none/qr.svg").status_code == 404
        long = client.get(f"/table/{table}/qr.svg", headers={"host": "x" * 4000})
        assert long.status_code == 400


def test_the_waiting_room_shows_the_chosen_rules(server: Served) -> None:
    ada = server.player("Ada")
    table = ada.found("novice", open_seats=1, memory_aid=False, think_seconds=600)
    text = re.sub(r"<[^>]+>|\s+", " ", ada.client.get(f"/table/{table}").text)
    for words in ("Players 3", "Rounds 8", "Memory aid off", "Open profit on", "10 minutes"):
        assert re.search(words.replace(" ", r"\s+"), text), words
    odd = ada.found("novice", open_seats=1, think_seconds=420)
    assert "7 min" in ada.client.get(f"/table/{odd}").text


# -- installing


def test_the_manifest_has_what_installing_needs(server: Served) -> None:
    with server.client() as client:
        answer = client.get("/manifest.webmanifest", headers={"accept-language": "de"})
        manifest = answer.json()
        assert answer.headers["content-type"] == "application/manifest+json"
        assert (manifest["lang"], manifest["start_url"], manifest["display"]) == (
            "de",
            "/",
            "standalone",
        )
        assert {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]} == {
            ("192x192", "any"),
            ("512x512", "any"),
            ("512x512", "maskable"),
        }
        for icon in manifest["icons"]:
            picture = client.get(icon["src"])
            assert picture.content.startswith(b"\x89PNG")
            assert picture.headers["cache-control"].endswith("immutable")
            width = int.from_bytes(picture.content[16:20])
            assert f"{width}x{width}" == icon["sizes"]
        policy = client.get("/").headers["content-security-policy"]
        assert "manifest-src 'self'" in policy
        assert "worker-src 'self'" in policy


def test_the_service_worker_keeps_versioned_files_and_no_page(server: Served) -> None:
    with server.client() as client:
        answer = client.get("/service-worker.js")
        assert "no-cache" in answer.headers["cache-control"]
        files = json.loads(re.search(r"const FILES = (\[.*\]);", answer.text)[1])  # type: ignore[index]
        assert len(files) > 60
        for address in files:
            assert re.fullmatch(r"/(static|art)/[\w.-]+\?[0-9a-f]{12}", address)
            kept = client.get(address)
            assert kept.headers["cache-control"].endswith("immutable"), address
            assert "set-cookie" not in kept.headers


def test_the_offline_page_has_every_language_and_no_guest(server: Served) -> None:
    ada = server.player("Somebody")
    page = ada.client.get("/offline").text
    assert re.findall(r'<section [^>]*lang="(\w+)"', page) == list(LANGUAGES)
    assert "Somebody" not in page
    assert "Nincs kapcsolat" in page


@pytest.fixture
def changed_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Simulate another version of the program, in which one script is different."""
    from byzanz.web import installing, static_files  # noqa: PLC0415

    for name in [*static_names(), "icons"]:
        (tmp_path / name).symlink_to(Path(str(static_files._FOLDER / name)))
    (tmp_path / "sounds.js").unlink()
    (tmp_path / "sounds.js").write_text("export const sound = () => {};")
    caches = (static, content, worker_text, installing.offline_page)
    monkeypatch.setattr(static_files, "_FOLDER", tmp_path)
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def test_a_changed_script_changes_the_addresses_of_all_that_import_it(
    request: pytest.FixtureRequest,
) -> None:
    before, worker = kept_files(), worker_text()
    request.getfixturevalue("changed_script")
    changed = {
        one.partition("?")[0]
        for one, other in zip(before, kept_files(), strict=True)
        if one != other
    }
    assert changed == {
        f"/static/{name}.js" for name in ("sounds", "clock", "moments", "replay", "table")
    }
    assert worker_text() != worker


# -- the language


@pytest.mark.parametrize(
    ("path", "back"),
    [
        ("/nowhere", "/nowhere"),
        ("/nowhere?a=1&b=%C3%A9", "/nowhere?a=1&b=%C3%A9"),
        ("/table/none", "/table/none"),
        ("//elsewhere.example/x", "/elsewhere.example/x"),
    ],
)
def test_changing_the_language_stays_on_a_page_that_does_not_exist(
    server: Served, path: str, back: str
) -> None:
    with server.client() as client:
        page = client.get(server.url + path)
        assert page.status_code == 404
        shown = re.search(r'name="back" value="([^"]*)"', page.text)
        assert shown is not None
        form = {"language": "hu", "back": shown[1].replace("&amp;", "&")}
        answer = client.post("/language", data=form, headers={"origin": server.url})
        assert answer.headers["location"] == back
        again = client.get(back)
        assert again.status_code == 404
        assert '<html lang="hu">' in again.text
