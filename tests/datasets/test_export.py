"""Tables of decisions."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from byzanz.cli import main
from byzanz.datasets import Block, open_records, read_games
from byzanz.datasets.decisions import decisions_of
from byzanz.encoding import features, numbers_of
from byzanz.network import Network
from byzanz.notation import judge
from byzanz.rules import Game, Phase, options
from tests.requirements import import_or_skip

from .games import RECORDS


def test_each_row_is_what_the_seat_saw() -> None:
    text = RECORDS[2]
    (block,) = read_games(io.BufferedReader(io.BytesIO(text.encode())))  # type: ignore[arg-type]
    assert isinstance(block, Block)
    found = decisions_of(block, 0, 1, number=7)
    (verdict,) = judge(io.BytesIO(text.encode()))
    assert verdict.record is not None
    game, at, out_of_turn = Game.start(verdict.record.deal), 0, 0
    result = verdict.record.game.result
    for played in verdict.record.plays:
        state = game.state
        assert np.array_equal(found.features[at], features(game.view(played.seat)))
        assert (found.seat[at], found.game[at], found.step[at]) == (played.seat, 7, at)
        assert list(Phase)[found.phase[at]] is state.phase
        assert found.profit[at] == result.profit[played.seat]
        assert found.on_turn[at] == (state.turn == played.seat)
        sales = {
            number for sale in options(state, played.seat).sales for number in numbers_of(sale)
        }
        assert sales == {number for number in np.flatnonzero(found.mask[at]) if number >= 84}
        if not found.on_turn[at]:
            out_of_turn += 1
            assert not found.mask[at, : 84 - (state.phase is Phase.FINAL_SALE)].any()
        for number in numbers_of(played.action):
            assert found.action[at] == number
            assert found.mask[at, number]
            at += 1
        game = game.play(played.seat, played.action)
    assert at == len(found)
    assert out_of_turn


def test_records_are_converted_between_all_forms(tmp_path: Path) -> None:
    plain, binary, again = (tmp_path / name for name in ("a.jsonl", "b.byz", "c.jsonl.gz"))
    plain.write_text("".join(RECORDS), encoding="utf-8")
    assert main(["export", str(plain), "--to", str(binary)]) == 0
    assert main(["export", str(binary), "--to", str(again)]) == 0
    with open_records(str(again)) as stream:
        assert stream.read() == plain.read_bytes()


def test_a_parquet_file_has_a_row_for_each_decision(tmp_path: Path) -> None:
    import_or_skip("pyarrow")
    from pyarrow import parquet  # noqa: PLC0415

    plain, table = tmp_path / "a.jsonl", tmp_path / "a.parquet"
    plain.write_text("".join(RECORDS[:2]), encoding="utf-8")
    assert main(["export", str(plain), "--to", str(table), "--network", "shipped"]) == 0
    found = parquet.read_table(table)
    rows = np.array(found["features"].to_pylist(), np.uint8)
    masks = np.array(found["mask"].to_pylist(), np.uint8)
    policy, value = Network.load().evaluate(rows, masks)
    assert np.allclose(policy, np.array(found["policy"].to_pylist()))
    assert np.allclose(value, np.array(found["value"].to_pylist()))
    assert np.allclose(policy.sum(1), 1)
    assert np.allclose(value.sum(1), 1)
    assert set(found["game"].to_pylist()) == {0, 1}


def test_an_illegal_game_is_not_exported(tmp_path: Path) -> None:
    plain = tmp_path / "a.jsonl"
    plain.write_text(RECORDS[0].replace('"winners":[', '"winners":[5,'), encoding="utf-8")
    assert main(["export", str(plain), "--to", str(tmp_path / "b.byz")]) == 2
    plain.write_text("", encoding="utf-8")
    assert main(["export", str(plain), "--to", str(tmp_path / "b.byz")]) == 2
