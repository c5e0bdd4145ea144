"""Trials of answers in one slot, compiled: worlds that may be, played on until it is seen how well.

A root is a position in which a network has a choice, and an answer is one of its numbers. Each
answer is tried in each of some worlds: what the seat on turn has not seen is dealt anew, the number
is played, and the network plays on for everybody up to the seat's next choice at a new offer. There
the network says how likely the seat is to win; if the game is over before, it is known. Nobody else
is asked: to others, cards that the seat has not shown look as good as any, and it would learn to
keep its worst ones hidden.
"""

from __future__ import annotations

from byzanz.encoding import FEATURES
from byzanz.fast import deal_unseen, step, write_features, write_shares
from byzanz.fast import words as w
from byzanz.fast.compiled import part
from byzanz.fast.words import TURN, Bytes, Words

from .sight import CATEGORIES, MASK
from .slot import Floats, comes_to_choice


@part
def try_on(
    slot: int,
    roots: Words,
    answers: Words,
    seeds: Words,
    worths: Floats,
    trials: Words,
    games: Words,
    sights: Bytes,
    judged: Words,
    numbers: Words,
    chances: Floats,
    shares: Floats,
) -> None:
    """Goes on with the slot's trial by what the network said, and on to its next choice.

    Where the network was asked how likely the seat is to win, the trial is over, and where a game
    is: the slot's next trial begins, until there is none. Trials are counted by root, world and
    answer; each slot has its own, a round of all slots apart.
    """
    worlds, count = seeds.shape[1], answers.shape[1]
    trial, game, mask = trials[slot], games[slot], sights[slot, MASK:CATEGORIES]
    if trial >= len(worths):
        return
    root = max(trial, 0) // (worlds * count)
    over = trial < 0 or judged[slot] == 1
    if trial >= 0 and over:
        worths[trial] = chances[slot]
    elif not over:
        step(game, numbers[slot])
    while True:
        if over:
            trial += len(games)
            if trial >= len(worths):
                break
            world, answer = trial // count, trial % count
            root = world // worlds
            if answers[root, answer] < 0:
                continue
            _begin(game, roots[root], seeds[root, world % worlds], answers[root, answer])
            over = False
        if comes_to_choice(game, mask):
            own = game[TURN] == roots[root, TURN]
            judged[slot] = own and game[w.DRAWN] > roots[root, w.DRAWN] and game[w.LAID] == 0
            write_features(game, game[TURN], sights[slot, :FEATURES])
            break
        write_shares(game, shares[slot])
        worths[trial] = shares[slot, roots[root, TURN]]
        over = True
    trials[slot] = trial


@part
def _begin(game: Words, root: Words, seed: int, number: int) -> None:
    """Makes the game a world that the seat on turn in the root deems possible, one number later."""
    for place in range(w.WORDS):
        game[place] = root[place]
    game[w.CHANCE] = seed
    deal_unseen(game, root[TURN])
    step(game, number)
