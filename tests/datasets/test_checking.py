"""The quick check gives the same answers as the judge."""

from __future__ import annotations

import io
from itertools import islice
from random import Random

import pytest

from byzanz.datasets import Block, GameFileWriter, read_games
from byzanz.datasets import checking as checking_module
from byzanz.notation import write_action
from byzanz.rules import apply, begin
from tests.notation.test_judge import verdicts as judged
from tests.rule_coverage import possible_attempts

from .games import RECORDS, changed, quick, record, slow, summary


def same(data: str | bytes) -> list[tuple[object, ...]]:
    """Return the verdicts after checking that both ways give them."""
    raw = data.encode() if isinstance(data, str) else data
    found = summary(quick(raw))
    assert found == summary(slow(raw))
    return found


def test_legal_games_are_checked_by_compiled_code_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(RECORDS)
    expected = summary(slow(text.encode()))
    monkeypatch.setattr(checking_module, "judge", None)
    assert summary(quick(text.encode())) == expected
    assert all(reason is None for _, reason, *_ in expected)


def test_broken_text_gets_the_same_verdicts() -> None:
    random = Random(1)
    for _ in range(20):
        chosen = [random.choice(RECORDS) for _ in range(3)]
        data = bytearray("".join(chosen).encode())
        for _ in range(random.randrange(1, 4)):
            place = random.randrange(len(data))
            match random.randrange(4):
                case 0:
                    data[place] = random.randrange(256)
                case 1:
                    del data[place : place + random.randrange(1, 80)]
                case 2:
                    data[place:place] = random.choice([b"\n", b" ", b"\r\n", b"0", b'"', b"{}\n"])
                case 3:
                    start = random.randrange(len(data))
                    data[place:place] = data[start : start + random.randrange(200)]
        same(bytes(data))


def test_moved_lines_get_the_same_verdicts() -> None:
    random = Random(2)
    for _ in range(20):
        lines = random.choice(RECORDS).splitlines(keepends=True)
        one, other = random.randrange(len(lines)), random.randrange(len(lines))
        match random.randrange(3):
            case 0:
                lines[one], lines[other] = lines[other], lines[one]
            case 1:
                del lines[one]
            case 2:
                lines.insert(one, lines[other])
        same(random.choice(RECORDS) + "".join(lines) + random.choice(RECORDS))


@pytest.mark.parametrize("seed", range(6))
def test_every_possible_action_gets_the_same_verdict(seed: int) -> None:
    """At points of a game, each action that a seat might try replaces the one that was played."""
    random = Random(seed)
    text = RECORDS[seed]
    lines = text.splitlines(keepends=True)
    (verdict,) = judged(text)
    assert verdict.record is not None
    state = begin(verdict.record.deal)
    at = {random.randrange(len(lines) - 2) for _ in range(4)} | {len(lines) - 4, len(lines) - 3}
    for number, played in enumerate(verdict.record.plays):
        if number in at:
            seat = random.randrange(len(state.players))
            tried = list(possible_attempts(state, seat))
            for action in random.sample(tried, min(5, len(tried))):
                line = f'{{"type":"action","seat":{seat},"action":"{write_action(action)}"}}\n'
                same("".join([*lines[: number + 1], line, *lines[number + 1 :]]))
        state = apply(state, played.seat, played.action)


@pytest.mark.parametrize(
    "extra",
    [
        {"type": "x"},
        {"seed": 2**64},
        {"seed": -1},
        {"note": "[" * 80},
        {"a": 1.5, "hands": 1},
    ],
)
def test_other_keys_of_the_header(extra: dict[str, object]) -> None:
    same(changed(RECORDS[0], lambda lines: lines[0].update(extra)))
    header, rest = RECORDS[0].split("\n", 1)
    for more in (',"names":[]', ',"hands":[]', ',"x":1,"x":2', ',"x":NaN', ',"x":"\\ud800"'):
        assert same(f"{header[:-1]}{more}}}\n{rest}")[0][1] is not None


def test_text_without_canonical_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking_module, "_CHUNK", 1024)
    loose = "".join(RECORDS).replace('{"type":"game"', '{ "type":"game"')
    same(loose)
    same("junk\n" * 2000 + loose)
    same("\n" + "".join(RECORDS) + "\n\n")
    same("")


def test_a_chunk_may_end_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "".join(RECORDS)
    for size in (1000, 4096, len(RECORDS[0]) - 1, len(RECORDS[0]), len(RECORDS[0]) + 1):
        monkeypatch.setattr(checking_module, "_CHUNK", size)
        assert same(text)


def test_binary_games_get_the_verdicts_of_their_records() -> None:
    blocks = [each for each in read_games(_stream("".join(RECORDS))) if isinstance(each, Block)]
    (block,) = blocks
    assert list(block.records()) == RECORDS
    random = Random(3)
    assert summary(quick(_file(block))) == summary(slow("".join(RECORDS).encode()))
    for _ in range(20):
        broken = Block.decode(block.encode())
        for column in ("numbers", "seats", "profits", "winners"):
            array = getattr(broken, column).copy()
            if random.randrange(2):
                place = random.randrange(array.size)
                most = {"numbers": 289, "seats": 6, "profits": 60, "winners": 8}[column]
                array.flat[place] = random.randrange(most)
            object.__setattr__(broken, column, array)
        text = "".join(broken.records())
        assert summary(quick(_file(broken))) == summary(slow(text.encode()))


def test_illegal_games_are_reported_when_games_are_read() -> None:
    bad = changed(record(4, 3), lambda lines: lines[-1].update(winners=[]))
    found = list(read_games(_stream(RECORDS[0] + bad + RECORDS[1])))
    assert [type(each).__name__ for each in found] == ["Verdict", "Block"]
    assert list(islice(found[1].records(), 3)) == RECORDS[:2]  # type: ignore[union-attr]


def _stream(text: str) -> io.BufferedReader:
    return io.BufferedReader(io.BytesIO(text.encode()))  # type: ignore[arg-type]


def _file(block: Block) -> bytes:
    stream = io.BytesIO()
    with GameFileWriter(stream) as writer:
        writer.write(block)
    return stream.getvalue()
