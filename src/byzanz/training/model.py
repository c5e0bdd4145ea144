"""The network in PyTorch, for training; :class:`byzanz.network.Weights` does not need PyTorch."""

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
from byzanz.network.feature_groups import (
    GOODS_BYTES,
    GOODS_NUMBERS,
    HOLDINGS_BYTES,
    PLAYERS_BYTES,
    TABLE_BYTES,
    TABLE_NUMBERS,
    Indices,
)
from byzanz.network.weights import INPUT_WIDTHS, Floats, Widths

from .env import CATEGORY_COUNT
from .observation_layout import aligned

_INPUTS = {
    "goods": GOODS_BYTES, "players": PLAYERS_BYTES, "holdings": HOLDINGS_BYTES,
    "table": TABLE_BYTES,
}  # fmt: skip
"""Indices of the features in a row, in the order of :class:`Activations`."""

Shape = tuple[int, int, int, int, int]
"""Number of layers, and their widths for goods, players, holdings and the table."""

OLD_PARAMETERS = {
    "margin.weight": "margin_head.weight", "margin.bias": "margin_head.bias",
    "strangers": "opponent_bias", "stranger_head.weight": "opponent_head.weight",
    "stranger_head.bias": "opponent_head.bias",
}  # fmt: skip
"""Old names of parameters in checkpoints, each with its current name."""


class Activations(NamedTuple):
    """Inputs or outputs of a layer. The first index is the row; good and slot follow, if any."""

    goods: torch.Tensor
    players: torch.Tensor
    holdings: torch.Tensor
    table: torch.Tensor


def _padded(indices: Indices) -> Indices:
    """Pad the indices to an aligned length with the index of a padding byte whose value is 0."""
    more = aligned(indices.shape[-1]) - indices.shape[-1]
    return np.pad(indices, [(0, 0)] * (indices.ndim - 1) + [(0, more)], constant_values=FEATURES)


_STAGES = 9
"""The number of game stages, by the size of the deck, that the opponents' bias distinguishes."""


class Layer(nn.Module):
    """One layer, as described at :class:`byzanz.network.Layer`, with the same names."""

    def __init__(self, inputs: Widths, outputs: Widths) -> None:
        super().__init__()
        shapes = zip(LayerWeights._fields, LayerWeights.shapes(inputs, outputs), strict=True)
        for name, shape in shapes:
            if "vector" in name:
                start = torch.zeros(shape)
            else:
                start = torch.randn(shape) * (1.5 * shape[0]) ** -0.5
            setattr(self, name, nn.Parameter(start))

    def forward(self, inputs: Activations, absent: torch.Tensor) -> Activations:
        """Return the layer's outputs; ``absent`` is a large negative number for empty slots."""
        goods, players, holdings, table = inputs
        by_player = self._product("player_to_holding", players) + absent
        holdings = self._activation(
            self._product("holding_to_holding", holdings),
            self._product("good_to_holding", goods)[:, :, None], by_player[:, None],
            "holding_vector",
        )  # fmt: skip
        players = self._activation(
            self._product("player_to_player", players) + absent,
            self._product("holding_to_player", holdings.mean(1)),
            self._product("table_to_player", table)[:, None], "player_vectors",
        )  # fmt: skip
        table = self._activation(
            self._product("table_to_table", table),
            self._product("good_to_table", goods.mean(1)),
            self._product("player_to_table", _pooled(players)), "table_vector",
        )  # fmt: skip
        goods = self._activation(
            self._product("good_to_good", goods),
            self._product("holding_to_good", _pooled(holdings)),
            self._product("table_to_good", table)[:, None], "good_vectors",
        )  # fmt: skip
        return Activations(goods, players, holdings, table)

    def _product(self, name: str, inputs: torch.Tensor) -> torch.Tensor:
        return inputs @ _padded_rows(getattr(self, name), inputs)

    def _activation(
        self, one: torch.Tensor, two: torch.Tensor, three: torch.Tensor, vector: str
    ) -> torch.Tensor:
        # The bias is cast, because a float32 bias would make all that follows float32.
        return functional.relu(one + two + three + getattr(self, vector).to(one.dtype))


