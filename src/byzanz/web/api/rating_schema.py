"""Types of the JSON for ratings and talk."""

from __future__ import annotations

from msgspec import Struct

from byzanz.tables import Phrase


class Talking(Struct, forbid_unknown_fields=True):
    """What to say: the code of a reaction or a phrase."""

    phrase: Phrase


class TalkSwitch(Struct, forbid_unknown_fields=True):
    """Whether people can talk at the table."""

    on: bool


class Rating(Struct):
    """A line of a leaderboard: a person or a bot."""

    name: str
    bot: bool
    you: bool
    rank: int | None
    """The rank among people; null for bots and provisional ratings."""
    rating: int
    margin: int
    """The standard deviation of the rating."""
    games: int | None
    """The number of rated games; null for a bot."""
    provisional: bool


class Leaderboard(Struct):
    """People and bots by rating, then people with provisional ratings."""

    players: int
    ratings: list[Rating]


class MyRating(Struct):
    """Your rating in games of one number of players."""

    players: int
    rating: int
    margin: int
    games: int
    provisional: bool


class MyRatings(Struct):
    """Your ratings."""

    ratings: list[MyRating]


class RatingChange(Struct):
    """How a game changed the rating of a person."""

    seat: int
    before: int
    after: int
    abandoned: bool
    """Whether the person left or a bot decided for them: this counts as the last place."""


class RatingChanges(Struct):
    """How a game changed ratings; empty if it was not rated."""

    changes: list[RatingChange]
