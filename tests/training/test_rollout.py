"""What the stream brings is what whole games would say, each game once; GPU and CPU do the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from byzanz.training import Settings
from byzanz.training.env import (
    IMITATOR,
    LEARNER,
    NOBODY,
    PROFITS,
    RANDOM,
    SCRIPTED,
    SHARES,
    STRANGERS,
    TRADER,
)
from byzanz.training.opponents import Seating, league
from tests.missing import import_or_skip
from tests.training.tiny import TINY

torch = import_or_skip("torch")

from byzanz.training.cpu_batch import CpuEngine  # noqa: E402
from byzanz.training.device import Machine  # noqa: E402
from byzanz.training.env_batch import Games  # noqa: E402
from byzanz.training.model import Net, picked  # noqa: E402
from byzanz.training.observation import CATEGORIES, KIND, SEAT, parts  # noqa: E402
from byzanz.training.returns import EXPECTED, LOG, MARGIN, NUMBER, SPREAD, WINS  # noqa: E402
from byzanz.training.rollout import Stream  # noqa: E402
from tests.training.emulated import emulated  # noqa: E402

MIXED = replace(
    TINY, players=(3, 4, 5, 6), games=24, shape=(1, 8, 8, 4, 16), minibatch=1, kept=256,
    alone=0.5, alike=0.5,
    company=(("past", 1.0), ("trader", 1.0), ("sensible", 1.0), ("random", 1.0)),
)  # fmt: skip
PROFIT, TRACE = 0.3, 0.8


def stream(settings: Settings, *, steady: bool = False) -> Stream:
    torch.manual_seed(3)
    torch.set_num_threads(1)
    machine = Machine("cpu")
    machine.steady = steady
    return Stream(settings, machine, Net(settings.shape), np.random.default_rng(3))


class Account:
    """All that happened in a stream, written down tick by tick."""

    def __init__(self, played: Stream, settings: Settings) -> None:
        self.stream, self.kept, self.slots = played, settings.kept, settings.games
        self.rounds: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def tick(self) -> None:
        now = len(self.rounds) % self.kept * self.slots
        self.stream.play(1)
        sights, choices, _ = self.stream.ring.fetched(torch.arange(now, now + self.slots))
        self.rounds.append(
            (sights.numpy(), choices.numpy(), self.stream.games.results.numpy().copy())
        )

    def expected(self, since: int) -> dict[tuple[int, int], list[float]]:
        """By tick and slot, the targets of games that ended from a tick on, as games tell them."""
        found: dict[tuple[int, int], list[float]] = {}
        for slot in range(self.slots):
            first = 0
            for tick, (_, _, results) in enumerate(self.rounds):
                if results[slot, 0]:
                    if tick >= since:
                        found |= self._game(slot, range(first, tick + 1))
                    first = tick + 1
        return found

    def _game(self, slot: int, ticks: range) -> dict[tuple[int, int], list[float]]:
        results = self.rounds[ticks[-1]][2][slot]
        players = int(results[0])
        shares, profits = results[SHARES : SHARES + players], results[PROFITS : PROFITS + players]
        found = {}
        for seat in range(players):
            own = [
                tick
                for tick in ticks
                if self.rounds[tick][0][slot, KIND] == LEARNER
                and self.rounds[tick][0][slot, SEAT] == seat
            ]
            choices = [self.rounds[tick][1][slot] for tick in own]
            margin = (profits[seat] - np.delete(profits, seat).mean()) / 20
            wins = [*np.roll(shares, -seat), *[0.0] * (6 - players)]
            outlooks = [*(choice[EXPECTED:] for choice in choices), np.array([margin, *wins])]
            for place, tick in enumerate(own):
                gains, proper = (
                    sum(
                        trace ** (later - place) * (outlooks[later + 1] - outlooks[later])
                        for later in range(place, len(own))
                    )
                    for trace in (TRACE, SPREAD)
                )
                gain = gains[WINS] + PROFIT * gains[MARGIN]
                found[tick, slot] = [gain, *(outlooks[place] + proper)]
        return found


@pytest.mark.parametrize(("more", "turns"), [(None, 2), (1.15, 2), (0.5, 1)])
def test_targets_are_those_of_whole_games_and_every_game_is_learnt_from_once(
    more: float | None, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byzanz.training.opponents._MORE", more)
    played = stream(MIXED, steady=more is not None)
    account = Account(played, MIXED)
    since, games = 0, 0
    for _ in range(14):
        for _ in range(48):
            account.tick()
        harvest = played.ring.harvest(PROFIT, TRACE, 1)
        if harvest is None:
            continue
        expected = account.expected(since)
        oldest = max(0, len(account.rounds) - MIXED.kept)
        lost = {at for at in expected if at[0] < oldest}
        assert len(lost) == 0 or harvest.cut > 0
        places = [(tick % MIXED.kept) * MIXED.games + slot for tick, slot in sorted(expected)]
        kept = [place for place, at in zip(places, sorted(expected), strict=True) if at not in lost]
        assert sorted(kept) == harvest.places.tolist()
        _, _, targets = played.ring.fetched(torch.tensor(kept))
        told = [expected[at] for at in sorted(expected) if at not in lost]
        assert np.allclose(targets.numpy(), told, atol=1e-4)
        games += sum(int((results[:, 0] > 0).sum()) for _, _, results in account.rounds[since:])
        since = len(account.rounds)
    assert games > turns * MIXED.games


def test_only_the_learners_decisions_are_kept_and_all_are_legal_choices() -> None:
    played = stream(MIXED)
    harvest = None
    while harvest is None:
        played.play(32)
        harvest = played.ring.harvest(PROFIT, TRACE, 1000)
    sights, choices, targets = played.ring.fetched(harvest.places)
    _, masks, categories = parts(sights)
    assert bool((sights[:, KIND] == LEARNER).all())
    assert bool((categories[:, 0] == 0).all())
    assert bool((masks.gather(1, choices[:, NUMBER, None].long()) == 1).all())
    assert bool((masks.sum(1) > 1).all())  # what is no choice is not asked
    assert bool((choices[:, LOG] <= 0).all())
    assert torch.allclose(targets[:, 2:].sum(1), torch.ones(len(targets)))
    assert set(categories.flatten().tolist()) == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(("more", "least", "most"), [(1.15, 0.0, 0.03), (0.5, 0.2, 0.6)])
def test_a_game_that_finds_no_room_stays_as_it_is_for_a_tick(
    more: float, least: float, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byzanz.training.opponents._MORE", more)
    settings = replace(MIXED, games=960, kept=64, shape=(1, 4, 4, 2, 4))
    played = stream(settings, steady=True)
    games, waited = played.games, np.zeros(settings.games)
    played.play(40)
    for tick in range(40, 64):
        before = games.words.clone()
        games.look()
        kinds = games.kinds.clone()
        played.play(1)
        place = tick * settings.games
        kept, _, _ = played.ring.fetched(torch.arange(place, place + settings.games))
        waits = (kinds < SCRIPTED) & (kept[:, KIND] == NOBODY)
        assert torch.equal(games.words[waits], before[waits])
        assert torch.equal(kept[~waits, KIND], kinds[~waits])
        assert bool((games.words != before).any(1)[~waits].all())
        waited += waits.numpy()
    assert least <= waited.mean() / 24 <= most
    assert waited.max() < 24  # whoever waits has a turn in time


def test_too_few_decisions_wait_for_the_next_time() -> None:
    played = stream(MIXED)
    played.play(200)
    assert played.ring.harvest(PROFIT, TRACE, 1_000_000) is None
    later = played.ring.harvest(PROFIT, TRACE, 1)
    assert later is not None
    assert played.ring.harvest(PROFIT, TRACE, 1) is None  # nothing ended since


def test_where_nothing_comes_after_a_game_its_result_stays() -> None:
    kinds = np.full((2, 6), RANDOM, np.int64)
    seating = Seating(np.array([3, 4]), np.array([5, 6], np.uint64), kinds, np.ones(2, np.int64))
    games = Games(seating, [RANDOM], Machine("cpu"))
    for _ in range(600):
        games.look()
        games.play_on()
    assert games.kinds.tolist() == [NOBODY, NOBODY]
    assert games.results[:, 0].tolist() == [3, 4]
    assert games.results[:, SHARES:PROFITS].sum(1).tolist() == [1, 1]


def test_the_next_seating_is_played_where_a_game_ends() -> None:
    kinds = np.full((1, 6), RANDOM, np.int64)
    seed, first = np.array([5], np.uint64), np.ones(1, np.int64)
    games = Games(Seating(np.array([3]), seed, kinds, first), [RANDOM], Machine("cpu"))
    games.seat(Seating(np.array([5]), seed, np.full((1, 6), TRADER), first))
    ended = []
    for _ in range(600):
        games.look()
        ended += [int(games.results[0, 0])] if games.results[0, 0] else []
        if ended:
            break
        games.play_on()
    assert ended == [3]
    assert games.kinds.tolist() == [TRADER]


def test_the_first_decisions_of_a_game_that_goes_astray_are_left_to_chance() -> None:
    kinds, seeds = np.full((3, 6), TRADER, np.int64), np.array([5, 6, 7], np.uint64)
    seating = Seating(np.full(3, 4), seeds, kinds, np.array([1, 2, 31]))
    games = Games(seating, [RANDOM, TRADER], Machine("cpu"))
    chosen = []
    for _ in range(200):
        games.look()
        chosen.append(games.kinds.tolist())
        games.play_on()
    by_chance = np.array(chosen) == RANDOM
    lost = by_chance.sum(0)
    assert lost[0] == 0
    assert 1 <= lost[1] <= 8  # a bid's cards are laid one by one
    assert 30 <= lost[2] <= 120
    for slot in range(3):
        assert by_chance[: lost[slot], slot].all()
    assert games.results[:, 0].tolist() == [4, 4, 4]


def test_a_gpus_kernels_do_what_the_cpus_loops_do(monkeypatch: pytest.MonkeyPatch) -> None:
    there = emulated(monkeypatch)
    assert isinstance(Machine("cpu").engine, CpuEngine)
    here_played = stream(MIXED)
    torch.manual_seed(3)
    there_played = Stream(MIXED, there, Net(MIXED.shape), np.random.default_rng(3))
    places = torch.arange(MIXED.kept * MIXED.games)
    for number in range(5):
        found = []
        for played in (here_played, there_played):
            torch.manual_seed(number)
            played.games.seat(league(MIXED, np.random.default_rng(number)))
            played.play(60)
            found.append(played.ring.harvest(PROFIT, TRACE, 1))
        here, there_found = found
        assert (here is None) == (there_found is None)
        if here is not None and there_found is not None:
            assert torch.equal(here.places, there_found.places)
            assert (here.profit, here.cut) == (there_found.profit, there_found.cut)
    for one, two in zip(
        here_played.ring.fetched(places), there_played.ring.fetched(places), strict=True
    ):
        assert torch.equal(one, two)
    kinds = set(here_played.ring.fetched(places)[0][:, KIND].tolist())
    assert {LEARNER, 1, SCRIPTED} <= kinds


@pytest.mark.parametrize("settings", [MIXED, replace(MIXED, heat=0.7), MIXED.exploiting()])
def test_the_learner_tries_and_others_play_in_earnest(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    heats = []

    def listened(scores: torch.Tensor, heat: float) -> torch.Tensor:
        heats.append(heat)
        return picked(scores, heat)

    monkeypatch.setattr("byzanz.training.rollout.picked", listened)
    stream(settings).play(3)
    assert heats == [1.0, settings.heat] * 3
    assert MIXED.exploiting().heat == 0.0 < MIXED.heat < 0.5


def test_the_imitator_is_asked_where_it_sits_and_not_learnt_from() -> None:
    torch.manual_seed(3)
    settings = replace(MIXED, company=(("past", 1.0), ("imitator", 1.0)))
    imitator = Net((1, 6, 6, 3, 12))
    real, asked = imitator.policy_scores, []

    def scores(rows: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        asked.append(len(rows))
        return real(rows, masks)

    imitator.policy_scores = scores  # type: ignore[method-assign]
    chance = np.random.default_rng(3)
    played = Stream(settings, Machine("cpu"), Net(settings.shape), chance, imitator)
    played.invite([Net(settings.shape)])
    played.play(settings.kept)
    sights, _, _ = played.ring.fetched(torch.arange(settings.kept * settings.games))
    assert int((sights[:, KIND] == IMITATOR).sum()) == sum(asked) > 500
    harvest = played.ring.harvest(PROFIT, TRACE, 1)
    assert harvest is not None
    sights, _, _ = played.ring.fetched(harvest.places)
    assert set(sights[:, KIND].tolist()) == {LEARNER}
    assert STRANGERS - 1 in sights[:, CATEGORIES:SEAT]
