"""A file of weights gives back what was put in, and nothing else is taken for one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from byzanz.network import Network, Weights
from byzanz.rules import Deal, Game

from .nets import by_chance


def test_weights_come_back_from_their_file_as_half_floats(tmp_path: Path) -> None:
    weights = replace(by_chance(), card={"decisions": 7})
    weights.save(tmp_path / "w.npz")
    again = Weights.load(tmp_path / "w.npz")
    assert again.card == {"decisions": 7}
    for given, kept in zip(_arrays(weights), _arrays(again), strict=True):
        assert np.array_equal(given.astype(np.float16), kept)


def _arrays(weights: Weights) -> list[np.ndarray]:
    layers = [array for layer in weights.layers for array in layer]
    return [*layers, *weights.good_head, *weights.table_head, *weights.player_head]


def test_saving_leaves_no_half_written_file_behind(tmp_path: Path) -> None:
    by_chance().save(tmp_path / "w.npz")
    assert [file.name for file in tmp_path.iterdir()] == ["w.npz"]


@pytest.mark.parametrize("card", ['{"format": 1}', '{"decisions": 7}', "[3]", "7"])
def test_a_file_of_another_format_holds_no_weights(tmp_path: Path, card: str) -> None:
    np.savez(tmp_path / "w.npz", card=np.array(card))
    with pytest.raises(ValueError, match=r"w.npz' holds no weights of a network: its format is"):
        Weights.load(tmp_path / "w.npz")


def test_a_file_of_something_else_holds_no_weights(tmp_path: Path) -> None:
    np.savez(tmp_path / "w.npz", a=np.zeros(3))
    with pytest.raises(ValueError, match="no 'card'"):
        Weights.load(tmp_path / "w.npz")
    np.savez(tmp_path / "w.npz", card=np.array([{}], object))
    with pytest.raises(ValueError, match="it is damaged"):
        Weights.load(tmp_path / "w.npz")
    with pytest.raises(FileNotFoundError):
        Weights.load(tmp_path / "nothing.npz")


def complaint(file: Path) -> str | None:
    """What is wrong with a file of weights."""
    try:
        Weights.load(file)
    except ValueError as error:
        return str(error)
    return None


def test_a_file_that_is_broken_holds_no_weights(tmp_path: Path) -> None:
    file = tmp_path / "w.npz"
    by_chance().save(file)
    whole = file.read_bytes()
    for content in (b"", b"nothing of the kind", b"PK\x03\x04", whole[: len(whole) // 2]):
        file.write_bytes(content)
        with pytest.raises(ValueError, match=r"it is no .npz file, or was cut off"):
            Weights.load(file)
    noticed = 0
    for place in range(40, len(whole) // 2, len(whole) // 30):
        file.write_bytes(
            whole[:place]
            + bytes(255 - byte for byte in whole[place : place + 8])
            + whole[place + 8 :]
        )
        told = complaint(file)
        if told is None:  # a part of the file that nobody reads, such as when it was written
            kept = Weights.load(file).layers[0]
            for one, other in zip(kept, by_chance().layers[0], strict=True):
                assert np.allclose(one, other, atol=1e-3)
        else:
            assert "it is damaged" in told
            noticed += 1
    assert noticed > 10


def test_what_is_no_number_is_no_weight(tmp_path: Path) -> None:
    file = tmp_path / "w.npz"
    by_chance().save(file)
    with np.load(file) as kept:
        arrays = dict(kept)
    for value in (np.nan, np.inf):
        arrays["holding_to_holding_0"][0, 0] = value
        np.savez(file, allow_pickle=False, **arrays)
        assert "a part is not made of numbers" in str(complaint(file))


def test_layers_that_do_not_fit_are_refused() -> None:
    weights = by_chance()
    with pytest.raises(ValueError, match="a part is"):
        replace(weights, layers=weights.layers[1:])


def test_weights_too_large_for_half_floats_are_refused(tmp_path: Path) -> None:
    weights = by_chance()
    weights.good_head[0][0, 0] = 1e9
    with pytest.raises(ValueError, match="too large"):
        weights.save(tmp_path / "w.npz")


def test_layers_that_hand_on_change_nothing() -> None:
    weights = by_chance()
    networks = Network(weights), Network(weights.deeper(len(weights.layers) + 2))
    game = Game.start(Deal.from_seed(3, 1))
    while (seat := game.state.turn) is not None:
        seen = game.view(seat)
        action, again = (network.choose(seen) for network in networks)
        assert action == again
        assert np.allclose(*(network.chances(seen) for network in networks), atol=1e-5)
        game = game.play(seat, action)
    with pytest.raises(ValueError, match="cannot have 1"):
        weights.deeper(1)


def test_between_two_networks_lie_others() -> None:
    one, two = by_chance(), by_chance(seed=2)
    two = replace(two.deeper(len(one.layers) + 1), corrections=two.corrections + 1)
    ends, half = (one.towards(two, 0.0), one.towards(two, 1.0)), one.towards(two, 0.5)
    deep = one.deeper(len(two.layers))
    for first, last, middle, *given in zip(*map(_arrays, (*ends, half, deep, two)), strict=True):
        assert np.array_equal(first, given[0])
        assert np.array_equal(last, given[1])
        assert np.allclose(middle, np.mean(given, axis=0))
    assert np.array_equal(half.corrections, by_chance().corrections)
    assert half.card == {"from": one.card, "towards": two.card, "part": 0.5}
    with pytest.raises(ValueError, match="not as wide"):
        one.towards(by_chance(shape=(1, 6, 6, 3, 12)), 0.5)
