from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Thread

import pytest

from byzanz.bots import Bot, BotFailed, BotFault, GuardedBot, make_bot, safe_action
from byzanz.rules import (
    Action,
    Bid,
    Card,
    Chance,
    Deal,
    Discard,
    Done,
    Game,
    Give,
    Kind,
    Pass,
    Phase,
    Sell,
    Take,
    View,
    options,
    view,
)
from tests.bots.programs import played_with
from tests.random_games import random_game
from tests.rules.positions import player, position


class Answers(Bot):
    """A bot that answers with a function of its view."""

    interrupts = True

    def __init__(self, answer: Callable[[View], object]) -> None:
        super().__init__(Chance(0))
        self._answer = answer

    def choose(self, view: View) -> Action:
        return self._answer(view)  # type: ignore[return-value]

    def sale(self, view: View) -> Sell | None:
        return self._answer(view)  # type: ignore[return-value]


def raises(view: View) -> object:
    raise RuntimeError("no idea")


def fails(view: View) -> object:
    raise BotFailed(BotFault.LATE, "thinking")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (raises, BotFault.RAISED),
        (fails, BotFault.LATE),
        (lambda view: None, BotFault.ILLEGAL),
        (lambda view: "pass", BotFault.ILLEGAL),
        (lambda view: Bid((Card.M,)), BotFault.ILLEGAL),
    ],
)
def test_the_game_goes_on_whatever_a_bot_does(
    answer: Callable[[View], object], fault: BotFault
) -> None:
    bot = GuardedBot(Answers(answer), "odd")
    game = played_with(bot)
    assert game.over
    assert set(bot.faults) <= {fault, BotFault.ILLEGAL}
    assert bot.faults[fault] >= 10


def test_a_legal_choice_is_played() -> None:
    bot = GuardedBot(Answers(lambda view: next(iter(view.options))), "first")
    seen = Game.start(Deal.from_seed(4, 1)).view(0)
    assert bot.choose(seen) == Pass()
    assert not bot.faults


def test_only_a_legal_sale_is_accepted_out_of_turn() -> None:
    for game in random_game(4, 3):
        seat = next((s for s in range(4) if options(game.state, s).sales), None)
        if seat is not None and seat not in game.state.waiting_for:
            break
    seen = game.view(seat)
    good = seen.options.sales[0]
    assert GuardedBot(Answers(lambda view: good), "seller").sale(seen) == good
    for nonsense in (Pass(), Done(), Sell((Card.M,)), "sell"):
        bot = GuardedBot(Answers(lambda view, it=nonsense: it), "odd")  # type: ignore[misc]
        assert bot.sale(seen) is None
        assert bot.faults == {BotFault.ILLEGAL: 1}
    bot = GuardedBot(Answers(raises), "odd")
    assert bot.sale(seen) is None
    assert bot.faults == {BotFault.RAISED: 1}
    assert GuardedBot(Answers(lambda view: None), "keeper").sale(seen) is None


def test_the_first_faults_are_logged_as_warnings(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, logger="byzanz.bots")
    seen = Game.start(Deal.from_seed(4, 1)).view(0)
    bot = GuardedBot(Answers(raises), "odd")
    for _ in range(5):
        bot.choose(seen)
    levels = [entry.levelno for entry in caplog.records]
    assert levels == [logging.WARNING] * 3 + [logging.DEBUG] * 2
    assert caplog.records[0].getMessage() == "bot odd raised: RuntimeError: no idea"


def test_bots_by_name_are_guarded() -> None:
    bot = make_bot("greedy", 0)
    assert isinstance(bot, GuardedBot)
    assert bot.name == "greedy"
    assert make_bot("random", 0).interrupts


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_the_safe_action_is_legal_and_always_the_same(players: int) -> None:
    for game in random_game(players, 4):
        for seat in game.state.waiting_for:
            action = safe_action(game.view(seat))
            assert action in options(game.state, seat)
            assert safe_action(game.view(seat)) == action


def test_the_safe_action_does_little_harm() -> None:
    others = player(), player(), player()
    give = position(Phase.GIVE, 0, player("C4 C4"), *others, offer="C1 G1 G2 M")
    assert safe_action(view(give, 0)) == Give(Card.G1)
    holders = [player(card=card) for card in (2, 3, 4, 5)]
    market = position(Phase.MARKET, 0, *holders, market="C1 C1 G4 M M", takers=(0, 1, 2, 3))
    assert safe_action(view(market, 0)) == Take(Kind.MERCHANT)
    full = position(Phase.LIMIT, 0, player("C1 C4 G1 G2 O1 O3 S2 M", card=5), *others)
    assert isinstance(safe_action(view(full, 0)), Sell)
    none = position(Phase.LIMIT, 0, player("C1 C4 G1 G2 O1 O3 S2 T1", card=5), *others)
    assert safe_action(view(none, 0)) == Discard(Card.T1)


def test_a_bot_is_asked_one_question_at_a_time() -> None:
    inside: list[int] = []

    def alone(view: View) -> object:
        inside.append(1)
        assert len(inside) == 1
        time.sleep(0)
        inside.pop()
        return Pass()

    bot = GuardedBot(Answers(alone), "shy")
    seen = Game.start(Deal.from_seed(4, 1)).view(0)
    threads = [
        Thread(target=lambda: [bot.choose(seen) for _ in range(200)], daemon=True) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not bot.faults
