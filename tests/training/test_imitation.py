"""What records tell of a bot is learnt, and nothing that it could not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from byzanz.arena import League, play_deals
from byzanz.encoding import FEATURES, features, numbers_of, piece_of
from byzanz.notation import judge
from byzanz.rules import Game
from tests.missing import import_or_skip

torch = import_or_skip("torch")

from byzanz.training.device import Machine  # noqa: E402
from byzanz.training.imitation import decisions_of, imitate  # noqa: E402
from byzanz.training.model import Net  # noqa: E402


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Games of two greedy players and a novice."""
    path = tmp_path / "games.jsonl"
    league = League(3, 1, ("greedy", "greedy", "novice"))
    path.write_text("".join(deal.records for deal in play_deals(league, range(8), records=True)))
    return path


def test_the_decisions_are_those_of_the_bot_as_its_view_showed_them(records: Path) -> None:
    found = decisions_of("greedy", [records])
    expected = set()
    with records.open("rb") as stream:
        for verdict in judge(stream):
            assert verdict.record is not None
            game = Game.start(verdict.record.deal)
            for seat, action in ((played.seat, played.action) for played in verdict.record.plays):
                if verdict.record.extra["bots"][seat] == "greedy" and seat == game.state.turn:
                    first = numbers_of(action)[0]
                    expected.add((features(game.view(seat)).tobytes(), first))
                game = game.play(seat, action)
    firsts = [
        (row[:FEATURES].tobytes(), number)
        for row, number in zip(found.rows.numpy(), found.numbers.tolist(), strict=True)
        if not piece_of(row[:FEATURES], "laid").any()
    ]
    assert set(firsts) <= expected
    assert len(firsts) > 200
    assert bool(found.masks.gather(1, found.numbers[:, None]).all())


def test_a_network_comes_to_play_as_the_bot_did(records: Path) -> None:
    torch.manual_seed(1)
    torch.set_num_threads(1)
    found = decisions_of("greedy", [records])
    net = Net((2, 16, 12, 6, 32))
    told = list(imitate(net, found, Machine("cpu"), epochs=12, seed=1, rate=5e-3))
    assert told[-1][0] < told[0][0]
    assert told[-1][1] > 0.5


def test_all_seatings_of_a_deal_are_learnt_from_or_none(records: Path) -> None:
    found = decisions_of("greedy", [records])
    assert set(found.deals.tolist()) == set(range(8))


def test_one_deal_is_too_few(tmp_path: Path) -> None:
    league = League(3, 1, ("greedy", "greedy", "novice"))
    (deal,) = play_deals(league, range(1), records=True)
    (tmp_path / "one.jsonl").write_text(deal.records)
    with pytest.raises(ValueError, match="of one deal"):
        decisions_of("greedy", [tmp_path / "one.jsonl"])


def test_records_without_the_bot_teach_nothing(records: Path) -> None:
    with pytest.raises(ValueError, match="no decision of 'trader'"):
        decisions_of("trader", [records])
