"""Programs that speak the line protocol, well or badly."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from copy import deepcopy
from pathlib import Path
from threading import Thread

import pytest

from byzanz.arena import play_match
from byzanz.bots import Bot, BotFailed, BotFault, GuardedBot, make_bot
from byzanz.bots.external.process import BotProcess
from byzanz.bots.external.protocol import MAX_STARTS
from byzanz.notation import view_data
from byzanz.rules import Chance, Deal, Game, Pass, branch
from tests.bots.programs import guarded, played_with, program

EXAMPLE = Path(__file__).parents[2] / "examples" / "line_bot.py"
PLAYS = 'for line in sys.stdin: answer(action=safe(json.loads(line)["legal"]))'


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{process}/stat").read_text().split(")")[1].split()[0] != "Z"


def gone(process: int) -> bool:
    """Return whether a process ends within two seconds."""
    for _ in range(40):
        if not alive(process):
            return True
        time.sleep(0.05)
    return False


def test_the_example_plays_without_a_fault() -> None:
    bot = guarded([sys.executable, str(EXAMPLE)], seconds=5)
    game = played_with(bot, players=4)
    assert game.over
    assert not bot.faults
    assert any(play.seat == 0 and play.action != Pass() for play in game.plays)


def test_the_example_is_short_and_needs_only_the_standard_library() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 40
    assert [line for line in text.splitlines() if line.startswith(("import", "from"))] == [
        "import json",
        "import sys",
    ]


def test_a_program_that_plays_is_started_once_and_ends_with_its_game(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    bot = guarded(program(f"open({str(file)!r}, 'a').write(f'{{os.getpid()}} ')\n" + PLAYS))
    assert played_with(bot).over
    assert not bot.faults
    (process,) = map(int, file.read_text().split())
    assert gone(process)


@pytest.mark.parametrize(
    ("code", "faults"),
    [
        ("for line in sys.stdin: print('what?', flush=True)", {BotFault.MALFORMED}),
        ("for line in sys.stdin: print('{}', flush=True)", {BotFault.MALFORMED}),
        ("for line in sys.stdin: answer(action=7)", {BotFault.MALFORMED}),
        ("for line in sys.stdin: answer(action='fly')", {BotFault.MALFORMED}),
        ("for line in sys.stdin: print('[' * 10000, flush=True)", {BotFault.MALFORMED}),
        ("sys.stdin.readline(); os.write(1, bytes([255, 10])); sys.stdin.read()",
         {BotFault.MALFORMED}),
        ("for line in sys.stdin: answer(action='bid M')", {BotFault.ILLEGAL}),
        ("for line in sys.stdin: answer(error='I am lost')", {BotFault.RAISED}),
        ("sys.exit(3)", {BotFault.DIED}),
        ("sys.stdin.readline(); os.kill(os.getpid(), 9)", {BotFault.DIED}),
        ("while True: print('x' * 1000)", {BotFault.MALFORMED, BotFault.DIED}),
        ("while True: sys.stdout.write('x' * 1000)", {BotFault.MALFORMED}),
    ],
)  # fmt: skip
def test_the_game_goes_on_whatever_a_program_does(code: str, faults: set[BotFault]) -> None:
    bot = guarded(program(code), seconds=20)
    assert played_with(bot).over
    assert bot.faults.total() >= 10
    assert set(bot.faults) <= faults | {BotFault.GIVEN_UP}


@pytest.mark.parametrize(
    "code",
    [
        "time.sleep(3600)",
        "for line in sys.stdin: time.sleep(3600)",
        "sys.stdin.readline(); sys.stdout.write('{'); sys.stdout.flush(); time.sleep(3600)",
        "while True: pass",
    ],
)
def test_the_game_goes_on_when_a_program_sleeps_forever(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("byzanz.bots.external.protocol.GRACE_SECONDS", 0.2)
    bot = guarded(program(code), seconds=0.05)
    assert played_with(bot).over
    assert bot.faults[BotFault.LATE] == 4
    assert set(bot.faults) == {BotFault.LATE, BotFault.GIVEN_UP}


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps limits on memory")
def test_the_game_goes_on_when_a_program_allocates_without_end() -> None:
    code = "hoard = []\nwhile True: hoard.append(bytearray(1 << 22))"
    bot = guarded(program(code), seconds=60, memory=1 << 27)
    assert played_with(bot).over
    assert bot.faults[BotFault.DIED] == 4
    assert set(bot.faults) == {BotFault.DIED, BotFault.GIVEN_UP}


def test_a_program_that_does_not_answer_the_first_line_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("byzanz.bots.external.protocol.START_SECONDS", 0.2)
    for code in ("import time; time.sleep(3600)", "print('hello', flush=True)", "raise SystemExit"):
        bot = guarded(program(code, greets=False))
        assert played_with(bot).over
        assert bot.faults[BotFault.GIVEN_UP] >= 10
        assert bot.faults.total() - bot.faults[BotFault.GIVEN_UP] == 4


def test_a_missing_program_does_not_stop_the_game() -> None:
    bot = guarded(["/no/such/program"])
    assert played_with(bot).over
    assert bot.faults[BotFault.DIED] == 4


def test_a_program_is_started_again_after_a_failure(tmp_path: Path) -> None:
    """The program ends at its second decision, and plays well after its second start."""
    mark = tmp_path / "mark"
    code = f"""
