"""The opponents that the lobby proposes."""

from __future__ import annotations

import re

from byzanz.bots import LEVELS
from byzanz.web.portraits import bot_portrait

from .server import Player, Served


def proposed(player: Player) -> str:
    """Return the opponent that is chosen in the player's lobby."""
    chosen = re.search(r'name="bot" value="(\w+)" checked', player.client.get("/").text)
    assert chosen is not None
    return chosen[1]


def opponents(player: Player, **form: str) -> list[str]:
    """Play now with this form, and return the bots at the new table."""
    table = player.client.post("/play", data=form).headers["location"].removeprefix("/table/")
    return [sitter["bot"] for sitter in player.look(table)["sitters"] if sitter["bot"]]


def test_every_level_has_its_own_portrait() -> None:
    assert len({bot_portrait(level) for level in LEVELS}) == len(LEVELS)


def test_a_newcomer_meets_level_one(server: Served) -> None:
    ada = server.player("Ada")
    assert proposed(ada) == "level1"
    assert opponents(ada) == ["level1"] * 3
    assert 'value="mixed"' not in ada.client.get("/").text


def test_the_level_follows_the_results(server: Served) -> None:
    ada = server.player("Ada")
    ada.play_on(ada.found("level9", "level9"))
    assert proposed(ada) == "level1"
    page = ada.client.get("/").text
    assert 'value="mixed"' in page
    assert "After your last games, Apprentice would be a good match." in page
    assert opponents(ada, bot="mixed") == ["level2", "level1", "level3"]
    assert opponents(ada, bot="level4") == ["level4"] * 3


def test_a_game_played_on_from_another_does_not_count(server: Served) -> None:
    ada, eve = server.player("Ada"), server.player("Eve")
    table = eve.found("random", "random")
    eve.play_on(table)
    body = {"seat": 0, "step": 50}
    branch = ada.client.post(f"/api/tables/{table}/branches", json=body).json()["table"]
    ada.play_on(branch)
    page = ada.client.get("/").text
    assert 'value="mixed"' not in page
    assert branch not in page
