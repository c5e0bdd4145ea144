"""Imitation learning: a network is trained to predict a bot's decisions, taken from records.

Slow bots cannot be used as training opponents, because a training run plays millions of decisions
per second. A network that imitates such a bot can be used instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from byzanz.datasets import open_records
from byzanz.encoding import FEATURES, numbers_of
from byzanz.encoding.numbers import NUMBERS
from byzanz.fast import step, write_features
from byzanz.fast.convert import record_of
from byzanz.network.forward import only_number, write_choice_mask
from byzanz.notation import Record, judge
from byzanz.rules import Deal, Game

from .device import Device
from .model import Net
from .observation_layout import ROW

_MINIBATCH_SIZE = 1024
_VALIDATION_EVERY = 20
"""One deal in this many, with all of its seatings, is used for validation only."""


@dataclass(frozen=True)
class Decisions:
    """Observations and actions of a bot; decisions with only one legal action are left out."""

    rows: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    deals: torch.Tensor
    """The number of the deal that each decision belongs to."""

    def __len__(self) -> int:
        return len(self.actions)


def decisions_of(bot: str, files: Iterable[Path]) -> Decisions:
    """Return the decisions of a bot in files of records, whatever its budget was.

    Raises ValueError if a file contains anything but legal records, or if the decisions are from
    fewer than two deals.
    """
    rows: list[np.ndarray] = []
    masks: list[np.ndarray] = []
    actions: list[int] = []
    deals: list[int] = []
    numbered: dict[Deal, int] = {}
    for record in _records(files):
        for row, mask, action in _decisions(record, bot):
            rows.append(row)
            masks.append(mask)
            actions.append(action)
            deals.append(numbered.setdefault(record.deal, len(numbered)))
    if not actions:
        raise ValueError(f"the records contain no decision of '{bot}'")
    if len(numbered) == 1:
        raise ValueError("the records contain only one deal; training and validation need two")
    return Decisions(
        torch.from_numpy(np.stack(rows)), torch.from_numpy(np.stack(masks)),
        torch.tensor(actions), torch.tensor(deals),
    )  # fmt: skip


def _records(files: Iterable[Path]) -> Iterator[Record]:
    for path in files:
        with open_records(str(path)) as stream:
            for verdict in judge(stream):
                if verdict.error is not None or verdict.record is None:
                    raise ValueError(f"'{path}', line {verdict.line}: {verdict.error}")
                yield verdict.record


def _decisions(record: Record, bot: str) -> Iterator[tuple[np.ndarray, np.ndarray, int]]:
    bots = record.extra.get("bots")
    if not isinstance(bots, list) or len(bots) != len(record.names):
        bots = record.names
    own = {seat for seat, name in enumerate(bots) if str(name).partition("@")[0] == bot}
    game = Game.start(record.deal)
    for played in record.plays:
        if played.seat in own and played.seat == game.state.turn:
            position = record_of(game.view(played.seat))
            for number in numbers_of(played.action):
                row, mask = np.zeros(ROW, np.uint8), np.zeros(NUMBERS, np.uint8)
                write_choice_mask(position, mask)
                if not mask[number]:
                    break  # the bot sells where a network would not
                if only_number(mask) < 0:
                    write_features(position, played.seat, row[:FEATURES])
                    yield row, mask, number
                step(position, number)
        game = game.play(played.seat, played.action)


def imitate(
    net: Net,
    decisions: Decisions,
    device: Device,
    *,
    epochs: int,
    seed: int,
    learning_rate: float = 5e-4,
) -> Iterator[tuple[float, float]]:
    """Train a network on the decisions; yield the validation loss and accuracy after each epoch."""
    net.to(device.torch_device)
    optimizer = torch.optim.Adam(net.parameters(), lr=learning_rate, eps=1e-5)
    validates = decisions.deals % _VALIDATION_EVERY == 0
    training, validation = (each.nonzero().squeeze(1) for each in (~validates, validates))
    generator = torch.Generator().manual_seed(seed)
    steps = -(-len(training) // _MINIBATCH_SIZE)
    for epoch in range(epochs):
        order = training[torch.randperm(len(training), generator=generator)]
        for number, minibatch in enumerate(order.split(_MINIBATCH_SIZE)):
            left = 1 - (epoch * steps + number) / (epochs * steps)
            for group in optimizer.param_groups:
                group["lr"] = learning_rate * left
            loss = _losses(net, decisions, minibatch, device)[0].mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
        with torch.no_grad():
            found = [
                _losses(net, decisions, minibatch, device)
                for minibatch in validation.split(_MINIBATCH_SIZE)
            ]
        yield tuple(torch.cat(each).mean().item() for each in zip(*found, strict=True))


def _losses(
    net: Net, decisions: Decisions, minibatch: torch.Tensor, device: Device
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return each decision's cross-entropy, and whether its action is the most probable one."""
    rows, masks, actions = (
        each[minibatch].to(device.torch_device)
        for each in (decisions.rows, decisions.masks, decisions.actions)
    )
    with device.autocast():
        logits = net.policy_logits(rows, masks)
    loss = functional.cross_entropy(logits, actions, reduction="none")
    return loss, (logits.argmax(1) == actions).float()
