"""R4: the market at the end of a round."""

from __future__ import annotations

import pytest

from byzanz.rules import Kind, Phase, State, Take, options
from byzanz.rules.play import taking_order

from .positions import OFFER_CARDS, TABLES, but, cards, gone, play, player, position


def market_day(rounds: int = 2) -> State:
    """Return a market with offer cards 3, 5, 2, 4 by seat: seats 2, 0, 3, 1 take in this order."""
    return position(
        Phase.MARKET,
        2,
        player("C1", card=3),
        player("C2", card=5),
        player("C3", hidden="C3", card=2),
        player("C4", card=4),
        starter=3,
        rounds=rounds,
        market="G1 G1 G4 O2 S1 S3 T2 M M",
        deck="W1 W2 W3 W4 G2" if rounds < 6 else "",
        takers=(2, 0, 3, 1),
    )


@pytest.mark.parametrize("players", TABLES)
def test_r4_1_the_market_opens_in_ascending_order_of_offer_cards(players: int) -> None:
    numbers = OFFER_CARDS[players]
    shifted = (*numbers[2:], *numbers[:2])
    last = shifted.index(numbers[0])
    seats = [player("C1", card=None if seat == last else shifted[seat]) for seat in range(players)]
    state = position(Phase.GIVE, last, *seats, starter=last, offer="T1", market="W1")
    state = play(state, f"{last} give T1")
    order = tuple([shifted.index(number) for number in numbers])
    assert order == (players - 2, players - 1, *range(players - 2))
    assert (state.phase, state.turn, state.takers) == (Phase.MARKET, order[0], order)
    assert (state.stack, state.offer) == ((), ())
    assert taking_order(state.players) == order


def test_r4_1_each_takes_in_turn_and_once() -> None:
    before = market_day()
    first = play(before, "2 take G")
    assert first == but(
        before,
        {2: player("C3 G1 G1 G4", hidden="C3", card=2)},
        turn=0,
        takers=(0, 3, 1),
        market=cards("O2 S1 S3 T2 M M"),
    )
    second = play(first, "0 take S")
    assert second == but(
        first,
        {0: player("C1 S1 S3", card=3)},
        turn=3,
        takers=(3, 1),
        market=cards("O2 T2 M M"),
    )
    third = play(second, "3 take O")
    assert third == but(
        second, {3: player("C4 O2", card=4)}, turn=1, takers=(1,), market=cards("T2 M M")
    )


def test_r4_1_merchants_are_a_kind_of_their_own() -> None:
    state = play(market_day(), "2 take M")
    assert state.players[2].hand == cards("C3 M M")
    assert state.market == cards("G1 G1 G4 O2 S1 S3 T2")
    state = play(market_day(), "2 take S")
    assert state.players[2].hand == cards("C3 S1 S3")


def test_r4_1_a_seat_may_take_any_kind_in_the_market_and_no_other() -> None:
    state = market_day()
    kinds = [Kind.GRAIN, Kind.OLIVES, Kind.SPICES, Kind.WOOD, Kind.MERCHANT]
    assert list(options(state, 2)) == [Take(kind) for kind in kinds]
    assert [kind for kind in Kind if Take(kind) in options(state, 2)] == kinds
    for seat in (0, 1, 3):
        assert list(options(state, seat)) == []


def test_r4_2_what_is_left_leaves_the_game_and_the_offer_cards_are_stacked_again() -> None:
    before = play(market_day(), "2 take G", "0 take S", "3 take O")
    state = play(before, "1 take T")
    assert state == but(
        before,
        {
            0: player("C1 S1 S3"),
            1: player("C2 T2"),
            2: player("C3 G1 G1 G4", hidden="C3"),
            3: player("C4 O2"),
        },
        phase=Phase.AUCTION,
        turn=2,
        starter=2,
        stack=(2, 3, 4, 5),
        takers=(),
        market=(),
        gone=gone(before, "M M"),
        offer=cards("G2 W1 W2 W3 W4"),
        deck=before.deck[5:],
    )


@pytest.mark.parametrize("players", TABLES)
def test_r4_3_the_holder_of_the_lowest_offer_card_starts_the_next_round(players: int) -> None:
    numbers = OFFER_CARDS[players]
    lowest = players - 2
    shifted = (*numbers[2:], *numbers[:2])
    state = position(
        Phase.MARKET,
        lowest,
        *[player(card=number) for number in shifted],
        starter=lowest,
        market="C1",
        takers=taking_order([player(card=number) for number in shifted]),
    )
    after = play(state, f"{lowest} take C")
    assert (after.phase, after.turn, after.starter) == (Phase.AUCTION, lowest, lowest)
    assert after.stack == numbers
    assert len(after.offer) == numbers[-1]
    assert (state.round, after.round) == (2, 3)
    assert [one.offer_card for one in after.players] == [None] * players


def test_r4_3_no_round_starts_once_the_deck_is_empty() -> None:
    before = play(market_day(rounds=6), "2 take G", "0 take S", "3 take O")
    assert (before.deck, before.round) == ((), 6)
    state = play(before, "1 take T")
    assert state == but(
        before,
        {
            0: player("C1 S1 S3"),
            1: player("C2 T2"),
            2: player("C3 G1 G1 G4", hidden="C3"),
            3: player("C4 O2"),
        },
        phase=Phase.FINAL_SALE,
        turn=0,
        starter=2,
        stack=(2, 3, 4, 5),
        takers=(),
        market=(),
        gone=gone(before, "M M"),
    )
    assert state.round == 6
