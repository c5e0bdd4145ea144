"""Answers are tried in worlds that may be, and the network learns to like what fares better."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from byzanz.network import Network
from byzanz.training.league import league
from byzanz.training.slot import LEARNER
from tests.network.outlook import outlook
from tests.training.tiny import TINY

torch = pytest.importorskip("torch", reason="PyTorch is missing: training is NOT tested")

from byzanz.training.learning import Learner, optimizer_for  # noqa: E402
from byzanz.training.machine import Machine  # noqa: E402
from byzanz.training.net import Net  # noqa: E402
from byzanz.training.sight import KIND, parts  # noqa: E402
from byzanz.training.stream import Stream  # noqa: E402
from byzanz.training.study import Study  # noqa: E402
from tests.training.emulated import emulated  # noqa: E402

SETTINGS = replace(
    TINY, players=(3, 4, 5, 6), games=64, minibatch=64, studied=24, answers=3, worlds=4,
    remembered=2, studied_part=16,
)  # fmt: skip


def studied(machine: Machine | None = None) -> tuple[Net, Stream, Study]:
    torch.manual_seed(2)
    torch.set_num_threads(1)
    machine, net = machine or Machine("cpu"), Net(SETTINGS.shape)
    stream = Stream(SETTINGS, machine, net, np.random.default_rng(2), 1.0)
    stream.invite([Net(SETTINGS.shape)])
    stream.play(40)
    return net, stream, Study(SETTINGS, machine, stream.ask)


def test_worths_are_those_of_the_answers_played_out_in_each_world() -> None:
    net, stream, study = studied()
    told = study.study(stream.games)
    network = Network(net.to_weights({}))
    trials = study.trials
    tried = (trials.answers >= 0).nonzero().tolist()
    assert told["studied"] == len({root for root, _ in tried}) == SETTINGS.studied
    assert len(tried) > 2 * SETTINGS.studied
    for root, answer in tried:
        for world in range(SETTINGS.worlds):
            alone = outlook(
                network, trials.roots[root].numpy(), int(trials.seeds[root, world]),
                [int(trials.answers[root, answer])],
            )  # fmt: skip
            assert float(trials.worths[root, world, answer]) == pytest.approx(alone, abs=1e-3)


def test_only_the_learners_choices_are_studied_and_the_games_stay_as_they_are() -> None:
    _, stream, study = studied()
    before = stream.games.words.clone()
    study.study(stream.games)
    assert torch.equal(stream.games.words, before)
    sights, answers, liking = study.drawn(torch.arange(len(study)))
    assert set(sights[:, KIND].tolist()) == {LEARNER}
    assert torch.allclose(liking.sum(1), torch.ones(len(study)))
    assert bool((answers >= 0).all())


def test_better_answers_are_liked_more_by_as_much_as_they_are_better() -> None:
    _, stream, study = studied()
    study.study(stream.games)
    trials = study.trials
    rows, answers, liking = study.drawn(torch.arange(len(study)))
    both = (trials.answers[:, :2] >= 0).all(1)
    gap = (trials.worths.mean(1)[:, 1] - trials.worths.mean(1)[:, 0]) / SETTINGS.finesse
    with torch.no_grad():
        logs = stream.ask(*parts(rows))[0].gather(1, answers)
    expected = (logs[:, 1] - logs[:, 0] + gap)[both]
    found = (liking[:, 1].log() - liking[:, 0].log())[both]
    assert torch.allclose(found, expected, atol=1e-3)


def test_the_network_comes_to_like_what_study_found() -> None:
    net, stream, study = studied()
    study.study(stream.games)
    learner = Learner(
        net, optimizer_for(net, Machine("cpu")), stream.ring, SETTINGS, Machine("cpu"), study
    )
    harvest = None
    while harvest is None:
        stream.play(SETTINGS.ticks)
        stream.games.seat(league(SETTINGS, np.random.default_rng(1)))
        harvest = stream.ring.harvest(0.3, 0.9, SETTINGS.minibatch)
    told = [learner.learn(harvest.places, 0.5).apart for _ in range(12)]
    assert told[-1] < 0.7 * told[0]


def test_a_gpus_kernel_does_what_the_cpus_loop_does(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for machine in (Machine("cpu"), emulated(monkeypatch)):
        _, stream, study = studied(machine)
        told = study.study(stream.games)
        found.append((told, study.trials.worths))
    assert found[0][0] == found[1][0]
    assert torch.equal(found[0][1], found[1][1])
    assert bool(found[0][1].any())
