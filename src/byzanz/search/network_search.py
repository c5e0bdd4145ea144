"""Looking ahead with a network: its likeliest answers, tried in worlds that may be."""

from __future__ import annotations

from heapq import heappop, heappush
from math import ceil, log2, sqrt
from time import perf_counter

import numpy as np

from byzanz.encoding.features import SLOTS
from byzanz.encoding.numbers import CONFIRM
from byzanz.fast import WORDS, deal_unseen, step, write_features, write_shares
from byzanz.fast import layout as w
from byzanz.fast.convert import words_for
from byzanz.fast.jit import part, unlocked
from byzanz.fast.layout import PHASE, TURN, Floats, Words
from byzanz.fast.worlds import copy_game
from byzanz.network import Network
from byzanz.network.forward import (
    MOST_NUMBERS,
    chances,
    number_for,
    only_number,
    write_choices,
)
from byzanz.network.layers import Net, Room
from byzanz.network.network import action_for
from byzanz.rules import Action, View

from .budget import Budget

MOST = 8
"""Answers that are thought about."""
_LEAST = 0.0005
"""The share below which a number is not thought about."""
_TRUST = 0.02
"""How much the network's own liking counts beside one world; it fades as worlds are added."""
_BATCH = 8
"""Answers are tried about so often between two looks at the clock."""
_WORLDS = 8
"""Before so many of them nothing is clear."""
_CLEARLY = 3.0
"""An answer goes when it is worse than the best by so many standard errors."""
_UNSEEN = 0.01
"""The square of how different one world more might be from all before."""


def best_action(network: Network, seen: View, budget: Budget, chance: int) -> Action:
    """What fares best for the viewer, who is to act, as far as the budget lets one see.

    Answers are tried in the same worlds, ever fewer as the budget is used up. What is clearly worse
    than the best goes sooner, and when one is left there is nothing more to think about.
    """
    start, done = perf_counter(), 0
    root = words_for(seen, chance)
    answers, likings = likeliest(network, root)
    numbers = np.full((len(answers), MOST_NUMBERS), -1, np.int64)
    for place, answer in enumerate(answers):
        numbers[place, : len(answer)] = answer
    logs = np.log(np.array(likings))
    games, wins = np.zeros((2, WORDS), np.int64), np.zeros(SLOTS)
    left, outlooks = np.arange(len(answers)), np.zeros((0, len(answers)))
    parts = ceil(log2(len(answers)))
    while len(left) > 1:
        some = np.zeros((max(_BATCH // len(left), 1), len(left)))
        explore(network.parts, network.room, root, numbers[left], some, games, wins)
        done += some.size
        outlooks = np.concatenate((outlooks, some))
        used = min(budget.used(perf_counter() - start, done), 1)
        most = ceil(len(answers) / 2 ** int(parts * used))
        stay = best_first(outlooks, logs[left])[:most]
        left, outlooks = left[stay], outlooks[:, stay]
    return action_for(answers[int(left[0])])


def best_first(outlooks: Floats, logs: Floats) -> Words:
    """The columns that may be the best by these outlooks of worlds and likings, the best first."""
    worlds = len(outlooks)
    scores = outlooks.mean(0) + _TRUST * logs / sqrt(worlds)
    order: Words = np.argsort(-scores, kind="stable")
    if worlds < _WORLDS:
        return order
    best = order[0]
    spread = (outlooks[:, best, None] - outlooks).var(0) + _UNSEEN / worlds
    return order[(scores[best] - scores <= _CLEARLY * np.sqrt(spread / worlds))[order]]


def likeliest(network: Network, root: Words) -> tuple[list[list[int]], list[float]]:
    """The answers that the network likes best, likeliest first, and how likely it plays each."""
    answers: list[list[int]] = []
    likings: list[float] = []
    ahead: list[tuple[float, list[int], Words]] = [(-1.0, [], root)]
    while ahead and len(answers) < MOST:
        liking, numbers, game = heappop(ahead)
        if numbers and numbers[-1] >= CONFIRM:
            answers.append(numbers)
            likings.append(-liking)
            continue
        shares = network.shares(game)
        least = min(_LEAST, float(shares.max()))
        for number in np.flatnonzero(shares >= least).tolist():
            after = game
            if number < CONFIRM:
                after = game.copy()
                step(after, number)
            # Numbers differ, so that games are never compared.
            heappush(ahead, (liking * float(shares[number]), [*numbers, number], after))
    return answers, likings


@unlocked
def explore(
    net: Net, room: Room, root: Words, numbers: Words, outlooks: Floats, games: Words,
    wins: Floats,
) -> None:  # fmt: skip
    """Sets each answer's outlook in a world for each row; chance in ``root`` moves on."""
    seat = root[TURN]
    world, game = games[0], games[1]
    for row in range(len(outlooks)):
        copy_game(root, world)
        deal_unseen(world, seat)
        root[w.CHANCE] = world[w.CHANCE]
        for place in range(len(numbers)):
            copy_game(world, game)
            for number in numbers[place]:
                if number >= 0:
                    step(game, number)
            outlooks[row, place] = _outlook(net, room, game, seat, root[w.DRAWN], wins)


@part
def _outlook(net: Net, room: Room, game: Words, seat: int, drawn: int, wins: Floats) -> float:
    """The seat's chance to win, judged at its next choice once a new offer lies there.

    It is judged by what the seat itself sees: to others, cards that it has not shown look as good
    as any, and a seat that others judge would keep its worst ones hidden.
    """
    row, mask, shares, _, _ = room
    while game[PHASE] != w.OVER:
        if game[TURN] == seat and game[w.DRAWN] > drawn and game[w.LAID] == 0:
            write_choices(game, mask)
            if only_number(mask) < 0:
                write_features(game, seat, row)
                chances(net, room)
                return shares[0]
        step(game, number_for(net, room, game, 0.0))
    write_shares(game, wins)
    return wins[seat]