import pathlib
again = pathlib.Path({str(mark)!r})
first = not again.exists()
again.touch()
for number, line in enumerate(sys.stdin):
    if first and number: sys.exit()
    answer(action=safe(json.loads(line)["legal"]))
"""
    bot = guarded(program(code))
    assert played_with(bot).over
    assert bot.faults == {BotFault.DIED: 1}


def test_a_choice_returns_by_the_deadline_and_the_late_program_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "pids"
    code = f"""
import subprocess
inner = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
open({str(file)!r}, "w").write(f"{{os.getpid()}} {{inner.pid}}")
time.sleep(3600)
"""
    bot = guarded(program(code), seconds=0.2)
    seen = Game.start(Deal.from_seed(3, 1)).view(0)
    began = time.monotonic()
    assert bot.choose(seen) == Pass()
    assert time.monotonic() - began < 10
    assert bot.faults == {BotFault.LATE: 1}
    assert all(gone(int(process)) for process in file.read_text().split())


def test_a_program_that_does_not_read_does_not_block_the_caller() -> None:
    """The question is larger than the pipe's buffer."""
    process = BotProcess([sys.executable, "-c", "import time; time.sleep(3600)"])
    with pytest.raises(BotFailed, match="late: no answer"):
        process.ask(b"x" * (1 << 20) + b"\n", 0.1)
    process.kill()
    process.kill()


def test_a_program_that_answers_without_reading_fails() -> None:
    code = "import time\nwhile True: print('{}', flush=True); time.sleep(0.1)"
    process = BotProcess([sys.executable, "-c", code])

    def ask_on() -> None:
        for _ in range(100):
            process.ask(b"x" * (1 << 20) + b"\n", 20)

    with pytest.raises(BotFailed, match="malformed"):
        ask_on()
    process.kill()


def test_a_process_ends_when_it_is_garbage_collected(tmp_path: Path) -> None:
    process = BotProcess(
        program("sys.stdin.readline(); answer(process=os.getpid()); time.sleep(3600)")
    )
    process.ask(b"hello\n", 10)
    number = json.loads(process.ask(b"who?\n", 10))["process"]
    assert alive(number)
    del process
    gc.collect()
    assert gone(number)


def test_closing_ends_a_choice_in_progress() -> None:
    bot = guarded(program("time.sleep(3600)"), seconds=30)
    seen = Game.start(Deal.from_seed(3, 1)).view(0)
    chosen: list[object] = []
    thread = Thread(target=lambda: chosen.append(bot.choose(seen)))
    thread.start()
    time.sleep(0.5)
    bot.close()
    thread.join(5)
    assert chosen == [Pass()]
    assert bot.choose(seen) == Pass()
    bot.close()


def test_a_copied_bot_starts_a_program_of_its_own() -> None:
    bot = guarded(program(PLAYS), seconds=20)
    seen = Game.start(Deal.from_seed(3, 1)).view(0)
    assert bot.choose(seen) == Pass()
    for _ in range(MAX_STARTS + 1):
        bot, original = deepcopy(bot), bot
        original.close()
        assert bot.choose(seen) == Pass()
    bot.close()
    assert not bot.faults


def test_a_program_does_not_get_the_servers_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BYZANZ_SECRET", "sesame")
    monkeypatch.setenv("OTHER", "thing")
    code = (
        "for line in sys.stdin: answer(error=os.environ.get('BYZANZ_SECRET', os.environ['OTHER']))"
    )
    bot = guarded(program(code))
    with pytest.raises(Exception, match="raised: thing"):
        bot.bot.choose(Game.start(Deal.from_seed(3, 1)).view(0))
    bot.close()


