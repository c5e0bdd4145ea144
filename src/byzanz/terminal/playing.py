"""A game at the prompt: one person against bots."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape

from byzanz.bots import Bot
from byzanz.notation import Malformed
from byzanz.rules import (
    Action,
    Game,
    IllegalAction,
    Options,
    Phase,
    Sell,
    View,
    kept,
    profit,
)
from byzanz.telling import Storyteller, card_names, explain

from .drawing import drawn_view
from .reading import sales_of, understood

_HELP = """\
[bold]The goal.[/] Sell sets of three cards of one good: the highest card of each set
is your profit. Most profit at the end wins. Cards in hand are also your
money: you bid with them.

[bold]What you can type[/] (cards by face, as in C1 or M, or by the number shown)
  bid 1 3    lay these hand cards, added to the bid you have      (short: b)
  pass       leave this auction and take your bid back            (short: p)
  give 2     the card of the offer that goes to the market        (short: g)
  take cloth take all market cards of a kind                      (short: t)
  sell 1 2 5 sell a set of three, at any prompt; a merchant
             stands in for any good                               (short: s)
  sell       sell your best set;  [bold]sell all[/] sells all your best sets
  discard 4  only above seven cards                               (short: d)
  done       only in the final sale: you sell no more
  help, log (the last events again), quit"""


class Leave(Exception):
    """The person leaves the table."""


@dataclass(frozen=True)
class Seating:
    """Who sits where: bots by seat, and the person's seat."""

    names: tuple[str, ...]
    bots: dict[int, Bot]
    person: int


def play_at_terminal(console: Console, game: Game, seating: Seating, *, step: bool = False) -> Game:
    """The game as far as it was played: to its end, or to where the person left.

    With ``step`` the person is asked after every action of a bot, and may sell there too (R5.1).
    """
    table = _Table(console, game, seating)
    try:
        console.print("Type [bold]help[/] at any prompt, [bold]quit[/] to leave.\n")
        while not table.game.over:
            table.tell()
            seat = table.game.state.turn
            if seat is None or seat == seating.person:
                table.ask()
            else:
                table.play(seat, seating.bots[seat].choose(table.game.view(seat)))
                if step:
                    table.pause()
        table.tell()
    except (Leave, KeyboardInterrupt):
        console.print("You leave the table.")
    return table.game


class _Table:
    """The game as the person meets it."""

    def __init__(self, console: Console, game: Game, seating: Seating) -> None:
        self.game = game
        self._console = console
        self._seating = seating
        self._teller = Storyteller(seating.names)
        self._told = 0
        self._lines: list[str] = []

    @property
    def _view(self) -> View:
        return self.game.view(self._seating.person)

    def play(self, seat: int, action: Action) -> None:
        """Plays an action of a seat; raises IllegalAction."""
        self.game = self.game.play(seat, action)

    def tell(self) -> None:
        """Tells what has happened since it last did."""
        for event in self.game.course[self._told :]:
            for line in self._teller.tell(event):
                self._lines.append(line)
                self._console.print(escape(line), highlight=False)
        self._told = len(self.game.course)

    def ask(self) -> None:
        """Draws the table and asks until the person has acted."""
        self._console.print(drawn_view(self._view, self._seating.names))
        self._console.print(f"[bold]{_question(self._view)}[/]")
        if self._view.phase in (Phase.LIMIT, Phase.FINAL_SALE):
            for sale in sales_of(self._view)[:1]:
                earns = f"{card_names(sale.cards)} for {profit([kept(sale.cards)])}"
                self._console.print(f"[dim]Your best set: {earns} (type 'sell').[/]")
        while not self._heard(self._typed("> ")):
            pass

    def pause(self) -> None:
        """Lets the person look, or sell out of turn."""
        self.tell()
        while (typed := self._typed("[Enter to go on, or sell] ")).strip():
            if self._heard(typed, only_sales=True):
                self.tell()

    def _heard(self, typed: str, *, only_sales: bool = False) -> bool:
        """Whether what was typed became an action; if not, the person was told why."""
        word = typed.strip().lower()
        if word in ("quit", "exit", "q"):
            raise Leave
        if word in ("help", "h", "?"):
            self._console.print(_HELP)
        elif word == "log":
            for line in self._lines[-20:]:
                self._console.print(escape(line), highlight=False)
        elif word:
            return self._acted(typed, only_sales=only_sales)
        return False

    def _acted(self, typed: str, *, only_sales: bool) -> bool:
        try:
            actions = understood(typed, self._view)
            if only_sales and not all(isinstance(action, Sell) for action in actions):
                self._console.print("It is not your turn; you may sell a set, or press Enter.")
                return False
            for action in actions:
                self.play(self._seating.person, action)
        except Malformed as error:
            self._console.print(f"[red]{escape(explain(error))}[/]", highlight=False)
            return False
        except IllegalAction as error:
            said = f"{explain(error)} ({error.refusal.rule})"
            self._console.print(f"[red]{escape(said)}[/]", highlight=False)
            return False
        return True

    def _typed(self, prompt: str) -> str:
        try:
            return self._console.input(escape(prompt))
        except EOFError:
            self._console.print()
            raise Leave from None
        except UnicodeDecodeError:
            return "?"


def _question(seen: View) -> str:
    options: Options = seen.options
    match seen.phase:
        case Phase.AUCTION if not seen.highest:
            return "Your turn: bid any cards, or pass."
        case Phase.AUCTION if options.bids:
            return f"Your turn: the highest bid is {seen.highest}. Beat it, or pass."
        case Phase.AUCTION:
            return f"Your turn: you cannot beat {seen.highest}. You can only pass."
        case Phase.GIVE:
            return "The offer is yours: give one card of it to the market."
        case Phase.MARKET:
            return "Take one kind from the market."
        case Phase.LIMIT:
            return f"You hold {len(seen.hand)} cards: sell or discard down to seven."
        case Phase.FINAL_SALE | Phase.OVER:
            return "The final sale: sell what you can ('sell all'), then say 'done'."
