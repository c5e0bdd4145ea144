"""A table's life: each command makes the next table from the one before, or declines.

Everything here is pure. A command that finds nothing to do gives back the very table it got.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from byzanz.rules import Action, Deal, Done, Game, Give, Phase, Sell

from .guests import Guest
from .plan import BotSeat, Host, NewTable, TableOptions
from .reasons import Declined, TableReason
from .table import Chair, Change, Entry, Hand, Stage, Table

Dealing = Callable[[int], Deal]


@dataclass(frozen=True, slots=True)
class Founding:
    """What a new table gets from outside."""

    table: str
    """Its id."""
    dealing: Dealing
    seed: int
    now: float


def founded(guest: Guest, plan: NewTable, founding: Founding) -> Table:
    """A new table with its host seated; in play at once if no seat waits for a person."""
    chairs = []
    for seat in plan.seats:
        match seat:
            case Host():
                chairs.append(Chair(guest.id, guest.name))
            case BotSeat():
                chairs.append(Chair(bot=seat.bot))
            case _:
                chairs.append(Chair())
    new = _new(founding, guest.id, plan.options, tuple(chairs))
    return new if new.open_seats else _dealt(new, founding.dealing, founding.now)


def rematch(before: Table, guest: str, bot: str, founding: Founding, *, rotated: bool) -> Table:
    """The same people and bots at a new table, in play: a new deal, or this one a seat further."""
    _seat(before, guest)
    if before.game is None or before.stage is not Stage.FINISHED:
        raise Declined(TableReason.NOT_FINISHED)
    deal = before.game.deal
    chairs = tuple(_afresh(chair, bot) for chair in before.chairs)
    if rotated:
        chairs = (chairs[-1], *chairs[:-1])
    new = replace(_new(founding, guest, before.options, chairs), follows=before.id)
    return _dealt(new, (lambda _: deal) if rotated else founding.dealing, founding.now)


def joined(table: Table, guest: Guest, seat: int | None, dealing: Dealing, now: float) -> Table:
    """The guest seated; the game begins when no seat is open any more."""
    if table.seat_of(guest.id) is not None:
        raise Declined(TableReason.ALREADY_SEATED)
    _must_last(table)
    if table.stage is not Stage.OPEN:
        raise Declined(TableReason.TABLE_FULL)
    if seat is None:
        seat = table.open_seats[0]
    elif not 0 <= seat < len(table.chairs):
        raise Declined(TableReason.NOT_A_SEAT, seat=seat, last=len(table.chairs) - 1)
    elif not table.is_open(seat):
        raise Declined(TableReason.SEAT_TAKEN, seat=seat)
    seated = _next(table, now, chairs=_with(table, seat, Chair(guest.id, guest.name)))
    return seated if seated.open_seats else _dealt(seated, dealing, now, seated.version)


def started(table: Table, guest: str, bot: str, dealing: Dealing, now: float) -> Table:
    """The game begun by the host, with this bot on the seats still open."""
    _must_be_host(table, guest)
    _must_last(table)
    if table.stage is not Stage.OPEN:
        raise Declined(TableReason.ALREADY_STARTED)
    chairs = tuple(
        Chair(bot=bot) if table.is_open(seat) else chair for seat, chair in enumerate(table.chairs)
    )
    return _dealt(replace(table, chairs=chairs), dealing, now)


def left(table: Table, guest: str, bot: str, now: float) -> Table:
    """The guest gone for good: a seat at an open table is free again, else the bot takes it."""
    seat = _seat(table, guest)
    _must_last(table)
    if table.stage is Stage.OPEN:
        chairs = _with(table, seat, Chair())
    else:
        away = replace(table.chairs[seat], bot=bot, standing_in=False, left=True)
        chairs = _with(table, seat, away)
    host = table.host if table.host != guest else _heir(chairs)
    stage = table.stage if host or table.stage is not Stage.OPEN else Stage.EXPIRED
    return _next(table, now, chairs=chairs, host=host, stage=stage)


def replaced(  # noqa: PLR0913
    table: Table, guest: str, seat: int, bot: str, present: frozenset[str], *, now: float
) -> Table:
    """The bot standing in for a person not present, as the host wishes; the owner may return."""
    _must_be_host(table, guest)
    _must_play(table)
    if not 0 <= seat < len(table.chairs):
        raise Declined(TableReason.NOT_A_SEAT, seat=seat, last=len(table.chairs) - 1)
    if table.options.think_seconds is not None:
        raise Declined(TableReason.HAS_TIME_LIMIT)
    chair = table.chairs[seat]
    if chair.guest is None or chair.bot is not None:
        raise Declined(TableReason.NOT_A_PERSON, seat=seat)
    if chair.guest in present:
        raise Declined(TableReason.NOT_ABSENT, seat=seat)
    return _next(table, now, chairs=_with(table, seat, _stood_in(chair, bot)))


def returned(table: Table, guest: str | None, now: float) -> Table:
    """The stand-in gone from the guest's seat; the table as it is if there was none."""
    seat = table.seat_of(guest)
    if seat is None or not table.chairs[seat].standing_in or table.stage is not Stage.PLAYING:
        return table
    return _next(table, now, chairs=_with(table, seat, _back(table.chairs[seat])))


