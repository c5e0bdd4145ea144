"""The hand is always visible, whatever happens to the page while cards travel."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .person import Person

Meet = Callable[..., Person]

_SIZES = [(390, 844), (844, 390), (1280, 720), (899, 700), (900, 499), (900, 500), (360, 640)]
_HIDDEN = """() => {
  const cards = [...document.querySelectorAll(".own .hand .card")];
  const hidden = cards.filter((card) => {
    const { left, top, right, bottom, width, height } = card.getBoundingClientRect();
    const outside = left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
    return width < 20 || height < 28 || outside;
  });
  const held = Number(document.getElementById("hand-title").textContent.match(/\\d+/) || 1);
  return { held, cards: cards.length, hidden: hidden.map((card) => card.id) };
}"""
"""Cards without a place on the screen. A card that travels is drawn elsewhere for a moment."""


def _sees_the_hand(ada: Person, after: str) -> None:
    ada.page.wait_for_function(
        "() => document.getAnimations().every((each) => each.playState !== 'running')"
    )
    found = ada.page.evaluate(_HIDDEN)
    assert found["hidden"] == [], after
    assert found["cards"] == found["held"], after


@pytest.mark.parametrize("decisions", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_every_card_of_the_hand_keeps_its_place_whatever_happens(
    meet: Meet, decisions: int
) -> None:
    ada = meet(pace="fast", moving=True)
    ada.sits_down()
    for number in range(decisions):
        if not ada.decides():
            break
        width, height = _SIZES[number % len(_SIZES)]
        ada.page.set_viewport_size({"width": width, "height": height})  # while cards travel
        if ada.is_asked() == "over":
            break
        _sees_the_hand(ada, f"{width}x{height}")
        ada.page.set_viewport_size({"width": height, "height": width})
        _sees_the_hand(ada, f"{height}x{width}")
        match number % 4:
            case 0:
                ada.page.reload()
                ada.page.wait_for_selector("body.ready #board.board")
                _sees_the_hand(ada, "a reload")
            case 1:
                language = "hu" if number % 8 == 1 else "en"
                with ada.menu():
                    ada.page.select_option("#language", language)
                    ada.page.wait_for_selector(f"html[lang={language}]")
                ada.page.wait_for_selector("body.ready #board.board")
                _sees_the_hand(ada, f"a change to {language}")
            case 2:
                ada.context.set_offline(True)
                ada.page.evaluate("window.dispatchEvent(new Event('offline'))")
                ada.context.set_offline(False)
                ada.page.evaluate("window.dispatchEvent(new Event('online'))")
                _sees_the_hand(ada, "a lost connection")
        ada.is_asked()
        ada.page.set_viewport_size({"width": 1280, "height": 860})
    _sees_the_hand(ada, "the last decision")
