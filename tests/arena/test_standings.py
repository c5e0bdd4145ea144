from __future__ import annotations

import json
import math
import sys
from io import StringIO
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from rich.console import Console

from byzanz.arena import League, OnFailure, Outcome, PlayedDeal, play_deals
from byzanz.arena.charts import standings_chart
from byzanz.arena.ratings import MEAN, rating_margins, ratings
from byzanz.arena.standings import Standings, Tally
from byzanz.terminal.standings import show_standings

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
        found = ratings(np.array([[0.0, 10000.0], [1000.0, 0.0]]), 11000)
        assert found[0] - found[1] == pytest.approx(400, abs=1)
        assert found.mean() == pytest.approx(MEAN)

    def test_ratings_are_recovered_from_their_win_probabilities(self) -> None:
        true = np.array([0.0, 120.0, 250.0, 600.0])
        chances = 1 / (1 + 10 ** ((true[None, :] - true[:, None]) / 400))
        found = ratings(1e6 * chances * (1 - np.eye(4)), 1000000)
        assert found - found[0] == pytest.approx(true, abs=0.5)

    def test_a_bot_that_never_lost_has_a_finite_rating(self) -> None:
        found = ratings(np.array([[0.0, 10.0, 10.0], [0.0, 0.0, 5.0], [0.0, 5.0, 0.0]]), 10)
        assert np.isfinite(found).all()
        assert found[0] > found[1] == pytest.approx(found[2])

    @pytest.mark.parametrize("deals", [3, 15, 100])
    def test_intervals_contain_the_true_ratings(self, deals: int) -> None:
        """Places from exponential times follow the Bradley-Terry model for each pair."""
        rng = np.random.default_rng(deals)
        strengths = np.array([0.0, 1.0, 2.5])
        true = MEAN + 400 / math.log(10) * (strengths - strengths.mean())
        hits = []
        for _ in range(100):
            times = rng.exponential(size=(deals, 6, 3)) / np.exp(strengths)
            above = (times[..., :, None] < times[..., None, :]).sum(axis=1).astype(float)
            found = ratings(above.sum(axis=0), deals)
            hits.append(np.abs(found - true) <= rating_margins(above, found, 0.95))
        assert np.mean(hits) > 0.91

    def test_a_bot_that_won_every_deal_has_a_wide_interval(self) -> None:
        above = np.tile([[0.0, 4.0], [0.0, 0.0]], (3, 1, 1))
        found = ratings(above.sum(axis=0), 3)
        assert rating_margins(above, found, 0.95)[0] > 200


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
        assert greedy.rating is not None
        assert random.rating is not None
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
        assert best.rating is not None
        assert best.rating.value > MEAN

    def test_standings_can_be_written_as_json(self) -> None:
        tally = Tally(ONE)
        tally.count(WON)
        tally.count(PlayedDeal(1, LOST.games, {"greedy": {"late": 3}}))
        data = json.loads(json.dumps(tally.standings().data()))
        assert data["league"] == {
            "players": 3,
            "seed": 1,
            "bots": ["greedy", "random", "random"],
            "on_failure": "forfeit",
        }
        assert (data["deals"], data["games"], data["fair"]) == (2, 6, pytest.approx(1 / 3))
        assert data["bots"][1]["faults"] == {"late": 3}
        assert data["bots"][1]["rating"] is None
        assert set(data["bots"][0]["wins"]) == {"value", "low", "high"}
        assert set(data["intervals"]) == {"wins", "differences", "profit", "rating"}
        (pair,) = data["differences"]
        assert (pair["bot"], pair["other"]) == ("random", "greedy")
        assert pair["wins"]["value"] == pytest.approx(1 / 4 - 1 / 2)

    def test_three_deals_do_not_make_a_certain_result(self) -> None:
        tally = Tally(ONE)
        for number in range(3):
            tally.count(PlayedDeal(number, WON.games))
        greedy, random = tally.standings().bots
        assert (greedy.wins.value, greedy.wins.high) == (1, 1)
        assert greedy.wins.low is not None
        assert 0.2 < greedy.wins.low < 0.4
        assert (random.wins.value, random.wins.low) == (0, 0)
        assert random.wins.high is not None
        assert 0 < random.wins.high < 1 / 2  # one of its two seats can win a game
        assert greedy.profit.low is None  # the same profit in all deals

    def test_differences_are_paired_by_deal(self) -> None:
        """If one bot is always a little better, the pairs show it although the deals vary."""
        league = League(3, 1, ("greedy", "random", "novice"))
        one, two = (2, 1, 3), (1, 2, 3)
        tally = Tally(league)
        for number in range(60):
            games = [
                Outcome(bots, (0, 0, 0), tuple(placed[bot] for bot in bots))
                for bots, placed in zip(league.seatings, (one, one, two), strict=True)
            ]
            tally.count(PlayedDeal(number, tuple(games)))
        pair = tally.standings().differences[0]
        assert (pair.bot, pair.other) == ("random", "greedy")
        assert pair.wins.value == pytest.approx(1 / 3)
        assert pair.wins.low is not None
        assert pair.wins.low > 0.1


