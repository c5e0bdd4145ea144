"""What the API takes and gives: the types its JSON is read by, and that its document describes."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from byzanz.locale import LANGUAGES
from byzanz.rules import SETUPS
from byzanz.tables import Pace, Stage
from byzanz.tables.model.plan import LONGEST_THINKING, SHORTEST_THINKING

Language = Annotated[
    str, Meta(pattern=f"^({'|'.join(LANGUAGES)})$", description="The code of a language.")
]
Name = Annotated[
    str,
    Meta(min_length=1, max_length=64, description="What the others call you; 24 characters count."),
]
BotName = Annotated[
    str, Meta(min_length=1, max_length=40, description="A bot that `GET /api/bots` lists.")
]
SeatNumber = Annotated[int, Meta(ge=0, lt=max(SETUPS), description="A seat, from 0.")]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class _Request(Struct, forbid_unknown_fields=True):
    """A body; keys it does not know are refused."""


class NewGuest(_Request):
    """Who you are to be."""

    name: Name | None = None
    language: Language | None = None


class GuestChange(_Request):
    """What is to change about you; what is left out stays."""

    name: Name | UnsetType = UNSET
    language: Language | UnsetType = UNSET


class HostSeat(_Request, tag="host"):
    """Your own seat; exactly one."""


class OpenSeat(_Request, tag="open"):
    """A seat for whoever joins."""


class BotSeat(_Request, tag="bot"):
    """A seat for a bot."""

    bot: BotName


class Options(_Request):
    """How a table is played."""

    listed: bool = False
    pace: Pace = Pace.NORMAL
    memory_aid: bool = True
    open_profit: bool = True
    think_seconds: Annotated[int, Meta(ge=SHORTEST_THINKING, le=LONGEST_THINKING)] | None = None


class NewTable(_Request):
    """A table to be. The game begins at once if no seat is open."""

    seats: Annotated[
        list[HostSeat | OpenSeat | BotSeat], Meta(min_length=min(SETUPS), max_length=max(SETUPS))
    ]
    options: Options = field(default_factory=Options)


class Joining(_Request):
    """Where to sit down; the first open seat if none is named."""

    seat: SeatNumber | None = None


class Starting(_Request):
    """The bot that takes the seats still open."""

    bot: BotName | None = None


class Replacing(_Request):
    """The absent person's seat, and the bot that stands in."""

    seat: SeatNumber
    bot: BotName | None = None


class Rematching(_Request):
    """A new deal; or with `rotated` the same deal, everyone one seat further."""

    rotated: bool = False


class Acting(_Request):
    """An action, the decision it answers, and a key that makes it safe to send again.

    A sale names `sale`, the number of sets you have sold so far; everything else names
    `decision`. Both are in the sight. A request repeated with the same key is not carried out
    again, and gets the same answer.
    """

    action: Annotated[
        str, Meta(min_length=1, max_length=200, description="In notation, as in `bid C1 S2`.")
    ]
    key: Annotated[
        str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$", description="Of your choice, new each time.")
    ]
    decision: Count | None = None
    sale: Count | None = None


class Me(Struct):
    """Who you are."""

    name: str | None
    language: str


class NewMe(Struct):
    """Who you are, and the secret that proves it. It is shown this once."""

    token: str
    name: str | None
    language: str


class Bot(Struct):
    """A bot that can be asked to a table, and how it plays, in your language."""

    bot: str
    name: str
    character: str


class Bots(Struct):
    """Bots, weakest first."""

    bots: list[Bot]


class Created(Struct):
    """A table's id, which is its secret link too."""

    table: str


class Sitter(Struct):
    """Who sits on a seat, as everyone may know."""

    seat: int
    name: str | None
    bot: str | None
    open: bool
    standing_in: bool
    left: bool
    host: bool
    present: bool


class Listing(Struct):
    """A table as a list shows it; of who is present it says nothing."""

    table: str
    stage: Stage
    options: Options
    sitters: list[Sitter]
    seat: int | None
    waiting_for: list[int]
    deadline: float | None
    created: float
    active: float


class Listings(Struct):
    """Tables."""

    tables: list[Listing]


class SeatSeen(Struct):
    """What the viewer is shown of one seat of a game."""

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


class Legal(Struct, rename={"pass_": "pass"}):
    """What the viewer may do now. Cards worth more than `beat` are a legal bid."""

    pass_: bool
    beat: int | None
    give: list[str]
    take: list[str]
    sell: list[list[str]]
    discard: list[str]
    done: bool


class ViewSeen(Struct):
    """A game as its viewer sees it. What the table's options hide is null, or not known."""

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
    seats: list[SeatSeen]
    stack: list[int]
    takers: list[int]
    offer: list[str]
    highest: int
    market: list[str]
    deck_size: int
    removed: int
    gone: list[str] | None
    pool: list[str] | None
    legal: Legal | None
    course: list[dict[str, Any]]


class Result(Struct):
    """How a game ended: profit by seat, and the seats that won."""

    profit: list[int]
    winners: list[int]


class Sight(Struct):
    """A table as you may see it now.

    `decision` and `sale` are what an action names; `waiting_for` are the seats that owe one.
    """

    table: str
    version: int
    stage: Stage
    options: Options
    sitters: list[Sitter]
    seat: int | None
    host: bool
    view: ViewSeen | None
    number: int
    decision: int | None
    sale: int | None
    waiting_for: list[int]
    deadline: float | None
    result: Result | None
    created: float
    follows: str | None
    followed_by: str | None
    skipped: bool


class Replayed(Struct):
    """A finished game after `step` of its `steps` actions."""

    step: int
    steps: int
    view: ViewSeen


class Acted(Struct):
    """The action was carried out, and made this version of the table; what you see now."""

    version: int
    sight: Sight


class Error(Struct):
    """Why something is refused: a code, the rule it keeps, a sentence; parameters beside them."""

    code: str
    message: str
    rule: str | None = None


class Refusal(Struct):
    """Something is refused, and nothing has changed; the table as it is now where that helps."""

    error: Error
    sight: Sight | None = None
