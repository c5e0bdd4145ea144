"""The page at the end of a game."""

from __future__ import annotations

from io import BytesIO

from byzanz.locale import load_translations
from byzanz.notation import judge

from .person import Person


def has_ended(person: Person, language: str, players: int) -> None:
    """Check that the page shows the end in its language and that the record is legal."""
    page = person.page
    assert page.locator("html").get_attribute("lang") == language
    assert person.text("#status") == load_translations(language).gettext("The game is over.")
    assert page.locator(".standings ol > li").count() == players
    assert page.locator(".ending .winner").count() >= 1
    record = page.request.get(page.url + "/record").text()
    assert [verdict.error for verdict in judge(BytesIO(record.encode()))] == [None]
