"""The host removes somebody from the waiting room, by page and by API."""

from __future__ import annotations

from .server import Served


def test_the_host_removes_somebody_by_page_and_by_api(server: Served) -> None:
    ann, ben = server.player("Ann"), server.player("Ben")
    table = ann.found(open_seats=2)
    for path, body in ((f"/api/tables/{table}/remove", {"json": {"seat": 1}}),
                       (f"/table/{table}/remove", {"data": {"seat": "1"}})):  # fmt: skip
        ben.client.post(f"/api/tables/{table}/join", json={"seat": 1})
        button = 'class="quiet" name="seat" value="1"'
        assert button in ann.client.get(f"/table/{table}").text
        assert button not in ben.client.get(f"/table/{table}").text
        refused = ben.client.post(path, **body)
        assert (refused.status_code, "Only the host" in refused.text) == (403, True)
        assert ann.client.post(path, **body).status_code in (200, 303)
        assert ben.look(table)["seat"] is None
        assert ben.look(table)["sitters"][1]["open"]


def test_a_seat_that_is_no_number_or_empty_is_refused(server: Served) -> None:
    ann = server.player("Ann")
    table = ann.found(open_seats=2)
    assert ann.client.post(f"/table/{table}/remove", data={"seat": "x"}).status_code == 400
    answer = ann.client.post(f"/api/tables/{table}/remove", json={"seat": 2})
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "nobody-here")
