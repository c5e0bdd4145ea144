"""What each seat may know."""

from __future__ import annotations

from collections import Counter

import pytest

from byzanz.rules import (
    SETUPS,
    Deal,
    Game,
    Pass,
    Phase,
    SeatView,
    State,
    View,
    begin,
    flaws,
    options,
    view,
    world,
)
from byzanz.rules.legal import Options

from .positions import TABLES, cards, left_over, play, player, position, random_game, table


def common(state: State, seat: int) -> tuple[str, int]:
    """Return what everybody knows of a seat's hand: the known cards, and how many others it has."""
    seen = view(state, None).players[seat]
    return " ".join(map(str, seen.known)), seen.unknown


def pair(hand: str, hidden: str) -> State:
    """Return a position in which seat 0 is on turn with this hand against two poor hands."""
    return position(Phase.AUCTION, 0, player(hand, hidden=hidden), player("W4"), player("T4"))


def test_a_dealt_hand_is_unknown_to_others() -> None:
    state = table(3, ["C1 C2 G1 M"])
    assert common(state, 0) == ("", 4)


def test_a_shown_face_leaves_the_known_cards_first() -> None:
    state = play(pair("C1 C1 G1", hidden="C1 G1"), "0 bid C1")
    assert state.players[0] == player("C1 G1", hidden="C1 G1", bid="C1")
    assert common(state, 0) == ("", 2)


def test_a_shown_face_leaves_the_unknown_cards_next() -> None:
    state = play(pair("C1 C1 G1", hidden="C1 G1"), "0 bid C1 C1")
    assert state.players[0] == player("G1", hidden="G1", bid="C1 C1")
    state = play(pair("C1 C2 G1", hidden="C1 G1"), "0 bid C1")
    assert state.players[0] == player("C2 G1", hidden="G1", bid="C1")
    assert common(state, 0) == ("C2", 1)


def test_a_bid_taken_back_is_known() -> None:
    state = table(3, ["C1 C1 G1 M", "W4"])
    state = play(state, "0 bid C1 G1", "1 bid W4", "2 pass", "0 pass")
    assert state.players[0] == player("C1 C1 G1 M", hidden="C1 M", passed=True)
    assert common(state, 0) == ("C1 G1", 2)


def test_a_bid_taken_back_and_bid_again_reveals_no_further_card() -> None:
    state = position(
        Phase.AUCTION,
        0,
        player("C1 C1 C2", hidden="C1"),
        player("W4"),
        player(card=6),
    )
    state = play(state, "0 bid C1", "1 bid W4", "0 pass")
    assert state.players[0] == player("C1 C1 C2", hidden="C1", passed=True)


def test_a_sold_set_is_shown() -> None:
    state = play(pair("C1 C1 C2 C2 M", hidden="C1 C2 M"), "0 sell C1 C2 M")
    assert state.players[0] == player("C1 C2", hidden="C1 C2", kept="C2")
    state = play(pair("C1 C1 C2 C2 M", hidden="C1 C2 M"), "0 sell C1 C1 C2")
    assert state.players[0] == player("C2 M", hidden="C2 M", kept="C2")


def test_a_discard_is_shown() -> None:
    hand = "C1 C1 G1 G2 O1 O2 S1 S2 T1"
    state = position(Phase.LIMIT, 0, player(hand, hidden="C1 G1", card=6), player(), player())
    state = play(state, "0 discard C1")
    assert state.players[0].hidden == cards("C1 G1")
    state = play(state, "0 discard C1")
    assert state.players[0].hidden == cards("G1")


def test_an_offer_taken_into_hand_is_known() -> None:
    state = table(3, ["C1 C2 G1 M"], deck="S1 S1 S2 T1 T2 M")
    state = play(state, "0 bid C1", "1 pass", "2 pass", "0 give S1")
    assert common(state, 0) == ("S1 S2 T1 T2 M", 3)
    state = table(3, ["C1 C2 G1 M"], deck="S1 S1 S2 T1 T2 M")
    state = play(state, "0 pass", "1 pass", "2 pass")
    assert common(state, 0) == ("S1 S1 S2 T1 T2 M", 4)


