"""Imitation learning: decisions are taken from records, with nothing hidden from the bot."""

from __future__ import annotations

from pathlib import Path

import pytest

from byzanz.arena import League, play_deals
from byzanz.encoding import FEATURES, features, numbers_of, piece_of
from byzanz.notation import judge
from byzanz.rules import Game
from tests.requirements import import_or_skip

torch = import_or_skip("torch")

from byzanz.training.device import Device  # noqa: E402
from byzanz.training.imitation import decisions_of, imitate  # noqa: E402
from byzanz.training.model import Net  # noqa: E402


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Return a file with games of two greedy players and a novice."""
    path = tmp_path / "games.jsonl"
    league = League(3, 1, ("greedy", "greedy", "novice"))
    path.write_text("".join(deal.records for deal in play_deals(league, range(8), records=True)))
    return path


def test_decisions_are_the_bots_own_with_the_features_of_its_view(records: Path) -> None:
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
        for row, number in zip(found.rows.numpy(), found.actions.tolist(), strict=True)
        if not piece_of(row[:FEATURES], "laid").any()
    ]
    assert set(firsts) <= expected
    assert len(firsts) > 200
    assert bool(found.masks.gather(1, found.actions[:, None]).all())


@pytest.mark.slow
def test_a_network_learns_the_bots_decisions(records: Path) -> None:
    torch.manual_seed(1)
    torch.set_num_threads(1)
    found = decisions_of("greedy", [records])
    net = Net((2, 16, 12, 6, 32))
    epochs = list(imitate(net, found, Device("cpu"), epochs=12, seed=1, learning_rate=5e-3))
    (first_loss, _), *_, (last_loss, accuracy) = epochs
    assert last_loss < first_loss
    assert accuracy > 0.5


def test_all_seatings_of_a_deal_have_the_same_number(records: Path) -> None:
    found = decisions_of("greedy", [records])
    assert set(found.deals.tolist()) == set(range(8))


def test_records_of_one_deal_are_refused(tmp_path: Path) -> None:
    league = League(3, 1, ("greedy", "greedy", "novice"))
    (deal,) = play_deals(league, range(1), records=True)
    (tmp_path / "one.jsonl").write_text(deal.records)
    with pytest.raises(ValueError, match="only one deal"):
        decisions_of("greedy", [tmp_path / "one.jsonl"])


def test_records_without_the_bot_are_refused(records: Path) -> None:
    with pytest.raises(ValueError, match="no decision of 'trader'"):
        decisions_of("trader", [records])
