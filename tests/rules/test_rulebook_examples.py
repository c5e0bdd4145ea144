"""X1 to X4: the examples of the rulebooks."""

from __future__ import annotations

import pytest

from byzanz.rules import Phase, options, profit

from .positions import but, cards, gone, play, player, position, table


def test_x1_four_players_set_up() -> None:
    state = table(4)
    assert state.stack == (2, 3, 4, 5)
    assert state.stack[-1] == 5
    assert len(state.removed) == 12
    assert len(state.offer) == 5


def test_x2_the_winner_pays_and_gives_wood_1() -> None:
    hands = ["C1 S2 W1 T4", "C2 C2 C3 M", "G2 G2 G2 M", "O1 O1 O1 M"]
    before = table(4, hands, deck="T1 G3 O3 C2 G1")
    state = play(before, "0 bid C1 S2 W1", "1 pass", "2 pass", "3 pass")
    assert state.market == cards("C1 S2 W1")
    state = play(state, "0 give T1")
    assert state.market == cards("C1 S2 T1 W1")
    assert state.players[0] == player("C2 G1 G3 O3 T4", hidden="T4", card=5)


def test_x2_the_bid_is_worth_4() -> None:
    hands = ["C1 S2 W1 T4", "C2 C2 C3 M", "G2 G2 G2 M", "O1 O1 O1 M"]
    state = play(table(4, hands, deck="T1 G3 O3 C2 G1"), "0 bid C1 S2 W1")
    assert state.highest == 4


def test_x3_four_players_take_from_the_market() -> None:
    before = position(
        Phase.MARKET,
        1,
        player("O1", card=5),
        player("O2", card=2),
        player("O3", card=4),
        player("O4", card=3),
        market="C1 C2 C3 G1 G2 S1 S2 T1 T2 T3 W1 M",
        takers=(1, 3, 2, 0),
        deck="W2 W2 W2 W2 W2",
    )
    state = play(before, "1 take T", "3 take S", "2 take M", "0 take C")
    assert state == but(
        before,
        {
            0: player("C1 C2 C3 O1"),
            1: player("O2 T1 T2 T3"),
            2: player("O3 M"),
            3: player("O4 S1 S2"),
        },
        phase=Phase.AUCTION,
        turn=1,
        starter=1,
        stack=(2, 3, 4, 5),
        takers=(),
        market=(),
        offer=cards("W2 W2 W2 W2 W2"),
        deck=before.deck[5:],
        gone=gone(before, "G1 G2 W1"),
    )


@pytest.mark.parametrize(
    ("sold", "stays", "earned"),
    [
        ("C1 C1 C4", "C4", 4),
        ("G3 G4 M", "G4", 4),
        ("S2 M M", "S2", 2),
        ("M M M", "M", 5),
    ],
)
def test_x4_what_a_sold_set_keeps(sold: str, stays: str, earned: int) -> None:
    before = position(Phase.AUCTION, 1, player(f"{sold}"), player(), player())
    state = play(before, f"0 sell {sold}")
    assert state.players[0] == player(kept=stays)
    assert profit(state.players[0].kept) == earned
    assert len(options(before, 0).sales) == 1
