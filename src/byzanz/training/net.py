"""The network while it learns: PyTorch's side of :class:`byzanz.network.Weights`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from byzanz.encoding import FEATURES, PIECES, scales
from byzanz.encoding.features import SLOTS
from byzanz.encoding.numbers import GOODS
from byzanz.network import Layer as LayerWeights
from byzanz.network import Weights
from byzanz.network.layout import (
    GOODS_BYTES,
    GOODS_NUMBERS,
    TABLE_BYTES,
    TABLE_NUMBERS,
    Places,
)
from byzanz.network.weights import Floats

from .sight import aligned

CATEGORIES = 5
"""Who may sit in a slot: the network itself, a past self, or one of three scripted kinds."""

_SCORED = len(TABLE_NUMBERS) + SLOTS
"""What the table's head scores."""


def _padded(places: Places) -> Places:
    """The places and, up to an aligned number, that of a byte behind the features."""
    more = aligned(places.shape[-1]) - places.shape[-1]
    return np.pad(places, [(0, 0)] * (places.ndim - 1) + [(0, more)], constant_values=FEATURES)


_PADDED_GOODS, _PADDED_TABLE = _padded(GOODS_BYTES), _padded(TABLE_BYTES)

_STAGES = 9
"""Parts of the game by the deck that is left, for what strangers change in the chances."""


