"""The OpenSpiel game: OpenSpiel's own tests, and agreement with the rules.

``python -m tests.envs.test_openspiel`` writes the stored playthrough again.
"""

from __future__ import annotations

import copy
import hashlib
import pickle
import random
import re
import runpy
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byzanz.encoding import NUMBERS, PIECES, IllegalNumber, Moment, action_of, features, piece_of
from byzanz.encoding.numbers import CONFIRM, PASS
from byzanz.notation import parse_view
from byzanz.rules import COPIES, SETUPS, Bid, Card, Deal, Game, flaws, result
from tests.envs.lockstep import openspiel_lockstep
from tests.random_games import other_world
from tests.requirements import import_or_skip

pyspiel = import_or_skip("pyspiel")

from byzanz.envs.openspiel import RolloutEvaluator, max_decisions  # noqa: E402
from byzanz.envs.rewards import rewards_of  # noqa: E402

ROOT = Path(__file__).parents[2]
KEPT = Path(__file__).parent / "openspiel_playthrough.txt"
PLAYERS = sorted(SETUPS)


def load(players: int, reward: str = "win", engine: str = "compiled") -> Any:
    name = f"python_byzanz(players={players},reward={reward},engine={engine})"
    return pyspiel.load_game(name)


def drawn(state: Any, chance: random.Random) -> int:
    """Return a random action; cards have the probabilities of the chance node."""
    if state.is_chance_node():
        actions, shares = zip(*state.chance_outcomes(), strict=True)
        return int(chance.choices(actions, shares)[0])
    return int(chance.choice(state.legal_actions()))


def played(players: int, seed: int, reward: str = "win") -> Iterator[Any]:
    """Yield the state of a random game before each action and at the end; always one object."""
    chance, state = random.Random(seed), load(players, reward).new_initial_state()
    yield state
    while not state.is_terminal():
        state.apply_action(drawn(state, chance))
        yield state


def middle(players: int, seed: int, length: int = 120) -> Any:
    """Return a random game after some actions, at a decision with no cards laid."""
    for state in played(players, seed):
        line, late = state.line, len(state.history()) >= length
        if late and not line.at_chance and not line.moment.laid:
            return state.clone()
    raise AssertionError("the game is too short")


def as_game(state: Any) -> Game:
    """Return the same game on the rules, with the undrawn cards in any order."""
    line = state.line
    setup = SETUPS[line.players]
    turned = tuple(card for cards in turned_up(state) for card in cards)
    rest = line.state.deck + line.state.removed
    left = setup.deck - len(turned)
    hands = tuple(line.dealt[4 * seat : 4 * seat + 4] for seat in range(line.players))
    deck = turned + tuple(reversed(rest[len(rest) - left :]))
    game = Game.start(Deal(hands, deck=deck, removed=rest[: len(rest) - left]))
    laid: tuple[Card, ...] = ()
    for move in state.full_history():
        if move.player >= 0 and move.action < CONFIRM:
            laid += (Card(move.action),)
        elif move.player >= 0:
            game = game.play(move.player, action_of(move.action) or Bid(laid))
            laid = ()
    return game


def turned_up(state: Any) -> Iterator[tuple[Card, ...]]:
    """Yield the cards that chance nodes turned up, between decisions."""
    moves = state.full_history()[4 * state.line.players :]
    for chance, some in groupby(moves, key=lambda move: move.player < 0):
        if chance:
            yield tuple(Card(move.action) for move in some)


def as_state(players: int, deal: Deal, like: Any) -> Any:
    """Return the OpenSpiel state of another deal after the same actions."""
    state = load(players).new_initial_state()
    cards = [card for hand in deal.hands for card in hand] + list(deal.deck)
    for move in like.full_history():
        action = cards.pop(0) if move.player < 0 else move.action
        state.apply_action(int(action))
    return state


@pytest.mark.parametrize("engine", ["compiled", "readable"])
@pytest.mark.parametrize("players", PLAYERS)
def test_openspiels_own_random_simulation_passes(players: int, engine: str) -> None:
    game = load(players, engine=engine)
    pyspiel.random_sim_test(game, num_sims=1, serialize=players < 5, verbose=False)


