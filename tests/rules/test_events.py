"""Public events, and games."""

from __future__ import annotations

import pytest

from byzanz.rules import (
    Bid,
    Card,
    Deal,
    Discard,
    Done,
    Ended,
    Event,
    FinalSale,
    Game,
    Give,
    IllegalAction,
    Kind,
    MarketCleared,
    Pass,
    Phase,
    Played,
    Reason,
    Result,
    Sell,
    State,
    Take,
    TurnedUp,
    Won,
    begin,
)
from byzanz.rules.events import events, opening

from .positions import TABLES, cards, deal, play, player, position, random_game, seen, table

HANDS = ["C1 C2 C3 S4", "G1 G2 G3 S4", "O1 O2 O3 T4", "W1 W2 W3 T4"]
DECK = "S2 S1 S1 T1 M  T2 T2 T3 M"


@pytest.mark.parametrize("players", TABLES)
def test_r3_1_the_first_offer_is_turned_up_as_the_game_begins(players: int) -> None:
    dealt = Deal.from_seed(players, 1)
    top = dealt.setup.offer_cards[-1]
    first = TurnedUp(1, top, tuple(sorted(dealt.deck[:top])), 0)
    assert opening(begin(dealt)) == (first,)
    assert Game.start(dealt) == Game(dealt, begin(dealt), (first,))


def test_r3_2_a_bid_or_pass_that_does_not_end_the_auction_is_the_only_event() -> None:
    assert seen(table(4, HANDS, DECK), "0 bid C2 C1", "1 pass") == (
        Played(0, Bid(cards("C1 C2"))),
        Played(1, Pass()),
    )


def test_r3_8_the_winner_and_the_payment_are_public() -> None:
    state = play(table(4, HANDS, DECK), "0 bid C1 C2", "1 bid G1 G3", "2 pass", "3 pass")
    assert seen(state, "0 pass") == (Played(0, Pass()), Won(1, 5, cards("G1 G3")))


def test_r3_8_a_bid_can_win_at_once() -> None:
    state = play(table(4, HANDS, DECK), "0 pass", "1 pass", "2 pass")
    assert seen(state, "3 bid W2") == (Played(3, Bid(cards("W2"))), Won(3, 5, cards("W2")))


def test_r3_8_cards_already_in_the_market_are_not_part_of_the_payment() -> None:
    state = position(
        Phase.AUCTION,
        1,
        player(card=6),
        player("C1", bid="C2"),
        player("C1", bid="C3"),
        market="C2 C3 W1",
    )
    assert seen(state, "1 pass") == (Played(1, Pass()), Won(2, 4, cards("C3")))


def test_r3_9_the_next_offer_is_turned_up_once_the_card_is_given() -> None:
    state = play(table(4, HANDS, DECK), "0 bid C1", "1 pass", "2 pass", "3 pass")
    assert seen(state, "0 give M") == (
        Played(0, Give(Card.M)),
        TurnedUp(1, 4, cards("T2 T2 T3 M"), 1),
    )


def test_r3_10_all_pass_is_won_for_nothing() -> None:
    state = position(
        Phase.AUCTION,
        5,
        player("C1"),
        player(card=6),
        player("C2", passed=True),
        player("C3", passed=True),
        player("C4", passed=True),
        player("G1"),
        starter=2,
        deck="T1 T2 T3 T4",
    )
    assert seen(state, "5 pass", "0 pass") == (
        Played(5, Pass()),
        Played(0, Pass()),
        Won(2, 5, ()),
        TurnedUp(2, 4, cards("T1 T2 T3 T4"), 3),
    )


def test_r3_10_all_pass_with_a_full_hand_turns_up_the_next_offer_later() -> None:
    state = play(table(4, HANDS, DECK), "0 pass", "1 pass", "2 pass")
    assert seen(state, "3 pass", "0 discard M", "0 discard C1") == (
        Played(3, Pass()),
        Won(0, 5, ()),
        Played(0, Discard(Card.M)),
        Played(0, Discard(Card.C1)),
        TurnedUp(1, 4, cards("T2 T2 T3 M"), 1),
    )


def test_r3_11_the_last_offer_of_a_round_is_not_won_in_an_auction() -> None:
    state = position(
        Phase.GIVE, 2, player(card=6), player(card=4), player("C1"), starter=2, offer="S1 S2"
    )
    assert seen(state, "2 give S1") == (Played(2, Give(Card.S1)),)


def test_r5_1_a_sale_is_the_only_event() -> None:
    state = table(4, HANDS, DECK)
    sale = Played(0, Sell(cards("C1 C2 C3")))
    assert seen(state, "0 sell C1 C2 C3") == (sale,)
    assert seen(play(state, "0 pass", "1 pass", "2 pass"), "0 sell C1 C2 C3") == (sale,)
    bid = position(
        Phase.AUCTION, 1, player("C1 C2 C3", bid="C4"), player("W4"), player(), market="S1"
    )
    assert seen(bid, "0 sell C1 C2 C3") == (sale,)


def market(
    rounds: int,
    *,
    takers: tuple[int, ...] = (2,),
    hand: str = "C1",
    wares: str = "G1 S1 S2 T1 T1",
) -> State:
    """Return a market in which seats 0, 1 and 2 have the offer cards 2, 4 and 6."""
    return position(
        Phase.MARKET,
        takers[0],
        player(card=2),
        player("C1 C2 C3", card=4),
        player(hand, card=6),
        rounds=rounds,
        market=wares,
        takers=takers,
        deck="W1 W1 W2 W2 M M" if rounds < 8 else "",
    )


def test_r4_1_a_take_that_is_not_the_last_clears_nothing() -> None:
    assert seen(market(3, takers=(1, 2)), "1 take S") == (Played(1, Take(Kind.SPICES)),)


