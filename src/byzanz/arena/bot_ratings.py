"""The ratings of the built-in bots, on the scale of people's ratings.

``python -m scripts.rate_bots`` computes them; ``docs/ratings.md`` has the commands.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from .skill import Skill


@cache
def bot_skills(players: int) -> Mapping[str, Skill]:
    """Return the skill of each rated bot in games with this many players.

    The skills are fixed: they are read from a data file of the package.
    """
    text = (files("byzanz.arena") / "data" / "bot_ratings.json").read_text(encoding="utf-8")
    found: dict[str, list[float]] = json.loads(text).get(str(players), {})
    return MappingProxyType({bot: Skill(mu, sigma) for bot, (mu, sigma) in found.items()})
