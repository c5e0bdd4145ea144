"""Where players with more profit in the deal of the day decided differently from the viewer."""

from __future__ import annotations

from dataclasses import dataclass

from byzanz.coach.results import Review
from byzanz.locale import _
from byzanz.messages import bot_name
from byzanz.tables import Standing, TableService

from .my_games import percent
from .rendering import Renderer
from .side_by_side import Difference, first_difference

MOST_LEADERS = 3


@dataclass(frozen=True, slots=True)
class Leader:
    """A player with more profit than the viewer. Nobody learns their name."""

    rank: int
    profit: int
    difference: Difference | None
    """The first decision that differs; None if all are the same."""
    chances: tuple[str, str] | None
    """The winning chances after the viewer's choice and theirs; None if no review compared them."""


async def leaders_of(
    service: TableService, standing: Standing, guest: str, renderer: Renderer
) -> list[Leader]:
    """Return the leading players with more profit than the viewer.

    Raises Declined if the viewer has not finished the deal.
    """
    tries = await service.deals.leaders(standing.deal, guest, MOST_LEADERS)
    if not tries or standing.table is None:
        return []
    own, seat = await service.replay(standing.table, guest), standing.seat
    gettext = renderer.translations.gettext
    bots = [bot_name(bot, renderer.translations) for bot in standing.bots]
    player = await service.guests.get(guest)
    own_name = (player and player.name) or gettext(_("Guest"))
    names = [[*bots[:seat], name, *bots[seat:]] for name in (own_name, gettext(_("Leader")))]
    found = []
    for each in tries:
        game = await service.replay(each.table, guest)
        difference = first_difference(own, game, seat, names, renderer.translations)
        chances = None
        if difference is not None:
            for table, place in (
                (standing.table, difference.place),
                (each.table, difference.other_place),
            ):
                review = (await service.reviews.status(table, guest)).review
                chances = chances or _chances(review, seat, place, difference.actions)
        profits = standing.profits or ()
        rank = 1 + sum(other > (each.profit or 0) for other in profits)
        found.append(Leader(rank, each.profit or 0, difference, chances))
    return found


def _chances(
    review: Review | None, seat: int, place: int, actions: tuple[str, str]
) -> tuple[str, str] | None:
    """Return the winning chances after both actions; None if the review did not consider them."""
    try:
        decisions = () if review is None else review.seat(seat).decisions
        decision = next(each for each in decisions if each.number == place + 1)
        one, two = [decision.evaluation.candidate(action) for action in actions]
    except (LookupError, StopIteration):
        return None
    return percent(one.win_probability), percent(two.win_probability)
