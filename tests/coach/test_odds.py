"""The odds: compared with an enumeration of all deals, and with sampled worlds."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import sqrt

import msgspec
import numpy as np
import pytest

from byzanz.coach.odds import Odds, can_bid, next_offer_size, odds, ways_by_worth
from byzanz.encoding import Moment
from byzanz.fast import RECORD, rows_of, to_moment, to_record
from byzanz.rules import Card, Deal, Game, Kind, Phase, View, worth
from byzanz.search.worlds import sample_world
from tests.random_games import other_world, random_game

START = Game.start(Deal.from_seed(4, 1)).view(0)


def late(players: int, seed: int) -> View:
    """Return a view late in a game, in an auction, with cards hidden in an opponent's hand."""
    found = [
        game.view(game.state.turn)
        for game in random_game(players, seed)
        if game.state.phase is Phase.AUCTION
        and any(p.hidden for seat, p in enumerate(game.state.players) if seat != game.state.turn)
    ]
    return found[-1]


@pytest.mark.parametrize(("players", "seed"), [(3, 1), (4, 3), (5, 2), (6, 5)])
def test_what_an_opponent_can_bid_is_that_of_all_deals_counted_one_by_one(
    players: int, seed: int
) -> None:
    seen = late(players, seed)
    for opponent in odds(seen).opponents:
        player = seen.players[opponent.seat]
        sums = [
            worth(player.bid + player.known + hidden)
            for hidden in combinations(seen.pool, player.unknown)
        ]
        assert opponent.most == max(sums)
        assert opponent.expected == pytest.approx(sum(sums) / len(sums))
        for each in opponent.totals:
            counted = Fraction(sum(value >= each.total for value in sums), len(sums))
            assert each.probability == float(counted)
            assert can_bid(seen, opponent.seat, each.total) == counted
        first = seen.highest + 1 if opponent.in_auction else 1
        assert [each.total for each in opponent.totals] == list(range(first, opponent.most + 1))


def test_ways_add_up_to_all_draws_of_a_small_pool() -> None:
    pool = (Card.C1, Card.C1, Card.G2, Card.S4, Card.T3, Card.M, Card.M)
    for count in range(len(pool) + 1):
        sums = [worth(cards) for cards in combinations(pool, count)]
        assert ways_by_worth(pool, count) == {value: sums.count(value) for value in set(sums)}


def test_the_next_offer_is_that_of_all_offers_counted_one_by_one() -> None:
    seen = next(
        game.view(0)
        for game in random_game(6, 4)
        if game.state.phase is Phase.AUCTION
        and len(game.view(0).pool) < 40
        and game.state.stack[1:]
        and game.state.stack[-2] <= 4
    )
    found = odds(seen).next_offer
    assert found is not None
    offers = list(combinations(seen.pool, found.size))
    assert found.expected_worth == pytest.approx(sum(map(worth, offers)) / len(offers))
    for kind, each in zip(Kind, found.kinds, strict=True):
        counts = [sum(card.kind is kind for card in offer) for offer in offers]
        assert each.expected == pytest.approx(sum(counts) / len(counts))
        assert each.at_least_one == pytest.approx(sum(map(bool, counts)) / len(counts))


def test_sampled_worlds_agree_with_the_odds() -> None:
    worlds, found = 1500, odds(START)
    root = rows_of(to_record(Moment.start(Deal.from_seed(4, 1)), 7))[0]
    record = np.zeros(1, dtype=RECORD)
    reached = np.zeros((4, 20))
    goods = np.zeros(len(Kind))
    assert found.next_offer is not None
    for _ in range(worlds):
        sample_world(root, 0, rows_of(record)[0])
        state = to_moment(record[0]).state
        for seat in (1, 2, 3):
            reached[seat, : worth(state.players[seat].hand) + 1] += 1
        goods[list({card.kind for card in state.deck[: found.next_offer.size]})] += 1
    expected = [
        (each.at_least_one, goods[kind]) for kind, each in enumerate(found.next_offer.kinds)
    ]
    expected += [
        (each.probability, reached[opponent.seat, each.total])
        for opponent in found.opponents
        for each in opponent.totals
    ]
    for probability, times in expected:
        error = sqrt(worlds * probability * (1 - probability))
        assert abs(times - worlds * probability) <= 5 * error + 1


def test_unseen_cards_are_those_of_the_pool() -> None:
    found = odds(START)
    assert found.unseen == len(START.pool) == sum(each.count for each in found.kinds)
    for each in found.kinds:
        for value, count in each.values.items():
            face = f"{each.kind}{value}" if value else "M"
            assert count == START.pool.count(Card[face])


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_next_offer_has_the_announced_size(players: int) -> None:
    announced: int | None = None
    deck = 0
    for number, game in enumerate(random_game(players, 6)):
        if number and len(game.state.deck) < deck:
            assert deck - len(game.state.deck) == announced
        deck = len(game.state.deck)
        announced = next_offer_size(game.view(0))
    assert announced is None


def test_hidden_cards_do_not_change_the_odds() -> None:
    for number, game in enumerate(random_game(4, 2)):
        if number % 10 == 0:
            assert odds(other_world(game, 1, 5).view(1)) == odds(game.view(1))


def test_odds_survive_json() -> None:
    found = odds(START)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Odds) == found
