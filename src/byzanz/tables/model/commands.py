"""Commands: pure functions from a table to the next one.

A command raises Declined if the table does not allow it. If there is nothing to do, it returns the
table that it got.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from byzanz.notation import write_action
from byzanz.rules import Action, Deal, Game, Sell, proven_deal

from .answers import Request
from .guests import Guest
from .plan import BotSeat, Host, NewTable, TableOptions
from .play import (
    check_not_ended,
    check_playing,
    log,
    next_version,
    play,
    played_by_owner,
    seat_of,
    with_chair,
    without_votes,
)
from .prepared import BY_HAND, Automatic
from .refusals import Declined, TableReason
from .table import Actor, Chair, Change, LogEntry, Replaced, Stage, Table

Dealer = Callable[[int], Deal]
"""A function that returns a deal for this many players."""


@dataclass(frozen=True, slots=True)
class Creation:
    """The values for a new table that come from outside, such as its id, seed and time."""

    table: str
    """The table's id."""
    deal: Dealer
    seed: int
    now: float
    deal_secret: str | None = None
    """The secret of the deal, if people can still add nonces to it."""
    nonce: str | None = None
    """The nonce of the guest who creates the table, after ``player:`` or ``server:``."""
    password: str | None = None
    """The hash of the table's password."""


def create(
    guest: Guest, plan: NewTable, creation: Creation, automatic: Automatic = BY_HAND
) -> Table:
    """Return a new table with its host seated. If no seat is open, the game begins at once."""
    chairs = []
    for seat in plan.seats:
        match seat:
            case Host():
                chairs.append(_chair_of(guest, automatic))
            case BotSeat():
                chairs.append(Chair(bot=seat.bot))
            case _:
                chairs.append(Chair())
    new = _new(creation, guest.id, plan.options, tuple(chairs))
    if new.open_seats:
        return _with_secret(new, creation)
    return _dealt(new, creation.deal, creation.now)


def rematch(  # noqa: PLR0913
    before: Table, guest: str, bot: str, creation: Creation, *, rotated: bool, invite: bool = False
) -> Table:
    """Return the rematch of a finished table: a new table with the same people and bots.

    It has a new deal or, if ``rotated``, the same deal with every player on the next seat. If
    ``rotated`` or ``invite``, the game begins when the other people have accepted.
    """
    seat_of(before, guest)
    if before.game is None or before.stage is not Stage.FINISHED:
        raise Declined(TableReason.NOT_FINISHED)
    deal = before.game.deal
    chairs = tuple(_chair_for_rematch(chair, bot) for chair in before.chairs)
    rotated = (
        rotated and before.shared_deal is None
    )  # nobody else may see the cards of a shared deal
    if rotated:
        chairs = (chairs[-1], *chairs[:-1])
    new = _new(creation, guest, before.options, chairs)
    new = replace(new, follows=before.id, rotated=rotated, password=before.password)
    if invite or rotated:
        invited = tuple(
            replace(chair, invited=chair.guest not in (None, guest)) for chair in new.chairs
        )
        new = replace(new, chairs=invited)
        if not new.is_complete:
            return new if rotated else _with_secret(new, creation)
    return _dealt(new, (lambda _: deal) if rotated else creation.deal, creation.now)


def join(  # noqa: PLR0913
    table: Table,
    guest: Guest,
    seat: int | None,
    deal: Dealer,
    now: float,
    *,
    automatic: Automatic = BY_HAND,
    nonce: str | None = None,
) -> Table:
    """Seat the guest; the game begins when the last open seat is taken.

    An invited guest takes their own seat. With the option ``host_starts``, only a rematch begins
    in this way, when everybody has accepted it.
    """
    own = table.seat_of(guest.id)
    invited = own is not None and table.chairs[own].invited
    if own is not None and not invited:
        raise Declined(TableReason.ALREADY_SEATED)
    check_not_ended(table)
    if table.stage is not Stage.OPEN or not (invited or table.open_seats):
        raise Declined(TableReason.TABLE_FULL)
    if invited or seat is None:
        seat = table.open_seats[0] if own is None else own
    elif not 0 <= seat < len(table.chairs):
        raise Declined(TableReason.NOT_A_SEAT, seat=seat, last=len(table.chairs) - 1)
    elif not table.is_open(seat):
        raise Declined(TableReason.SEAT_TAKEN, seat=seat)
    chair = _chair_of(guest, automatic, nonce if table.deal_secret else None)
    said = tuple(each for each in table.said if each.seat != seat)  # by whoever sat here before
    seated = next_version(table, now, chairs=with_chair(table, seat, chair), said=said)
    waits = seated.options.host_starts and seated.follows is None
    if waits or not seated.is_complete:
        return seated
    return _dealt(seated, deal, now, seated.version)


