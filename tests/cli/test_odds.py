"""``byzanz odds``."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec

from byzanz.coach import Odds, odds
from byzanz.notation import write_state, write_view
from byzanz.rules import Deal, begin, view

from .command import byzanz

STATE = begin(Deal.from_seed(4, 1))


def test_odds_are_printed_in_the_language(tmp_path: Path) -> None:
    text = write_view(view(STATE, 1))
    shown = byzanz("odds", text).stdout
    assert "Unseen cards: 103" in shown
    assert "Seat 0" in shown
    assert "16 or more" in shown
    assert "Offer 4 comes next" in shown
    file = tmp_path / "position.txt"
    file.write_text(text + "\n")
    assert byzanz("odds", str(file)).stdout == shown
    assert byzanz("odds", "-", "--seat", "1", stdin=write_state(STATE)).stdout == shown
    assert "Ungesehene Karten: 103" in byzanz("odds", text, "--language", "de").stdout


def test_odds_as_json_are_those_of_the_library() -> None:
    done = byzanz("odds", write_state(STATE), "--seat", "2", "--json")
    assert msgspec.convert(json.loads(done.stdout), Odds, strict=False) == odds(view(STATE, 2))


def test_what_cannot_be_used_is_refused_with_what_was_expected() -> None:
    for arguments, answer in (
        ((write_state(STATE),), "choose a seat with --seat, 0 to 3"),
        ((write_state(STATE), "--seat", "4"), "choose a seat with --seat, 0 to 3"),
        ((write_view(view(STATE, 1)), "--seat", "0"), "the view of seat 1, not 0"),
        ((write_view(view(STATE, None)),), "expected the view of a seat"),
        (("view/1 nonsense",), "Not a position."),
        (("missing.txt",), "cannot read 'missing.txt'"),
    ):
        done = byzanz("odds", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert answer in done.stderr
