"""Properties of every state of every game."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from byzanz.notation import (
    judge,
    parse_action,
    parse_state,
    parse_view,
    write_action,
    write_record,
    write_state,
    write_view,
)
from byzanz.rules import (
    COPIES,
    FACES,
    SETUPS,
    Action,
    Bid,
    Card,
    Chance,
    Discard,
    Done,
    Game,
    Give,
    IllegalAction,
    Kind,
    MarketCleared,
    Pass,
    Played,
    Sell,
    State,
    Take,
    TurnedUp,
    Won,
    apply,
    flaws,
    options,
)
from byzanz.rules.consistency import all_cards
from tests.random_games import finished, other_world, random_game
from tests.soak import BATCH, play_batch

players = st.integers(3, 6)
seeds = st.integers(0, 2**64 - 1)
few = settings(max_examples=25, deadline=None)


@few
@given(players, seeds)
def test_cards_are_conserved_and_every_state_is_consistent(count: int, seed: int) -> None:
    copies = {card: COPIES[card] for card in FACES}
    for game in random_game(count, seed):
        assert Counter(all_cards(game.state)) == copies
        assert not list(flaws(game.state))


@few
@given(players, seeds)
def test_a_game_ends_after_the_stated_rounds_with_one_auction_a_player(
    count: int, seed: int
) -> None:
    game = finished(count, seed)
    setup = SETUPS[count]
    turned = [event for event in game.course if isinstance(event, TurnedUp)]
    assert [event.offer_card for event in turned] == [*reversed(setup.offer_cards)] * setup.rounds
    cleared = [event.round for event in game.course if isinstance(event, MarketCleared)]
    assert cleared == list(range(1, setup.rounds + 1))
    assert not game.state.deck


@few
@given(players, seeds)
def test_listed_actions_are_exactly_the_accepted_ones_for_every_seat(count: int, seed: int) -> None:
    chance = Chance(seed)
    for game in random_game(count, seed):
        if chance.below(16):
            continue
        for seat in range(count):
            may = options(game.state, seat)
            every = list(may)
            listed = set(every)
            assert len(listed) == len(every)
            for action in listed | set(conceivable(game.state, seat, chance)):
                legal = action in listed
                assert (action in may) is legal
                assert (may.refusal(action) is None) is legal
                assert accepts(game.state, seat, action) is legal


def conceivable(state: State, seat: int, chance: Chance) -> Iterator[Action]:
    """Return actions to try: every simple action, and many bids and sales."""
    yield Pass()
    yield Done()
    yield from map(Give, FACES)
    yield from map(Discard, FACES)
    yield from map(Take, Kind)
    player = state.players[seat]
    for size in range(len(player.hand) + 1):
        for cards in combinations(player.hand + player.bid, size):
            yield Bid(cards)
            yield Sell(cards)
    sets = list(combinations_with_replacement(FACES, 3))
    for _ in range(40):
        yield Sell(chance.choice(sets))
        yield Bid(chance.choice(sets))
        yield Bid((chance.choice(FACES),))


def accepts(state: State, seat: int, action: Action) -> bool:
    try:
        apply(state, seat, action)
    except IllegalAction:
        return False
    return True


@few
@given(players, seeds)
def test_a_view_has_the_same_options_as_the_state(count: int, seed: int) -> None:
    for game in random_game(count, seed):
        for seat in range(count):
            assert list(game.view(seat).options) == list(options(game.state, seat))


@few
@given(players, seeds, seeds)
@example(6, 2199023255553, 0)
def test_two_worlds_look_the_same(count: int, seed: int, other_seed: int) -> None:
    chance = Chance(other_seed)
    for game in random_game(count, seed):
        if chance.below(12) and not game.over:
            continue
        for seat in (None, *range(count)):
            other = other_world(game, seat, chance.word())
            if game.over and other.result != game.result:
                # The hidden cards decided a tie (R7.2).
                assert other.result.profit == game.result.profit
                assert game.result.profit.count(max(game.result.profit)) > 1
                continue
            assert other.view(seat) == game.view(seat)
            assert write_view(other.view(seat)) == write_view(game.view(seat))
            assert other.view(seat).pool == game.view(seat).pool


@few
@given(players, seeds)
def test_the_pool_is_exactly_what_is_hidden_from_the_seat(count: int, seed: int) -> None:
    for game in random_game(count, seed):
        state = game.state
        for seat in (None, *range(count)):
            hidden = Counter(state.deck + state.removed)
            for at, player in enumerate(state.players):
                if at != seat:
                    hidden.update(player.hidden)
            assert Counter(game.view(seat).pool) == hidden


@few
@given(players, seeds)
def test_a_replay_gives_the_same_game(count: int, seed: int) -> None:
    game = finished(count, seed)
    assert Game.replay(game.deal, game.plays) == game
    record = write_record(game, [f"name {seat}" for seat in range(count)], {"seed": seed})
    (verdict,) = judge(io.BytesIO(record.encode()))
    assert verdict.error is None
    assert verdict.record is not None
    assert verdict.record.game == game
    assert verdict.record.extra == {"seed": seed}
    assert write_record(verdict.record.game, verdict.record.names, verdict.record.extra) == record


@few
@given(players, seeds)
def test_positions_and_actions_round_trip(count: int, seed: int) -> None:
    chance = Chance(seed)
    for game in random_game(count, seed):
        assert parse_state(write_state(game.state)) == game.state
        if chance.below(3):
            continue
        for seat in (None, *range(count)):
            seen = game.view(seat)
            assert write_view(parse_view(write_view(seen))) == write_view(seen)
            if seat is not None:
                for action in seen.options:
                    assert parse_action(write_action(action)) == action


@given(st.lists(st.sampled_from(FACES), min_size=1, max_size=9).map(tuple))
def test_cards_are_parsed_in_any_order_and_written_in_face_order(cards: tuple[Card, ...]) -> None:
    action = parse_action("bid " + " ".join(map(str, cards)))
    assert action == Bid(cards)
    assert write_action(action) == "bid " + " ".join(map(str, sorted(cards)))


@few
@given(players, seeds)
def test_the_known_cards_of_a_hand_follow_from_the_public_events(  # noqa: C901, PLR0912
    count: int, seed: int
) -> None:
    """Derive the known cards from the public events, without using the state."""
    games = list(random_game(count, seed))
    known = [Counter[Card]() for _ in range(count)]
    unknown = [4] * count
    bids = [Counter[Card]() for _ in range(count)]
    offer: Counter[Card] = Counter()
    market: Counter[Card] = Counter()
    told = 0
    for game in games:
        for event in game.course[told:]:
            match event:
                case TurnedUp():
                    offer = Counter(event.cards)
                case Won():
                    bids[event.seat] = Counter()
                    market += Counter(event.paid)
                    if not event.paid:
                        known[event.seat] += offer
                case MarketCleared():
                    assert +market == Counter(event.cards)
                    market = Counter()
                case Played(seat, Bid(cards)):
                    bids[seat] += Counter(cards)
                    unknown[seat] -= sum((Counter(cards) - known[seat]).values())
                    known[seat] -= Counter(cards)
                case Played(seat, Sell(cards)):
                    unknown[seat] -= sum((Counter(cards) - known[seat]).values())
                    known[seat] -= Counter(cards)
                case Played(seat, Discard(card)):
                    unknown[seat] -= known[seat][card] == 0
                    known[seat] -= Counter([card])
                case Played(seat, Pass()):
                    known[seat] += bids[seat]
                    bids[seat] = Counter()
                case Played(seat, Give(card)):
                    market[card] += 1
                    known[seat] += offer - Counter([card])
                case Played(seat, Take(kind)):
                    taken = Counter({card: n for card, n in market.items() if card.kind is kind})
                    known[seat] += taken
                    market -= taken
        told = len(game.course)
        for seat, player in enumerate(game.view(None).players):
            assert Counter(player.known) == +known[seat]
            assert player.unknown == unknown[seat]
            assert Counter(player.bid) == +bids[seat]


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_a_short_soak_test_passes(count: int) -> None:
    seen = play_batch(count, first=0, attempts=100)
    assert seen["games"] == BATCH
    assert seen["illegal attempts"] >= 100 * BATCH
