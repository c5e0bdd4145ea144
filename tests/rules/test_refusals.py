"""Every reason for a refusal, with its rule and its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

import pytest

from byzanz.notation import parse_action
from byzanz.rules import (
    ALL_CARDS,
    FACES,
    Action,
    Bid,
    Card,
    Cards,
    Deal,
    Discard,
    Done,
    Give,
    Illegal,
    IllegalAction,
    IllegalDeal,
    IllegalResult,
    Kind,
    Pass,
    Phase,
    Reason,
    Refusal,
    Result,
    Sell,
    State,
    Take,
    apply,
    begin,
    check_result,
    options,
    view,
)
from byzanz.rules.deal import setup_for
from byzanz.rules.refusals import Parameter

from .positions import TABLES, cards, deal, player, position, random_game

FULL = "C1 C2 G1 G2 O1 O2 S1 S2"


def auction() -> State:
    """Return an auction that seat 1 leads with 3; seat 0 passed, seat 3 has an offer card."""
    return position(
        Phase.AUCTION,
        2,
        player("C1 C2 C3", passed=True),
        player("G1 G1 G2 M", bid="G3"),
        player("C1 C4 O1 O3 M M", bid="O2"),
        player("T1", card=5),
        offer="W1 W2 W3 W4",
    )


def giving() -> State:
    return position(
        Phase.GIVE, 2, player("C1"), player("G1"), player("O1"), offer="S1 S2 S3 T1 T2 M"
    )


def limit() -> State:
    return position(Phase.LIMIT, 1, player("C1"), player(FULL, card=6), player("O3"))


def market() -> State:
    return position(
        Phase.MARKET,
        0,
        player("C1", card=2),
        player("G1", card=4),
        player("O1", card=6),
        market="S1 T1",
        takers=(0, 1, 2),
    )


def final_sale() -> State:
    return position(Phase.FINAL_SALE, 1, player("C1 C2 C3", done=True), player(), player("G1"))


def over() -> State:
    return position(Phase.OVER, None, *[player("C1 C2 C3", done=True)] * 3)


class Case(NamedTuple):
    """An action that is refused for this reason."""

    reason: Reason
    state: State
    seat: int
    action: Action
    rule: str
    parameters: Mapping[str, Parameter]


def case(reason: Reason, state: State, move: str, rule: str, **parameters: Parameter) -> Case:
    seat, _, text = move.partition(" ")
    action = Bid(()) if text == "bid" else Sell(()) if text == "sell" else parse_action(text)
    return Case(reason, state, int(seat), action, rule, parameters)


CASES = [
    case(Reason.GAME_OVER, over(), "0 bid C1", "R7.2"),
    case(Reason.GAME_OVER, over(), "1 pass", "R7.2"),
    case(Reason.GAME_OVER, over(), "1 give C1", "R7.2"),
    case(Reason.GAME_OVER, over(), "1 take C", "R7.2"),
    case(Reason.GAME_OVER, over(), "0 sell C1 C2 C3", "R7.2"),
    case(Reason.GAME_OVER, over(), "0 discard C1", "R7.2"),
    case(Reason.GAME_OVER, over(), "2 done", "R7.2"),
    case(Reason.NOT_NOW, giving(), "2 bid O1", "R3.2", phase="give"),
    case(Reason.NOT_NOW, giving(), "0 pass", "R3.5", phase="give"),
    case(Reason.NOT_NOW, giving(), "2 take S", "R4.1", phase="give"),
    case(Reason.NOT_NOW, auction(), "2 give W1", "R3.8", phase="auction"),
    case(Reason.NOT_NOW, auction(), "2 take C", "R4.1", phase="auction"),
    case(Reason.NOT_NOW, auction(), "2 done", "I8", phase="auction"),
    case(Reason.NOT_NOW, market(), "0 bid C1", "R3.2", phase="market"),
    case(Reason.NOT_NOW, market(), "0 give S1", "R3.8", phase="market"),
    case(Reason.NOT_NOW, market(), "1 done", "I8", phase="market"),
    case(Reason.NOT_NOW, limit(), "0 bid C1", "R3.2", phase="limit"),
    case(Reason.NOT_NOW, limit(), "2 take C", "R4.1", phase="limit"),
    case(Reason.NOT_NOW, limit(), "1 done", "I8", phase="limit"),
    case(Reason.NOT_NOW, final_sale(), "1 pass", "R3.5", phase="final-sale"),
    case(Reason.NOT_NOW, final_sale(), "1 take C", "R4.1", phase="final-sale"),
    case(Reason.NOT_YOUR_TURN, auction(), "1 bid G1", "R3.3", turn=2),
    case(Reason.NOT_YOUR_TURN, auction(), "1 pass", "R3.3", turn=2),
    case(Reason.NOT_YOUR_TURN, giving(), "0 give S1", "R3.8", turn=2),
    case(Reason.NOT_YOUR_TURN, market(), "1 take S", "R4.1", turn=0),
    case(Reason.HAND_LIMIT, limit(), "1 bid C1", "R6.1", held=8, limit=7),
    case(Reason.HAND_LIMIT, limit(), "1 pass", "R6.1", held=8, limit=7),
    case(Reason.HAND_LIMIT, limit(), "1 give C1", "R6.1", held=8, limit=7),
    case(Reason.HAND_LIMIT, limit(), "1 take C", "R6.1", held=8, limit=7),
    case(Reason.ALREADY_PASSED, auction(), "0 bid C1 C2 C3", "R3.5"),
    case(Reason.ALREADY_PASSED, auction(), "0 pass", "R3.5"),
    case(Reason.HAS_OFFER_CARD, auction(), "3 bid T1", "R3.8", offer_card=5),
    case(Reason.HAS_OFFER_CARD, auction(), "3 pass", "R3.8", offer_card=5),
    case(Reason.ALREADY_DONE, final_sale(), "0 done", "I8"),
    case(Reason.ALREADY_DONE, final_sale(), "0 sell C1 C2 C3", "I8"),
    case(Reason.NO_CARDS, auction(), "2 bid", "R3.2"),
    case(Reason.MERCHANT_BID, auction(), "2 bid M", "R3.7"),
    case(Reason.MERCHANT_BID, auction(), "2 bid C4 M", "R3.7"),
    case(Reason.CARD_NOT_IN_HAND, auction(), "2 bid C1 C1 C4", "R3.2", cards=cards("C1")),
    case(Reason.CARD_NOT_IN_HAND, auction(), "2 bid C4 T1 W1", "R3.2", cards=cards("T1 W1")),
    case(Reason.CARD_NOT_IN_HAND, auction(), "2 bid O2 W1", "R3.2", cards=cards("O2 W1")),
    case(Reason.CARD_NOT_IN_HAND, auction(), "2 sell C1 C2 C4", "R5.1", cards=cards("C2")),
    case(Reason.CARD_NOT_IN_HAND, auction(), "2 sell O2 O2 O3", "R5.1", cards=cards("O2 O2")),
    case(Reason.CARD_NOT_IN_HAND, limit(), "1 discard W4", "R6.1", cards=cards("W4")),
    case(Reason.CARD_IN_BID, auction(), "2 bid O2", "R3.4", cards=cards("O2")),
    case(Reason.CARD_IN_BID, auction(), "2 bid C4 O2", "R3.4", cards=cards("O2")),
    case(Reason.CARD_IN_BID, auction(), "2 sell O1 O2 O3", "I7", cards=cards("O2")),
    case(Reason.CARD_IN_BID, auction(), "1 sell G1 G1 G3", "I7", cards=cards("G3")),
    case(Reason.BID_TOO_LOW, auction(), "2 bid C1", "R3.3", worth=3, highest=3),
    case(
        Reason.BID_TOO_LOW,
        position(Phase.AUCTION, 1, player(bid="W4"), player("C1 C1"), player()),
        "1 bid C1 C1",
        "R3.3",
        worth=2,
        highest=4,
    ),
    case(Reason.CARD_NOT_IN_OFFER, giving(), "2 give O1", "R3.8", card=Card.O1),
    case(Reason.KIND_NOT_IN_MARKET, market(), "0 take C", "R4.1", kind=Kind.CLOTH),
    case(Reason.KIND_NOT_IN_MARKET, market(), "0 take M", "R4.1", kind=Kind.MERCHANT),
    case(Reason.NOT_THREE_CARDS, auction(), "2 sell", "R5.1", found=0),
    case(Reason.NOT_THREE_CARDS, auction(), "2 sell M M", "R5.1", found=2),
    case(Reason.NOT_THREE_CARDS, auction(), "2 sell C4 M M M", "R5.1", found=4),
    case(Reason.NOT_THREE_CARDS, auction(), "2 sell C1 O1", "R5.1", found=2),
    case(Reason.MIXED_SET, auction(), "2 sell C1 O1 M", "R5.1", cards=cards("C1 O1 M")),
    case(Reason.MIXED_SET, auction(), "2 sell T1 S1 W1", "R5.1", cards=cards("S1 T1 W1")),
    case(Reason.WITHIN_LIMIT, auction(), "2 discard C1", "R6.1", held=6, limit=7),
    case(
        Reason.WITHIN_LIMIT,
        position(Phase.AUCTION, 0, player("C1 C2 G1 G2 O1 O2 S1"), player(), player()),
        "0 discard C1",
        "R6.1",
        held=7,
        limit=7,
    ),
    case(Reason.WITHIN_LIMIT, limit(), "0 discard C1", "R6.1", held=1, limit=7),
    case(Reason.WITHIN_LIMIT, final_sale(), "1 discard C1", "R6.1", held=0, limit=7),
]


def named(one: Case) -> str:
    return f"{one.reason.value}-{one.state.phase.value}-{type(one.action).__name__}"


@pytest.mark.parametrize("one", CASES, ids=named)
def test_the_action_is_refused_by_its_rule(one: Case) -> None:
    with pytest.raises(IllegalAction) as caught:
        apply(one.state, one.seat, one.action)
    assert caught.value.refusal == Refusal(one.reason, one.rule, one.parameters)


@pytest.mark.parametrize("one", CASES, ids=named)
def test_a_refused_action_is_not_an_option_of_the_state_or_the_view(one: Case) -> None:
    for choices in (options(one.state, one.seat), view(one.state, one.seat).options):
        assert choices.refusal(one.action) == Refusal(one.reason, one.rule, one.parameters)
        assert one.action not in choices
        assert one.action not in list(choices)


@pytest.mark.parametrize("one", CASES, ids=named)
def test_a_refused_action_leaves_the_state_as_it_was(one: Case) -> None:
    copy = one.state._replace(players=tuple([had._replace() for had in one.state.players]))
    with pytest.raises(IllegalAction):
        apply(one.state, one.seat, one.action)
    assert one.state == copy


@pytest.mark.parametrize(("players", "seat"), [(3, 3), (3, -1), (4, 4), (6, 6), (6, -6), (6, 99)])
def test_a_seat_that_does_not_exist_is_refused(players: int, seat: int) -> None:
    state = begin(Deal.from_seed(players, 0))
    with pytest.raises(IllegalAction) as caught:
        apply(state, seat, Pass())
    assert caught.value.refusal == Refusal(
        Reason.NO_SUCH_SEAT, "R2.1", {"seat": seat, "last": players - 1}
    )


def some_hands(*sizes: int) -> tuple[Cards, ...]:
    return tuple([ALL_CARDS[:size] for size in sizes])


SOUND = deal(3, ["C1 C1 C1 C1", "C1 C1 C2 C2", "C2 C2 C2 M"])

C3_TOO_MANY = (*SOUND.hands[:2], cards("C2 C2 C2 C3"))
M_TOO_MANY = (*SOUND.hands[:2], cards("C2 C2 M M"))

DEALS: list[tuple[tuple[Cards, ...], Cards, Cards, Refusal]] = [
    ((), (), (), Refusal(Reason.PLAYER_COUNT, "R2.1", {"players": 0})),
    (some_hands(4, 4), (), (), Refusal(Reason.PLAYER_COUNT, "R2.1", {"players": 2})),
    (some_hands(*[4] * 7), (), (), Refusal(Reason.PLAYER_COUNT, "R2.1", {"players": 7})),
    (
        some_hands(4, 3, 5),
        SOUND.deck,
        SOUND.removed,
        Refusal(Reason.HAND_SIZE, "R2.1", {"seat": 1, "expected": 4, "found": 3}),
    ),
    (
        some_hands(4, 4, 5),
        SOUND.deck,
        SOUND.removed,
        Refusal(Reason.HAND_SIZE, "R2.1", {"seat": 2, "expected": 4, "found": 5}),
    ),
    (
        SOUND.hands,
        SOUND.deck,
        SOUND.removed[1:],
        Refusal(Reason.REMOVED_SIZE, "R2.2", {"expected": 4, "found": 3}),
    ),
    (
        SOUND.hands,
        SOUND.deck[1:],
        (*SOUND.removed, SOUND.deck[0]),
        Refusal(Reason.REMOVED_SIZE, "R2.2", {"expected": 4, "found": 5}),
    ),
    (
        SOUND.hands,
        SOUND.deck[1:],
        SOUND.removed,
        Refusal(Reason.DECK_SIZE, "R2.2", {"expected": 96, "found": 95}),
    ),
    (
        SOUND.hands,
        (*SOUND.deck, Card.M),
        SOUND.removed,
        Refusal(Reason.DECK_SIZE, "R2.2", {"expected": 96, "found": 97}),
    ),
    (
        C3_TOO_MANY,
        SOUND.deck,
        SOUND.removed,
        Refusal(Reason.CARD_COUNT, "R1.1", {"card": Card.C3, "expected": 3, "found": 4}),
    ),
    (
        M_TOO_MANY,
        SOUND.deck,
        SOUND.removed,
        Refusal(Reason.CARD_COUNT, "R1.2", {"card": Card.M, "expected": 16, "found": 17}),
    ),
]


@pytest.mark.parametrize(("hands", "deck", "removed", "refusal"), DEALS)
def test_the_deal_is_refused_by_its_rule(
    hands: tuple[Cards, ...], deck: Cards, removed: Cards, refusal: Refusal
) -> None:
    with pytest.raises(IllegalDeal) as caught:
        Deal(hands, deck=deck, removed=removed)
    assert caught.value.refusal == refusal


def test_the_refusal_names_the_first_face_with_too_many_cards() -> None:
    hands = (cards("C1 C1 W4 W4"), *SOUND.hands[1:-1], cards("C2 C2 M M"))
    with pytest.raises(IllegalDeal) as caught:
        Deal(hands, deck=SOUND.deck, removed=SOUND.removed)
    assert caught.value.refusal == Refusal(
        Reason.CARD_COUNT, "R1.1", {"card": Card.W4, "expected": 2, "found": 4}
    )


@pytest.mark.parametrize("nothing", ["pass", None, 42])
def test_an_object_that_is_not_an_action_raises_type_error(nothing: Any) -> None:
    with pytest.raises(TypeError, match=f"^not an action: {nothing!r}$"):
        apply(auction(), 2, nothing)


@pytest.mark.parametrize("players", [-1, 0, 1, 2, 7, 8])
def test_other_numbers_of_players_have_no_set_up(players: int) -> None:
    expected = Refusal(Reason.PLAYER_COUNT, "R2.1", {"players": players})
    for make in (setup_for, lambda n: Deal.from_seed(n, 0), Deal.from_system):
        with pytest.raises(IllegalDeal) as caught:
            make(players)
        assert caught.value.refusal == expected


ENDED = position(
    Phase.OVER,
    None,
    player("C1", kept="C4 M", done=True),
    player("G1", kept="G4 M", done=True),
    player(kept="T1", done=True),
)

RESULTS: list[tuple[State, Result, Refusal]] = [
    (
        market(),
        Result((0, 0, 0), (0, 1, 2)),
        Refusal(Reason.RESULT_TOO_EARLY, "R7.1", {"phase": "market"}),
    ),
    (
        final_sale(),
        Result((0, 0, 0), (0,)),
        Refusal(Reason.RESULT_TOO_EARLY, "R7.1", {"phase": "final-sale"}),
    ),
    (
        ENDED,
        Result((9, 9, 0), (0,)),
        Refusal(Reason.WRONG_PROFIT, "R7.2", {"found": "9, 9, 0", "expected": "9, 9, 1"}),
    ),
    (
        ENDED,
        Result((9, 9, 1), (0,)),
        Refusal(Reason.WRONG_WINNERS, "R7.2", {"found": "0", "expected": "0, 1"}),
    ),
    (
        ENDED,
        Result((9, 9, 1), ()),
        Refusal(Reason.WRONG_WINNERS, "R7.2", {"found": "", "expected": "0, 1"}),
    ),
]


@pytest.mark.parametrize(("state", "claimed", "refusal"), RESULTS)
def test_the_result_is_refused_by_its_rule(state: State, claimed: Result, refusal: Refusal) -> None:
    with pytest.raises(IllegalResult) as caught:
        check_result(state, claimed)
    assert caught.value.refusal == refusal


def test_the_true_result_is_accepted() -> None:
    check_result(ENDED, Result((9, 9, 1), (0, 1)))


def test_every_reason_has_a_case() -> None:
    provoked = {one.reason for one in CASES} | {Reason.NO_SUCH_SEAT}
    provoked |= {one[-1].reason for one in DEALS} | {one[-1].reason for one in RESULTS}
    assert provoked == set(Reason)


def test_a_refusal_has_no_parameters_unless_given() -> None:
    assert Refusal(Reason.GAME_OVER, "R7.2").parameters == {}


def test_the_text_of_a_refusal() -> None:
    refusal = Refusal(Reason.BID_TOO_LOW, "R3.3", {"worth": 3, "highest": 4})
    assert str(IllegalAction(refusal)) == "bid-too-low (R3.3) worth=3, highest=4"
    assert str(Illegal(Refusal(Reason.GAME_OVER, "R7.2"))) == "game-over (R7.2)"
    named_card = Refusal(Reason.CARD_NOT_IN_OFFER, "R3.8", {"card": Card.T1})
    assert str(IllegalAction(named_card)) == "card-not-in-offer (R3.8) card=T1"
    several = Refusal(Reason.MIXED_SET, "R5.1", {"cards": cards("C1 G1 M")})
    assert str(IllegalAction(several)) == "mixed-set (R5.1) cards=C1 G1 M"
    assert IllegalAction(refusal).args == (refusal,)


@pytest.mark.parametrize("kind", [IllegalAction, IllegalDeal, IllegalResult])
def test_every_refusal_is_illegal(kind: type[Illegal]) -> None:
    assert issubclass(kind, Illegal)


@pytest.mark.parametrize("thing", ["pass", None, 3, Card.C1, Pass])
def test_an_object_that_is_not_an_action_is_not_an_option(thing: object) -> None:
    assert thing not in options(auction(), 2)


def every_action(hand: Cards) -> set[Action]:
    """Return many actions, legal and illegal: bids of hand cards, other actions with all faces."""
    actions: set[Action] = {Pass(), Done(), *map(Take, Kind)}
    actions |= {one(card) for card in FACES for one in (Give, Discard)}
    actions |= {Sell(some) for some in combinations_with_replacement(FACES, 3)}
    for size in range(len(hand) + 1):
        actions |= {Bid(some) for some in combinations(hand, size)}
    return actions


@pytest.mark.parametrize("players", TABLES)
def test_the_options_are_exactly_the_actions_that_are_not_refused(players: int) -> None:
    steps = random_game(players, 17)
    chosen = {step.before.phase: step.before for step in steps}
    assert len(chosen) == 5
    for state in [*chosen.values(), steps[0].before, steps[-1].after]:
        for seat, one in enumerate(state.players):
            choices = options(state, seat)
            listed = list(choices)
            assert len(listed) == len(set(listed))
            legal = {action for action in every_action(one.hand) if action in choices}
            assert legal == set(listed)
