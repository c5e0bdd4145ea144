"""The rules of the game as code; ``docs/rules.md`` has the same rules as text.

The package contains cards, deals, actions, states, the legal actions and the view of each seat, and
the scoring. It imports only the standard library and never reads a file or a clock. Only
:meth:`Deal.from_system` uses the operating system's randomness. Refusals are codes with
parameters, not sentences. Docstrings cite the rules that the code implements (``R3.3``) and the
readings that settle what the rulebooks leave open (``I5``).
"""

from .actions import Action, Bid, Discard, Done, Give, Pass, Sell, Take
from .cards import ALL_CARDS, COPIES, FACES, Card, Cards, Kind, in_order, worth
from .chance import SEEDS, Chance, branch
from .consistency import flaws
from .deal import Deal
from .events import Ended, Event, FinalSale, MarketCleared, Played, TurnedUp, Won
from .game import Game
from .legal import Options, options
from .play import apply, begin
from .proven_deal import commitment, proven_deal
from .refusals import Illegal, IllegalAction, IllegalDeal, IllegalResult, Reason, Refusal
from .scoring import Result, check_result, result, tie_break
from .sets import best_sales, kept, profit, sets_in
from .setup import HAND_LIMIT, SETUPS, Setup
from .state import Phase, Player, State
from .view import SeatView, View, view, world

__all__ = [
    "ALL_CARDS",
    "COPIES",
    "FACES",
    "HAND_LIMIT",
    "SEEDS",
    "SETUPS",
    "Action",
    "Bid",
    "Card",
    "Cards",
    "Chance",
    "Deal",
    "Discard",
    "Done",
    "Ended",
    "Event",
    "FinalSale",
    "Game",
    "Give",
    "Illegal",
    "IllegalAction",
    "IllegalDeal",
    "IllegalResult",
    "Kind",
    "MarketCleared",
    "Options",
    "Pass",
    "Phase",
    "Played",
    "Player",
    "Reason",
    "Refusal",
    "Result",
    "SeatView",
    "Sell",
    "Setup",
    "State",
    "Take",
    "TurnedUp",
    "View",
    "Won",
    "apply",
    "begin",
    "best_sales",
    "branch",
    "check_result",
    "commitment",
    "flaws",
    "in_order",
    "kept",
    "options",
    "profit",
    "proven_deal",
    "result",
    "sets_in",
    "tie_break",
    "view",
    "world",
    "worth",
]
