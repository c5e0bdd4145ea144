"""The pictures of the table: mosaics that this code draws as complete SVG documents.

``picture`` draws a picture by its name and caches it; a name always gives the same bytes. The
package imports only the standard library and ``byzanz.rules``. It opens no files and does not
depend on the server.
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
"""The pictures by name, each with the function that draws it."""


@cache
def picture(name: str) -> str:
    """Draw a picture as a complete SVG document; raises KeyError if there is no such picture."""
    return PICTURES[name]()
