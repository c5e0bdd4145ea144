"""Notifications as sentences: a title and a line of text, made from public facts."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Literal

from byzanz.locale import ENGLISH, _

Told = Literal["turn", "full", "begun", "rematch", "rematch-begun"]
"""What a notification is about."""

_TITLES: dict[Told, str] = {
    "turn": _("Your turn"),
    "full": _("Your table is full"),
    "begun": _("The game has begun"),
    "rematch": _("Rematch?"),
    "rematch-begun": _("The rematch has begun"),
}

_TEXTS: dict[Told, str] = {
    "turn": _("The table with {names} waits for you."),
    "full": _("Everybody is here: {names}. Start the game when you are ready."),
    "begun": _("At the table with {names}."),
    "rematch": _("{host} invites you to a rematch."),
    "rematch-begun": _("At the table with {names}."),
}


def notification(
    told: Told, *, names: str, host: str, translations: NullTranslations = ENGLISH
) -> tuple[str, str]:
    """Return the title and the text of a notification.

    ``names`` lists the other players at the table, and ``host`` names the player who invites.
    """
    say = translations.gettext
    return say(_TITLES[told]), say(_TEXTS[told]).format(names=names, host=host)


def notification_mail(text: str, table: str, stop: str, translations: NullTranslations) -> str:
    """Return the text of an e-mail: a notification, a link to the table, and one to unsubscribe."""
    say = translations.gettext
    return "\n".join([
        text,
        "",
        say(_("To the table:")),
        table,
        "",
        "-- ",
        say(_("No more e-mails:")),
        stop,
        "",
    ])  # fmt: skip


def confirmation_mail(link: str, translations: NullTranslations) -> tuple[str, str]:
    """Return the subject and the text of an e-mail that asks people to confirm their address."""
    say = translations.gettext
    text = "\n".join([
        say(_("Somebody wants to get notifications of Byzanz games at this address.")),
        "",
        say(_("If that was you, confirm it within a day:")),
        link,
        "",
        say(_("If it was not you, do nothing. You will get no further e-mails.")),
        "",
    ])  # fmt: skip
    return say(_("Confirm your e-mail address")), text
