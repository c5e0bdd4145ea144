"""The PettingZoo environment: PettingZoo's tests, and agreement with the rules.

These tests of PettingZoo's suite do not apply: ``test_save_obs`` (observations are not images),
``max_cycles_test`` (a game ends by itself), ``state_test`` and the parallel tests (seats act in
turn), ``manual_control_test`` (there is no window) and ``bombardment_test`` (it uses the return
value of ``step`` as an observation, and fails even for PettingZoo's own example environment).
``performance_benchmark`` only measures and asserts nothing.
"""

from __future__ import annotations

import copy
import pickle
import runpy
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.env_logger import EnvLogger

from byzanz.encoding import FEATURES, NUMBERS, IllegalNumber, Moment, action_of, features
from byzanz.encoding.numbers import CONFIRM
from byzanz.envs.engines import ENGINES
from byzanz.envs.pettingzoo import env, raw_env
from byzanz.envs.rewards import PROFIT_SCALE
from byzanz.rules import Bid, Chance, Deal, Game, Phase, result, view
from tests.envs.lockstep import pettingzoo_lockstep
from tests.random_games import other_world

PLAYERS = [3, 4, 5, 6]
EXAMPLE = Path(__file__).parents[2] / "examples" / "random_pettingzoo.py"


@pytest.fixture
def _quiet() -> Iterator[None]:
    """Ignore two warnings of PettingZoo: about dictionaries, and about masks after the end."""
    with warnings.catch_warnings():
        for message in (
            "Observation is not a NumPy array",
            "Observation space for each agent probably should be",
            "Action mask numpy array is all zeros",
        ):
            warnings.filterwarnings("ignore", message=message, category=UserWarning)
        yield


@pytest.fixture
def _unlogged() -> Iterator[None]:
    EnvLogger.suppress_output()
    yield
    EnvLogger.unsuppress_output()
    EnvLogger.flush()


def chosen(table: AECEnv, chance: Chance) -> int:
    legal = np.flatnonzero(table.observe(table.agent_selection)["action_mask"])
    return int(legal[chance.below(len(legal))])


def played(table: AECEnv, steps: int, chance: Chance) -> list[int]:
    """Play this many random numbers, or to the end."""
    numbers = []
    while len(numbers) < steps and not any(table.terminations.values()):
        numbers.append(chosen(table, chance))
        table.step(numbers[-1])
    return numbers


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.usefixtures("_quiet")
def test_pettingzoos_api_test_passes(players: int, engine: str) -> None:
    api_test(env(players, engine=engine), num_cycles=120)


@pytest.mark.usefixtures("_quiet")
def test_pettingzoos_api_test_passes_for_the_profit_reward() -> None:
    api_test(env(4, reward="profit"), num_cycles=120)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("players", PLAYERS)
def test_pettingzoos_seed_test_passes(players: int, engine: str) -> None:
    seed_test(lambda: env(players, engine=engine), num_cycles=40)


@pytest.mark.parametrize("engine", ENGINES)
def test_pettingzoos_render_test_passes(capsys: pytest.CaptureFixture[str], engine: str) -> None:
    render_test(lambda render_mode: env(4, render_mode=render_mode, engine=engine))
    assert capsys.readouterr().out.startswith("view/1 seat=0 phase=auction")


@pytest.mark.parametrize("players", PLAYERS)
def test_numbers_masks_observations_and_rewards_are_those_of_the_rules(players: int) -> None:
    table, chance = env(players), Chance(players)
    table.reset(seed=players)
    moment = Moment.start(Deal.from_seed(players, players))
    while moment.state.turn is not None:
        assert table.agent_selection == f"seat_{moment.state.turn}"
        seen, reward, terminated, truncated, _ = table.last()
        assert (reward, terminated, truncated) == (0, False, False)
        assert seen["observation"].dtype == np.uint8
        assert seen["observation"].shape == (FEATURES,)
        assert seen["action_mask"].dtype == np.int8
        assert np.array_equal(seen["action_mask"], moment.mask())
        own = features(view(moment.state, moment.state.turn), moment.laid)
        assert np.array_equal(seen["observation"], own)
        number = chosen(table, chance)
        table.step(number)
        moment = moment.play(number)
    ended = result(moment.state)
    for agent in table.agent_iter():
        seen, reward, terminated, truncated, _ = table.last()
        seat = int(agent.removeprefix("seat_"))
        assert reward == (seat in ended.winners) / len(ended.winners)
        assert (terminated, truncated) == (True, False)
        assert not seen["action_mask"].any()
        table.step(None)
    assert table.agents == []