def test_openspiels_own_random_simulation_passes_with_profit_for_reward() -> None:
    pyspiel.random_sim_test(load(3, "profit"), num_sims=2, serialize=False, verbose=False)


def test_the_playthrough_has_not_changed() -> None:
    kept, today = KEPT.read_text(encoding="utf-8").splitlines(), playthrough().splitlines()
    for number, (then, now) in enumerate(zip(kept, today, strict=False), start=1):
        assert now == then, f"line {number}"
    assert len(today) == len(kept)


def playthrough() -> str:
    """Return OpenSpiel's playthrough of a game, with digests for tensors and very long lines."""
    from open_spiel.python.algorithms import generate_playthrough  # noqa: PLC0415

    text = generate_playthrough.playthrough("python_byzanz(players=3)", [], seed=303)
    lines: list[str] = []
    label = ""
    for line in text.splitlines():
        tensor = re.match(r"\w+Tensor\(\d\)", line)
        label = tensor[0] if tensor else label if re.match(" *[◯◉]+$", line) else ""
        lines.append(f"{label}|{line}")
    short: list[str] = []
    for label, some in groupby(lines, key=lambda line: line.partition("|")[0]):
        whole = [line.partition("|")[2] for line in some]
        if label:
            short.append(f"{label}: {digest(chr(10).join(whole))}")
        else:
            short += [
                line if len(line) < 400 else f"{line[:200]} ... {digest(line)}" for line in whole
            ]
    return "\n".join(short) + "\n"


def digest(text: str) -> str:
    return "digest " + hashlib.sha256(text.encode()).hexdigest()[:16]


@pytest.mark.parametrize("players", PLAYERS)
def test_the_game_describes_itself(players: int) -> None:
    game = load(players)
    assert game.num_distinct_actions() == NUMBERS == 289
    assert game.max_chance_outcomes() == 25
    assert game.num_players() == players
    assert (game.min_utility(), game.max_utility(), game.utility_sum()) == (0, 1, 1)
    assert game.get_type().utility == pyspiel.GameType.Utility.CONSTANT_SUM
    profit = load(players, "profit")
    assert profit.utility_sum() == 0
    assert profit.min_utility() == -profit.max_utility()
    assert profit.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert pyspiel.load_game("python_byzanz").num_players() == 4


@pytest.mark.parametrize("wrong", ["players=2", "players=7", "reward=glory", "engine=steam"])
def test_invalid_parameters_are_refused(wrong: str) -> None:
    with pytest.raises(ValueError, match=r"Byzanz is for|there is no (reward|engine)"):
        pyspiel.load_game(f"python_byzanz({wrong})")


@pytest.mark.parametrize("players", PLAYERS)
def test_chance_draws_each_face_by_its_copies_and_never_the_removed_cards(players: int) -> None:
    setup = SETUPS[players]
    cards: Counter[int] = Counter()
    for state in played(players, seed=players):
        chances = [move.action for move in state.full_history() if move.player < 0]
        assert not state.is_chance_node() or len(chances) < 4 * players + setup.deck
        cards = Counter(chances)
        if state.is_chance_node():
            outcomes = dict(state.chance_outcomes())
            left = 112 - len(chances)
            expected = {face: (COPIES[face] - cards[face]) / left for face in range(25)}
            assert outcomes == {face: share for face, share in expected.items() if share}
            assert sum(outcomes.values()) == pytest.approx(1)
            assert list(outcomes) == sorted(outcomes)
        elif not state.is_terminal():
            assert list(flaws(state.line.state)) == []
    assert cards.total() == 4 * players + setup.deck == 112 - setup.removed
    assert load(players).max_chance_nodes_in_history() == cards.total()
    assert len(state.line.undrawn) == setup.removed


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("reward", ["win", "profit"])
def test_a_finished_game_replays_on_the_rules_with_the_same_returns(
    players: int, reward: str
) -> None:
    *_, state = played(players, 20 + players, reward)
    game = as_game(state)
    assert game.over
    assert state.returns() == pytest.approx(rewards_of(game.result, reward))
    assert game.result == result(state.line.state)
    assert [tuple(sorted(cards)) for cards in turned_up(state)] == [
        event.cards
        for event in game.course
        if hasattr(event, "cards") and hasattr(event, "starter")
    ]


