from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from byzanz.arena import (
    BadLedger,
    Cross,
    League,
    Ledger,
    OnFailure,
    play_deal,
    play_deals,
    play_leagues,
    read_cross,
)
from byzanz.arena.charts import matrix_chart
from byzanz.arena.charts.matrix import LEGEND_STEPS, ink_on, share_at, share_colour
from byzanz.arena.charts.svg import printable
from byzanz.arena.matrix import CrossTally, Matrix
from byzanz.arena.standings import Tally
from byzanz.bots import UnknownBot

BOTS = ("random", "novice", "greedy")
CROSS = Cross(3, 7, BOTS)
SVG = "{http://www.w3.org/2000/svg}"


def played(cross: Cross, asked: Iterable[tuple[League, int]]) -> Matrix:
    tally = CrossTally(cross)
    for league, deal in play_leagues(asked):
        tally.count(league, deal)
    return tally.matrix()


@pytest.fixture(scope="module")
def matrix() -> Matrix:
    return played(CROSS, CrossTally(CROSS).missing(2))


def texts(svg: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(svg).iter(f"{SVG}text")]


class TestCross:
    def test_every_bot_plays_alone_against_every_other(self) -> None:
        for players in (3, 4, 5, 6):
            leagues = Cross(players, 7, BOTS).leagues
            assert len(leagues) == len({league.names for league in leagues}) == 6
            for league in leagues:
                alone, others = league.names
                assert league == League(players, 7, (alone, *[others] * (players - 1)))
                assert len(league.seatings) == players

    def test_it_needs_different_known_bots(self) -> None:
        with pytest.raises(ValueError, match="name two different ones"):
            Cross(3, 7, ("greedy",))
        with pytest.raises(ValueError, match="name 'greedy' once"):
            Cross(3, 7, ("greedy", "random", "greedy"))
        with pytest.raises(ValueError, match="3 to 6 players"):
            Cross(7, 7, BOTS)
        with pytest.raises(UnknownBot):
            Cross(3, 7, ("greedy", "nobody"))

    def test_file_names_are_safe_and_different_for_any_bot_names(self) -> None:
        odd = ("../../x", "../../y", "'a\nb' \0", "é" * 300, "CON", "a/b:d*?'<>|'", "\udc80")
        programs = [f"cmd:sh {end}" for end in odd]
        cross = Cross(3, 7, ("greedy", "greedy@1it", *programs))
        names = [cross.file(league) for league in cross.leagues]
        assert len({name.lower() for name in names}) == len(names) == 9 * 8
        for name in names:
            assert re.fullmatch(r"[0-9]{2}-[0-9]{2}-[\w.@-]+\.jsonl", name, re.ASCII), name
            assert len(name) < 100


class TestFolder:
    def keep(self, folder: Path, cross: Cross) -> None:
        for league in cross.leagues:
            Ledger(folder / cross.file(league), league).close()

    def test_a_cross_is_read_from_its_files_with_its_bots_in_order(self, tmp_path: Path) -> None:
        assert read_cross(tmp_path) is None
        assert read_cross(tmp_path / "nowhere") is None
        names = tuple(f"random@{number}it" for number in range(12, 0, -1))
        for number, bots in enumerate((BOTS, BOTS[::-1], names)):
            folder = tmp_path / str(number)
            folder.mkdir()
            cross = Cross(4, 8, bots, list(OnFailure)[number % 2])
            self.keep(folder, cross)
            assert read_cross(folder) == cross

    def test_a_file_that_does_not_belong_to_the_others_is_named(self, tmp_path: Path) -> None:
        self.keep(tmp_path, CROSS)
        stray = tmp_path / "results.jsonl"
        Ledger(stray, CROSS.leagues[0]).close()
        with pytest.raises(BadLedger, match=r"results\.jsonl does not belong"):
            read_cross(tmp_path)
        stray.write_text("Dear diary\n")
        with pytest.raises(BadLedger, match="is not the file of an arena"):
            read_cross(tmp_path)
        with pytest.raises(BadLedger, match="is not a folder"):
            read_cross(stray)


