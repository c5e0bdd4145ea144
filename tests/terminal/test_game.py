"""Whole games at the prompt, typed by a machine."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator
from gettext import NullTranslations

import pytest
from rich.console import Console
from scripts.catalogues import extracted

from byzanz.bots import Bot, make_bot
from byzanz.locale import LANGUAGES, translations
from byzanz.messages import kind_name
from byzanz.notation import Malformed, parse_state, write_action, write_state
from byzanz.rules import (
    Action,
    Card,
    Chance,
    Deal,
    Game,
    Kind,
    Phase,
    Played,
    Sell,
    Take,
    View,
    begin,
    best_sales,
    view,
)
from byzanz.terminal import Seating, draw_position, play_at_terminal
from byzanz.terminal.input import understood
from tests.playing import finished, wild_game


class Typist(Console):
    """A console at which lines are typed by a function of what is on the screen."""

    def __init__(self, types: Callable[[], str]) -> None:
        super().__init__(file=io.StringIO(), width=120, highlight=False)
        self._types = types

    def input(self, *args: object, **kwargs: object) -> str:
        return self._types()

    @property
    def screen(self) -> str:
        assert isinstance(self.file, io.StringIO)
        return self.file.getvalue()


def seating(players: int, person: int = 0, bot: str = "random") -> Seating:
    bots = {seat: make_bot(bot, seat) for seat in range(players) if seat != person}
    return Seating(tuple(f"P{seat}" for seat in range(players)), bots, person)


class Eager(Bot):
    """Sells whatever it can as soon as it can, on turn or not."""

    interrupts = True

    def __init__(self, seat: int) -> None:
        super().__init__(Chance(seat))
        self.sold: list[Action] = []

    def choose(self, view: View) -> Action:
        return make_bot("greedy", 0).choose(view)

    def sale(self, view: View) -> Sell | None:
        (sale, *_) = best_sales(view.hand)
        self.sold.append(sale)
        return sale


ANYTHING = [
    "pass", "p", "bid 1", "b 2", "bid 1 2 3", "give 1", "g 2", "take cloth", "take G", "t olives",
    "take S", "take wood", "take w", "take merchants", "sell", "sell all", "discard 1", "d 3",
    "done", "help", "log", "nonsense", "bid M", "bid c9", "", "   ", "take", "sell 1 2 3", "bid 99",
]  # fmt: skip


def typing(chance: Chance) -> Callable[[], str]:
    """Anything a person might type, legal now or not, without end."""
    return lambda: chance.choice(ANYTHING)


def test_bots_may_sell_out_of_turn() -> None:
    eager = Eager(1)
    bots = {1: eager, 2: make_bot("random", 2)}
    game = Game.start(Deal.from_seed(3, 4))
    played = play_at_terminal(Typist(typing(Chance(3))), game, Seating(("A", "B", "C"), bots, 0))
    sold = [
        event.action
        for event in played.course
        if isinstance(event, Played) and event.seat == 1 and isinstance(event.action, Sell)
    ]
    assert eager.sold
    assert Counter(eager.sold) <= Counter(sold)


@pytest.mark.parametrize(("players", "person"), [(3, 0), (4, 2), (5, 4), (6, 1)])
@pytest.mark.parametrize("step", [False, True])
def test_a_whole_game_can_be_played(players: int, person: int, step: bool) -> None:
    console = Typist(typing(Chance(players)))
    game = Game.start(Deal.from_seed(players, 9))
    played = play_at_terminal(console, game, seating(players, person), step=step)
    assert played.over
    for said in ("Round 1 of", "Your hand:", "Take one kind from the market.", "The end"):
        assert said in console.screen
    assert Game.replay(game.deal, played.plays) == played


def scripted(*lines: str) -> Callable[[], str]:
    script: Iterator[str] = iter(lines)

    def types() -> str:
        try:
            return next(script)
        except StopIteration:
            raise EOFError from None

    return types


@pytest.mark.parametrize("leaving", ["quit", "q", " EXIT ", None])
def test_one_can_leave_and_the_game_so_far_is_kept(leaving: str | None) -> None:
    lines = ["pass"] if leaving is None else ["pass", leaving]
    console = Typist(scripted(*lines))
    played = play_at_terminal(console, Game.start(Deal.from_seed(4, 1)), seating(4))
    assert not played.over
    assert played.plays
    assert "You leave the table." in console.screen


def test_refusals_are_explained_where_they_are_tried() -> None:
    # Seat 0 of this deal holds G1 O1 O1 O4.
    console = Typist(
        scripted("bid M", "sell G1 O1 O4", "bid 9", "take C", "fly", "bid C1", "discard 1", "done")
    )
    game = Game.start(Deal.from_seed(4, 5))
    assert play_at_terminal(console, game, seating(4)) == game
    for said in (
        "Merchants cannot be bid. (R3.7)",
        "A set is three cards of one good, merchants standing in; not grain 1, olives 1, olives 4.",
        "Expected: a card's number from 1 to 4, each once. Found: '9'",
        "That cannot be done now: an auction is on. (R4.1)",
        "Not an action.",
        "You do not hold cloth 1. (R3.2)",
        "You may discard only above 7 cards; you hold 4. (R6.1)",
        "(I8)",
    ):
        assert said in console.screen.replace("\n", " ")


def test_names_are_text_and_never_markup() -> None:
    console = Typist(scripted())
    bots = {seat: make_bot("random", seat) for seat in (1, 2)}
    seats = Seating(("[red]x[/red]", "[/]", "c"), bots, 0)
    play_at_terminal(console, Game.start(Deal.from_seed(3, 1)), seats)
    assert "[red]x[/red] starts." in console.screen


def test_cards_are_named_by_face_or_by_number() -> None:
    seen = view(begin(Deal.from_seed(4, 5)), 0)  # G1 O1 O1 O4; offer C1 C1 O1 S2 W4
    assert [write_action(a) for a in understood("b 1 4", seen)] == ["bid G1 O4"]
    assert [write_action(a) for a in understood("bid g1 o4", seen)] == ["bid G1 O4"]
    assert [write_action(a) for a in understood("give 5", seen)] == ["give W4"]
    assert [write_action(a) for a in understood("bid o1 3", seen)] == ["bid O1 O1"]
    assert [write_action(a) for a in understood("take wine", seen)] == ["take W"]
    assert understood("sell", seen) == (Sell((Card.O1, Card.O1, Card.O4)),)
    assert understood("s all", seen) == (Sell((Card.O1, Card.O1, Card.O4)),)


@pytest.mark.parametrize(
    ("typed", "found"), [("bid 2 2", "2"), ("bid 0001", "0001"), ("bid 5", "5"), ("take 2", "2")]
)
def test_numbers_that_name_no_card_are_refused_as_they_were_typed(typed: str, found: str) -> None:
    seen = view(begin(Deal.from_seed(4, 5)), 0)
    with pytest.raises(Malformed) as refused:
        understood(typed, seen)
    assert refused.value.found == found


def test_selling_without_a_set_says_so() -> None:
    seen = view(begin(Deal.from_seed(4, 5)), 1)
    with pytest.raises(Malformed, match="a set of three"):
        understood("sell", seen)


def test_every_position_can_be_drawn() -> None:
    phases = set()
    for game in wild_game(5, 2):
        console = Typist(scripted())
        draw_position(console, game.state)
        draw_position(console, game.view(3), list("abcde"))
        draw_position(console, game.view(None))
        phases.add(game.state.phase)
        assert "Deck, next first" in console.screen
    assert phases == set(Phase)
    assert parse_state(write_state(finished(5, 2).state)).phase is Phase.OVER


class Veiled(NullTranslations):
    """A language in which every known text is x all over, so that what was forgotten shows."""

    def __init__(self) -> None:
        super().__init__()
        self._known = {
            form
            for text in extracted()
            for form in (text.id if isinstance(text.id, tuple) else (text.id,))
        }

    def gettext(self, message: str) -> str:
        if message not in self._known:
            return message
        return re.sub(r"(\{\w+\})|\S", lambda found: found[1] or "x", message)

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def test_nothing_on_the_screen_is_left_untranslated() -> None:
    console, words, game = Typist(typing(Chance(5))), Veiled(), Game.start(Deal.from_seed(3, 9))
    names = Seating(("0", "1", "2"), {seat: make_bot("random", seat) for seat in (1, 2)}, 0)
    play_at_terminal(console, game, names, words, step=True)
    draw_position(console, game.view(None), (), words)
    typed = {word for line in ANYTHING for word in line.split()}
    typed |= {"take", "sell", "all", "quit", "log", "help", *"bpgtsdq"}
    left = set(re.findall(r"[^\W\d_x]+", RULE.sub("", console.screen)))
    assert left <= typed


RULE = re.compile(r"\([RI]\d[\d.]*\)|'[^']*'")
"""A rule's number, or what was typed."""


def test_what_is_typed_means_the_same_in_every_language() -> None:
    played = []
    for code in LANGUAGES:
        words, console = translations(code), Typist(typing(Chance(5)))
        game = Game.start(Deal.from_seed(3, 9))
        played.append(play_at_terminal(console, game, seating(3), words))
        for text in ("Your hand", "Take one kind from the market.", "The end", "{name} passes."):
            assert words.gettext(text).format(name="P1") in console.screen
    assert played[0].over
    assert all(game == played[0] for game in played)


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_kind_is_named_in_the_language_spoken(code: str) -> None:
    words, seen = translations(code), view(begin(Deal.from_seed(4, 5)), 0)
    for kind in Kind:
        assert understood(f"take {kind_name(kind, words)}", seen, words) == (Take(kind),)
        assert understood(f"take {kind.letter}", seen, words) == (Take(kind),)
