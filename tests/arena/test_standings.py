from __future__ import annotations

import json
import math
import sys
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from byzanz.arena import League, Outcome, PlayedDeal, play_deals
from byzanz.arena.charts import standings_chart
from byzanz.arena.ratings import MEAN, ratings
from byzanz.arena.standings import Tally

ONE = League(3, 1, ("greedy", "random", "random"))


def deal(number: int, *places: tuple[int, int, int]) -> PlayedDeal:
    """Return a deal of league ONE with these places; profits are 30, 20 and 10."""
    games = [
        Outcome(bots, tuple(40 - 10 * place for place in placed), placed)
        for bots, placed in zip(ONE.seatings, places, strict=True)
    ]
    return PlayedDeal(number, tuple(games))


WON = deal(0, (1, 2, 3), (3, 2, 1), (2, 1, 3))
"""The first bot wins all three: it sits at 0, 2 and 1."""
LOST = deal(1, (3, 2, 1), (1, 2, 3), (2, 3, 1))
SHARED = deal(2, (1, 1, 3), (3, 2, 1), (2, 1, 3))


class TestRatings:
    def test_four_hundred_points_are_odds_of_ten_to_one(self) -> None:
        found = ratings(np.array([[0.0, 10000.0], [1000.0, 0.0]]))
        assert found[0] - found[1] == pytest.approx(400, abs=1)
        assert found.mean() == pytest.approx(MEAN)

    def test_ratings_are_recovered_from_their_win_probabilities(self) -> None:
        true = np.array([0.0, 120.0, 250.0, 600.0])
        chances = 1 / (1 + 10 ** ((true[None, :] - true[:, None]) / 400))
        found = ratings(1e6 * chances * (1 - np.eye(4)))
        assert found - found[0] == pytest.approx(true, abs=0.5)

    def test_a_bot_that_never_lost_has_a_finite_rating(self) -> None:
        found = ratings(np.array([[0.0, 10.0, 10.0], [0.0, 0.0, 5.0], [0.0, 5.0, 0.0]]))
        assert np.isfinite(found).all()
        assert found[0] > found[1] == pytest.approx(found[2])

    def test_matrices_may_be_stacked(self) -> None:
        one, two = np.array([[0.0, 3.0], [1.0, 0.0]]), np.array([[0.0, 1.0], [5.0, 0.0]])
        assert ratings(np.stack([one, two])) == pytest.approx(
            np.stack([ratings(one), ratings(two)]), abs=1e-3
        )


class TestStandings:
    def test_shares_profits_and_places_are_means_per_seat_played(self) -> None:
        tally = Tally(ONE)
        tally.count(WON)
        tally.count(LOST)
        greedy, random = tally.standings().bots
        assert (greedy.bot, greedy.games, random.games) == ("greedy", 6, 12)
        assert greedy.wins.value == pytest.approx(3 / 6)
        assert greedy.profit.value == pytest.approx((3 * 30 + 3 * 10) / 6)
        assert greedy.places == pytest.approx((0.5, 0, 0.5))
        assert random.wins.value == pytest.approx(3 / 12)
        assert greedy.above == {"random": pytest.approx(0.5)}
        assert greedy.rating.value == pytest.approx(random.rating.value)

    def test_a_shared_win_is_split(self) -> None:
        tally = Tally(ONE)
        tally.count(SHARED)
        greedy, random = tally.standings().bots
        assert greedy.wins.value == pytest.approx(2.5 / 3)
        assert random.wins.value == pytest.approx(0.5 / 6)
        assert greedy.places == pytest.approx((2.5 / 3, 0.5 / 3, 0))
        assert greedy.above == {"random": pytest.approx(5.5 / 6)}

    def test_intervals_take_deals_as_the_unit(self) -> None:
        """Three equal games of one deal count no more than one game."""
        tally = Tally(ONE)
        for number in range(100):
            source = WON if number % 2 else LOST
            tally.count(PlayedDeal(number, source.games))
        wins = tally.standings().bots[0].wins
        assert wins.low is not None
        assert wins.high is not None
        half = 1.96 * math.sqrt(0.25 / 100)
        assert wins.high - wins.low == pytest.approx(2 * half, rel=0.15)

    def test_an_interval_needs_two_deals_and_standings_one(self) -> None:
        tally = Tally(ONE)
        with pytest.raises(ValueError, match="no deal"):
            tally.standings()
        tally.count(WON)
        assert tally.standings().bots[0].wins.low is None

    def test_order_and_repetition_of_deals_do_not_matter(self) -> None:
        one, two = Tally(ONE), Tally(ONE)
        for played in (WON, LOST, SHARED):
            one.count(played)
        for played in (SHARED, WON, SHARED, LOST, WON):
            two.count(played)
        assert one.standings() == two.standings()
        assert one.played == {0, 1, 2}

    def test_the_better_bot_has_the_better_standing(self) -> None:
        league = League(3, 5, ("random", "greedy", "random"))
        tally = Tally(league)
        for played in play_deals(league, range(8)):
            tally.count(played)
        standings = tally.standings()
        best = standings.bots[0]
        assert best.bot == "greedy"
        assert best.wins.low is not None
        assert best.wins.low > standings.fair
        assert best.rating.value > MEAN

    def test_standings_can_be_written_as_json(self) -> None:
        tally = Tally(ONE)
        tally.count(WON)
        tally.count(PlayedDeal(1, LOST.games, {"greedy": {"late": 3}}))
        data = json.loads(json.dumps(tally.standings().data()))
        assert data["league"] == {"players": 3, "seed": 1, "bots": ["greedy", "random", "random"]}
        assert (data["deals"], data["games"], data["fair"]) == (2, 6, pytest.approx(1 / 3))
        assert data["bots"][0]["faults"] == {"late": 3}
        assert set(data["bots"][0]["wins"]) == {"value", "low", "high"}


def test_the_chart_names_every_bot_and_shows_its_figures() -> None:
    program = f"cmd:{sys.executable} -c '<&>' --and --many --arguments"
    league = League(3, 1, ("greedy", program, program))
    tally = Tally(league)
    tally.count(WON)
    tally.count(LOST)
    picture = ET.fromstring(standings_chart(tally.standings()))
    texts = ["".join(part.itertext()) for part in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert any(text.endswith("greedy") for text in texts)
    assert any(text.startswith(program) for text in texts)
    assert {"50.0%", "Rating", "Share of the win", "Places"} <= set(texts)
    one = Tally(league)
    one.count(WON)
    ET.fromstring(standings_chart(one.standings()))
