"""Duplicate with friends: one deal, which each friend plays against the same bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.bots import LEVELS
from byzanz.locale import _
from byzanz.messages import bot_name
from byzanz.rules import SETUPS, Game
from byzanz.tables import Declined, Standing, TableReason, TableService, Try, is_day

from .form_fields import number_of, text_of, to_table
from .forms import ON_PAGES, run_named
from .my_games import percent
from .pages import page, renderer_for, viewer
from .rendering import Renderer
from .side_by_side import Difference, Round, first_difference, rounds_of

MOST_COMPARED = 12
"""The maximum number of players, with the viewer, whose games are compared round by round."""
_LIKED_LEVEL = 2
"""The index of the level that is selected by default."""


@dataclass(frozen=True, slots=True)
class Friend:
    """A friend who has finished the deal, as the comparison shows them."""

    name: str
    you: bool
    table: str
    rank: int
    profit: int
    place: int
    rounds: tuple[Round, ...]
    """Empty if the friend is not compared round by round."""
    difference: Difference | None
    """The first decision that differs from the viewer's; None if there is none or no comparison."""


async def new(request: Request) -> Response:
    """Ask for the number of players and the opponents of a new deal."""
    service, guest = request.app.state.service, request.state.guest
    bots = service.deals.bots
    levels = [bot for bot in bots if bot in LEVELS]
    return page(
        request,
        "duplicate_new.html",
        players=tuple(SETUPS),
        bots=bots,
        chosen=levels[min(_LIKED_LEVEL, len(levels) - 1)] if levels else "",
        name=(guest and guest.name) or "",
        name_length=service.limits.max_name_length,
    )


async def create(request: Request) -> Response:
    """Make the deal, and show its page."""
    form = await request.form()
    players, bot = number_of(text_of(form, "players")), text_of(form, "bot")
    if players not in SETUPS:
        raise Declined(TableReason.BAD_PLAN, fewest=min(SETUPS), most=max(SETUPS))
    made = await run_named(
        request,
        form,
        lambda service, guest: service.deals.create(guest, (bot,) * (players - 1)),
    )
    return RedirectResponse(f"/duplicate/{made.id}", 303)


async def play(request: Request) -> Response:
    """Begin or continue the deal."""
    service: TableService = request.app.state.service
    form, deal = await request.form(), _deal(request)
    await service.deals.find(deal)
    return to_table(
        await run_named(
            request, form, lambda service, guest: service.deals.play(deal, guest, ON_PAGES)
        )
    )


async def show(request: Request) -> Response:
    """Show the deal: the link, the opponents and, to those who have finished it, the comparison."""
    service: TableService = request.app.state.service
    guest, deal = viewer(request), _deal(request)
    standing = await service.deals.standing(deal, guest)
    tries: tuple[Try, ...] = ()
    friends: list[Friend] = []
    if standing.finished and guest is not None:
        tries = await service.deals.tries(deal, guest)
        friends = await _friends(service, standing, tries, guest, renderer_for(request))
    return page(
        request,
        "duplicate.html",
        standing=standing,
        friends=friends,
        compared=[friend for friend in friends if friend.rounds],
        playing=sum(each.profit is None and not each.left for each in tries),
        beaten="" if standing.beaten is None else percent(standing.beaten),
        rounds=SETUPS[standing.players].rounds,
        address=str(request.base_url).rstrip("/") + f"/duplicate/{deal}",
        name=(request.state.guest and request.state.guest.name) or "",
        name_length=service.limits.max_name_length,
    )


async def _friends(
    service: TableService,
    standing: Standing,
    tries: Sequence[Try],
    guest: str,
    renderer: Renderer,
) -> list[Friend]:
    """Return everybody who has finished, highest profit first; the viewer is always compared."""
    done = sorted(
        [each for each in tries if each.profit is not None],
        key=lambda each: (-(each.profit or 0), each.guest != guest),
    )
    compared = [each for each in done if each.guest != guest][: MOST_COMPARED - 1]
    own = await service.replay(standing.table or "", guest)
    names = {each.guest: await _name(service, each.guest, renderer) for each in done}
    friends = []
    for each in done:
        you = each.guest == guest
        game = own if you else await service.replay(each.table, guest) if each in compared else None
        seats = [_seat_names(standing, names[who], renderer) for who in (guest, each.guest)]
        friends.append(
            Friend(
                name=names[each.guest],
                you=you,
                table=each.table,
                rank=1 + sum((other.profit or 0) > (each.profit or 0) for other in done),
                profit=each.profit or 0,
                place=each.place or 0,
                rounds=() if game is None else rounds_of(game, standing.seat),
                difference=_difference(own, game, standing.seat, seats, renderer),
            )
        )
    return friends


def _difference(
    own: Game,
    other: Game | None,
    seat: int,
    names: Sequence[Sequence[str]],
    renderer: Renderer,
) -> Difference | None:
    if other is None or other is own:
        return None
    return first_difference(own, other, seat, names, renderer.translations)


async def _name(service: TableService, guest: str, renderer: Renderer) -> str:
    found = await service.guests.get(guest)
    return (found and found.name) or renderer.translations.gettext(_("Guest"))


def _seat_names(standing: Standing, person: str, renderer: Renderer) -> list[str]:
    bots = [bot_name(bot, renderer.translations) for bot in standing.bots]
    return [*bots[: standing.seat], person, *bots[standing.seat :]]


def _deal(request: Request) -> str:
    deal: str = request.path_params["deal"]
    if is_day(deal):
        raise Declined(TableReason.NO_SUCH_DEAL)
    return deal


routes: list[BaseRoute] = [
    Route("/duplicate", new, methods=["GET"]),
    Route("/duplicate", create, methods=["POST"]),
    Route("/duplicate/{deal}", show),
    Route("/duplicate/{deal}/play", play, methods=["POST"]),
]
"""The routes of the pages."""
