"""The score of one game for each seat, with the rule for seats whose bot failed.

With ``forfeit``, a seat whose bot failed gets no share of the win, no profit and the last place.
The other seats keep their profit and are ranked among themselves: the best of them wins. If several
seats failed, they share the last places. If all seats failed, nobody wins.

With ``fallback``, the game is scored as it was played, with the safe actions.
"""

from __future__ import annotations

from dataclasses import dataclass

from .league import OnFailure, Outcome


@dataclass(frozen=True)
class Score:
    """The score of a game, by seat."""

    wins: tuple[float, ...]
    """Shares of the win; a shared win is split."""
    profit: tuple[int, ...]
    places: tuple[int, ...]
    """1 for the best; seats that are tied share the best of their places."""


def score(game: Outcome, on_failure: OnFailure) -> Score:
    """Return the score of a game."""
    if not game.failed or on_failure is OnFailure.FALLBACK:
        return Score(_split_win(game.places), game.profit, game.places)
    failed = set(game.failed)
    sound = [place for seat, place in enumerate(game.places) if seat not in failed]
    places = tuple(
        1 + (len(sound) if seat in failed else sum(other < place for other in sound))
        for seat, place in enumerate(game.places)
    )
    profit = tuple(0 if seat in failed else earned for seat, earned in enumerate(game.profit))
    return Score(_split_win(places) if sound else (0.0,) * len(places), profit, places)


def _split_win(places: tuple[int, ...]) -> tuple[float, ...]:
    winners = places.count(1)
    return tuple(1 / winners if place == 1 else 0.0 for place in places)
