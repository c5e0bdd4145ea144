"""Hyperparameters as a TOML file: one line for each field of the settings, and the seed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from byzanz.rules import SEEDS

from .settings import Schedule, Settings

_DEFAULTS = Settings()
_NAMES = [field.name for field in fields(Settings)]


def read_settings(path: Path) -> dict[str, Any]:
    """Return the values in a settings file; raise ValueError if it is not TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"'{path}' is not a TOML file: {error}") from None


def read_lines(lines: Iterable[str]) -> dict[str, Any]:
    """Return settings from lines such as ``epochs=2``; raise ValueError if one is invalid."""
    found: dict[str, Any] = {}
    for line in lines:
        try:
            found |= tomllib.loads(line)
        except tomllib.TOMLDecodeError:
            raise ValueError(f"expected a setting such as epochs=2, not '{line}'") from None
    return found


def with_values(settings: Settings, values: Mapping[str, Any]) -> Settings:
    """Return the settings with other values; raise ValueError if a name or a value is wrong.

    A schedule is a pair of numbers, its start and its end, or one constant number. The opponents
    are a table of names and weights.
    """
    changed: dict[str, Any] = {}
    for name, value in values.items():
        if name not in _NAMES:
            raise ValueError(f"there is no setting '{name}'; there are {', '.join(_NAMES)}")
        changed[name] = _parsed(name, value)
    return replace(settings, **changed)


def seed_of(values: dict[str, Any]) -> int | None:
    """Remove the seed, if there is one, from the values and return it.

    Raises ValueError if it is not a valid seed.
    """
    seed = values.pop("seed", None)
    if seed is not None and not (_is_integer(seed) and 0 <= seed < SEEDS):
        raise ValueError(f"the seed must be a whole number from 0 to 2^64 - 1, not {seed!r}")
    return None if seed is None else int(seed)


def write_settings(settings: Settings, seed: int) -> str:
    """Return the text of a settings file with every hyperparameter and the seed of a run."""
    lines = ["# The hyperparameters of this run, for byzanz train --settings.", f"seed = {seed}"]
    lines += [f"{name} = {_written(getattr(settings, name))}" for name in _NAMES]
    return "\n".join(lines) + "\n"


def _written(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case Schedule(start, end) if start == end:
            return repr(start)
        case Schedule(start, end):
            return f"[{start!r}, {end!r}]"
        case tuple() if value and isinstance(value[0], tuple):
            return "{ " + ", ".join(f"{name} = {weight!r}" for name, weight in value) + " }"
        case tuple():
            return f"[{', '.join(map(repr, value))}]"
    return repr(value)


def _parsed(name: str, value: Any) -> Any:
    default = getattr(_DEFAULTS, name)
    match default:
        case bool() if isinstance(value, bool):
            return value
        case Schedule() if _is_number(value) and value >= 0:
            return Schedule(float(value), float(value))
        case Schedule() if _are(value, _is_number, 2) and min(value) > 0:
            return Schedule(*map(float, value))
        case tuple() if name == "opponents":
            if isinstance(value, dict) and all(map(_is_number, value.values())):
                if "self" in value:
                    raise ValueError("the setting self_play_fraction says how often 'self' plays")
                return _DEFAULTS.with_opponents(value).opponents
        case tuple() if _are(value, _is_count, None if name == "players" else len(default)):
            return tuple(value)
        case float() if _is_number(value) and value >= 0:
            return float(value)
        case int() if not isinstance(default, bool) and _is_count(value):
            return value
    raise ValueError(f"the setting {name} must be {_expected(name, default)}, not {value!r}")


def _expected(name: str, default: Any) -> str:
    match default:
        case bool():
            return "true or false"
        case Schedule():
            return "a number from 0, or a pair of positive numbers: the start and the end"
        case tuple() if name == "opponents":
            return "a table of names and weights"
        case tuple():
            return (
                "a list of " + ("" if name == "players" else f"{len(default)} ") + "whole numbers"
            )
        case float():
            return "a number from 0"
    return "a whole number from 1"


def _are(value: Any, kind: Any, count: int | None) -> bool:
    if not isinstance(value, list) or (count is not None and len(value) != count):
        return False
    return all(map(kind, value))


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return _is_integer(value) and value > 0


def _is_number(value: Any) -> bool:
    return _is_integer(value) or isinstance(value, float)
