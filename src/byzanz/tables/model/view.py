"""What a viewer of a table may see: the one place where a table's options redact.

A Sight is made from a seat's View or a spectator's, and holds no guest's id. Nothing else about a
table leaves for people.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from byzanz.rules import Event, Phase, Result, SeatView, TurnedUp, View, profit

from .plan import TableOptions
from .table import Stage, Table


@dataclass(frozen=True, slots=True)
class Sitter:
    """Who sits where, as everyone may know."""

    seat: int
    name: str | None
    """The person's name; None for a bot's seat, an open one, or who gave no name."""
    bot: str | None
    """The bot that plays here now, on its own seat or for somebody."""
    open: bool
    """Whether a person may still sit down here."""
    standing_in: bool
    """Whether the bot plays only until the owner is back."""
    left: bool
    """Whether the owner left for good."""
    host: bool
    present: bool
    """Whether the owner has the table before them now."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What one viewer may see of a table now."""

    table: str
    version: int
    """Never smaller than before; two Sights of one version differ at most in who is present."""
    stage: Stage
    options: TableOptions
    sitters: tuple[Sitter, ...]
    seat: int | None
    """The viewer's seat; None for a spectator."""
    is_host: bool
    view: View | None
    """What the viewer may know of the game, redacted; None until the game begins."""
    number: int
    """How many actions have been played."""
    decision: int | None
    """The decision that the table waits for, to be named by its answer; None if not in play."""
    sale: int | None
    """How many sets the viewer has sold, to be named by the next sale."""
    waiting_for: tuple[int, ...]
    """The seats that owe a decision."""
    deadline: float | None
    """When the time for it is up, in seconds since 1970."""
    profit: tuple[int | None, ...]
    """By seat; None where it lies face down."""
    sets_sold: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    result: Result | None
    """How the game ended; None before."""
    created: float
    follows: str | None
    """The table that this is a rematch of."""
    followed_by: str | None
    """The rematch of this table."""
    skipped: bool = False
    """Whether Sights before this one were left out for a slow reader."""

    @property
    def present(self) -> tuple[bool, ...]:
        """By seat, whether its owner has the table before them now."""
        return tuple(sitter.present for sitter in self.sitters)


def sight(table: Table, seat: int | None, present: frozenset[str] = frozenset()) -> Sight:
    """What the seat may see of the table, or a spectator for None."""
    game = table.game if table.stage is not Stage.EXPIRED else None
    whole = None if game is None else game.view(seat)
    playing = table.stage is Stage.PLAYING
    players = () if whole is None else whole.players
    return Sight(
        table=table.id,
        version=table.version,
        stage=table.stage,
        options=table.options,
        sitters=sitters(table, present),
        seat=seat,
        is_host=seat is not None and table.chairs[seat].guest == table.host,
        view=None if whole is None else redacted(whole, table.options),
        number=table.number,
        decision=table.decision if playing else None,
        sale=table.sales[seat] if playing and seat is not None else None,
        waiting_for=table.waiting_for,
        deadline=table.deadline,
        profit=tuple(
            profit(player.kept) if whole and _shows_profit(whole, at, table.options) else None
            for at, player in enumerate(players)
        ),
        sets_sold=tuple(len(player.kept) for player in players),
        hand_sizes=tuple(player.hand_size for player in players),
        result=game.result if game is not None and game.over else None,
        created=table.created,
        follows=table.follows,
        followed_by=table.followed_by,
    )


def sitters(table: Table, present: frozenset[str] = frozenset()) -> tuple[Sitter, ...]:
    """Who sits at the table, by seat; guests' ids stay behind."""
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
        )
        for seat, chair in enumerate(table.chairs)
    )


def redacted(view: View, options: TableOptions) -> View:
    """The view less what the table's options keep from people until the game is over."""
    if view.phase is Phase.OVER or (options.memory_aid and options.open_profit):
        return view
    players = tuple(
        _redacted(view, seat, player, options) for seat, player in enumerate(view.players)
    )
    if options.memory_aid:
        return replace(view, players=players)
    return replace(
        view,
        hidden=view.hand,  # which of them the others have seen is remembered for nobody
        players=players,
        gone=(),
        course=_this_round(view.course),
    )


def _redacted(view: View, seat: int, player: SeatView, options: TableOptions) -> SeatView:
    if not _shows_profit(view, seat, options):
        player = replace(player, kept=())
    if not options.memory_aid:
        player = replace(player, known=(), unknown=player.hand_size)
    return player


def _shows_profit(view: View, seat: int, options: TableOptions) -> bool:
    return options.open_profit or seat == view.seat or view.phase is Phase.OVER


def _this_round(course: tuple[Event, ...]) -> tuple[Event, ...]:
    """The course from the first offer of the present round on."""
    offers = [(at, event.round) for at, event in enumerate(course) if isinstance(event, TurnedUp)]
    return course[next(at for at, number in offers if number == offers[-1][1]) :]