def start(table: Table, guest: str, bot: str, deal: Dealer, now: float) -> Table:
    """Begin the game at the host's request, with this bot on every open seat.

    The bot stands in for people who have not accepted their invitation; in a rated game, it takes
    their seats for good. A rematch with the same deal cannot begin without these people.
    """
    _check_host(table, guest)
    check_not_ended(table)
    if table.stage is not Stage.OPEN:
        raise Declined(TableReason.ALREADY_STARTED)
    if table.rotated:
        raise Declined(TableReason.NOT_AGREED)
    chairs = tuple(
        Chair(bot=bot)
        if table.is_open(seat) or (chair.invited and table.options.rated)
        else _started(chair, bot)
        for seat, chair in enumerate(table.chairs)
    )
    return _dealt(replace(table, chairs=chairs), deal, now)


def leave(table: Table, guest: str, bot: str, now: float) -> Table:
    """Remove the guest for good. The seat becomes free; during a game, the bot takes it.

    An invited guest declines the invitation by leaving. A rematch with the same deal expires if
    anybody leaves before it begins, because everybody must agree to it.
    """
    seat = seat_of(table, guest)
    check_not_ended(table)
    if table.stage is Stage.OPEN:
        chairs = with_chair(table, seat, Chair())
    else:
        away = replace(
            table.chairs[seat],
            bot=bot,
            standing_in=False,
            left=True,
            prepared=None,
            dropped=None,
            replaced=None,
            votes_end=False,
        )
        chairs = with_chair(table, seat, away)
    host = table.host if table.host != guest else _next_host(chairs)
    stage = table.stage
    if stage is Stage.OPEN and (host is None or table.rotated):
        stage = Stage.EXPIRED
    return next_version(table, now, chairs=chairs, host=host, stage=stage)


def remove(table: Table, guest: str, seat: int, now: float) -> Table:
    """Free the seat of another person, or withdraw their invitation, at the host's request.

    This is possible only before the game begins. A rematch with the same deal then expires.
    """
    _check_host(table, guest)
    check_not_ended(table)
    if table.stage is not Stage.OPEN:
        raise Declined(TableReason.ALREADY_STARTED)
    if not 0 <= seat < len(table.chairs):
        raise Declined(TableReason.NOT_A_SEAT, seat=seat, last=len(table.chairs) - 1)
    owner = table.chairs[seat].guest
    if owner is None:
        raise Declined(TableReason.NOBODY_HERE, seat=seat)
    if owner == guest:
        raise Declined(TableReason.OWN_SEAT, seat=seat)
    stage = Stage.EXPIRED if table.rotated else table.stage
    return next_version(table, now, chairs=with_chair(table, seat, Chair()), stage=stage)


def stand_in(  # noqa: PLR0913
    table: Table, guest: str, seat: int, bot: str, present: frozenset[str], *, now: float
) -> Table:
    """Let the bot stand in for an absent person, at the host's request, until they return."""
    _check_host(table, guest)
    check_playing(table)
    if not 0 <= seat < len(table.chairs):
        raise Declined(TableReason.NOT_A_SEAT, seat=seat, last=len(table.chairs) - 1)
    if table.options.think_seconds is not None:
        raise Declined(TableReason.HAS_TIME_LIMIT)
    chair = table.chairs[seat]
    if chair.guest is None or chair.bot is not None:
        raise Declined(TableReason.NOT_A_PERSON, seat=seat)
    if chair.guest in present:
        raise Declined(TableReason.NOT_ABSENT, seat=seat)
    replaced = _played_by_bot(chair, bot, Replaced.HOST)
    return next_version(table, now, chairs=with_chair(table, seat, replaced))


def come_back(table: Table, guest: str | None, now: float) -> Table:
    """If a bot stands in for the guest, remove it and all votes to end the game."""
    seat = table.seat_of(guest)
    if seat is None or not table.chairs[seat].standing_in or table.stage is not Stage.PLAYING:
        return table
    chairs = with_chair(table, seat, played_by_owner(table.chairs[seat]))
    return next_version(table, now, chairs=without_votes(chairs))


def time_out(table: Table, bot: str, now: float) -> Table:
    """Let the bot stand in for every person that the table waits for, if their time is up."""
    if table.deadline is None or now < table.deadline:
        return table
    chairs = list(table.chairs)
    for seat in table.waiting_for:
        if chairs[seat].bot is None:
            chairs[seat] = _played_by_bot(chairs[seat], bot, Replaced.TIME)
    return next_version(table, now, chairs=tuple(chairs))


