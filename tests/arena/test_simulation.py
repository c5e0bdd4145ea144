from __future__ import annotations

import io
import json
from dataclasses import replace
from multiprocessing import active_children

import pytest

from byzanz.arena import Simulation, WorkersLost, game_seed, seeded_match, simulate
from byzanz.bots import UnknownBot
from byzanz.notation import judge
from byzanz.rules import SEEDS, Game


def records(simulation: Simulation, jobs: int = 1) -> list[str]:
    return [simulated.record for simulated in simulate(simulation, jobs)]


def test_the_number_of_jobs_does_not_change_the_records() -> None:
    simulation = Simulation(players=4, games=40, seed=7, bots=("random", "novice"), record=True)
    alone = records(simulation)
    assert records(simulation, jobs=2) == alone
    assert records(simulation, jobs=3) == alone
    assert len(alone) == 40
    assert len(set(alone)) == 40


def test_closing_the_iterator_stops_the_processes() -> None:
    played = simulate(Simulation(players=4, games=10**6, seed=7), jobs=2)
    next(played)
    played.close()
    assert not active_children()


def test_a_killed_worker_is_reported() -> None:
    played = simulate(Simulation(players=4, games=10**6, seed=7), jobs=2)
    next(played)
    active_children()[0].kill()
    with pytest.raises(WorkersLost, match="killed"):
        list(played)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_record_is_legal_and_can_be_recreated_from_its_seed(players: int) -> None:
    simulation = Simulation(players, games=5, seed=2**64 - 1, bots=("random",), record=True)
    for number, record in enumerate(records(simulation)):
        (verdict,) = judge(io.BytesIO(record.encode()))
        assert verdict.error is None
        assert verdict.record is not None
        seed = verdict.record.extra["seed"]
        assert seed == game_seed(2**64 - 1, number)
        assert verdict.record.extra["bots"] == ["random"] * players
        again = Simulation(players, games=1, seed=seed, bots=("random",), record=True)
        assert records(again) == [record]


def test_bots_sit_in_the_order_given_repeated_if_fewer() -> None:
    assert Simulation(5, 1, 0, ("greedy", "random")).seats == (
        "greedy", "random", "greedy", "random", "greedy",
    )  # fmt: skip
    with pytest.raises(ValueError, match="9 bots cannot sit at a table for 4"):
        Simulation(4, 1, 0, ("greedy",) * 9)


def test_game_seeds_fit_in_53_bits_and_differ() -> None:
    seeds = [game_seed(9, number) for number in range(1000)]
    assert seeds[0] == 9
    assert all(0 <= seed < 2**53 for seed in seeds[1:])
    assert len(set(seeds)) == 1000
    assert game_seed(SEEDS - 1, 0) == SEEDS - 1


def test_an_unknown_bot_is_refused_before_anything_is_played() -> None:
    with pytest.raises(UnknownBot):
        Simulation(4, 1, 0, ("random", "nobody"))


def test_random_games_have_sales_out_of_turn() -> None:
    game = seeded_match(4, 3, ["random"] * 4)
    out_of_turn = 0
    replayed = Game.start(game.deal)
    for played in game.plays:
        out_of_turn += played.seat not in replayed.state.waiting_for
        replayed = replayed.play(played.seat, played.action)
    assert out_of_turn > 0


def test_without_records_only_results_are_returned() -> None:
    (simulated,) = simulate(Simulation(4, 1, 3))
    assert simulated.record == ""
    assert len(simulated.result.profit) == 4


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize(
    "bots", [("trader",), pytest.param(("emperor", "trader"), marks=pytest.mark.slow)]
)
def test_both_engines_play_the_same_games_of_traders_and_emperors(
    players: int, bots: tuple[str, ...]
) -> None:
    simulation = Simulation(players, 1, 5, bots, record=True)
    fast = [
        record.replace(',"engine":"fast"', "") for record in records(replace(simulation, fast=True))
    ]
    assert fast == records(simulation)


def test_the_number_of_threads_does_not_change_the_games_of_the_fast_engine() -> None:
    bots = ("random", "sensible", "trader")
    simulation = Simulation(4, 1100, 3, bots, record=True, fast=True, mixed=True)
    games = records(simulation)
    assert records(simulation, jobs=3) == games
    assert records(replace(simulation, games=5)) == games[:5]
    seated = {bot for record in games for bot in json.loads(record.splitlines()[0])["bots"]}
    assert seated == set(bots)


def test_with_mixed_bots_every_seat_of_every_game_is_drawn() -> None:
    simulation = Simulation(3, 300, 3, ("greedy", "random"), mixed=True)
    seatings = [simulation.seating(number) for number in range(300)]
    assert len(set(seatings)) == 8
    first, *_ = simulate(replace(simulation, games=1))
    assert first.bots == seatings[0]
