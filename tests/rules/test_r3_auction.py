"""R3: a round's auctions."""

from __future__ import annotations

from itertools import combinations

import pytest

from byzanz.rules import Action, Bid, Card, Cards, Give, Pass, Phase, Sell, State, options

from .positions import OFFER_CARDS, TABLES, but, cards, play, player, position, refused, table

HANDS = ["C1 C2 C3 M", "G1 G2 G3 M", "O1 O2 O3 M", "S1 S2 S3 M"]
DECK = "W2 T4 T2 T3 T1  W4 W3 W2 W1  C4 G4 O4  S4 T1"


def opening() -> State:
    return table(4, HANDS, DECK)


def calls(state: State, seat: int) -> list[Action]:
    """Return the seat's legal actions except sales."""
    return [action for action in options(state, seat) if not isinstance(action, Sell)]


def all_choices(hand: Cards) -> set[Cards]:
    goods = [card for card in hand if card is not Card.M]
    return {tuple(some) for size in range(1, 9) for some in combinations(goods, size)}


@pytest.mark.parametrize("players", TABLES)
def test_r3_1_the_top_offer_card_says_how_many_cards_are_turned_up(players: int) -> None:
    state = table(players)
    sizes, turned = [], 0
    for number in reversed(OFFER_CARDS[players]):
        before = state.deck
        assert state.stack[-1] == number
        sizes.append(len(state.offer))
        turned += number
        assert len(before) == state.setup.deck - turned
        if state.phase is Phase.AUCTION:
            in_auction = [seat for seat, one in enumerate(state.players) if one.bidding]
            in_auction.sort(key=lambda seat: (seat - state.starter) % players)
            state = play(state, *[f"{seat} pass" for seat in in_auction])
        while state.phase is Phase.LIMIT:
            assert state.deck == before, "the hand is settled first"
            state = play(state, f"{state.turn} discard {state.players[state.turn or 0].hand[0]}")
        if state.phase is not Phase.GIVE:
            assert state.deck == before[len(state.offer) :]
            assert state.offer == tuple(sorted(before[: len(state.offer)]))
    assert sizes == sorted(OFFER_CARDS[players], reverse=True)


def test_r3_1_the_offer_is_taken_from_the_top_of_the_deck() -> None:
    state = opening()
    assert state.offer == cards("T1 T2 T3 T4 W2")
    assert state.deck[:4] == cards("W4 W3 W2 W1")
    state = play(state, "0 bid C1", "1 pass", "2 pass", "3 pass", "0 give T1")
    assert state.offer == cards("W1 W2 W3 W4")
    assert state.deck[:3] == cards("C4 G4 O4")


def test_r3_1_the_offer_is_sold_as_one_lot() -> None:
    before = opening()
    state = play(before, "0 bid C1", "1 pass", "2 pass", "3 pass", "0 give T3")
    assert state.players[0].hand == cards("C2 C3 T1 T2 T4 W2 M")


def test_r3_2_the_starter_may_pass() -> None:
    before = opening()
    assert play(before, "0 pass") == but(
        before, {0: player(HANDS[0], hidden=HANDS[0], passed=True)}, turn=1
    )


def test_r3_2_a_bid_is_laid_face_up_from_the_hand() -> None:
    before = opening()
    assert play(before, "0 bid C3 C1") == but(
        before, {0: player("C2 M", hidden="C2 M", bid="C1 C3")}, turn=1
    )


@pytest.mark.parametrize(
    "hand", ["C1", "C1 C1 C1 G2", "C1 C2 G1 G2 O4 W4 M", "T1 T1 T2 T2 T3 T3 T4", "M M M"]
)
def test_r3_2_any_number_of_goods_cards_may_be_bid(hand: str) -> None:
    state = position(Phase.AUCTION, 0, player(hand), player(), player())
    choices = options(state, 0)
    assert set(choices.bids) == all_choices(cards(hand))
    assert len(choices.bids) == len(set(choices.bids))
    bids = [choice.cards for choice in choices if isinstance(choice, Bid)]
    assert tuple(bids) == choices.bids


def test_r3_2_bids_are_listed_cheapest_first() -> None:
    state = position(Phase.AUCTION, 0, player("C1 C4 G2"), player(), player())
    values = [sum(card.worth for card in bid) for bid in options(state, 0).bids]
    assert values == [1, 2, 3, 4, 5, 6, 7]


def test_r3_2_a_bid_is_worth_the_sum_of_any_goods() -> None:
    state = opening()
    assert state.highest == 0
    assert play(state, "0 bid C1 C2").highest == 3
    mixed = position(Phase.AUCTION, 0, player("C1 G2 T4 W3"), player("C4"), player())
    assert play(mixed, "0 bid C1 G2 T4 W3").highest == 10