def test_r4_2_the_market_is_cleared_after_the_last_take() -> None:
    assert seen(market(3), "2 take S") == (
        Played(2, Take(Kind.SPICES)),
        MarketCleared(3, cards("G1 T1 T1")),
        TurnedUp(4, 6, cards("W1 W1 W2 W2 M M"), 0),
    )


def test_r4_2_an_empty_market_is_cleared_too() -> None:
    assert seen(market(3, takers=(0, 1, 2), wares="G1 G1"), "0 take G") == (
        Played(0, Take(Kind.GRAIN)),
        MarketCleared(3, ()),
        TurnedUp(4, 6, cards("W1 W1 W2 W2 M M"), 0),
    )


FULL = "C1 G2 G2 G3 O1 O2"


def test_r4_2_the_market_is_cleared_once_the_last_taker_is_within_the_hand_limit() -> None:
    state = market(3, hand=FULL)
    assert seen(state, "2 take S", "2 discard O1") == (
        Played(2, Take(Kind.SPICES)),
        Played(2, Discard(Card.O1)),
        MarketCleared(3, cards("G1 T1 T1")),
        TurnedUp(4, 6, cards("W1 W1 W2 W2 M M"), 0),
    )
    assert seen(state, "2 take S", "1 sell C1 C2 C3", "2 sell G2 G2 G3") == (
        Played(2, Take(Kind.SPICES)),
        Played(1, Sell(cards("C1 C2 C3"))),
        Played(2, Sell(cards("G2 G2 G3"))),
        MarketCleared(3, cards("G1 T1 T1")),
        TurnedUp(4, 6, cards("W1 W1 W2 W2 M M"), 0),
    )


def test_r7_1_the_final_sale_is_announced_after_the_last_market() -> None:
    assert seen(market(8), "2 take T") == (
        Played(2, Take(Kind.WOOD)),
        MarketCleared(8, cards("G1 S1 S2")),
        FinalSale(),
    )
    assert seen(market(8, hand=FULL), "2 take T", "2 discard T1") == (
        Played(2, Take(Kind.WOOD)),
        Played(2, Discard(Card.T1)),
        MarketCleared(8, cards("G1 S1 S2")),
        FinalSale(),
    )


def test_r7_2_the_end_is_announced_when_the_last_is_done() -> None:
    state = position(
        Phase.FINAL_SALE, 0, player("C1 C2 C4"), player(kept="G3"), player("O1", done=True)
    )
    assert seen(state, "0 sell C1 C2 C4", "1 done", "0 done") == (
        Played(0, Sell(cards("C1 C2 C4"))),
        Played(1, Done()),
        Played(0, Done()),
        Ended(Result((4, 3, 0), (0,))),
    )


def kinds(course: tuple[Event, ...], kind: type[Event]) -> list[Event]:
    return [event for event in course if isinstance(event, kind)]


@pytest.mark.parametrize("players", TABLES)
def test_r7_events_of_a_whole_game(players: int) -> None:
    steps = random_game(players, 41)
    game = Game.start(Deal.from_seed(players, 41))
    for step in steps:
        game = game.play(step.seat, step.action)
    setup = game.deal.setup
    turned = [event for event in game.course if isinstance(event, TurnedUp)]
    assert [event.offer_card for event in turned] == [*setup.offer_cards[::-1]] * setup.rounds
    numbers = [number for number in range(1, setup.rounds + 1) for _ in range(players)]
    assert [event.round for event in turned] == numbers
    assert [card for event in turned for card in sorted(event.cards)] == [
        card for event in turned for card in event.cards
    ]
    assert len(kinds(game.course, Won)) == setup.rounds * (players - 1)
    cleared = [event for event in game.course if isinstance(event, MarketCleared)]
    assert [event.round for event in cleared] == list(range(1, setup.rounds + 1))
    assert kinds(game.course, FinalSale) == [FinalSale()]
    assert game.course[-1] == Ended(game.result)
    assert len(kinds(game.course, Ended)) == 1


@pytest.mark.parametrize("players", TABLES)
def test_a_game_is_its_deal_and_its_plays(players: int) -> None:
    steps = random_game(players, 43)
    plays = tuple([Played(step.seat, step.action) for step in steps])
    dealt = Deal.from_seed(players, 43)
    game = Game.replay(dealt, plays)
    course = opening(begin(dealt))
    for step in steps:
        course += events(step.before, step.seat, step.action, step.after)
    assert game == Game(dealt, steps[-1].after, course)
    assert game.plays == plays
    assert game.over
    half = Game.replay(dealt, iter(plays[:10]))
    assert (half.state, half.plays, half.over) == (steps[9].after, plays[:10], False)


def test_playing_returns_a_new_game_and_leaves_the_old_one_unchanged() -> None:
    game = Game.start(deal(4, HANDS, DECK))
    after = game.play(0, Pass())
    assert game.plays == ()
    assert game.state.turn == 0
    assert after.plays == (Played(0, Pass()),)
    assert after.state == play(game.state, "0 pass")
    assert after.deal is game.deal


def test_the_result_of_an_unfinished_game_counts_the_cards_kept_so_far() -> None:
    game = Game.start(deal(4, HANDS, DECK))
    assert game.result == Result((0, 0, 0, 0), (0, 1, 2, 3))
    assert game.play(0, Sell(cards("C1 C2 C3"))).result == Result((3, 0, 0, 0), (0,))


def test_a_replay_raises_at_the_first_illegal_action() -> None:
    with pytest.raises(IllegalAction) as caught:
        Game.replay(deal(4, HANDS, DECK), [Played(0, Pass()), Played(0, Pass())])
    assert caught.value.refusal.reason is Reason.ALREADY_PASSED
