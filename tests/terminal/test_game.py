"""Games at the prompt, played by scripts."""

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
from byzanz.locale import LANGUAGES, load_translations
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
from byzanz.terminal.input import NothingToSell, parse_input
from tests.random_games import finished, random_game


class Typist(Console):
    """A console whose input comes from a function."""

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
    """A bot that sells every set as soon as it can, even out of turn."""

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
    "done", "help", "log", "why", "nonsense", "bid M", "bid c9", "", "   ", "take", "sell 1 2 3",
    "bid 99",
]  # fmt: skip


def typing(chance: Chance) -> Callable[[], str]:
    """Return a function that types random lines, legal or not."""
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
    for said in ("Round 1 of", "Your hand:", "Take all the cards of one kind", "Final scores"):
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
def test_the_player_can_leave_and_the_game_is_returned(leaving: str | None) -> None:
    lines = ["pass"] if leaving is None else ["pass", leaving]
    console = Typist(scripted(*lines))
    played = play_at_terminal(console, Game.start(Deal.from_seed(4, 1)), seating(4))
    assert not played.over
    assert played.plays
    assert "You leave the table." in console.screen


def test_refusals_are_explained() -> None:
    # Seat 0 of this deal holds G1 O1 O1 O4.
    console = Typist(
        scripted(
            *("bid M", "why", "sell G1 O1 O4", "bid 9", "take C", "fly", "why", "bid C1"),
            *("discard 1", "why", "done", "why"),
        )
    )
    game = Game.start(Deal.from_seed(4, 5))
    assert play_at_terminal(console, game, seating(4)) == game
    for said in (
        "Merchants cannot be bid.",
        "R3.7: Merchants cannot be bid.",
        "A set is three cards of one good (merchants count as any good), not grain 1, olives 1",
        "Expected: a card's number from 1 to 4, each once. Found: '9'",
        "You can't do that now: an auction is in progress.",
        "Not an action.",
        "Not in your hand: cloth 1.",
        "You may discard only if you hold more than 7 cards; you hold 4.",
        "R6.1: If you hold more than seven cards, you must at once",
        "No rule was broken.",
        "I8: When you are done, say so",
    ):
        assert said in console.screen.replace("\n", " ")


def test_names_are_not_markup() -> None:
    console = Typist(scripted())
    bots = {seat: make_bot("random", seat) for seat in (1, 2)}
    seats = Seating(("[red]x[/red]", "[/]", "c"), bots, 0)
    play_at_terminal(console, Game.start(Deal.from_seed(3, 1)), seats)
    assert "[red]x[/red] starts." in console.screen


def test_cards_are_named_by_face_or_by_number() -> None:
    seen = view(begin(Deal.from_seed(4, 5)), 0)  # G1 O1 O1 O4; offer C1 C1 O1 S2 W4
    assert [write_action(a) for a in parse_input("b 1 4", seen)] == ["bid G1 O4"]
    assert [write_action(a) for a in parse_input("bid g1 o4", seen)] == ["bid G1 O4"]
    assert [write_action(a) for a in parse_input("give 5", seen)] == ["give W4"]
    assert [write_action(a) for a in parse_input("bid o1 3", seen)] == ["bid O1 O1"]
    assert [write_action(a) for a in parse_input("take wine", seen)] == ["take W"]
    assert parse_input("sell", seen) == (Sell((Card.O1, Card.O1, Card.O4)),)
    assert parse_input("s all", seen) == (Sell((Card.O1, Card.O1, Card.O4)),)


@pytest.mark.parametrize(
    ("typed", "found"), [("bid 2 2", "2"), ("bid 0001", "0001"), ("bid 5", "5"), ("take 2", "2")]
)
def test_invalid_card_numbers_are_refused_as_typed(typed: str, found: str) -> None:
    seen = view(begin(Deal.from_seed(4, 5)), 0)
    with pytest.raises(Malformed) as refused:
        parse_input(typed, seen)
    assert refused.value.found == found


def test_selling_without_a_set_is_refused() -> None:
    seen = view(begin(Deal.from_seed(4, 5)), 1)
    with pytest.raises(NothingToSell):
        parse_input("sell", seen)
    console = Typist(scripted("pass", "pass", "sell", "why"))
    play_at_terminal(console, Game.start(Deal.from_seed(4, 5)), seating(4, 1))
    assert "You have no set to sell." in console.screen
    assert "R5.1: At any time" in console.screen


def test_every_position_can_be_drawn() -> None:
    phases = set()
    games = list(random_game(5, 2))
    each_phase = {game.state.phase: game for game in games}.values()
    for game in [*games[::3], *each_phase]:
        console = Typist(scripted())
        draw_position(console, game.state)
        draw_position(console, game.view(3), list("abcde"))
        draw_position(console, game.view(None))
        phases.add(game.state.phase)
        assert "Deck, next card first" in console.screen
    assert phases == set(Phase)
    assert parse_state(write_state(finished(5, 2).state)).phase is Phase.OVER


class Veiled(NullTranslations):
    """A language in which every translated text consists of x, so that other texts stand out."""

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


def test_everything_on_the_screen_is_translated() -> None:
    console, translations, game = (
        Typist(typing(Chance(5))),
        Veiled(),
        Game.start(Deal.from_seed(3, 9)),
    )
    names = Seating(("0", "1", "2"), {seat: make_bot("random", seat) for seat in (1, 2)}, 0)
    play_at_terminal(console, game, names, translations, step=True)
    draw_position(console, game.view(None), (), translations)
    typed = {word for line in ANYTHING for word in line.split()}
    typed |= {"take", "sell", "all", "quit", "log", "help", "why", *"bpgtsdq"}
    left = set(re.findall(r"[^\W\d_x]+", RULE.sub("", console.screen)))
    assert left <= typed


RULE = re.compile(r"\b[RI]\d[\d.]*:|'[^']*'")
"""A pattern for a rule's number, or for what was typed."""


def test_input_means_the_same_in_every_language() -> None:
    played = []
    for code in LANGUAGES:
        translations, console = load_translations(code), Typist(typing(Chance(5)))
        game = Game.start(Deal.from_seed(3, 9))
        played.append(play_at_terminal(console, game, seating(3), translations))
        for text in ("Your hand", "Final scores", "{name} passes."):
            assert translations.gettext(text).format(name="P1") in console.screen
    assert played[0].over
    assert all(game == played[0] for game in played)


@pytest.mark.parametrize("code", LANGUAGES)
def test_kinds_can_be_named_in_the_players_language(code: str) -> None:
    translations, seen = load_translations(code), view(begin(Deal.from_seed(4, 5)), 0)
    for kind in Kind:
        assert parse_input(f"take {kind_name(kind, translations)}", seen, translations) == (
            Take(kind),
        )
        assert parse_input(f"take {kind.letter}", seen, translations) == (Take(kind),)