def test_r3_2_a_bid_is_the_same_in_any_order() -> None:
    assert Bid(cards("W1 C2 C1")) == Bid(cards("C1 C2 W1"))
    assert Bid(cards("W1 C2 C1")).cards == cards("C1 C2 W1")


@pytest.mark.parametrize(("players", "seat"), [(n, seat) for n in TABLES for seat in range(n)])
def test_r3_3_the_next_seat_clockwise_is_called(players: int, seat: int) -> None:
    everyone = [player("C1") for _ in range(players)]
    state = position(Phase.AUCTION, seat, *everyone, starter=seat)
    following = (seat + 1) % players
    assert play(state, f"{seat} bid C1") == but(state, {seat: player(bid="C1")}, turn=following)
    assert play(state, f"{seat} pass") == but(
        state, {seat: player("C1", passed=True)}, turn=following
    )


def test_r3_3_seats_that_have_passed_or_have_an_offer_card_are_skipped() -> None:
    state = position(
        Phase.AUCTION,
        3,
        player("C1", passed=True),
        player("C2", card=6),
        player("G2 G3", bid="G1"),
        player("G4"),
        player("O1", passed=True),
        player("O2 O3"),
        starter=0,
    )
    state = play(state, "3 bid G4")
    assert state.turn == 5
    state = play(state, "5 bid O2 O3")
    assert state.turn == 2
    state = play(state, "2 bid G2 G3")
    assert state.turn == 3


def test_r3_3_a_bid_must_be_worth_more_than_the_highest() -> None:
    state = play(opening(), "0 bid C3")
    assert set(options(state, 1).bids) == {
        cards("G1 G3"),
        cards("G2 G3"),
        cards("G1 G2 G3"),
    }
    assert refused(state, "1 bid G3").rule == "R3.3"
    assert refused(state, "1 bid G1 G2").rule == "R3.3"
    assert play(state, "1 bid G1 G3").highest == 4


def test_r3_3_a_first_bid_of_one_is_enough() -> None:
    assert play(opening(), "0 bid C1").highest == 1


def test_r3_3_the_highest_bid_counts_not_the_last_or_the_first() -> None:
    state = play(opening(), "0 bid C1", "1 bid G2", "2 bid O3", "3 pass")
    assert (state.turn, state.highest) == (0, 3)
    assert options(state, 0).bids == (cards("C3"), cards("C2 C3"))
    state = play(state, "0 bid C3", "1 pass")
    assert (state.turn, state.highest) == (2, 4)


def test_r3_4_a_raise_adds_cards_to_the_standing_bid() -> None:
    before = play(opening(), "0 bid C1", "1 bid G2", "2 pass", "3 pass")
    state = play(before, "0 bid C2")
    assert state == but(before, {0: player("C3 M", hidden="C3 M", bid="C1 C2")}, turn=1)
    assert state.highest == 3


def test_r3_4_the_whole_bid_counts_when_it_is_raised() -> None:
    state = play(opening(), "0 bid C2", "1 bid G1 G3", "2 pass", "3 pass")
    assert options(state, 0).bids == (cards("C3"), cards("C1 C3"))
    refusal = refused(state, "0 bid C1")
    assert (refusal.rule, refusal.parameters) == ("R3.3", {"worth": 3, "highest": 4})
    assert play(state, "0 bid C3").highest == 5


def test_r3_4_a_raise_to_the_same_worth_is_too_low() -> None:
    state = play(opening(), "0 bid C1", "1 bid G1 G2", "2 pass", "3 pass")
    assert refused(state, "0 bid C2").parameters == {"worth": 3, "highest": 3}
    assert options(state, 0).bids == (cards("C3"), cards("C2 C3"))


def test_r3_4_cards_in_the_bid_cannot_be_bid_again() -> None:
    state = play(opening(), "0 bid C3", "1 bid G1 G3", "2 pass", "3 pass")
    refusal = refused(state, "0 bid C3")
    assert (refusal.rule, refusal.parameters) == ("R3.4", {"cards": cards("C3")})


def test_r3_4_a_seat_with_a_bid_can_only_raise_or_pass() -> None:
    state = play(opening(), "0 bid C1", "1 bid G2", "2 pass", "3 pass")
    assert calls(state, 0) == [
        Pass(),
        Bid(cards("C2")),
        Bid(cards("C3")),
        Bid(cards("C2 C3")),
    ]


def test_r3_5_a_seat_that_passes_takes_its_bid_back_and_is_out() -> None:
    before = play(opening(), "0 bid C1 C3", "1 bid G2 G3", "2 pass", "3 bid S1 S2 S3")
    state = play(before, "0 pass")
    assert state == but(before, {0: player(HANDS[0], hidden="C2 M", passed=True)}, turn=1)
    assert not state.players[0].bidding
    assert options(state, 0).bids == ()
    assert calls(state, 0) == []
    assert refused(state, "0 bid C1").rule == "R3.5"