def test_an_agent_that_is_not_to_act_has_no_legal_numbers() -> None:
    table = env(4)
    table.reset(seed=1)
    masks = [table.observe(agent)["action_mask"].any() for agent in table.agents]
    assert masks == [True, False, False, False]


def test_the_final_sale_runs_in_seat_order() -> None:
    table, chance, order = raw_env(5), Chance(3), []
    table.reset(seed=3)
    while not any(table.terminations.values()):
        if table.moment.state.phase is Phase.FINAL_SALE:
            order.append(table.agent_selection)
        table.step(chosen(table, chance))
    assert order == sorted(order)
    assert set(order) == set(table.possible_agents)


def test_profit_rewards_are_relative_and_sum_to_zero() -> None:
    table, chance = raw_env(3, reward="profit"), Chance(8)
    table.reset(seed=8)
    played(table, 1000, chance)
    profits = result(table.moment.state).profit
    for seat, profit in enumerate(profits):
        others = (sum(profits) - profit) / 2
        assert table.rewards[f"seat_{seat}"] == pytest.approx((profit - others) / PROFIT_SCALE)
    assert sum(table.rewards.values()) == pytest.approx(0)


@pytest.mark.parametrize("players", PLAYERS)
def test_observations_do_not_depend_on_hidden_cards(players: int) -> None:
    table, chance = raw_env(players), Chance(100 + players)
    table.reset(seed=players)
    game = Game.start(Deal.from_seed(players, players))
    for step in range(1000):
        if any(table.terminations.values()):
            break
        if step % 9 == 0:
            seat = step % players
            other = other_world(game, seat, step)
            again = raw_env(players)
            again.reset(options={"deal": other.deal})
            laid = table.moment.laid if seat == table.moment.state.turn else ()
            again.moment = Moment(other.state, laid)
            assert_same(table.observe(f"seat_{seat}"), again.observe(f"seat_{seat}"))
        number = chosen(table, chance)
        seat, laid = table.moment.state.turn, table.moment.laid
        table.step(number)
        if number >= CONFIRM and seat is not None:
            game = game.play(seat, action_of(number) or Bid(laid))
    assert game.over


def assert_same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> None:
    assert one.keys() == other.keys()
    for name, array in one.items():
        assert array.tobytes() == other[name].tobytes(), name


@pytest.mark.usefixtures("_unlogged")
def test_an_illegal_number_ends_the_game_with_a_penalty() -> None:
    table = env(4)
    table.reset(seed=2)
    played(table, 5, Chance(2))
    culprit = table.agent_selection
    mask = table.observe(culprit)["action_mask"]
    table.step(int(np.argmin(mask)))
    rewards = {}
    for agent in table.agent_iter():
        _, rewards[agent], terminated, truncated, _ = table.last()
        assert terminated
        assert truncated
        table.step(None)
    assert rewards == {agent: -1 if agent == culprit else 0 for agent in table.possible_agents}


def test_the_raw_environment_refuses_an_illegal_number_and_changes_nothing() -> None:
    table = raw_env(4)
    table.reset(seed=2)
    before = table.moment
    number = int(np.argmin(table.observe("seat_0")["action_mask"]))
    with pytest.raises(IllegalNumber):
        table.step(number)
    assert table.moment == before
    assert table.agent_selection == "seat_0"


def test_a_number_out_of_bounds_is_refused() -> None:
    table = env(4)
    table.reset(seed=2)
    with pytest.raises(AssertionError, match="action space"):
        table.step(NUMBERS)


def copies(table: AECEnv) -> list[AECEnv]:
    return [copy.deepcopy(table), pickle.loads(pickle.dumps(table))]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("steps", [0, 41, 90])
def test_a_copy_continues_identically(steps: int, engine: str) -> None:
    table = env(4, reward="profit", engine=engine)
    table.reset(seed=11)
    for agent in table.agents:
        table.action_space(agent).seed(int(agent.removeprefix("seat_")))
    played(table, steps, Chance(5))
    tables = [table, *copies(table)]
    courses = [list(course(one)) for one in tables]
    assert len(courses[0]) > 50
    assert courses[0] == courses[1] == courses[2]


