"""The network while it learns: PyTorch's side of :class:`byzanz.network.Weights`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from byzanz.encoding import FEATURES, PIECES, scales
from byzanz.encoding.features import SLOTS
from byzanz.network import Layer as LayerWeights
from byzanz.network import Weights
from byzanz.network.layout import (
    GOODS_BYTES,
    GOODS_NUMBERS,
    HOLDINGS_BYTES,
    PLAYERS_BYTES,
    TABLE_BYTES,
    TABLE_NUMBERS,
    Places,
)
from byzanz.network.weights import GIVEN, Floats, Widths

from .env import STRANGERS
from .observation import aligned

_GIVEN = {
    "goods": GOODS_BYTES, "players": PLAYERS_BYTES, "holdings": HOLDINGS_BYTES,
    "table": TABLE_BYTES,
}  # fmt: skip
"""What is seen of a row, in the order of :class:`Seen`."""

Shape = tuple[int, int, int, int, int]
"""How many layers, and how wide they are for goods, players, holdings and the table."""


class Seen(NamedTuple):
    """What a layer is given or makes: by row, and by good, by slot, or by both."""

    goods: torch.Tensor
    players: torch.Tensor
    holdings: torch.Tensor
    table: torch.Tensor


def _padded(places: Places) -> Places:
    """The places and, up to an aligned number, that of a byte behind the features."""
    more = aligned(places.shape[-1]) - places.shape[-1]
    return np.pad(places, [(0, 0)] * (places.ndim - 1) + [(0, more)], constant_values=FEATURES)


_STAGES = 9
"""Parts of the game by the deck that is left, for what strangers change in the chances."""


class Layer(nn.Module):
    """One of the layers that :class:`byzanz.network.Layer` describes, with its names."""

    def __init__(self, given: Widths, made: Widths) -> None:
        super().__init__()
        shapes = zip(LayerWeights._fields, LayerWeights.shapes(given, made), strict=True)
        for name, shape in shapes:
            if "vector" in name:
                start = torch.zeros(shape)
            else:
                start = torch.randn(shape) * (1.5 * shape[0]) ** -0.5
            setattr(self, name, nn.Parameter(start))

    def forward(self, seen: Seen, absent: torch.Tensor) -> Seen:
        """What this layer sees; ``absent`` is far below 0 for slots that nobody has."""
        goods, players, holdings, table = seen
        by_player = self._of("player_to_holding", players) + absent
        holdings = self._made(
            self._of("holding_to_holding", holdings),
            self._of("good_to_holding", goods)[:, :, None], by_player[:, None],
            "holding_vector",
        )  # fmt: skip
        players = self._made(
            self._of("player_to_player", players) + absent,
            self._of("holding_to_player", holdings.mean(1)),
            self._of("table_to_player", table)[:, None], "player_vectors",
        )  # fmt: skip
        table = self._made(
            self._of("table_to_table", table), self._of("good_to_table", goods.mean(1)),
            self._of("player_to_table", _viewed(players)), "table_vector",
        )  # fmt: skip
        goods = self._made(
            self._of("good_to_good", goods), self._of("holding_to_good", _viewed(holdings)),
            self._of("table_to_good", table)[:, None], "good_vectors",
        )  # fmt: skip
        return Seen(goods, players, holdings, table)

    def _of(self, name: str, given: torch.Tensor) -> torch.Tensor:
        return given @ _tall(getattr(self, name), given)

    def _made(
        self, one: torch.Tensor, two: torch.Tensor, three: torch.Tensor, vector: str
    ) -> torch.Tensor:
        # Vectors in the others' precision, lest all that follows be in theirs.
        return functional.relu(one + two + three + getattr(self, vector).to(one.dtype))


def _viewed(slots: torch.Tensor) -> torch.Tensor:
    """Of what is by slot, in the last dimension but one: the viewer, the average, the most."""
    others = slots[..., 1:, :]
    return torch.cat([slots[..., 0, :], others.mean(-2), others.amax(-2)], -1)


class Net(nn.Module):
    """Scores for the numbers, scores for each slot's win, and the margin of profit to expect.

    While it learns, strangers sit at some tables. What they change in the chances is learnt apart,
    by who sits where, how far the game is and how that player stands, so that the chances proper
    are those of a table of its own. That part and the margin are not for playing.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        depth, *wide = shape
        made = Widths(*wide)
        self.layers = nn.ModuleList(Layer(made if place else GIVEN, made) for place in range(depth))
        self.good_head = nn.Linear(made.good, GOODS_NUMBERS.shape[1])
        self.table_head = nn.Linear(made.table, len(TABLE_NUMBERS))
        self.player_head = nn.Linear(made.player, 1)
        self.margin = nn.Linear(made.table, 1)
        self.strangers = nn.Parameter(torch.zeros(STRANGERS, 4, _STAGES))
        self.stranger_head = nn.Linear(made.player, STRANGERS)
        for head in (self.good_head, self.table_head, self.player_head, self.margin):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)
        for each in self.stranger_head.parameters():
            nn.init.zeros_(each)
        scale = np.append(scales(), np.float32(1))
        for name, places in _GIVEN.items():
            padded = _padded(places)
            self._lay(f"{name}_bytes", padded.flatten())
            self._lay(f"{name}_scale", scale[padded.reshape(-1, padded.shape[-1])[0]])
        self._lay("places", np.argsort(np.append(GOODS_NUMBERS.flatten(), TABLE_NUMBERS)))

    def _lay(self, name: str, array: npt.NDArray[Any]) -> None:
        self.register_buffer(name, torch.from_numpy(array), persistent=False)

    def forward(
        self, rows: torch.Tensor, masks: torch.Tensor, categories: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logarithms of the numbers' shares and of the slots' chances, and the margin.

        Rows are wider than the features, and what follows those is zero.
        """
        seen = self._seen(rows)
        slots = torch.arange(SLOTS, device=rows.device)
        players = rows[:, :4].argmax(1)
        deck = rows[:, PIECES["deck"].start].long() * (_STAGES - 1) // 96
        # A product instead of fetching: thousands of rows fetch the same figure, and on the way
        # back they would all wait for one another.
        moments = torch.arange(4 * _STAGES, device=rows.device)
        moment = (players * _STAGES + deck)[:, None] == moments
        known = torch.arange(STRANGERS, device=rows.device) > 0
        foreign = moment.float() @ (self.strangers * known[:, None, None]).flatten(1).T
        by_player = _wide(seen.players, self.player_head, self.stranger_head).float()
        own, standing = by_player[:, :, 0], by_player[:, :, 1 : 1 + STRANGERS] * known
        kinds = categories.long()
        wins = own + foreign.gather(1, kinds) + standing.gather(2, kinds[:, :, None])[:, :, 0]
        wins = wins.masked_fill(slots > players[:, None] + 2, -torch.inf)
        others = _wide(seen.table, self.table_head, self.margin)
        numbers = self._by_number(seen.goods, others).masked_fill(masks == 0, -torch.inf)
        margin = others[:, len(TABLE_NUMBERS)].float()
        return functional.log_softmax(numbers, 1), functional.log_softmax(wins, 1), margin

    def policy_scores(self, rows: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Scores of the numbers alone, without the legal ones' softmax."""
        seen = self._seen(rows)
        others = _wide(seen.table, self.table_head)
        return self._by_number(seen.goods, others).masked_fill(masks == 0, -torch.inf)

    def _seen(self, rows: torch.Tensor) -> Seen:
        """What the last layer sees."""
        kind = torch.bfloat16 if torch.is_autocast_enabled(rows.device.type) else torch.float
        parts = []
        for name, places in _GIVEN.items():
            part = rows.index_select(1, getattr(self, f"{name}_bytes"))
            part = part.unflatten(1, (*places.shape[:-1], aligned(places.shape[-1])))
            parts.append(part.to(kind) / getattr(self, f"{name}_scale").to(kind))
        seen = Seen(*parts)
        slots = torch.arange(SLOTS, device=rows.device)
        absent = -1e4 * (slots > rows[:, :4].argmax(1)[:, None] + 2)[:, :, None].to(kind)
        for layer in self.layers:
            seen = layer(seen, absent)
        return seen

    def _by_number(self, goods: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
        """Scores in the order of the numbers."""
        by_good = _wide(goods, self.good_head)[:, :, : GOODS_NUMBERS.shape[1]]
        scores = torch.cat([by_good.flatten(1), others[:, : len(TABLE_NUMBERS)]], 1)
        return scores.index_select(1, self.places).float()

    def to_weights(self, card: Mapping[str, Any]) -> Weights:
        """What plays, without PyTorch."""
        first, *others = [
            LayerWeights(*[_array(getattr(layer, name)) for name in LayerWeights._fields])
            for layer in self.layers
        ]
        first = _scaled(first, 1 / scales())

        def head(linear: nn.Linear) -> tuple[Floats, Floats]:
            return _array(linear.weight.T), _array(linear.bias)

        return Weights(
            (first, *others), head(self.good_head), head(self.table_head), head(self.player_head),
            card=card,
        )  # fmt: skip

    @classmethod
    def from_weights(cls, weights: Weights) -> Net:
        """A network that plays as these weights do; the margin is unlearnt."""
        net = cls(weights.shape)
        first, *others = weights.layers
        first = _scaled(first, scales())
        with torch.no_grad():
            for layer, given in zip(net.layers, (first, *others), strict=True):
                for name, array in given._asdict().items():
                    getattr(layer, name).copy_(torch.from_numpy(array))
            for head, (matrix, vector) in (
                (net.good_head, weights.good_head), (net.table_head, weights.table_head),
                (net.player_head, weights.player_head),
            ):  # fmt: skip
                head.weight.copy_(torch.from_numpy(matrix).T)
                head.bias.copy_(torch.from_numpy(vector))
        return net


def _tall(matrix: torch.Tensor, given: torch.Tensor) -> torch.Tensor:
    """A matrix with rows of zeros for inputs that are there for their number's sake."""
    return functional.pad(matrix, (0, 0, 0, given.shape[-1] - len(matrix)))


def _wide(given: torch.Tensor, *heads: nn.Linear) -> torch.Tensor:
    """Some heads' scores, and zeros up to a number that GPUs like."""
    weight, bias = torch.cat([h.weight for h in heads]), torch.cat([h.bias for h in heads])
    more = aligned(len(bias)) - len(bias)
    return functional.linear(
        given, functional.pad(weight, (0, 0, 0, more)), functional.pad(bias, (0, more))
    )


def _scaled(layer: LayerWeights, scale: npt.NDArray[Any]) -> LayerWeights:
    """A first layer whose inputs, of a row, are taken this often."""
    first = {
        name: scale[places.reshape(-1, places.shape[-1])[0], None]
        for name, places in zip(
            ("good", "player", "holding", "table"), _GIVEN.values(), strict=True
        )
    }
    # Of these it is given the row's; of the others what it has made itself.
    from_row = (
        "holding_to_holding", "good_to_holding", "player_to_holding", "player_to_player",
        "table_to_player", "table_to_table", "good_to_table", "good_to_good",
    )  # fmt: skip
    return layer._replace(
        **{name: getattr(layer, name) * first[name.partition("_")[0]] for name in from_row}
    )


def _array(tensor: torch.Tensor) -> Floats:
    return np.ascontiguousarray(tensor.detach().cpu().numpy(), dtype=np.float32)


def picked(scores: torch.Tensor, heat: float) -> torch.Tensor:
    """Numbers by their scores: the best without heat, by chance by their shares with heat 1."""
    if heat > 0:
        scores = scores - heat * torch.empty_like(scores).exponential_().clamp_(min=1e-20).log_()
    return scores.argmax(1)
