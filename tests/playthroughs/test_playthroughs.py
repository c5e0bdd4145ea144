"""The code still plays the stored playthroughs."""

from __future__ import annotations

import pytest

from tests.playthroughs.playthrough import GAMES, path, playthrough


@pytest.mark.parametrize("players", GAMES)
def test_a_playthrough_has_not_changed(players: int) -> None:
    stored = path(players).read_text(encoding="utf-8").splitlines()
    played = playthrough(players).splitlines()
    for number, (old, new) in enumerate(zip(stored, played, strict=False), start=1):
        assert new == old, f"{path(players).name}, line {number}"
    assert len(played) == len(stored)
