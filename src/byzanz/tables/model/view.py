"""What a viewer of a table may see.

This is the only place where a table's options hide something from people. A :class:`TableView`
holds no guest's id and no hidden card. The storage, the JSON API and the pages use it, and show
people nothing else about a table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from msgspec import Struct, field

from byzanz.rules import (
    Event,
    Phase,
    Played,
    Result,
    SeatView,
    Sell,
    TurnedUp,
    View,
    commitment,
    profit,
)

from .abandonment import votes
from .aids import can_use
from .automatic import due_action
from .person_tags import person_tags
from .plan import TableOptions
from .prepared import Automatic, Dropped, Prepared
from .sayings import Saying
from .table import Actor, Replaced, Stage, Table
from .undo import undoable


class Sitter(Struct, frozen=True):
    """The player of a seat, as everybody may see it."""

    seat: int
    name: str | None
    """The person's name; None for a bot, an open seat or a person without a name."""
    bot: str | None
    """The bot that plays here now, on its own seat or for a person."""
    open: bool
    """Whether a person can still take this seat."""
    standing_in: bool
    """Whether the bot plays only until the owner returns."""
    left: bool
    """Whether the owner left for good."""
    host: bool
    present: bool
    """Whether the owner has the table open now, or has requested it within the last minute."""
    avatar: int | None
    """The number of the portrait that the owner chose, from 0; None if they chose none."""
    invited: bool
    """Whether the owner is invited to this rematch and has not accepted yet."""


class Audience(NamedTuple):
    """The people who have a table open and have no seat."""

    size: int = 0
    names: tuple[str | None, ...] = ()
    """At most 20 of their names, in alphabetical order; None for a person without a name."""


NOBODY = Audience()
"""No audience."""


class VisibleGame:
    """A game as one viewer may see it: the viewer's view, without what the options hide.

    ``sets_sold`` is the number of sets that each seat has sold, which no option hides.
    """

    __slots__ = ("options", "sets_sold", "view")

    def __init__(self, view: View, options: TableOptions, sets_sold: tuple[int, ...]) -> None:
        self.view = view
        self.options = options
        self.sets_sold = sets_sold

    @classmethod
    def of(cls, view: View, options: TableOptions = TableOptions()) -> VisibleGame:  # noqa: B008
        """Return what these options show of a view; by default everything."""
        return cls(redact(view, options), options, tuple(len(each.kept) for each in view.players))

    @property
    def complete(self) -> bool:
        """Whether nothing is hidden, as in every game that is over."""
        options = self.options
        return self.view.phase is Phase.OVER or (options.memory_aid and options.open_profit)

    def profit(self, seat: int) -> int | None:
        """Return the profit of the seat; None if it is hidden."""
        if not _shows_profit(self.view, seat, self.options):
            return None
        return profit(self.view.players[seat].kept)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, VisibleGame):
            return NotImplemented
        return self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values)

    @property
    def _values(self) -> tuple[object, ...]:
        return self.view, self.options, self.sets_sold


class TableView(Struct, frozen=True, kw_only=True):
    """A table as one viewer may see it now.

    A sale names ``sale``; every other action names ``decision``.
    """

    table: str
    version: int
    """Never decreases. Two views of one version differ at most in who is present."""
    stage: Stage
    options: TableOptions
    sitters: tuple[Sitter, ...]
    seat: int | None
    """The viewer's seat; None for a spectator."""
    is_host: bool = field(name="host")
    game: VisibleGame | None = field(name="view")
    """The game; None until it begins."""
    number: int
    """The number of actions played, without those that were taken back."""
    decision: int | None
    """The number of the decision that the table waits for; None unless the game is in play."""
    sale: int | None
    """The number of sales that the viewer has made; the next sale must name it."""
    waiting_for: tuple[int, ...]
    """The seats that have a decision to make."""
    deadline: float | None
    """The time by which the decision is due, in seconds since 1970."""
    result: Result | None
    """The result of the game; None before it is over."""
    created: float
    follows: str | None
    """The table that this one is a rematch of."""
    followed_by: str | None
    """The rematch of this table."""
    skipped: bool
    """Whether views before this one were left out because the reader was too slow."""
    shared_deal: str | None = None
    """The id of the shared deal that is played here; None for a deal of its own."""
    undo: int | None = None
    """The number of the log entry that the viewer can take back; None if that is not possible."""
    undone: int = 0
    """The number of decisions that were taken back at this table."""
    undone_by: int | None = None
    """The seat that has just taken a decision back; None if somebody has acted since."""
    prepared: Prepared | None = None
    """The answer that the viewer prepared."""
    dropped: Dropped | None = None
    """Why the viewer's last prepared answer was dropped."""
    rotated: bool = False
    """Whether this rematch has the deal of the table before it, with everybody one seat further."""
    replaced: Replaced | None = None
    """Why a bot plays, or played, for the viewer; None if the viewer has acted since."""
    automatic: Automatic | None = None
    """The viewer's automatic actions; None for a spectator."""
    commitment: str | None = None
    """The hash of the secret from which the deal follows; None if it cannot be checked."""
    answering: bool = False
    """Whether a prepared answer or an automatic action of the viewer is about to be played."""
    origin: str | None = None
    """The table whose finished game is continued here."""
    origin_step: int | None = None
    """The number of actions that were taken over from there."""
    hints: int = 0
    """The number of hints that players got at this table."""
    may_hint: bool = False
    """Whether the viewer may ask for hints at this table."""
    may_odds: bool = False
    """Whether the viewer may see the odds at this table."""
    locked: bool = False
    """Whether joining and watching need a password."""
    watching: int = 0
    """The number of people who have the table open and have no seat."""
    watchers: tuple[str | None, ...] = ()
    """The names of these people, at most 20; None for a person without a name."""
    abandoned: tuple[int, ...] = ()
    """The seats of people who have abandoned the game, so that the others can vote to end it."""
    end_votes: tuple[int, ...] = ()
    """The seats of people who have voted to end the game."""
    said: tuple[Saying, ...] = ()
    """The last things that people said at this table, oldest first."""
    may_talk: bool = False
    """Whether the viewer can say something that another person sees."""
    person_tags: tuple[str | None, ...] = ()
    """For each seat a tag of its person, the same at every table but different for each viewer.

    None for bots, for open seats and for the viewer. Spectators get no tags.
    """

    @property
    def view(self) -> View | None:
        """What the viewer may know of the game; None until it begins."""
        return None if self.game is None else self.game.view

    @property
    def present(self) -> tuple[bool, ...]:
        """For each seat, whether its owner is present."""
        return tuple(sitter.present for sitter in self.sitters)


