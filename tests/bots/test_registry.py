from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from byzanz.bots import (
    BOTS,
    Bot,
    Budget,
    LineBot,
    MalformedSpec,
    Spec,
    UnknownBot,
    check_bot,
    installed_bots,
    load_bot,
    make_bot,
    split_bots,
)
from byzanz.network import Network
from byzanz.rules import Deal, Game
from tests.bots.test_external_protocol import install
from tests.network.nets import random_weights


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("trader", Spec("trader")),
        ("strategist@2s", Spec("strategist", budget=Budget(seconds=2))),
        ("strategist@0.25s", Spec("strategist", budget=Budget(seconds=0.25))),
        ("strategist@800it", Spec("strategist", budget=Budget(iterations=800))),
        ("cmd:./mybot", Spec("", ("./mybot",))),
        (
            "cmd:./mybot --fast 'a, b'@3s",
            Spec("", ("./mybot", "--fast", "a, b"), Budget(seconds=3)),
        ),
        ("cmd:./my@home", Spec("", ("./my@home",))),
        ("cmd:'./my@2s'", Spec("", ("./my@2s",))),
        ("net:strong/weights.npz", Spec("", network="strong/weights.npz")),
        ("net:w.npz@1s", Spec("", budget=Budget(seconds=1), network="w.npz")),
        ("net:'a, b@2s'", Spec("", network="a, b@2s")),
        ("py:mine.py:Mine", Spec("", file="mine.py", class_name="Mine")),
        (
            "py:'a, b@2s.py':Mine@3s",
            Spec("", budget=Budget(seconds=3), file="a, b@2s.py", class_name="Mine"),
        ),
        ("py:C:\\bots\\mine.py:Mine", Spec("", file="C:\\bots\\mine.py", class_name="Mine")),
        ("my-bot.v2", Spec("my-bot.v2")),
    ],
)
def test_a_spec_is_a_name_a_program_a_network_or_a_class_with_an_optional_budget(
    text: str, spec: Spec
) -> None:
    assert Spec.parse(text) == spec


@pytest.mark.parametrize(
    "text",
    ["", "@2s", "trader@", "trader@2", "trader@2m", "trader@0s", "trader@0it", "trader@-1s",
     "trader trader", "cmd:", "cmd: ", "cmd:'./x", "cmd:@2s", "net:", "net:''", "net:@2s",
     "2trader", "trader@1e9s", "py:", "py:mine.py", "py::Mine", "py:mine.py:", "py:mine.py:a b"],
)  # fmt: skip
def test_other_texts_are_malformed(text: str) -> None:
    with pytest.raises(MalformedSpec, match="cannot read the bot"):
        Spec.parse(text)
    with pytest.raises(UnknownBot):
        check_bot(text)


@pytest.mark.parametrize(
    ("text", "bots"),
    [
        ("trader", ["trader"]),
        ("a,b@2s,c", ["a", "b@2s", "c"]),
        ("a*3,b", ["a", "a", "a", "b"]),
        ("strategist@2s*2", ["strategist@2s", "strategist@2s"]),
        ("a,cmd:./x --n 1,b", ["a", "cmd:./x --n 1", "b"]),
        ("cmd:./x '1,2' \"3,*4\",b", ["cmd:./x '1,2' \"3,*4\"", "b"]),
        ("cmd:./x '2*3'", ["cmd:./x '2*3'"]),
        ("py:'a,b.py':Mine*2", ["py:'a,b.py':Mine"] * 2),
        ("net:w.npz*2,net:'a,b'", ["net:w.npz", "net:w.npz", "net:'a,b'"]),
        ("", [""]),
        ("a,,b", ["a", "", "b"]),
        ("a,", ["a", ""]),
        (",a", ["", "a"]),
        ("a*0", []),
    ],
)
def test_commas_separate_bots_and_a_star_repeats_one(text: str, bots: list[str]) -> None:
    assert list(split_bots(text)) == bots


def test_a_bot_gets_the_budget_of_its_spec() -> None:
    assert make_bot("greedy@2s", 1).budget == Budget(seconds=2)
    assert make_bot("greedy", 1).budget == Budget(seconds=0.5)
    assert make_bot("greedy@7it", 1).bot.budget == Budget(iterations=7)


def test_every_built_in_bot_has_a_docstring_of_its_own() -> None:
    for name in BOTS:
        kind = load_bot(name)
        assert issubclass(kind, Bot)
        assert kind.__doc__
        assert kind.__doc__ != Bot.__doc__


def test_a_missing_program_is_an_unknown_bot() -> None:
    with pytest.raises(UnknownBot, match=r"there is no program '\./no-such-bot'"):
        check_bot("cmd:./no-such-bot --fast")
    bot = make_bot(f"cmd:{sys.executable} -c pass", 1)
    assert isinstance(bot.bot, LineBot)


def test_a_network_plays_from_its_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.npz"
    random_weights().save(file)
    game = Game.start(Deal.from_seed(4, 6))
    bot = make_bot(f"net:{file}", 1)
    assert bot.choose(game.view(0)) == Network.load(file).choose(game.view(0))
    assert make_bot(f"net:{file}@7it", 1).budget == Budget(iterations=7)
    others = [random_weights(seed=seed) for seed in range(2, 12)]
    assert any(Network(each).choose(game.view(0)) != bot.choose(game.view(0)) for each in others)
    for each in others:  # learnt further, and saved there
        each.save(file)
        again = make_bot(f"net:{file}", 1)
        assert again.choose(game.view(0)) == Network(each).choose(game.view(0))


def test_a_file_that_holds_no_network_is_an_unknown_bot(tmp_path: Path) -> None:
    with pytest.raises(UnknownBot, match=r"cannot read the network '.*none': No such file"):
        check_bot(f"net:{tmp_path / 'none'}")
    with pytest.raises(UnknownBot, match="cannot read the network"):
        make_bot(f"net:{tmp_path}", 1)
    (tmp_path / "text").write_text("no network")
    with pytest.raises(UnknownBot, match="is not a weights file"):
        check_bot(f"net:{tmp_path / 'text'}")


def test_packages_register_bots_by_entry_points(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "elsewhere" not in installed_bots()
    install(tmp_path, monkeypatch)
    assert installed_bots() == ("elsewhere", "hasty", "nobot", "raising")
    check_bot("elsewhere@2s")
    assert load_bot("elsewhere").__name__ == "Quiet"
    assert load_bot("random").__name__ == "RandomBot"
    with pytest.raises(UnknownBot, match=r"there is no bot 'other'; there are random, .*elsewhere"):
        check_bot("other")
    with pytest.raises(UnknownBot) as unknown:
        check_bot("other")
    assert str(unknown.value).count("trader") == 1
    with pytest.raises(UnknownBot, match="is not a subclass of Bot"):
        load_bot("nobot")
    assert isinstance(make_bot("elsewhere", 1).bot, LineBot)


def test_listing_bots_imports_no_compiled_code() -> None:
    code = (
        "import sys, byzanz.bots, byzanz.arena; byzanz.bots.check_bot('greedy');"
        "sys.exit(any(name in sys.modules for name in ('numba', 'numpy', 'byzanz.bots.greedy')))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