def test_a_take_from_the_market_is_known() -> None:
    state = position(
        Phase.MARKET,
        0,
        player("C1 M", hidden="C1 M", card=2),
        player(card=4),
        player(card=6),
        market="G1 M M",
        takers=(0, 1, 2),
    )
    assert common(play(state, "0 take M"), 0) == ("M M", 2)


def middle() -> State:
    return position(
        Phase.AUCTION,
        1,
        player("C1 C2 G1", hidden="C2", bid="G3", kept="M"),
        player("O1 O2 M", hidden="O1 M", kept="O4"),
        player("S1", passed=True),
        player("T1 T2", hidden="T1 T2", card=5),
        starter=2,
        offer="W1 W2 W3 M",
        market="S2 S3",
    )


def test_a_view_holds_all_public_facts() -> None:
    state = middle()
    assert view(state, 1) == View(
        seat=1,
        hidden=cards("O1 M"),
        phase=Phase.AUCTION,
        turn=1,
        starter=2,
        players=(
            SeatView(cards("C1 G1"), 1, cards("G3"), False, None, cards("M"), False),
            SeatView(cards("O2"), 2, (), False, None, cards("O4"), False),
            SeatView(cards("S1"), 0, (), True, None, (), False),
            SeatView((), 2, (), False, 5, (), False),
        ),
        stack=(2, 3, 4),
        takers=(),
        offer=cards("W1 W2 W3 M"),
        market=cards("S2 S3"),
        deck_size=len(state.deck),
        gone=state.gone,
        course=(),
    )


def test_a_view_shows_takers_and_who_is_done() -> None:
    state = position(
        Phase.MARKET,
        1,
        player(card=6),
        player(card=4),
        player(card=2),
        market="C1",
        takers=(1, 0),
    )
    assert view(state, 0).takers == (1, 0)
    state = position(Phase.FINAL_SALE, 1, player(done=True), player(), player())
    assert [seen.done for seen in view(state, 2).players] == [True, False, False]


def test_a_view_knows_the_highest_bid_the_round_and_the_set_up() -> None:
    state = middle()
    seen = view(state, 0)
    assert (seen.highest, seen.round, seen.setup) == (3, 2, SETUPS[4])
    assert view(table(4), 0).highest == 0


@pytest.mark.parametrize("players", TABLES)
def test_own_view_has_the_full_hand(players: int) -> None:
    for step in random_game(players, 23):
        for seat, one in enumerate(step.after.players):
            seen = view(step.after, seat)
            assert seen.hand == one.hand
            assert seen.hidden == one.hidden
            assert seen.players[seat].hand_size == len(one.hand)
            assert seen.players[seat].unknown == len(one.hidden)


def test_a_spectator_sees_no_hidden_card() -> None:
    state = middle()
    seen = view(state, None)
    assert (seen.seat, seen.hidden, seen.hand) == (None, (), ())
    assert seen.players == view(state, 0).players


def test_other_seats_views_do_not_depend_on_hidden_cards() -> None:
    one = table(3, ["C1 C2 C3 C4", "G1 G1 G1 G1", "O1 O1 O1 O1"], deck="S1 S1 S1 S1 S1 S1")
    two = one._replace(
        players=(
            one.players[0],
            player("G1 G1 G1 M", hidden="G1 G1 G1 M"),
            player("O1 O1 O1 W4", hidden="O1 O1 O1 W4"),
        ),
        deck=one.deck[::-1],
        removed=one.deck[:4],
    )
    assert view(one, 0) == view(two, 0)
    assert view(one, None) == view(two, None)
    assert view(one, 1) != view(two, 1)


@pytest.mark.parametrize("players", TABLES)
def test_the_pool_is_exactly_the_cards_not_seen(players: int) -> None:
    for step in random_game(players, 29)[::5]:
        state = step.after
        hands = Counter([card for one in state.players for card in one.hidden])
        unseen = Counter(state.deck) + Counter(state.removed) + hands
        assert Counter(view(state, None).pool) == unseen
        for seat, one in enumerate(state.players):
            assert Counter(view(state, seat).pool) == unseen - Counter(one.hidden)