def table_view(
    table: Table,
    seat: int | None,
    present: frozenset[str] = frozenset(),
    audience: Audience = NOBODY,
    gone: frozenset[int] = frozenset(),
) -> TableView:
    """Return what the seat may see of the table; for None, what a spectator may see.

    ``gone`` are the seats of people who have abandoned the game.
    """
    game = table.game if table.stage is not Stage.EXPIRED else None
    playing = table.stage is Stage.PLAYING
    chair = None if seat is None else table.chairs[seat]
    due = due_action(table)
    return TableView(
        table=table.id,
        version=table.version,
        stage=table.stage,
        options=table.options,
        sitters=sitters(table, present),
        seat=seat,
        is_host=seat is not None and table.chairs[seat].guest == table.host,
        game=None if game is None else VisibleGame.of(game.view(seat), table.options),
        number=table.number,
        decision=table.decision if playing else None,
        sale=table.sales[seat] if playing and seat is not None else None,
        waiting_for=table.waiting_for,
        deadline=table.deadline,
        result=game.result if game is not None and game.over else None,
        created=table.created,
        follows=table.follows,
        followed_by=table.followed_by,
        skipped=False,
        shared_deal=table.shared_deal,
        undo=undoable(table, seat),
        undone=table.undone,
        undone_by=table.undone_by,
        prepared=None if chair is None else chair.prepared,
        dropped=None if chair is None else chair.dropped,
        rotated=table.rotated,
        replaced=None if chair is None else chair.replaced,
        automatic=None if chair is None else chair.automatic,
        commitment=None if table.deal_secret is None else commitment(table.deal_secret),
        answering=due is not None and due.seat == seat and due.by is not Actor.TABLE,
        origin=table.origin,
        origin_step=table.origin_step,
        hints=table.hints,
        may_hint=can_use(table, seat, table.options.hints),
        may_odds=can_use(table, seat, table.options.odds),
        locked=table.password is not None,
        watching=audience.size,
        watchers=audience.names,
        abandoned=tuple(sorted(gone)),
        end_votes=votes(table),
        said=table.said,
        may_talk=seat is not None
        and table.options.talk
        and table.stage is not Stage.EXPIRED
        and table.has_other_people(seat),
        person_tags=person_tags(table, seat),
    )


def sitters(table: Table, present: frozenset[str] = frozenset()) -> tuple[Sitter, ...]:
    """Return the players of all seats, without guests' ids."""
    return tuple(
        Sitter(
            seat=seat,
            name=chair.name,
            bot=chair.bot,
            open=table.is_open(seat),
            standing_in=chair.standing_in,
            left=chair.left,
            host=chair.guest is not None and chair.guest == table.host and not chair.left,
            present=chair.guest in present and not chair.left,
            avatar=chair.avatar,
            invited=chair.invited,
        )
        for seat, chair in enumerate(table.chairs)
    )


def redact(view: View, options: TableOptions) -> View:
    """Return the view without what the options hide from people until the game is over."""
    if view.phase is Phase.OVER or (options.memory_aid and options.open_profit):
        return view
    players = tuple(
        _redacted_seat(view, seat, player, options) for seat, player in enumerate(view.players)
    )
    if options.memory_aid:
        return replace(view, players=players, gone=(), course=_without_sales(view))
    return replace(
        view,
        hidden=view.hand,  # only the memory aid shows which of these cards others have seen
        players=players,
        gone=(),
        course=_this_round(view.course),
    )


def _redacted_seat(view: View, seat: int, player: SeatView, options: TableOptions) -> SeatView:
    if not _shows_profit(view, seat, options):
        player = replace(player, kept=())
    if not options.memory_aid:
        player = replace(player, known=(), unknown=player.hand_size)
    return player


def _shows_profit(view: View, seat: int, options: TableOptions) -> bool:
    return options.open_profit or seat == view.seat or view.phase is Phase.OVER


def _without_sales(view: View) -> tuple[Event, ...]:
    """Return the course without what others sold before the current round.

    These sets lie face down, and whoever knows them knows the profit.
    """
    present = _this_round(view.course)
    earlier = view.course[: len(view.course) - len(present)]
    return (*[event for event in earlier if not _sells(event, view.seat)], *present)


def _sells(event: Event, seat: int | None) -> bool:
    """Return whether a seat other than this one sells in the event."""
    return isinstance(event, Played) and isinstance(event.action, Sell) and event.seat != seat


def _this_round(course: tuple[Event, ...]) -> tuple[Event, ...]:
    """Return the course from the first offer of the current round on."""
    offers = [(at, event.round) for at, event in enumerate(course) if isinstance(event, TurnedUp)]
    return course[next(at for at, number in offers if number == offers[-1][1]) :]
