"""Training runs: learning, checkpoints, and the same play without PyTorch."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
import sys
import tomllib
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byzanz.cli.main import main
from byzanz.network import Network, Weights
from byzanz.network.forward import policy, win_probabilities
from byzanz.training import Schedule, Settings
from byzanz.training.env import LEARNER, RANDOM, TRADER
from byzanz.training.opponents import evaluation_seating
from tests.network.nets import quantised_weights, random_weights
from tests.requirements import import_or_skip
from tests.training.tiny import TINY

torch = import_or_skip("torch")

from byzanz.training.device import Device  # noqa: E402
from byzanz.training.env_batch import EnvBatch  # noqa: E402
from byzanz.training.logs import Logs  # noqa: E402
from byzanz.training.model import Net, sample  # noqa: E402
from byzanz.training.observation_layout import POLICY, parts  # noqa: E402
from byzanz.training.rollout import act  # noqa: E402
from byzanz.training.training import Length, Training  # noqa: E402

SMALLER = replace(TINY, num_envs=24, shape=(1, 8, 8, 4, 16), minibatch_size=256)
OLD_RUN = Path(__file__).parents[1] / "data" / "training_run"


@pytest.fixture(autouse=True)
def _evaluate_against_random_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Save most of the time of these short runs: games against the other scripts."""
    monkeypatch.setattr("byzanz.training.training.SCRIPTS", {"random": RANDOM})


class Unevaluated(Training):
    """A run without the games of its evaluations, which take half of the time."""

    def evaluate(self) -> dict[str, Any]:
        """Return some shares."""
        return {"random": {str(players): 0.5 for players in self.settings.players}}


def cpu() -> Device:
    torch.set_num_threads(1)
    return Device("cpu")


def test_the_network_plays_the_same_without_pytorch() -> None:
    net = Net.from_weights(quantised_weights(random_weights()))
    network = Network(net.to_weights({}))
    seating = evaluation_seating(TRADER, (3, 4, 5, 6), 60, np.random.default_rng(1))
    envs = EnvBatch(seating, [TRADER], cpu())
    row, mask, output, *_ = network.workspace
    for place in range(0, len(seating), 7):
        envs.observe()
        with torch.no_grad():
            act(envs, net.policy_logits, 0, 1.0, slice(0, len(seating)), None)
            rows, masks, categories = parts(envs.observations[place : place + 1])
            log_probs, wins, _ = net(rows, masks, torch.zeros_like(categories))
        row[:], mask[:] = rows[0, : len(row)], masks[0]
        policy(network.arrays, network.workspace)
        assert np.allclose(output, log_probs[0].exp(), atol=1e-5)
        win_probabilities(network.arrays, network.workspace)
        assert np.allclose(output[:6], wins[0].exp(), atol=1e-5)
        envs.step()


