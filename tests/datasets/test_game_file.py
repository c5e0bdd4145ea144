"""The binary format: what is written is read again, by number too, and damage is noticed."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from byzanz.datasets import BadGames, GameFile, NeedsLibrary, open_records, record_output
from byzanz.datasets.block import GAMES
from byzanz.notation import write_record
from byzanz.rules import Deal, Game
from tests.requirements import import_or_skip

from .games import NAMES, RECORDS, changed, record

ODD = [
    record(3, 5),
    record(4, 5, seed=-1, note="é\n"),
    record(5, 5, seed=2**64 - 1, bots=["a"] * 5),
    record(6, 5, date="2026-01-01", seed=None),
]


def write(path: Path, records: list[str]) -> Path:
    with path.open("wb") as file, record_output(path.name, file) as output:
        for each in records:
            output.write(each)
    return path


def read(path: Path) -> str:
    with open_records(str(path)) as stream:
        return stream.read().decode()


@pytest.fixture
def games(tmp_path: Path) -> Path:
    return write(tmp_path / "games.byz", RECORDS + ODD)


def test_records_come_back_byte_for_byte(games: Path) -> None:
    assert read(games) == "".join(RECORDS + ODD)
    assert games.stat().st_size < 700 * len(RECORDS + ODD)


def test_a_game_is_found_by_its_number(games: Path) -> None:
    with GameFile(games) as file:
        assert len(file) == len(RECORDS + ODD)
        assert file[0] == RECORDS[0]
        assert file[len(RECORDS) + 2] == ODD[2]
        assert file[-1] == ODD[-1]
        with pytest.raises(IndexError):
            file[len(file)]


def test_games_of_later_blocks_are_found(tmp_path: Path) -> None:
    many = (RECORDS * (GAMES // len(RECORDS) + 1))[: GAMES + 3]
    with GameFile(write(tmp_path / "many.byz", many)) as file:
        assert [file[n] for n in (GAMES + 2, 3, GAMES - 1, GAMES)] == [
            many[n] for n in (GAMES + 2, 3, GAMES - 1, GAMES)
        ]


def test_the_digest_depends_on_the_games_alone(games: Path, tmp_path: Path) -> None:
    with GameFile(games) as one, GameFile(write(tmp_path / "b.byz", RECORDS + ODD)) as other:
        assert one.digest == other.digest
    with GameFile(games) as one, GameFile(write(tmp_path / "c.byz", RECORDS)) as other:
        assert one.digest != other.digest


def test_a_changed_byte_never_changes_a_game_unnoticed(games: Path, tmp_path: Path) -> None:
    data, text = games.read_bytes(), read(games)
    broken = tmp_path / "broken.byz"
    noticed = 0
    places = range(12, len(data) - 80, 97)  # without the index
    for place in places:
        broken.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        try:
            assert read(broken) == text  # compressed data has a few bits without a meaning
        except BadGames:
            noticed += 1
    assert noticed > 0.9 * len(places)


def test_a_file_that_was_not_closed_is_read_up_to_its_last_block(tmp_path: Path) -> None:
    many = (RECORDS * (GAMES // len(RECORDS) + 1))[: GAMES + 3]
    data = write(tmp_path / "many.byz", many).read_bytes()
    cut = tmp_path / "cut.byz"
    cut.write_bytes(data[: len(data) - 500])
    found: list[bytes] = []
    with open_records(str(cut)) as stream, pytest.raises(BadGames, match="after game 512"):
        found.extend(stream)
    assert b"".join(found).decode() == "".join(many[:GAMES])
    with pytest.raises(BadGames, match="no index"):
        GameFile(cut)


def test_another_version_is_refused(games: Path) -> None:
    data = games.read_bytes()
    games.write_bytes(data[:8] + b"\x02" + data[9:])
    with pytest.raises(BadGames, match="version 2"):
        read(games)


@pytest.mark.parametrize("size", [9, 11, 12, 30, 60])
def test_a_short_file_is_refused(games: Path, size: int) -> None:
    games.write_bytes(games.read_bytes()[:size])
    with pytest.raises(BadGames):
        GameFile(games)


def test_an_unfinished_or_impossible_game_cannot_be_stored(tmp_path: Path) -> None:
    path = tmp_path / "games.byz"
    unfinished = write_record(Game.start(Deal.from_seed(4, 1)), NAMES[:4])
    bad = changed(RECORDS[0], lambda lines: lines[1].update(action="bid M"))
    with pytest.raises(ValueError, match="bid M"):
        write(path, [bad])
    with pytest.raises(ValueError, match="result"):
        write(path, [unfinished])


def test_compressed_text_is_read_and_written(tmp_path: Path) -> None:
    path = write(tmp_path / "games.jsonl.gz", RECORDS)
    assert gzip.decompress(path.read_bytes()).decode() == "".join(RECORDS) == read(path)
    again = write(tmp_path / "again.jsonl.gz", RECORDS)
    assert again.read_bytes() == path.read_bytes()
    path.write_bytes(path.read_bytes()[:-300])
    with pytest.raises(BadGames, match="decompress"):
        read(path)
    # The form is recognised by the content, whatever the name says.
    both = tmp_path / "games.txt"
    both.write_bytes(gzip.compress(write(tmp_path / "g.byz", RECORDS).read_bytes()))
    assert read(both) == "".join(RECORDS)


def test_text_compressed_with_zstandard(tmp_path: Path) -> None:
    import_or_skip("zstandard")
    path = write(tmp_path / "games.jsonl.zst", RECORDS)
    assert read(path) == "".join(RECORDS)
    path.write_bytes(path.read_bytes() * 2)
    assert read(path) == "".join(RECORDS * 2)
    data = path.read_bytes()
    for broken in (data[:-300], data[:50] + b"x" * 100):
        path.write_bytes(broken)
        with pytest.raises(BadGames, match="decompress"):
            read(path)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)
    path = tmp_path / "games.zst"
    path.write_bytes(b"\x28\xb5\x2f\xfd")
    with pytest.raises(NeedsLibrary, match="zstandard"):
        read(path)
    with pytest.raises(NeedsLibrary), record_output("x.zst", io.BytesIO()):
        pass