@pytest.mark.parametrize("players", PLAYERS)
def test_decisions_and_observations_are_those_of_the_encoding(players: int) -> None:
    for at, state in enumerate(played(players, 30 + players)):
        if at % 7 or state.is_chance_node() or state.is_terminal():
            continue
        game, moment = as_game(state), state.line.moment
        assert state.current_player() == game.state.turn
        assert state.legal_actions() == list(Moment(game.state, moment.laid).legal())
        for seat in range(players):
            seen = game.view(seat)
            laid = moment.laid if seat == game.state.turn else ()
            row = features(seen, laid)
            assert np.array_equal(state.observation_tensor(seat), row)
            view, _, tail = state.observation_string(seat).rpartition(" laid=")
            assert parse_view(view).pool == seen.pool
            assert tail == ("".join(map(str, laid)) or "-")
            observer = state.get_game().make_py_observer()
            observer.set_from(state, seat)
            for name in PIECES:
                assert np.array_equal(observer.dict[name], piece_of(row, name))


@pytest.mark.parametrize("players", PLAYERS)
def test_indistinguishable_states_have_the_same_information_state(players: int) -> None:
    for length in (30, 90, 150):
        state = middle(players, 40 + length, length)
        game = as_game(state)
        for seat in range(players):
            other = as_state(players, other_world(game, seat, seed=length).deal, state)
            for name in ("information_state_string", "observation_string"):
                assert getattr(other, name)(seat) == getattr(state, name)(seat)
            for name in ("information_state_tensor", "observation_tensor"):
                assert getattr(other, name)(seat) == getattr(state, name)(seat)
            # Only the seats whose own cards differ can see the difference.
            for viewer in range(players):
                same = other.line.hand_dealt(viewer) == state.line.hand_dealt(viewer)
                for told in ("information_state_string", "information_state_tensor"):
                    assert (getattr(other, told)(viewer) == getattr(state, told)(viewer)) == same


def test_different_observations_give_different_information_states() -> None:
    state = load(3).new_initial_state()
    start = [Card.C1, Card.C2, Card.G1, Card.G2] * 3
    for card in (*start, *[Card.O1] * 3, *[Card.O2] * 3):
        state.apply_action(int(card))
    seen = [state.information_state_string(seat) for seat in range(3)]
    again = load(3).new_initial_state()  # the same cards in another order
    for card in (*reversed(start), *[Card.O2, Card.O1] * 3):
        again.apply_action(int(card))
    assert [again.information_state_string(seat) for seat in range(3)] == seen
    assert again.information_state_tensor(1) == state.information_state_tensor(1)
    assert again.line.state == state.line.state
    offer = load(3).new_initial_state()
    for card in (*start, *[Card.O1] * 4, *[Card.O2] * 2):
        offer.apply_action(int(card))
    assert all(offer.information_state_string(seat) != seen[seat] for seat in range(3))
    first = state.child(int(Card.C1))  # only the seat that lays a card knows of it
    assert first.information_state_string(0) != seen[0]
    assert first.information_state_tensor(0) != state.information_state_tensor(0)
    assert [first.information_state_string(seat) for seat in (1, 2)] == seen[1:]
    bid = first.child(CONFIRM)
    assert all(bid.information_state_string(seat) != seen[seat] for seat in range(3))


def test_the_tensor_has_the_codes_of_all_public_events() -> None:
    *_, state = played(4, 11)
    expected: list[int] = []
    for chance, some in groupby(state.full_history()[16:], key=lambda move: move.player < 0):
        codes = [move.action + (290 if chance else 1) for move in some]
        expected += sorted(codes) if chance else codes
    observer = state.get_game().make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 2)
    course = [int(code) for code in observer.dict["course"]]
    assert course[: len(expected)] == expected
    assert not any(course[len(expected) :])
    assert list(np.repeat(np.arange(25), observer.dict["dealt"].astype(int))) == sorted(
        state.history()[8:12]
    )


