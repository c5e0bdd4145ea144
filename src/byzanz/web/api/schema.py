"""Types of the JSON that the API reads and sends. The OpenAPI document describes them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from byzanz.coach.results import Candidate, Sureness
from byzanz.locale import LANGUAGES
from byzanz.rules import SETUPS
from byzanz.rules.proven_deal import NONCE_DIGITS
from byzanz.tables import (
    AVATARS,
    GameResult,
    Listing,
    PreparedBid,
    PreparedPass,
    PreparedTake,
    Sitter,
    Standing,
    TableOptions,
    TableView,
    VisibleGame,
)
from byzanz.tables.model.passwords import LONGEST_PASSWORD, SHORTEST_PASSWORD

Language = Annotated[
    str, Meta(pattern=f"^({'|'.join(LANGUAGES)})$", description="The code of a language.")
]
Name = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        description="The name that others see. By default up to 24 characters.",
    ),
]
Avatar = Annotated[
    int,
    Meta(ge=0, lt=AVATARS, description="A portrait: the picture `/art/avatar-{number}.svg`."),
]
BotName = Annotated[
    str, Meta(min_length=1, max_length=200, description="A bot that `GET /api/bots` lists.")
]
SeatNumber = Annotated[int, Meta(ge=0, lt=max(SETUPS), description="A seat, from 0.")]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]


Nonce = Annotated[
    str,
    Meta(
        pattern=f"^[0-9a-f]{{{NONCE_DIGITS}}}$",
        description="A random number of your own: your part of the randomness of the deal, in "
        "lower-case hexadecimal digits. If you send none, the server draws one.",
    ),
]


NewPassword = Annotated[
    str,
    Meta(
        min_length=SHORTEST_PASSWORD,
        max_length=LONGEST_PASSWORD,
        description="The password that joining and watching need.",
    ),
]
Password = Annotated[
    str, Meta(min_length=1, max_length=LONGEST_PASSWORD, description="The table's password.")
]


class Request(Struct, forbid_unknown_fields=True):
    """A request body. Unknown keys are refused."""


class GuestChange(Request):
    """Changes to a guest. Keys that are left out stay as they are."""

    name: Name | UnsetType = UNSET
    language: Language | UnsetType = UNSET
    avatar: Avatar | UnsetType | None = UNSET


class HostSeat(Request, tag="host"):
    """Your own seat. A table has exactly one."""


class OpenSeat(Request, tag="open"):
    """A seat for a person who joins later."""


class BotSeat(Request, tag="bot"):
    """A seat for a bot."""

    bot: BotName


class NewTable(Request):
    """A table to create. The game begins at once if no seat is open."""

    seats: Annotated[
        list[HostSeat | OpenSeat | BotSeat], Meta(min_length=min(SETUPS), max_length=max(SETUPS))
    ]
    options: TableOptions = field(default_factory=TableOptions)
    nonce: Nonce | None = None
    password: NewPassword | None = None


class Joining(Request):
    """The seat to take; by default the first open one. A locked table needs its password."""

    seat: SeatNumber | None = None
    nonce: Nonce | None = None
    password: Password | None = None


class Starting(Request):
    """The bot for the seats that are still open."""

    bot: BotName | None = None


class Removing(Request):
    """The seat of the person to remove."""

    seat: SeatNumber


class Replacing(Request):
    """The absent person's seat, and the bot that stands in."""

    seat: SeatNumber
    bot: BotName | None = None


class Rematching(Request):
    """The kind of rematch: a new deal or, if `rotated`, the same deal with players moved by a seat.

    If `invite`, the game begins when the other people have joined or the host starts it. Everybody
    must agree to a `rotated` rematch: it begins when all others have asked for the same rematch or
    joined, and the host cannot start it earlier.
    """

    rotated: bool = False
    invite: bool = False
    nonce: Nonce | None = None


class Branching(Request):
    """Where to continue a finished game: the seat to take, after `step` actions.

    If `anew`, the cards that the seat had not seen by then are dealt anew.
    """

    seat: SeatNumber
    step: Count
    anew: bool = False


class Acting(Request):
    """An action, the decision that it answers, and a key that makes it safe to repeat.

    A sale names `sale`, the number of sets you have sold so far; every other action names
    `decision`. Both are in the table view. A request repeated with the same key is not executed
    again and gets the same answer.
    """

    action: Annotated[
        str, Meta(min_length=1, max_length=200, description="In notation, such as `bid C1 S2`.")
    ]
    key: Annotated[
        str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$", description="Any text, new for each action.")
    ]
    decision: Count | None = None
    sale: Count | None = None


class Undoing(Request):
    """Which decision to undo, and a key that makes the request safe to repeat.

    `undo` is the number under the key `undo` in the table view.
    """

    undo: Count
    key: Annotated[
        str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$", description="Any text, new for each request.")
    ]


class AskingForHint(Request):
    """The decision for which you ask for a hint, as the table view gives it."""

    decision: Count


