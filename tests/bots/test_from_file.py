"""``py:FILE.py:CLASS``: a bot in a plain file, which runs in a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from byzanz.bots import BotFault, Budget, LineBot, UnknownBot, check_bot, load_bot, make_bot
from byzanz.rules import Deal, Game
from tests.bots.programs import played_with

CODE = """
from byzanz.bots import Bot
from neighbour import first

class Miser(Bot):
    interrupts = True

    def choose(self, view):
        print("I think")
        return first(view.options)

class Lazy(Bot):
    pass

class Raising(Bot):
    def choose(self, view):
        raise ValueError("no idea")

class Other:
    pass

number = 3
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(CODE)
    (tmp_path / "neighbour.py").write_text("def first(options):\n    return next(iter(options))\n")
    return tmp_path


def test_a_class_in_a_file_plays_a_whole_game(folder: Path) -> None:
    bot = make_bot(f"py:{folder / 'mine.py'}:Miser@2s", 1)
    assert isinstance(bot.bot, LineBot)
    assert bot.budget == Budget(seconds=2)
    assert played_with(bot).over
    assert not bot.faults
    assert bot.interrupts


def test_the_path_may_be_relative(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    check_bot("py:mine.py:Miser")
    bot = make_bot("py:mine.py:Miser", 1)
    monkeypatch.chdir("/")
    seen = Game.start(Deal.from_seed(4, 1)).view(0)
    assert bot.choose(seen) == next(iter(seen.options))
    assert not bot.faults
    bot.close()


def test_a_bot_that_raises_is_counted(folder: Path) -> None:
    bot = make_bot(f"py:{folder / 'mine.py'}:Raising", 1)
    bot.choose(Game.start(Deal.from_seed(4, 1)).view(0))
    assert bot.faults == {BotFault.RAISED: 1}
    bot.close()


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        ("none.py:Miser", "there is no file '.*none.py'; expected py:FILE.py:CLASS"),
        ("mine.py:Misr", "'.*mine.py' has no class 'Misr'; it has Miser, Lazy, Raising$"),
        ("mine.py:Other", "'Other' in '.*mine.py' is not a subclass of byzanz.bots.Bot"),
        ("mine.py:number", "'number' in '.*mine.py' is not a subclass of byzanz.bots.Bot"),
        ("mine.py:Lazy", r"'Lazy' in '.*mine.py' has no method choose\(view\)"),
        ("broken.py:A", "'.*broken.py' is not valid Python: line 2: "),
        ("raising.py:A", "cannot load '.*raising.py': it raised ZeroDivisionError: "),
        ("ending.py:A", "cannot load '.*ending.py': died: its process ended"),
        ("empty.py:A", "'.*empty.py' has no class 'A'; it has no subclass of byzanz.bots.Bot"),
        ("text:A", "'.*text' is not a Python file; its name must end in .py"),
    ],
)
def test_errors_say_what_was_expected(folder: Path, bot: str, said: str) -> None:
    (folder / "broken.py").write_text("x = 1\nclass A(:\n")
    (folder / "raising.py").write_text("1 / 0\n")
    (folder / "ending.py").write_text("raise SystemExit\n")
    (folder / "empty.py").write_text("")
    (folder / "text").write_text("")
    with pytest.raises(UnknownBot, match=said):
        check_bot(f"py:{folder / bot}")


def test_a_corrected_file_is_read_again(folder: Path) -> None:
    file = folder / "mine.py"
    with pytest.raises(UnknownBot):
        check_bot(f"py:{file}:Second")
    file.write_text(CODE + "\nclass Second(Miser):\n    pass\n")
    check_bot(f"py:{file}:Second")


def test_only_another_process_executes_the_file(folder: Path) -> None:
    (folder / "mine.py").write_text(CODE + "\nimport sys\nsys.modules['loaded_here'] = sys\n")
    make_bot(f"py:{folder / 'mine.py'}:Miser", 1).close()
    assert "loaded_here" not in sys.modules


def test_it_can_be_tried_by_hand(folder: Path) -> None:
    command = [sys.executable, "-m", "byzanz.bots"]
    missing = subprocess.run(
        [*command, f"py:{folder / 'mine.py'}:None"], capture_output=True, text=True, check=False
    )
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "has no class 'None'" in missing.stderr
    unnamed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "expected the name of a bot" in unnamed.stderr
    assert load_bot("greedy").__name__ == "GreedyBot"
