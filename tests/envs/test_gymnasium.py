"""The Gymnasium environments: Gymnasium's checks, and agreement with the rules."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from byzanz.arena import seeded_match
from byzanz.bots import UnknownBot, make_bot
from byzanz.encoding import FEATURES, NUMBERS, PIECES, Moment, features, numbers_of
from byzanz.envs.engines import ENGINES
from byzanz.envs.gymnasium import (
    ILLEGAL_PENALTY,
    ByzanzEnv,
    ByzanzEnvV1,
    ByzanzSelfPlayEnv,
    ByzanzVectorEnv,
)
from byzanz.envs.learner_tables import BotTable
from byzanz.envs.network_policies import play_network
from byzanz.envs.observations import observation_space
from byzanz.envs.policies import POLICIES
from byzanz.envs.rewards import MAX_PROFIT, PROFIT_SCALE, REWARDS, rewards_of
from byzanz.fast import Batch, rows_of, to_moment, to_record
from byzanz.fast.layout import CHANCE
from byzanz.rules import ALL_CARDS, Chance, Deal, Result, State, branch, in_order, result, view
from byzanz.rules.cards import without
from tests.envs.lockstep import gymnasium_lockstep

PLAYERS = [3, 4, 5, 6]
EXAMPLES = Path(__file__).parents[2] / "examples"

Seen = dict[str, np.ndarray]


def chosen(mask: np.ndarray, chance: Chance) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[chance.below(len(legal))]) if len(legal) else 0


def all_chosen(seen: Seen, chance: Chance) -> np.ndarray:
    return np.array([chosen(mask, chance) for mask in seen["action_mask"]])


def redealt(state: State, seat: int, seed: int) -> State:
    """Return the state with another deal of the cards that the seat has not seen."""
    unseen = [*state.deck, *state.removed]
    for at, player in enumerate(state.players):
        if at != seat:
            unseen += player.hidden
    Chance(seed).shuffle(unseen)
    players = list(state.players)
    for at, player in enumerate(players):
        if at != seat:
            hidden = in_order(unseen.pop() for _ in player.hidden)
            hand = in_order(without(player.hand, player.hidden) + hidden)
            players[at] = player._replace(hand=hand, hidden=hidden)
    removed = in_order(unseen.pop() for _ in state.removed)
    return state._replace(players=tuple(players), removed=removed, deck=tuple(unseen))


def assert_same(one: Seen, other: Seen) -> None:
    assert one.keys() == other.keys()
    for name, array in one.items():
        assert array.dtype == other[name].dtype, name
        assert array.tobytes() == other[name].tobytes(), name


# --- rewards --------------------------------------------------------------------------------------


def test_the_win_is_shared_among_the_winners() -> None:
    assert rewards_of(Result((9, 4, 9, 2), (0, 2))) == (0.5, 0, 0.5, 0)
    assert rewards_of(Result((9, 4, 8), (0,)), "win") == (1, 0, 0)


def test_profit_is_relative_to_the_mean_of_the_others() -> None:
    assert rewards_of(Result((20, 10, 0), (0,)), "profit") == (
        15 / PROFIT_SCALE,
        0,
        -15 / PROFIT_SCALE,
    )


def test_the_bound_on_profit_is_exact() -> None:
    goods = sorted((card.worth for card in ALL_CARDS), reverse=True)
    sets = len(ALL_CARDS) // 3
    possible = [5 * merchants + sum(goods[: sets - merchants]) for merchants in range(16 // 3 + 1)]
    assert max(possible) == MAX_PROFIT
    assert REWARDS["profit"] == (-MAX_PROFIT / PROFIT_SCALE, MAX_PROFIT / PROFIT_SCALE)


# --- one game -------------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
def test_gymnasiums_check_passes_with_all_render_modes(
    capsys: pytest.CaptureFixture[str], engine: str
) -> None:
    check_env(gymnasium.make("Byzanz-v1", engine=engine).unwrapped)
    assert capsys.readouterr().out.startswith("view/1 seat=0 phase=auction")


def test_version_0_still_works() -> None:
    with pytest.warns(DeprecationWarning, match="Byzanz-v0 is out of date"):
        env = gymnasium.make("Byzanz-v0", opponents=("random",))
    assert type(env.unwrapped) is ByzanzEnv
    check_env(env.unwrapped, skip_render_check=True)
    with pytest.warns(DeprecationWarning, match="Byzanz-v0 is out of date"):
        vector = gymnasium.make_vec("Byzanz-v0", num_envs=2, opponent="sensible")
    assert vector.unwrapped.opponents == ("sensible",)


@pytest.mark.parametrize("players", PLAYERS)
def test_gymnasiums_check_passes_for_any_table(players: int) -> None:
    # Without a spec, the check cannot make the other render modes; the test above covers them.
    env = ByzanzEnv(players, ("random", "greedy"), seat=None, reward="profit")
    check_env(env, skip_render_check=True)
    for engine in ENGINES:
        env = ByzanzEnvV1(players, ("trader", "random"), seat=None, reward="profit", engine=engine)
        check_env(env, skip_render_check=True)


@pytest.mark.parametrize("players", PLAYERS)
def test_both_engines_play_the_same_game(players: int) -> None:
    assert gymnasium_lockstep(players, seed=0) > 20


def test_version_1_has_the_same_arguments_and_defaults_for_one_game_and_many() -> None:
    single = inspect.signature(ByzanzEnvV1).parameters
    many = inspect.signature(ByzanzVectorEnv).parameters
    assert {name: many[name].default for name in single} == {
        name: parameter.default for name, parameter in single.items()
    }
    chosen_opponents = {"opponents": ["trader", "random", "emperor"], "seat": 1}
    assert gymnasium.make("Byzanz-v1", **chosen_opponents).unwrapped.opponents == (
        "trader", "random", "emperor",
    )  # fmt: skip
    assert gymnasium.make_vec("Byzanz-v1", 2, **chosen_opponents).unwrapped.opponents == (
        "trader", "random", "emperor",
    )  # fmt: skip


def test_other_opponents_than_policies_are_bots() -> None:
    env = gymnasium.make("Byzanz-v1", opponents=["greedy", "trader"]).unwrapped
    env.reset(seed=3)
    assert isinstance(env.table, BotTable)
    with pytest.raises(UnknownBot):
        ByzanzEnvV1(opponents=("greedy", "sensible"))
    policies = ByzanzEnvV1(opponents="sensible")
    policies.reset(seed=3)
    with pytest.raises(AttributeError, match="only against bots"):
        _ = policies.game
    assert policies.reset(options={"deal": Deal.from_seed(4, 5)})
    with pytest.raises(ValueError, match="no engine 'steam'"):
        ByzanzEnvV1(engine="steam")


@pytest.mark.parametrize(
    ("seat", "opponents"),
    [
        (0, ("trader", "sensible", "emperor", "random")),
        (2, ("trader", "sensible", "emperor", "random")),
        (1, ("level1", "level9", "trader", "level4")),
    ],
)
def test_one_game_and_many_play_the_same_games(seat: int, opponents: tuple[str, ...]) -> None:
    env, vector = (
        ByzanzEnvV1(5, opponents, seat=seat),
        ByzanzVectorEnv(3, 5, opponents, seat=seat),
    )
    seen, _ = vector.reset(seed=20)
    single, _ = env.reset(seed=21)
    over = False
    while not over:
        assert_same(single, {name: array[1] for name, array in seen.items()})
        numbers = seen["action_mask"].argmax(axis=1)
        single, reward, over, _, info = env.step(int(numbers[1]))
        seen, rewards, terminated, _, infos = vector.step(numbers)
        assert (rewards[1], terminated[1]) == (reward, over)
    assert np.array_equal(infos["profit"][1], info["profit"])


@pytest.mark.parametrize("name", ["level1", "level5", "level9"])
def test_levels_decide_by_their_view_alone_and_like_the_bots(name: str) -> None:
    batch, bot, decisions = Batch(4, range(3)), make_bot(name, 0), 0
    for _ in range(60):
        for place in np.flatnonzero(~batch.over):
            other = batch[int(place)]
            other.deal_unseen(other.turns)
            one, two = batch.games[place].copy(), other.games[0]
            two[CHANCE] = one[CHANCE]
            seed = Chance(int(one[CHANCE : CHANCE + 1].view(np.uint64)[0])).word()
            numbers = play_network(one, POLICIES[name])
            assert play_network(two, POLICIES[name]) == numbers
            state = to_moment(batch.records[place]).state
            bot.reseed(seed)
            assert numbers_of(bot.choose(view(state, state.turn))) == tuple(numbers)
            batch.games[place] = one
            decisions += 1
    assert decisions > 100


def test_spaces_are_those_of_the_encoding() -> None:
    env = ByzanzEnv()
    assert env.action_space.n == NUMBERS
    assert env.observation_space["observation"].shape == (FEATURES,)
    assert env.observation_space["action_mask"].shape == (NUMBERS,)


@pytest.mark.parametrize("players", PLAYERS)
def test_masks_observations_and_rewards_are_those_of_the_rules(players: int) -> None:
    env, chance = ByzanzEnv(players, ("random",), seat=players - 1), Chance(players)
    seen, info = env.reset(seed=players)
    terminated, reward = False, 0.0
    while not terminated:
        assert info.keys() == {"action_mask"}
        assert np.array_equal(info["action_mask"], seen["action_mask"])
        assert np.array_equal(env.action_masks(), seen["action_mask"])
        assert reward == 0
        assert env.game.state.turn == env.seat == players - 1
        assert np.array_equal(seen["action_mask"], env.moment.mask())
        own = features(view(env.game.state, env.seat), env.moment.laid)
        assert np.array_equal(seen["observation"], own)
        number = chosen(seen["action_mask"], chance)
        seen, reward, terminated, truncated, info = env.step(number)
        assert not truncated
        assert seen in env.observation_space
    ended = result(env.game.state)
    assert reward == (env.seat in ended.winners) / len(ended.winners)
    assert tuple(info["profit"]) == ended.profit
    assert info["share"][env.seat] == reward
    assert not seen["action_mask"].any()


@pytest.mark.parametrize(
    ("seat", "opponents"), [(0, ("greedy",)), (2, ("random",)), (1, ("random", "greedy"))]
)
def test_a_learner_that_plays_as_a_bot_plays_the_match_of_the_seed(
    seat: int, opponents: tuple[str, ...]
) -> None:
    players, seed = 4, 31
    env = ByzanzEnv(players, opponents, seat=seat)
    _, _ = env.reset(seed=seed)
    bot = make_bot("greedy", branch(seed, seat))
    terminated = False
    while not terminated:
        for number in numbers_of(bot.choose(env.game.view(seat))):
            _, _, terminated, _, info = env.step(number)
            assert "refusal" not in info
    names = [opponents[(at - seat - 1) % players % len(opponents)] for at in range(players)]
    names[seat] = "greedy"
    assert env.game == seeded_match(players, seed, names)


def test_an_illegal_number_is_penalised_and_explained() -> None:
    for penalty in (ILLEGAL_PENALTY, 3.0):
        env = ByzanzEnv(4, ("random",), illegal_penalty=penalty)
        seen, _ = env.reset(seed=4)
        before = env.moment
        for number in (int(np.argmin(seen["action_mask"])), NUMBERS, -1):
            again, reward, terminated, truncated, info = env.step(number)
            assert_same(seen, again)
            assert (reward, terminated, truncated) == (-penalty, False, False)
            assert f"number {number} is not legal here" in info["refusal"]
            assert info["legal"] == before.legal()
            assert all(str(legal) in info["refusal"] for legal in before.legal())
            assert env.moment == before


@pytest.mark.parametrize("players", [3, 6])
def test_observations_do_not_depend_on_hidden_cards(players: int) -> None:
    env, chance = ByzanzEnv(players, ("random",), seat=None), Chance(7)
    seen, _ = env.reset(seed=7)
    terminated = False
    while not terminated:
        other = copy.copy(env.table)
        other.game = dataclasses.replace(
            env.game, state=redealt(env.game.state, env.seat, chance.word())
        )
        assert_same(env.table.observe(), other.observe())
        seen, _, terminated, _, _ = env.step(chosen(seen["action_mask"], chance))


def course(env: gymnasium.Env[Any, Any], seen: Seen, chance: Chance) -> Iterator[tuple[Any, ...]]:
    """Play random actions to the end, and into the next deal."""
    terminated = False
    while not terminated:
        number = chosen(seen["action_mask"], chance)
        seen, reward, terminated, _, _ = env.step(number)
        yield number, reward, terminated, *(array.tobytes() for array in seen.values())
    seen, _ = env.reset()
    yield tuple(array.tobytes() for array in seen.values())


@pytest.mark.parametrize("opponents", [("random",), ("trader", "passive")])
@pytest.mark.parametrize("steps", [0, 12])
def test_a_copy_continues_identically(steps: int, opponents: tuple[str, ...]) -> None:
    env, chance = gymnasium.make("Byzanz-v1", opponents=opponents, seat=None), Chance(9)
    seen, _ = env.reset(seed=9)
    for _ in range(steps):
        seen, *_ = env.step(chosen(seen["action_mask"], chance))
    copied = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    courses = [list(course(one, seen, Chance(10))) for one in (env, *copied)]
    assert len(courses[0]) > 20
    assert courses[0] == courses[1] == courses[2]


def test_a_seed_decides_all_games_that_follow() -> None:
    courses = []
    for _ in range(2):
        env = ByzanzEnv(4, ("random",), seat=None)
        seen, _ = env.reset(seed=12)
        courses.append(list(course(env, seen, Chance(1))))
    assert courses[0] == courses[1]


def test_a_given_deal_can_be_played() -> None:
    env, deal = ByzanzEnv(4, ("random",)), Deal.from_seed(4, 99)
    env.reset(seed=1, options={"deal": deal})
    assert env.game.deal == deal
    with pytest.raises(ValueError, match="the deal has 5 players, the table 4"):
        env.reset(options={"deal": Deal.from_seed(5, 1)})


def test_a_reset_is_needed_before_the_first_step_and_after_the_end() -> None:
    env = ByzanzEnv(4, ("random",))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(25)
    seen, _ = env.reset(seed=1)
    terminated = False
    while not terminated:
        seen, _, terminated, _, _ = env.step(chosen(seen["action_mask"], Chance(1)))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(25)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": 7}, "3 to 6 players"),
        ({"seat": 4}, "there is no seat 4"),
        ({"reward": "glory"}, "there is no reward 'glory'"),
        ({"opponents": ()}, "at least one opponent"),
        ({"opponents": ("greedy",) * 4}, "4 opponents cannot sit on 3 seats"),
        ({"render_mode": "rgb_array"}, "no render mode"),
    ],
)
def test_invalid_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        ByzanzEnv(**arguments)


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(UnknownBot):
        ByzanzEnv(opponents=("oracle",))


def test_render_shows_the_learners_view_and_laid_cards() -> None:
    env = ByzanzEnv(4, ("random",), render_mode="ansi")
    seen, _ = env.reset(seed=2)
    assert str(env.render()).startswith("view/1 seat=0 phase=auction")
    env.step(int(np.argmax(seen["action_mask"])))
    assert " laid: " in str(env.render())


# --- many games -----------------------------------------------------------------------------------


class Readable(gymnasium.Env[Seen, int]):
    """One game of a vector on the readable engine: its deals, seats and random choices."""

    def __init__(self, vector: ByzanzVectorEnv, place: int) -> None:
        self.vector, self.place = vector, place
        self.observation_space = observation_space()
        self.action_space = gymnasium.spaces.Discrete(NUMBERS)

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Seen, dict[str, Any]]:
        super().reset(seed=seed)
        dealt, self.seat = int(self.vector.deals[self.place]), int(self.vector.seats[self.place])
        self.moment = Moment.start(Deal.from_seed(self.vector.players, dealt))
        # The generator that dealt the cards also makes the random choices.
        self.chance = Chance(dealt)
        self.chance.shuffle(list(ALL_CARDS))
        return self.seen(), {}

    def step(self, action: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        if action not in self.moment.legal():
            return self.seen(), -self.vector.illegal_penalty, False, False, {"refusal": "no"}
        self.moment = self.moment.play(int(action))
        seen, info, reward = self.seen(), {}, 0.0
        if self.moment.state.turn is None:
            ended = result(self.moment.state)
            reward = rewards_of(ended, self.vector.reward)[self.seat]
            info = {"profit": np.array(ended.profit), "share": np.array(rewards_of(ended))}
        return seen, reward, self.moment.state.turn is None, False, info

    def seen(self) -> Seen:
        while self.moment.state.turn not in (None, self.seat):
            self.moment = self.moment.play(self.chance.choice(self.moment.legal()))
        own = features(view(self.moment.state, self.seat), self.moment.laid)
        return {"observation": own, "action_mask": self.moment.mask().astype(np.int8)}


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("players", PLAYERS)
def test_a_vector_equals_gymnasiums_vector_of_readable_games(
    players: int, mode: AutoresetMode
) -> None:
    """Compare deals, masks, features, rewards, infos, illegal numbers and autoreset by step."""
    reward = "win" if players % 2 else "profit"
    vector = ByzanzVectorEnv(3, players, seat=None, reward=reward, autoreset_mode=mode)
    seen, _ = vector.reset(seed=players)
    sync = SyncVectorEnv(
        [lambda place=place: Readable(vector, place) for place in range(3)],
        autoreset_mode=vector.metadata["autoreset_mode"],
    )
    assert vector.observation_space == sync.observation_space
    assert vector.action_space == sync.action_space
    other, _ = sync.reset()
    assert_same(seen, other)
    chance, finished = Chance(players), 0
    for _ in range(110):
        numbers = all_chosen(seen, chance)
        if not chance.below(10):
            numbers[chance.below(3)] = chance.below(NUMBERS)
        seen, *rest, infos = vector.step(numbers)
        other, *others, other_infos = sync.step(numbers)
        assert_same(seen, other)
        for one, two in zip(rest, others, strict=True):
            assert one.dtype == two.dtype
            assert np.array_equal(one, two)
        for one in (infos, other_infos):
            one.pop("refusal", None)
        assert data_equivalence(infos, other_infos)
        finished += int(rest[1].sum())
    assert finished >= 3


def test_game_i_is_dealt_from_the_seed_and_i() -> None:
    vector = ByzanzVectorEnv(3, 4)
    vector.reset(seed=50)
    for place in range(3):
        deal = Deal.from_seed(4, 50 + place)
        state = to_moment(vector.batch.records[place]).state
        assert [player.hand for player in state.players] == list(map(in_order, deal.hands))


def test_finished_games_are_reset_in_the_next_step() -> None:
    vector = ByzanzVectorEnv(16, 4)
    assert vector.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    seen, _ = vector.reset(seed=3)
    over, chance = np.zeros(16, dtype=bool), Chance(3)
    while not over.any():
        seen, rewards, over, _, _ = vector.step(all_chosen(seen, chance))
    assert not seen["action_mask"][over].any()
    deals, numbers = vector.deals.copy(), all_chosen(seen, chance)
    numbers[over] = -1
    seen, rewards, terminated, truncated, infos = vector.step(numbers)
    assert (vector.deals != deals).tolist() == over.tolist()
    assert not rewards[over].any()
    assert not (terminated | truncated)[over].any()
    assert "refusal" not in infos
    assert seen["action_mask"][over].any(axis=1).all()


def test_a_vector_reports_illegal_numbers_and_keeps_those_games() -> None:
    vector = ByzanzVectorEnv(4, 4, illegal_penalty=0.25)
    seen, _ = vector.reset(seed=6)
    numbers = np.argmax(seen["action_mask"], axis=1)
    numbers[1], numbers[3] = int(np.argmin(seen["action_mask"][1])), NUMBERS
    before = vector.batch.games.copy()
    _, rewards, terminated, _, infos = vector.step(numbers)
    assert infos["_refusal"].tolist() == [False, True, False, True]
    assert f"number {numbers[1]} is not legal here" in infos["refusal"][1]
    assert infos["refusal"][3] == "action numbers are 0 to 288"
    assert infos["refusal"][0] is None
    assert rewards.tolist() == [0, -0.25, 0, -0.25]
    assert not terminated.any()
    assert np.array_equal(vector.batch.games[[1, 3]], before[[1, 3]])
    assert not np.array_equal(vector.batch.games[[0, 2]], before[[0, 2]])


@pytest.mark.parametrize("players", [3, 6])
def test_a_vectors_observations_do_not_depend_on_hidden_cards(
    players: int,
) -> None:
    vector, chance = ByzanzVectorEnv(4, players, seat=None), Chance(4)
    seen, _ = vector.reset(seed=4)
    for _ in range(40):
        other = copy.deepcopy(vector)
        for place, seat in enumerate(other.seats):
            moment = to_moment(other.batch.records[place])
            changed = moment._replace(state=redealt(moment.state, int(seat), chance.word()))
            other.batch.games[place] = rows_of(to_record(changed))[0]
        nothing = np.zeros(4, dtype=np.int64)
        assert_same(other._play_numbers(nothing, np.ones(4, dtype=np.bool_)), seen)
        seen, _, over, _, _ = vector.step(all_chosen(seen, chance))
        if over.any():
            break


@pytest.mark.parametrize("opponent", ["random", "sensible", "trader"])
@pytest.mark.parametrize("steps", [0, 60])
def test_a_copied_vector_continues_identically(opponent: str, steps: int) -> None:
    vector, chance = ByzanzVectorEnv(32, 4, opponent, seat=None), Chance(2)
    seen, _ = vector.reset(seed=2)
    for _ in range(steps):
        seen, *_ = vector.step(all_chosen(seen, chance))
    copied = [copy.deepcopy(vector), pickle.loads(pickle.dumps(vector))]
    for one in copied:
        assert np.shares_memory(one.batch.games, one.batch.records)
        assert not np.shares_memory(one.batch.games, vector.batch.games)
    ended = 0
    for _ in range(60):
        numbers = all_chosen(seen, chance)
        seen, rewards, over, _, _ = vector.step(numbers)
        for one in copied:
            again, same, finished, _, _ = one.step(numbers)
            assert_same(seen, again)
            assert np.array_equal(rewards, same)
            assert np.array_equal(over, finished)
        ended += int(over.sum())
    assert ended


@pytest.mark.parametrize("opponent", POLICIES)
def test_a_vector_returns_new_arrays_and_repeats_a_seed(opponent: str) -> None:
    courses = []
    for _ in range(2):
        vector, chance = ByzanzVectorEnv(8, 5, opponent, seat=None), Chance(2)
        kept = [vector.reset(seed=2)[0]]
        for _ in range(5):
            seen, _, over, _, _ = vector.step(all_chosen(kept[-1], chance))
            over[:] = True  # writing to a returned array has no effect
            kept.append(seen)
        for name in ("observation", "action_mask"):
            assert not np.shares_memory(kept[-1][name], kept[-2][name])
        courses.append(kept)
    for one, two in zip(*courses, strict=True):
        assert_same(one, two)


def test_gymnasium_makes_a_vector_and_its_wrappers_work() -> None:
    made = gymnasium.make_vec("Byzanz-v1", num_envs=8)
    assert isinstance(made.unwrapped, ByzanzVectorEnv)
    envs, chance = RecordEpisodeStatistics(made), Chance(1)
    seen, _ = envs.reset(seed=1)
    assert seen in envs.observation_space
    recorded = 0
    for _ in range(130):
        seen, rewards, over, _, infos = envs.step(all_chosen(seen, chance))
        if over.any():
            assert np.array_equal(infos["episode"]["r"][over], rewards[over])
            assert (infos["episode"]["l"][over] > 20).all()
            recorded += int(over.sum())
    assert recorded >= 8
    envs.close()


def test_a_sensible_opponent_beats_a_random_learner() -> None:
    vector, chance = ByzanzVectorEnv(64, 4, "sensible", seat=None, reward="profit"), Chance(1)
    seen, _ = vector.reset(seed=1)
    earned, going = 0.0, np.ones(64, dtype=bool)
    while going.any():
        seen, rewards, over, _, _ = vector.step(all_chosen(seen, chance))
        earned += float(rewards[over & going].sum())
        going &= ~over
    assert earned / 64 < -0.3


def test_invalid_arguments_of_a_vector_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no policy 'greedy'; there are random, sensible"):
        ByzanzVectorEnv(2, 4, "greedy")
    with pytest.raises(ValueError, match="3 to 6 players"):
        ByzanzVectorEnv(2, 2)
    with pytest.raises(ValueError, match="at least one opponent"):
        ByzanzVectorEnv(2, 4, ())
    with pytest.raises(ValueError, match="no render mode 'ansi'"):
        ByzanzVectorEnv(2, 4, render_mode="ansi")
    with pytest.raises(ValueError, match="run on the compiled engine, not on 'readable'"):
        ByzanzVectorEnv(2, 4, engine="readable")
    with pytest.raises(ValueError, match="always reset"):
        ByzanzVectorEnv(2, 4, autoreset_mode=AutoresetMode.DISABLED)
    vector = ByzanzVectorEnv(2, 4)
    with pytest.raises(gymnasium.error.ResetNeeded):
        vector.step(np.zeros(2, dtype=np.int64))
    vector.reset()
    with pytest.raises(ValueError, match="expected 2 numbers"):
        vector.step(np.zeros(3, dtype=np.int64))
    with pytest.raises(TypeError, match="action numbers must be integers, not float64"):
        vector.step(np.array([25.9, 25.9]))


# --- all seats ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("policies", [(None,), (None, "random", None)])
@pytest.mark.parametrize("players", [3, 6])
def test_self_play_observes_the_seat_on_turn_and_rewards_all(
    players: int, policies: tuple[str | None, ...], mode: AutoresetMode
) -> None:
    envs = ByzanzSelfPlayEnv(4, players, policies, reward="profit", autoreset_mode=mode)
    callers = [seat for seat, name in enumerate(envs.policies) if name is None]
    seen, infos = envs.reset(seed=players)
    chance, ended = Chance(players), np.zeros(4, dtype=int)
    while (ended < 2).any():
        for place, seat in enumerate(infos["seat"]):
            moment = to_moment(envs.batch.records[place])
            own = moment.laid if seat == moment.state.turn else ()
            assert np.array_equal(
                seen["observation"][place], features(view(moment.state, int(seat)), own)
            )
            assert np.array_equal(seen["action_mask"][place], moment.mask())
            assert moment.state.turn in (*callers, None)
        assert np.array_equal(envs.action_masks(), seen["action_mask"])
        acted, numbers = infos["seat"], all_chosen(seen, chance)
        seen, rewards, over, truncated, infos = envs.step(numbers)
        assert not truncated.any()
        assert not rewards[~over].any()
        if over.any():
            final = infos if mode is AutoresetMode.NEXT_STEP else infos["final_info"]
            assert np.array_equal(final["_seat_rewards"], over)
            everyone = final["seat_rewards"][over]
            assert np.allclose(everyone.sum(axis=1), 0)
            assert np.array_equal(rewards[over], everyone[range(len(everyone)), acted[over]])
            if mode is AutoresetMode.SAME_STEP:
                assert seen["action_mask"][over].any(axis=1).all()
                for place in np.flatnonzero(over):
                    assert not infos["final_obs"][place]["action_mask"].any()
            else:
                assert not seen["action_mask"][over].any()
        ended += over


def test_self_play_needs_a_seat_for_the_caller() -> None:
    for wrong in (("random",), ()):
        with pytest.raises(ValueError, match="the caller needs at least one seat"):
            ByzanzSelfPlayEnv(2, 4, wrong)
    with pytest.raises(ValueError, match="there is no policy 'greedy'"):
        ByzanzSelfPlayEnv(2, 4, (None, "greedy"))


def test_the_page_shows_every_piece_of_an_observation() -> None:
    page = (EXAMPLES.parent / "docs" / "environments.md").read_text(encoding="utf-8")
    for piece in PIECES.values():
        place = f"{piece.start} | {piece.shape} | {piece.scale}"
        row = f"| `{piece.name}` | {place} | {piece.meaning} |"
        assert row in page, row
    assert f"({FEATURES},)" in page


# --- examples -------------------------------------------------------------------------------------


def test_the_random_example_plays_single_and_many_games(
    capsys: pytest.CaptureFixture[str],
) -> None:
    example = runpy.run_path(str(EXAMPLES / "random_gymnasium.py"))
    example["main"](["--games", "1", "--opponent", "random", "--num-envs", "16"])
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("game 1: seat ")
    assert "games at once: share of the wins 0." in second


def test_the_example_trains_evaluates_and_draws(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    example, drawn = runpy.run_path(str(EXAMPLES / "learn.py")), tmp_path / "curve.svg"
    example["main"](["--quick", "--seeds", "2", "--jobs", "1", "--picture", str(drawn)])
    assert "seed 1" in capsys.readouterr().out
    assert drawn.read_text(encoding="utf-8").count("<polyline") == 3


def test_updates_make_successful_numbers_more_likely() -> None:
    example = runpy.run_path(str(EXAMPLES / "learn.py"))
    rng = np.random.default_rng(1)
    policy = example["Policy"](rng)
    rows = rng.integers(0, 3, (64, FEATURES)).astype(np.uint8)
    masks = np.zeros((64, NUMBERS), dtype=np.int8)
    masks[:, 20:30] = 1
    numbers = rng.integers(20, 30, 64)
    outcomes = (numbers == 25).astype(np.float32)
    before = policy(rows, masks)[0]
    for _ in range(20):
        chances, guesses, _ = policy(rows, masks)
        played = example["Decisions"](
            rows, masks, numbers, chances[np.arange(64), numbers], guesses, np.arange(64)
        )
        policy.learn(played, outcomes, outcomes - outcomes.mean())
    after = policy(rows, masks)[0]
    assert after[:, 25].mean() > before[:, 25].mean() + 0.1
    assert not after[masks == 0].any()