def test_r3_5_a_pass_does_not_carry_over_to_the_next_auction() -> None:
    state = play(opening(), "0 bid C1", "1 pass", "2 pass", "3 pass", "0 give T1")
    assert [one.passed for one in state.players] == [False] * 4
    assert [one.bidding for one in state.players] == [False, True, True, True]


def test_r3_6_the_auction_ends_when_one_is_left_with_a_bid() -> None:
    before = play(opening(), "0 bid C1", "1 bid G2", "2 pass", "3 pass")
    assert before.phase is Phase.AUCTION
    state = play(before, "0 pass")
    assert state == but(
        before,
        {
            0: player(HANDS[0], hidden="C2 C3 M", passed=True),
            1: player("G1 G3 M", hidden="G1 G3 M"),
        },
        phase=Phase.GIVE,
        turn=1,
        market=cards("G2"),
    )


def test_r3_6_the_last_to_be_asked_wins_by_bidding_at_once() -> None:
    state = play(opening(), "0 pass", "1 pass", "2 pass", "3 bid S1")
    assert (state.phase, state.turn, state.market) == (Phase.GIVE, 3, cards("S1"))


def test_r3_6_the_auction_goes_on_while_two_are_in() -> None:
    state = play(opening(), "0 bid C1", "1 pass", "2 pass")
    assert (state.phase, state.turn) == (Phase.AUCTION, 3)
    state = play(state, "3 bid S2")
    assert (state.phase, state.turn) == (Phase.AUCTION, 0)


def test_r3_7_merchants_cannot_be_bid() -> None:
    state = opening()
    assert refused(state, "0 bid M").rule == "R3.7"
    assert refused(state, "0 bid C1 M").rule == "R3.7"
    assert all(Card.M not in bid for bid in options(state, 0).bids)


def test_r3_8_a_the_whole_bid_goes_into_the_market() -> None:
    before = play(opening(), "0 bid C1 C3", "1 pass", "2 bid O2 O3", "3 pass")
    state = play(before, "0 pass")
    assert state.market == cards("O2 O3")
    assert state.players[2] == player("O1 M", hidden="O1 M")


def test_r3_8_b_the_winner_chooses_any_card_of_the_offer() -> None:
    state = play(opening(), "0 bid C1", "1 pass", "2 pass", "3 pass")
    assert calls(state, 0) == [Give(card) for card in cards("T1 T2 T3 T4 W2")]
    for card in state.offer:
        assert play(state, f"0 give {card}").market == cards(f"C1 {card}")


def test_r3_8_b_a_face_that_is_twice_in_the_offer_is_one_choice() -> None:
    state = position(Phase.GIVE, 0, player(), player(), player(), offer="C1 C1 C1 G2 G2 M")
    assert list(options(state, 0)) == [Give(Card.C1), Give(Card.G2), Give(Card.M)]
    assert play(state, "0 give C1").players[0].hand == cards("C1 C1 G2 G2 M")


def test_r3_8_c_d_the_winner_takes_the_rest_and_the_top_offer_card() -> None:
    before = play(opening(), "0 bid C1", "1 pass", "2 pass", "3 pass")
    assert play(before, "0 give T4") == but(
        before,
        {
            0: player("C2 C3 T1 T2 T3 W2 M", hidden="C2 C3 M", card=5),
            1: player(HANDS[1], hidden=HANDS[1]),
            2: player(HANDS[2], hidden=HANDS[2]),
            3: player(HANDS[3], hidden=HANDS[3]),
        },
        phase=Phase.AUCTION,
        turn=1,
        starter=1,
        stack=(2, 3, 4),
        offer=cards("W1 W2 W3 W4"),
        market=cards("C1 T4"),
        deck=before.deck[4:],
    )


def test_r3_8_d_the_winner_plays_in_no_further_auction_of_the_round() -> None:
    state = play(opening(), "0 bid C1", "1 pass", "2 pass", "3 pass", "0 give T4")
    assert calls(state, 0) == []
    refusal = refused(state, "0 bid C2")
    assert (refusal.rule, refusal.parameters) == ("R3.8", {"offer_card": 5})
    state = play(state, "1 pass", "2 pass")
    assert state.turn == 3
    state = play(state, "3 pass")
    assert state.players[1].offer_card == 4


def test_r3_9_the_seat_left_of_the_winner_starts_the_next_auction() -> None:
    state = play(opening(), "0 bid C1", "1 bid G2", "2 pass", "3 pass", "0 pass", "1 give W2")
    assert (state.phase, state.starter, state.turn) == (Phase.AUCTION, 2, 2)


