"""Commands: pure functions from a table to the next one.

A command raises Declined if the table does not allow it. If there is nothing to do, it returns the
table that it got.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from byzanz.notation import write_action
from byzanz.rules import Action, Deal, Done, Game, Give, Phase, Sell

from .answers import Request
from .guests import Guest
from .plan import BotSeat, Host, NewTable, TableOptions
from .refusals import Declined, TableReason
from .table import Actor, Chair, Change, LogEntry, Stage, Table

Dealer = Callable[[int], Deal]
"""Returns the deal for this many players."""


@dataclass(frozen=True, slots=True)
class Creation:
    """The values for a new table that come from outside: id, dealer, seed and time."""

    table: str
    """The table's id."""
    deal: Dealer
    seed: int
    now: float


def create(guest: Guest, plan: NewTable, creation: Creation) -> Table:
    """Return a new table with its host seated; in play at once if no seat is open."""
    chairs = []
    for seat in plan.seats:
        match seat:
            case Host():
                chairs.append(_chair_of(guest))
            case BotSeat():
                chairs.append(Chair(bot=seat.bot))
            case _:
                chairs.append(Chair())
    new = _new(creation, guest.id, plan.options, tuple(chairs))
    return new if new.open_seats else _dealt(new, creation.deal, creation.now)


def rematch(  # noqa: PLR0913
    before: Table, guest: str, bot: str, creation: Creation, *, rotated: bool, invite: bool = False
) -> Table:
    """Return a new table in play with the same people and bots.

    It has a new deal; or, if ``rotated``, the same deal with everybody one seat further. If
    ``invite``, the game begins when the other people have accepted.
    """
    _seat(before, guest)
    if before.game is None or before.stage is not Stage.FINISHED:
        raise Declined(TableReason.NOT_FINISHED)
    deal = before.game.deal
    chairs = tuple(_chair_for_rematch(chair, bot) for chair in before.chairs)
    if rotated:
        chairs = (chairs[-1], *chairs[:-1])
    new = replace(_new(creation, guest, before.options, chairs), follows=before.id)
    if invite:
        invited = tuple(
            replace(chair, invited=chair.guest not in (None, guest)) for chair in new.chairs
        )
        new = replace(new, chairs=invited, rotated=rotated)
        if not new.is_complete:
            return new
    return _dealt(new, (lambda _: deal) if rotated else creation.deal, creation.now)


def join(table: Table, guest: Guest, seat: int | None, deal: Dealer, now: float) -> Table:
    """Seat the guest; the game begins when no seat is open any more.

    An invited guest takes their own seat. If the host starts the game, it does not begin here,
    except for a rematch that everybody has accepted.
    """
    own = table.seat_of(guest.id)
    invited = own is not None and table.chairs[own].invited
    if own is not None and not invited:
        raise Declined(TableReason.ALREADY_SEATED)
    _check_not_ended(table)
    if table.stage is not Stage.OPEN or not (invited or table.open_seats):
        raise Declined(TableReason.TABLE_FULL)
    if invited or seat is None:
        seat = table.open_seats[0] if own is None else own
    elif not 0 <= seat < len(table.chairs):
        raise Declined(TableReason.NOT_A_SEAT, seat=seat, last=len(table.chairs) - 1)
    elif not table.is_open(seat):
        raise Declined(TableReason.SEAT_TAKEN, seat=seat)
    seated = _next(table, now, chairs=_with(table, seat, _chair_of(guest)))
    waits = seated.options.host_starts and seated.follows is None
    if waits or not seated.is_complete:
        return seated
    return _dealt(seated, deal, now, seated.version)


def start(table: Table, guest: str, bot: str, deal: Dealer, now: float) -> Table:
    """Begin the game at the host's request, with this bot on every open seat.

    The bot stands in for people who have not accepted their invitation.
    """
    _check_host(table, guest)
    _check_not_ended(table)
    if table.stage is not Stage.OPEN:
        raise Declined(TableReason.ALREADY_STARTED)
    chairs = tuple(
        Chair(bot=bot) if table.is_open(seat) else _started(chair, bot)
        for seat, chair in enumerate(table.chairs)
    )
    return _dealt(replace(table, chairs=chairs), deal, now)


def leave(table: Table, guest: str, bot: str, now: float) -> Table:
    """Remove the guest for good. At an open table the seat is free again, else the bot takes it.

    An invited guest declines the invitation so.
    """
    seat = _seat(table, guest)
    _check_not_ended(table)
    if table.stage is Stage.OPEN:
        chairs = _with(table, seat, Chair())
    else:
        away = replace(table.chairs[seat], bot=bot, standing_in=False, left=True)
        chairs = _with(table, seat, away)
    host = table.host if table.host != guest else _next_host(chairs)
    stage = table.stage if host or table.stage is not Stage.OPEN else Stage.EXPIRED
    return _next(table, now, chairs=chairs, host=host, stage=stage)


