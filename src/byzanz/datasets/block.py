"""A block of finished games as columns, and its binary format (``docs/datasets.md``)."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from byzanz.encoding import NUMBERS, action_of, numbers_of
from byzanz.encoding.numbers import CONFIRM
from byzanz.notation import Record, write_action, write_plays
from byzanz.rules import FACES, SEEDS, Bid, Card, Deal, Played, Result

SEATS, CARDS = 6, 112
GAMES = 512
"""The most games in a block."""

Bytes = npt.NDArray[np.uint8]
Shorts = npt.NDArray[np.uint16]
Longs = npt.NDArray[np.uint64]

_COUNTS = struct.Struct("<III")


class BadGames(ValueError):
    """A file of games is damaged, or a game cannot be stored in it. The message says why."""


@dataclass(frozen=True)
class Block:
    """Up to 512 finished games as columns. Nothing here checks whether the games are legal."""

    headers: tuple[str, ...]
    """The different headers: JSON objects with the names and the other keys of record headers."""
    header: Shorts
    """For each game, the index of its header."""
    seeded: Bytes
    """For each game, 1 if its header has a seed: it is in ``seeds``, and null in ``headers``."""
    seeds: Longs
    players: Bytes
    cards: Bytes
    """For each game, the faces of its 112 cards: the hands, the removed cards, the deck."""
    profits: Bytes
    """For each game and seat, the profit; 0 for empty seats."""
    winners: Bytes
    """For each game, one bit for each winning seat."""
    lengths: Shorts
    """For each game, how many action numbers it has."""
    numbers: Shorts
    """The action numbers of all games, one game after the other."""
    seats: Bytes
    """The seat of each action number."""

    def __len__(self) -> int:
        return len(self.players)

    @property
    def starts(self) -> npt.NDArray[np.int64]:
        """The index of each game's first action number, followed by the number of all of them."""
        return np.concatenate([[0], np.cumsum(self.lengths, dtype=np.int64)])

    def shares(self) -> npt.NDArray[np.float64]:
        """Return each seat's share of the win in each game: 1 for a sole winner."""
        won = (self.winners[:, None] >> np.arange(SEATS)) & 1
        shares: npt.NDArray[np.float64] = won / np.maximum(won.sum(1, keepdims=True), 1)
        return shares

    def encode(self) -> bytes:
        """Return the block as bytes, not compressed."""
        text = "\n".join(self.headers).encode()
        low = (self.numbers & 255).astype(np.uint8)
        high = (self.seats | (self.numbers >> 8) << 3).astype(np.uint8)
        columns: tuple[npt.NDArray[Any], ...] = (
            self.header.astype("<u2"), self.seeded, self.seeds.astype("<u8"), self.players,
            self.cards, self.profits, self.winners, self.lengths.astype("<u2"), low, high,
        )  # fmt: skip
        counts = _COUNTS.pack(len(self), len(self.numbers), len(text))
        return b"".join([counts, text, *[column.tobytes() for column in columns]])

    @classmethod
    def decode(cls, data: bytes) -> Block:
        """Return the block in these bytes; raises BadGames if they are damaged."""
        try:
            games, steps, text_length = _COUNTS.unpack_from(data)
            at = _COUNTS.size
            headers = tuple(data[at : at + text_length].decode().split("\n"))
        except (struct.error, UnicodeDecodeError):
            raise BadGames("a block of games cannot be decoded") from None
        at += text_length
        columns: list[Any] = []
        for kind, *shape in (
            ("<u2", games), ("u1", games), ("<u8", games), ("u1", games), ("u1", games, CARDS),
            ("u1", games, SEATS), ("u1", games), ("<u2", games), ("u1", steps), ("u1", steps),
        ):  # fmt: skip
            size = int(np.prod(shape)) * np.dtype(kind).itemsize
            if at + size > len(data):
                raise BadGames("a block of games is too short")
            columns.append(np.frombuffer(data[at : at + size], kind).reshape(shape))
            at += size
        others, (low, high) = columns[:-2], columns[-2:]
        numbers = low.astype(np.uint16) | (high >> 3).astype(np.uint16) << 8
        found = cls(headers, *others, numbers, high & 7)  # type: ignore[call-arg]
        found._check(at == len(data))
        return found

    def _check(self, complete: bool) -> None:
        """Raise BadGames if a value is outside its range."""
        if not (
            complete
            and len(self) <= GAMES
            and int(self.lengths.sum(dtype=np.int64)) == len(self.numbers)
            and (self.header < len(self.headers)).all()
            and ((self.players >= 3) & (self.players <= SEATS)).all()
            and (self.cards < len(FACES)).all()
            and (self.numbers < NUMBERS).all()
        ):
            raise BadGames("a block of games has a value outside its range")

    def records(self) -> Iterator[str]:
        """Yield the canonical record of each game."""
        for game in range(len(self)):
            yield self.record(game)

    def record(self, game: int) -> str:
        """Return the canonical record of a game; raises BadGames if the game is damaged."""
        players = int(self.players[game])
        first, last = self.starts[game : game + 2].tolist()
        header = self._header(game)
        cards = [FACES[face] for face in self.cards[game].tolist()]
        lines = _lines(self.numbers[first:last].tolist(), self.seats[first:last].tolist())
        winners = int(self.winners[game])
        result = Result(
            tuple(self.profits[game, :players].tolist()),
            tuple([seat for seat in range(SEATS) if winners >> seat & 1]),
        )
        try:
            ends = write_plays(Deal.of(cards, players), (), result, header.pop("names"), header)
        except (KeyError, ValueError) as error:
            raise BadGames(f"a game in the file is not one of Byzanz: {error}") from None
        first_line, last_line = ends.splitlines(keepends=True)
        return "".join([first_line, *lines, last_line])

    def _header(self, game: int) -> dict[str, Any]:
        try:
            header = json.loads(self.headers[self.header[game]])
        except ValueError:
            raise BadGames("the header of a game is not JSON") from None
        if not isinstance(header, dict):
            raise BadGames("the header of a game is not a JSON object")
        if self.seeded[game]:
            header["seed"] = int(self.seeds[game])
        return header


