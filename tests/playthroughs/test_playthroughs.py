from __future__ import annotations

import pytest

from tests.playthroughs.playthrough import GAMES, path, playthrough


@pytest.mark.parametrize("players", GAMES)
def test_the_kept_game_is_played_the_same_today(players: int) -> None:
    kept = path(players).read_text(encoding="utf-8").splitlines()
    today = playthrough(players).splitlines()
    for number, (then, now) in enumerate(zip(kept, today, strict=False), start=1):
        assert now == then, f"{path(players).name}, line {number}"
    assert len(today) == len(kept)
