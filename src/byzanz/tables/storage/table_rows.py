"""Tables as rows of the database. These functions run in the store's transactions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, delete, func, insert, or_, select, update

from byzanz.notation import parse_action, write_plays
from byzanz.notation.record import parse_header, parse_line
from byzanz.rules import Deal, Game
from byzanz.tables.model.answers import Outcome, Request, UndoRequest, write_outcome
from byzanz.tables.model.plan import TableOptions
from byzanz.tables.model.play import note, play
from byzanz.tables.model.prepared import Automatic, Dropped, read_prepared, write_prepared
from byzanz.tables.model.table import Chair, Change, LogEntry, Replaced, Stage, Table
from byzanz.tables.model.undo import is_undo, take_back

from . import schema
from .archive import logged, read_archive
from .rating_rows import rate_finished
from .result_rows import add_results
from .store import Conflict
from .talk_rows import load_sayings, save_sayings

_PLAYING = Stage.PLAYING

_CHANGING = (
    "active", "version", "stage", "host", "followed_by", "waiting", "deadline", "revision",
)  # fmt: skip
"""The columns of a table that a command can change, apart from the deal."""

# The statements that every action needs are built once: building costs more than running.
_CHANGE = (
    update(schema.tables)
    .where(schema.tables.c.id == bindparam("the_id"))
    .where(schema.tables.c.revision == bindparam("the_revision"))
    .values({name: bindparam(name) for name in _CHANGING})
)
_REVISION = select(schema.tables.c.revision).where(schema.tables.c.id == bindparam("the_id"))
_LOG = insert(schema.log)
_ANSWER = insert(schema.answers)
_EARLIER = select(schema.answers.c.digest, schema.answers.c.outcome).where(
    schema.answers.c.table_id == bindparam("the_id"),
    schema.answers.c.guest == bindparam("the_guest"),
    schema.answers.c.key == bindparam("the_key"),
)


def load_table(connection: Connection, table: str, known: Table | None = None) -> Table | None:
    """Return the table by replaying its log; None if there is none.

    If an earlier revision of the table is ``known``, only the later entries are replayed.
    """
    t = schema.tables
    while True:
        row = connection.execute(select(t).where(t.c.id == table)).one_or_none()
        if row is None:
            return None
        found = _loaded(connection, row, known)
        # Another process may have changed the table between two of these queries.
        if connection.scalar(_REVISION, {"the_id": table}) == row.revision:
            return found


def _loaded(connection: Connection, row: Row[Any], known: Table | None) -> Table:
    """Return the table of this row with its game."""
    found = head(row, chairs_of(connection, [row.id]).get(row.id, ()))
    found = replace(found, said=load_sayings(connection, row.id))
    if row.deal is None:
        return found
    if known is not None and known.game is not None and row.archive is None:
        for entry in logged(connection, row.id, known.logged):
            known = replayed(known, entry)
        return with_log_of(known, found)
    game = Game.start(_parsed_deal(row.deal))
    found = replace(found, game=game, sales=(0,) * len(found.chairs))
    for entry in _log_of(connection, row):
        found = replayed(found, entry)
    return replace(found, stage=Stage(row.stage))


def load_finished(
    connection: Connection, tables: Sequence[str]
) -> list[tuple[Table, Deal, list[LogEntry]]]:
    """Return finished tables, in this order, with their deals and logs but without their games."""
    t, chairs = schema.tables, chairs_of(connection, tables)
    query = select(t).where(t.c.id.in_(tables), t.c.stage == Stage.FINISHED, t.c.deal.is_not(None))
    rows = {row.id: row for row in connection.execute(query)}
    return [
        (
            head(rows[id_], chairs[id_]),
            _parsed_deal(rows[id_].deal),
            [*_log_of(connection, rows[id_])],
        )
        for id_ in tables
        if id_ in rows
    ]


def _parsed_deal(text: str) -> Deal:
    return parse_header(parse_line(text.encode())).deal


def _log_of(connection: Connection, row: Row[Any]) -> Iterator[LogEntry]:
    return logged(connection, row.id) if row.archive is None else read_archive(row.archive)


def with_log_of(known: Table, found: Table) -> Table:
    """Return ``found`` with the game of ``known`` and the other facts that follow from the log."""
    return replace(
        found,
        game=known.game,
        number=known.number,
        logged=known.logged,
        moves=known.moves,
        undone=known.undone,
        undone_by=known.undone_by,
        decision=known.decision,
        sales=known.sales,
    )


def replayed(table: Table, entry: LogEntry) -> Table:
    """Return the table after one more entry of its log."""
    if is_undo(entry.action):
        return take_back(table, entry)
    played = play(table, entry.seat, parse_action(entry.action))
    return note(table, played, entry.number, entry.seat, entry.by)


def add_table(connection: Connection, table: Table, entries: Sequence[LogEntry] = ()) -> None:
    """Insert a new table, and the entries with which its log begins."""
    connection.execute(
        insert(schema.tables).values(
            id=table.id,
            created=table.created,
            listed=table.options.listed,
            options=table.options.write(),
            seed=str(table.seed),
            follows=table.follows,
            rotated=table.rotated,
            shared_deal=table.shared_deal,
            origin=table.origin,
            origin_step=table.origin_step,
            deal_secret=table.deal_secret,
            password=table.password,
            deal=_deal(table.game),
            **_changing(table),
        )
    )
    connection.execute(
        insert(schema.seats),
        [
            {"table_id": table.id, "seat": seat, **_seat_row(chair)}
            for seat, chair in enumerate(table.chairs)
        ],
    )
    owners = {chair.guest for chair in table.chairs if chair.guest is not None}
    if table.password is not None and owners:
        admitted = [{"table_id": table.id, "guest": guest} for guest in sorted(owners)]
        connection.execute(insert(schema.admissions), admitted)
    if entries:
        connection.execute(_LOG, [_line(table.id, entry) for entry in entries])


def after(before: Table, change: Change) -> Table:
    """Return the table after the change, as it is stored."""
    return replace(change.table, revision=before.revision + 1)


def save(connection: Connection, before: Table, change: Change) -> None:
    """Store the change; raises Conflict if the stored table has a different revision."""
    now = change.table
    at = {"the_id": now.id, "the_revision": before.revision}
    if connection.execute(_CHANGE, {**at, **_changing(after(before, change))}).rowcount != 1:
        raise Conflict
    if change.entry is not None:
        connection.execute(_LOG, _line(now.id, change.entry))
    if before.game is None:
        t = schema.tables
        connection.execute(update(t).where(t.c.id == now.id).values(deal=_deal(now.game)))
    if now.said is not before.said:
        save_sayings(connection, now.id, before.said, now.said)
    if now.options != before.options:
        t = schema.tables
        options = {"options": now.options.write(), "listed": now.options.listed}
        connection.execute(update(t).where(t.c.id == now.id).values(options))
    s = schema.seats
    for seat, chair in enumerate(now.chairs):
        if chair != before.chairs[seat]:
            here = and_(s.c.table_id == now.id, s.c.seat == seat)
            connection.execute(update(s).where(here).values(_seat_row(chair)))
    if now.stage is Stage.FINISHED and before.stage is not Stage.FINISHED:
        add_results(connection, now, now.active)
        rate_finished(connection, now, now.active)
    if change.created is not None:
        add_table(connection, change.created)


def save_answer(
    connection: Connection,
    before: Table,
    change: Change,
    request: Request | UndoRequest,
    outcome: Outcome,
) -> tuple[str, str] | None:
    """Store a request's change and outcome, and return None.

    If the request's key was used before, store nothing, and return the digest and the outcome of
    the earlier request. Raises Conflict if the stored table has a different revision.
    """
    key = {"the_id": before.id, "the_guest": request.guest, "the_key": request.key}
    earlier = connection.execute(_EARLIER, key).one_or_none()
    if earlier is not None:
        return earlier.digest, earlier.outcome
    if before.seat_of(request.guest) is not None:  # spectators are always refused
        connection.execute(
            _ANSWER,
            {
                "table_id": before.id,
                "guest": request.guest,
                "key": request.key,
                "digest": request.digest,
                "outcome": write_outcome(outcome),
                "at": request.at,
            },
        )
    if change.table is not before:
        save(connection, before, change)
    elif connection.scalar(_REVISION, {"the_id": before.id}) != before.revision:
        raise Conflict  # the request was refused on an older revision of the table
    return None


def tables_mentioning(
    connection: Connection, guest: str, stages: Sequence[Stage] = tuple(Stage)
) -> tuple[str, ...]:
    """Return the ids of the tables of these stages that mention the guest."""
    t, s = schema.tables, schema.seats
    seated = select(s.c.table_id).where(s.c.guest == guest)
    mentioning = or_(t.c.id.in_(seated), t.c.host == guest)
    return tuple(connection.scalars(select(t.c.id).where(mentioning, t.c.stage.in_(stages))))


def waiting_tables(connection: Connection, holder: str | None = None) -> dict[str, float | None]:
    """Return the tables in play that wait for the service or have a deadline, with the deadlines.

    The service acts for bots, and for people who prepared an answer. With ``holder``, only the
    tables leased to this process are returned.
    """
    t, s = schema.tables, schema.seats
    automatic: dict[str, set[str]] = {}
    playing = t.c.stage == _PLAYING
    if holder is not None:
        leased = select(schema.leases.c.table_id).where(schema.leases.c.holder == holder)
        playing = and_(playing, t.c.id.in_(leased))
    served = or_(s.c.bot.is_not(None), s.c.prepared.is_not(None))
    seats = select(s.c.table_id, s.c.seat).join(t).where(playing, served)
    for table, seat in connection.execute(seats):
        automatic.setdefault(table, set()).add(str(seat))
    found = connection.execute(select(t.c.id, t.c.waiting, t.c.deadline).where(playing))
    return {
        table: deadline
        for table, waiting, deadline in found
        if deadline is not None or automatic.get(table, set()).intersection(waiting.split())
    }


def idle_tables(connection: Connection, stage: Stage, before: float) -> tuple[str, ...]:
    """Return the tables of this stage that have not changed since that time."""
    t = schema.tables
    return tuple(connection.scalars(select(t.c.id).where(t.c.stage == stage, t.c.active < before)))


def drop_table(connection: Connection, table: str) -> None:
    """Delete the table with its seats, log and answers."""
    connection.execute(delete(schema.tables).where(schema.tables.c.id == table))


def drop_old(connection: Connection, answers_before: float, now: float) -> None:
    """Delete answers given before that time, and personal links and bans that have expired."""
    connection.execute(delete(schema.answers).where(schema.answers.c.at < answers_before))
    for table in (schema.passes, schema.bans):
        connection.execute(delete(table).where(table.c.expires < now))


def hosted(connection: Connection, guest: str) -> int:
    """Return the number of unfinished tables that the guest hosts or has left to bots."""
    t, s = schema.tables, schema.seats
    left = select(s.c.table_id).where(s.c.guest == guest, s.c.gone)
    mine = or_(t.c.host == guest, t.c.id.in_(left))
    lasting = and_(mine, t.c.stage.in_([Stage.OPEN, _PLAYING]))
    return connection.scalar(select(func.count()).where(lasting)) or 0


def newest(connection: Connection) -> float | None:
    """Return the time of the last change of a table or visit of a guest; None if there is none."""
    changed = connection.scalar(select(func.max(schema.tables.c.active)))
    seen = connection.scalar(select(func.max(schema.guests.c.seen)))
    return max((at for at in (changed, seen) if at is not None), default=None)


def listed(connection: Connection, guest: str) -> int:
    """Return the number of open tables in the lobby that the guest hosts."""
    t = schema.tables
    mine = and_(t.c.host == guest, t.c.listed, t.c.stage == Stage.OPEN)
    return connection.scalar(select(func.count()).where(mine)) or 0


def seated(connection: Connection, guest: str) -> int:
    """Return the number of unfinished tables at which the guest has taken a seat."""
    t, s = schema.tables, schema.seats
    mine = and_(s.c.guest == guest, s.c.gone.is_(False), s.c.invited.is_(False))
    lasting = t.c.stage.in_([Stage.OPEN, _PLAYING])
    return connection.scalar(select(func.count()).select_from(s).join(t).where(mine, lasting)) or 0


def head(row: Row[Any], chairs: tuple[Chair, ...]) -> Table:
    """Return the table of this row with these chairs, without its game."""
    return Table(
        id=row.id,
        created=row.created,
        active=row.active,
        version=row.version,
        stage=Stage(row.stage),
        options=TableOptions.read(row.options),
        host=row.host,
        chairs=chairs,
        seed=int(row.seed),
        follows=row.follows,
        followed_by=row.followed_by,
        deadline=row.deadline,
        rotated=row.rotated,
        shared_deal=row.shared_deal,
        origin=row.origin,
        origin_step=row.origin_step,
        deal_secret=row.deal_secret,
        password=row.password,
        revision=row.revision,
    )


def chairs_of(connection: Connection, tables: Iterable[str]) -> dict[str, tuple[Chair, ...]]:
    """Return the chairs of these tables, in the order of their seats."""
    s = schema.seats
    found: dict[str, tuple[Chair, ...]] = {}
    rows = select(s).where(s.c.table_id.in_(list(tables))).order_by(s.c.table_id, s.c.seat)
    for row in connection.execute(rows):
        found[row.table_id] = (*found.get(row.table_id, ()), chair_of(row))
    return found


def chair_of(row: Any) -> Chair:
    """Return the chair of a row."""
    return Chair(
        guest=row.guest,
        name=row.name,
        bot=row.bot,
        standing_in=row.standing_in,
        left=row.gone,
        avatar=row.avatar,
        invited=row.invited,
        prepared=None if row.prepared is None else read_prepared(row.prepared),
        dropped=None if row.dropped is None else Dropped(row.dropped),
        automatic=Automatic(row.take_last, row.pass_beaten),
        replaced=None if row.replaced is None else Replaced(row.replaced),
        nonce=row.nonce,
        hints=row.hints,
        votes_end=row.votes_end,
    )


def _seat_row(chair: Chair) -> dict[str, object]:
    return {
        "guest": chair.guest,
        "name": chair.name,
        "bot": chair.bot,
        "standing_in": chair.standing_in,
        "gone": chair.left,
        "avatar": chair.avatar,
        "invited": chair.invited,
        "prepared": None if chair.prepared is None else write_prepared(chair.prepared),
        "dropped": chair.dropped,
        "take_last": chair.automatic.take_last,
        "pass_beaten": chair.automatic.pass_beaten,
        "replaced": chair.replaced,
        "nonce": chair.nonce,
        "hints": chair.hints,
        "votes_end": chair.votes_end,
    }


def _line(table: str, entry: LogEntry) -> dict[str, object]:
    return {
        "table_id": table,
        "number": entry.number,
        "at": entry.at,
        "seat": entry.seat,
        "action": entry.action,
        "by": entry.by,
    }


def _changing(table: Table) -> dict[str, object]:
    """Return the values of the columns in ``_CHANGING``."""
    return {
        "active": table.active,
        "version": table.version,
        "revision": table.revision,
        "stage": table.stage,
        "host": table.host,
        "followed_by": table.followed_by,
        "waiting": " ".join(map(str, table.waiting_for)),
        "deadline": table.deadline,
    }


def _deal(game: Game | None) -> str | None:
    """Return the deal as the header of a record; None before the game begins."""
    if game is None:
        return None
    return write_plays(game.deal, (), None, [""] * len(game.deal.hands)).strip()
