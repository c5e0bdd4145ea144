"""``byzanz show``."""

from __future__ import annotations

from pathlib import Path

from byzanz.notation import write_record, write_state, write_view
from byzanz.rules import Deal, begin, view
from tests.random_games import finished

from .command import RECORD, byzanz


def test_the_chosen_game_is_printed(record: Path) -> None:
    done = byzanz("show", str(record))
    assert done.returncode == 0
    assert "Dóra is dealt " in done.stdout
    assert done.stdout.splitlines()[-1].endswith(" wins.")
    record.write_text(RECORD + write_record(finished(3, 2), ["x", "y", "z"]))
    assert "z is dealt " in byzanz("show", str(record), "--game", "2").stdout
    assert byzanz("show", "-", "--game", "2", stdin=record.read_bytes()).stdout
    missing = byzanz("show", str(record), "--game", "3")
    assert (missing.returncode, missing.stderr) == (
        2,
        f"byzanz show: {record} contains no game 3\n",
    )


def test_an_invalid_game_is_printed_up_to_its_first_error(record: Path) -> None:
    lines = RECORD.splitlines()
    lines[3] = '{"type":"action","seat":0,"action":"done"}'
    done = byzanz("show", "-", stdin="\n".join(lines))
    assert done.returncode == 1
    assert "Round 1" in done.stdout
    assert "byzanz show: line 4: You can't do that now" in done.stderr
    done = byzanz("show", "-", "--language", "de", stdin="\n".join(lines))
    assert "byzanz show: line 4: Das geht jetzt nicht" in done.stderr


def test_positions_are_drawn(tmp_path: Path) -> None:
    state = begin(Deal.from_seed(4, 1))
    whole, own = write_state(state), write_view(view(state, 1))
    for text in (whole, own, write_view(view(state, None))):
        drawn = byzanz("show", text).stdout
        assert "Round 1 of 6" in drawn
        file = tmp_path / "position.txt"
        file.write_text(text + "\n")
        assert byzanz("show", str(file)).stdout == drawn
        assert byzanz("show", "-", stdin=text).stdout == drawn
        assert ("Your hand" in drawn) == (text == own)
        assert ("Deck, next card first" in drawn) == (text == whole)
