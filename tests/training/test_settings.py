"""Settings: the documented values, round trips through JSON, and files of older versions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from byzanz.network import Weights
from byzanz.training import Schedule, Settings
from byzanz.training.settings import OLD_NAMES

PAGE = Path(__file__).parents[2] / "docs" / "training.md"
NAMES = [each.name for each in fields(Settings)]
VARIANTS = Settings.small(), Settings().fine_tuning(), Settings().best_response()


def rows(heading: str) -> list[list[str]]:
    """Return the cells of the table below this header line, without the two header lines."""
    _, _, table = PAGE.read_text(encoding="utf-8").partition(f"{heading}\n")
    lines = table.partition("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def written(name: str, settings: Settings) -> str:
    """Return the value of a setting as the documentation writes it."""
    value = getattr(settings, name)
    if isinstance(value, Schedule):
        return f"{value.start} → {value.end}"
    if name == "opponents":
        return ", ".join(f"{opponent} {weight}" for opponent, weight in value)
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if name.endswith("interval") and value < 1:
        return str(Fraction(value).limit_denominator(100))
    return str(value)


def test_the_documentation_has_all_defaults() -> None:
    table = {name.strip("`"): value for name, value, _ in rows("| name | value | meaning |")}
    assert table == {name: written(name, Settings()) for name in NAMES}


def test_the_documentation_has_the_settings_of_all_variants() -> None:
    heading = "| name | `--small` | fine-tuning (`--from`) | best response (`--exploit`) |"
    table = {name.strip("`"): values for name, *values in rows(heading)}
    expected = {}
    for name in NAMES:
        default = written(name, Settings())
        values = [written(name, variant) for variant in VARIANTS]
        if any(value != default for value in values):
            expected[name] = ["" if value == default else value for value in values]
    assert table == expected


@pytest.mark.parametrize("settings", [Settings(), *VARIANTS])
def test_settings_survive_a_round_trip_through_json(settings: Settings) -> None:
    assert Settings.from_json(json.loads(json.dumps(settings.as_json()))) == settings


@pytest.mark.parametrize("settings", [Settings(), *VARIANTS])
def test_the_names_of_older_versions_can_be_read(settings: Settings) -> None:
    old = {new: name for name, new in OLD_NAMES.items()}
    data = {old.get(name, name): value for name, value in settings.as_json().items()}
    assert {"rate", "doubt", "trace", "company", "heat", "panel_games"} <= data.keys()
    assert Settings.from_json(json.loads(json.dumps(data))) == settings


def test_the_settings_in_the_shipped_weights_can_be_read() -> None:
    found = [Settings.from_json(card["settings"]) for card in cards(Weights.load().card)]
    assert len(found) == 11
    assert {settings.shape[0] for settings in found} == {4, 6}
    assert found[0].learning_rate == Settings().fine_tuning().learning_rate
    assert dict(found[0].opponents) == dict(Settings().opponents)


def cards(card: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield a network's card and the cards inside it, as far as they have settings."""
    if "settings" in card:
        yield card
    for name in ("from", "towards", "before"):
        if card.get(name):
            yield from cards(card[name])
