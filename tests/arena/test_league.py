from __future__ import annotations

import io
import json
import logging
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing import active_children, get_context
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Timer
from time import sleep

import pytest

from byzanz.arena import (
    BadLedger,
    League,
    Ledger,
    OnFailure,
    PlayedDeal,
    game_seed,
    missing_deals,
    play_deal,
    play_deals,
    read_league,
    workers,
)
from byzanz.arena.standings import Tally
from byzanz.arena.workers import initialise, run_stoppable
from byzanz.bots import UnknownBot
from byzanz.notation import judge
from byzanz.rules import Deal
from tests.network.nets import random_weights

EXAMPLE = Path(__file__).parents[2] / "examples" / "line_bot.py"


def league(
    *bots: str, players: int = 3, seed: int = 7, rule: OnFailure = OnFailure.FORFEIT
) -> League:
    return League(players, seed, bots, rule)


class TestSeatings:
    def test_one_against_the_rest_sits_once_at_every_seat(self) -> None:
        for players in (3, 4, 5, 6):
            seatings = league("greedy", *["random"] * (players - 1), players=players).seatings
            assert sorted(seating.index(0) for seating in seatings) == list(range(players))
            assert all(Counter(seating) == {0: 1, 1: players - 1} for seating in seatings)

    def test_every_bot_sits_at_every_seat_equally_often(self) -> None:
        for players, bots in ((4, 3), (3, 4), (4, 4), (5, 2), (6, 3), (3, 5)):
            names = [f"random@{number + 1}it" for number in range(bots)]
            found = league(*names, players=players)
            counts = Counter(
                (seat, bot) for seating in found.seatings for seat, bot in enumerate(seating)
            )
            assert len(counts) == players * bots
            assert len(set(counts.values())) == 1, (players, bots)

    def test_as_many_bots_as_players_make_one_table(self) -> None:
        found = league("greedy", "random", "random", "greedy", players=4)
        assert found.tables == ((0, 0, 1, 1),)
        assert len(found.seatings) == 4

    def test_of_more_bots_than_players_every_combination_makes_a_table(self) -> None:
        found = league("greedy", "random", "greedy@1it", "random@1it")
        assert found.tables == ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
        assert len(found.seatings) == 12

    def test_fewer_bots_than_players_fill_every_table_in_all_combinations(self) -> None:
        assert league("greedy", "random", players=4).tables == (
            (0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1),
        )  # fmt: skip

    def test_redundant_rotations_are_left_out(self) -> None:
        found = league("greedy", "random", "greedy", "random", players=4)
        assert len(found.seatings) == len(set(found.seatings)) == 4


def test_a_league_needs_two_known_bots_and_three_to_six_players() -> None:
    with pytest.raises(ValueError, match="name two different ones"):
        league("greedy", "greedy", "greedy")
    with pytest.raises(ValueError, match="3 to 6 players"):
        league("greedy", "random", players=7)
    with pytest.raises(UnknownBot):
        league("greedy", "nobody")


def test_a_deal_is_played_with_the_same_cards_at_every_seating() -> None:
    found = league("greedy", "random")
    played = play_deal(found, 3, records=True)
    verdicts = list(judge(io.BytesIO(played.records.encode())))
    assert len(verdicts) == len(played.games) == len(found.seatings) == 6
    for verdict, game in zip(verdicts, played.games, strict=True):
        assert verdict.error is None
        assert verdict.record is not None
        assert verdict.record.deal == Deal.from_seed(3, game_seed(7, 3))
        assert verdict.record.game.result.profit == game.profit
        winners = [seat for seat, place in enumerate(game.places) if place == 1]
        assert tuple(winners) == verdict.record.game.result.winners
        assert verdict.record.extra["bots"] == [found.names[bot] for bot in game.bots]


def test_places_follow_profit() -> None:
    for game in play_deal(league("greedy", "random"), 1).games:
        for one, two in ((0, 1), (1, 2), (0, 2)):
            if game.profit[one] > game.profit[two]:
                assert game.places[one] < game.places[two]


def test_the_number_of_jobs_does_not_change_the_deals() -> None:
    found = league("greedy", "random", "random")
    alone = list(play_deals(found, range(5), records=True))
    together = list(play_deals(found, range(5), jobs=2, records=True))
    assert sorted(together, key=lambda played: played.number) == alone
    assert [play_deal(found, 4, records=True)] == alone[4:5]


def test_closing_the_iterator_stops_the_processes() -> None:
    def endless() -> Iterator[int]:
        number = 0
        while True:
            yield number
            number += 1

    played = play_deals(league("greedy", "random"), endless(), jobs=2)
    next(played)
    played.close()  # type: ignore[attr-defined]
    assert not active_children()


def test_two_leagues_at_once_do_not_share_processes() -> None:
    found = league("greedy", "random")
    one, other = (play_deals(found, range(12), jobs=2) for _ in range(2))
    next(one)
    next(other)
    one.close()  # type: ignore[attr-defined]
    assert len(list(other)) == 11