def test_unfinished_deals_and_offers_are_not_visible() -> None:
    *_, state = (state for state, _ in zip(played(4, 5), range(14), strict=False))
    assert {state.information_state_string(seat) for seat in range(4)} == {"dealing"}
    assert not any(state.observation_tensor(2))
    state = load(4).new_initial_state()
    seen: set[str] = set()
    for length in range(21):
        if length >= 16:
            assert state.is_chance_node()
            seen.add(state.information_state_string(1) + state.observation_string(1))
        state.apply_action(int(Card.M if length % 2 else Card.C1 + length))
    assert len(seen) == 1
    assert not state.is_chance_node()


def test_a_resampled_state_has_the_same_information_state() -> None:
    state = middle(4, 6, 70)
    seat, chance = state.current_player(), random.Random(1)
    strings = set()
    for _ in range(5):
        other = state.resample_from_infostate(seat, chance.random)
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.legal_actions() == state.legal_actions()
        strings.add(str(other))
    assert len(strings) > 1
    laying = state.clone()
    while laying.line.moment.laid == ():
        laying.apply_action(laying.legal_actions()[0])
    for player in range(4):  # the other seats do not know of laid cards
        other = laying.resample_from_infostate(player, chance.random)
        assert other.information_state_string(player) == laying.information_state_string(player)
        assert bool(other.line.moment.laid) == (player == laying.current_player())
    with pytest.raises(ValueError, match="resampled"):
        load(4).new_initial_state().resample_from_infostate(0, chance.random)


@pytest.mark.parametrize("players", PLAYERS)
def test_both_engines_play_the_same_game(players: int) -> None:
    assert openspiel_lockstep(players, seed=players) > 200


def test_a_resampled_state_has_its_own_history() -> None:
    state = middle(4, 6, 70)
    other = state.resample_from_infostate(state.current_player(), random.Random(2).random)
    again = load(4).new_initial_state()
    for action in other.history():
        again.apply_action(action)
    assert str(again) == str(other)
    assert other.history() != state.history()
    assert finished(again, seed=4) == finished(other, seed=4)


@pytest.mark.parametrize("arguments", [{}, {"player": 1}, {"player": 3}])
def test_the_methods_of_a_state_agree_with_those_of_openspiel(arguments: dict[str, int]) -> None:
    """These methods are written in Python for speed; compare them with OpenSpiel's own."""
    seat = list(arguments.values())
    for at, state in enumerate(played(4, 17)):
        if at % 9 == 0 and not state.is_terminal() and (seat or not state.is_chance_node()):
            for name in (
                "legal_actions", "observation_tensor", "information_state_tensor",
                "observation_string", "information_state_string",
            ):  # fmt: skip
                theirs = getattr(pyspiel.State, name)(state, *seat)
                assert getattr(state, name)(*seat) == theirs, name
            assert state.is_chance_node() == pyspiel.State.is_chance_node(state)
    with pytest.raises(pyspiel.SpielError, match="no player 4"):
        state.observation_tensor(4)


def test_rl_environment_plays_a_game() -> None:
    from open_spiel.python import rl_environment  # noqa: PLC0415

    env = rl_environment.Environment(load(3), chance_event_sampler=None)
    step, chance = env.reset(), random.Random(1)
    while not step.last():
        seat = step.observations["current_player"]
        assert len(step.observations["info_state"][seat]) == 1593
        step = env.step([chance.choice(step.observations["legal_actions"][seat])])
    assert sum(step.rewards) == pytest.approx(1)


