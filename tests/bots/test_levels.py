"""The ten levels and the passive bot."""

from __future__ import annotations

import itertools

import pytest

from byzanz.arena.game import seeded_match
from byzanz.bots import LEVELS, make_bot
from byzanz.bots.levels import Level1Bot, Level9Bot, LevelBot
from byzanz.bots.registry import load_bot
from byzanz.rules import Bid, Card, Chance, Deal, Game, Pass, Phase, Sell

from .tables import one_against_many


def test_there_are_ten_levels() -> None:
    assert tuple(f"level{number}" for number in range(1, 11)) == LEVELS


def test_a_higher_level_makes_every_mistake_less_often() -> None:
    bots = [load_bot(name) for name in LEVELS[:-1]]
    habits = [bot.habits for bot in bots if issubclass(bot, LevelBot)]
    assert len(habits) == len(LEVELS) - 1
    for lower, higher in itertools.pairwise(habits):
        for name in ("own_cards_in_auction", "own_cards_elsewhere", "lets_go", "sells_early"):
            assert getattr(lower, name) > getattr(higher, name)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_levels_play_whole_games_and_the_seed_decides_them(players: int) -> None:
    names = [LEVELS[(2 * seat) % 9] for seat in range(players)]
    first, second = seeded_match(players, 11, names), seeded_match(players, 11, names)
    assert first.over
    assert first.plays == second.plays


def test_level_ten_searches_with_its_budget() -> None:
    game = Game.start(Deal.from_seed(3, 5))
    view = game.view(game.state.turn or 0)
    with_search = make_bot("level10@20it", 1)
    assert with_search.choose(view) == make_bot("emperor@20it", 1).choose(view)


def test_level_one_sells_no_set_with_merchants_during_an_auction() -> None:
    sold = 0
    for seed in range(4):
        game = Game.start(Deal.from_seed(4, seed))
        bots = [Level1Bot(Chance(seat)) for seat in range(4)]
        while game.state.turn is not None:
            seat = game.state.turn
            action = bots[seat].choose(game.view(seat))
            if game.state.phase is Phase.AUCTION and isinstance(action, Sell):
                sold += 1
                assert Card.M not in action.cards
            game = game.play(seat, action)
    assert sold > 0


def test_a_low_level_lets_a_lot_go_more_often_the_higher_the_bid() -> None:
    game = Game.start(Deal.from_seed(4, 3))
    first = game.state.turn or 0
    passes = []
    by_worth = sorted(game.view(first).options.bids, key=lambda cards: sum(c.worth for c in cards))
    for cards in (by_worth[0], by_worth[-1]):
        after = game.play(first, Bid(cards))
        seat = after.state.turn or 0
        view = after.view(seat)
        bot = Level1Bot(Chance(0))
        passes.append(sum(bot.choose(view) == Pass() for _ in range(200)))
    assert 100 < passes[0] < passes[1]


def test_level_nine_beats_a_table_of_level_one() -> None:
    won, games = one_against_many(
        lambda seed: Level9Bot(Chance(seed)), lambda seed: Level1Bot(Chance(seed)), 4, deals=5
    )
    assert won / games > 0.5


def test_the_passive_bot_never_bids_and_loses_to_level_two() -> None:
    won, games = one_against_many(
        lambda seed: make_bot("passive", seed), lambda seed: make_bot("level2", seed), 4, deals=10
    )
    assert won / games < 0.25
    played = seeded_match(4, 2, ["passive", *["level2"] * 3]).plays
    assert not [play for play in played if play.seat == 0 and isinstance(play.action, Bid)]
