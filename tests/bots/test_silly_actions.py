"""Levels do not play what looks silly: they keep their sets, and pay no more than they must."""

from __future__ import annotations

import pytest

from byzanz.bots.own_hand import own_hand_action
from byzanz.bots.silly_actions import looks_silly
from byzanz.notation import parse_action, parse_view, write_action

GIVING = (
    "view/1 seat=3 phase=give turn=3 start=0 stack=2345 takers=- offer=G2G2T1T2W2 market=O1O2 "
    "seats=C1+?3:-:out:-/-+?4:-:out:-/G1S1+?2:-:out:-/-+W2W2:-:in:- deck=?79 removed=?12 gone=-"
)
TAKING = (
    "view/1 seat=2 phase=market turn=2 start=2 stack=- takers=2310 offer=- market=C1G1G2O1O2S1T2 "
    "seats=T1W2W3M+?3:-:5:-/T2T4W1+?3:-:4:-/O3+O1:-:2:C3/T2M+?3:-:3:- "
    "deck=?70 removed=?12 gone=C1C1"
)
BIDDING = (
    "view/1 seat=2 phase=auction turn=2 start=1 stack=234 takers=- offer=O1T2T3W2 market=C1O1 "
    "seats=C3W3W4M+?3:-:5:-/-+?3:W1:in:-/-+O1T1T2W2:-:in:-/-+?4:-:in:- deck=?75 removed=?12 gone=-"
)
WITH_A_SET = (
    "view/1 seat=2 phase=auction turn=2 start=0 stack=234 takers=- offer=O1T3T4W3 market=O1O3T3 "
    "seats=G4W2M+?0:W2:in:C3T3T4M/C1C3O2S1W2M+?0:-:out:G2G3W3W4/C1C2G2G3G3+-:-:in:S3S3T2M/"
    "C2S1MM+?1:-:5:O3O4O4S4W3 deck=?19 removed=?12 "
    "gone=C1C1C3G1G1G1G1G2O1O1O1O2O2O2S1S2S2S2S3S4T1T1T1T2T2T2W1W1W1W1MMMMMMM"
)
WITH_A_FOUR = (
    "view/1 seat=0 phase=auction turn=0 start=0 stack=23 takers=- offer=S1W1M market=G1O1O2W1 "
    "seats=G1G1O1O2S2S2W4+-:-:in:G2G3/C1T3T4MM+?1:-:in:O4S4/T1T2W1W1+?2:-:5:S2T2W3M/"
    "C1C2C2C2T2+?0:-:4:G3O2O3S3 deck=?30 removed=?12 "
    "gone=C2G1G2G2G2O1O1O2O3S1S1S1S2S2T1T1T1T1W1W1MMMMMMM"
)
LAST_TAKE = (
    "view/1 seat=1 phase=market turn=1 start=2 stack=- takers=130 offer=- market=C2O2S1W3 "
    "seats=S1S1S3T3W2W2+?0:-:5:C3C4O3T4W3M/O2M+M:-:3:G4T3T4W3M/"
    "G3G3G3S2S3+?0:-:2:C2C3C3G1G4O3T3/S1S1S2S2S4T1T2+?0:-:4:G2O4O4S4W4M deck=?0 removed=?12 "
    "gone=C1C1C1C1C1C1C2C4G1G1G1G1G1G2G2G2G2O1O1O1O1O1O2O2O2S1S2S2T1T1T1T1T1T2T2T2W1W1W1W1W2W2W4"
    "MMMMMMMM"
)


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        pytest.param(GIVING, {"give T1"}, id="keeps the third card of a good"),
        pytest.param(TAKING, {"take O"}, id="takes what completes a set"),
        pytest.param(BIDDING, {"bid W2", "pass"}, id="bids no card too many"),
        pytest.param(WITH_A_SET, {"bid C1 C2", "pass"}, id="does not pay with a set"),
        pytest.param(WITH_A_FOUR, {"bid G1", "bid O1", "pass"}, id="does not open with a 4"),
        pytest.param(LAST_TAKE, {"take W"}, id="earns the most at the end"),
    ],
)
def test_looking_at_its_own_cards_a_level_keeps_and_completes_sets(
    position: str, expected: set[str]
) -> None:
    view = parse_view(position)
    chosen = {write_action(own_hand_action(view, chance)) for chance in range(20)}
    assert chosen <= expected
    assert chosen != {"pass"}


@pytest.mark.parametrize(
    ("position", "silly", "fine"),
    [
        (GIVING, "give W2", "give T1"),
        (BIDDING, "bid O1 W2", "bid W2"),
        (WITH_A_SET, "bid G3", "bid C1 C2"),
        (LAST_TAKE, "take O", "take W"),
        (LAST_TAKE, "take C", "take W"),
    ],
)
def test_what_looks_silly(position: str, silly: str, fine: str) -> None:
    view = parse_view(position)
    assert looks_silly(view, parse_action(silly))
    assert not looks_silly(view, parse_action(fine))


def test_discarding_a_four_looks_silly_if_a_single_low_card_is_held() -> None:
    view = parse_view(
        "view/1 seat=3 phase=limit turn=3 start=0 stack=234 takers=- offer=- market=O1 "
        "seats=C1+?3:-:in:-/-+?4:-:in:-/G1S1+?2:-:in:-/C1C3G1T4W4+S2W2W1:-:5:- "
        "deck=?79 removed=?12 gone=-"
    )
    assert looks_silly(view, parse_action("discard T4"))
    assert looks_silly(view, parse_action("discard W4"))
    assert not looks_silly(view, parse_action("discard G1"))
