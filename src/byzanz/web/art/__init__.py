"""The art of the table: every picture a mosaic drawn by this code, as a whole SVG document.

``picture`` draws by name, the same bytes every time, and remembers what it drew. The package needs
the standard library and ``byzanz.rules`` alone; it opens no file and knows nothing of a server.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from types import MappingProxyType

from byzanz.rules import FACES, Kind

from .avatars import AVATARS, avatar
from .cards import back, face
from .emblems import emblem, favicon, logo
from .grounds import frieze, ground
from .hero import hero
from .plaques import plaque

__all__ = ["PICTURES", "picture"]

PICTURES: Mapping[str, Callable[[], str]] = MappingProxyType(
    {card.name: partial(face, card) for card in FACES}
    | {"back": back}
    | {f"plaque-{number}": partial(plaque, number) for number in range(1, 7)}
    | {f"kind-{kind.letter}": partial(emblem, kind) for kind in Kind}
    | {"logo": logo, "favicon": favicon, "frieze": frieze, "hero": hero}
    | {"ground": partial(ground, dark=False), "ground-dark": partial(ground, dark=True)}
    | {f"avatar-{number}": partial(avatar, number) for number in range(len(AVATARS))}
)
"""Every picture's name, and how it is drawn."""


@cache
def picture(name: str) -> str:
    """The picture of that name as a whole SVG document; ``KeyError`` if there is none."""
    return PICTURES[name]()
