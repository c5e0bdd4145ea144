from __future__ import annotations

from gettext import NullTranslations

import pytest

from byzanz.locale import load_translations
from byzanz.messages import explain
from byzanz.messages.refusals import _FAULTS, _REFUSALS, EXPECTED
from byzanz.notation import Fault, Malformed, parse_action
from byzanz.rules import (
    Bid,
    Card,
    Deal,
    IllegalAction,
    Kind,
    Pass,
    Reason,
    Refusal,
    Sell,
    Take,
    apply,
    begin,
)

# Every reason, with the kind of parameters that the rules give it, and its sentence.
SENTENCES = {
    Reason.PLAYER_COUNT: ({"players": 7}, "Byzanz is for 3 to 6 players, not 7."),
    Reason.HAND_SIZE: (
        {"seat": 1, "found": 5, "expected": 4},
        "Seat 1 was dealt 5 cards instead of 4.",
    ),
    Reason.REMOVED_SIZE: ({"found": 3, "expected": 4}, "3 cards were removed instead of 4."),
    Reason.DECK_SIZE: ({"found": 3, "expected": 84}, "The deck has 3 cards instead of 84."),
    Reason.CARD_COUNT: (
        {"card": Card.C4, "found": 3, "expected": 2},
        "The deal has 3 copies of cloth 4; the game has 2.",
    ),
    Reason.NO_SUCH_SEAT: (
        {"seat": 9, "last": 3},
        "There is no seat 9 at this table; seats are 0 to 3.",
    ),
    Reason.GAME_OVER: ({}, "The game is over."),
    Reason.NOT_NOW: ({"phase": "market"}, "You can't do that now: the market is being shared out."),
    Reason.NOT_YOUR_TURN: ({"turn": 2}, "It is not your turn."),
    Reason.HAND_LIMIT: (
        {"held": 9, "limit": 7},
        "You hold 9 cards, and 7 is the limit: sell a set or discard first.",
    ),
    Reason.ALREADY_PASSED: ({}, "You have passed and are out of this auction."),
    Reason.HAS_OFFER_CARD: (
        {"offer_card": 5},
        "You have offer card 5 and can bid no more this round.",
    ),
    Reason.ALREADY_DONE: ({}, "You have already finished."),
    Reason.NO_CARDS: ({}, "A bid needs at least one card."),
    Reason.MERCHANT_BID: ({}, "Merchants cannot be bid."),
    Reason.CARD_NOT_IN_HAND: (
        {"cards": (Card.M, Card.C1)},
        "Not in your hand: cloth 1, merchant.",
    ),
    Reason.CARD_IN_BID: ({"cards": (Card.C1,)}, "In your bid, not in your hand: cloth 1."),
    Reason.BID_TOO_LOW: ({"worth": 4, "highest": 5}, "Your bid is worth 4; it must beat 5."),
    Reason.CARD_NOT_IN_OFFER: ({"card": Card.M}, "Not in the offer: merchant."),
    Reason.KIND_NOT_IN_MARKET: ({"kind": Kind.WOOD}, "Not in the market: wood."),
    Reason.NOT_THREE_CARDS: ({"found": 2}, "A set is three cards, not 2."),
    Reason.MIXED_SET: (
        {"cards": (Card.C1, Card.W1)},
        "A set is three cards of one good (merchants count as any good), not cloth 1, wine 1.",
    ),
    Reason.WITHIN_LIMIT: (
        {"held": 7, "limit": 7},
        "You may discard only if you hold more than 7 cards; you hold 7.",
    ),
    Reason.RESULT_TOO_EARLY: (
        {"phase": "auction"},
        "The game has not ended yet: an auction is in progress.",
    ),
    Reason.WRONG_PROFIT: (
        {"expected": "1, 2, 3", "found": "3, 2, 1"},
        "The profits are 1, 2, 3, not 3, 2, 1.",
    ),
    Reason.WRONG_WINNERS: ({"expected": "0", "found": "1"}, "The winning seats are 0, not 1."),
}


@pytest.mark.parametrize("reason", Reason)
def test_every_refusal_has_a_sentence(reason: Reason) -> None:
    parameters, sentence = SENTENCES[reason]
    assert explain(Refusal(reason, "R0", parameters)) == sentence


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_has_a_sentence(fault: Fault) -> None:
    assert explain(Malformed(fault, "a thing")).endswith(" Expected: a thing.")
    assert explain(Malformed(fault, "a thing", "junk")).endswith("Expected: a thing. Found: 'junk'")


def test_a_refused_bid_says_what_it_must_beat() -> None:
    state = begin(Deal.from_seed(4, 5))  # seat 0 holds G1 O1 O1 O4, seat 1 S2 T1 T1 W2
    state = apply(state, 0, Bid((Card.O4, Card.O1)))
    with pytest.raises(IllegalAction) as caught:
        apply(state, 1, Bid((Card.S2, Card.W2)))
    assert explain(caught.value) == "Your bid is worth 4; it must beat 5."
    assert caught.value.refusal.rule == "R3.3"
    assert str(caught.value) == "bid-too-low (R3.3) worth=4, highest=5"


def test_the_rules_give_each_sentence_what_it_names() -> None:
    state = begin(Deal.from_seed(4, 5))
    for seat, action in [(0, Take(Kind.WOOD)), (1, Pass()), (0, Sell((Card.C1,) * 3))]:
        with pytest.raises(IllegalAction) as caught:
            apply(state, seat, action)
        assert "{" not in explain(caught.value)


def test_sentences_come_from_the_translations_given() -> None:
    class Shouting(NullTranslations):
        def gettext(self, message: str) -> str:
            return message.replace("must beat", "MUSS").replace("cloth", "Tuch")

    said = explain(Refusal(Reason.BID_TOO_LOW, "R3.3", {"worth": 4, "highest": 5}), Shouting())
    assert said == "Your bid is worth 4; it MUSS 5."
    held = Refusal(Reason.CARD_NOT_IN_HAND, "R3.2", {"cards": (Card.C1,)})
    assert explain(held, Shouting()) == "Not in your hand: Tuch 1."


def test_what_was_found_is_cut_short_and_cannot_steer_a_terminal() -> None:
    said = explain(Malformed(Fault.NOT_JSON, "x", "\x1b[2J" + "y" * 500))
    assert "\x1b" not in said
    assert len(said) < 200
    assert set(_REFUSALS) == set(Reason)
    assert set(_FAULTS) == set(Fault)


@pytest.mark.parametrize(
    "typed",
    ["fly", "bid", "bid X9", "pass C1", "give", "take", "take X", "sell", "discard", "done C1"],
)
def test_what_is_expected_of_a_person_who_types_is_said_in_their_language(typed: str) -> None:
    with pytest.raises(Malformed) as caught:
        parse_action(typed)
    assert caught.value.expected in EXPECTED
    assert caught.value.expected not in explain(caught.value, load_translations("hu"))
