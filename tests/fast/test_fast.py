from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from byzanz.encoding import FEATURES, NUMBERS, Moment, features
from byzanz.fast import (
    RECORD,
    RECORD_LENGTH,
    Batch,
    deal_unseen,
    rows_of,
    to_moment,
    to_record,
    view_to_record,
)
from byzanz.fast.digest import digests_on_cpu, shortened
from byzanz.fast.policy_ids import POLICIES
from byzanz.rules import Card, Chance, Deal, IllegalDeal, begin, flaws, result, view
from tests.random_games import random_game

KEPT = json.loads(
    (Path(__file__).parents[1] / "data" / "gpu_digests.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_ten_thousand_games_are_identical_on_cpu_and_gpu(players: int, policy: str) -> None:
    kept = KEPT["digests"][policy][str(players)]
    assert len(kept) == 13
    assert shortened(digests_on_cpu(players, policy, 1250)) == kept


@pytest.mark.parametrize("players", [0, 2, 7, 40])
def test_r2_1_a_batch_is_for_three_to_six(players: int) -> None:
    with pytest.raises(IllegalDeal):
        Batch(players, [1])


def test_a_record_has_464_bytes() -> None:
    assert RECORD.itemsize == 8 * RECORD_LENGTH == 464
    assert RECORD.isalignedstruct


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_state_survives_a_round_trip_through_a_record(players: int) -> None:
    for game in random_game(players, 12):
        moment = Moment(game.state)
        assert to_moment(to_record(moment)[0]) == moment


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_sampled_worlds_are_consistent_with_the_view(players: int) -> None:
    for number, game in enumerate(random_game(players, 13)):
        if number % 5:
            continue
        for seat in range(players):
            seen = view(game.state, seat)
            record = view_to_record(seen, chance=number)
            for _ in range(3):
                deal_unseen(rows_of(record)[0], seat)
                state = to_moment(record[0]).state
                assert view(state, seat) == seen
                assert not list(flaws(state))


def test_sampled_worlds_are_uniform_over_the_unseen_cards() -> None:
    seen = view(begin(Deal.from_seed(3, 5)), 0)
    record = view_to_record(seen, chance=99)
    pool = Counter(seen.pool)
    trials = 3000
    first: Counter[Card] = Counter()
    removed: Counter[Card] = Counter()
    last: Counter[Card] = Counter()
    for _ in range(trials):
        deal_unseen(rows_of(record)[0], 0)
        state = to_moment(record[0]).state
        first.update(state.players[2].hidden)
        removed.update(state.removed)
        last.update(state.deck[-1:])
    for place, count in ((first, 4), (removed, 4), (last, 1)):
        assert sum(place.values()) == trials * count
        for card, copies in pool.items():
            share = copies / len(seen.pool)
            expected = trials * count * share
            # Six standard deviations, which random variation does not reach.
            assert abs(place[card] - expected) < 6 * (expected * (1 - share)) ** 0.5


class TestBatch:
    def test_a_batch_plays_what_single_games_play(self) -> None:
        seeds = [3, 2**64 - 1, 77]
        batch = Batch(5, np.array(seeds, dtype=np.uint64))
        moments = [Moment.start(Deal.from_seed(5, seed)) for seed in seeds]
        chance = Chance(1)
        while not batch.over.all():
            masks, rows = batch.observe()
            numbers = np.zeros(3, dtype=np.int64)
            for place, moment in enumerate(moments):
                assert np.flatnonzero(masks[place]).tolist() == list(moment.legal())
                turn = moment.state.turn
                assert batch.turns[place] == (-1 if turn is None else turn)
                if turn is not None:
                    row = features(view(moment.state, turn), moment.laid)
                    assert rows[place].tolist() == row.tolist()
                    numbers[place] = chance.choice(moment.legal())
                    moments[place] = moment.play(int(numbers[place]))
            batch.step(numbers)
        profits, shares = batch.results()
        for place, moment in enumerate(moments):
            ended = result(moment.state)
            assert tuple(profits[place].tolist()) == ended.profit
            assert tuple(np.flatnonzero(shares[place]).tolist()) == ended.winners
            assert shares[place].sum() == pytest.approx(1)

    def test_an_illegal_number_changes_nothing(self) -> None:
        batch = Batch(4, [1, 2])
        before = batch.games.copy()
        for bad in (83, -1, NUMBERS, 10**9):
            with pytest.raises(ValueError, match=r"illegal action numbers in games \[1\]"):
                batch.step([25, bad])
            assert (batch.games == before).all()

    def test_finishing_counts_steps_and_whole_actions(self) -> None:
        batch = Batch(4, range(50))
        steps, actions = batch.finish()
        assert batch.over.all()
        assert 50 * 200 < steps < 50 * 320
        assert 50 * 120 < actions < steps

    def test_the_sensible_policy_completes_bids_of_another_policy(self) -> None:
        batch = Batch(4, np.arange(512))
        for _ in range(3):
            batch.step(batch.choose())
        assert batch.records["laid"].any()
        batch.finish("sensible")
        assert batch.over.all()

    def test_the_sensible_policy_earns_far_more_than_random_play(self) -> None:
        profits = {}
        for policy in POLICIES:
            batch = Batch(4, range(200))
            batch.finish(policy)
            profits[policy] = batch.results()[0].mean()
        assert profits["sensible"] > 1.5 * profits["random"]

    def test_single_games_of_a_batch_can_be_dealt_again(self) -> None:
        batch = Batch(3, range(4))
        batch.finish()
        batch.deal(np.array([1, 3]), [10, 11])
        assert batch.over.tolist() == [True, False, True, False]
        assert to_moment(batch.records[3]) == Moment.start(Deal.from_seed(3, 11))
        assert len(batch) == 4
        assert batch.rows.shape == (4, FEATURES)


def test_importing_byzanz_does_not_import_numba() -> None:
    code = (
        "import sys, byzanz, byzanz.rules, byzanz.notation, byzanz.cli;"
        "sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
