"""The batch as an environment: reset, step with automatic reset, copies, and refused arguments."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable

import numpy as np
import pytest

from byzanz.encoding import Moment
from byzanz.fast import RECORD, Batch, to_moment, to_record
from byzanz.fast.layout import CHANCE, LAID
from byzanz.rules import Chance, Deal, IllegalDeal, view


def first_legal(masks: np.ndarray) -> np.ndarray:
    return masks.argmax(axis=1)


def last_legal(masks: np.ndarray) -> np.ndarray:
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def test_reset_deals_the_games_of_the_seeds_and_returns_their_observations() -> None:
    batch = Batch(4, [1, 2])
    seen, info = batch.reset([7, 8])
    assert info["turns"].tolist() == [0, 0]
    for place, seed in enumerate((7, 8)):
        moment = Moment.start(Deal.from_seed(4, seed))
        assert to_moment(batch.records[place]) == moment
        assert np.flatnonzero(seen["action_mask"][place]).tolist() == list(moment.legal())


def test_reset_without_seeds_deals_other_games_that_follow_from_the_seeds() -> None:
    batches = [Batch(4, [1, 2]) for _ in range(2)]
    for batch in batches:
        before = batch.games.copy()
        batch.reset()
        assert (batch.games[:, -14:] != before[:, -14:]).any(axis=1).all()
    assert (batches[0].games == batches[1].games).all()


@pytest.mark.parametrize("autoreset", [False, True])
def test_a_step_returns_what_happened(*, autoreset: bool) -> None:
    batch = Batch(3, range(16), autoreset=autoreset)
    seen, _ = batch.reset(range(16))
    ended = np.zeros(16, dtype=bool)
    for _ in range(500):
        twin = batch.copy()
        was_over = batch.over
        seen, rewards, terminated, info = batch.step(last_legal(seen["action_mask"]))
        assert info["turns"].tolist() == batch.turns.tolist()
        assert rewards.sum(axis=1).tolist() == pytest.approx(terminated.astype(float).tolist())
        if terminated.any():
            twin.autoreset = False
            twin.step(last_legal(twin.observe()[0]))
            profits, shares = twin.results()
            assert (terminated == twin.over & ~was_over).all()
            assert (rewards[terminated] == shares[terminated]).all()
            assert (info["profit"][terminated] == profits[terminated]).all()
            assert batch.over[terminated].all() != autoreset
            if autoreset:
                assert (info["turns"][terminated] == 0).all()
                assert seen["action_mask"][terminated].any(axis=1).all()
        ended |= terminated
        if ended.all():
            break
    assert ended.all()
    assert batch.over.all() != autoreset


def test_step_returns_new_arrays_and_the_unchecked_step_the_batchs_own() -> None:
    batch, other = Batch(4, range(3)), Batch(4, range(3))
    numbers = first_legal(batch.observe()[0])
    checked, unchecked = batch.step(numbers), other.step_unchecked(numbers)
    assert (batch.games == other.games).all()
    assert not np.shares_memory(checked.observations["observation"], batch.rows)
    assert unchecked.observations["observation"] is other.rows
    assert (checked.observations["observation"] == other.rows).all()


def test_copies_are_independent_and_continue_identically() -> None:
    batch = Batch(5, range(6))
    for _ in range(9):
        batch.step(batch.choose())
    copies = [batch.copy(), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    before = batch.games.copy()
    for other in copies:
        other.finish()
        assert (other.games == copies[0].games).all()
        assert np.shares_memory(other.games, other.records)
    assert (batch.games == before).all()


def test_indexing_returns_batches_of_copies() -> None:
    batch = Batch(3, range(5), autoreset=True)
    for which, expected in (
        (2, [2]),
        (-1, [4]),
        (np.int64(3), [3]),
        (slice(1, 3), [1, 2]),
        ([4, 0], [4, 0]),
        (np.array([True, False, False, True, False]), [0, 3]),
        ([], []),
    ):
        part = batch[which]
        assert (part.games == batch.games[expected]).all()
        assert part.players == 3
        assert part.autoreset
        assert not np.shares_memory(part.games, batch.games)
    assert [len(game) for game in batch] == [1] * 5
    assert repr(batch[:4].copy()) == "<Batch of 4 games with 3 players, 0 over>" == repr(batch[1:])


def test_copies_of_a_record_play_differently_once_they_are_reseeded() -> None:
    record = to_record(Moment.start(Deal.from_seed(4, 3)), chance=9)
    batch = Batch.from_records(record.repeat(8))
    same = batch.copy()
    batch.reseed(range(8))
    assert len({row.tobytes() for row in batch.games[:, CHANCE + 1 :]}) == 1
    batch.finish()
    same.finish()
    assert len({row.tobytes() for row in same.games}) == 1
    assert len({row.tobytes() for row in batch.games}) > 1


def test_unseen_cards_can_be_dealt_again() -> None:
    batch = Batch.from_records(Batch(4, [5]).records.repeat(6))
    batch.reseed(range(6))
    before = view(to_moment(batch.records[0]).state, 2)
    batch.deal_unseen([2] * 6)
    states = [to_moment(record).state for record in batch.records]
    assert all(view(state, 2) == before for state in states)
    assert len({state.players[0].hand for state in states}) > 1


REFUSED: list[tuple[Callable[[Batch], object], type[Exception], str]] = [
    (lambda batch: Batch(4, [1.5]), TypeError, "seeds must be integers, not float64"),
    (lambda batch: Batch(4, [-1]), ValueError, "seeds are 0 to 2"),
    (lambda batch: Batch(4, np.array([-1])), ValueError, "seeds are 0 to 2"),
    (lambda batch: Batch(4, [2**64]), ValueError, "seeds are 0 to 2"),
    (lambda batch: Batch(4, 7), ValueError, "seeds must have one dimension"),
    (lambda batch: Batch(4.0, [1]), TypeError, "integer"),
    (lambda batch: batch.reset([1, 2]), ValueError, r"seeds must have shape \(3,\)"),
    (lambda batch: batch.deal([0, 1], [1]), ValueError, r"seeds must have shape \(2,\)"),
    (lambda batch: batch.deal([0, 3], [1, 2]), IndexError, "there are 3 games"),
    (lambda batch: batch.deal([0.0], [1]), TypeError, "places must be integers"),
    (lambda batch: batch.deal([True], [1]), ValueError, "mask of games"),
    (lambda batch: batch.step([25.9] * 3), TypeError, "action numbers must be integers"),
    (lambda batch: batch.step([25] * 2), ValueError, r"must have shape \(3,\), not shape \(2,\)"),
    (lambda batch: batch.step(25), ValueError, r"must have shape \(3,\)"),
    (lambda batch: batch.reseed([1]), ValueError, r"seeds must have shape \(3,\)"),
    (lambda batch: batch.deal_unseen([0, 1, 4]), ValueError, "seats are 0 to 3"),
    (lambda batch: batch.finish("emperor"), ValueError, "no policy 'emperor'; there are random"),
    (lambda batch: batch[3], IndexError, "there are 3 games"),
    (lambda batch: Batch.from_records(batch.games), TypeError, "dtype RECORD"),
    (lambda batch: Batch.from_records(batch.records[:0]), ValueError, "one player count"),
    (lambda batch: Batch.from_records(np.zeros(2, RECORD)), IllegalDeal, "0"),
]


@pytest.mark.parametrize(("wrong", "error", "message"), REFUSED)
def test_wrong_arguments_are_refused(
    wrong: Callable[[Batch], object], error: type[Exception], message: str
) -> None:
    batch = Batch(4, [1, 2, 3])
    before = batch.games.copy()
    with pytest.raises(error, match=message):
        wrong(batch)
    assert (batch.games == before).all()


def test_unseen_cards_are_not_dealt_while_another_seat_lays_cards() -> None:
    batch, chance = Batch(4, [1]), Chance(1)
    while not batch.games[0, LAID]:
        batch.step([chance.choice(np.flatnonzero(batch.observe()[0][0]).tolist())])
    with pytest.raises(ValueError, match="laying cards"):
        batch.deal_unseen((batch.turns + 1) % 4)
    batch.deal_unseen(batch.turns)


def test_writing_to_turns_does_not_change_the_games() -> None:
    batch = Batch(3, [1])
    batch.turns[0] = 2
    assert batch.turns.tolist() == [0]