def timed_out(table: Table, bot: str, now: float) -> Table:
    """The bot standing in for every person the table waits for, if their time is up."""
    if table.deadline is None or now < table.deadline:
        return table
    chairs = list(table.chairs)
    for seat in table.waiting_for:
        if chairs[seat].bot is None:
            chairs[seat] = _stood_in(chairs[seat], bot)
    return _next(table, now, chairs=tuple(chairs))


def acted(  # noqa: PLR0913
    table: Table,
    guest: str,
    action: Action,
    now: float,
    *,
    decision: int | None,
    sale: int | None,
) -> Change:
    """The table after a person's action, and its line in the log; IllegalAction by the rules."""
    seat = _seat(table, guest)
    _must_play(table)
    named, due = (
        (sale, table.sales[seat]) if isinstance(action, Sell) else (decision, table.decision)
    )
    if named != due:
        raise Declined(TableReason.STALE_DECISION)
    played = after(table, seat, action)
    chairs = _with(table, seat, _back(table.chairs[seat]))
    entry = Entry(table.number, now, seat, action, Hand.PERSON)
    return _logged(table, replace(played, chairs=chairs), entry)


def moved(table: Table, seat: int, action: Action, now: float) -> Change:
    """The table after a bot's action, and its line in the log; IllegalAction by the rules.

    Nobody waits for who plays by the clock with bots alone: a bot stands in there for one action.
    """
    chair, others = table.chairs[seat], _with(table, seat, Chair())
    timed = chair.standing_in and table.options.think_seconds is not None
    played = after(table, seat, action)
    if timed and not any(other.guest and not other.left for other in others):
        played = replace(played, chairs=_with(table, seat, _back(chair)))
    entry = Entry(table.number, now, seat, action, Hand.BOT)
    return _logged(table, played, entry)


def forced(table: Table) -> tuple[int, Give] | None:
    """The seat that must give the last offer's single card to the market, and that act (R3.11)."""
    if table.stage is not Stage.PLAYING or table.game is None:
        return None
    state = table.game.state
    if state.phase is not Phase.GIVE or len(state.stack) != 1 or len(state.offer) != 1:
        return None
    return None if state.turn is None else (state.turn, Give(state.offer[0]))


def obeyed(table: Table, now: float) -> Change:
    """The table after what its seat was forced to do, and the line in the log."""
    found = forced(table)
    if found is None:
        return Change(table)
    seat, action = found
    entry = Entry(table.number, now, seat, action, Hand.TABLE)
    return _logged(table, after(table, seat, action), entry)


def expired(table: Table, now: float) -> Table:
    """The table closed because nobody came for too long."""
    _must_last(table)
    return _next(table, now, stage=Stage.EXPIRED)


def renamed(table: Table, guest: str, name: str | None, now: float) -> Table:
    """The guest's seat under another name."""
    chairs = tuple(
        replace(chair, name=name) if chair.guest == guest else chair for chair in table.chairs
    )
    return table if chairs == table.chairs else _next(table, now, chairs=chairs)