class BlockBuilder:
    """Collects finished games for a block."""

    def __init__(self) -> None:
        self._headers: dict[str, int] = {}
        self._columns: dict[str, list[Any]] = {name: [] for name in _KINDS}

    def __len__(self) -> int:
        return len(self._columns["players"])

    @property
    def full(self) -> bool:
        """Whether the block has as many games as a block may have."""
        return len(self) >= GAMES

    def add_record(self, record: Record, result: Result) -> None:
        """Add the game of a record; raises BadGames if it cannot be stored."""
        players, deal = len(record.deal.hands), record.deal
        steps = [(number, played.seat) for played in record.plays for number in _numbers(played)]
        self.add(
            split_header(record.names, record.extra),
            players,
            np.array([*sum(deal.hands, ()), *deal.removed, *deal.deck], np.uint8),
            [*result.profit, *[0] * (SEATS - players)],
            sum(1 << seat for seat in result.winners),
            np.array([number for number, _ in steps], np.uint16),
            np.array([seat for _, seat in steps], np.uint8),
        )

    def add(
        self, header: tuple[str, int | None], players: int, cards: Bytes, profits: Sequence[int],
        winners: int, numbers: Shorts, seats: Bytes,
    ) -> None:  # fmt: skip
        """Add a game; ``header`` comes from :func:`split_header`, the rest is as in a block."""
        text, seed = header
        values = (
            self._headers.setdefault(text, len(self._headers)), seed is not None, seed or 0,
            players, cards, profits, winners, len(numbers), numbers, seats,
        )  # fmt: skip
        for column, value in zip(self._columns.values(), values, strict=True):
            column.append(value)

    def take(self) -> Block:
        """Return the block of the games added so far, and begin a new one."""
        columns = {
            name: np.concatenate(column) if name in {"numbers", "seats"} else np.array(column, kind)
            for (name, kind), column in zip(_KINDS.items(), self._columns.values(), strict=True)
        }
        found = Block(tuple(self._headers), **columns)
        self.__init__()  # type: ignore[misc]
        return found


_KINDS = {
    "header": np.uint16, "seeded": np.uint8, "seeds": np.uint64, "players": np.uint8,
    "cards": np.uint8, "profits": np.uint8, "winners": np.uint8, "lengths": np.uint16,
    "numbers": np.uint16, "seats": np.uint8,
}  # fmt: skip
"""The types of a block's columns."""


def split_header(names: Sequence[str], extra: Mapping[str, Any]) -> tuple[str, int | None]:
    """Return a header as text, and its seed or None.

    A seed that is a valid number is replaced with null in the text. Without such a seed, the second
    value is None.
    """
    seed = extra.get("seed")
    header = {"names": list(names), **extra}
    if type(seed) is int and 0 <= seed < SEEDS:
        header["seed"] = None
    else:
        seed = None
    return json.dumps(header, separators=(",", ":"), ensure_ascii=False), seed


def _lines(numbers: Sequence[int], seats: Sequence[int]) -> Iterator[str]:
    """Yield the lines of a record for the actions, like :func:`byzanz.notation.write_plays`."""
    laid: list[str] = []
    for number, seat in zip(numbers, seats, strict=True):
        if number < CONFIRM:
            laid.append(_TEXTS[number])
            continue
        text = _TEXTS[number] if number > CONFIRM else " ".join(["bid", *laid])
        laid = []
        yield f'{{"type":"action","seat":{seat},"action":"{text}"}}\n'


_TEXTS = [
    write_action(action) if (action := action_of(number)) else FACES[number].name
    for number in range(NUMBERS)
]
"""The text of each action number: of a whole action, or of the card that is laid."""


def _numbers(played: Played) -> tuple[int, ...]:
    action = played.action
    try:
        if isinstance(action, Bid) and Card.M in action.cards:
            raise KeyError
        return numbers_of(action)
    except KeyError:
        text = write_action(action)
        raise BadGames(f"a file of games holds only legal games, not '{text}'") from None
