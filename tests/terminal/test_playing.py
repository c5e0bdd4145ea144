"""Whole games at the prompt, typed by a machine."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

import pytest
from rich.console import Console

from byzanz.bots import make_bot
from byzanz.notation import Malformed, parse_state, write_action, write_state
from byzanz.rules import Card, Chance, Deal, Game, Phase, Sell, begin, view
from byzanz.terminal import Seating, draw_position, play_at_terminal
from byzanz.terminal.reading import understood
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


ANYTHING = [
    "pass", "p", "bid 1", "b 2", "bid 1 2 3", "give 1", "g 2", "take cloth", "take G", "t olives",
    "take S", "take wood", "take w", "take merchants", "sell", "sell all", "discard 1", "d 3",
    "done", "help", "log", "nonsense", "bid M", "bid c9", "", "   ", "take", "sell 1 2 3", "bid 99",
]  # fmt: skip


def typing(chance: Chance) -> Callable[[], str]:
    """Anything a person might type, legal now or not, without end."""
    return lambda: chance.choice(ANYTHING)


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
        "Expected: a card's number from 1 to 4. Found: '9'",
        "That cannot be done now: an auction is on. (R4.1)",
        "Not an action.",
        "You do not hold cloth 1. (R3.2)",
        "You hold 4 cards; only above 7 may you discard. (R6.1)",
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
    assert [write_action(a) for a in understood("take wine", seen)] == ["take W"]
    assert understood("sell", seen) == (Sell((Card.O1, Card.O1, Card.O4)),)
    assert understood("s all", seen) == (Sell((Card.O1, Card.O1, Card.O4)),)


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
