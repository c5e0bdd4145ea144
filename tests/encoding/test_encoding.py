from __future__ import annotations

import numpy as np
import pytest

from byzanz.encoding import (
    FEATURES,
    NUMBERS,
    PIECES,
    SETS,
    IllegalNumber,
    Moment,
    action_of,
    features,
    numbers_of,
    piece_of,
    scales,
)
from byzanz.rules import Bid, Card, Chance, Deal, Done, Pass, Phase, Sell, apply, options, view
from tests.random_games import other_world, random_game
from tests.rules.positions import cards, player, position, table


def test_every_number_means_one_thing() -> None:
    assert NUMBERS == 289
    for number in range(NUMBERS):
        action = action_of(number)
        if action is not None:
            assert numbers_of(action) == (number,)
        else:
            assert number <= 24
    assert action_of(25) == Pass()
    assert action_of(83) == Done()
    assert action_of(288) == Sell((Card.M,) * 3)
    for number in (-1, 289):
        with pytest.raises(ValueError, match="action numbers are 0 to 288"):
            action_of(number)


def test_a_bid_is_its_cards_in_face_order_and_a_confirmation() -> None:
    assert numbers_of(Bid((Card.S2, Card.C1))) == (0, 13, 24)


def test_there_are_205_sets_of_which_six_cannot_occur() -> None:
    assert len(SETS) == len(set(SETS)) == 205
    assert sum(len(set(cards)) == 1 and cards[0].worth == 4 for cards in SETS) == 6


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_legal_bid_is_reached_in_exactly_one_way(players: int) -> None:
    for number, game in enumerate(random_game(players, 4)):
        if game.state.phase is not Phase.AUCTION or number % 3:
            continue
        reached: list[tuple[Card, ...]] = []
        _bids_from(Moment(game.state), reached)
        seat = game.state.turn
        assert seat is not None
        assert sorted(reached) == sorted(options(game.state, seat).bids)


def _bids_from(moment: Moment, reached: list[tuple[Card, ...]]) -> None:
    legal = moment.legal()
    assert legal
    for number in legal:
        if number < 24:
            _bids_from(moment.play(number), reached)
        elif number == 24:
            reached.append(moment.laid)


def test_once_a_card_is_laid_only_adding_and_confirming_are_legal() -> None:
    moment = Moment(table(4, ["C1 C1 C4 M"], deck="G1 G1 G1 G1 G1"))
    assert set(moment.legal()) == {0, 3, 25, *numbers_of(Sell(cards("C1 C1 C4"))),
                                   *numbers_of(Sell(cards("C1 C1 M"))),
                                   *numbers_of(Sell(cards("C1 C4 M")))}  # fmt: skip
    laid = moment.play(0)
    assert laid.legal() == (0, 3, 24)
    assert laid.state is moment.state
    assert laid.play(3).legal() == (24,)
    assert laid.play(3).play(24).state == apply(moment.state, 0, Bid(cards("C1 C4")))


def test_an_illegal_number_is_refused() -> None:
    moment = Moment(table(4))
    with pytest.raises(IllegalNumber, match="number 83 is not legal here"):
        moment.play(83)
    over = position(Phase.OVER, None, *[player("C1", done=True)] * 3)
    assert Moment(over).legal() == ()
    assert not Moment(over).mask().any()


def test_masks_are_the_legal_numbers() -> None:
    moment = Moment.start(Deal.from_seed(5, 8))
    chance = Chance(1)
    while moment.state.turn is not None:
        assert tuple(np.flatnonzero(moment.mask())) == moment.legal()
        moment = moment.play(chance.choice(moment.legal()))


def test_pieces_cover_a_row_without_gaps() -> None:
    end = 0
    for name, piece in PIECES.items():
        assert piece.name == name
        assert piece.start == end
        assert piece.meaning
        end += piece.size
    assert end == FEATURES == 729
    assert scales().shape == (FEATURES,)
    assert scales().min() > 0


def test_seats_are_relative_and_empty_slots_are_zero() -> None:
    state = position(
        Phase.AUCTION,
        2,
        player("C1 M", bid="G3", kept="W4"),
        player("O1", hidden="O1", passed=True),
        player("S2", hidden="S2"),
        player("T1", card=5),
        market="W1",
    )
    row = features(view(state, 2), ())
    assert piece_of(row, "turn").tolist() == [1, 0, 0, 0, 0, 0]
    assert piece_of(row, "offer_card")[1].tolist() == [0, 0, 0, 0, 1, 0]
    assert piece_of(row, "passed").tolist() == [0, 0, 0, 1, 0, 0]
    assert piece_of(row, "worth").tolist() == [0, 0, 3, 0, 0, 0]
    assert piece_of(row, "profit").tolist() == [0, 0, 4, 0, 0, 0]
    assert piece_of(row, "known")[2].tolist() == [1, *[0] * 23, 1]
    assert piece_of(row, "unknown").tolist() == [1, 0, 0, 1, 0, 0]
    assert piece_of(row, "hand")[Card.S2] == 1
    assert piece_of(row, "highest")[0] == 3
    assert piece_of(row, "market")[Card.W1] == 1
    assert piece_of(row, "known")[4:].sum() == 0


def test_laid_cards_are_not_in_the_hand() -> None:
    state = table(4, ["C1 C1 C4 M"])
    row = features(view(state, 0), (Card.C1,))
    assert piece_of(row, "hand")[Card.C1] == 1
    assert piece_of(row, "laid")[Card.C1] == 1
    assert piece_of(row, "hidden")[Card.C1] == 2


def test_a_spectator_has_no_features() -> None:
    with pytest.raises(ValueError, match="relative to a seat"):
        features(view(table(3), None))


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_features_are_the_same_in_two_worlds(players: int) -> None:
    for number, game in enumerate(random_game(players, 6)):
        if number % 11 == 0:
            for seat in range(players):
                other = other_world(game, seat, number)
                assert (features(other.view(seat)) == features(game.view(seat))).all()
