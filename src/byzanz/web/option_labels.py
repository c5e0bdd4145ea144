"""The options of a table in words: thinking times, the speed of the bots, hints and odds."""

from __future__ import annotations

from gettext import NullTranslations

from byzanz.locale import _
from byzanz.tables import Aid, Pace

_MINUTE, _HOUR, _DAY = 60, 3600, 86400

THINKING = (
    ("", _("no limit")),
    (str(2 * _MINUTE), _("2 minutes")),
    (str(10 * _MINUTE), _("10 minutes")),
    (str(_HOUR), _("1 hour")),
    (str(12 * _HOUR), _("12 hours")),
    (str(_DAY), _("1 day")),
    (str(3 * _DAY), _("3 days")),
)
"""The thinking times to choose from, in seconds, with their labels."""

PACES = {
    Pace.SLOW: _("slow"),
    Pace.NORMAL: _("normal"),
    Pace.FAST: _("fast"),
    Pace.INSTANT: _("instant"),
}
"""The labels of the bots' speeds."""


AIDS = {
    Aid.BOTS: _("only against bots"),
    Aid.ALWAYS: _("for everybody"),
    Aid.NEVER: _("for nobody"),
}
"""The labels for when an aid is allowed."""


def aids(translations: NullTranslations) -> list[tuple[str, str]]:
    """Return the values and labels for when an aid is allowed."""
    return [(aid.value, translations.gettext(label)) for aid, label in AIDS.items()]


def thinking_times(translations: NullTranslations) -> list[tuple[str, str]]:
    """Return the values and labels of the thinking times to choose from."""
    return [(seconds, translations.gettext(label)) for seconds, label in THINKING]


def paces(translations: NullTranslations) -> list[tuple[str, str]]:
    """Return the values and labels of the bots' speeds."""
    return [(pace.value, translations.gettext(label)) for pace, label in PACES.items()]


def thinking_time(seconds: int | None, translations: NullTranslations) -> str:
    """Return the thinking time in words. Programs can choose times that pages do not offer."""
    labels = dict(thinking_times(translations))
    label = labels.get("" if seconds is None else str(seconds))
    if label is not None:
        return label
    return translations.gettext(_("{minutes} min")).format(minutes=round((seconds or 0) / _MINUTE))
