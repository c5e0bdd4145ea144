"""The end of a game: places, sold sets, profit by round and the best buy."""

from __future__ import annotations

import pytest

from byzanz.locale import LANGUAGES
from byzanz.rules import Bid, Card, Discard, Event, Game, Give, Played, Sell, TurnedUp, Won, worth
from byzanz.tables import TableView
from byzanz.web.board import Panel, board
from byzanz.web.ending import Buy, Ending, best_buy, ending
from byzanz.web.rendering import Renderer
from tests.random_games import finished

from .test_rendering import views_of

ENGLISH = Renderer("en").translations

C1, C2, C3, C4, S4, W1 = Card.C1, Card.C2, Card.C3, Card.C4, Card.S4, Card.W1


def panel(seat: int, profit: int, *, winner: bool = False, you: bool = False) -> Panel:
    """Return the panel of a seat at the end."""
    values = dict.fromkeys(Panel._fields) | {"seat": seat, "name": "ABCDEF"[seat], "profit": profit}
    return Panel(**values | {"winner": winner, "you": you})  # type: ignore[arg-type]


def shown(*panels: Panel) -> Ending:
    """Return the end of a game of these players in which nothing was sold."""
    return ending((), panels, ENGLISH)


def lot(seat: int, offer: tuple[Card, ...], paid: tuple[Card, ...], gives: Card) -> list[Event]:
    """Return an auction that the seat wins with one bid."""
    bid = Played(seat, Bid(paid))
    return [TurnedUp(2, 4, offer, seat), bid, Won(seat, 4, paid), Played(seat, Give(gives))]


def test_the_headline_says_the_place_and_the_distance_to_the_next() -> None:
    first, second, third = panel(0, 20, winner=True), panel(1, 17), panel(2, 12)
    assert shown(first, second, third).headline == "A wins with a profit of 20."
    me = first._replace(you=True)
    assert shown(me, second, third).headline == "You win, 3 ahead of B."
    me = third._replace(you=True)
    assert shown(first, second, me).headline == "Your place: 3 of 3. B earned 5 more."


def test_the_headline_explains_how_a_tie_was_decided() -> None:
    first, second, third = panel(0, 20, winner=True), panel(1, 20), panel(2, 12)
    told = shown(first._replace(you=True), second, third).headline
    assert told == "You win: B has the same profit, but fewer goods cards left."
    told = shown(first, second._replace(you=True), third).headline
    assert told == "Your place: 2 of 3. A has the same profit, but more goods cards left."
    told = shown(first._replace(you=True), second._replace(winner=True), third).headline
    assert told == "A, B share the win with a profit of 20 each."


def test_players_with_the_same_profit_share_a_place() -> None:
    end = shown(panel(0, 9), panel(1, 20, winner=True), panel(2, 9), panel(3, 4))
    assert [(each.panel.name, each.place) for each in end.standings] == [
        ("B", 1),
        ("A", 2),
        ("C", 2),
        ("D", 4),
    ]
    assert [each.panel.name for each in end.podium] == ["A", "B", "C"]


def test_everyone_with_the_third_place_stands_on_the_podium() -> None:
    end = shown(panel(0, 9), panel(1, 20, winner=True), panel(2, 12), panel(3, 9), panel(4, 4))
    assert [each.panel.name for each in end.podium] == ["C", "B", "A", "D"]


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_curves_and_sold_sets_add_up_to_the_profit(players: int) -> None:
    game: Game = finished(players, seed=players)
    seats = [
        panel(seat, earned, winner=seat in game.result.winners)
        for seat, earned in enumerate(game.result.profit)
    ]
    end = ending(game.course, seats, ENGLISH)
    for each in end.standings:
        assert each.curve[-1] == sum(sale.profit for sale in each.sales) == each.panel.profit
        assert list(each.curve) == sorted(each.curve)
        assert len(each.curve) == len(end.chart.rounds) + 1


def test_a_lot_earns_the_sets_that_contain_its_cards() -> None:
    course = [*lot(0, (C1, C2, W1), (S4,), gives=W1), Played(0, Sell((C1, C3, C4)))]
    assert best_buy(course) == Buy(seat=0, round=2, cards=(C1, C2), paid=4, earned=4)
    later = [*course, Played(0, Sell((C2, C2, C3)))]
    assert best_buy(later) == Buy(seat=0, round=2, cards=(C1, C2), paid=4, earned=7)


def test_a_set_counts_once_for_a_lot_and_for_every_lot_in_it() -> None:
    cheap = lot(0, (C1, W1), (C2,), gives=W1)
    dear = lot(0, (C2, C3, W1), (S4,), gives=W1)
    best = best_buy([*dear, *cheap, Played(0, Sell((C1, C2, C3)))])
    assert best == Buy(seat=0, round=2, cards=(C1,), paid=worth((C2,)), earned=3)


def test_cards_that_leave_the_hand_earn_nothing() -> None:
    bought = lot(0, (C1, W1), (S4,), gives=W1)
    assert best_buy(bought) is None
    assert best_buy([*bought, Played(0, Discard(C1)), Played(0, Sell((C1, C2, C3)))]) is None
    paid_away = [*bought, *lot(0, (W1, W1), (C1,), gives=W1), Played(0, Sell((C1, C2, C3)))]
    assert best_buy(paid_away) is None
    of_another = [*bought, Played(1, Sell((C1, C2, C3)))]
    assert best_buy(of_another) is None


def test_an_offer_that_nobody_bid_for_does_not_count_as_a_buy() -> None:
    free = [TurnedUp(1, 4, (C1, W1), 0), Won(0, 4, ()), Played(0, Sell((C1, C2, C3)))]
    assert best_buy(free) is None


@pytest.fixture(scope="module")
def last() -> TableView:
    """Return the end of a game as seat 0 sees it."""
    return views_of(4, 3)[-3]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_end_is_shown_in_every_language(last: TableView, language: str) -> None:
    renderer = Renderer(language)
    html = renderer.board(last)
    end = board(last, renderer.translations).ending
    assert end is not None
    for each in end.standings:
        assert f"<b>{each.panel.profit}</b>" in html
    for text in ("Share", "Replay", "Profit by round", "Best buy", "Play again"):
        assert renderer.translations.gettext(text) in html
    assert html.count("<polyline") == 8, "a line and its key for each of the four"
    assert "<b>Anna" not in html
