"""The page and the API of deals that anyone can check."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO

import pytest

from byzanz.locale import LANGUAGES, load_translations
from byzanz.notation import check_proof, judge
from byzanz.rules import commitment

from .server import Player, Served, simple_action

NONCE, OTHER = "0a" * 16, "0b" * 16


def _seated(server: Served) -> tuple[Player, Player, str]:
    """Return two players and their table, which is in play."""
    ann, ben = server.player("Ann"), server.player("Ben")
    seats = [{"type": "host"}, {"type": "bot", "bot": "random"}, {"type": "open"}]
    answer = ann.client.post("/api/tables", json={"seats": seats, "nonce": NONCE})
    table: str = answer.json()["table"]
    answer = ben.client.post(f"/api/tables/{table}/join", json={"nonce": OTHER})
    assert answer.status_code == 200, answer.text
    return ann, ben, table


def test_the_secret_is_nowhere_before_the_end_and_proves_the_deal_after_it(server: Served) -> None:
    players = ann, _, ben = [server.player(name) for name in ("Ann", "Carl", "Ben")]
    seats = [{"type": "host"}, {"type": "open"}, {"type": "open"}]
    table = ann.client.post("/api/tables", json={"seats": seats, "nonce": NONCE}).json()["table"]
    for player, given in zip(players[1:], ({}, {"nonce": OTHER}), strict=True):
        player.client.post(f"/api/tables/{table}/join", json=given)
    paths = [f"/table/{table}", f"/table/{table}/verify", f"/api/tables/{table}"]
    paths += [f"/api/tables/{table}/proof", f"/table/{table}/record", "/api/me/tables", "/"]
    bodies: list[str] = []
    while (view := ann.look(table))["stage"] == "playing":
        if len(bodies) < 60:
            bodies += [who.client.get(path).text for path in paths for who in (ann, ben)]
        player = players[view["waiting_for"][0]]
        view = player.look(table)
        answer = player.act(table, simple_action(view), decision=view["decision"])
        assert answer.status_code == 200, answer.text
    proof = ann.client.get(f"/api/tables/{table}/proof").json()
    drawn = proof["nonces"][1]
    assert proof["nonces"] == [f"player:{NONCE}", drawn, f"player:{OTHER}"]
    assert drawn.startswith("server:")
    assert commitment(proof["secret"]) == proof["commitment"] == ann.look(table)["commitment"]
    assert bodies
    assert not any(proof["secret"] in body for body in bodies)
    assert any(proof["commitment"] in body for body in bodies)
    (verdict,) = judge(BytesIO(ben.client.get(f"/table/{table}/record").content))
    assert verdict.record is not None
    assert check_proof(verdict.record.deal, verdict.record.extra) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_explains_the_proof_in_every_language(server: Served, language: str) -> None:
    ann, _, table = _seated(server)
    with server.client(headers={"accept-language": language}) as client:
        page = unescape(client.get(f"/table/{table}/verify").text)
    gettext = load_translations(language).gettext
    assert gettext("Hash of the secret") in page
    assert gettext("The secret is opened when the game is over. Then you can check the deal here.") in page  # fmt: skip  # noqa: E501
    assert ann.look(table)["commitment"] in page
    assert re.search(r'data-fault_wrong_deal="[^"]{20,}"', page)


def test_a_game_without_a_proof_says_so(server: Served) -> None:
    ann = server.player("Ann")
    table = ann.found("random", "random")
    page = ann.client.get(f"/table/{table}/verify")
    assert (page.status_code, "This game has no proof" in page.text) == (200, True)
    answer = ann.client.get(f"/api/tables/{table}/proof")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-proof")
    assert ann.client.get("/table/nowhere/verify").status_code == 404


def test_a_malformed_nonce_is_refused_by_form_and_api(server: Served) -> None:
    ann, ben = server.player("Ann"), server.player("Ben")
    table = ann.found(open_seats=2)
    answer = ben.client.post(f"/api/tables/{table}/join", json={"nonce": "x"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "bad-request")
    answer = ben.client.post(f"/table/{table}/join", data={"nonce": "x"})
    assert (answer.status_code, "32 hexadecimal digits" in answer.text) == (400, True)
    answer = ben.client.post(f"/table/{table}/join", data={"nonce": NONCE})
    assert answer.status_code == 303
    proof = ben.client.get(f"/api/tables/{table}/proof").json()
    assert proof["nonces"][1] == f"player:{NONCE}"
    assert re.fullmatch("server:[0-9a-f]{32}", proof["nonces"][0])