@pytest.mark.parametrize("players", TABLES)
def test_r3_9_after_the_last_seat_comes_seat_0(players: int) -> None:
    last = players - 1
    everyone = [player("C1") for _ in range(players)]
    state = position(Phase.GIVE, last, *everyone, starter=1, offer="T4")
    state = play(state, f"{last} give T4")
    assert (state.phase, state.starter, state.turn) == (Phase.AUCTION, 0, 0)


def test_r3_9_seats_with_an_offer_card_are_skipped() -> None:
    state = position(
        Phase.GIVE,
        3,
        player("C1", card=6),
        player("C1", card=5),
        player("C1"),
        player("C1"),
        player("G1", card=4),
        player("G1"),
        starter=2,
    )
    after = play(state, f"3 give {state.offer[0]}")
    assert (after.starter, after.turn) == (5, 5)
    state = but(state, turn=5)
    after = play(state, f"5 give {state.offer[0]}")
    assert (after.starter, after.turn) == (2, 2)


@pytest.mark.parametrize("players", TABLES)
def test_r3_10_all_pass_gives_the_first_passer_the_whole_offer(players: int) -> None:
    top = OFFER_CARDS[players][-1]
    deck = "S1 S2 T1 T2 W1 W2"[: 3 * top]
    before = table(players, ["C1 C2 G1 M"], deck)
    state = play(before, *[f"{seat} pass" for seat in range(players)])
    assert state == but(
        before,
        {0: player(f"C1 C2 G1 {deck} M", hidden="C1 C2 G1 M", card=top)},
        phase=Phase.LIMIT,
        turn=0,
        stack=OFFER_CARDS[players][:-1],
        offer=(),
    )
    assert state.market == ()
    state = play(state, *["0 discard C1", "0 discard C2", "0 discard G1"][: top - 3])
    assert (state.phase, state.turn, state.starter) == (Phase.AUCTION, 1, 1)
    assert len(state.offer) == OFFER_CARDS[players][-2]


def test_r3_10_all_pass_goes_on_with_the_next_auction() -> None:
    before = position(
        Phase.AUCTION,
        2,
        player("C1", card=5),
        player("C2"),
        player("C3"),
        player("G1"),
        starter=2,
        offer="O1 O2 O3 O4",
        market="W1",
        deck="T1 T2 T3",
    )
    state = play(before, "2 pass", "3 pass", "1 pass")
    assert state == but(
        before,
        {2: player("C3 O1 O2 O3 O4", card=4)},
        turn=3,
        starter=3,
        stack=(2, 3),
        offer=cards("T1 T2 T3"),
        deck=before.deck[3:],
    )


def before_the_last(players: int) -> State:
    """Return a state with two seats left in the round's auctions; the last but one starts."""
    numbers = OFFER_CARDS[players]
    holders = [player(card=numbers[-1 - seat]) for seat in range(players - 2)]
    return position(
        Phase.AUCTION,
        players - 2,
        *holders,
        player("G1 G2"),
        player("O1"),
        starter=players - 2,
        offer="S1",
        deck="T1 W2"[: 3 * numbers[0]],
    )


@pytest.mark.parametrize("players", TABLES)
def test_r3_11_the_last_without_an_offer_card_needs_no_bid(players: int) -> None:
    winner, last = players - 2, players - 1
    state = play(before_the_last(players), f"{winner} bid G1", f"{last} pass", f"{winner} give S1")
    lowest = OFFER_CARDS[players][0]
    assert (state.phase, state.turn, state.starter) == (Phase.GIVE, last, last)
    assert state.offer == cards("T1 W2"[: 3 * lowest])
    assert state.stack == (lowest,)
    assert [one.passed for one in state.players] == [False] * players
    assert options(state, last).bids == ()


@pytest.mark.parametrize("players", TABLES)
def test_r3_11_one_card_of_the_last_offer_goes_to_the_market(players: int) -> None:
    winner, last = players - 2, players - 1
    before = play(before_the_last(players), f"{winner} bid G1", f"{last} pass", f"{winner} give S1")
    state = play(before, f"{last} give T1")
    lowest = OFFER_CARDS[players][0]
    hand = "O1 W2" if players in (3, 4) else "O1"
    assert state == but(
        before,
        {last: player(hand, card=lowest)},
        phase=Phase.MARKET,
        turn=last,
        stack=(),
        takers=tuple(range(last, -1, -1)),
        offer=(),
        market=cards("G1 S1 T1"),
    )


@pytest.mark.parametrize("players", TABLES)
def test_r3_11_the_last_pays_nothing_and_the_offer_card_is_the_lowest(players: int) -> None:
    winner, last = players - 2, players - 1
    state = play(before_the_last(players), f"{winner} pass", f"{last} bid O1", f"{last} give S1")
    assert (state.phase, state.turn) == (Phase.GIVE, winner)
    state = play(state, f"{winner} give T1")
    assert state.players[winner].offer_card == OFFER_CARDS[players][0]
    assert state.market == cards("O1 S1 T1")
