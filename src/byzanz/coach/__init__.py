"""The coach, which teaches people to play.

:func:`review` grades the decisions of a game, and :func:`hint` suggests an action. Their results
are values of :mod:`byzanz.coach.results`. Both load compiled code only when they are called.
:func:`odds` counts what a seat can work out about unseen cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from .odds import Odds, odds

if TYPE_CHECKING:
    from byzanz.network import Network
    from byzanz.notation import Record
    from byzanz.rules import Game, View

    from .results import Hint, Review

__all__ = ["Odds", "hint", "odds", "review"]


def review(  # noqa: PLR0913
    game: Game | Record,
    seats: Iterable[int] | None = None,
    *,
    worlds: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    network: Network | None = None,
    device: str = "cpu",
) -> Review:
    """Review a game for these seats (default: all); it need not be over.

    Each candidate is tried in at most ``worlds`` sampled worlds. ``progress`` is called with the
    number of finished decisions and the total. Without ``network``, the network in the package is
    used. It runs on ``device``: ``"cuda"`` is a GPU, through PyTorch. Raises ValueError if there is
    no such seat, or no such device on this machine.
    """
    from .evaluation import DEFAULT_WORLDS  # noqa: PLC0415
    from .game_review import review_game  # noqa: PLC0415

    return review_game(
        game,
        seats,
        worlds=worlds or DEFAULT_WORLDS,
        progress=progress,
        network=network,
        device=device,
    )


def hint(
    view: View,
    *,
    seconds: float = 1.0,
    worlds: int | None = None,
    network: Network | None = None,
) -> Hint:
    """Suggest an action to the viewer, whose turn it must be.

    The search ends after ``seconds``. With ``worlds``, it tries each candidate in at most this
    number of worlds instead, however long that takes, and the same view always gives the same hint.
    Raises ValueError if the viewer has nothing to decide.
    """
    from .hints import suggest  # noqa: PLC0415

    return suggest(view, seconds=seconds, worlds=worlds, network=network)