def act(table: Table, request: Request) -> Change:
    """Play a person's action; raises IllegalAction if the rules refuse it.

    If the person has voted to end the game, their vote is withdrawn; otherwise all votes are.
    """
    seat = seat_of(table, request.guest)
    check_playing(table)
    if isinstance(request.action, Sell):
        current = request.sale == table.sales[seat]
    else:
        current = request.decision == table.decision
    if not current:
        raise Declined(TableReason.STALE_DECISION)
    played = play(table, seat, request.action)
    own = replace(played_by_owner(table.chairs[seat]), dropped=None, replaced=None)
    chairs = with_chair(table, seat, replace(own, votes_end=False))
    if not own.votes_end:
        chairs = without_votes(chairs)
    entry = LogEntry(table.logged, request.at, seat, request.text, Actor.PERSON)
    return log(table, replace(played, chairs=chairs), entry)


def act_as_bot(table: Table, seat: int, action: Action, now: float) -> Change:
    """Play a bot's action; raises IllegalAction if the rules refuse it.

    At a table with a time limit and no other person, a stand-in plays only one action, because
    nobody else is waiting for the owner.
    """
    chair, others = table.chairs[seat], with_chair(table, seat, Chair())
    timed = chair.standing_in and table.options.think_seconds is not None
    played = play(table, seat, action)
    if timed and not any(other.guest and not other.left for other in others):
        played = replace(played, chairs=with_chair(table, seat, played_by_owner(chair)))
    entry = LogEntry(table.logged, now, seat, write_action(action), Actor.BOT)
    return log(table, played, entry)


def expire(table: Table, now: float) -> Table:
    """Close the table because nobody has used it for a long time."""
    check_not_ended(table)
    return next_version(table, now, stage=Stage.EXPIRED)


def update_guest(table: Table, guest: Guest, now: float) -> Table:
    """Show the guest's current name and portrait on their seat."""
    chairs = tuple(
        replace(chair, name=guest.name, avatar=guest.avatar) if chair.guest == guest.id else chair
        for chair in table.chairs
    )
    return table if chairs == table.chairs else next_version(table, now, chairs=chairs)


def forget(table: Table, guest: str, bot: str, now: float) -> Table:
    """Remove the guest and their name, portrait and id from the table."""
    if table.seat_of(guest) is not None and table.stage in (Stage.OPEN, Stage.PLAYING):
        table = replace(leave(table, guest, bot, now), version=table.version)
    chairs = tuple(
        replace(chair, guest=None, name=None, avatar=None, automatic=BY_HAND)
        if chair.guest == guest
        else chair
        for chair in table.chairs
    )
    host = None if table.host == guest else table.host
    return next_version(table, now, chairs=chairs, host=host)


def link_rematch(table: Table, new: str, now: float) -> Table:
    """Store the id of a finished table's rematch."""
    return next_version(table, now, followed_by=new)


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
        password=creation.password,
    )


def _dealt(table: Table, deal: Dealer, now: float, version: int | None = None) -> Table:
    players = len(table.chairs)
    if table.deal_secret is None:
        dealt = deal(players)
    else:
        dealt = proven_deal(table.deal_secret, [chair.nonce for chair in table.chairs])
    return next_version(
        table,
        now,
        version=version or table.version + 1,
        stage=Stage.PLAYING,
        game=Game.start(dealt),
        sales=(0,) * players,
    )


def _chair_for_rematch(chair: Chair, bot: str) -> Chair:
    """Return a chair for the same person; a bot's chair if the seat is a bot's or was left."""
    if chair.guest is None or chair.left:
        return Chair(bot=chair.bot or bot)
    return Chair(chair.guest, chair.name, avatar=chair.avatar, automatic=chair.automatic)


def _chair_of(guest: Guest, automatic: Automatic, nonce: str | None = None) -> Chair:
    return Chair(guest.id, guest.name, avatar=guest.avatar, automatic=automatic, nonce=nonce)


def _with_secret(table: Table, creation: Creation) -> Table:
    """Return the table with the secret of its deal and its host's nonce, if there is a secret."""
    if creation.deal_secret is None:
        return table
    chairs = tuple(
        replace(chair, nonce=creation.nonce) if chair.guest == table.host else chair
        for chair in table.chairs
    )
    return replace(table, deal_secret=creation.deal_secret, chairs=chairs)


def _started(chair: Chair, bot: str) -> Chair:
    if not chair.invited:
        return chair
    return replace(_played_by_bot(chair, bot, Replaced.START), invited=False)


def _played_by_bot(chair: Chair, bot: str, why: Replaced) -> Chair:
    return replace(chair, bot=bot, standing_in=True, replaced=why)


def _next_host(chairs: tuple[Chair, ...]) -> str | None:
    """Return the first person who has not left and has no invitation to answer."""
    seated = (chair for chair in chairs if not chair.left and not chair.invited)
    return next((chair.guest for chair in seated if chair.guest), None)


def _check_host(table: Table, guest: str) -> None:
    if table.host != guest:
        raise Declined(TableReason.NOT_HOST)
