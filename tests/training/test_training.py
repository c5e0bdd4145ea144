"""A network learns, is kept, goes on where it was, and plays the same without PyTorch."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byzanz.cli.main import main
from byzanz.network import Network, Weights
from byzanz.network.forward import chances as say
from byzanz.network.forward import policy
from byzanz.training import Fade
from byzanz.training.env import LEARNER, TRADER
from byzanz.training.opponents import one_against
from tests.missing import import_or_skip
from tests.network.nets import by_chance, in_whole_steps
from tests.training.tiny import TINY

torch = import_or_skip("torch")

from byzanz.training.device import Machine  # noqa: E402
from byzanz.training.env_batch import Games  # noqa: E402
from byzanz.training.model import Net, picked  # noqa: E402
from byzanz.training.observation import KIND, parts  # noqa: E402
from byzanz.training.rollout import choose  # noqa: E402
from byzanz.training.training import Length, Training  # noqa: E402

SMALLER = replace(TINY, games=24, shape=(1, 8, 8, 4, 16), minibatch=256)


def machine() -> Machine:
    torch.set_num_threads(1)
    return Machine("cpu")


def test_the_network_plays_the_same_without_pytorch() -> None:
    net = Net.from_weights(in_whole_steps(by_chance()))
    network = Network(net.to_weights({}))
    seating = one_against(TRADER, (3, 4, 5, 6), 60, np.random.default_rng(1))
    games = Games(seating, [TRADER], machine())
    row, mask, shares, *_ = network.room
    for place in range(0, len(seating), 7):
        games.look()
        with torch.no_grad():
            choose(games, net.policy_scores, 0, 1.0, slice(0, len(seating)), None)
            rows, masks, categories = parts(games.sights[place : place + 1])
            logs, chances, _ = net(rows, masks, torch.zeros_like(categories))
        row[:], mask[:] = rows[0, : len(row)], masks[0]
        policy(network.parts, network.room)
        assert np.allclose(shares, logs[0].exp(), atol=1e-5)
        say(network.parts, network.room)
        assert np.allclose(shares[:6], chances[0].exp(), atol=1e-5)
        games.play_on()


def test_what_strangers_change_is_theirs_alone_and_depends_on_how_they_stand() -> None:
    net = Net.from_weights(in_whole_steps(by_chance()))
    games = Games(one_against(TRADER, (4,), 8, np.random.default_rng(1)), [TRADER], machine())
    games.look()
    rows, masks, categories = parts(games.sights[games.sights[:, KIND] == LEARNER])
    nobody, traders = torch.zeros_like(categories), torch.full_like(categories, 4)
    traders[:, 0] = 0

    @torch.no_grad()
    def logs(kinds: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = net(rows, masks, kinds)[1][:, :4]
        return found

    proper = logs(nobody)
    with torch.no_grad():
        net.strangers.fill_(0.5)
    alike = logs(traders) - proper
    assert torch.allclose(alike[:, 1:] - alike[:, :1], torch.tensor(0.5), atol=1e-5)
    with torch.no_grad():
        net.stranger_head.weight.copy_(torch.linspace(0, 0.1, net.shape[2]))
    by_standing = logs(traders) - proper
    assert bool((by_standing[:, 1:].std(1) > 0.001).all())
    assert torch.equal(logs(nobody), proper)


def test_weights_survive_the_way_there_and_back() -> None:
    weights = by_chance()
    again = Net.from_weights(weights).to_weights({})
    for given, kept in zip(weights.layers, again.layers, strict=True):
        assert all(np.allclose(*arrays, atol=1e-6) for arrays in zip(given, kept, strict=True))
    for name in ("good_head", "table_head", "player_head"):
        assert np.array_equal(getattr(again, name)[0], getattr(weights, name)[0])


def test_a_deeper_network_learns_with_all_its_layers(tmp_path: Path) -> None:
    by_chance().save(tmp_path / "weights.npz")
    depth = by_chance().shape[0] + 2
    training = Training(
        tmp_path, replace(SMALLER, rate=Fade(1e-3, 1e-3)), 1, machine(),
        start=tmp_path / "weights.npz", against=[tmp_path / "weights.npz"], layers=depth,
    )  # fmt: skip
    assert training.settings.shape == (depth, *by_chance().shape[1:])
    deeper = Weights.load(tmp_path / "weights.npz").deeper(depth)
    for begun, given in zip(training.weights().layers, deeper.layers, strict=True):
        assert all(map(np.allclose, begun, given))
    first = [parameter.detach().clone() for parameter in training.net.layers.parameters()]
    list(training.go_on(Length(lessons=2)))  # what new layers make of holdings counts from the 2nd
    for then, now in zip(first, training.net.layers.parameters(), strict=True):
        assert not torch.equal(then, now)
    assert Training.resume(tmp_path, machine()).net.shape[0] == depth
    with pytest.raises(ValueError, match="cannot have 1"):
        Training(tmp_path, SMALLER, 1, machine(), start=tmp_path / "weights.npz", layers=1)


def test_heat_decides_how_much_is_left_to_chance() -> None:
    torch.manual_seed(1)
    scores = torch.log(torch.tensor([[0.7, 0.3, 0.0]])).expand(20_000, 3)
    drawn = picked(scores, 1.0)
    assert (drawn == 0).float().mean().item() == pytest.approx(0.7, abs=0.02)
    assert bool((drawn < 2).all())
    assert bool((picked(scores, 0.0) == 0).all())


def test_doubt_takes_up_what_was_given_up(tmp_path: Path) -> None:
    sure = Net.from_weights(by_chance())
    with torch.no_grad():
        for head in (sure.good_head, sure.table_head):
            head.weight *= 20
    sure.to_weights({}).save(tmp_path / "sure.npz")
    undecided = []
    for doubt in (1e-9, 1.0):
        settings = replace(SMALLER, entropy=Fade(1e-9, 1e-9), doubt=Fade(doubt, doubt))
        folder = tmp_path / str(doubt)
        training = Training(folder, settings, 1, machine(), start=tmp_path / "sure.npz")
        undecided.append([told["entropy"] for told in training.go_on(Length(lessons=6))])
    assert max(undecided[0]) < 0.2
    assert undecided[1][-1] > 2 * undecided[0][-1]


def test_a_short_training_beats_chance_and_is_kept(tmp_path: Path) -> None:
    training = Training(tmp_path, TINY, 3, machine())
    before = training.judge()["random"]["3"]
    told = list(training.go_on(Length(lessons=14)))
    after = told[-1]["panel"]["random"]["3"]
    assert before < 0.5
    assert after > before + 0.15
    weights = Weights.load(tmp_path / "weights.npz")
    assert weights.card["lessons"] == 14
    assert weights.card["decisions"] == training.decisions == told[-1]["decisions"]
    assert (tmp_path / "chart.svg").read_text().startswith("<svg")
    assert len(json.loads((tmp_path / "curve.json").read_text())) == 14
    assert not list(tmp_path.rglob("*.part"))


def test_the_same_seed_trains_the_same_network(tmp_path: Path) -> None:
    one, two = (Training(tmp_path / name, SMALLER, 7, machine()) for name in "ab")
    for training in (one, two):
        list(training.go_on(Length(lessons=3)))
    assert one.decisions == two.decisions > 0
    for first, second in zip(one.net.parameters(), two.net.parameters(), strict=True):
        assert torch.equal(first, second)


def test_a_training_goes_on_from_its_folder_in_one_way(tmp_path: Path) -> None:
    first = Training(tmp_path, SMALLER, 7, machine())
    list(first.go_on(Length(lessons=2), Length(lessons=4)))
    again = [Training.resume(tmp_path, machine()) for _ in range(2)]
    for kept, now in zip(first.net.parameters(), again[0].net.parameters(), strict=True):
        assert torch.equal(kept, now)
    told = [again_each._lesson(0.5) for again_each in again]
    assert told[0]["entropy"] == told[1]["entropy"]
    for one, two in zip(again[0].net.parameters(), again[1].net.parameters(), strict=True):
        assert torch.equal(one, two)
    steps = [int(state["step"]) for state in again[0].optimizer.state_dict()["state"].values()]
    assert min(steps) > max(
        int(state["step"]) for state in first.optimizer.state_dict()["state"].values()
    )


@pytest.mark.parametrize("kept", [b"", b"nothing of the kind", [], {"told": "{}"}, {"format": 1}])
def test_a_checkpoint_of_something_else_is_refused(tmp_path: Path, kept: object) -> None:
    file = tmp_path / "checkpoint.pt"
    if isinstance(kept, bytes):
        file.write_bytes(kept)
    else:
        torch.save(kept, file)
    with pytest.raises(ValueError, match=r"checkpoint\.pt' was not kept by this version"):
        Training.resume(tmp_path, machine())


def test_a_training_goes_on_for_other_tables(tmp_path: Path) -> None:
    list(Training(tmp_path, SMALLER, 7, machine()).go_on(Length(lessons=1)))
    asked = ["train", "--resume", "--players", "4", "--lessons", "2", "--out", str(tmp_path)]
    assert main(asked) == 0
    again = Training.resume(tmp_path, machine())
    assert (again.settings, again.lessons) == (replace(SMALLER, players=(4,)), 2)
    assert set(again.curve[-1]["panel"]["random"]) & {"3", "4", "5", "6"} == {"4"}


def test_a_training_whose_time_is_over_while_it_is_judged_is_kept(tmp_path: Path) -> None:
    class LongJudged(Training):
        def judge(self) -> dict[str, Any]:
            self.seconds += 3600
            return super().judge()

    list(LongJudged(tmp_path, SMALLER, 7, machine()).go_on(Length(minutes=50)))
    assert Training.resume(tmp_path, machine()).lessons == 1
    assert Weights.load(tmp_path / "weights.npz").card["lessons"] == 1


@pytest.mark.parametrize("missing", ["--from", "--exploit", "--against"])
def test_the_plain_command_says_what_it_cannot_read(tmp_path: Path, missing: str) -> None:
    asked = [missing, str(tmp_path / "none.npz"), "--lessons", "1", "--out", str(tmp_path / "run")]
    command = [sys.executable, "-m", "byzanz.training", *asked]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 2
    assert "No such file" in told.stderr
    assert "none.npz" in told.stderr
    assert "Traceback" not in told.stderr


@pytest.mark.parametrize(
    "settled",
    [
        "--seed 0", "--small", "--games 9", "--layers 0", "--from w", "--imitator w", "--exploit w",
        "--against w", "--company self=1",
    ],
)  # fmt: skip
def test_what_a_training_began_with_is_not_told_anew(
    tmp_path: Path, settled: str, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["train", "--resume", *settled.split(), "--lessons", "2", "--out", str(tmp_path)]
    assert main(asked) == 2
    told = capsys.readouterr().err
    assert f"{settled.partition(' ')[0]} is settled when a training begins" in told
    assert not list(tmp_path.iterdir())


def test_who_plays_is_the_average_of_who_learnt(tmp_path: Path) -> None:
    training = Training(tmp_path, replace(SMALLER, newest=0.4), 7, machine())
    first, second, third = (
        training.net.good_head.weight.detach().clone() for _ in training.go_on(Length(lessons=3))
    )
    expected = 0.6 * (first + second) / 2 + 0.4 * third
    assert not torch.allclose(expected, third, atol=1e-4)
    assert torch.allclose(training.average.good_head.weight, expected, atol=1e-6)
    playing = Weights.load(tmp_path / "weights.npz").good_head[0]
    assert np.allclose(playing, expected.T.numpy(), atol=1e-3)
    again = Training.resume(tmp_path, machine())
    assert torch.equal(again.average.good_head.weight, training.average.good_head.weight)


def test_a_step_uses_only_what_lies_still(tmp_path: Path) -> None:
    """What a graph replays: the same tensors, whatever is put into them."""
    training = Training(tmp_path, SMALLER, 1, machine())
    list(training.go_on(Length(lessons=1)))
    learner = training.learner
    held = [learner._part, learner._centre, learner._spread, learner._totals]
    rate = training.optimizer.param_groups[0]["lr"]
    addresses = [each.data_ptr() for each in (*held, rate, *training.net.parameters())]
    list(training.go_on(Length(lessons=2)))
    held = [learner._part, learner._centre, learner._spread, learner._totals]
    assert training.optimizer.param_groups[0]["lr"] is rate
    assert float(rate) == pytest.approx(TINY.rate.at(0.5))
    assert [each.data_ptr() for each in (*held, rate, *training.net.parameters())] == addresses


def test_a_best_response_starts_from_whom_it_exploits(tmp_path: Path) -> None:
    by_chance().save(tmp_path / "frozen.npz")
    settings = replace(TINY, games=24, minibatch=256).exploiting()
    training = Training(tmp_path, settings, 1, machine(), exploited=tmp_path / "frozen.npz")
    assert training.judge()["frozen"]["3"] == pytest.approx(1 / 3, abs=1e-6)
    [told] = list(training.go_on(Length(lessons=1)))
    assert set(told["panel"]) == {"frozen"}


def test_a_best_response_goes_on_from_one_found_before(tmp_path: Path) -> None:
    frozen, found = by_chance(), by_chance(seed=5)
    frozen.save(tmp_path / "frozen.npz")
    replace(found, card={"lessons": 7}).save(tmp_path / "found.npz")
    settings = replace(TINY, games=24, minibatch=256).exploiting()
    files = {"exploited": tmp_path / "frozen.npz", "start": tmp_path / "found.npz"}
    first = Training(tmp_path / "a", settings, 1, machine(), **files)
    assert np.allclose(first.weights().good_head[0], found.good_head[0], atol=1e-3)
    assert first.weights().card["before"] == {"lessons": 7}
    assert first.judge()["frozen"]["3"] != pytest.approx(1 / 3, abs=1e-3)
    first.save()
    again = Training.resume(tmp_path / "a", machine())
    assert again.judge() == first.judge()
    assert again.exploited is not None
    kept = Weights.load(again.exploited).good_head[0]
    assert np.allclose(kept, frozen.good_head[0], atol=1e-3)


def test_who_is_exploited_is_refused_at_once_if_it_has_more_layers(tmp_path: Path) -> None:
    by_chance().save(tmp_path / "found.npz")
    by_chance().deeper(len(by_chance().layers) + 1).save(tmp_path / "frozen.npz")
    files = {"exploited": tmp_path / "frozen.npz", "start": tmp_path / "found.npz"}
    with pytest.raises(ValueError, match=r"frozen\.npz' is a network of another shape"):
        Training(tmp_path / "a", TINY.exploiting(), 1, machine(), **files)
    assert not (tmp_path / "a").exists()


def test_who_is_exploited_stays_the_same_whatever_becomes_of_the_file(tmp_path: Path) -> None:
    by_chance().save(tmp_path / "frozen.npz")
    settings = replace(TINY, games=24, minibatch=256).exploiting()
    first = Training(tmp_path / "a", settings, 1, machine(), exploited=tmp_path / "frozen.npz")
    first.save()
    (tmp_path / "frozen.npz").unlink()
    assert Training.resume(tmp_path / "a", machine()).judge() == first.judge()


def test_weights_left_by_another_training_do_not_join(tmp_path: Path) -> None:
    (tmp_path / "others").mkdir()
    by_chance().save(tmp_path / "others" / "against-00.npz")
    Training(tmp_path, SMALLER, 7, machine()).save()
    assert not Training.resume(tmp_path, machine()).against


def test_past_selves_of_a_way_not_gone_are_forgotten(tmp_path: Path) -> None:
    list(Training(tmp_path, SMALLER, 7, machine()).go_on(Length(lessons=1)))
    by_chance().save(tmp_path / "past" / "000009.npz")
    again = Training.resume(tmp_path, machine())
    list(again.go_on(Length(lessons=2)))
    assert "000009.npz" not in {file.name for file in (tmp_path / "past").iterdir()}


def test_a_horizon_stays_until_another_is_given(tmp_path: Path) -> None:
    rates = []
    list(Training(tmp_path, SMALLER, 7, machine()).go_on(Length(lessons=1), Length(lessons=8)))
    for horizon in (None, Length(lessons=3)):
        again = Training.resume(tmp_path, machine())
        list(again.go_on(Length(lessons=again.lessons + 1), horizon))
        rates.append(float(again.optimizer.param_groups[0]["lr"]))
    assert rates == pytest.approx([SMALLER.rate.at(1 / 8), SMALLER.rate.at(2 / 3)])


def test_a_folder_that_holds_a_training_is_not_begun_anew(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    list(Training(tmp_path, SMALLER, 7, machine()).go_on(Length(lessons=1)))
    kept = (tmp_path / "checkpoint.pt").read_bytes()
    assert main(["train", "--small", "--lessons", "1", "--out", str(tmp_path)]) == 2
    assert "holds a training: --resume goes on with it" in capsys.readouterr().err
    assert (tmp_path / "checkpoint.pt").read_bytes() == kept


def test_a_best_response_may_be_deeper_and_goes_on(tmp_path: Path) -> None:
    by_chance().save(tmp_path / "frozen.npz")
    frozen, depth = tmp_path / "frozen.npz", by_chance().shape[0] + 1
    settings = replace(TINY, games=24, minibatch=256).exploiting()
    training = Training(tmp_path, settings, 1, machine(), exploited=frozen, layers=depth)
    training.save()
    again = Training.resume(tmp_path, machine())
    assert again.net.shape == (depth, *by_chance().shape[1:])
    assert again.judge() == training.judge()


def test_weights_of_another_shape_cannot_join_a_league(tmp_path: Path) -> None:
    by_chance().save(tmp_path / "other.npz")
    with pytest.raises(ValueError, match="another shape"):
        Training(tmp_path, SMALLER, 1, machine(), against=[tmp_path / "other.npz"])


def test_the_command_trains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--small", "--games", "64", "--players", "4,3,3", "--lessons", "1"]
    assert main(["train", *arguments, "--out", str(tmp_path)]) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert json.loads(told)["trader"].keys() == {"3", "4"}
    assert (tmp_path / "weights.npz").is_file()


def test_the_command_says_what_it_cannot_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["train", "--small", "--lessons", "1", "--out", str(tmp_path)]
    assert main([*arguments, "--games", "1"]) == 2
    assert "too little is remembered" in capsys.readouterr().err
    assert main([*arguments, "--layers", "0"]) == 2
    assert "a layer at least" in capsys.readouterr().err
    assert main([*arguments, "--from", str(tmp_path / "none.npz")]) == 2
    assert "none.npz'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "length",
    ["--lessons 0", "--minutes -1", "--minutes nan", "--lessons 9 --horizon 0.5", "--minutes inf"],
)
def test_a_length_that_is_none_is_refused(
    tmp_path: Path, length: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--small", *length.split(), "--out", str(tmp_path / "run")]) == 2
    assert "length is above 0" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("seed", ["-1", str(2**64), "one", ""])
def test_a_seed_that_is_none_is_refused(seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["train", "--seed", seed, "--out", "nowhere"])
    assert "expected a whole number from 0 to" in capsys.readouterr().err


@pytest.mark.parametrize("given", ["--imitator w", "--company imitator=1 --against w"])
def test_weights_that_would_never_play_are_refused(
    tmp_path: Path, given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["train", "--small", *given.split(), "--out", str(tmp_path / "run")]
    assert main(arguments) == 2
    assert "the weights given never play" in capsys.readouterr().err


def test_a_network_learns_further_from_where_it_was(tmp_path: Path) -> None:
    by_chance().save(tmp_path / "weights.npz")
    settings = replace(SMALLER, company=(("past", 1.0), ("imitator", 1.0))).further()
    training = Training(
        tmp_path / "further", settings, 1, machine(),
        start=tmp_path / "weights.npz", imitator=tmp_path / "weights.npz",
    )  # fmt: skip
    assert training.settings.shape == by_chance().shape
    start = Net.from_weights(Weights.load(tmp_path / "weights.npz"))
    list(training.go_on(Length(lessons=1)))  # steps are measured, and nothing is changed yet
    for kept, now in zip(start.layers.parameters(), training.net.layers.parameters(), strict=True):
        assert torch.equal(kept, now)
    list(training.go_on(Length(lessons=2)))
    assert not torch.equal(start.good_head.weight, training.net.good_head.weight)
    again = Training.resume(tmp_path / "further", machine())
    assert (again.imitator_file, again.before) == (training.imitator_file, training.before)
    assert "imitator" in training.curve[-1]["panel"]


def test_the_command_imitates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    by_chance().save(tmp_path / "weights.npz")
    league = ["--players", "3", "--bots", "greedy*2,random", "--deals", "4", "--seed", "1"]
    assert main(["arena", *league, "--records", str(tmp_path / "games.jsonl")]) == 0
    command = ["imitate", "greedy", str(tmp_path / "games.jsonl"), "--epochs", "1"]
    command += ["--from", str(tmp_path / "weights.npz"), "--out"]
    assert main([*command, str(tmp_path / "imitator.npz")]) == 0
    assert "are foreseen" in capsys.readouterr().out
    card = Weights.load(tmp_path / "imitator.npz").card
    assert card["imitates"] == "greedy"
    assert 0 < card["foreseen"] < 1
    assert main([*command, str(tmp_path / "imitator")]) == 2
    assert "like imitator.npz" in capsys.readouterr().err
    command[1] = "trader"
    assert main([*command, str(tmp_path / "other.npz")]) == 2
    assert "no decision of 'trader'" in capsys.readouterr().err


@pytest.mark.parametrize("company", ["self", "self=", "self=1,self=2", "self=-1", "self=nan", ""])
def test_company_that_cannot_be_read_is_refused(
    company: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["train", "--resume", "--company", company, "--out", "nowhere"])
    assert "expected shares such as self=3,past=4" in capsys.readouterr().err


def test_a_training_may_have_no_company(tmp_path: Path) -> None:
    training = Training(tmp_path, SMALLER.among({"self": 1}), 7, machine())
    assert [told["lesson"] for told in training.go_on(Length(lessons=2))] == [1, 2]
    assert Training.resume(tmp_path, machine()).settings.alone == 1.0


@pytest.mark.parametrize("given", ["--company self=1", "--against w", "--imitator w"])
def test_a_best_response_has_company_of_its_own(
    given: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "--exploit", "none", *given.split(), "--out", "nowhere"]) == 2
    assert "among copies, and nobody else" in capsys.readouterr().err
