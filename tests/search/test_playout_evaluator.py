from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from byzanz.rules import Deal, begin, view
from byzanz.search import Budget, playout_evaluator
from byzanz.search.playout_evaluator import PlayoutEvaluator, is_settled
from byzanz.search.playouts import evaluate_worlds
from byzanz.search.search import search


@pytest.mark.parametrize(
    ("iterations", "plain"), [(100, 100), (200, 200), (1000, 400), (5000, 2000), (40_000, 8000)]
)
def test_most_of_a_budget_goes_to_the_nested_stage(
    iterations: int, plain: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = {False: 0, True: 0}

    def counting(*arguments: Any) -> int:
        playouts = evaluate_worlds(*arguments)
        spent[arguments[-1]] += playouts
        return playouts

    monkeypatch.setattr(playout_evaluator, "evaluate_worlds", counting)
    start = view(begin(Deal.from_seed(4, 1)), 0)
    search(start, PlayoutEvaluator(), Budget(iterations=iterations), 1)
    assert plain <= spent[False] < plain + 64, "no more than the batch that uses it up"
    assert (spent[True] > 0) == (plain < iterations)


def test_the_choice_is_settled_by_a_significant_or_a_negligible_lead() -> None:
    rng = np.random.default_rng(1)
    luck = rng.random(64)
    better = np.stack((luck, luck + 0.1 + rng.normal(0, 0.05, 64)), axis=1)
    unclear = np.stack((luck, luck + 0.02 + rng.normal(0, 0.2, 64)), axis=1)
    equal = np.stack((luck, luck), axis=1)
    assert is_settled(better)
    assert not is_settled(unclear)
    assert is_settled(equal)