def test_workers_ignore_ctrl_c_even_while_they_start() -> None:
    with workers.worker_pool(1) as pool:
        asked = pool.submit(run_stoppable, max, 1, 2)
        (process,) = pool._processes.values()
        for _ in range(20):
            os.kill(process.pid, signal.SIGINT)
            sleep(0.05)
        assert asked.result(30) == 2


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_workers_end_with_their_parent(how: signal.Signals) -> None:
    playing = (
        "from itertools import count; from byzanz.arena import League, play_deals\n"
        "for played in play_deals(League(3, 7, ('greedy', 'random')), count(), jobs=2):\n"
        "    print(played.number, flush=True)"
    )
    with Popen([sys.executable, "-c", playing], stdout=PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(how)
        process.communicate(timeout=20)  # a worker that is left would hold the output open


def test_a_worker_that_ignores_sigterm_ends_with_its_parent() -> None:
    playing = (
        "from byzanz.arena.workers import worker_pool\n"
        "from tests.arena.test_league import ignore_sigterm\n"
        "with worker_pool(1) as pool:\n"
        "    pool.submit(ignore_sigterm).result()"
    )
    with Popen([sys.executable, "-c", playing], stdout=PIPE, cwd=EXAMPLE.parents[1]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        process.kill()
        process.communicate(timeout=20)


def ignore_sigterm() -> None:
    """Sleep; only SIGKILL ends this."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.write(1, b"ready\n")
    sleep(60)


def test_a_terminated_worker_ends_during_a_deal() -> None:
    process = get_context("spawn").Process(target=_terminated)
    process.start()
    process.join(30)
    assert process.exitcode == 1


def _terminated() -> None:
    """Play a deal like a pool, which catches all exceptions, and terminate this process."""
    initialise(logging.CRITICAL)
    Timer(0.5, os.kill, [os.getpid(), signal.SIGTERM]).start()
    sleeper = f"cmd:{sys.executable} -c 'import time; time.sleep(60)'"
    with suppress(BaseException):
        run_stoppable(play_deal, league("greedy", "greedy", sleeper), 0)


def test_faults_are_counted_by_bot() -> None:
    program = f"cmd:{sys.executable} -c pass"
    played = play_deal(league("greedy", "greedy", program, rule=OnFailure.FALLBACK), 0)
    assert set(played.faults) == {program}
    assert played.faults[program]["died"] == 12
    assert played.faults[program]["given-up"] > 12


def test_with_forfeit_a_bot_is_not_asked_again_after_its_first_failure(tmp_path: Path) -> None:
    """The program counts its starts in a file."""
    log = tmp_path / "starts"
    program = f'cmd:{sys.executable} -c \'open("{log}", "a").write("x")\''
    played = play_deal(league("random", "random", program), 0, records=True)
    assert played.faults == {program: {"died": 3}}
    assert log.read_text() == "xxx"
    assert [game.bots[game.failed[0]] for game in played.games] == [1, 1, 1]
    assert [len(game.failed) for game in played.games] == [1, 1, 1]
    again = play_deal(league("random", "random", program, rule=OnFailure.FALLBACK), 0, records=True)
    assert again.records == played.records  # the fallback finishes the game
    assert [game.failed for game in again.games] == [game.failed for game in played.games]


def test_a_program_plays_in_a_league_without_a_fault() -> None:
    assert play_deal(league("greedy", "greedy", f"cmd:{sys.executable} {EXAMPLE}"), 0).faults == {}


class TestLedger:
    def test_deals_are_read_back_from_the_file(self, tmp_path: Path) -> None:
        path, found = tmp_path / "results.jsonl", league("greedy", "random")
        deals = list(play_deals(found, range(3)))
        ledger = Ledger(path, found)
        ledger.add(deals[2])
        ledger.close()
        assert read_league(path) == found
        ledger = Ledger(path, found)
        assert list(ledger.deals()) == [deals[2]]
        assert list(missing_deals(3, {2})) == [0, 1]
        for played in (deals[0], deals[2], deals[1]):
            ledger.add(played)
        assert list(ledger.deals()) == [deals[2], deals[0], deals[1]]
        ledger.close()

    def test_deals_of_other_versions_are_not_mixed(self, tmp_path: Path) -> None:
        path, found = tmp_path / "results.jsonl", league("emperor", "greedy")
        Ledger(path, found).close()
        Ledger(path, found).close()
        header = json.loads(path.read_text())
        assert header["made"].keys() == {"byzanz", "emperor"}
        header["made"]["emperor"] = "0" * 16
        path.write_text(json.dumps(header) + "\n")
        with pytest.raises(BadLedger, match="other versions"):
            Ledger(path, found)

    def test_deals_of_different_weights_in_one_file_are_not_mixed(self, tmp_path: Path) -> None:
        file, path = tmp_path / "mine.npz", tmp_path / "results.jsonl"
        random_weights().save(file)
        found = league(f"net:{file}", "greedy")
        Ledger(path, found).close()
        Ledger(path, found).close()
        random_weights(seed=2).save(file)
        with pytest.raises(BadLedger, match="other versions"):
            Ledger(path, found)

    def test_faults_are_stored(self, tmp_path: Path) -> None:
        found = league("greedy", "random")
        games = play_deal(found, 0).games
        ledger = Ledger(tmp_path / "r", found)
        ledger.add(PlayedDeal(0, games, {"greedy": {"late": 2}}))
        (again,) = ledger.deals()
        assert again.faults == {"greedy": {"late": 2}}
        ledger.close()

    def test_failed_seats_and_the_rule_for_them_are_stored(self, tmp_path: Path) -> None:
        path = tmp_path / "r"
        program = f"cmd:{sys.executable} -c pass"
        for rule in OnFailure:
            found = league("greedy", "random", program, rule=rule)
            played = play_deal(found, 0)
            ledger = Ledger(path, found)
            ledger.add(played)
            assert list(ledger.deals()) == [played]
            assert played.games[0].failed
            ledger.close()
            assert read_league(path) == found
            path.unlink()

    def test_a_file_without_a_rule_was_played_with_fallback(self, tmp_path: Path) -> None:
        """Files of earlier versions have neither the rule nor the seats that failed."""
        path, found = tmp_path / "r", league("greedy", "random", rule=OnFailure.FALLBACK)
        games = [
            {"bots": seating, "profit": [3, 2, 1], "places": [1, 2, 3]}
            for seating in found.seatings
        ]
        header = {"type": "arena", "format": "byzanz-arena/1", "players": 3, "seed": 7,
                  "bots": ["greedy", "random"]}  # fmt: skip
        line = {"type": "deal", "deal": 4, "games": games, "faults": {"greedy": {"late": 9}}}
        path.write_text(f"{json.dumps(header)}\n{json.dumps(line)}\n")
        assert read_league(path) == found
        ledger = Ledger(path, found)
        (played,) = ledger.deals()
        assert (played.number, played.faults) == (4, {"greedy": {"late": 9}})
        ledger.close()
        tally = Tally(found)
        tally.count(played)
        assert [one.bot for one in tally.standings().bots] == ["random", "greedy"]
        assert tally.standings().bots[1].rating is None
        with pytest.raises(BadLedger, match="another arena"):
            Ledger(path, league("greedy", "random"))

    def test_deals_of_different_python_files_are_not_mixed(self, tmp_path: Path) -> None:
        code, path = tmp_path / "mine.py", tmp_path / "r"
        code.write_text("from byzanz.bots.greedy import GreedyBot as Mine\n")
        found = league(f"py:{code}:Mine", "greedy")
        Ledger(path, found).close()
        Ledger(path, found).close()
        code.write_text("from byzanz.bots.novice import NoviceBot as Mine\n")
        with pytest.raises(BadLedger, match="other versions"):
            Ledger(path, found)

    def test_an_incomplete_last_line_is_dropped(self, tmp_path: Path) -> None:
        path, found = tmp_path / "results.jsonl", league("greedy", "random")
        ledger = Ledger(path, found)
        for played in play_deals(found, range(2)):
            ledger.add(played)
        ledger.close()
        whole = path.read_bytes()
        path.write_bytes(whole[:-20])
        ledger = Ledger(path, found)
        assert [played.number for played in ledger.deals()] == [0]
        ledger.add(play_deal(found, 1))
        ledger.close()
        assert path.read_bytes() == whole

    def test_another_league_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "results.jsonl"
        Ledger(path, league("greedy", "random")).close()
        for other in (
            league("greedy", "random", players=4),
            league("greedy", "random", seed=8),
            league("random", "greedy"),
        ):
            with pytest.raises(BadLedger, match="another arena"):
                Ledger(path, other)

    def test_a_file_that_is_not_a_ledger_is_not_changed(self, tmp_path: Path) -> None:
        path = tmp_path / "diary"
        for text in ("Dear diary\n", '{"type":"game"}\n', "[]\n", '{"type":"arena","format":1}\n'):
            path.write_text(text)
            with pytest.raises(BadLedger, match="is not the file of an arena"):
                Ledger(path, league("greedy", "random"))
            assert path.read_text() == text

    @pytest.mark.parametrize(
        "change",
        [
            {"games": []},
            {"deal": "x"},
            {"games": [{"bots": [0, 0, 1], "profit": [1, 2, 3], "places": [1, 2, 9]}] * 6},
            {"failed": True},
        ],
    )
    def test_a_line_that_is_not_a_deal_is_reported(
        self, tmp_path: Path, change: dict[str, object]
    ) -> None:
        path, found = tmp_path / "results.jsonl", league("greedy", "random")
        ledger = Ledger(path, found)
        ledger.add(play_deal(found, 0))
        ledger.close()
        header, line = path.read_text().splitlines()
        changed = json.loads(line) | change
        if "failed" in change:
            changed["games"][0]["failed"] = [3]
        path.write_text(f"{header}\n{line}\n{json.dumps(changed)}\n")
        ledger = Ledger(path, found)
        with pytest.raises(BadLedger, match="line 3: this is not a deal"):
            list(ledger.deals())
        ledger.close()
