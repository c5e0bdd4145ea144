from __future__ import annotations

import pytest

from byzanz.search import Budget


def test_a_budget_can_be_parsed_from_its_text() -> None:
    for budget in (Budget(seconds=2), Budget(seconds=0.05), Budget(iterations=800)):
        assert Budget.parse(str(budget)) == budget


@pytest.mark.parametrize("text", ["", "2", "2m", "s", "-1s", "1e3s", "0.5it", "2s "])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="expected a budget such as 2s or 800it"):
        Budget.parse(text)


def test_a_budget_has_one_positive_limit() -> None:
    with pytest.raises(ValueError, match="either seconds or iterations"):
        Budget()
    with pytest.raises(ValueError, match="either seconds or iterations"):
        Budget(seconds=1, iterations=1)
    for limit in ({"seconds": 0.0}, {"seconds": -1.0}, {"iterations": 0}):
        with pytest.raises(ValueError, match="must be positive"):
            Budget(**limit)  # type: ignore[arg-type]


def test_the_used_share_counts_seconds_or_iterations() -> None:
    assert Budget(seconds=2).used(seconds=1, iterations=99) == 0.5
    assert Budget(iterations=200).used(seconds=99, iterations=50) == 0.25
