"""A game: its deal, its events so far, and its current state."""

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
    """A game so far. It is immutable: :meth:`play` returns a new game."""

    deal: Deal
    state: State
    course: tuple[Event, ...]

    @classmethod
    def start(cls, deal: Deal) -> Game:
        """Return the game of this deal before the first action."""
        state = begin(deal)
        return cls(deal, state, opening(state))

    @classmethod
    def replay(cls, deal: Deal, plays: Iterable[Played]) -> Game:
        """Return the game after these actions; raises IllegalAction at the first illegal one."""
        game = cls.start(deal)
        for played in plays:
            game = game.play(played.seat, played.action)
        return game

    def play(self, seat: int, action: Action) -> Game:
        """Return the game after the seat's action; raises IllegalAction if it is not legal."""
        after = apply(self.state, seat, action)
        return Game(self.deal, after, self.course + events(self.state, seat, action, after))

    @property
    def plays(self) -> tuple[Played, ...]:
        """The actions so far, in order."""
        return tuple(event for event in self.course if isinstance(event, Played))

    @property
    def over(self) -> bool:
        """Whether the game has ended (R7.2)."""
        return self.state.phase is Phase.OVER

    @property
    def result(self) -> Result:
        """The result as if the game ended now; it is final once the game is over."""
        return result(self.state)

    def view(self, seat: int | None) -> View:
        """Return the view of a seat, or of a spectator if None, with all public events."""
        return view(self.state, seat, self.course)
