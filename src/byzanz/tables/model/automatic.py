"""Actions that the service plays for a seat: forced gives, prepared answers, automatic actions."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from byzanz.notation import write_action
from byzanz.rules import Action, Give, Pass, Phase, Take, options

from .play import check_playing, log, play, seat_of, with_chair
from .prepared import Automatic, Prepared, after_action, check_prepared, due
from .refusals import Declined, TableReason
from .table import Actor, Chair, Change, LogEntry, Stage, Table


class DueAction(NamedTuple):
    """An action that the service plays for a seat."""

    seat: int
    action: Action
    by: Actor


def due_action(table: Table) -> DueAction | None:
    """Return the action that the service must play now, or None."""
    if table.stage is not Stage.PLAYING or table.game is None:
        return None
    seat = table.game.state.turn
    if seat is None:
        return None
    give = _forced_give(table)
    if give is not None:
        return DueAction(seat, give, Actor.TABLE)
    chair = table.chairs[seat]
    return _for_owner(table, seat, chair) if chair.by_owner else None


def play_due(table: Table, now: float) -> Change:
    """Play the action that is due, if there is one."""
    found = due_action(table)
    if found is None:
        return Change(table)
    seat, action, by = found
    played = play(table, seat, action)
    chair = table.chairs[seat]
    if by is Actor.PREPARED and chair.prepared is not None:
        rest = after_action(chair.prepared, action)
        played = replace(
            played, chairs=with_chair(table, seat, replace(chair, prepared=rest, dropped=None))
        )
    return log(table, played, LogEntry(table.logged, now, seat, write_action(action), by))


def prepare(table: Table, guest: str, prepared: Prepared) -> Change:
    """Prepare an answer for the guest. It replaces an earlier one."""
    seat = seat_of(table, guest)
    check_playing(table)
    if table.game is None:
        raise Declined(TableReason.NOT_STARTED)
    check_prepared(table.game.state, seat, prepared)
    return _private(table, seat, replace(table.chairs[seat], prepared=prepared, dropped=None))


def cancel(table: Table, guest: str) -> Change:
    """Drop the guest's prepared answer, and the notices on their page.

    These tell why an answer was dropped and why a bot stood in. The latter stays while the bot
    still plays.
    """
    seat = seat_of(table, guest)
    chair = table.chairs[seat]
    told = chair.replaced if chair.standing_in else None
    return _private(table, seat, replace(chair, prepared=None, dropped=None, replaced=told))


def automate(table: Table, guest: str, automatic: Automatic) -> Change:
    """Change which actions the service plays for the guest automatically."""
    seat = seat_of(table, guest)
    return _private(table, seat, replace(table.chairs[seat], automatic=automatic))


def _private(table: Table, seat: int, chair: Chair) -> Change:
    """Return a change that only the owner of the chair may see; it keeps the table's version."""
    if chair == table.chairs[seat]:
        return Change(table)
    return Change(replace(table, chairs=with_chair(table, seat, chair)), private=chair.guest)


def _forced_give(table: Table) -> Give | None:
    """Return the give of the only card in the last offer; None if no give is forced (R3.11).

    The last player of a round gives this card to the market.
    """
    if table.game is None:
        return None
    state = table.game.state
    if state.phase is not Phase.GIVE or len(state.stack) != 1 or len(state.offer) != 1:
        return None
    return Give(state.offer[0])


def _for_owner(table: Table, seat: int, chair: Chair) -> DueAction | None:
    if table.game is None:
        return None
    state = table.game.state
    if chair.prepared is not None:
        action = due(chair.prepared, state, seat)
        if action is not None and action in options(state, seat):
            return DueAction(seat, action, Actor.PREPARED)
    if chair.automatic.take_last and state.phase is Phase.MARKET:
        kinds = {card.kind for card in state.market}
        if len(kinds) == 1:
            return DueAction(seat, Take(kinds.pop()), Actor.AUTOMATIC)
    auction = state.phase is Phase.AUCTION
    if chair.automatic.pass_beaten and auction and not options(state, seat).bids:
        return DueAction(seat, Pass(), Actor.AUTOMATIC)
    return None
