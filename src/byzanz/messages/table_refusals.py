"""What a table declines, as sentences a player understands; by its code."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations

from byzanz.locale import ENGLISH, _

TABLE_REASONS = {
    "no-such-table": _("There is no table at this address."),
    "no-such-guest": _("You are not known here any more. Choose a name and join again."),
    "not-a-seat": _("There is no such seat at this table."),
    "unknown-bot": _("There is no such bot."),
    "bad-pass": _("This personal link has been used already, or is too old. Make a new one."),
    "bad-name": _("A name has 1 to {longest} letters that can be shown."),
    "bad-plan": _("A table has {fewest} to {most} seats, and one of them is yours."),
    "bad-time": _("The time to think is from one minute to fourteen days."),
    "bad-key": _("The request's key is missing or too long."),
    "not-started": _("The game has not begun yet."),
    "already-started": _("The game has begun already."),
    "not-finished": _("The game is not finished yet."),
    "finished": _("The game is over."),
    "expired": _("Nobody came to this table for too long, and it was closed."),
    "stale-decision": _("The table has gone on meanwhile. Look again and decide anew."),
    "key-reused": _("This request's key was used before, for something else."),
    "not-your-seat": _("You have no seat at this table."),
    "not-host": _("Only the host of the table can do that."),
    "already-seated": _("You have a seat at this table already."),
    "seat-taken": _("This seat is taken."),
    "table-full": _("All seats of this table are taken. You can watch."),
    "not-a-person": _("A bot plays on this seat already."),
    "not-absent": _("This player is here."),
    "has-time-limit": _("This table has a time limit: a bot stands in when time is up."),
    "too-many-tables": _("You host {most} tables already. Finish or leave one of them first."),
}
"""By code, in English."""


def explain_table(
    code: str,
    words: NullTranslations = ENGLISH,
    parameters: Mapping[str, int | str] | None = None,
) -> str:
    """A sentence that says why the table declined."""
    return words.gettext(TABLE_REASONS[code]).format(**(parameters or {}))
