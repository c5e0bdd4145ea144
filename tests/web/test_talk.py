"""Talk at a table: everybody reads it in their language, and nobody can flood the table."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from byzanz.locale import LANGUAGES, load_translations
from byzanz.messages import phrase_text
from byzanz.messages.talk import PHRASES, REACTIONS
from byzanz.tables import PHRASES as SPOKEN
from byzanz.tables import REACTIONS as SHOWN
from byzanz.tables import Phrase

from .server import Player, Served


@pytest.fixture
def table(server: Served) -> tuple[Player, Player, str]:
    """Two people and a bot at a table."""
    one, two = server.player("Anna"), server.player("Bruno", "de")
    table = one.found("random", open_seats=1)
    assert two.client.post(f"/api/tables/{table}/join", json={}).status_code == 200
    return one, two, table


def say(player: Player, table: str, phrase: str) -> tuple[int, dict[str, object]]:
    answer = player.client.post(f"/api/tables/{table}/say", json={"phrase": phrase})
    return answer.status_code, answer.json()


def test_every_reaction_and_phrase_has_a_text_in_every_language() -> None:
    assert [each.value for each in SHOWN] == list(REACTIONS)
    assert [each.value for each in SPOKEN] == list(PHRASES)
    for language in LANGUAGES:
        assert all(phrase_text(each, load_translations(language)) for each in Phrase)


def test_everybody_reads_it_in_their_own_language(
    server: Served, table: tuple[Player, Player, str]
) -> None:
    one, two, id_ = table
    with server.socket(f"/table/{id_}/socket?language=nl") as socket:
        before = json.loads(socket.recv())
        status, view = say(one, id_, "well-played")
        assert status == 200
        assert [(each["seat"], each["phrase"]) for each in view["said"]] == [(0, "well-played")]
        frame = json.loads(socket.recv())
        assert frame["number"] == before["number"]  # the game has not moved
        assert "Goed gespeeld!" in frame["content"]
    assert "Gut gespielt!" in two.client.get(f"/table/{id_}").text
    assert "Well played!" in one.client.get(f"/table/{id_}").text
    say(two, id_, "laugh")
    assert "lacht" in two.client.get(f"/table/{id_}").text


def test_talk_is_throttled_for_each_person(table: tuple[Player, Player, str]) -> None:
    one, two, id_ = table
    statuses = [say(one, id_, "hello")[0] for _ in range(5)]
    assert statuses[:3] == [200] * 3
    status, refusal = say(one, id_, "hello")
    assert (status, refusal["error"]["code"]) == (429, "talking-too-much")  # type: ignore[index]
    assert say(two, id_, "hello")[0] == 200


def test_only_people_with_a_seat_can_talk(
    server: Served, table: tuple[Player, Player, str]
) -> None:
    _, _, id_ = table
    other = server.player("Carla")
    status, refusal = say(other, id_, "hello")
    assert (status, refusal["error"]["code"]) == (403, "not-your-seat")  # type: ignore[index]
    assert say(other, id_, "you are bad")[0] == 400
    assert say(other, "no-such-table", "hello")[0] == 404


def test_the_host_switches_talk_off(table: tuple[Player, Player, str]) -> None:
    one, two, id_ = table
    say(two, id_, "ouch")
    answer = two.client.post(f"/api/tables/{id_}/talk", json={"on": False})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not-host")
    view = one.client.post(f"/api/tables/{id_}/talk", json={"on": False}).json()
    assert view["said"] == []
    assert not view["options"]["talk"]
    status, refusal = say(two, id_, "sorry")
    assert (status, refusal["error"]["code"]) == (403, "talk-is-off")  # type: ignore[index]
    assert 'data-talk="off"' in one.client.get(f"/table/{id_}").text
    one.client.post(f"/api/tables/{id_}/talk", json={"on": True})
    assert say(two, id_, "sorry")[0] == 200


def test_talk_is_no_part_of_the_record_and_does_not_need_a_game(server: Served) -> None:
    one, two = server.player("Anna"), server.player("Bruno")
    table = one.found("random", open_seats=1, host_starts=True)
    two.client.post(f"/api/tables/{table}/join", json={})
    assert say(two, table, "good-luck")[0] == 200
    assert "Good luck!" in one.client.get(f"/table/{table}").text
    one.client.post(f"/api/tables/{table}/start", json={})
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda player: player.play_on(table), (one, two)))
    assert say(one, table, "thanks")[0] == 200  # also after the game
    assert "thanks" not in one.client.get(f"/api/tables/{table}/record").text


def test_forms_work_without_a_script(server: Served, table: tuple[Player, Player, str]) -> None:
    one, _, id_ = table
    answer = one.client.post(f"/table/{id_}/say", data={"phrase": "hello"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/table/{id_}")
    plain = {"accept": "text/plain"}
    answer = one.client.post(f"/table/{id_}/say", data={"phrase": "hello"}, headers=plain)
    assert answer.status_code == 204
    assert (
        one.client.post(f"/table/{id_}/say", data={"phrase": "x"}, headers=plain).status_code == 400
    )
    assert one.client.post(f"/table/{id_}/talk", data={"talk": "off"}).status_code == 303
    assert not one.look(id_)["options"]["talk"]