def test_opponents_change_only_their_own_win_probability() -> None:
    net = Net.from_weights(quantised_weights(random_weights()))
    seating = evaluation_seating(TRADER, (4,), 8, np.random.default_rng(1))
    envs = EnvBatch(seating, [TRADER], cpu())
    envs.observe()
    rows, masks, categories = parts(envs.observations[envs.observations[:, POLICY] == LEARNER])
    equals, traders = torch.zeros_like(categories), torch.full_like(categories, 4)
    traders[:, 0] = 0

    @torch.no_grad()
    def log_wins(categories: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = net(rows, masks, categories)[1][:, :4]
        return found

    among_equals = log_wins(equals)
    with torch.no_grad():
        net.opponent_bias.fill_(0.5)
    change = log_wins(traders) - among_equals
    assert torch.allclose(change[:, 1:] - change[:, :1], torch.tensor(0.5), atol=1e-5)
    with torch.no_grad():
        net.opponent_head.weight.copy_(torch.linspace(0, 0.1, net.shape[2]))
    change = log_wins(traders) - among_equals
    assert bool((change[:, 1:].std(1) > 0.001).all())
    assert torch.equal(log_wins(equals), among_equals)


def test_weights_survive_a_round_trip_through_pytorch() -> None:
    weights = random_weights()
    again = Net.from_weights(weights).to_weights({})
    for given, kept in zip(weights.layers, again.layers, strict=True):
        assert all(np.allclose(*arrays, atol=1e-6) for arrays in zip(given, kept, strict=True))
    for name in ("good_head", "table_head", "player_head"):
        assert np.array_equal(getattr(again, name)[0], getattr(weights, name)[0])


def test_all_layers_of_a_deeper_network_are_trained(tmp_path: Path) -> None:
    random_weights().save(tmp_path / "weights.npz")
    depth = random_weights().shape[0] + 2
    training = Unevaluated(
        tmp_path, replace(SMALLER, learning_rate=Schedule(1e-3, 1e-3)), 1, cpu(),
        start=tmp_path / "weights.npz", against=[tmp_path / "weights.npz"], layers=depth,
    )  # fmt: skip
    assert training.settings.shape == (depth, *random_weights().shape[1:])
    deeper = Weights.load(tmp_path / "weights.npz").deeper(depth)
    for begun, given in zip(training.weights().layers, deeper.layers, strict=True):
        assert all(map(np.allclose, begun, given))
    first = [parameter.detach().clone() for parameter in training.net.layers.parameters()]
    list(
        training.train(Length(updates=2))
    )  # the holdings of new layers have a gradient from the second update on
    for then, now in zip(first, training.net.layers.parameters(), strict=True):
        assert not torch.equal(then, now)
    assert Unevaluated.resume(tmp_path, cpu()).net.shape[0] == depth
    with pytest.raises(ValueError, match="cannot be reduced to 1"):
        Unevaluated(tmp_path, SMALLER, 1, cpu(), start=tmp_path / "weights.npz", layers=1)


def test_temperature_1_samples_and_temperature_0_is_greedy() -> None:
    torch.manual_seed(1)
    logits = torch.log(torch.tensor([[0.7, 0.3, 0.0]])).expand(20_000, 3)
    drawn = sample(logits, 1.0)
    assert (drawn == 0).float().mean().item() == pytest.approx(0.7, abs=0.02)
    assert bool((drawn < 2).all())
    assert bool((sample(logits, 0.0) == 0).all())


@pytest.mark.slow
def test_the_uniform_term_raises_the_entropy_of_a_certain_policy(tmp_path: Path) -> None:
    sure = Net.from_weights(random_weights())
    with torch.no_grad():
        for head in (sure.good_head, sure.table_head):
            head.weight *= 20
    sure.to_weights({}).save(tmp_path / "sure.npz")
    entropies = []
    for coef in (1e-9, 1.0):
        settings = replace(
            SMALLER, entropy_coef=Schedule(1e-9, 1e-9), uniform_coef=Schedule(coef, coef)
        )
        folder = tmp_path / str(coef)
        training = Unevaluated(folder, settings, 1, cpu(), start=tmp_path / "sure.npz")
        entropies.append([entry["entropy"] for entry in training.train(Length(updates=6))])
    assert max(entropies[0]) < 0.2
    assert entropies[1][-1] > 2 * entropies[0][-1]


@pytest.mark.slow
def test_a_short_run_beats_random_play_and_is_saved(tmp_path: Path) -> None:
    training = Training(tmp_path, TINY, 3, cpu())
    before = training.evaluate()["random"]["3"]
    curve = list(training.train(Length(updates=14)))
    after = curve[-1]["evaluation"]["random"]["3"]
    assert before < 0.5
    assert after > before + 0.15
    weights = Weights.load(tmp_path / "weights.npz")
    assert weights.card["lessons"] == 14
    assert weights.card["decisions"] == training.decisions == curve[-1]["decisions"]
    assert (tmp_path / "chart.svg").read_text().startswith("<svg")
    assert len(json.loads((tmp_path / "curve.json").read_text())) == 14
    assert not list(tmp_path.rglob("*.part"))


def test_the_same_seed_trains_the_same_network(tmp_path: Path) -> None:
    one, two = (Unevaluated(tmp_path / name, SMALLER, 7, cpu()) for name in "ab")
    for training in (one, two):
        list(training.train(Length(updates=3)))
    assert one.decisions == two.decisions > 0
    for first, second in zip(one.net.parameters(), two.net.parameters(), strict=True):
        assert torch.equal(first, second)


def test_a_resumed_run_is_deterministic(tmp_path: Path) -> None:
    first = Unevaluated(tmp_path, SMALLER, 7, cpu())
    list(first.train(Length(updates=2), Length(updates=4)))
    again = [Unevaluated.resume(tmp_path, cpu()) for _ in range(2)]
    for kept, now in zip(first.net.parameters(), again[0].net.parameters(), strict=True):
        assert torch.equal(kept, now)
    entries = [each._update(0.5) for each in again]
    assert entries[0]["entropy"] == entries[1]["entropy"]
    for one, two in zip(again[0].net.parameters(), again[1].net.parameters(), strict=True):
        assert torch.equal(one, two)
    steps = [int(state["step"]) for state in again[0].optimizer.state_dict()["state"].values()]
    assert min(steps) > max(
        int(state["step"]) for state in first.optimizer.state_dict()["state"].values()
    )


@pytest.mark.parametrize("stored", [b"", b"something else", [], {"state": "{}"}, {"format": 1}])
def test_another_file_is_refused_as_a_checkpoint(tmp_path: Path, stored: object) -> None:
    file = tmp_path / "checkpoint.pt"
    if isinstance(stored, bytes):
        file.write_bytes(stored)
    else:
        torch.save(stored, file)
    with pytest.raises(ValueError, match=r"checkpoint\.pt' is not a checkpoint of this version"):
        Training.resume(tmp_path, cpu())


def test_a_run_can_be_resumed_with_other_player_counts(tmp_path: Path) -> None:
    list(Unevaluated(tmp_path, SMALLER, 7, cpu()).train(Length(updates=1)))
    asked = ["train", "--resume", "--players", "4", "--lessons", "2", "--out", str(tmp_path)]
    assert main(asked) == 0
    again = Training.resume(tmp_path, cpu())
    assert (again.settings, again.updates) == (replace(SMALLER, players=(4,)), 2)
    assert set(again.curve[-1]["evaluation"]["random"]) & {"3", "4", "5", "6"} == {"4"}


def test_a_run_whose_time_ends_during_an_evaluation_is_saved(tmp_path: Path) -> None:
    class SlowEvaluation(Training):
        def evaluate(self) -> dict[str, Any]:
            self.seconds += 3600
            return super().evaluate()

    list(SlowEvaluation(tmp_path, SMALLER, 7, cpu()).train(Length(minutes=50)))
    assert Training.resume(tmp_path, cpu()).updates == 1
    assert Weights.load(tmp_path / "weights.npz").card["lessons"] == 1


@pytest.mark.parametrize("missing", ["--from"])
def test_the_plain_command_reports_missing_files(tmp_path: Path, missing: str) -> None:
    asked = [missing, str(tmp_path / "none.npz"), "--lessons", "1", "--out", str(tmp_path / "run")]
    command = [sys.executable, "-m", "byzanz.training", *asked]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert "No such file" in told.stderr
    assert "none.npz" in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize(
    "given",
    [
        "--seed 0", "--small", "--games 9", "--layers 0", "--from w", "--imitator w", "--exploit w",
        "--against w", "--opponents self=1", "--settings w", "--set epochs=2",
    ],
)  # fmt: skip
def test_fixed_options_cannot_be_given_with_resume(
    tmp_path: Path, given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["train", "--resume", *given.split(), "--lessons", "2", "--out", str(tmp_path)]
    assert main(asked) == 2
    error = capsys.readouterr().err
    assert f"{given.partition(' ')[0]} cannot be changed with --resume" in error
    assert not list(tmp_path.iterdir())


def test_the_moving_average_of_the_parameters_plays(tmp_path: Path) -> None:
    training = Unevaluated(tmp_path, replace(SMALLER, ema_rate=0.4), 7, cpu())
    first, second, third = (
        training.net.good_head.weight.detach().clone() for _ in training.train(Length(updates=3))
    )
    expected = 0.6 * (first + second) / 2 + 0.4 * third
    assert not torch.allclose(expected, third, atol=1e-4)
    assert torch.allclose(training.average.good_head.weight, expected, atol=1e-6)
    playing = Weights.load(tmp_path / "weights.npz").good_head[0]
    assert np.allclose(playing, expected.T.numpy(), atol=1e-3)
    again = Unevaluated.resume(tmp_path, cpu())
    assert torch.equal(again.average.good_head.weight, training.average.good_head.weight)


def test_a_gradient_step_uses_the_same_tensors(tmp_path: Path) -> None:
    """CUDA graphs need the same tensors in every step."""
    training = Unevaluated(tmp_path, SMALLER, 1, cpu())
    list(training.train(Length(updates=1)))
    ppo = training.ppo
    held = [ppo._minibatch, ppo._mean, ppo._std, ppo._totals]
    rate = training.optimizer.param_groups[0]["lr"]
    addresses = [each.data_ptr() for each in (*held, rate, *training.net.parameters())]
    list(training.train(Length(updates=2)))
    held = [ppo._minibatch, ppo._mean, ppo._std, ppo._totals]
    assert training.optimizer.param_groups[0]["lr"] is rate
    assert float(rate) == pytest.approx(TINY.learning_rate.at(0.5))
    assert [each.data_ptr() for each in (*held, rate, *training.net.parameters())] == addresses


def test_a_best_response_starts_from_the_exploited_weights(tmp_path: Path) -> None:
    random_weights().save(tmp_path / "frozen.npz")
    settings = replace(TINY, num_envs=24, minibatch_size=256).best_response()
    training = Training(tmp_path, settings, 1, cpu(), exploited=tmp_path / "frozen.npz")
    assert training.evaluate()["frozen"]["3"] == pytest.approx(1 / 3, abs=1e-6)
    [entry] = list(training.train(Length(updates=1)))
    assert set(entry["evaluation"]) == {"frozen"}


@pytest.mark.slow
def test_a_best_response_can_start_from_an_earlier_one(tmp_path: Path) -> None:
    frozen, found = random_weights(), random_weights(seed=5)
    frozen.save(tmp_path / "frozen.npz")
    replace(found, card={"lessons": 7}).save(tmp_path / "found.npz")
    settings = replace(TINY, num_envs=24, minibatch_size=256).best_response()
    files = {"exploited": tmp_path / "frozen.npz", "start": tmp_path / "found.npz"}
    first = Training(tmp_path / "a", settings, 1, cpu(), **files)
    assert np.allclose(first.weights().good_head[0], found.good_head[0], atol=1e-3)
    assert first.weights().card["before"] == {"lessons": 7}
    assert first.evaluate()["frozen"]["3"] != pytest.approx(1 / 3, abs=1e-3)
    first.save()
    again = Training.resume(tmp_path / "a", cpu())
    assert again.evaluate() == first.evaluate()
    assert again.exploited is not None
    kept = Weights.load(again.exploited).good_head[0]
    assert np.allclose(kept, frozen.good_head[0], atol=1e-3)


def test_exploited_weights_with_more_layers_are_refused_at_once(tmp_path: Path) -> None:
    random_weights().save(tmp_path / "found.npz")
    random_weights().deeper(len(random_weights().layers) + 1).save(tmp_path / "frozen.npz")
    files = {"exploited": tmp_path / "frozen.npz", "start": tmp_path / "found.npz"}
    with pytest.raises(ValueError, match=r"frozen\.npz' does not have the learner's shape"):
        Training(tmp_path / "a", TINY.best_response(), 1, cpu(), **files)
    assert not (tmp_path / "a").exists()


def test_the_run_keeps_a_copy_of_the_exploited_weights(tmp_path: Path) -> None:
    random_weights().save(tmp_path / "frozen.npz")
    settings = replace(TINY, num_envs=24, minibatch_size=256).best_response()
    first = Training(tmp_path / "a", settings, 1, cpu(), exploited=tmp_path / "frozen.npz")
    first.save()
    (tmp_path / "frozen.npz").unlink()
    assert Training.resume(tmp_path / "a", cpu()).evaluate() == first.evaluate()


def test_weights_left_in_the_folder_by_another_run_are_not_used(tmp_path: Path) -> None:
    (tmp_path / "others").mkdir()
    random_weights().save(tmp_path / "others" / "against-00.npz")
    Training(tmp_path, SMALLER, 7, cpu()).save()
    assert not Training.resume(tmp_path, cpu()).against


def test_snapshots_newer_than_the_checkpoint_are_deleted(tmp_path: Path) -> None:
    list(Unevaluated(tmp_path, SMALLER, 7, cpu()).train(Length(updates=1)))
    random_weights().save(tmp_path / "past" / "000009.npz")
    again = Unevaluated.resume(tmp_path, cpu())
    list(again.train(Length(updates=2)))
    assert "000009.npz" not in {file.name for file in (tmp_path / "past").iterdir()}


def test_a_horizon_remains_until_another_is_given(tmp_path: Path) -> None:
    rates = []
    list(Unevaluated(tmp_path, SMALLER, 7, cpu()).train(Length(updates=1), Length(updates=8)))
    for horizon in (None, Length(updates=3)):
        again = Unevaluated.resume(tmp_path, cpu())
        list(again.train(Length(updates=again.updates + 1), horizon))
        rates.append(float(again.optimizer.param_groups[0]["lr"]))
    assert rates == pytest.approx([SMALLER.learning_rate.at(at) for at in (1 / 8, 2 / 3)])


def test_a_new_run_does_not_overwrite_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    list(Unevaluated(tmp_path, SMALLER, 7, cpu()).train(Length(updates=1)))
    kept = (tmp_path / "checkpoint.pt").read_bytes()
    assert main(["train", "--small", "--lessons", "1", "--out", str(tmp_path)]) == 2
    assert "already contains a training run; resume it with --resume" in capsys.readouterr().err
    assert (tmp_path / "checkpoint.pt").read_bytes() == kept


@pytest.mark.slow
def test_a_best_response_can_be_deeper_and_resumed(tmp_path: Path) -> None:
    random_weights().save(tmp_path / "frozen.npz")
    frozen, depth = tmp_path / "frozen.npz", random_weights().shape[0] + 1
    settings = replace(TINY, num_envs=24, minibatch_size=256).best_response()
    training = Training(tmp_path, settings, 1, cpu(), exploited=frozen, layers=depth)
    training.save()
    again = Training.resume(tmp_path, cpu())
    assert again.net.shape == (depth, *random_weights().shape[1:])
    assert again.evaluate() == training.evaluate()


def test_opponents_of_another_shape_are_refused(tmp_path: Path) -> None:
    random_weights().save(tmp_path / "other.npz")
    with pytest.raises(ValueError, match="does not have the learner's shape"):
        Training(tmp_path, SMALLER, 1, cpu(), against=[tmp_path / "other.npz"])


def test_the_command_trains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--small", "--games", "64", "--players", "4,3,3", "--lessons", "1"]
    assert main(["train", *arguments, "--out", str(tmp_path)]) == 0
    *_, shares, last = capsys.readouterr().out.splitlines()
    assert re.search(r"against \w+: [0-9.]+ % with 3, [0-9.]+ % with 4 players\.$", shares)
    assert last == f"The weights are in '{tmp_path / 'weights.npz'}'."
    assert (tmp_path / "weights.npz").is_file()


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_the_run_is_logged_and_its_settings_can_be_used_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second, seed = tmp_path / "first", tmp_path / "second", 2**63 + 1
    arguments = ["--small", "--games", "32", "--players", "3", "--lessons", "1"]
    lines = ["--seed", str(seed), "--set", "evaluation_games=12", "--set", "epochs=2"]
    assert main(["train", *arguments, *lines, "--out", str(first)]) == 0
    assert main(["train", "--resume", "--lessons", "2", "--out", str(first)]) == 0
    stored = ["--settings", str(first / "settings.toml"), "--lessons", "1"]
    assert main(["train", *stored, "--out", str(second)]) == 0
    assert (first / "settings.toml").read_text() == (second / "settings.toml").read_text()
    assert tomllib.loads((second / "settings.toml").read_text())["seed"] == seed

    curve = json.loads((first / "curve.json").read_text())
    updates = rows_of(first / "updates.csv")
    assert [row["update"] for row in updates] == ["1", "2"]
    assert [float(row["entropy"]) for row in updates] == [each["entropy"] for each in curve]
    evaluations = rows_of(first / "evaluations.csv")
    assert {
        row["opponent"]: float(row["share"]) for row in evaluations if row["update"] == "2"
    } == {opponent: shares["3"] for opponent, shares in curve[-1]["evaluation"].items()}
    # The first update of both runs is the same, because the settings and the seed are.
    [again] = rows_of(second / "updates.csv")
    assert again["entropy"] == updates[0]["entropy"]
    assert main(["train", "--settings", "none.toml", "--out", str(tmp_path / "no")]) == 2
    assert "cannot read 'none.toml'" in capsys.readouterr().err
    assert main(["train", "--set", "epochs=0", "--out", str(tmp_path / "no")]) == 2
    assert "the setting epochs must be a whole number from 1, not 0" in capsys.readouterr().err


def test_tensorboard_gets_every_figure(tmp_path: Path) -> None:
    import_or_skip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import (  # noqa: PLC0415
        EventAccumulator,
    )

    entry = {
        "update": 7, "seconds": 1.5, "decisions": 900, "entropy": 0.5, "value_loss": 1.25,
        "approx_kl": 0.0, "profit": 12.0, "truncated": 0, "rollout_seconds": 1.0,
        "update_seconds": 0.5, "evaluation": {"random": {"3": 0.75}},
    }  # fmt: skip
    with closing(Logs(tmp_path, [], "epochs = 1\n")) as logs:
        logs.write(entry)
    events = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    assert len(events.Tags()["scalars"]) == 8
    for tag, value in (("train/value_loss", 1.25), ("random/3 players", 0.75)):
        [scalar] = events.Scalars(tag)
        assert (scalar.step, scalar.value) == (7, value)


def test_the_command_reports_unusable_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["train", "--small", "--lessons", "1", "--out", str(tmp_path)]
    assert main([*arguments, "--games", "1"]) == 2
    assert "the buffer is too small" in capsys.readouterr().err
    assert main([*arguments, "--layers", "0"]) == 2
    assert "at least one layer" in capsys.readouterr().err
    assert main([*arguments, "--from", str(tmp_path / "none.npz")]) == 2
    assert "none.npz'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "length",
    ["--lessons 0", "--minutes -1", "--minutes nan", "--lessons 9 --horizon 0.5", "--minutes inf"],
)
def test_an_impossible_length_is_refused(
    tmp_path: Path, length: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--small", *length.split(), "--out", str(tmp_path / "run")]) == 2
    assert "length must be greater than 0" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seed", ["-1", str(2**64), "one", ""])
def test_an_impossible_seed_is_refused(seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["train", "--seed", seed, "--out", "nowhere"])
    assert "expected a whole number from 0 to" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["--imitator w", "--company imitator=1 --against w"])
def test_weights_of_an_opponent_that_never_plays_are_refused(
    tmp_path: Path, given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["train", "--small", *given.split(), "--out", str(tmp_path / "run")]
    assert main(arguments) == 2
    assert "among the --opponents" in capsys.readouterr().err


@pytest.mark.slow
def test_fine_tuning_starts_from_the_given_weights(tmp_path: Path) -> None:
    random_weights().save(tmp_path / "weights.npz")
    settings = replace(SMALLER, opponents=(("past", 1.0), ("imitator", 1.0))).fine_tuning()
    training = Training(
        tmp_path / "further", settings, 1, cpu(),
        start=tmp_path / "weights.npz", imitator=tmp_path / "weights.npz",
    )  # fmt: skip
    assert training.settings.shape == random_weights().shape
    start = Net.from_weights(Weights.load(tmp_path / "weights.npz"))
    list(training.train(Length(updates=1)))  # the warm-up begins with learning rate 0
    for kept, now in zip(start.layers.parameters(), training.net.layers.parameters(), strict=True):
        assert torch.equal(kept, now)
    list(training.train(Length(updates=2)))
    assert not torch.equal(start.good_head.weight, training.net.good_head.weight)
    again = Training.resume(tmp_path / "further", cpu())
    assert again.imitator_file == training.imitator_file
    assert again.initial_card == training.initial_card
    assert "imitator" in training.curve[-1]["evaluation"]


def test_the_command_imitates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    random_weights().save(tmp_path / "weights.npz")
    league = ["--players", "3", "--bots", "greedy*2,random", "--deals", "4", "--seed", "1"]
    assert main(["arena", *league, "--records", str(tmp_path / "games.jsonl")]) == 0
    command = ["imitate", "greedy", str(tmp_path / "games.jsonl"), "--epochs", "1"]
    command += ["--from", str(tmp_path / "weights.npz"), "--out"]
    assert main([*command, str(tmp_path / "imitator.npz")]) == 0
    assert "validation accuracy" in capsys.readouterr().out
    card = Weights.load(tmp_path / "imitator.npz").card
    assert card["imitates"] == "greedy"
    assert 0 < card["foreseen"] < 1
    assert main([*command, str(tmp_path / "imitator")]) == 2
    assert "must end in .npz" in capsys.readouterr().err
    command[1] = "trader"
    assert main([*command, str(tmp_path / "other.npz")]) == 2
    assert "no decision of 'trader'" in capsys.readouterr().err


@pytest.mark.parametrize("weights", ["self", "self=", "self=1,self=2", "self=-1", "self=nan", ""])
def test_malformed_opponents_are_refused(weights: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["train", "--resume", "--company", weights, "--out", "nowhere"])
    assert "expected shares such as self=3,past=4" in capsys.readouterr().err


def test_a_run_can_be_self_play_alone(tmp_path: Path) -> None:
    training = Unevaluated(tmp_path, SMALLER.with_opponents({"self": 1}), 7, cpu())
    assert [entry["update"] for entry in training.train(Length(updates=2))] == [1, 2]
    assert Unevaluated.resume(tmp_path, cpu()).settings.self_play_fraction == 1.0


@pytest.mark.parametrize("given", ["--company self=1", "--against w", "--imitator w"])
def test_a_best_response_has_no_other_opponents(
    given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--exploit", "none", *given.split(), "--out", "nowhere"]) == 2
    assert "plays against frozen copies only" in capsys.readouterr().err


OLD_SETTINGS = {
    "players": [3], "shape": [1, 2, 2, 2, 4], "games": 24, "ticks": 64, "kept": 384,
    "minibatch": 256, "epochs": 1, "rate": {"start": 0.005, "end": 0.002}, "warming": 0.0,
    "entropy": {"start": 0.02, "end": 0.001}, "doubt": {"start": 0.01, "end": 0.003},
    "profit": {"start": 2.0, "end": 1.0}, "trace": {"start": 0.97, "end": 0.7}, "clip": 0.2,
    "newest": 0.03, "alone": 0.3, "alike": 0.6, "single": False,
    "company": [["past", 5.0], ["trader", 4.5], ["sensible", 0.5]], "heat": 0.3, "astray": 0.1,
    "past_at_once": 1, "past_every": 0.4, "panel_games": 60, "panel_every": 2.0,
}  # fmt: skip
"""The settings of the stored run, as an older version wrote them."""


def test_settings_of_an_older_version_can_be_read() -> None:
    settings = replace(TINY, shape=(1, 2, 2, 2, 4), num_envs=24, minibatch_size=256)
    assert Settings.from_json(OLD_SETTINGS) == settings
    assert Settings.from_json(json.loads(json.dumps(settings.as_json()))) == settings


def test_a_run_of_an_older_version_can_be_resumed(tmp_path: Path) -> None:
    shutil.copytree(OLD_RUN, tmp_path / "run")
    training = Training.resume(tmp_path / "run", cpu())
    assert training.settings == Settings.from_json(OLD_SETTINGS)
    assert (training.updates, training.seed, training.horizon) == (2, 7, Length(updates=4))
    assert training.curve[-1]["update"] == 2
    assert training.curve[-1]["evaluation"].keys() == {"earlier", "random", "sensible", "trader"}
    assert {"value_loss", "approx_kl", "truncated", "rollout_seconds"} <= training.curve[0].keys()
    assert float(training.net.opponent_bias.detach().abs().sum()) > 0
    assert all(int(each["step"]) > 0 for each in training.optimizer.state_dict()["state"].values())
    list(training.train(Length(updates=3)))
    again = Training.resume(tmp_path / "run", cpu())
    assert (again.updates, again.settings) == (3, training.settings)
    assert len(again.curve) == 3
