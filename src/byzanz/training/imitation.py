"""Playing as somebody did: decisions out of records, and a network that learns them by heart.

A player who thinks for long cannot sit in a training's league, where a second has millions of
decisions. A network that plays much as he does can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from byzanz.encoding import FEATURES, numbers_of
from byzanz.encoding.numbers import NUMBERS
from byzanz.fast import step, write_features
from byzanz.fast.convert import words_for
from byzanz.network.forward import only_number, write_choices
from byzanz.notation import Record, judge
from byzanz.rules import Deal, Game

from .device import Machine
from .model import Net
from .observation import ROW

_PART = 1024
_TESTED = 20
"""One deal in so many is not learnt from, in no seating, but asked about."""


@dataclass(frozen=True)
class Decisions:
    """What somebody saw and played; numbers without a choice are left out."""

    rows: torch.Tensor
    masks: torch.Tensor
    numbers: torch.Tensor
    deals: torch.Tensor
    """Of which deal each is."""

    def __len__(self) -> int:
        return len(self.numbers)


def decisions_of(bot: str, files: Iterable[Path]) -> Decisions:
    """The decisions of a bot, whatever its budget was, in files of records.

    Raises ValueError for a file that holds something else, and for decisions of no or one deal.
    """
    rows: list[np.ndarray] = []
    masks: list[np.ndarray] = []
    numbers: list[int] = []
    deals: list[int] = []
    met: dict[Deal, int] = {}
    for record in _records(files):
        for row, mask, number in _decisions(record, bot):
            rows.append(row)
            masks.append(mask)
            numbers.append(number)
            deals.append(met.setdefault(record.deal, len(met)))
    if not numbers:
        raise ValueError(f"the records hold no decision of '{bot}'")
    if len(met) == 1:
        raise ValueError("the records are of one deal: there is none to learn and none to ask")
    return Decisions(
        torch.from_numpy(np.stack(rows)), torch.from_numpy(np.stack(masks)),
        torch.tensor(numbers), torch.tensor(deals),
    )  # fmt: skip


def _records(files: Iterable[Path]) -> Iterator[Record]:
    for path in files:
        with path.open("rb") as stream:
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
            words = words_for(game.view(played.seat))
            for number in numbers_of(played.action):
                row, mask = np.zeros(ROW, np.uint8), np.zeros(NUMBERS, np.uint8)
                write_choices(words, mask)
                if not mask[number]:
                    break  # a sale that networks do not weigh
                if only_number(mask) < 0:
                    write_features(words, played.seat, row[:FEATURES])
                    yield row, mask, number
                step(words, number)
        game = game.play(played.seat, played.action)


def imitate(
    net: Net, decisions: Decisions, machine: Machine, *, epochs: int, seed: int, rate: float = 5e-4
) -> Iterator[tuple[float, float]]:
    """Learns the decisions, and yields after each epoch how well the others are foreseen.

    That is their average logarithmic loss, and the share whose likeliest number was played.
    """
    net.to(machine.device)
    optimizer = torch.optim.Adam(net.parameters(), lr=rate, eps=1e-5)
    asked = decisions.deals % _TESTED == 0
    learnt, asked = (chosen.nonzero().squeeze(1) for chosen in (~asked, asked))
    order = torch.Generator().manual_seed(seed)
    steps = -(-len(learnt) // _PART)
    for epoch in range(epochs):
        places = learnt[torch.randperm(len(learnt), generator=order)]
        for number, part in enumerate(places.split(_PART)):
            left = 1 - (epoch * steps + number) / (epochs * steps)
            for group in optimizer.param_groups:
                group["lr"] = rate * left
            loss = _losses(net, decisions, part, machine)[0].mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
        with torch.no_grad():
            found = [_losses(net, decisions, part, machine) for part in asked.split(_PART)]
        yield tuple(torch.cat(each).mean().item() for each in zip(*found, strict=True))


def _losses(
    net: Net, decisions: Decisions, part: torch.Tensor, machine: Machine
) -> tuple[torch.Tensor, torch.Tensor]:
    """By decision, the logarithmic loss, and whether the likeliest number was played."""
    rows, masks, numbers = (
        each[part].to(machine.device)
        for each in (decisions.rows, decisions.masks, decisions.numbers)
    )
    with machine.halved():
        scores = net.policy_scores(rows, masks)
    loss = functional.cross_entropy(scores, numbers, reduction="none")
    return loss, (scores.argmax(1) == numbers).float()
