"""A game at a prompt: one player against bots."""

from __future__ import annotations

from dataclasses import dataclass
from gettext import NullTranslations

from rich.console import Console
from rich.markup import escape

from byzanz.bots import Bot
from byzanz.bots.referee import play_action, play_turn
from byzanz.locale import ENGLISH, _
from byzanz.messages import GameLogWriter, card_names, explain, rule_text
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

from .drawing import render_view
from .help import render_help
from .input import NothingToSell, parse_input, suggested_sales


class LeaveGame(Exception):
    """Raised when the player leaves the game."""


@dataclass(frozen=True)
class Seating:
    """The players by seat: all names, the bots, and the person's seat."""

    names: tuple[str, ...]
    bots: dict[int, Bot]
    person: int


def play_at_terminal(
    console: Console,
    game: Game,
    seating: Seating,
    translations: NullTranslations = ENGLISH,
    *,
    step: bool = False,
) -> Game:
    """Play the game at the prompt until it ends or the player leaves; return the game so far.

    With ``step``, the player is prompted after every action of a bot and can then sell (R5.1).
    """
    table = _TerminalGame(console, game, seating, translations)
    try:
        say = translations.gettext
        welcome = say("Type {help} at any prompt to learn what you can do, {quit} to leave.")
        console.print(welcome.format(help="[bold]help[/]", quit="[bold]quit[/]") + "\n")
        while not table.game.over:
            table.print_events()
            seat = table.game.state.turn
            if seat is None or seat == seating.person:
                table.ask()
            else:
                table.play_bot()
                if step and not table.game.over:
                    table.pause()
        table.print_events()
    except (LeaveGame, KeyboardInterrupt):
        console.print(translations.gettext("You leave the table."))
    return table.game


class _TerminalGame:
    """A game that prints its events and reads the player's decisions from the prompt."""

    def __init__(
        self, console: Console, game: Game, seating: Seating, translations: NullTranslations
    ) -> None:
        self.game = game
        self._console = console
        self._seating = seating
        self._translations = translations
        self._writer = GameLogWriter(seating.names, translations)
        self._printed = 0
        self._rule: str | None = None
        self._lines: list[str] = []

    @property
    def _view(self) -> View:
        return self.game.view(self._seating.person)

    def play(self, seat: int, action: Action) -> None:
        """Play an action, then let bots sell out of turn (R5.1); raises IllegalAction."""
        self.game = play_action(self.game, seat, action, self._seating.bots)

    def play_bot(self) -> None:
        """Let the bot whose turn it is act, then let bots sell out of turn."""
        self.game = play_turn(self.game, self._seating.bots)

    def print_events(self) -> None:
        """Print the events that are not printed yet."""
        for event in self.game.course[self._printed :]:
            for line in self._writer.lines(event):
                self._lines.append(line)
                self._console.print(escape(line), highlight=False)
        self._printed = len(self.game.course)

    def ask(self) -> None:
        """Draw the table and prompt until the player has acted."""
        say = self._translations.gettext
        self._console.print(render_view(self._view, self._seating.names, self._translations))
        self._console.print(f"[bold]{_question(self._view, self._translations)}[/]")
        if self._view.phase in (Phase.LIMIT, Phase.FINAL_SALE):
            for sale in suggested_sales(self._view)[:1]:
                best = say("Your best set: {cards} for {profit} (type 'sell').")
                cards = card_names(sale.cards, self._translations)
                earned = profit([kept(sale.cards)])
                self._console.print(f"[dim]{best.format(cards=cards, profit=earned)}[/]")
        while not self._handle(self._read_line("> ")):
            pass

    def pause(self) -> None:
        """Wait until the player presses Enter; until then the player can sell out of turn."""
        self.print_events()
        prompt = self._translations.gettext("[Enter to go on, or sell]") + " "
        while (typed := self._read_line(prompt)).strip():
            if self._handle(typed, only_sales=True):
                self.print_events()

    def _handle(self, typed: str, *, only_sales: bool = False) -> bool:
        """Handle a typed line, and return whether it led to an action."""
        word = typed.strip().lower()
        if word in ("quit", "exit", "q"):
            raise LeaveGame
        if word in ("help", "h", "?"):
            self._console.print(render_help(self._translations))
        elif word == "why":
            self._explain_rule()
        elif word == "log":
            for line in self._lines[-20:]:
                self._console.print(escape(line), highlight=False)
        elif word:
            return self._act(typed, only_sales=only_sales)
        return False

    def _act(self, typed: str, *, only_sales: bool) -> bool:
        say = self._translations.gettext
        try:
            actions = parse_input(typed, self._view, self._translations)
            if only_sales and not all(isinstance(action, Sell) for action in actions):
                self._refuse(say("It is not your turn; you may sell a set, or press Enter."))
                return False
            for action in actions:
                self.play(self._seating.person, action)
        except NothingToSell:
            self._refuse(say("You have no set to sell."), "R5.1")
            return False
        except Malformed as error:
            self._refuse(explain(error, self._translations))
            return False
        except IllegalAction as error:
            self._refuse(explain(error, self._translations), error.refusal.rule)
            return False
        return True

    def _refuse(self, text: str, rule: str | None = None) -> None:
        """Print why a line was refused, and keep the rule for ``why``."""
        self._rule = rule
        self._console.print(f"[red]{escape(text)}[/]", highlight=False)

    def _explain_rule(self) -> None:
        """Print the rule behind the last refusal."""
        text = self._translations.gettext("No rule was broken.")
        if self._rule is not None:
            text = f"{self._rule}: {rule_text(self._rule, self._translations)}"
        self._console.print(escape(text), highlight=False)

    def _read_line(self, prompt: str) -> str:
        try:
            return self._console.input(escape(prompt))
        except EOFError:
            self._console.print()
            raise LeaveGame from None
        except UnicodeDecodeError:
            return "?"


def _question(seen: View, translations: NullTranslations) -> str:
    options: Options = seen.options
    match seen.phase:
        case Phase.AUCTION if not seen.highest:
            text = _("Your turn: bid any number of cards, or pass.")
        case Phase.AUCTION if options.bids:
            text = _("Your turn: the highest bid is {highest}. Beat it, or pass.")
        case Phase.AUCTION:
            text = _("Your turn: you cannot beat {highest}. You can only pass.")
        case Phase.GIVE:
            text = _("The offer is yours: give one card of it to the market.")
        case Phase.MARKET:
            text = _("Take all the cards of one kind from the market.")
        case Phase.LIMIT:
            text = _("You hold {held} cards: sell or discard down to seven.")
        case Phase.FINAL_SALE | Phase.OVER:
            text = _("The final sale: sell what you can ('sell all'), then type 'done'.")
    return translations.gettext(text).format(highest=seen.highest, held=len(seen.hand))