def test_the_pool_is_in_face_order() -> None:
    state = middle()
    in_sight = [*state.offer, *state.market, *state.gone]
    for one in state.players:
        in_sight += [*one.known, *one.bid, *one.kept]
    assert list(view(state, None).pool) == left_over(in_sight)
    assert list(view(state, 1).pool) == left_over([*in_sight, *cards("O1 M")])


@pytest.mark.parametrize("players", TABLES)
def test_the_options_of_a_view_are_those_of_the_state(players: int) -> None:
    for step in random_game(players, 31)[::3]:
        for seat in range(players):
            seen = view(step.after, seat)
            assert list(seen.options) == list(options(step.after, seat))
            assert seen.options.on_turn == (seat in step.after.waiting_for)
            assert options(step.after, seat).on_turn == (seat in step.after.waiting_for)
    state = middle()
    assert view(state, 1).options == Options(view(state, 1), 1, cards("O1 O2 M"))
    assert options(state, 1) == Options(state, 1, cards("O1 O2 M"))


def test_a_spectator_has_no_options() -> None:
    with pytest.raises(ValueError, match=r"^a spectator has no options$"):
        _ = view(middle(), None).options


@pytest.mark.parametrize(("players", "seat"), [(3, 3), (4, -1), (4, 4), (6, 6)])
def test_a_seat_that_does_not_exist_has_no_view(players: int, seat: int) -> None:
    expected = f"^there is no seat {seat} at a table of {players}$"
    with pytest.raises(ValueError, match=expected):
        view(table(players), seat)


@pytest.mark.parametrize("players", TABLES)
def test_each_seat_has_a_view(players: int) -> None:
    state = begin(Deal.from_seed(players, 2))
    assert [view(state, seat).seat for seat in range(players)] == list(range(players))


def test_a_view_of_a_game_has_its_events() -> None:
    game = Game.start(Deal.from_seed(3, 4)).play(0, Pass())
    seen = game.view(1)
    assert seen.course == game.course
    assert len(seen.course) == 2
    assert seen == view(game.state, 1, game.course)
    assert game.view(None).course == game.course
    assert view(game.state, 1).course == ()


def test_a_world_deals_the_unseen_cards_by_seat_then_removed_then_deck() -> None:
    state = play(table(4, ["C1 C2 G1 M", "O1 O2 S1 S2"]), "0 bid C1 G1", "1 bid O2 S1")
    seen = view(state, 1)
    unseen = tuple(reversed(seen.pool))
    made = world(seen, unseen)
    assert [one.hidden for one in made.players] == [
        tuple(sorted(unseen[:2])),
        cards("O1 S2"),
        tuple(sorted(unseen[2:6])),
        tuple(sorted(unseen[6:10])),
    ]
    assert made.removed == tuple(sorted(unseen[10:22]))
    assert made.deck == unseen[22:]
    assert view(made, 1) == seen
    assert list(flaws(made)) == []


def test_a_spectators_world_hides_every_hand() -> None:
    state = table(3, ["C1 C2 G1 M"])
    seen = view(state, None)
    made = world(seen, seen.pool)
    assert made.players[0].hidden == seen.pool[:4]
    assert view(made, None) == seen


@pytest.mark.parametrize("players", TABLES)
def test_every_world_of_a_view_has_the_same_view(players: int) -> None:
    for number, step in enumerate(random_game(players, 3)):
        if number % 7 == 0:
            seen = view(step.after, number % players)
            made = world(seen, seen.pool)
            assert view(made, number % players) == seen
            assert list(flaws(made)) == []


def test_a_world_needs_exactly_the_unseen_cards() -> None:
    seen = view(table(3), 0)
    with pytest.raises(
        ValueError, match=r"^the unseen cards are not the cards of the view's pool$"
    ):
        world(seen, seen.pool[1:])
    with pytest.raises(ValueError, match="unseen"):
        world(seen, (*seen.pool[:-1], seen.hand[0]))
