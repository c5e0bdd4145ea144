"""All 25 faces are distinguishable at 60 pixels, in colour, in grey, and with colour blindness.

A browser renders the contact sheet. The tests measure differences between the rendered pixels,
blurred so that single tesserae do not count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image
from playwright.sync_api import Browser

from byzanz.rules import FACES, Card, Kind
from byzanz.web.art import cards, picture
from byzanz.web.art.contact_sheet import HEIGHT, SMALL, VISIONS, WIDTH, place, sheet
from byzanz.web.art.digits import digit

Pixels = npt.NDArray[np.float64]

BLUR = 6
"""The side of the squares over which pixels are averaged; a tessera is 5 to 6 pixels wide."""
KINDS_APART = 0.06
"""The smallest allowed difference of cards of two kinds, from 0 to 1, over the whole card."""
DIGITS_APART = 0.06
"""The smallest allowed difference of two values of a kind in the medallion, with the digit."""
GOODS_APART = 0.03
"""The smallest allowed difference of two values of a kind outside the medallions."""


@dataclass(frozen=True)
class Difference:
    """The difference between two faces by one measure, in one simulation of colour vision."""

    vision: str
    faces: tuple[Card, Card]
    measure: str
    size: float
    least: float


def rendered(draw: Callable[[str], str], browser: Browser) -> Pixels:
    """Render the contact sheet and return its pixels as numbers from 0 to 1."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.set_content(sheet(draw))
    shot = page.screenshot()
    page.close()
    with Image.open(BytesIO(shot)) as image:
        return np.asarray(image.convert("RGB"), dtype=np.float64) / 255


def differences(shot: Pixels) -> list[Difference]:
    found = []
    for number, vision in enumerate(VISIONS):
        faces = {card: _face(shot, number, card) for card in FACES}
        for pair in combinations(FACES, 2):
            a, b = (faces[card] for card in pair)
            if pair[0].kind is not pair[1].kind:
                size = float(np.abs(_blurred(a) - _blurred(b)).mean())
                found.append(Difference(vision, pair, "kinds", size, KINDS_APART))
                continue
            digits = float(np.abs(a[4:20, 4:20] - b[4:20, 4:20]).mean())
            found.append(Difference(vision, pair, "digits", digits, DIGITS_APART))
            goods = np.abs(_blurred(a) - _blurred(b))[~_medallions()].mean()
            found.append(Difference(vision, pair, "goods", float(goods), GOODS_APART))
    return found


def _face(shot: Pixels, vision: int, card: Card) -> Pixels:
    left, top, right, bottom = place(vision, card)
    return shot[top:bottom, left:right]


def _blurred(face: Pixels) -> Pixels:
    high, wide = SMALL[1] // BLUR, SMALL[0] // BLUR
    return face.reshape(high, BLUR, wide, BLUR, 3).mean(axis=(1, 3))


def _medallions() -> npt.NDArray[np.bool_]:
    """Return a mask of the two medallions in the blurred picture."""
    marks = np.zeros((SMALL[1] // BLUR, SMALL[0] // BLUR), dtype=bool)
    marks[:4, :4] = marks[-4:, -4:] = True
    return marks


@pytest.fixture(scope="module")
def shot(browser: Browser) -> Pixels:
    return rendered(picture, browser)


def test_all_faces_differ_at_sixty_pixels_with_every_colour_vision(shot: Pixels) -> None:
    close = [found for found in differences(shot) if found.size < found.least]
    assert not close, "\n".join(map(str, close))


def test_the_colour_vision_filters_are_applied(shot: Pixels) -> None:
    grey = list(VISIONS).index("greyscale")
    seen = [
        np.stack([_face(shot, vision, card) for card in FACES]) for vision in range(len(VISIONS))
    ]
    assert np.ptp(seen[grey][:, 6:-6, 6:-6], axis=-1).max() < 0.02
    for a, b in combinations(seen, 2):
        assert np.abs(a - b).mean() > 0.01


def test_planted_faults_are_noticed(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Find equal faces, equal digits and equal goods, even if the tesserae differ."""
    good = {card.name: picture(card.name) for card in FACES}
    planted = dict(good)
    planted["W2"] = good["C1"]
    planted["G3"] = good["G2"]
    with monkeypatch.context() as patch:
        patch.setattr(cards, "digit", lambda number, *rest: digit(1, *rest))
        planted["O4"] = cards.face(Card.O4)
    wood = cards.GOODS[Kind.WOOD]
    with monkeypatch.context() as patch:
        patch.setitem(cards.GOODS, Kind.WOOD, lambda mosaic, number: wood(mosaic, 2))
        planted["T3"] = cards.face(Card.T3)
    shot = rendered(lambda name: planted.get(name) or picture(name), browser)
    close = {(f.faces, f.measure) for f in differences(shot) if f.size < f.least}
    assert close == {
        ((Card.C1, Card.W2), "kinds"),
        ((Card.W1, Card.W2), "digits"),
        ((Card.G2, Card.G3), "digits"),
        ((Card.G2, Card.G3), "goods"),
        ((Card.O1, Card.O4), "digits"),
        ((Card.T2, Card.T3), "goods"),
    }
