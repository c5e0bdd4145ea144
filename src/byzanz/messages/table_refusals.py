"""The reasons why a table refuses a request, as sentences for players."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations

from byzanz.locale import ENGLISH, _

TABLE_REASONS = {
    "no-such-table": _("There is no table at this address."),
    "no-such-guest": _("We don't recognise you any more. Choose a name and join again."),
    "not-a-seat": _("There is no such seat at this table."),
    "unknown-bot": _("There is no such bot."),
    "no-such-deal": _("There is no such deal."),
    "bad-pass": _("This personal link has already been used, or is too old. Create a new one."),
    "no-such-session": _("This device or token is already logged out."),
    "bad-token-days": _("A token can be valid for 1 to {most} days."),
    "no-proof": _("This game has no proof of its deal."),
    "bad-name": _("A name must have 1 to {longest} visible characters."),
    "bad-avatar": _("There is no such portrait: choose one from 0 to {last}."),
    "bad-plan": _("A table has {fewest} to {most} seats, and one of them is yours."),
    "bad-time": _("Thinking time must be between one minute and fourteen days."),
    "bad-key": _("The request's key is missing or too long."),
    "bad-nonce": _("Your number for the deal must have {digits} hexadecimal digits."),
    "bad-password": _("A password must have {shortest} to {longest} characters."),
    "not-started": _("The game has not begun yet."),
    "already-started": _("The game has already begun."),
    "not-finished": _("The game is not finished yet."),
    "finished": _("The game is over."),
    "expired": _("This table was closed because nobody came to it for too long."),
    "ended": _("The players ended this game by vote."),
    "stale-decision": _("The game has moved on. Look again and choose again."),
    "key-reused": _("This request's key has already been used for something else."),
    "cannot-prepare": _("You cannot prepare that now."),
    "bad-prepared-bid": _(
        "A prepared bid must be worth {least} to {most}, and made of goods cards in your hand."
    ),
    "nothing-to-undo": _("You have nothing to take back."),
    "answered-since": _("Somebody has acted since. You can no longer take it back."),
    "shown-since": _("Hidden cards have been shown since. You can no longer take it back."),
    "not-agreed": _("A rematch with the same deal begins only when everybody has accepted it."),
    "same-deal-in-play": _(
        "The cards of this game are still in play in a rematch with the same deal. "
        "Replay, record and result open when the rematch ends."
    ),
    "no-undo": _("Nothing can be taken back here: everybody plays the same deal once."),
    "rated": _("Nothing can be taken back in a rated game."),
    "rated-needs-time": _("A rated game needs a thinking time, so that nobody can stall it."),
    "unrated-bot": _("One of these bots has no rating. Choose the levels for a rated game."),
    "not-played": _("Play this deal yourself first. Then you can see how others played it."),
    "nothing-to-decide": _("You have nothing to decide now."),
    "no-answer": _("The coach has no answer now. Try again in a moment."),
    "not-your-seat": _("You have no seat at this table."),
    "not-host": _("Only the host of the table can do that."),
    "already-seated": _("You already have a seat at this table."),
    "seat-taken": _("This seat is taken."),
    "table-full": _("All seats at this table are taken. You can watch."),
    "not-a-person": _("A bot is already playing in this seat."),
    "not-absent": _("This player is still here."),
    "nobody-here": _("Nobody sits there."),
    "own-seat": _("This is your own seat. You can leave the table instead."),
    "has-time-limit": _("This table has a time limit: when it runs out, a bot stands in."),
    "not-abandoned": _(
        "Nobody has been away for long enough. You can vote only when somebody has abandoned the "
        "game."
    ),
    "password-needed": _("This table has a password."),
    "wrong-password": _("This is not the password of this table."),
    "too-many-tries": _("Too many passwords were tried. Try again later."),
    "talk-is-off": _("The host has switched talk off at this table."),
    "talking-too-much": _("You have just said a lot. Wait a few seconds."),
    "no-hints": _("There are no hints at this table."),
    "no-odds": _("There are no odds at this table."),
    "too-many-hints": _("You have asked for too many hints in the last hour. Try again later."),
    "too-many-tokens": _("You have {most} tokens, and that is the limit. Revoke one first."),
    "too-many-games": _("You have started too many games in the last hour. Try again later."),
    "too-many-seats": _(
        "You already have a seat at {most} unfinished tables. Finish or leave one of them first."
    ),
    "too-many-listed": _(
        "You already have {most} tables in the lobby's list. "
        "Start or leave one of them, or do not list this one."
    ),
    "too-many-tables": _(
        "You are already hosting {most} tables. Finish or leave one of them first."
    ),
    "bad-step": _("You can continue the game from any move before its end: 0 to {last}."),
    "no-reviews": _("This server does not review games."),
    "too-many-reviews": _(
        "You have asked for {most} reviews in one day. Ask again tomorrow, please."
    ),
    "reviews-busy": _("Too many games are waiting for their review. Try again later."),
    "no-such-target": _("This browser or address gets no notifications."),
    "bad-link": _("This link is no longer valid."),
    "bad-endpoint": _("Notifications cannot be sent to this browser."),
    "bad-email": _("This is not a valid e-mail address."),
    "no-push": _("This server sends no push notifications."),
    "no-email": _("This server sends no e-mails."),
    "too-many-targets": _(
        "You already get notifications in {most} places. Turn one of them off first."
    ),
}
"""The English sentence for each code."""


def explain_table(
    code: str,
    translations: NullTranslations = ENGLISH,
    parameters: Mapping[str, int | str] | None = None,
) -> str:
    """Return a sentence that says why the table refused the request."""
    return translations.gettext(TABLE_REASONS[code]).format(**(parameters or {}))
