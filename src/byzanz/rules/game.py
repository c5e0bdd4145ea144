"""A game: a deal, what was played, and the state it led to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .actions import Action
from .deal import Deal
from .events import Event, Played, events, opening
from .play import apply, begin
from .scoring import Result, result
from .state import Phase, State
from .view import View, view


@dataclass(frozen=True)
class Game:
    """A game so far; playing on makes a new one, and this one stays."""

    deal: Deal
    state: State
    course: tuple[Event, ...]

    @classmethod
    def start(cls, deal: Deal) -> Game:
        """The game of this deal before the first action."""
        state = begin(deal)
        return cls(deal, state, opening(state))

    @classmethod
    def replay(cls, deal: Deal, plays: Iterable[Played]) -> Game:
        """The game of this deal after these actions; raises IllegalAction at the first refused."""
        game = cls.start(deal)
        for played in plays:
            game = game.play(played.seat, played.action)
        return game

    def play(self, seat: int, action: Action) -> Game:
        """The game after the seat's action; raises IllegalAction if the rules refuse it."""
        after = apply(self.state, seat, action)
        return Game(self.deal, after, self.course + events(self.state, seat, action, after))

    @property
    def plays(self) -> tuple[Played, ...]:
        """The actions so far, in the order they happened."""
        return tuple(event for event in self.course if isinstance(event, Played))

    @property
    def over(self) -> bool:
        """Whether the game has ended (R7.2)."""
        return self.state.phase is Phase.OVER

    @property
    def result(self) -> Result:
        """The result as the cards lie now; final once the game is over."""
        return result(self.state)

    def view(self, seat: int | None) -> View:
        """What the seat knows, or a spectator for None, the course of play included."""
        return view(self.state, seat, self.course)