def course(table: AECEnv) -> Iterator[tuple[object, ...]]:
    """Play samples of the action spaces to the end, and into the next deal."""
    for agent in table.agent_iter():
        seen, reward, terminated, truncated, _ = table.last()
        mask = seen["action_mask"]
        number = None if terminated else table.action_space(agent).sample(mask)
        table.step(number)
        yield agent, number, reward, truncated, seen["observation"].tobytes(), mask.tobytes()
    table.reset()
    yield (table.unwrapped.moment,)


def test_copies_are_independent() -> None:
    table = env(4)
    table.reset(seed=11)
    before = table.unwrapped.moment
    for other in copies(table):
        played(other, 10, Chance(5))
        assert other.unwrapped.moment != before
    assert table.unwrapped.moment == before


@pytest.mark.parametrize("players", PLAYERS)
def test_both_engines_play_the_same_game(players: int) -> None:
    assert pettingzoo_lockstep(players, seed=players) > 100


def test_masks_are_also_in_infos_and_as_booleans() -> None:
    table = env(4)
    table.reset(seed=1)
    played(table, 30, Chance(3))
    for agent in table.agents:
        mask = table.observe(agent)["action_mask"]
        assert np.array_equal(table.infos[agent]["action_mask"], mask)
        if agent == table.agent_selection:
            assert table.action_masks().dtype == np.bool_
            assert np.array_equal(table.action_masks(), mask)


def test_the_state_holds_what_all_seats_see() -> None:
    table = env(5)
    table.reset(seed=1)
    played(table, 30, Chance(3))
    seen = [table.observe(agent)["observation"] for agent in table.agents]
    assert table.state() in table.state_space
    assert np.array_equal(table.state(), np.concatenate(seen))


def test_the_order_of_calls_is_enforced() -> None:
    table = env(4)
    for call in (table.last, table.state, table.render, table.agent_iter, lambda: table.step(1)):
        with pytest.raises((AssertionError, AttributeError), match="before"):
            call()
    for name in ("agents", "agent_selection", "rewards", "infos", "num_agents"):
        with pytest.raises(AttributeError, match=f"{name} cannot be accessed before reset"):
            getattr(table, name)
    table.reset(seed=1)
    rounds = iter(table.agent_iter())
    next(rounds)
    with pytest.raises(AssertionError, match="need to call step"):
        next(rounds)
    for wrong in (None, -1, 25.0, "pass"):
        with pytest.raises(AssertionError, match="action space"):
            table.step(wrong)
    assert isinstance(table.unwrapped, EzPickle)
    assert str(table) == "byzanz_v0"


def test_a_seed_decides_the_deal_and_later_deals() -> None:
    table, again = raw_env(4), raw_env(4)
    for one in (table, again):
        one.reset(seed=77)
        assert one.moment == Moment.start(Deal.from_seed(4, 77))
        one.reset()
    assert table.moment == again.moment
    assert table.moment != Moment.start(Deal.from_seed(4, 77))


def test_without_a_seed_deals_differ() -> None:
    deals = [raw_env(4) for _ in range(2)]
    for one in deals:
        one.reset()
    assert deals[0].moment != deals[1].moment


def test_a_given_deal_can_be_played() -> None:
    table, deal = raw_env(4), Deal.from_seed(4, 5)
    table.reset(options={"deal": deal})
    assert table.moment == Moment.start(deal)
    with pytest.raises(ValueError, match="the deal has 3 players, the table 4"):
        table.reset(options={"deal": Deal.from_seed(3, 5)})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 2}, "3 to 6 players"),
        ({"reward": "glory"}, "there is no reward 'glory'"),
        ({"render_mode": "rgb_array"}, "no render mode"),
        ({"engine": "steam"}, "there is no engine 'steam'; there are compiled, readable"),
    ],
)
def test_invalid_arguments_are_refused(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        env(**arguments)


def test_render_shows_laid_cards_to_the_seat_on_turn() -> None:
    table = raw_env(4, render_mode="ansi")
    table.reset(seed=2)
    table.step(int(np.argmax(table.observe("seat_0")["action_mask"])))
    assert " laid: " in str(table.render())


def test_the_package_imports_no_library() -> None:
    script = (
        "import sys, byzanz.envs;"
        "print([name for name in ('pettingzoo', 'gymnasium', 'pyspiel') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_random_example_plays_games(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(EXAMPLE))["main"](["--players", "3", "--games", "2"])
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("game 1: ")
    assert "seat_2" in second
