"""Weights files: weights survive a round trip, and other files are refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from byzanz.network import Network, Weights
from byzanz.rules import Deal, Game

from .nets import random_weights


def test_weights_are_stored_in_half_precision(tmp_path: Path) -> None:
    weights = replace(random_weights(), card={"decisions": 7})
    weights.save(tmp_path / "w.npz")
    again = Weights.load(tmp_path / "w.npz")
    assert again.card == {"decisions": 7}
    for given, kept in zip(_arrays(weights), _arrays(again), strict=True):
        assert np.array_equal(given.astype(np.float16), kept)


def _arrays(weights: Weights) -> list[np.ndarray]:
    layers = [array for layer in weights.layers for array in layer]
    return [*layers, *weights.good_head, *weights.table_head, *weights.player_head]


def test_saving_leaves_no_partial_file(tmp_path: Path) -> None:
    random_weights().save(tmp_path / "w.npz")
    assert [file.name for file in tmp_path.iterdir()] == ["w.npz"]


@pytest.mark.parametrize("card", ['{"format": 1}', '{"decisions": 7}', "[3]", "7"])
def test_a_file_of_another_format_is_refused(tmp_path: Path, card: str) -> None:
    np.savez(tmp_path / "w.npz", card=np.array(card))
    with pytest.raises(ValueError, match=r"w.npz' is not a weights file: unknown format"):
        Weights.load(tmp_path / "w.npz")


def test_another_npz_file_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "w.npz", a=np.zeros(3))
    with pytest.raises(ValueError, match="'card' is missing"):
        Weights.load(tmp_path / "w.npz")
    np.savez(tmp_path / "w.npz", card=np.array([{}], object))
    with pytest.raises(ValueError, match="it is damaged"):
        Weights.load(tmp_path / "w.npz")
    with pytest.raises(FileNotFoundError):
        Weights.load(tmp_path / "nothing.npz")


def error_of(file: Path) -> str | None:
    """Return the error for a file of weights, or None."""
    try:
        Weights.load(file)
    except ValueError as error:
        return str(error)
    return None


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "w.npz"
    random_weights().save(file)
    whole = file.read_bytes()
    for content in (b"", b"nothing of the kind", b"PK\x03\x04", whole[: len(whole) // 2]):
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"it is not an .npz file, or is truncated"):
            Weights.load(file)
    noticed = 0
    for place in range(40, len(whole) // 2, len(whole) // 30):
        file.write_bytes(
            whole[:place]
            + bytes(255 - byte for byte in whole[place : place + 8])
            + whole[place + 8 :]
        )
        error = error_of(file)
        if error is None:  # the changed part is not read; it may be a time stamp
            kept = Weights.load(file).layers[0]
            for one, other in zip(kept, random_weights().layers[0], strict=True):
                assert np.allclose(one, other, atol=1e-3)
        else:
            assert "it is damaged" in error
            noticed += 1
    assert noticed > 10


def test_values_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "w.npz"
    random_weights().save(file)
    with np.load(file) as kept:
        arrays = dict(kept)
    for value in (np.nan, np.inf):
        arrays["holding_to_holding_0"][0, 0] = value
        np.savez(file, allow_pickle=False, **arrays)
        assert "values that are not finite" in str(error_of(file))


def test_layers_of_the_wrong_shape_are_refused() -> None:
    weights = random_weights()
    with pytest.raises(ValueError, match="an array has shape"):
        replace(weights, layers=weights.layers[1:])


def test_weights_too_large_for_half_precision_are_refused(tmp_path: Path) -> None:
    weights = random_weights()
    weights.good_head[0][0, 0] = 1e9
    with pytest.raises(ValueError, match="too large"):
        weights.save(tmp_path / "w.npz")


def test_identity_layers_change_nothing() -> None:
    weights = random_weights()
    networks = Network(weights), Network(weights.deeper(len(weights.layers) + 2))
    game = Game.start(Deal.from_seed(3, 1))
    while (seat := game.state.turn) is not None:
        seen = game.view(seat)
        action, again = (network.choose(seen) for network in networks)
        assert action == again
        assert np.allclose(*(network.win_probabilities(seen) for network in networks), atol=1e-5)
        game = game.play(seat, action)
    with pytest.raises(ValueError, match="cannot be reduced to 1"):
        weights.deeper(1)


def test_weights_are_interpolated_linearly() -> None:
    one, two = random_weights(), random_weights(seed=2)
    two = replace(two.deeper(len(one.layers) + 1), calibration=two.calibration + 1)
    ends, half = (one.interpolate(two, 0.0), one.interpolate(two, 1.0)), one.interpolate(two, 0.5)
    deep = one.deeper(len(two.layers))
    for first, last, middle, *given in zip(*map(_arrays, (*ends, half, deep, two)), strict=True):
        assert np.array_equal(first, given[0])
        assert np.array_equal(last, given[1])
        assert np.allclose(middle, np.mean(given, axis=0))
    assert np.array_equal(half.calibration, random_weights().calibration)
    assert half.card == {"from": one.card, "towards": two.card, "part": 0.5}
    with pytest.raises(ValueError, match="of the same widths"):
        one.interpolate(random_weights(shape=(1, 6, 6, 3, 12)), 0.5)
