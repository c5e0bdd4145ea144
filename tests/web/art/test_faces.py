"""All 25 faces can be told apart at 60 pixels, in colour, in grey, and by colour-blind eyes.

The contact sheet is rendered by a browser, and what is measured is what a person sees:
differences of the rendered pixels, blurred so far that single tesserae do not count.
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
from byzanz.web.art.digits import digit
from byzanz.web.art.sheet import HEIGHT, SIGHTS, SMALL, WIDTH, place, sheet

Pixels = npt.NDArray[np.float64]

BLUR = 6
"""Pixels that are averaged in both directions; a tessera is 5 to 6 wide."""
KINDS_APART = 0.06
"""The least difference of cards of two kinds, from 0 to 1, over the whole card."""
DIGITS_APART = 0.06
"""The least difference of two values of a kind in the medallion, where the digit is."""
GOODS_APART = 0.03
"""The least difference of two values of a kind outside the medallions, where the goods are."""


@dataclass(frozen=True)
class Difference:
    """How far apart two faces are for a way of seeing, and by which measure."""

    sight: str
    faces: tuple[Card, Card]
    measure: str
    size: float
    least: float


def rendered(draw: Callable[[str], str], browser: Browser) -> Pixels:
    """The contact sheet as numbers from 0 to 1."""
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.set_content(sheet(draw))
    shot = page.screenshot()
    page.close()
    with Image.open(BytesIO(shot)) as image:
        return np.asarray(image.convert("RGB"), dtype=np.float64) / 255


def differences(shot: Pixels) -> list[Difference]:
    found = []
    for number, sight in enumerate(SIGHTS):
        faces = {card: _face(shot, number, card) for card in FACES}
        for pair in combinations(FACES, 2):
            a, b = (faces[card] for card in pair)
            if pair[0].kind is not pair[1].kind:
                size = float(np.abs(_blurred(a) - _blurred(b)).mean())
                found.append(Difference(sight, pair, "kinds", size, KINDS_APART))
                continue
            digits = float(np.abs(a[4:20, 4:20] - b[4:20, 4:20]).mean())
            found.append(Difference(sight, pair, "digits", digits, DIGITS_APART))
            goods = np.abs(_blurred(a) - _blurred(b))[~_medallions()].mean()
            found.append(Difference(sight, pair, "goods", float(goods), GOODS_APART))
    return found


def _face(shot: Pixels, sight: int, card: Card) -> Pixels:
    left, top, right, bottom = place(sight, card)
    return shot[top:bottom, left:right]


def _blurred(face: Pixels) -> Pixels:
    high, wide = SMALL[1] // BLUR, SMALL[0] // BLUR
    return face.reshape(high, BLUR, wide, BLUR, 3).mean(axis=(1, 3))


def _medallions() -> npt.NDArray[np.bool_]:
    """Where the two medallions are, after blurring."""
    marks = np.zeros((SMALL[1] // BLUR, SMALL[0] // BLUR), dtype=bool)
    marks[:4, :4] = marks[-4:, -4:] = True
    return marks


@pytest.fixture(scope="module")
def shot(browser: Browser) -> Pixels:
    return rendered(picture, browser)


def test_all_faces_are_told_apart_at_sixty_pixels_in_every_way_of_seeing(shot: Pixels) -> None:
    close = [found for found in differences(shot) if found.size < found.least]
    assert not close, "\n".join(map(str, close))


def test_the_ways_of_seeing_are_really_applied(shot: Pixels) -> None:
    grey = list(SIGHTS).index("greyscale")
    seen = [np.stack([_face(shot, sight, card) for card in FACES]) for sight in range(len(SIGHTS))]
    assert np.ptp(seen[grey][:, 6:-6, 6:-6], axis=-1).max() < 0.02
    for a, b in combinations(seen, 2):
        assert np.abs(a - b).mean() > 0.01


def test_planted_faults_are_noticed(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal faces, equal digits and equal goods are each found, though the tesserae differ."""
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
