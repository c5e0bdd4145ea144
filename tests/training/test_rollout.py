"""Rollouts: the buffer's targets equal those of whole games, and GPU and CPU agree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from byzanz.training import Settings
from byzanz.training.env import (
    CATEGORY_COUNT,
    IMITATOR,
    LEARNER,
    NOBODY,
    PROFITS,
    RANDOM,
    SCRIPTED,
    SHARES,
    TRADER,
)
from byzanz.training.opponents import Seating, training_seating
from tests.requirements import import_or_skip
from tests.training.tiny import TINY

torch = import_or_skip("torch")

from byzanz.training.cpu_batch import CpuEngine  # noqa: E402
from byzanz.training.device import Device  # noqa: E402
from byzanz.training.env_batch import EnvBatch  # noqa: E402
from byzanz.training.model import Net, sample  # noqa: E402
from byzanz.training.observation_layout import CATEGORIES, POLICY, SEAT, parts  # noqa: E402
from byzanz.training.returns import (  # noqa: E402
    ACTION,
    LOG_PROB,
    MARGIN,
    VALUE,
    WINS,
)
from byzanz.training.rollout import Rollout  # noqa: E402
from tests.training.emulated import emulated_gpu  # noqa: E402

MIXED = replace(
    TINY, players=(3, 4, 5, 6), num_envs=24, shape=(1, 8, 8, 4, 16), minibatch_size=1,
    buffer_steps=256, self_play_fraction=0.5, single_kind_fraction=0.5,
    opponents=(("past", 1.0), ("trader", 1.0), ("sensible", 1.0), ("random", 1.0)),
)  # fmt: skip
PROFIT_COEF, GAE_LAMBDA, VALUE_LAMBDA = 0.3, 0.8, 0.95


def rollout_of(settings: Settings, *, static_shapes: bool = False) -> Rollout:
    torch.manual_seed(3)
    torch.set_num_threads(1)
    device = Device("cpu")
    device.static_shapes = static_shapes
    return Rollout(settings, device, Net(settings.shape), np.random.default_rng(3))


class History:
    """All steps of a rollout, from which targets are computed game by game."""

    def __init__(self, rollout: Rollout, settings: Settings) -> None:
        self.rollout, self.size, self.envs = rollout, settings.buffer_steps, settings.num_envs
        self.steps: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def step(self) -> None:
        first = len(self.steps) % self.size * self.envs
        self.rollout.run(1)
        indices = torch.arange(first, first + self.envs)
        observations, transitions, _ = self.rollout.buffer.get(indices)
        results = self.rollout.envs.results.numpy().copy()
        self.steps.append((observations.numpy(), transitions.numpy(), results))

    def targets(self, since: int) -> dict[tuple[int, int], list[float]]:
        """Return the targets of games that ended since a step, by step and env."""
        found: dict[tuple[int, int], list[float]] = {}
        for env in range(self.envs):
            first = 0
            for step, (_, _, results) in enumerate(self.steps):
                if results[env, 0]:
                    if step >= since:
                        found |= self._game(env, range(first, step + 1))
                    first = step + 1
        return found

    def _game(self, env: int, steps: range) -> dict[tuple[int, int], list[float]]:
        results = self.steps[steps[-1]][2][env]
        players = int(results[0])
        shares, profits = results[SHARES : SHARES + players], results[PROFITS : PROFITS + players]
        found = {}
        for seat in range(players):
            own = [
                step
                for step in steps
                if self.steps[step][0][env, POLICY] == LEARNER
                and self.steps[step][0][env, SEAT] == seat
            ]
            transitions = [self.steps[step][1][env] for step in own]
            margin = (profits[seat] - np.delete(profits, seat).mean()) / 20
            wins = [*np.roll(shares, -seat), *[0.0] * (6 - players)]
            values = [*(each[VALUE:] for each in transitions), np.array([margin, *wins])]
            for place, step in enumerate(own):
                advantages, value_errors = (
                    sum(
                        factor ** (later - place) * (values[later + 1] - values[later])
                        for later in range(place, len(own))
                    )
                    for factor in (GAE_LAMBDA, VALUE_LAMBDA)
                )
                advantage = advantages[WINS] + PROFIT_COEF * advantages[MARGIN]
                found[step, env] = [advantage, *(values[place] + value_errors)]
        return found


@pytest.mark.parametrize(
    ("margin", "rounds"), [(None, 2), pytest.param(1.15, 2, marks=pytest.mark.slow), (0.5, 1)]
)
def test_targets_are_those_of_whole_games_and_every_game_is_used_once(
    margin: float | None, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byzanz.training.opponents._MARGIN", margin)
    rollout = rollout_of(MIXED, static_shapes=margin is not None)
    history = History(rollout, MIXED)
    since, games = 0, 0
    for _ in range(14):
        for _ in range(48):
            history.step()
        finished = rollout.buffer.finished_games(PROFIT_COEF, GAE_LAMBDA, VALUE_LAMBDA, 1)
        if finished is None:
            continue
        expected = history.targets(since)
        oldest = max(0, len(history.steps) - MIXED.buffer_steps)
        lost = {at for at in expected if at[0] < oldest}
        assert len(lost) == 0 or finished.truncated > 0
        kept = [at for at in sorted(expected) if at not in lost]
        indices = [step % MIXED.buffer_steps * MIXED.num_envs + env for step, env in kept]
        assert sorted(indices) == finished.indices.tolist()
        _, _, targets = rollout.buffer.get(torch.tensor(indices))
        assert np.allclose(targets.numpy(), [expected[at] for at in kept], atol=1e-4)
        games += sum(int((results[:, 0] > 0).sum()) for _, _, results in history.steps[since:])
        since = len(history.steps)
    assert games > rounds * MIXED.num_envs


def test_only_the_learners_decisions_are_used_and_all_are_legal() -> None:
    rollout = rollout_of(MIXED)
    finished = None
    while finished is None:
        rollout.run(32)
        finished = rollout.buffer.finished_games(PROFIT_COEF, GAE_LAMBDA, VALUE_LAMBDA, 1000)
    observations, transitions, targets = rollout.buffer.get(finished.indices)
    _, masks, categories = parts(observations)
    assert bool((observations[:, POLICY] == LEARNER).all())
    assert bool((categories[:, 0] == 0).all())
    assert bool((masks.gather(1, transitions[:, ACTION, None].long()) == 1).all())
    assert bool((masks.sum(1) > 1).all())  # forced moves are not stored
    assert bool((transitions[:, LOG_PROB] <= 0).all())
    assert torch.allclose(targets[:, 2:].sum(1), torch.ones(len(targets)))
    assert set(categories.flatten().tolist()) == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(("margin", "least", "most"), [(1.15, 0.0, 0.03), (0.5, 0.2, 0.6)])
def test_a_game_beyond_the_capacity_waits_for_the_next_step(
    margin: float, least: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byzanz.training.opponents._MARGIN", margin)
    settings = replace(MIXED, num_envs=960, buffer_steps=64, shape=(1, 4, 4, 2, 4))
    rollout = rollout_of(settings, static_shapes=True)
    envs, waited = rollout.envs, np.zeros(settings.num_envs)
    rollout.run(40)
    for step in range(40, 64):
        before = envs.games.clone()
        envs.observe()
        policies = envs.to_act.clone()
        rollout.run(1)
        first = step * settings.num_envs
        stored, _, _ = rollout.buffer.get(torch.arange(first, first + settings.num_envs))
        waits = (policies < SCRIPTED) & (stored[:, POLICY] == NOBODY)
        assert torch.equal(envs.games[waits], before[waits])
        assert torch.equal(stored[~waits, POLICY], policies[~waits])
        assert bool((envs.games != before).any(1)[~waits].all())
        waited += waits.numpy()
    assert least <= waited.mean() / 24 <= most
    assert waited.max() < 24  # no game waits forever


def test_too_few_decisions_remain_for_the_next_call() -> None:
    buffer = (rollout := rollout_of(MIXED)).buffer
    rollout.run(200)
    assert buffer.finished_games(PROFIT_COEF, GAE_LAMBDA, VALUE_LAMBDA, 1_000_000) is None
    assert buffer.finished_games(PROFIT_COEF, GAE_LAMBDA, VALUE_LAMBDA, 1) is not None
    assert (
        buffer.finished_games(PROFIT_COEF, GAE_LAMBDA, VALUE_LAMBDA, 1) is None
    )  # no game ended since


def test_a_result_remains_if_no_game_follows() -> None:
    policies = np.full((2, 6), RANDOM, np.int64)
    seeds, first = np.array([5, 6], np.uint64), np.ones(2, np.int64)
    envs = EnvBatch(Seating(np.array([3, 4]), seeds, policies, first), [RANDOM], Device("cpu"))
    for _ in range(600):
        envs.observe()
        envs.step()
    assert envs.to_act.tolist() == [NOBODY, NOBODY]
    assert envs.results[:, 0].tolist() == [3, 4]
    assert envs.results[:, SHARES:PROFITS].sum(1).tolist() == [1, 1]


def test_a_queued_seating_is_played_when_a_game_ends() -> None:
    policies = np.full((1, 6), RANDOM, np.int64)
    seed, first = np.array([5], np.uint64), np.ones(1, np.int64)
    envs = EnvBatch(Seating(np.array([3]), seed, policies, first), [RANDOM], Device("cpu"))
    envs.queue(Seating(np.array([5]), seed, np.full((1, 6), TRADER), first))
    ended = []
    for _ in range(600):
        envs.observe()
        ended += [int(envs.results[0, 0])] if envs.results[0, 0] else []
        if ended:
            break
        envs.step()
    assert ended == [3]
    assert envs.to_act.tolist() == [TRADER]


def test_a_random_start_makes_the_first_decisions_random() -> None:
    policies, seeds = np.full((3, 6), TRADER, np.int64), np.array([5, 6, 7], np.uint64)
    seating = Seating(np.full(3, 4), seeds, policies, np.array([1, 2, 31]))
    envs = EnvBatch(seating, [RANDOM, TRADER], Device("cpu"))
    acted = []
    for _ in range(200):
        envs.observe()
        acted.append(envs.to_act.tolist())
        envs.step()
    random = np.array(acted) == RANDOM
    counts = random.sum(0)
    assert counts[0] == 0
    assert 1 <= counts[1] <= 8  # a bid is laid card by card
    assert 30 <= counts[2] <= 120
    for env in range(3):
        assert random[: counts[env], env].all()
    assert envs.results[:, 0].tolist() == [4, 4, 4]


def test_gpu_kernels_and_cpu_loops_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = emulated_gpu(monkeypatch)
    assert isinstance(Device("cpu").engine, CpuEngine)
    on_cpu = rollout_of(MIXED)
    torch.manual_seed(3)
    on_gpu = Rollout(MIXED, gpu, Net(MIXED.shape), np.random.default_rng(3))
    for number in range(3):
        found = []
        for rollout in (on_cpu, on_gpu):
            torch.manual_seed(number)
            rollout.envs.queue(training_seating(MIXED, np.random.default_rng(number)))
            rollout.run(60)
            found.append(rollout.buffer.finished_games(PROFIT_COEF, GAE_LAMBDA, VALUE_LAMBDA, 1))
        one, other = found
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert torch.equal(one.indices, other.indices)
            assert (one.profit, one.truncated) == (other.profit, other.truncated)
    indices = torch.arange(MIXED.buffer_steps * MIXED.num_envs)
    stored = on_cpu.buffer.get(indices)
    for one, other in zip(stored, on_gpu.buffer.get(indices), strict=True):
        assert torch.equal(one, other)
    assert {LEARNER, 1, SCRIPTED} <= set(stored[0][:, POLICY].tolist())


@pytest.mark.parametrize(
    "settings", [MIXED, replace(MIXED, opponent_temperature=0.7), MIXED.best_response()]
)
def test_the_learner_samples_and_opponents_use_their_temperature(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    temperatures = []

    def observed(logits: torch.Tensor, temperature: float) -> torch.Tensor:
        temperatures.append(temperature)
        return sample(logits, temperature)

    monkeypatch.setattr("byzanz.training.rollout.sample", observed)
    rollout_of(settings).run(3)
    assert temperatures == [1.0, settings.opponent_temperature] * 3
    best_response = MIXED.best_response().opponent_temperature
    assert best_response == 0.0 < MIXED.opponent_temperature < 0.5


def test_the_imitator_plays_its_seats_and_is_not_trained_on() -> None:
    torch.manual_seed(3)
    settings = replace(MIXED, opponents=(("past", 1.0), ("imitator", 1.0)))
    imitator = Net((1, 6, 6, 3, 12))
    policy_logits, asked = imitator.policy_logits, []

    def counted(rows: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        asked.append(len(rows))
        return policy_logits(rows, masks)

    imitator.policy_logits = counted  # type: ignore[method-assign]
    rng = np.random.default_rng(3)
    rollout = Rollout(settings, Device("cpu"), Net(settings.shape), rng, imitator)
    rollout.set_snapshots([Net(settings.shape)])
    rollout.run(settings.buffer_steps)
    indices = torch.arange(settings.buffer_steps * settings.num_envs)
    observations, _, _ = rollout.buffer.get(indices)
    assert int((observations[:, POLICY] == IMITATOR).sum()) == sum(asked) > 500
    finished = rollout.buffer.finished_games(PROFIT_COEF, GAE_LAMBDA, VALUE_LAMBDA, 1)
    assert finished is not None
    observations, _, _ = rollout.buffer.get(finished.indices)
    assert set(observations[:, POLICY].tolist()) == {LEARNER}
    assert CATEGORY_COUNT - 1 in observations[:, CATEGORIES:SEAT]