class Layer(nn.Module):
    """One of the layers that :class:`byzanz.network.Layer` describes, with its names."""

    def __init__(self, good: int, table: int, goods: int, tables: int) -> None:
        """From so many figures for each good and for the table to so many."""
        super().__init__()

        def matrix(inputs: int, outputs: int) -> nn.Parameter:
            return nn.Parameter(torch.randn(inputs, outputs) * inputs**-0.5)

        self.table, self.average = matrix(table, tables), matrix(good, tables)
        self.table_vector = nn.Parameter(torch.zeros(tables))
        self.good, self.told = matrix(good, goods), matrix(tables, goods)
        self.good_vectors = nn.Parameter(torch.zeros(len(GOODS), goods))

    def forward(
        self, goods: torch.Tensor, table: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The goods and the table as this layer sees them."""
        table = table @ _tall(self.table, table) + goods.mean(1) @ _tall(self.average, goods)
        # Vectors in the goods' precision, lest all that follows be in theirs.
        table = functional.relu(table + self.table_vector.to(table.dtype))
        goods = goods @ _tall(self.good, goods) + (table @ self.told)[:, None]
        return functional.relu(goods + self.good_vectors.to(goods.dtype)), table


class Net(nn.Module):
    """Scores for the numbers, scores for each slot's win, and the margin of profit to expect.

    While it learns, strangers sit at some tables. What they change in the chances is learnt apart,
    by who sits where and how far the game is, so that the chances proper are those of a table of
    its own. That part and the margin are not for playing.
    """

    def __init__(self, shape: tuple[int, int, int]) -> None:
        """``shape``: how many layers, and how wide they are for each good and for the table."""
        super().__init__()
        self.shape = shape
        depth, goods, tables = shape
        given = GOODS_BYTES.shape[1], len(TABLE_BYTES)
        self.layers = nn.ModuleList(
            Layer(good, table, goods, tables)
            for good, table in (given, *[(goods, tables)] * (depth - 1))
        )
        self.good_head = nn.Linear(goods, GOODS_NUMBERS.shape[1])
        self.table_head = nn.Linear(tables, _SCORED)
        self.margin = nn.Linear(tables, 1)
        self.strangers = nn.Parameter(torch.zeros(CATEGORIES, 4, _STAGES))
        for head in (self.good_head, self.table_head, self.margin):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)
        self._lay("good_bytes", _PADDED_GOODS.flatten())
        self._lay("table_bytes", _PADDED_TABLE)
        self._lay("places", np.argsort(np.append(GOODS_NUMBERS.flatten(), TABLE_NUMBERS)))
        padded = np.append(scales(), np.float32(1))
        self._lay("good_scale", padded[_PADDED_GOODS[0]])
        self._lay("table_scale", padded[_PADDED_TABLE])

    def _lay(self, name: str, array: npt.NDArray[Any]) -> None:
        self.register_buffer(name, torch.from_numpy(array), persistent=False)

    def forward(
        self, rows: torch.Tensor, masks: torch.Tensor, categories: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logarithms of the numbers' shares and of the slots' chances, and the margin.

        Rows are wider than the features, and what follows those is zero.
        """
        goods, table = self._seen(rows)
        slots = torch.arange(SLOTS, device=rows.device)
        players = rows[:, :4].argmax(1)
        deck = rows[:, PIECES["deck"].start].long() * (_STAGES - 1) // 96
        # A product instead of fetching: thousands of rows fetch the same figure, and on the way
        # back they would all wait for one another.
        moments = torch.arange(4 * _STAGES, device=rows.device)
        moment = (players * _STAGES + deck)[:, None] == moments
        known = torch.arange(CATEGORIES, device=rows.device) > 0
        foreign = moment.float() @ (self.strangers * known[:, None, None]).flatten(1).T
        others = self._by_table(table)
        wins = others[:, len(TABLE_NUMBERS) : _SCORED].float() + foreign.gather(
            1, categories.long()
        )
        wins = wins.masked_fill(slots > players[:, None] + 2, -torch.inf)
        numbers = self._by_number(goods, others).masked_fill(masks == 0, -torch.inf)
        margin = others[:, _SCORED].float()
        return functional.log_softmax(numbers, 1), functional.log_softmax(wins, 1), margin

    def policy_scores(self, rows: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Scores of the numbers alone, without the legal ones' softmax."""
        goods, table = self._seen(rows)
        return self._by_number(goods, self._by_table(table)).masked_fill(masks == 0, -torch.inf)

    def _seen(self, rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The goods and the table as the last layer sees them."""
        kind = torch.bfloat16 if torch.is_autocast_enabled(rows.device.type) else torch.float
        goods = rows.index_select(1, self.good_bytes).unflatten(1, _PADDED_GOODS.shape)
        goods = goods.to(kind) / self.good_scale.to(kind)
        table = rows.index_select(1, self.table_bytes).to(kind) / self.table_scale.to(kind)
        for layer in self.layers:
            goods, table = layer(goods, table)
        return goods, table

    def _by_number(self, goods: torch.Tensor, others: torch.Tensor) -> torch.Tensor:
        """Scores in the order of the numbers."""
        count = GOODS_NUMBERS.shape[1]
        by_good = _wide(goods, self.good_head.weight, self.good_head.bias)[:, :, :count]
        scores = torch.cat([by_good.flatten(1), others[:, : len(TABLE_NUMBERS)]], 1)
        return scores.index_select(1, self.places).float()

    def _by_table(self, table: torch.Tensor) -> torch.Tensor:
        """Scores of the table's numbers and of the slots, and the margin."""
        heads = self.table_head, self.margin
        weight, bias = torch.cat([h.weight for h in heads]), torch.cat([h.bias for h in heads])
        return _wide(table, weight, bias)

    def to_weights(self, card: Mapping[str, Any]) -> Weights:
        """What plays, without PyTorch."""
        first, *others = [
            LayerWeights(*[_array(getattr(layer, name)) for name in LayerWeights._fields])
            for layer in self.layers
        ]
        first = _scaled(first, 1 / scales())
        good, table = self.good_head, self.table_head
        return Weights(
            (first, *others),
            (_array(good.weight.T), _array(good.bias)),
            (_array(table.weight.T), _array(table.bias)),
            card=card,
        )

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
            ):  # fmt: skip
                head.weight.copy_(torch.from_numpy(matrix).T)
                head.bias.copy_(torch.from_numpy(vector))
        return net


def _tall(matrix: torch.Tensor, given: torch.Tensor) -> torch.Tensor:
    """A matrix with rows of zeros for inputs that are there for their number's sake."""
    return functional.pad(matrix, (0, 0, 0, given.shape[-1] - len(matrix)))


def _wide(given: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """A head's scores, and zeros up to a number that GPUs like."""
    more = aligned(len(bias)) - len(bias)
    return functional.linear(
        given, functional.pad(weight, (0, 0, 0, more)), functional.pad(bias, (0, more))
    )


def _scaled(layer: LayerWeights, scale: npt.NDArray[Any]) -> LayerWeights:
    """A first layer whose inputs, of a row, are taken this often."""
    good, table = scale[GOODS_BYTES[0], None], scale[TABLE_BYTES, None]
    return layer._replace(
        table=layer.table * table, average=layer.average * good, good=layer.good * good
    )


def _array(tensor: torch.Tensor) -> Floats:
    return np.ascontiguousarray(tensor.detach().cpu().numpy(), dtype=np.float32)


def picked(scores: torch.Tensor, heat: float) -> torch.Tensor:
    """Numbers by their scores: the best without heat, by chance by their shares with heat 1."""
    if heat > 0:
        scores = scores - heat * torch.empty_like(scores).exponential_().clamp_(min=1e-20).log_()
    return scores.argmax(1)