def stand_in(  # noqa: PLR0913
    table: Table, guest: str, seat: int, bot: str, present: frozenset[str], *, now: float
) -> Table:
    """Let the bot stand in for an absent person, at the host's request, until they return."""
    _check_host(table, guest)
    _check_playing(table)
    if not 0 <= seat < len(table.chairs):
        raise Declined(TableReason.NOT_A_SEAT, seat=seat, last=len(table.chairs) - 1)
    if table.options.think_seconds is not None:
        raise Declined(TableReason.HAS_TIME_LIMIT)
    chair = table.chairs[seat]
    if chair.guest is None or chair.bot is not None:
        raise Declined(TableReason.NOT_A_PERSON, seat=seat)
    if chair.guest in present:
        raise Declined(TableReason.NOT_ABSENT, seat=seat)
    return _next(table, now, chairs=_with(table, seat, _played_by_bot(chair, bot)))


def come_back(table: Table, guest: str | None, now: float) -> Table:
    """Take the stand-in from the guest's seat, if there is one."""
    seat = table.seat_of(guest)
    if seat is None or not table.chairs[seat].standing_in or table.stage is not Stage.PLAYING:
        return table
    return _next(table, now, chairs=_with(table, seat, _played_by_owner(table.chairs[seat])))


def time_out(table: Table, bot: str, now: float) -> Table:
    """Let the bot stand in for every person that the table waits for, if their time is up."""
    if table.deadline is None or now < table.deadline:
        return table
    chairs = list(table.chairs)
    for seat in table.waiting_for:
        if chairs[seat].bot is None:
            chairs[seat] = _played_by_bot(chairs[seat], bot)
    return _next(table, now, chairs=tuple(chairs))


def act(table: Table, request: Request) -> Change:
    """Play a person's action; raises IllegalAction if the rules refuse it."""
    seat = _seat(table, request.guest)
    _check_playing(table)
    if isinstance(request.action, Sell):
        current = request.sale == table.sales[seat]
    else:
        current = request.decision == table.decision
    if not current:
        raise Declined(TableReason.STALE_DECISION)
    played = play(table, seat, request.action)
    chairs = _with(table, seat, _played_by_owner(table.chairs[seat]))
    entry = LogEntry(table.number, request.at, seat, request.text, Actor.PERSON)
    return _logged(table, replace(played, chairs=chairs), entry)


def act_as_bot(table: Table, seat: int, action: Action, now: float) -> Change:
    """Play a bot's action; raises IllegalAction if the rules refuse it.

    At a table with a time limit and no other person, a stand-in plays one action only: nobody else
    would wait for the owner.
    """
    chair, others = table.chairs[seat], _with(table, seat, Chair())
    timed = chair.standing_in and table.options.think_seconds is not None
    played = play(table, seat, action)
    if timed and not any(other.guest and not other.left for other in others):
        played = replace(played, chairs=_with(table, seat, _played_by_owner(chair)))
    entry = LogEntry(table.number, now, seat, write_action(action), Actor.BOT)
    return _logged(table, played, entry)


def forced_give(table: Table) -> tuple[int, Give] | None:
    """Return the give that leaves no choice and the seat that must make it, or None (R3.11).

    The last player of a round gives the only card of the last offer to the market.
    """
    if table.stage is not Stage.PLAYING or table.game is None:
        return None
    state = table.game.state
    if state.phase is not Phase.GIVE or len(state.stack) != 1 or len(state.offer) != 1:
        return None
    return None if state.turn is None else (state.turn, Give(state.offer[0]))


def play_forced_give(table: Table, now: float) -> Change:
    """Play the forced give, if there is one."""
    found = forced_give(table)
    if found is None:
        return Change(table)
    seat, action = found
    entry = LogEntry(table.number, now, seat, write_action(action), Actor.TABLE)
    return _logged(table, play(table, seat, action), entry)


def expire(table: Table, now: float) -> Table:
    """Close the table because nobody used it for too long."""
    _check_not_ended(table)
    return _next(table, now, stage=Stage.EXPIRED)


def update_guest(table: Table, guest: Guest, now: float) -> Table:
    """Show the guest's present name and portrait on their seat."""
    chairs = tuple(
        replace(chair, name=guest.name, avatar=guest.avatar) if chair.guest == guest.id else chair
        for chair in table.chairs
    )
    return table if chairs == table.chairs else _next(table, now, chairs=chairs)


