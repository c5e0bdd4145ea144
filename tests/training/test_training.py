"""A network learns, is kept, goes on where it was, and plays the same without PyTorch."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from byzanz.cli.door import main
from byzanz.network import Network, Weights
from byzanz.network.forward import chances as say
from byzanz.network.forward import policy
from byzanz.training import Fade, Settings
from byzanz.training.advancing import LEARNER, TRADER
from byzanz.training.league import league, one_against
from tests.network.nets import by_chance

torch = pytest.importorskip("torch", reason="PyTorch is missing: training is NOT tested")

from byzanz.training.net import Net, picked  # noqa: E402
from byzanz.training.playing import Player, advantages  # noqa: E402
from byzanz.training.training import Length, Training  # noqa: E402

TINY = Settings(
    players=(3,),
    widths=(48, 32),
    games=96,
    minibatch=512,
    rate=Fade(5e-3, 2e-3),
    profit=Fade(2.0, 1.0),
    panel_games=60,
    past_every=0.4,
    panel_every=2.0,
)


def player() -> Player:
    torch.set_num_threads(1)
    return Player(torch.device("cpu"), "cpu")


def test_the_network_plays_the_same_without_pytorch() -> None:
    net = Net.from_weights(by_chance())
    network = Network(net.to_weights({}))
    seating = one_against(TRADER, (3, 4, 5, 6), 60, np.random.default_rng(1))
    _, experience = player().play(seating, [net], [1.0], remember=True)
    assert experience is not None
    with torch.no_grad():
        own = torch.zeros_like(experience.categories)
        logs, chances, _ = net(experience.rows, experience.masks, own)
    row, mask, shares, *_ = network.room
    for place in range(0, len(experience), 97):
        row[:], mask[:] = experience.rows[place], experience.masks[place]
        policy(network.parts, network.room)
        assert np.allclose(shares, logs[place].exp(), atol=1e-5)
        say(network.parts, network.room)
        assert np.allclose(shares[:6], chances[place].exp(), atol=1e-5)


def test_weights_survive_the_way_there_and_back() -> None:
    weights = by_chance()
    again = Net.from_weights(weights).to_weights({})
    assert np.allclose(again.hidden[0][0], weights.hidden[0][0], atol=1e-6)
    assert np.array_equal(again.policy[0], weights.policy[0])


def test_only_the_learners_decisions_are_remembered_and_all_are_legal() -> None:
    settings = replace(TINY, players=(3, 4, 5, 6), games=64)
    seating = league(settings, 1, np.random.default_rng(2))
    net = Net((16,))
    outcome, experience = player().play(seating, [net, Net((16,))], [1.0, 1.0], remember=True)
    assert experience is not None
    games, seats = experience.games.numpy(), experience.seats.numpy()
    assert np.all(seating.kinds[games, seats] == LEARNER)
    legal = experience.masks.gather(1, experience.numbers[:, None])
    assert bool((legal == 1).all())
    assert bool((experience.masks.sum(1) > 1).all())  # what is no choice is not asked
    assert np.allclose(outcome.shares.sum(1), 1)
    assert set(games) == set(range(64))


def test_an_advantage_looks_at_the_same_seats_next_value_and_at_last_the_reward() -> None:
    games, seats = np.array([0, 0, 0, 0]), np.array([0, 1, 0, 1])
    values = np.array([0.2, 0.5, 0.6, 0.1], np.float32)
    rewards = np.array([[1.0, 0.0]], np.float32)
    found = np.zeros(4, np.float32)
    advantages(games, seats, values, rewards, 0.0, found)
    assert found == pytest.approx([0.4, -0.4, 0.4, -0.1])
    advantages(games, seats, values, rewards, 1.0, found)
    assert found == pytest.approx([0.8, -0.5, 0.4, -0.1])


def test_heat_decides_how_much_is_left_to_chance() -> None:
    torch.manual_seed(1)
    scores = torch.log(torch.tensor([[0.7, 0.3, 0.0]])).expand(20_000, 3)
    drawn = picked(scores, 1.0)
    assert (drawn == 0).float().mean().item() == pytest.approx(0.7, abs=0.02)
    assert bool((drawn < 2).all())
    assert bool((picked(scores, 0.0) == 0).all())


def test_a_short_training_beats_chance_and_is_kept(tmp_path: Path) -> None:
    training = Training(tmp_path, TINY, 1, player())
    before = training.judge()["random"]["3"]
    told = list(training.go_on(Length(batches=6)))
    after = told[-1]["panel"]["random"]["3"]
    assert before < 0.6
    assert after > before + 0.15
    weights = Weights.load(tmp_path / "weights.npz")
    assert weights.card["batches"] == 6
    assert weights.card["decisions"] == training.decisions == sum(t["decisions"] for t in told[-1:])
    assert (tmp_path / "chart.svg").read_text().startswith("<svg")
    assert len(json.loads((tmp_path / "curve.json").read_text())) == 6
    assert not list(tmp_path.rglob("*.part"))


def test_a_training_that_was_interrupted_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    settings = replace(TINY, games=24, widths=(16,))
    whole = Training(tmp_path / "whole", settings, 7, player())
    list(whole.go_on(Length(batches=4)))
    first = Training(tmp_path / "parts", settings, 7, player())
    list(first.go_on(Length(batches=2), Length(batches=4)))
    second = Training.resume(tmp_path / "parts", player())
    list(second.go_on(Length(batches=4)))
    assert second.decisions == whole.decisions
    for one, two in zip(whole.net.parameters(), second.net.parameters(), strict=True):
        assert torch.equal(one, two)


def test_a_best_response_starts_from_whom_it_exploits(tmp_path: Path) -> None:
    by_chance().save(tmp_path / "frozen.npz")
    settings = replace(TINY, games=24).exploiting()
    training = Training(tmp_path, settings, 1, player(), exploited=tmp_path / "frozen.npz")
    assert training.judge()["frozen"]["3"] == pytest.approx(1 / 3, abs=0.2)
    [told] = list(training.go_on(Length(batches=1)))
    assert set(told["panel"]) == {"frozen"}


def test_the_command_trains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--small", "--games", "8", "--players", "3", "--batches", "1"]
    assert main(["train", *arguments, "--out", str(tmp_path)]) == 0
    assert "trader" in capsys.readouterr().out
    assert (tmp_path / "weights.npz").is_file()
