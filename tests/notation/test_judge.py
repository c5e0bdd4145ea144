"""Verdicts on records: legal, illegal, malformed, incomplete."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from byzanz.notation import Verdict, judge, write_record
from byzanz.notation.judge import LONGEST_LINE
from byzanz.rules import Deal, Game
from tests.random_games import finished

NAMES = ["Anne", "Ben", "Carla", "Dora"]
GAME = finished(4, 1)
LINES = write_record(GAME, NAMES).splitlines()
RECORD = "\n".join(LINES) + "\n"

Objects = list[dict[str, Any]]


def verdicts(data: bytes | str) -> list[Verdict]:
    return list(judge(io.BytesIO(data.encode() if isinstance(data, str) else data)))


def found(data: bytes | str) -> list[tuple[int, str | None, str | None]]:
    return [(verdict.line, verdict.reason, verdict.rule) for verdict in verdicts(data)]


def changed(change: Callable[[Objects], object]) -> str:
    objects = [json.loads(line) for line in LINES]
    change(objects)
    return "".join(json.dumps(one) + "\n" for one in objects)


def nested(depth: int) -> list[Any]:
    return [nested(depth - 1)] if depth > 1 else []


SOUND = (len(LINES), None, None)


def test_a_legal_record_is_read_completely() -> None:
    (verdict,) = verdicts(RECORD)
    assert (verdict.line, verdict.reason, verdict.rule) == SOUND
    assert verdict.record is not None
    assert verdict.record.names == tuple(NAMES)
    assert verdict.record.game == GAME


def test_the_example_games_are_legal() -> None:
    examples = Path(__file__).parents[1] / "data" / "examples.jsonl"
    with examples.open("rb") as stream:
        results = list(judge(stream))
    assert [verdict.error for verdict in results] == [None] * 4
    assert [len(verdict.record.names) for verdict in results if verdict.record] == [3, 4, 5, 6]


def test_blank_lines_spaces_and_unknown_keys_are_allowed() -> None:
    loose = changed(lambda objects: [one.update(extra={"a": [1]}) for one in objects])
    assert found(loose.replace("\n", "\r\n\n  \n"))[0][1:] == (None, None)


def test_cards_of_an_action_may_be_in_any_order() -> None:
    text = next(line for line in LINES if '"sell ' in line)
    sale = json.loads(text)["action"].split()
    turned = text.replace(" ".join(sale), " ".join([sale[0], *reversed(sale[1:])]))
    assert found(RECORD.replace(text, turned)) == [SOUND]


def test_a_stream_may_hold_several_games() -> None:
    assert found(RECORD * 3) == [(len(LINES) * n, None, None) for n in (1, 2, 3)]
    assert found("") == []
    assert found("\n\n \n") == []


@pytest.mark.parametrize(
    ("change", "line", "reason", "rule"),
    [
        (lambda o: o[0]["hands"][0].pop(), 1, "hand-size", "R2.1"),
        (lambda o: o[0]["hands"].pop(), 1, "removed-size", "R2.2"),
        (lambda o: o[0]["hands"].extend([["C1"] * 4] * 3), 1, "player-count", "R2.1"),
        (lambda o: o[0]["removed"].pop(), 1, "removed-size", "R2.2"),
        (lambda o: o[0]["deck"].append("C1"), 1, "deck-size", "R2.2"),
        (lambda o: o[0]["deck"].__setitem__(0, "C4"), 1, "card-count", "R1.1"),
        (lambda o: o[0]["deck"].__setitem__(0, "X1"), 1, "bad-card", None),
        (lambda o: o[0]["deck"].__setitem__(0, 1), 1, "wrong-type", None),
        (lambda o: o[0].update(hands={}), 1, "wrong-type", None),
        (lambda o: o[0].update(hands=["C1"]), 1, "wrong-type", None),
        (lambda o: o[0].update(names="Anne"), 1, "wrong-type", None),
        (lambda o: o[0].update(names=[1, 2, 3, 4]), 1, "wrong-type", None),
        (lambda o: o[0]["names"].pop(), 1, "name-count", None),
        (lambda o: o[0].update(format="byzanz/2"), 1, "unknown-format", None),
        (lambda o: o[0].update(format=1), 1, "wrong-type", None),
        (lambda o: o[0].pop("format"), 1, "missing-key", None),
        (lambda o: o[0].pop("removed"), 1, "missing-key", None),
        (lambda o: o[0].pop("type"), 1, "missing-key", None),
        (lambda o: o[0].update(type="match"), 1, "unknown-type", None),
        (lambda o: o[0].update(type=["game"]), 1, "unknown-type", None),
        (lambda o: o[1].update(seat="0"), 2, "wrong-type", None),
        (lambda o: o[1].update(seat=True), 2, "wrong-type", None),
        (lambda o: o[1].update(seat=0.0), 2, "wrong-type", None),
        (lambda o: o[1].update(seat=None), 2, "wrong-type", None),
        (lambda o: o[1].update(seat=4), 2, "no-such-seat", "R2.1"),
        (lambda o: o[1].update(seat=-1), 2, "no-such-seat", "R2.1"),
        (lambda o: o[1].update(seat=10**99), 2, "no-such-seat", "R2.1"),
        (lambda o: o[1].update(seat=10**100), 2, "number-too-long", None),
        (lambda o: o[0].update(extra=nested(63)), len(LINES), None, None),
        (lambda o: o[0].update(extra=nested(64)), 1, "nested-too-deeply", None),
        (lambda o: o[0].update(extra="[" * 500), len(LINES), None, None),
        (lambda o: o[1].update(seat=1), 2, "not-your-turn", "R3.3"),
        (lambda o: o[1].update(action=["pass"]), 2, "wrong-type", None),
        (lambda o: o[1].update(action="bid  C1"), 2, "bad-card", None),
        (lambda o: o[1].update(action="fold"), 2, "bad-action", None),
        (lambda o: o[1].update(action="bid M"), 2, "merchant-bid", "R3.7"),
        (lambda o: o[1].update(action="take C"), 2, "not-now", "R4.1"),
        (lambda o: o[1].update(action="sell C1 C1"), 2, "not-three-cards", "R5.1"),
        (lambda o: o[1].pop("action"), 2, "missing-key", None),
        (lambda o: o[-1]["profit"].__setitem__(0, 99), len(LINES), "wrong-profit", "R7.2"),
        (lambda o: o[-1]["profit"].pop(), len(LINES), "wrong-profit", "R7.2"),
        (lambda o: o[-1].update(winners=[0, 1, 2, 3]), len(LINES), "wrong-winners", "R7.2"),
        (lambda o: o[-1].update(winners=[]), len(LINES), "wrong-winners", "R7.2"),
        (lambda o: o[-1].update(winners=["0"]), len(LINES), "wrong-type", None),
        (lambda o: o[-1].update(profit=None), len(LINES), "wrong-type", None),
        (lambda o: o[-1].pop("winners"), len(LINES), "missing-key", None),
        (lambda o: o.pop(-2), len(LINES) - 1, "result-too-early", "R7.1"),
        (lambda o: o.insert(-1, o[-2]), len(LINES), "game-over", "R7.2"),
        (lambda o: o.pop(), len(LINES) - 1, "no-result", None),
        (lambda o: o.__delitem__(slice(1, None)), 1, "no-result", None),
        (lambda o: o.pop(0), 1, "no-game", None),
    ],
)
def test_a_verdict_has_the_reason_the_line_and_the_rule(
    change: Callable[[Objects], object], line: int, reason: str, rule: str | None
) -> None:
    broken = changed(change)
    after = broken.count("\n") + len(LINES)
    # There is one verdict on the broken game, and the reader continues with the next game.
    assert found(broken + RECORD) == [(line, reason, rule), (after, None, None)]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not-json"),
        (b"[]", "not-an-object"),
        (b"1", "not-an-object"),
        (b"null", "not-an-object"),
        (b"{} {}", "not-json"),
        (b'{"type":"action","seat":0,"action":"pass"', "not-json"),
        (b'{"type":"action","type":"action","seat":0,"action":"pass"}', "not-json"),
        (b'{"type":"action","seat":NaN,"action":"pass"}', "not-json"),
        (b'{"type":"action","seat":1e999,"action":"pass"}', "not-json"),
        (b'{"type":"action","seat":1e9,"action":"pass"}', "wrong-type"),
        (b'{"a":' + b"[" * 65 + b'"' + b'\\"' * 400_000, "nested-too-deeply"),  # needs linear time
        (b'{"type":"action","seat":0,"action":"\\ud800"}', "not-json"),
        (b'{"type":"action","seat":' + b"9" * 5000 + b',"action":"pass"}', "number-too-long"),
        (b"\xff\xfe", "not-utf8"),
        (b"\xef\xbb\xbf{}", "not-json"),
        (b"\x00", "not-json"),
        (b"[" * 100_000, "nested-too-deeply"),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested-too-deeply"),
        (b'{"type":"action","seat":0,"action":"' + b"x" * LONGEST_LINE + b'"}', "line-too-long"),
        (b" " * (LONGEST_LINE + 5) + b"{}", "line-too-long"),
        (b'{"type":"action","seat":0,"action":"' + b"bid " * 10_000 + b'"}', "bad-card"),
        (b'{"type":"result"}', "missing-key"),
    ],
    ids=lambda value: str(value[:20]),
)
@pytest.mark.parametrize("place", [0, 1, 5])
def test_a_malformed_line_affects_only_its_own_game(line: bytes, reason: str, place: int) -> None:
    lines = [text.encode() for text in LINES]
    data = b"\n".join([*lines[:place], line, *lines[place + 1 :], *lines, b""])
    first, second = found(data)
    if place == 0 and reason in ("wrong-type", "bad-card", "missing-key"):
        reason = "no-game"
    assert first == (place + 1, reason, None)
    assert second == (2 * len(LINES), None, None)


def test_a_malformed_header_after_a_malformed_game_counts_as_a_game() -> None:
    torn = LINES[0][:200].replace('{"type":"game"', '{ "type" : "game"')
    data = "\n".join([*LINES[:9], torn, *LINES[1:], *LINES, ""])
    assert [reason for _, reason, _ in found(data)] == ["no-result", "not-json", None]


def test_a_new_header_ends_an_unfinished_game_at_its_last_line() -> None:
    data = "\n".join([*LINES[:9], "", "", *LINES, ""])
    assert found(data) == [(9, "no-result", None), (11 + len(LINES), None, None)]


def test_a_truncated_file_gets_a_verdict_wherever_it_is_cut() -> None:
    data = RECORD.encode()
    for cut in range(1, len(data) - 1, 97):
        (verdict,) = verdicts(data[:cut])
        assert verdict.reason in ("not-json", "no-result"), cut


def test_the_record_is_kept_up_to_the_error() -> None:
    (verdict,) = verdicts(changed(lambda objects: objects[5].update(action="done")))
    assert verdict.record is not None
    assert verdict.record.plays == GAME.plays[:4]
    (verdict,) = verdicts(changed(lambda objects: objects[0].update(format="x")))
    assert verdict.record is None


def test_a_long_line_is_never_read_into_memory_whole() -> None:
    class Endless(io.RawIOBase):
        """A line of one gibibyte; reading too much of it at once fails."""

        left = 1 << 30

        def readable(self) -> bool:
            return True

        def readline(self, size: int | None = -1, /) -> bytes:
            assert size is not None
            assert 0 < size <= 2 * LONGEST_LINE
            part = min(size, self.left)
            self.left -= part
            return b"[" * part

    assert [v.reason for v in judge(Endless())] == ["line-too-long"]  # type: ignore[arg-type]


def test_extra_keys_cannot_replace_keys_of_the_header() -> None:
    with pytest.raises(ValueError, match="'deck' is a key of every header"):
        write_record(GAME, NAMES, {"deck": []})


def test_an_unfinished_game_is_written_without_a_result() -> None:
    text = write_record(Game.start(Deal.from_seed(3, 5)), ["a", "b", "c"])
    assert text.count("\n") == 1
    assert found(text) == [(1, "no-result", None)]


def test_records_are_written_canonically() -> None:
    first, second, *_, last = LINES
    assert first.startswith('{"type":"game","format":"byzanz/1","hands":[["')
    assert list(json.loads(first)) == ["type", "format", "hands", "deck", "removed", "names"]
    assert second.startswith('{"type":"action","seat":0,"action":"')
    assert last.startswith('{"type":"result","profit":[')
    extra = write_record(GAME, ["Ä", "é", "ű", "ő"], {"seed": 3, "bots": ["x"]}).splitlines()[0]
    assert extra.endswith('"names":["Ä","é","ű","ő"],"seed":3,"bots":["x"]}')
