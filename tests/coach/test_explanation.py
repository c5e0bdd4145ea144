"""The grade of a decision in words: every mark has a reason."""

from __future__ import annotations

from itertools import islice

from byzanz.coach.explanation import explain_decision
from byzanz.coach.reasons import compare
from byzanz.coach.results import Candidate, Decision, Evaluation
from byzanz.notation import write_action, write_view
from byzanz.rules import Action, Bid, Pass, Phase, Sell, View

from .reasons.positions import QUICK, positions


def decision(view: View, best: Action | None, played: Action) -> Decision:
    """Return a blunder: the played action lost ten points to the best one."""
    texts = [None if one is None else write_action(one) for one in (best, played)]
    candidates = (
        Candidate(texts[0], 0.5, 0.0, 0.0, 8, 0.5),
        Candidate(texts[1], 0.4, 10.0, 0.1, 8, 0.5),
    )
    evaluation = Evaluation(write_view(view), int(view.seat or 0), candidates, ())
    return Decision(
        1, view.round, view.phase.value, evaluation, texts[1] or "", 10.0, 0.1, "blunder"
    )


def test_a_pass_and_a_bid_always_have_a_reason_against_the_other() -> None:
    counted = 0
    for seed in (1, 2):
        for view, actions in islice(positions(QUICK, seed), 150):
            bids = [one for one in actions if isinstance(one, Bid)]
            if view.phase is not Phase.AUCTION or not bids or view.turn != view.seat:
                continue
            counted += 1
            found = explain_decision(decision(view, Pass(), bids[0]))
            assert found.played or found.best
            found = explain_decision(decision(view, bids[0], Pass()))
            assert found.best
    assert counted > 50


def test_a_sale_that_should_wait_has_a_reason_against_it() -> None:
    counted = 0
    for view, actions in positions(QUICK, 1):
        for sale in actions:
            if isinstance(sale, Sell) and view.phase is Phase.AUCTION:
                counted += 1
                assert explain_decision(decision(view, None, sale)).played
    assert counted > 5


def test_the_price_of_a_bid_is_not_said_against_it_if_the_best_action_is_a_bid() -> None:
    for view, actions in islice(positions(QUICK, 2), 120):
        bids = [one for one in actions if isinstance(one, Bid)]
        if len(bids) > 1:
            codes = {one.code for one in compare(view, bids[0], bids[1]).against_played}
            prices = {"bid-for-gain", "bid-without-gain"}
            other = {one.code for one in compare(view, bids[1], bids[0]).against_played}
            assert not (codes & prices and other & prices)