class TestFailures:
    FAILED = PlayedDeal(
        0,
        tuple(Outcome(g.bots, g.profit, g.places, (g.bots.index(0),)) for g in WON.games),
        {"greedy": {"malformed": 3}},
    )

    def standings(self, rule: OnFailure) -> Standings:
        tally = Tally(League(ONE.players, ONE.seed, ONE.bots, rule))
        tally.count(self.FAILED)
        return tally.standings()

    def test_a_bot_that_fails_is_not_credited_with_the_wins_of_the_safe_actions(self) -> None:
        random, greedy = self.standings(OnFailure.FORFEIT).bots
        assert (greedy.bot, greedy.failed, greedy.faults) == ("greedy", 3, {"malformed": 3})
        assert (greedy.wins.value, greedy.profit.value, greedy.places) == (0, 0, (0, 0, 1))
        assert random.wins.value == pytest.approx(1 / 2)
        assert random.above == {"greedy": 1}

    def test_with_fallback_the_safe_actions_count(self) -> None:
        random, greedy = self.standings(OnFailure.FALLBACK).bots
        assert (greedy.wins.value, greedy.profit.value, greedy.failed) == (1, 30, 3)
        assert random.wins.value == 0

    @pytest.mark.parametrize("rule", OnFailure)
    def test_its_rating_is_left_out_and_its_row_is_marked(self, rule: OnFailure) -> None:
        standings = self.standings(rule)
        assert [one.rating for one in standings.bots] == [None, None]
        picture = standings_chart(standings)
        assert "greedy</title>greedy*</text>" in picture
        assert "random</title>random</text>" in picture
        assert "*: failed, not rated" in picture
        console = Console(file=StringIO(), width=120)
        show_standings(console, standings)
        said = console.file.getvalue()  # type: ignore[attr-defined]
        assert "greedy*" in said
        assert "not rated" in said
        assert "* greedy failed: malformed 3." in said

    def test_the_other_bots_are_rated_by_their_games_with_each_other(self) -> None:
        league = League(3, 1, ("greedy", "random", "novice"))
        games = [
            Outcome(bots, (9, 9, 9), tuple(1 + bot for bot in bots), (bots.index(0),))
            for bots in league.seatings
        ]
        tally = Tally(league)
        for number in range(5):
            tally.count(PlayedDeal(number, tuple(games), {"greedy": {"late": 1}}))
        random, novice, greedy = tally.standings().bots
        assert greedy.rating is None
        assert random.rating is not None
        assert novice.rating is not None
        assert random.rating.value + novice.rating.value == pytest.approx(2 * MEAN)
        assert random.rating.value > novice.rating.value

    def test_a_bot_that_failed_is_never_declared_better(self) -> None:
        for faults, declared in (({}, "greedy"), ({"greedy": {"late": 1}}, None)):
            tally = Tally(ONE)
            for number in range(20):
                tally.count(PlayedDeal(number, WON.games, faults if number == 7 else {}))
            assert tally.decided(20) == declared


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
    assert {"50.0%", "Rating", "Share of the win, %", "Places, % of games"} <= set(texts)
    one = Tally(league)
    one.count(WON)
    ET.fromstring(standings_chart(one.standings()))