def _pooled(slots: torch.Tensor) -> torch.Tensor:
    """Pool the slots (the second-to-last axis) into the viewer and the others' mean and maximum."""
    others = slots[..., 1:, :]
    return torch.cat([slots[..., 0, :], others.mean(-2), others.amax(-2)], -1)


class Net(nn.Module):
    """The network: a policy, win probabilities and the expected profit margin.

    Opponents other than the learner change the win probabilities. A separate term learns this from
    the kind of player in each slot, the stage of the game and the player's activations. Without the
    term, the win probabilities are those among equal players. The term and the margin are used only
    in training.
    """

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        depth, *rest = shape
        widths = Widths(*rest)
        self.layers = nn.ModuleList(
            Layer(widths if place else INPUT_WIDTHS, widths) for place in range(depth)
        )
        self.good_head = nn.Linear(widths.good, GOODS_NUMBERS.shape[1])
        self.table_head = nn.Linear(widths.table, len(TABLE_NUMBERS))
        self.player_head = nn.Linear(widths.player, 1)
        self.margin_head = nn.Linear(widths.table, 1)
        self.opponent_bias = nn.Parameter(torch.zeros(CATEGORY_COUNT, 4, _STAGES))
        self.opponent_head = nn.Linear(widths.player, CATEGORY_COUNT)
        for head in (self.good_head, self.table_head, self.player_head, self.margin_head):
            nn.init.normal_(head.weight, std=0.01)
            nn.init.zeros_(head.bias)
        for each in self.opponent_head.parameters():
            nn.init.zeros_(each)
        scale = np.append(scales(), np.float32(1))
        for name, indices in _INPUTS.items():
            padded = _padded(indices)
            self._register(f"{name}_bytes", padded.flatten())
            self._register(f"{name}_scale", scale[padded.reshape(-1, padded.shape[-1])[0]])
        self._register("places", np.argsort(np.append(GOODS_NUMBERS.flatten(), TABLE_NUMBERS)))

    def _register(self, name: str, array: npt.NDArray[Any]) -> None:
        self.register_buffer(name, torch.from_numpy(array), persistent=False)

    def forward(
        self, rows: torch.Tensor, masks: torch.Tensor, categories: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return log-probabilities of actions, log win probabilities of slots, and the margin.

        ``rows`` are the features padded with zeros; ``categories`` are the kinds of player by slot.
        """
        last = self._activations(rows)
        slots = torch.arange(SLOTS, device=rows.device)
        players = rows[:, :4].argmax(1)
        deck = rows[:, PIECES["deck"].start].long() * (_STAGES - 1) // 96
        # This is a matrix product and not indexing, because the gradient of indexing would add
        # thousands of rows to a few places, one after the other.
        stages = torch.arange(4 * _STAGES, device=rows.device)
        stage = (players * _STAGES + deck)[:, None] == stages
        foreign = torch.arange(CATEGORY_COUNT, device=rows.device) > 0
        bias = stage.float() @ (self.opponent_bias * foreign[:, None, None]).flatten(1).T
        by_player = _linear(last.players, self.player_head, self.opponent_head).float()
        own, change = by_player[:, :, 0], by_player[:, :, 1 : 1 + CATEGORY_COUNT] * foreign
        kinds = categories.long()
        wins = own + bias.gather(1, kinds) + change.gather(2, kinds[:, :, None])[:, :, 0]
        wins = wins.masked_fill(slots > players[:, None] + 2, -torch.inf)
        of_table = _linear(last.table, self.table_head, self.margin_head)
        logits = self._action_logits(last.goods, of_table).masked_fill(masks == 0, -torch.inf)
        margin = of_table[:, len(TABLE_NUMBERS)].float()
        return functional.log_softmax(logits, 1), functional.log_softmax(wins, 1), margin

    def policy_logits(self, rows: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Return the logits of the actions; -inf for illegal ones."""
        last = self._activations(rows)
        of_table = _linear(last.table, self.table_head)
        return self._action_logits(last.goods, of_table).masked_fill(masks == 0, -torch.inf)

    def _activations(self, rows: torch.Tensor) -> Activations:
        """Return the outputs of the last layer."""
        dtype = torch.bfloat16 if torch.is_autocast_enabled(rows.device.type) else torch.float
        inputs = []
        for name, indices in _INPUTS.items():
            part = rows.index_select(1, getattr(self, f"{name}_bytes"))
            part = part.unflatten(1, (*indices.shape[:-1], aligned(indices.shape[-1])))
            inputs.append(part.to(dtype) / getattr(self, f"{name}_scale").to(dtype))
        activations = Activations(*inputs)
        slots = torch.arange(SLOTS, device=rows.device)
        absent = -1e4 * (slots > rows[:, :4].argmax(1)[:, None] + 2)[:, :, None].to(dtype)
        for layer in self.layers:
            activations = layer(activations, absent)
        return activations

    def _action_logits(self, goods: torch.Tensor, of_table: torch.Tensor) -> torch.Tensor:
        """Return the logits in the order of the action numbers."""
        by_good = _linear(goods, self.good_head)[:, :, : GOODS_NUMBERS.shape[1]]
        logits = torch.cat([by_good.flatten(1), of_table[:, : len(TABLE_NUMBERS)]], 1)
        return logits.index_select(1, self.places).float()

    def to_weights(self, card: Mapping[str, Any]) -> Weights:
        """Return the weights for playing without PyTorch."""
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
        """Return a network with these weights; the parts used only in training are untrained."""
        net = cls(weights.shape)
        first, *others = weights.layers
        first = _scaled(first, scales())
        with torch.no_grad():
            for layer, source in zip(net.layers, (first, *others), strict=True):
                for name, array in source._asdict().items():
                    getattr(layer, name).copy_(torch.from_numpy(array))
            for head, (matrix, vector) in (
                (net.good_head, weights.good_head), (net.table_head, weights.table_head),
                (net.player_head, weights.player_head),
            ):  # fmt: skip
                head.weight.copy_(torch.from_numpy(matrix).T)
                head.bias.copy_(torch.from_numpy(vector))
        return net


def _padded_rows(matrix: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    """Pad a matrix with rows of zeros for inputs that are padding."""
    return functional.pad(matrix, (0, 0, 0, inputs.shape[-1] - len(matrix)))


def _linear(inputs: torch.Tensor, *heads: nn.Linear) -> torch.Tensor:
    """Return the outputs of several heads, padded with zeros to an aligned width."""
    weight, bias = torch.cat([h.weight for h in heads]), torch.cat([h.bias for h in heads])
    more = aligned(len(bias)) - len(bias)
    return functional.linear(
        inputs, functional.pad(weight, (0, 0, 0, more)), functional.pad(bias, (0, more))
    )


def _scaled(layer: LayerWeights, scale: npt.NDArray[Any]) -> LayerWeights:
    """Return a first layer whose weights for the features are multiplied by ``scale``."""
    first = {
        name: scale[indices.reshape(-1, indices.shape[-1])[0], None]
        for name, indices in zip(
            ("good", "player", "holding", "table"), _INPUTS.values(), strict=True
        )
    }
    # The inputs of these matrices are features; those of the others are computed by the layer.
    from_features = (
        "holding_to_holding", "good_to_holding", "player_to_holding", "player_to_player",
        "table_to_player", "table_to_table", "good_to_table", "good_to_good",
    )  # fmt: skip
    return layer._replace(
        **{name: getattr(layer, name) * first[name.partition("_")[0]] for name in from_features}
    )


def _array(tensor: torch.Tensor) -> Floats:
    return np.ascontiguousarray(tensor.detach().cpu().numpy(), dtype=np.float32)


def sample(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    """Sample actions: greedily at temperature 0, from the softmax at temperature 1."""
    if temperature > 0:
        noise = torch.empty_like(logits).exponential_().clamp_(min=1e-20).log_()
        logits = logits - temperature * noise
    return logits.argmax(1)