def forgotten(table: Table, guest: str, bot: str, now: float) -> Table:
    """The table without anything that tells of the guest, who has left it."""
    if table.seat_of(guest) is not None and table.stage in (Stage.OPEN, Stage.PLAYING):
        table = replace(left(table, guest, bot, now), version=table.version)
    chairs = tuple(
        replace(chair, guest=None, name=None) if chair.guest == guest else chair
        for chair in table.chairs
    )
    host = None if table.host == guest else table.host
    return _next(table, now, chairs=chairs, host=host)


def followed(table: Table, by: str, now: float) -> Table:
    """The finished table with its rematch named."""
    return _next(table, now, followed_by=by)


def after(table: Table, seat: int, action: Action) -> Table:
    """The table with the action played and nothing else changed; raises IllegalAction."""
    if table.game is None:
        raise Declined(TableReason.NOT_STARTED)
    was = table.game.state
    game = table.game.play(seat, action)
    sales = table.sales
    if isinstance(action, Sell):
        sales = (*sales[:seat], sales[seat] + 1, *sales[seat + 1 :])
        answered = (was.phase, was.turn) != (game.state.phase, game.state.turn)
    else:
        # Seats say done in any order (I8): one's word does not touch what another answers.
        answered = not isinstance(action, Done)
    return replace(
        table,
        game=game,
        number=table.number + 1,
        decision=table.decision + answered,
        sales=sales,
        stage=Stage.FINISHED if game.over else table.stage,
    )


def _logged(table: Table, played: Table, entry: Entry) -> Change:
    """The table, timed anew if the decision is another, and the line that tells of it."""
    same = played.decision == table.decision
    return Change(_next(played, entry.at, deadline=table.deadline if same else None), entry)


def _new(founding: Founding, host: str, options: TableOptions, chairs: tuple[Chair, ...]) -> Table:
    return Table(
        id=founding.table,
        created=founding.now,
        active=founding.now,
        version=1,
        stage=Stage.OPEN,
        options=options,
        host=host,
        chairs=chairs,
        seed=founding.seed,
    )


def _dealt(table: Table, dealing: Dealing, now: float, version: int | None = None) -> Table:
    players = len(table.chairs)
    return _next(
        table,
        now,
        version=version or table.version + 1,
        stage=Stage.PLAYING,
        game=Game.start(dealing(players)),
        sales=(0,) * players,
    )


def _next(table: Table, now: float, **changes: Any) -> Table:
    """The table changed, one version on, its deadline kept or set as the waiting demands."""
    new = replace(table, **{"version": table.version + 1, "active": now, **changes})
    seconds = new.options.think_seconds
    if seconds is None or all(new.chairs[seat].bot for seat in new.waiting_for):
        return replace(new, deadline=None)
    return new if new.deadline is not None else replace(new, deadline=now + seconds)


def _afresh(chair: Chair, bot: str) -> Chair:
    """Who sits down for a rematch: the person, unless gone for good, else a bot."""
    if chair.guest is None or chair.left:
        return Chair(bot=chair.bot or bot)
    return Chair(chair.guest, chair.name)


def _stood_in(chair: Chair, bot: str) -> Chair:
    return replace(chair, bot=bot, standing_in=True)


def _back(chair: Chair) -> Chair:
    return replace(chair, bot=None, standing_in=False)


def _with(table: Table, seat: int, chair: Chair) -> tuple[Chair, ...]:
    return (*table.chairs[:seat], chair, *table.chairs[seat + 1 :])


def _heir(chairs: tuple[Chair, ...]) -> str | None:
    """The next person, who is host when the host has left."""
    return next((chair.guest for chair in chairs if chair.guest and not chair.left), None)


def _seat(table: Table, guest: str) -> int:
    seat = table.seat_of(guest)
    if seat is None:
        raise Declined(TableReason.NOT_YOUR_SEAT)
    return seat


def _must_be_host(table: Table, guest: str) -> None:
    if table.host != guest:
        raise Declined(TableReason.NOT_HOST)


def _must_play(table: Table) -> None:
    _must_last(table)
    if table.stage is Stage.OPEN:
        raise Declined(TableReason.NOT_STARTED)


def _must_last(table: Table) -> None:
    if table.stage is Stage.EXPIRED:
        raise Declined(TableReason.EXPIRED)
    if table.stage is Stage.FINISHED:
        raise Declined(TableReason.FINISHED)