class HintReason(Struct):
    """A reason for or against an action: a code with parameters, and a sentence."""

    code: str
    supports: bool
    """Whether it speaks for the action, or against it."""
    parameters: dict[str, int | str | tuple[str, ...]]
    text: str
    """The sentence in your language."""


class Hinted(Struct):
    """A hint: the best action as far as the coach can tell from your view, and why."""

    action: str
    """The suggested action in notation."""
    sure: Sureness
    """`sure`, `likely` or `close`: how clearly the action leads all others."""
    win_probability: float
    """Your estimated win probability after the suggested action."""
    candidates: tuple[Candidate, ...]
    """All actions that were considered, best first."""
    reasons: tuple[HintReason, ...]
    """What speaks for the suggested action."""
    against: tuple[HintReason, ...]
    """What speaks against the second candidate."""


class Preparing(Request):
    """An answer that is played for you when your turn comes, if it still fits then.

    `round` and `offer_card` name the auction: the round and the number on top of the stack.
    """

    answer: PreparedBid | PreparedPass | PreparedTake


class AutomaticChange(Request):
    """The actions that the server plays for you. Keys that are left out stay as they are."""

    take_last: bool | UnsetType = UNSET
    pass_beaten: bool | UnsetType = UNSET


class NewDeal(Request):
    """A deal for friends: the bots of the other seats, and your seat.

    If you name no seat, one is drawn at random.
    """

    bots: Annotated[list[BotName], Meta(min_length=min(SETUPS) - 1, max_length=max(SETUPS) - 1)]
    seat: SeatNumber | None = None


class Me(Struct):
    """The guest who sent the request. `avatar` is null if they chose no portrait."""

    name: str | None
    language: str
    avatar: int | None


class Bot(Struct):
    """A bot that can play at a table, described in your language."""

    bot: str
    name: str
    character: str


class Bots(Struct):
    """Bots, weakest first."""

    bots: list[Bot]


class Created(Struct):
    """The id of a table. It is also the table's secret link."""

    table: str


class Listings(Struct):
    """Tables."""

    tables: tuple[Listing, ...]


class MyGame(Struct):
    """One of your finished games, with the players of its seats."""

    result: GameResult
    sitters: tuple[Sitter, ...]


class MyGames(Struct):
    """A page of your finished games. `count` is the number of games on all pages."""

    games: list[MyGame]
    count: int
    page: int
    pages: int


class DealStanding(Struct):
    """Where you stand in a shared deal.

    `beaten` is the share of the others with a lower profit. `rank`, `beaten` and
    `standing.profits` are null until you have finished the deal.
    """

    standing: Standing
    rank: int | None
    beaten: float | None


class Deal(Struct):
    """The id of a deal for friends. It is also its secret link."""

    deal: str


class DealResult(Struct):
    """A friend's try at a deal. `profit` and `place` are null until they have finished it."""

    name: str | None
    table: str
    profit: int | None
    place: int | None


class DealResults(Struct):
    """The tries at a deal, in the order in which they began."""

    results: list[DealResult]


class SeatView(Struct):
    """One seat of a game, as the viewer sees it."""

    known: list[str]
    unknown: int
    hand_size: int
    bid: list[str]
    bid_worth: int
    passed: bool
    offer_card: int | None
    kept: list[str] | None
    profit: int | None
    sets_sold: int
    done: bool


class LegalActions(Struct, rename={"pass_": "pass"}):
    """The viewer's legal actions. Cards worth more than `beat` are a legal bid."""

    pass_: bool
    beat: int | None
    give: list[str]
    take: list[str]
    sell: list[list[str]]
    discard: list[str]
    done: bool


class GameView(Struct):
    """A game as its viewer sees it. Everything that the table's options hide is null or unknown."""

    position: str | None
    players: int
    seat: int | None
    phase: Literal["auction", "give", "limit", "market", "final-sale", "over"]
    turn: int | None
    starter: int
    round: int
    rounds: int
    hand: list[str]
    hidden: list[str]
    seats: list[SeatView]
    stack: list[int]
    takers: list[int]
    offer: list[str]
    highest: int
    market: list[str]
    deck_size: int
    removed: int
    gone: list[str] | None
    pool: list[str] | None
    legal: LegalActions | None
    course: list[dict[str, Any]]


class Replayed(Struct):
    """A finished game after `step` of its `steps` actions."""

    step: int
    steps: int
    game: VisibleGame = field(name="view")


class Acted(Struct):
    """The request was accepted and led to this version. `sight` is the table as it is now."""

    version: int
    table_view: TableView = field(name="sight")


class Error(Struct):
    """Why a request is refused: a code, the rule, a message and the parameters of the code."""

    code: str
    message: str
    rule: str | None = None


class Refusal(Struct):
    """A request was refused and changed nothing. `sight` is the current table view, if known."""

    error: Error
    table_view: TableView | None = field(name="sight", default=None)


CUSTOM_TYPES: dict[type, type[Struct]] = {VisibleGame: GameView}
"""Types that the API writes in a special form, and the structs that describe that form."""