class TestMatrix:
    def test_a_cell_is_the_win_share_of_the_single_bot(self, matrix: Matrix) -> None:
        assert [(cell.alone, cell.others) for cell in matrix.cells] == [
            league.names for league in CROSS.leagues
        ]
        for league, cell in zip(CROSS.leagues, matrix.cells, strict=True):
            tally = Tally(league)
            for deal in play_deals(league, range(2)):
                tally.count(deal)
            (wins,) = [one.wins for one in tally.standings().bots if one.bot == cell.alone]
            assert (cell.deals, cell.games, cell.wins) == (2, 6, wins)
            assert wins.low is not None
            assert wins.high is not None
            assert cell.half == pytest.approx((wins.high - wins.low) / 2)
            assert matrix.cell(*league.names) == cell
        assert matrix.cell("greedy", "greedy") is None

    def test_every_pair_has_its_first_deal_before_any_has_its_second(self) -> None:
        tally = CrossTally(CROSS)
        first, last = CROSS.leagues[0], CROSS.leagues[-1]
        tally.count(last, play_deal(last, 0))
        tally.count(last, play_deal(last, 5))
        asked = list(tally.missing(2))
        assert [number for _, number in asked] == [0] * 5 + [1] * 6
        assert (last, 0) not in asked
        assert asked[0] == (first, 0)
        assert (tally.played, tally.total(2), tally.total(6)) == (2, 13, 36)

    def test_the_number_of_jobs_does_not_change_the_matrix(self, matrix: Matrix) -> None:
        tally = CrossTally(CROSS)
        for league, deal in play_leagues(tally.missing(2), jobs=2):
            tally.count(league, deal)
        assert tally.matrix() == matrix

    def test_the_title_says_how_much_was_played(self, matrix: Matrix) -> None:
        assert matrix.title == "3 players, 2 deals a pair in duplicate, 36 games"
        one = played(CROSS, CrossTally(CROSS).missing(1))
        assert one.title == "3 players, 1 deal a pair in duplicate, 18 games"
        few = played(CROSS, list(CrossTally(CROSS).missing(1))[:2])
        assert few.title == "3 players, 0 to 1 deals a pair in duplicate, 6 games"

    def test_an_interval_needs_two_deals_and_a_matrix_one(self) -> None:
        few = played(CROSS, [(CROSS.leagues[0], 0)])
        assert [cell.half for cell in few.cells] == [None]
        with pytest.raises(ValueError, match="no deal"):
            CrossTally(CROSS).matrix()

    def test_its_data_can_be_written_as_json(self, matrix: Matrix) -> None:
        data = json.loads(json.dumps(matrix.data()))
        cross = {"players": 3, "seed": 7, "bots": list(BOTS), "on_failure": "forfeit"}
        assert data["cross"] == cross
        assert data["fair"] == pytest.approx(1 / 3)
        assert set(data["cells"][0]) == {
            "alone", "others", "deals", "games", "wins", "half", "failed",
        }  # fmt: skip
        assert data["intervals"]["wins"].startswith("Korn-Graubard")
        assert data["faults"] == {bot: {} for bot in BOTS}

    def test_faults_are_counted_by_bot_over_all_pairs(self) -> None:
        program = f"cmd:{sys.executable} -c pass"
        cross = Cross(3, 7, ("greedy", program), OnFailure.FALLBACK)
        found = played(cross, CrossTally(cross).missing(1))
        assert found.faults["greedy"] == {}
        assert found.faults[program]["died"] == (1 + 2) * 3 * 4  # four starts a game and seat

    def test_a_bot_that_fails_wins_nothing_and_its_cells_are_marked(self) -> None:
        program = f"cmd:{sys.executable} -c pass"
        cross = Cross(3, 7, ("random", program, "greedy"))
        found = played(cross, CrossTally(cross).missing(1))
        assert found.faults[program] == {"died": 2 * 3 + 2 * 2 * 3}  # once a game and seat
        for cell in found.cells:
            assert cell.failed == ((program,) if program in (cell.alone, cell.others) else ())
            if program in (cell.alone, cell.others):
                assert cell.wins.value == (cell.others == program)
        figures = texts(matrix_chart(found))
        assert figures.count("0.0*") == figures.count("100.0*") == 2


class TestChart:
    def test_it_has_every_figure(self, matrix: Matrix) -> None:
        found = texts(matrix_chart(matrix))
        assert found[0] == matrix.title
        for cell in matrix.cells:
            assert cell.wins.low is not None
            assert cell.wins.high is not None
            interval = f"{100 * cell.wins.low:.1f} to {100 * cell.wins.high:.1f}"
            figures = [f"{100 * cell.wins.value:.1f}", interval]
            assert figures in [found[at : at + 2] for at in range(len(found))]
        assert found.count("33.3") >= 3
        assert {"0.0 %", "fair: 33.3 %", "100.0 %"} <= set(found)

    def test_every_cell_has_a_tooltip_with_its_pair(self, matrix: Matrix) -> None:
        picture = ET.fromstring(matrix_chart(matrix))
        assert (picture.findtext(f"{SVG}title") or "").endswith(matrix.title)
        told = [group.findtext(f"{SVG}title") or "" for group in picture.iter(f"{SVG}g")]
        assert [text.split(":")[0] for text in told] == [
            f"{alone} among {others}" for alone in BOTS for others in BOTS
        ]
        assert sum(text.endswith(") in 2 deals") for text in told) == 6
        assert sum("not played" in text for text in told) == 3

    def test_pairs_that_have_not_played_are_empty(self) -> None:
        svg = matrix_chart(played(CROSS, [(CROSS.leagues[0], 0)]))
        assert svg.count("not played yet") == 5
        assert " in 1 deal<" in svg
        assert texts(svg).count("33.3") == 3

    def test_any_bot_name_can_be_drawn(self) -> None:
        program = f"cmd:{sys.executable} -c '<&>\1' --and --many --arguments"
        cross = Cross(3, 7, ("greedy", program))
        svg = matrix_chart(played(cross, [(cross.leagues[0], 0)]))
        ET.fromstring(svg.encode())
        assert "&lt;&amp;&gt;\N{REPLACEMENT CHARACTER}" in svg
        assert printable("\udc80") == "\N{REPLACEMENT CHARACTER}"  # an unpaired surrogate

    @pytest.mark.parametrize("players", [3, 4, 5, 6])
    def test_figures_have_enough_contrast_on_every_colour(self, players: int) -> None:
        steps = 4 * LEGEND_STEPS
        shares = [share_at(step / steps, 1 / players) for step in range(steps + 1)]
        assert shares == sorted(shares)
        assert shares[0] == 0
        assert shares[steps // 2] == pytest.approx(1 / players)
        assert shares[-1] == pytest.approx(1)
        for share in shares:
            back = share_colour(share, 1 / players)
            ink = (0.0, 0.0, 0.0) if ink_on(back) == "#000" else (255.0, 255.0, 255.0)
            one, two = sorted((light(back), light(ink)))
            assert (two + 0.05) / (one + 0.05) >= 4.5, share


def light(colour: tuple[float, float, float]) -> float:
    """Return the relative luminance (WCAG 2)."""
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in colour)
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
