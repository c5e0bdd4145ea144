"""Ratings as rows of the database. These functions run in the store's transactions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, and_, delete, exists, func, insert, select, update

from byzanz.arena.bot_ratings import bot_skills
from byzanz.arena.skill import SURE, Skill
from byzanz.tables.model.ratings import MOST_MEETINGS, RatedSeat, rated_seats, rated_skills
from byzanz.tables.model.table import Table

from . import schema

_DAY = 24 * 3600.0
_R, _S, _N = schema.ratings, schema.rated_seats, schema.rated_networks


class StoredRating(NamedTuple):
    """The rating of a guest in games with this number of players."""

    guest: str
    players: int
    skill: Skill
    games: int
    name: str | None
    avatar: int | None


class RatedChange(NamedTuple):
    """How a game changed the rating of a seat."""

    seat: int
    person: bool
    """Whether a person played the seat; a bot keeps its rating."""
    abandoned: bool
    before: Skill
    after: Skill


def rate_finished(connection: Connection, table: Table, finished: float) -> None:
    """Update the ratings after a game; do nothing if the table is not rated.

    This runs in the transaction that stores the results. No rating changes if two people used the
    same network address, or have played too many rated games together within the last day.
    """
    seats = rated_seats(table)
    if not table.options.rated:
        return
    shared = _share_network(connection, table.id)
    connection.execute(delete(_N).where(_N.c.table_id == table.id))
    guests = sorted(seat.guest for seat in seats if seat.guest is not None)
    if not seats or shared or _met_too_often(connection, guests, finished - _DAY):
        return
    players = len(table.chairs)
    stored = _skills(connection, guests, players)
    before = [_skill(seat, players, stored) or Skill() for seat in seats]
    after = rated_skills(seats, before)
    rows = [
        {
            "table_id": table.id,
            "finished": finished,
            "players": players,
            **seat._asdict(),
            **dict(zip(("mu", "sigma", "new_mu", "new_sigma"), (*old, *new), strict=True)),
        }
        for seat, old, new in zip(seats, before, after, strict=True)
    ]
    connection.execute(insert(_S), rows)
    for seat, skill in zip(seats, after, strict=True):
        if seat.guest is not None:
            row = {"mu": skill.mu, "sigma": skill.sigma, "updated": finished}
            here = and_(_R.c.guest == seat.guest, _R.c.players == players)
            if seat.guest in stored:
                connection.execute(update(_R).where(here).values(**row, games=_R.c.games + 1))
            else:
                key = {"guest": seat.guest, "players": players, "games": 1}
                connection.execute(insert(_R).values(**key, **row))


def note_network(connection: Connection, table: str, guest: str, digest: str) -> None:
    """Store the digest of an address from which a guest plays a rated game."""
    here = and_(_N.c.table_id == table, _N.c.guest == guest, _N.c.digest == digest)
    if connection.scalar(select(func.count()).where(here)) == 0:
        connection.execute(insert(_N).values(table_id=table, guest=guest, digest=digest))


def leaders(connection: Connection, players: int, most: int) -> tuple[StoredRating, ...]:
    """Return the highest ratings, provisional ones last."""
    order = (_R.c.sigma > SURE, _R.c.mu.desc(), _R.c.updated, _R.c.guest)
    query = _ratings().where(_R.c.players == players).order_by(*order).limit(most)
    return tuple(map(_stored, connection.execute(query)))


def ratings_of(connection: Connection, guest: str) -> tuple[StoredRating, ...]:
    """Return the ratings of a guest, ordered by the number of players."""
    query = _ratings().where(_R.c.guest == guest).order_by(_R.c.players)
    return tuple(map(_stored, connection.execute(query)))


def rank_of(connection: Connection, guest: str, players: int) -> int | None:
    """Return the guest's rank among the ratings that are not provisional.

    Returns None if the guest has no such rating.
    """
    own = connection.scalar(
        select(_R.c.mu).where(_R.c.guest == guest, _R.c.players == players, _R.c.sigma <= SURE)
    )
    if own is None:
        return None
    above = and_(_R.c.players == players, _R.c.sigma <= SURE, _R.c.mu > own)
    return 1 + (connection.scalar(select(func.count()).where(above)) or 0)


def changes_of(connection: Connection, table: str) -> tuple[RatedChange, ...]:
    """Return how the game of this table changed the ratings; nothing if it was not rated."""
    rows = connection.execute(select(_S).where(_S.c.table_id == table).order_by(_S.c.seat))
    return tuple(
        RatedChange(
            row.seat,
            row.bot is None,
            row.abandoned,
            Skill(row.mu, row.sigma),
            Skill(row.new_mu, row.new_sigma),
        )
        for row in rows
    )


def drop_ratings(connection: Connection, guest: str) -> None:
    """Delete the guest's ratings. Rated games stay for the guest's opponents, without the guest."""
    connection.execute(delete(_R).where(_R.c.guest == guest))
    connection.execute(delete(_N).where(_N.c.guest == guest))
    connection.execute(update(_S).where(_S.c.guest == guest).values(guest=None))
    others = _S.alias()
    same = exists().where(others.c.table_id == _S.c.table_id, others.c.guest.is_not(None))
    connection.execute(delete(_S).where(~same))


def recompute(connection: Connection) -> int:
    """Compute all ratings again from the rated games; return the number of games.

    A guest who was forgotten counts with the rating that they had.
    """
    rows = connection.execute(select(_S).order_by(_S.c.finished, _S.c.table_id, _S.c.seat)).all()
    ratings: dict[tuple[str, int], dict[str, Any]] = {}
    count = 0
    for table, group in groupby(rows, lambda row: row.table_id):
        count += 1
        game = list(group)
        players = game[0].players
        seats = [RatedSeat(r.seat, r.guest, r.bot, r.place, r.abandoned) for r in game]
        known = {
            seat.guest: Skill(rating["mu"], rating["sigma"])
            for seat in seats
            if seat.guest is not None and (rating := ratings.get((seat.guest, players)))
        }
        before = [
            _skill(seat, players, known) or _missing(seat, row)
            for seat, row in zip(seats, game, strict=True)
        ]
        after = rated_skills(seats, before)
        for seat, old, new in zip(seats, before, after, strict=True):
            here = and_(_S.c.table_id == table, _S.c.seat == seat.seat)
            connection.execute(
                update(_S)
                .where(here)
                .values(mu=old.mu, sigma=old.sigma, new_mu=new.mu, new_sigma=new.sigma)
            )
            if seat.guest is not None:
                row = ratings.setdefault((seat.guest, players), {"games": 0})
                row.update(mu=new.mu, sigma=new.sigma, updated=game[0].finished)
                row["games"] += 1
    connection.execute(delete(_R))
    if ratings:
        new_rows = [{"guest": g, "players": n, **row} for (g, n), row in ratings.items()]
        connection.execute(insert(_R), new_rows)
    return count


def _skill(seat: RatedSeat, players: int, known: dict[str, Skill]) -> Skill | None:
    """Return the skill of a seat before a game; None if it is not known."""
    if seat.bot is not None:
        return bot_skills(players).get(seat.bot)
    return None if seat.guest is None else known.get(seat.guest)


def _missing(seat: RatedSeat, row: Row[Any]) -> Skill:
    """Return a guest's initial skill; for a forgotten guest or unknown bot, the stored skill."""
    return Skill() if seat.guest is not None else Skill(row.mu, row.sigma)


