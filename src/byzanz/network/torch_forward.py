"""The forward pass in PyTorch, for GPUs: many rows of features at once, from several threads.

Rows that threads ask for at about the same time are computed together, because a GPU takes no
longer for a thousand rows than for a hundred. Sums are computed in a different order from that in
:mod:`byzanz.network.batch`, so results differ in the last digits.
"""

from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from byzanz.encoding.features import FEATURES, SLOTS
from byzanz.encoding.numbers import NUMBERS
from byzanz.fast.layout import Bytes, Ints

from .feature_groups import (
    GOODS_BYTES,
    GOODS_NUMBERS,
    HOLDINGS_BYTES,
    PLAYERS_BYTES,
    TABLE_BYTES,
    TABLE_NUMBERS,
)
from .weights import Floats, Weights

_SIZES = (128, 512, 2048)
"""A batch is padded to one of these numbers of rows; each has its own CUDA graph."""
_SMALLEST = 1e-30
"""The lower bound of a probability before its logarithm is taken."""


def check_device(name: str) -> torch.device:
    """Return a device of PyTorch; raise ValueError if this machine does not have it."""
    if name.partition(":")[0] == "cuda" and not torch.cuda.is_available():
        raise ValueError("PyTorch finds no GPU on this machine")
    return torch.device(name)