@pytest.mark.parametrize("engine", ["compiled", "readable"])
@pytest.mark.parametrize("policy", ["random", "sensible"])
def test_openspiels_ismcts_searches_with_compiled_rollouts(engine: str, policy: str) -> None:
    from open_spiel.python.algorithms import ismcts  # noqa: PLC0415

    game = load(4, "profit", engine)
    chance, state = random.Random(5), game.new_initial_state()
    while len(state.history()) < 40 or state.is_chance_node():
        state.apply_action(drawn(state, chance))
    chosen = set()
    for _ in range(2):
        evaluator = RolloutEvaluator(2, policy, seed=3)
        bot = ismcts.ISMCTSBot(game, evaluator, 1.0, 60, random_state=np.random.RandomState(1))
        before = str(state)
        found = dict(bot.get_policy(state))
        assert str(state) == before
        assert sum(found.values()) == pytest.approx(1)
        chosen.add(max(found, key=lambda number: found[number]))
    assert chosen <= set(state.legal_actions())


def test_rollouts_agree_with_openspiels_own() -> None:
    from open_spiel.python.algorithms import mcts  # noqa: PLC0415

    state = middle(3, 12, 200)
    ours = RolloutEvaluator(4000, seed=1).evaluate(state)
    theirs = mcts.RandomRolloutEvaluator(150, np.random.RandomState(1)).evaluate(state)
    assert ours.sum() == pytest.approx(1)
    assert np.abs(ours - theirs).max() < 0.15
    assert sum(share for _, share in RolloutEvaluator().prior(state)) == pytest.approx(1)
    dealing = load(3, "profit").new_initial_state()
    assert RolloutEvaluator(20).evaluate(dealing).sum() == pytest.approx(0)
    *_, ended = played(3, 3)
    assert RolloutEvaluator().evaluate(ended).tolist() == ended.returns()


def test_an_evaluator_refuses_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="no policy 'greedy'; there are random, sensible"):
        RolloutEvaluator(policy="greedy")
    with pytest.raises(ValueError, match="at least one rollout"):
        RolloutEvaluator(0)


@pytest.mark.parametrize("length", [7, 19, 70, 151])
def test_copies_continue_identically(length: int) -> None:
    *_, state = (state for state, _ in zip(played(4, 8), range(length), strict=False))
    copies = [
        state.clone(),
        copy.deepcopy(state),
        pickle.loads(pickle.dumps(state)),
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(load(4), state))[1],
    ]
    before = str(state)
    ended = finished(state.clone(), seed=9)
    for other in copies:
        assert str(other) == before
        assert other.history() == state.history()
        assert finished(other, seed=9) == ended
    assert str(state) == before


def finished(state: Any, seed: int) -> tuple[str, list[int], list[float]]:
    chance = random.Random(seed)
    while not state.is_terminal():
        state.apply_action(drawn(state, chance))
    return str(state), state.history(), state.returns()


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    state = middle(4, 10)
    before = str(state)
    for number in set(range(NUMBERS)) - set(state.legal_actions()):
        with pytest.raises(IllegalNumber):
            state.apply_action(number)
    assert str(state) == before
    assert state.history() == middle(4, 10).history()
    dealing = load(4).new_initial_state()
    for _ in range(2):
        dealing.apply_action(int(Card.C4))
    with pytest.raises(ValueError, match="no card C4"):
        dealing.apply_action(int(Card.C4))
    with pytest.raises(ValueError, match="25"):
        dealing.apply_action(25)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_slowest_bidding_stays_within_the_maximum_length(players: int) -> None:
    chance, state, decisions = random.Random(players), load(players).new_initial_state(), 0
    while not state.is_terminal():
        action = drawn(state, chance)
        if not state.is_chance_node():  # the smallest possible raise; pass only if there is none
            decisions += 1
            legal = state.legal_actions()
            cards = [number for number in legal if number < CONFIRM]
            if CONFIRM in legal:
                action = CONFIRM
            elif cards and (PASS in legal or action not in legal):
                action = min(cards, key=lambda number: Card(number).worth)
        state.apply_action(action)
    assert decisions <= max_decisions(SETUPS[players]) == state.get_game().max_game_length()


def test_the_example_and_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(ROOT / "examples" / "random_openspiel.py"), run_name="__main__")
    assert "seat 3" in capsys.readouterr().out
    page = (ROOT / "docs" / "openspiel.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "docs/openspiel.md", "exec"), {})  # the page's own examples


if __name__ == "__main__":
    KEPT.write_text(playthrough(), encoding="utf-8")