def test_standard_error_is_logged_up_to_a_limit(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("DEBUG", logger="byzanz.bots.external.process")
    code = "sys.stderr.write('oh dear\\n' + ('x' * 99 + '\\n') * 3000)\n"
    bot = guarded(program(code + PLAYS), seconds=20)
    assert played_with(bot).over
    assert not bot.faults
    assert caplog.messages[0] == "oh dear"
    assert 600 < len(caplog.messages) < 700


def test_questions_have_the_keys_of_the_protocol(tmp_path: Path) -> None:
    file = tmp_path / "heard"
    code = f"""
import json, sys
heard = open({str(file)!r}, "w")
for line in sys.stdin:
    heard.write(line)
    heard.flush()
    asked = json.loads(line)
    print(json.dumps({{"sales": True, "course": True}} if asked["type"] == "hello" else
          {{"action": safe(asked["legal"]) if asked["type"] == "choose" else None}}), flush=True)
"""
    bot = guarded(program(code, greets=False), seed=5)
    assert not bot.interrupts
    game = played_with(bot)
    assert bot.interrupts
    assert not bot.faults
    hello, *asked = map(json.loads, file.read_text().splitlines())
    assert hello == {
        "type": "hello",
        "protocol": "byzanz-bot/1",
        "players": 3,
        "seat": 0,
        "seed": Chance(5).word() >> 11,
        "budget": {"seconds": 0.3},
        "given": True,
    }
    first = view_data(Game.start(game.deal).view(0), course=True)
    assert asked[0] == {
        "type": "choose",
        "legal": first.pop("legal"),
        "view": first,
        "budget": {"seconds": 0.3},
    }
    assert {question["type"] for question in asked} == {"choose", "sale"}


class TestPythonBotsInProcesses:
    def test_a_built_in_bot_plays_the_same_in_another_process(self) -> None:
        """Bots from entry points run in ``python -m byzanz.bots``."""
        seed = Chance(branch(9, 0)).word() >> 11
        here: list[Bot] = [GuardedBot(_random(seed), "here")]
        there: list[Bot] = [
            guarded([sys.executable, "-m", "byzanz.bots", "random"], seconds=5, seed=branch(9, 0))
        ]
        games = []
        for bots in (here, there):
            bots += [make_bot("greedy", 1), make_bot("greedy", 2)]
            games.append(play_match(Deal.from_seed(3, 9), bots))
            bots[0].close()
        # Sales out of turn are offered to the process only after its first answer.
        assert games[0].plays[:20] == games[1].plays[:20]
        assert all(not bot.faults for bot in (here[0], there[0]) if isinstance(bot, GuardedBot))

    def test_a_bot_from_an_entry_point_plays(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        install(tmp_path, monkeypatch)
        bot = make_bot("elsewhere@2s", 3)
        game = played_with(bot)
        assert game.over
        assert not bot.faults

    def test_a_bot_from_an_entry_point_knows_whether_a_budget_was_given(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        install(tmp_path, monkeypatch)
        bot = make_bot("hasty", 3)
        assert played_with(bot).over
        assert not bot.faults
        bot = make_bot("hasty@2s", 3)
        assert played_with(bot).over
        assert set(bot.faults) == {BotFault.RAISED}

    def test_a_bot_from_an_entry_point_may_raise_or_print(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        install(tmp_path, monkeypatch)
        bot = make_bot("raising", 3)
        assert played_with(bot).over
        assert set(bot.faults) == {BotFault.RAISED}
        bot = make_bot("nobot", 3)
        assert played_with(bot).over
        assert bot.faults[BotFault.DIED] == 4

    def test_an_unknown_bot_is_refused(self) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "byzanz.bots", "deep"],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        assert done.stderr.startswith("there is no bot 'deep'; there are random")

    @pytest.mark.parametrize(
        ("names", "line", "told"),
        [([], "", "expected the name of a bot"), (["greedy"], "nonsense\n", "JSON")],
    )
    def test_a_mistake_is_reported_in_one_line(
        self, names: list[str], line: str, told: str
    ) -> None:
        done = subprocess.run(
            [sys.executable, "-m", "byzanz.bots", *names],
            input=line, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        assert told in done.stderr
        assert len(done.stderr.splitlines()) == 1


def _random(seed: int) -> Bot:
    return make_bot("random", seed).bot


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package with bots, for this process and its children."""
    (folder / "brought.py").write_text(
        "from byzanz.bots import Bot\n"
        "class Quiet(Bot):\n"
        "    def choose(self, view):\n"
        "        print('I think')\n"
        "        assert view.course\n"
        "        return next(iter(view.options))\n"
        "class Hasty(Bot):\n"
        "    def __init__(self, chance, budget=None):\n"
        "        super().__init__(chance, budget)\n"
        "        self.given = budget\n"
        "    def choose(self, view):\n"
        "        assert self.given is None\n"
        "        return next(iter(view.options))\n"
        "class Raising(Bot):\n"
        "    def choose(self, view):\n"
        "        raise ValueError('no')\n",
        encoding="utf-8",
    )
    info = folder / "brought-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: brought\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[byzanz.bots]\nelsewhere = brought:Quiet\nhasty = brought:Hasty\n"
        "raising = brought:Raising\nnobot = json:dumps\nrandom = brought:Quiet\n"
    )
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
