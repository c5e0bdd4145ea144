"""A game at the prompt: one person against bots."""

from __future__ import annotations

from dataclasses import dataclass
from gettext import NullTranslations

from rich.console import Console
from rich.markup import escape

from byzanz.arena import offer_sales
from byzanz.bots import Bot
from byzanz.locale import ENGLISH, _
from byzanz.messages import Storyteller, card_names, explain
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

from .drawing import drawn_view
from .help import drawn_help
from .input import sales_of, understood


class Leave(Exception):
    """The person leaves the table."""


@dataclass(frozen=True)
class Seating:
    """Who sits where: bots by seat, and the person's seat."""

    names: tuple[str, ...]
    bots: dict[int, Bot]
    person: int


def play_at_terminal(
    console: Console,
    game: Game,
    seating: Seating,
    words: NullTranslations = ENGLISH,
    *,
    step: bool = False,
) -> Game:
    """The game as far as it was played: to its end, or to where the person left.

    With ``step`` the person is asked after every action of a bot, and may sell there too (R5.1).
    """
    table = _Table(console, game, seating, words)
    try:
        hint = words.gettext("Type {help} at any prompt to learn what you can do, {quit} to leave.")
        console.print(hint.format(help="[bold]help[/]", quit="[bold]quit[/]") + "\n")
        while not table.game.over:
            table.tell()
            seat = table.game.state.turn
            if seat is None or seat == seating.person:
                table.ask()
            else:
                table.play(seat, seating.bots[seat].choose(table.game.view(seat)))
                if step and not table.game.over:
                    table.pause()
        table.tell()
    except (Leave, KeyboardInterrupt):
        console.print(words.gettext("You leave the table."))
    return table.game


class _Table:
    """The game as the person meets it."""

    def __init__(
        self, console: Console, game: Game, seating: Seating, words: NullTranslations
    ) -> None:
        self.game = game
        self._console = console
        self._seating = seating
        self._words = words
        self._teller = Storyteller(seating.names, words)
        self._told = 0
        self._lines: list[str] = []

    @property
    def _view(self) -> View:
        return self.game.view(self._seating.person)

    def play(self, seat: int, action: Action) -> None:
        """Plays an action, and lets bots sell out of turn (R5.1); raises IllegalAction."""
        self.game = offer_sales(self.game.play(seat, action), self._seating.bots)

    def tell(self) -> None:
        """Tells what has happened since it last did."""
        for event in self.game.course[self._told :]:
            for line in self._teller.tell(event):
                self._lines.append(line)
                self._console.print(escape(line), highlight=False)
        self._told = len(self.game.course)

    def ask(self) -> None:
        """Draws the table and asks until the person has acted."""
        self._console.print(drawn_view(self._view, self._seating.names, self._words))
        self._console.print(f"[bold]{_question(self._view, self._words)}[/]")
        if self._view.phase in (Phase.LIMIT, Phase.FINAL_SALE):
            for sale in sales_of(self._view)[:1]:
                best = self._words.gettext("Your best set: {cards} for {profit} (type 'sell').")
                cards, earned = card_names(sale.cards, self._words), profit([kept(sale.cards)])
                self._console.print(f"[dim]{best.format(cards=cards, profit=earned)}[/]")
        while not self._heard(self._typed("> ")):
            pass

    def pause(self) -> None:
        """Lets the person look, or sell out of turn."""
        self.tell()
        prompt = self._words.gettext("[Enter to go on, or sell]") + " "
        while (typed := self._typed(prompt)).strip():
            if self._heard(typed, only_sales=True):
                self.tell()

    def _heard(self, typed: str, *, only_sales: bool = False) -> bool:
        """Whether what was typed became an action; if not, the person was told why."""
        word = typed.strip().lower()
        if word in ("quit", "exit", "q"):
            raise Leave
        if word in ("help", "h", "?"):
            self._console.print(drawn_help(self._words))
        elif word == "log":
            for line in self._lines[-20:]:
                self._console.print(escape(line), highlight=False)
        elif word:
            return self._acted(typed, only_sales=only_sales)
        return False

    def _acted(self, typed: str, *, only_sales: bool) -> bool:
        try:
            actions = understood(typed, self._view, self._words)
            if only_sales and not all(isinstance(action, Sell) for action in actions):
                said = self._words.gettext(
                    "It is not your turn; you may sell a set, or press Enter."
                )
                self._console.print(said)
                return False
            for action in actions:
                self.play(self._seating.person, action)
        except Malformed as error:
            self._console.print(f"[red]{escape(explain(error, self._words))}[/]", highlight=False)
            return False
        except IllegalAction as error:
            said = f"{explain(error, self._words)} ({error.refusal.rule})"
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


def _question(seen: View, words: NullTranslations) -> str:
    options: Options = seen.options
    match seen.phase:
        case Phase.AUCTION if not seen.highest:
            text = _("Your turn: bid any cards, or pass.")
        case Phase.AUCTION if options.bids:
            text = _("Your turn: the highest bid is {highest}. Beat it, or pass.")
        case Phase.AUCTION:
            text = _("Your turn: you cannot beat {highest}. You can only pass.")
        case Phase.GIVE:
            text = _("The offer is yours: give one card of it to the market.")
        case Phase.MARKET:
            text = _("Take one kind from the market.")
        case Phase.LIMIT:
            text = _("You hold {held} cards: sell or discard down to seven.")
        case Phase.FINAL_SALE | Phase.OVER:
            text = _("The final sale: sell what you can ('sell all'), then type 'done'.")
    return words.gettext(text).format(highest=seen.highest, held=len(seen.hand))
