"""The network while it learns: PyTorch's side of :class:`byzanz.network.Weights`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from byzanz.encoding import FEATURES, NUMBERS, PIECES, scales
from byzanz.encoding.features import SLOTS
from byzanz.network import Weights

CATEGORIES = 5
"""Who may sit in a slot: the network itself, a past self, or one of three scripted kinds."""

_STAGES = 9
"""Parts of the game by the deck that is left, for what strangers change in the chances."""


class Net(nn.Module):
    """Scores for the numbers, scores for each slot's win, and the margin of profit to expect.

    While it learns, strangers sit at some tables. What they change in the chances is learnt apart,
    by who sits where and how far the game is, so that the chances proper are those of a table of
    its own. That part and the margin are not for playing.
    """

    def __init__(self, widths: tuple[int, ...]) -> None:
        super().__init__()
        self.widths = widths
        sizes = (FEATURES, *widths)
        self.hidden = nn.ModuleList(map(nn.Linear, sizes[:-1], sizes[1:]))
        self.policy = nn.Linear(widths[-1], NUMBERS)
        self.chances = nn.Linear(widths[-1], SLOTS)
        self.margin = nn.Linear(widths[-1], 1)
        self.strangers = nn.Parameter(torch.zeros(CATEGORIES, 4, _STAGES))
        self.register_buffer("inverse", torch.from_numpy(1 / scales()), persistent=False)
        for layer in self.hidden:
            nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
        for head in (self.policy, self.chances, self.margin):
            nn.init.normal_(head.weight, std=0.01)
        for layer in (*self.hidden, self.policy, self.chances, self.margin):
            nn.init.zeros_(layer.bias)

    def forward(
        self, rows: torch.Tensor, masks: torch.Tensor, categories: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logarithms of the numbers' shares and of the slots' chances, and the margin.

        Rows may be wider than the features; what follows those does not count.
        """
        scores = self._scores(rows)
        numbers = scores[:, :NUMBERS].float().masked_fill(masks == 0, -torch.inf)
        players = rows[:, :4].argmax(1)
        slots = torch.arange(SLOTS, device=rows.device)
        deck = rows[:, PIECES["deck"].start].long() * (_STAGES - 1) // 96
        # A product instead of fetching: thousands of rows fetch the same figure, and on the way
        # back they would all wait for one another.
        moments = torch.arange(4 * _STAGES, device=rows.device)
        moment = (players * _STAGES + deck)[:, None] == moments
        known = torch.arange(CATEGORIES, device=rows.device) > 0
        foreign = moment.float() @ (self.strangers * known[:, None, None]).flatten(1).T
        shift = foreign.gather(1, categories.long())
        wins = scores[:, NUMBERS : NUMBERS + SLOTS].float() + shift
        wins = wins.masked_fill(slots > players[:, None] + 2, -torch.inf)
        margin = scores[:, -1].float()
        return functional.log_softmax(numbers, 1), functional.log_softmax(wins, 1), margin

    def policy_scores(self, rows: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Scores of the numbers alone, without the legal ones' softmax."""
        return self._scores(rows)[:, :NUMBERS].float().masked_fill(masks == 0, -torch.inf)

    def _scores(self, rows: torch.Tensor) -> torch.Tensor:
        """What all heads say, side by side: together they are 296 wide, which GPUs like."""
        # Bytes are exact in half precision, so their scale is moved into the matrix.
        last = rows.to(
            torch.bfloat16 if torch.is_autocast_enabled(rows.device.type) else torch.float
        )
        for depth, layer in enumerate(self.hidden):
            matrix = layer.weight
            if depth == 0:
                matrix = functional.pad(matrix * self.inverse, (0, rows.shape[1] - FEATURES))
            last = functional.relu(functional.linear(last, matrix, layer.bias))
        heads = (self.policy, self.chances, self.margin)
        return functional.linear(
            last, torch.cat([head.weight for head in heads]), torch.cat([h.bias for h in heads])
        )

    def to_weights(self, card: Mapping[str, Any]) -> Weights:
        """What plays, without PyTorch."""

        def layer(linear: nn.Linear, scale: torch.Tensor | None = None) -> tuple[Any, Any]:
            matrix = linear.weight if scale is None else linear.weight * scale
            return (
                np.ascontiguousarray(matrix.detach().cpu().numpy().T, dtype=np.float32),
                linear.bias.detach().cpu().numpy().astype(np.float32),
            )

        first, *others = self.hidden
        return Weights(
            hidden=(layer(first, self.inverse), *(layer(other) for other in others)),
            policy=layer(self.policy),
            chances=layer(self.chances),
            card=card,
        )

    @classmethod
    def from_weights(cls, weights: Weights) -> Net:
        """A network that plays as these weights do; the margin is unlearnt."""
        net = cls(tuple(len(vector) for _, vector in weights.hidden))
        layers = [*net.hidden, net.policy, net.chances]
        given = [*weights.hidden, weights.policy, weights.chances]
        with torch.no_grad():
            for depth, (linear, (matrix, vector)) in enumerate(zip(layers, given, strict=True)):
                plain = torch.from_numpy(matrix.T.copy())
                linear.weight.copy_(plain / net.inverse if depth == 0 else plain)
                linear.bias.copy_(torch.from_numpy(vector))
        return net


def picked(scores: torch.Tensor, heat: float) -> torch.Tensor:
    """Numbers by their scores: the best without heat, by chance by their shares with heat 1."""
    if heat > 0:
        scores = scores - heat * torch.empty_like(scores).exponential_().clamp_(min=1e-20).log_()
    return scores.argmax(1)
