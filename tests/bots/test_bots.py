from __future__ import annotations

import pytest

from byzanz.bots import BOTS, SEARCHING_BOTS, UnknownBot, check_bot, make_bot
from byzanz.bots.greedy import hand_value
from byzanz.bots.random_bot import RandomBot
from byzanz.rules import (
    Bid,
    Card,
    Chance,
    Deal,
    Discard,
    Give,
    Pass,
    Phase,
    Sell,
    begin,
    options,
    view,
)
from tests.random_games import other_world, random_game
from tests.rules.positions import player, position, table


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_bot_chooses_legal_actions(name: str, players: int) -> None:
    bot = make_bot(f"{name}@8it", 1)
    for number, game in enumerate(random_game(players, 21)):
        if name in SEARCHING_BOTS and number % 3:
            continue
        for seat in game.state.waiting_for:
            assert bot.choose(game.view(seat)) in options(game.state, seat)
        for seat in range(players):
            sale = bot.sale(game.view(seat))
            assert sale is None or sale in options(game.state, seat)
    assert not bot.faults  # the guard had nothing to do


def test_a_bots_choice_depends_on_its_view_alone() -> None:
    """Two games with the same view but other hidden cards get the same choice."""
    for number, game in enumerate(random_game(4, 1)):
        for seat in game.state.waiting_for if number % 9 == 0 else ():
            other = other_world(game, seat, number)
            for name in BOTS:
                here = make_bot(f"{name}@8it", 5).choose(game.view(seat))
                assert make_bot(f"{name}@8it", 5).choose(other.view(seat)) == here


def test_random_is_uniform_over_legal_actions() -> None:
    seen = view(begin(Deal.from_seed(3, 4)), 0)
    legal = list(seen.options)
    bot = RandomBot(Chance(1))
    drawn = [bot.choose(seen) for _ in range(200 * len(legal))]
    counts = [drawn.count(action) for action in legal]
    assert sum(counts) == len(drawn)
    # 200 expected of each: six standard deviations either way.
    assert all(115 < count < 285 for count in counts)


def test_random_sells_out_of_turn_one_time_in_eight() -> None:
    for game in random_game(4, 3):
        seat = next((s for s in range(4) if options(game.state, s).sales), None)
        if seat is not None and seat != game.state.turn:
            bot = RandomBot(Chance(2))
            sold = sum(bot.sale(game.view(seat)) is not None for _ in range(800))
            assert 60 < sold < 145
            return
    raise AssertionError("no set was held out of turn")


def test_the_error_for_an_unknown_bot_lists_the_known_ones() -> None:
    with pytest.raises(
        UnknownBot, match="there is no bot 'deep'; there are random, passive, novice"
    ):
        check_bot("deep")
    with pytest.raises(UnknownBot):
        make_bot("deep", 0)


def test_greedy_values_sets_merchants_and_pairs() -> None:
    c1, c2, c4, m, w1 = Card.C1, Card.C2, Card.C4, Card.M, Card.W1
    assert hand_value((c1, c2, c4)) == 4
    assert hand_value((c4, m, m)) == 4
    assert hand_value((m, m, m)) == 5
    assert hand_value((m,)) > hand_value((c4,)) > hand_value((w1,)) > hand_value(()) == 0
    assert hand_value((c1, c4)) > hand_value((c4, w1))


def test_greedy_bids_for_a_set_and_passes_on_useless_lots() -> None:
    bot = make_bot("greedy", 0)
    wanted = table(4, hands=["C1 C4 G1 T1"], deck="C2 C3 O1 S1 W1")
    assert bot.choose(view(wanted, 0)) == Bid((Card.G1,))
    unwanted = table(4, hands=["C3 C4 G4 G3"], deck="O1 S1 T1 W1 W1")
    assert bot.choose(view(unwanted, 0)) == Pass()


def test_greedy_keeps_useful_cards_and_sells_only_above_the_limit() -> None:
    bot = make_bot("greedy", 0)
    limit = position(
        Phase.LIMIT, 0, player("C1 C2 C4 G1 G2 O1 S1 T1", card=5), player(), player(), player()
    )
    assert bot.choose(view(limit, 0)) == Sell((Card.C1, Card.C2, Card.C4))
    nothing = position(
        Phase.LIMIT, 0, player("C1 C4 G1 G2 O1 O3 S1 T1", card=5), player(), player(), player()
    )
    assert bot.choose(view(nothing, 0)) in {Discard(Card.S1), Discard(Card.T1)}
    give = position(Phase.GIVE, 0, player("C4 C4"), player(), player(), player(), offer="C1 G1 O4")
    assert bot.choose(view(give, 0)) != Give(Card.C1)