def _skills(connection: Connection, guests: Sequence[str], players: int) -> dict[str, Skill]:
    """Return the skills of the guests who have one, and lock them for this transaction."""
    query = select(_R).where(_R.c.guest.in_(guests), _R.c.players == players)
    rows = connection.execute(query.order_by(_R.c.guest).with_for_update())
    return {row.guest: Skill(row.mu, row.sigma) for row in rows}


def _share_network(connection: Connection, table: str) -> bool:
    """Return whether two people played at the table from one network address."""
    guests = func.count(_N.c.guest.distinct())
    query = select(_N.c.digest).where(_N.c.table_id == table).group_by(_N.c.digest)
    return connection.execute(query.having(guests > 1)).first() is not None


def _met_too_often(connection: Connection, guests: Iterable[str], since: float) -> bool:
    """Return whether two of these guests have played too many rated games together since then."""
    named = list(guests)
    one, two = _S.alias(), _S.alias()
    met = and_(one.c.table_id == two.c.table_id, one.c.guest < two.c.guest)
    query = (
        select(one.c.guest)
        .join(two, met)
        .where(one.c.guest.in_(named), two.c.guest.in_(named), one.c.finished > since)
        .group_by(one.c.guest, two.c.guest)
        .having(func.count() >= MOST_MEETINGS)
    )
    return connection.execute(query).first() is not None


def _ratings() -> Any:
    g = schema.guests
    return select(_R, g.c.name, g.c.avatar).join(g, g.c.id == _R.c.guest)


def _stored(row: Row[Any]) -> StoredRating:
    skill = Skill(row.mu, row.sigma)
    return StoredRating(row.guest, row.players, skill, row.games, row.name, row.avatar)
