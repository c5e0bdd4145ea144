"""R2: the set-up, and the first state of a deal."""

from __future__ import annotations

import pytest

from byzanz.rules import (
    ALL_CARDS,
    HAND_LIMIT,
    SETUPS,
    Deal,
    Phase,
    Player,
    Setup,
    State,
    TurnedUp,
    begin,
)
from byzanz.rules.deal import setup_for
from byzanz.rules.events import events
from byzanz.rules.setup import HAND_DEALT, MERCHANT_PROFIT

from .positions import TABLES, cards, deal, play, random_game, table

ROWS = [
    (3, (2, 4, 6), 4, 96, 8),
    (4, (2, 3, 4, 5), 12, 84, 6),
    (5, (1, 2, 3, 4, 5), 2, 90, 6),
    (6, (1, 2, 3, 4, 5, 6), 4, 84, 4),
]
each_row = pytest.mark.parametrize(("players", "offer_cards", "removed", "deck", "rounds"), ROWS)


def test_r2_1_three_to_six_play() -> None:
    assert sorted(SETUPS) == [3, 4, 5, 6]


@pytest.mark.parametrize("players", TABLES)
def test_r2_1_each_is_dealt_four_cards_hidden_from_the_others(players: int) -> None:
    state = begin(Deal.from_seed(players, 1))
    assert len(state.players) == players
    for seat, player in enumerate(state.players):
        assert player.hand == tuple(sorted(Deal.from_seed(players, 1).hands[seat]))
        assert len(player.hand) == 4
        assert player == Player(hand=player.hand, hidden=player.hand)
        assert player.known == ()


@each_row
def test_r2_2_the_table_of_set_ups(
    players: int, offer_cards: tuple[int, ...], removed: int, deck: int, rounds: int
) -> None:
    setup = SETUPS[players]
    assert setup == Setup(players, offer_cards, removed, rounds)
    assert setup.deck == deck
    assert setup_for(players) is setup
    assert Deal.from_seed(players, 0).setup is setup
    assert begin(Deal.from_seed(players, 0)).setup is setup


@each_row
def test_r2_2_the_offers_of_all_rounds_use_up_the_deck(
    players: int, offer_cards: tuple[int, ...], removed: int, deck: int, rounds: int
) -> None:
    assert sum(offer_cards) * rounds == deck
    assert 4 * players + removed + deck == 112
    steps = random_game(players, 3)
    assert [step.after.round for step in steps] == sorted([step.after.round for step in steps])
    assert {step.after.round for step in steps} == set(range(1, rounds + 1))
    turned = [
        event
        for step in steps
        for event in events(step.before, step.seat, step.action, step.after)
        if isinstance(event, TurnedUp)
    ]
    assert len(turned) == rounds * players - 1  # the first offer is turned up before any action


@each_row
def test_r2_2_cards_leave_the_game_unseen(
    players: int, offer_cards: tuple[int, ...], removed: int, deck: int, rounds: int
) -> None:
    dealt = Deal.from_seed(players, 5)
    assert len(dealt.removed) == removed
    assert len(dealt.deck) == deck
    state = begin(dealt)
    assert state.removed == tuple(sorted(dealt.removed))
    assert random_game(players, 5)[-1].after.removed == state.removed


@each_row
def test_r2_2_hands_are_dealt_first_and_cards_removed_before_the_deck(
    players: int, offer_cards: tuple[int, ...], removed: int, deck: int, rounds: int
) -> None:
    shuffled = ALL_CARDS[::-1]
    dealt = Deal.of(shuffled, players)
    assert dealt.hands == tuple([shuffled[4 * seat : 4 * seat + 4] for seat in range(players)])
    assert dealt.removed == shuffled[4 * players : 4 * players + removed]
    assert dealt.deck == shuffled[4 * players + removed :]


@each_row
def test_r2_3_the_highest_offer_card_is_on_top_and_seat_0_starts(
    players: int, offer_cards: tuple[int, ...], removed: int, deck: int, rounds: int
) -> None:
    dealt = Deal.from_seed(players, 9)
    top = max(offer_cards)
    assert begin(dealt) == State(
        phase=Phase.AUCTION,
        turn=0,
        starter=0,
        players=tuple([Player(tuple(sorted(hand)), tuple(sorted(hand))) for hand in dealt.hands]),
        stack=offer_cards,
        takers=(),
        offer=tuple(sorted(dealt.deck[:top])),
        market=(),
        deck=dealt.deck[top:],
        removed=tuple(sorted(dealt.removed)),
        gone=(),
    )


@pytest.mark.parametrize("players", TABLES)
def test_r2_3_the_left_neighbour_is_the_next_seat(players: int) -> None:
    state = table(players)
    for seat in range(1, players):
        state = play(state, f"{seat - 1} pass")
        assert (state.turn, state.waiting_for) == (seat, (seat,))


def test_r2_the_numbers_of_the_rulebook() -> None:
    assert (HAND_DEALT, HAND_LIMIT, MERCHANT_PROFIT) == (4, 7, 5)


@pytest.mark.parametrize("players", TABLES)
def test_r2_each_deal_from_the_system_is_legal_and_different(players: int) -> None:
    deals = [Deal.from_system(players) for _ in range(3)]
    assert [len(dealt.hands) for dealt in deals] == [players] * 3
    assert len({dealt.deck for dealt in deals}) == 3
    assert len({dealt.hands for dealt in deals}) == 3


def test_r2_a_deal_keeps_the_given_order() -> None:
    dealt = deal(3, ["M C1 W4 C2"], deck="W1 C1 T1 C2 S1 C3 M")
    assert dealt.hands[0] == cards("M C1 W4 C2")
    assert dealt.deck[:7] == cards("W1 C1 T1 C2 S1 C3 M")
    state = begin(dealt)
    assert state.players[0].hand == cards("C1 C2 W4 M")
    assert state.offer == cards("C1 C2 C3 S1 T1 W1")
    assert state.deck[0] is cards("M")[0]