def forget(table: Table, guest: str, bot: str, now: float) -> Table:
    """Remove the guest, their name, portrait and id from the table."""
    if table.seat_of(guest) is not None and table.stage in (Stage.OPEN, Stage.PLAYING):
        table = replace(leave(table, guest, bot, now), version=table.version)
    chairs = tuple(
        replace(chair, guest=None, name=None, avatar=None) if chair.guest == guest else chair
        for chair in table.chairs
    )
    host = None if table.host == guest else table.host
    return _next(table, now, chairs=chairs, host=host)


def link_rematch(table: Table, new: str, now: float) -> Table:
    """Note the rematch of a finished table."""
    return _next(table, now, followed_by=new)


def play(table: Table, seat: int, action: Action) -> Table:
    """Play the action and change nothing else; raises IllegalAction if the rules refuse it."""
    if table.game is None:
        raise Declined(TableReason.NOT_STARTED)
    before = table.game.state
    game = table.game.play(seat, action)
    sales = table.sales
    if isinstance(action, Sell):
        sales = (*sales[:seat], sales[seat] + 1, *sales[seat + 1 :])
        answered = (before.phase, before.turn) != (game.state.phase, game.state.turn)
    else:
        # Seats finish the final sale in any order (I8): one seat's "done" does not make the
        # pending answers of the others stale.
        answered = not isinstance(action, Done)
    return replace(
        table,
        game=game,
        number=table.number + 1,
        decision=table.decision + answered,
        sales=sales,
        stage=Stage.FINISHED if game.over else table.stage,
    )


def _logged(table: Table, played: Table, entry: LogEntry) -> Change:
    """Return the change, with a new deadline if the table waits for another decision."""
    same = played.decision == table.decision
    return Change(_next(played, entry.at, deadline=table.deadline if same else None), entry)


def _new(creation: Creation, host: str, options: TableOptions, chairs: tuple[Chair, ...]) -> Table:
    return Table(
        id=creation.table,
        created=creation.now,
        active=creation.now,
        version=1,
        stage=Stage.OPEN,
        options=options,
        host=host,
        chairs=chairs,
        seed=creation.seed,
    )


def _dealt(table: Table, deal: Dealer, now: float, version: int | None = None) -> Table:
    players = len(table.chairs)
    return _next(
        table,
        now,
        version=version or table.version + 1,
        stage=Stage.PLAYING,
        game=Game.start(deal(players)),
        sales=(0,) * players,
    )


def _next(table: Table, now: float, **changes: Any) -> Table:
    """Return the changed table with the next version, and a deadline if a person must decide."""
    new = replace(table, **{"version": table.version + 1, "active": now, **changes})
    seconds = new.options.think_seconds
    if seconds is None or all(new.chairs[seat].bot for seat in new.waiting_for):
        return replace(new, deadline=None)
    return new if new.deadline is not None else replace(new, deadline=now + seconds)


def _chair_for_rematch(chair: Chair, bot: str) -> Chair:
    """Return the person's chair, or a bot's if the person left for good."""
    if chair.guest is None or chair.left:
        return Chair(bot=chair.bot or bot)
    return Chair(chair.guest, chair.name, avatar=chair.avatar)


def _chair_of(guest: Guest) -> Chair:
    return Chair(guest.id, guest.name, avatar=guest.avatar)


def _started(chair: Chair, bot: str) -> Chair:
    return replace(_played_by_bot(chair, bot), invited=False) if chair.invited else chair


def _played_by_bot(chair: Chair, bot: str) -> Chair:
    return replace(chair, bot=bot, standing_in=True)


def _played_by_owner(chair: Chair) -> Chair:
    return replace(chair, bot=None, standing_in=False)


def _with(table: Table, seat: int, chair: Chair) -> tuple[Chair, ...]:
    return (*table.chairs[:seat], chair, *table.chairs[seat + 1 :])


def _next_host(chairs: tuple[Chair, ...]) -> str | None:
    """Return the first person who has not left and is not only invited."""
    seated = (chair for chair in chairs if not chair.left and not chair.invited)
    return next((chair.guest for chair in seated if chair.guest), None)


def _seat(table: Table, guest: str) -> int:
    seat = table.seat_of(guest)
    if seat is None:
        raise Declined(TableReason.NOT_YOUR_SEAT)
    return seat


def _check_host(table: Table, guest: str) -> None:
    if table.host != guest:
        raise Declined(TableReason.NOT_HOST)


def _check_playing(table: Table) -> None:
    _check_not_ended(table)
    if table.stage is Stage.OPEN:
        raise Declined(TableReason.NOT_STARTED)


def _check_not_ended(table: Table) -> None:
    if table.stage is Stage.EXPIRED:
        raise Declined(TableReason.EXPIRED)
    if table.stage is Stage.FINISHED:
        raise Declined(TableReason.FINISHED)
