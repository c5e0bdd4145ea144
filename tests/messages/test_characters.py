"""The bots as a person meets them."""

from __future__ import annotations

import pytest

from byzanz.bots import BOTS
from byzanz.locale import LANGUAGES, load_translations
from byzanz.messages import bot_character, bot_name
from byzanz.messages.characters import _CHARACTERS, _NAMES

LADDER = ["random", "novice", "greedy", "trader", "strategist", "emperor", "passive"]


def test_every_bot_of_ours_has_a_name_and_a_character() -> None:
    assert list(_NAMES) == list(_CHARACTERS) == LADDER
    assert list(BOTS) == LADDER


@pytest.mark.parametrize("code", LANGUAGES)
def test_names_and_characters_differ_in_every_language(code: str) -> None:
    translations = load_translations(code)
    assert len({bot_name(name, translations) for name in LADDER}) == len(LADDER)
    assert len({bot_character(name, translations) for name in LADDER}) == len(LADDER)


def test_a_bot_from_elsewhere_keeps_its_name_and_cannot_steer_a_terminal() -> None:
    assert bot_name("cmd:./mine", load_translations("de")) == "cmd:./mine"
    assert "\x1b" not in bot_name("\x1b[31m")
    assert bot_character("cmd:./mine", load_translations("de")).startswith("Ein Bot von anderswo")
