"""Hyperparameters in TOML files."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from byzanz.training import Schedule, Settings
from byzanz.training.settings_file import (
    read_lines,
    read_settings,
    seed_of,
    with_values,
    write_settings,
)

CHANGED = replace(
    Settings.small(), epochs=3, single_seat=True, value_lambda=0.5, uniform_coef=Schedule(0.0, 0.0)
)


@pytest.mark.parametrize(
    "settings", [Settings(), Settings.small(), Settings().best_response(), CHANGED]
)
def test_a_file_restores_all_settings_and_the_seed(settings: Settings, tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(write_settings(settings, 2**64 - 1), encoding="utf-8")
    values = read_settings(file)
    assert seed_of(values) == 2**64 - 1
    assert with_values(Settings(), values) == settings


def test_lines_change_only_what_they_name() -> None:
    lines = ["learning_rate=[1e-2, 1e-3]", "entropy_coef=0", "opponents={past=1, trader=2}"]
    changed = with_values(Settings.small(), read_lines([*lines, "players=[3]"]))
    assert changed == replace(
        Settings.small(), learning_rate=Schedule(1e-2, 1e-3), entropy_coef=Schedule(0, 0),
        opponents=(("past", 1), ("trader", 2)), players=(3,),
    )  # fmt: skip
    assert changed.entropy_coef.at(0.5) == 0


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("speed=3", "there is no setting 'speed'; there are players, shape, num_envs"),
        ("epochs=0", "epochs must be a whole number from 1, not 0"),
        ("epochs=1.5", "epochs must be a whole number from 1, not 1.5"),
        ("epochs=true", "epochs must be a whole number from 1, not True"),
        ("learning_rate='fast'", "learning_rate must be a number from 0, or a pair of positive"),
        ("learning_rate=[1e-3, 0]", "learning_rate must be a number from 0, or a pair of"),
        ("clip_coef=-1", "clip_coef must be a number from 0, not -1"),
        ("single_seat=1", "single_seat must be true or false, not 1"),
        ("shape=[1, 2]", "shape must be a list of 5 whole numbers"),
        ("players=[3, 7]", "player counts must be some of 3, 4, 5 and 6"),
        ("opponents=['past']", "opponents must be a table of names and weights"),
        ("opponents={oracle=1}", "unknown opponent 'oracle'"),
        ("opponents={self=1}", "self_play_fraction"),
        ("num_steps=1000", "the buffer is too small"),
    ],
)
def test_wrong_names_and_values_are_refused(line: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason.replace("[", r"\[")):
        with_values(Settings(), read_lines([line]))


def test_other_files_lines_and_seeds_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"epochs = \xff")
    with pytest.raises(ValueError, match="is not a TOML file"):
        read_settings(file)
    with pytest.raises(ValueError, match="expected a setting such as epochs=2, not 'epochs'"):
        read_lines(["epochs"])
    for seed in ("-1", "2.5", "true", "'one'"):
        with pytest.raises(ValueError, match="the seed must be a whole number"):
            seed_of(tomllib.loads(f"seed = {seed}"))
    nothing: dict[str, Any] = {}
    assert seed_of(nothing) is None
