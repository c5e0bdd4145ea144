"""The OpenSpiel observer: what a seat may know, as a tensor and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyspiel  # type: ignore[import-not-found, import-untyped, unused-ignore]

from byzanz.encoding import FEATURES, PIECES
from byzanz.rules import FACES
from byzanz.rules.setup import HAND_DEALT

if TYPE_CHECKING:
    from .game import ByzanzState

_PRIVATE = {"hand", "hidden", "laid", "pool", "dealt"}
"""The pieces of an observation that depend on the viewer's private knowledge."""


class ByzanzObserver:
    """An OpenSpiel observer, which writes a seat's view as numbers and as text.

    ``tensor`` holds all the numbers, and ``dict`` holds its parts by name. Without perfect recall
    the tensor is the row of :func:`byzanz.encoding.features`. Perfect recall adds ``dealt``, the
    number of cards of each face in the hand dealt to the seat, and ``course``, the codes of the
    public events. Raises ValueError for kinds of observations that are not supported.
    """

    def __init__(self, course: int, kind: Any, params: Any) -> None:
        """Create an observer; ``course`` is the maximum number of codes of public events."""
        if params:
            raise ValueError(f"there are no observation parameters, but {params} were given")
        if kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("observations of all players' private information are not supported")
        self._public = bool(kind.public_info)
        self._private = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        self._recall = bool(kind.perfect_recall)
        shapes = {name: piece.shape for name, piece in PIECES.items()}
        if self._recall:
            shapes |= {"dealt": (len(FACES),), "course": (course,)}
        shapes = {
            name: shape
            for name, shape in shapes.items()
            if (self._private if name in _PRIVATE else self._public)
        }
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor: npt.NDArray[np.float32] = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        named = zip(shapes.items(), parts, strict=False)
        self.dict = {name: part.reshape(shape) for (name, shape), part in named}
        pieces = [PIECES[name] for name in shapes if name in PIECES]
        places = [range(piece.start, piece.start + piece.size) for piece in pieces]
        self._places = np.array([place for some in places for place in some], dtype=np.int64)
        self._features = self.tensor[: len(self._places)]
        self._all_features = len(self._places) == FEATURES

    def set_from(self, state: ByzanzState, player: int) -> None:
        """Write what the player sees to the tensor, which is all 0 until the hands are dealt."""
        line = state.line
        row = line.row(player)
        if row is None:
            self.tensor.fill(0)
            return
        self._features[:] = row if self._all_features else row[self._places]
        if not self._recall:
            return
        if "dealt" in self.dict:
            dealt = self.dict["dealt"]
            dealt.fill(0)
            for card in line.hand_dealt(player):
                dealt[card] += 1
        if "course" in self.dict:
            course, codes = self.dict["course"], line.codes()
            course[: len(codes)] = codes
            course[len(codes) :] = 0

    def string_from(self, state: ByzanzState, player: int) -> str:
        """Return what the player sees as text; with perfect recall, the information state."""
        line = state.line
        if len(line.dealt) < HAND_DEALT * line.players:
            return "dealing"
        texts: list[str] = []
        if self._recall:
            if self._private:
                texts.append(f"seat={player} dealt={line.dealt_text(player)}")
            if self._public:
                texts.append(f"course={line.course_text()}")
        elif self._public:
            texts.append(line.view_text(player if self._private else None))
        elif self._private:
            texts.append(f"seat={player} hidden={line.hidden_text(player)}")
        if self._private:
            texts.append(f"laid={line.laid_text(player)}")
        return " ".join(texts)
