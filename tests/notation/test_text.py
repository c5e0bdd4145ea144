from __future__ import annotations

import pytest

from byzanz.notation import (
    Fault,
    Malformed,
    parse_action,
    parse_card,
    parse_kind,
    write_action,
    write_cards,
)
from byzanz.notation.text import parse_run, run_together
from byzanz.rules import FACES, Bid, Card, Discard, Done, Give, Kind, Pass, Sell, Take


def test_the_25_faces_are_in_order() -> None:
    assert [card.name for card in FACES][:5] == ["C1", "C2", "C3", "C4", "G1"]
    assert [card.name for card in FACES][-2:] == ["W4", "M"]
    assert len(FACES) == 25
    assert [parse_card(card.name) for card in FACES] == list(FACES)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("bid C1 S2", Bid((Card.C1, Card.S2))),
        ("bid S2 C1", Bid((Card.C1, Card.S2))),
        ("pass", Pass()),
        ("give T1", Give(Card.T1)),
        ("give M", Give(Card.M)),
        ("take C", Take(Kind.CLOTH)),
        ("take M", Take(Kind.MERCHANT)),
        ("sell C4 C1 M", Sell((Card.C1, Card.C4, Card.M))),
        ("discard G1", Discard(Card.G1)),
        ("done", Done()),
    ],
)
def test_actions_are_parsed(text: str, action: object) -> None:
    assert parse_action(text) == action


def test_cards_are_written_in_face_order_merchants_last() -> None:
    assert write_action(parse_action("sell M C4 C1")) == "sell C1 C4 M"
    assert write_cards((Card.M, Card.W1, Card.C2)) == "C2 W1 M"


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "bid",
        "bid ",
        "bid  C1",
        " bid C1",
        "bid C1 ",
        "bid\tC1",
        "Bid C1",
        "bid c1",
        "bid C5",
        "bid C0",
        "bid CC",
        "bid M1",
        "pass now",
        "pass ",
        "give",
        "give T1 T2",
        "take",
        "take X",
        "take c",
        "take C1",
        "sell",
        "discard",
        "discard C1 C2",
        "done done",
        "fold",
        "bid C\N{FULLWIDTH DIGIT ONE}",
    ],
)
def test_other_text_is_malformed(text: str) -> None:
    with pytest.raises(Malformed) as caught:
        parse_action(text)
    assert caught.value.fault in (Fault.ACTION, Fault.CARD, Fault.KIND)
    assert caught.value.expected
    assert str(caught.value).startswith(caught.value.fault.value)


def test_malformed_names_what_was_expected_and_found() -> None:
    with pytest.raises(Malformed, match="bad-card: expected a card from C1 to W4, or M, not 'C9'"):
        parse_card("C9")
    with pytest.raises(Malformed, match="bad-kind"):
        parse_kind("Q")
    with pytest.raises(Malformed, match=r"not 'x{57}\.\.\.'"):
        parse_card("x" * 100)


def test_a_sale_of_any_number_of_cards_is_well_formed() -> None:
    assert parse_action("sell C1 C2") == Sell((Card.C1, Card.C2))


@pytest.mark.parametrize("cards", [(), (Card.M,), (Card.C1, Card.M, Card.M, Card.W4)])
def test_runs_of_cards_round_trip(cards: tuple[Card, ...]) -> None:
    assert parse_run(run_together(cards)) == cards


@pytest.mark.parametrize("text", ["", "C", "C1C", "MM1", "--", "C1-", "c1"])
def test_invalid_runs_of_cards_are_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        parse_run(text)
