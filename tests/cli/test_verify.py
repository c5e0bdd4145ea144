"""``byzanz verify``."""

from __future__ import annotations

import pytest

from byzanz.bots import make_bot
from byzanz.notation import write_record
from byzanz.rules import Game, commitment, proven_deal

from .command import RECORD, byzanz

SECRET, MINE = "5e" * 32, "0a" * 16
NONCES = (f"player:{MINE}", "server:" + "0b" * 16, None)
PROOF = {"commitment": commitment(SECRET), "secret": SECRET, "nonces": list(NONCES)}


def _record(**proof: object) -> str:
    game, bot = Game.start(proven_deal(SECRET, NONCES)), make_bot("greedy", 1)
    while not game.over:
        seat = game.state.waiting_for[0]
        game = game.play(seat, bot.choose(game.view(seat)))
    return write_record(game, ["Ann", "Ben", "greedy"], {"proof": {**PROOF, **proof}})


@pytest.fixture(scope="module")
def proven() -> str:
    return _record()


def test_a_proven_deal_is_confirmed_and_a_drawn_number_named(proven: str) -> None:
    options = ("--commitment", PROOF["commitment"], "--nonce", MINE)
    for arguments in ((), map(str, options)):
        done = byzanz("verify", *arguments, stdin=proven)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == (
            "game 1: The deal is proven: it follows from the server's secret and the players' "
            "numbers.\n  The server drew the number of seat 1 (Ben), who sent none.\n"
        )


def test_each_failure_has_its_sentence(proven: str) -> None:
    assert "[no-proof]" in byzanz("verify", stdin=RECORD).stdout
    done = byzanz("verify", stdin=_record(secret="0" * 64) + _record(nonces=[None] * 3))
    assert done.returncode == 1
    first, second = done.stdout.splitlines()
    assert first.startswith("game 1: The secret does not match the hash.")
    assert second.startswith("game 2: The cards do not follow from the secret")
    done = byzanz("verify", "--commitment", "0" * 64, stdin=proven)
    assert (done.returncode, "[other-commitment]" in done.stdout) == (1, True)
    done = byzanz("verify", "--nonce", "0" * 32, stdin=proven)
    assert (done.returncode, "[missing-nonce]" in done.stdout) == (1, True)


def test_illegal_games_and_wrong_arguments_are_refused(proven: str) -> None:
    done = byzanz("verify", stdin=proven.rsplit("\n", 2)[0])
    assert (done.returncode, "[no-result]" in done.stdout) == (1, True)
    done = byzanz("verify", "--nonce", "XYZ")
    assert (done.returncode, "--nonce needs 32 hexadecimal digits" in done.stderr) == (2, True)
    done = byzanz("verify", stdin="")
    assert (done.returncode, "no game" in done.stdout) == (2, True)
    assert byzanz("verify", "/no/such/file").returncode == 2