class TorchNetwork(torch.nn.Module):
    """A network's layers and heads on a device, computed in single precision."""

    def __init__(self, weights: Weights, device: torch.device) -> None:
        super().__init__()

        def held(array: npt.NDArray[Any]) -> torch.Tensor:
            return torch.as_tensor(np.ascontiguousarray(array), device=device)

        self._layers = [tuple(map(held, layer)) for layer in weights.layers]
        heads = weights.good_head, weights.table_head, weights.player_head
        self._heads = [(held(matrix), held(vector)) for matrix, vector in heads]
        self._calibration = held(weights.calibration)
        self._bytes = [
            held(each) for each in (GOODS_BYTES, PLAYERS_BYTES, HOLDINGS_BYTES, TABLE_BYTES)
        ]
        order = np.concatenate([GOODS_NUMBERS.flatten(), TABLE_NUMBERS])
        self._place_of_number = held(np.argsort(order))
        self._slots = torch.arange(SLOTS, device=device)

    @torch.inference_mode()
    def forward(self, rows: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return each row's best legal action number, and its win probabilities by slot."""
        features = rows.float()
        goods, players, holdings, table = (features[:, each] for each in self._bytes)
        count = 3 + rows[:, 1].long() + 2 * rows[:, 2].long() + 3 * rows[:, 3].long()
        present = self._slots < count[:, None]
        for layer in self._layers:
            goods, players, holdings, table = _layer(
                layer, goods, players, holdings, table, present
            )
        (by_good, good_bias), (by_table, table_bias), (by_player, player_bias) = self._heads
        scores = torch.cat(
            [(goods @ by_good + good_bias).flatten(1), table @ by_table + table_bias], 1
        )[:, self._place_of_number]
        best = scores.masked_fill(masks == 0, -torch.inf).argmax(1)
        values = (players @ by_player + player_bias)[..., 0].masked_fill(~present, -torch.inf)
        return best, self._calibrated(values, present, count)

    def _calibrated(
        self, values: torch.Tensor, present: torch.Tensor, count: torch.Tensor
    ) -> torch.Tensor:
        raw = values.softmax(1)
        slope, own_bias, linear = self._calibration[count - 3].T
        adjusted = slope[:, None] * raw.clamp_min(_SMALLEST).log() + linear[:, None] * raw
        adjusted = adjusted + own_bias[:, None] * (self._slots == 0)
        return adjusted.masked_fill(~present, -torch.inf).softmax(1)


def _layer(
    layer: tuple[torch.Tensor, ...],
    goods: torch.Tensor,
    players: torch.Tensor,
    holdings: torch.Tensor,
    table: torch.Tensor,
    present: torch.Tensor,
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the outputs of a layer for goods, players, holdings and the table.

    The layer's arrays are in the order of the fields of :class:`byzanz.network.Layer`.
    """
    (holding_to_holding, good_to_holding, player_to_holding, holding_vector,
     player_to_player, holding_to_player, table_to_player, player_vectors,
     table_to_table, good_to_table, player_to_table, table_vector,
     good_to_good, holding_to_good, table_to_good, good_vectors) = layer  # fmt: skip
    there = present[:, :, None]
    new_holdings = holdings @ holding_to_holding + (goods @ good_to_holding)[:, :, None]
    new_holdings = new_holdings + (players @ player_to_holding)[:, None] + holding_vector
    new_holdings = new_holdings.relu() * there[:, None]
    new_players = players @ player_to_player + new_holdings.mean(1) @ holding_to_player
    new_players = new_players + (table @ table_to_player)[:, None] + player_vectors
    new_players = new_players.relu() * there
    new_table = table @ table_to_table + goods.mean(1) @ good_to_table
    new_table = (new_table + _pooled(new_players) @ player_to_table + table_vector).relu()
    new_goods = goods @ good_to_good + _pooled(new_holdings) @ holding_to_good
    new_goods = (new_goods + (new_table @ table_to_good)[:, None] + good_vectors).relu()
    return new_goods, new_players, new_holdings, new_table


def _pooled(slots: torch.Tensor) -> torch.Tensor:
    """Pool slots (the second to last dimension): the viewer, the others' mean and maximum."""
    others = slots[..., 1:, :]
    return torch.cat([slots[..., 0, :], others.mean(-2), others.amax(-2)], -1)


class _Request:
    """The rows of one thread, and where their results are written."""

    def __init__(self, rows: Bytes, masks: Bytes) -> None:
        self.rows, self.masks = rows, masks
        self.best: Ints = np.zeros(len(rows), np.int64)
        self.values: Floats = np.zeros((len(rows), SLOTS), np.float32)
        self.done = threading.Event()
        self.error: BaseException | None = None


class SharedForward:
    """A network on a device that several threads use at once."""

    def __init__(self, weights: Weights, device: str) -> None:
        """Load the weights onto a device; raises ValueError if the machine does not have it."""
        self._device = check_device(device)
        self._network = TorchNetwork(weights, self._device)
        self._requests: SimpleQueue[_Request] = SimpleQueue()
        self._graphs: dict[int, _Graph] = {}
        threading.Thread(target=self._serve, daemon=True, name="forward pass").start()

    def __call__(self, rows: Bytes, masks: Bytes) -> tuple[Ints, Floats]:
        """Return each row's best legal action number, and its win probabilities by slot."""
        request = _Request(rows, masks)
        self._requests.put(request)
        request.done.wait()
        if request.error is not None:
            raise request.error
        return request.best, request.values

    def _serve(self) -> None:
        while True:
            requests = [self._requests.get()]
            while not self._requests.empty():
                requests.append(self._requests.get())
            try:
                self._answer(requests)
            except Exception as error:  # noqa: BLE001 - the asking threads raise it
                for request in requests:
                    request.error = error
            for request in requests:
                request.done.set()

    def _answer(self, requests: list[_Request]) -> None:
        rows = np.concatenate([request.rows for request in requests])
        masks = np.concatenate([request.masks for request in requests])
        best = np.zeros(len(rows), np.int64)
        values = np.zeros((len(rows), SLOTS), np.float32)
        for start in range(0, len(rows), _SIZES[-1]):
            part = slice(start, start + _SIZES[-1])
            best[part], values[part] = self._compute(rows[part], masks[part])
        start = 0
        for request in requests:
            end = start + len(request.rows)
            request.best[:], request.values[:] = best[start:end], values[start:end]
            start = end

    def _compute(self, rows: Bytes, masks: Bytes) -> tuple[Ints, Floats]:
        if self._device.type != "cuda":
            best, values = self._network(torch.from_numpy(rows), torch.from_numpy(masks))
            return best.numpy(), values.numpy()
        size = next(size for size in _SIZES if size >= len(rows))
        if size not in self._graphs:
            self._graphs[size] = _Graph(self._network, size, self._device)
        return self._graphs[size](rows, masks)


class _Graph:
    """The forward pass of a fixed number of rows as a CUDA graph."""

    def __init__(self, network: TorchNetwork, size: int, device: torch.device) -> None:
        self._rows = torch.zeros((size, FEATURES), dtype=torch.uint8, device=device)
        self._masks = torch.ones((size, NUMBERS), dtype=torch.uint8, device=device)
        side = torch.cuda.Stream(device)
        side.wait_stream(torch.cuda.current_stream(device))
        with torch.cuda.stream(side):
            for _ in range(3):  # libraries need some calls for initialisation
                network(self._rows, self._masks)
        torch.cuda.current_stream(device).wait_stream(side)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph):
            self._best, self._values = network(self._rows, self._masks)

    def __call__(self, rows: Bytes, masks: Bytes) -> tuple[Ints, Floats]:
        count = len(rows)
        self._rows[:count].copy_(torch.from_numpy(rows))
        self._masks[:count].copy_(torch.from_numpy(masks))
        self._graph.replay()
        return self._best[:count].cpu().numpy(), self._values[:count].cpu().numpy()
