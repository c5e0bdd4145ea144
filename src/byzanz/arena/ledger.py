"""The file of a league's finished deals, from which the league can be resumed.

The format is JSON Lines: the first line describes the league and the versions of its bots, and
every other line is a deal. Lines are only appended. If a crash cut the last line short, the line is
dropped.

The header of an older file does not say what happens on a failure. Its league was played with
``fallback``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from byzanz import __version__
from byzanz.bots import Spec
from byzanz.notation import Malformed
from byzanz.notation.record import parse_line

from .league import League, OnFailure, Outcome, PlayedDeal

FORMAT = "byzanz-arena/1"
"""Name and version of the format."""


class BadLedger(ValueError):
    """A file is not a ledger, or is the ledger of other settings, bots or versions of bots.

    The message says what is wrong.
    """


class Ledger:
    """The file of a league, open for appending deals."""

    def __init__(self, path: Path, league: League) -> None:
        """Open or create the file.

        Raises BadLedger if it belongs to another league or to other versions of the bots.
        """
        self._path = path
        self._league = league
        header = {
            "type": "arena",
            "format": FORMAT,
            "players": league.players,
            "seed": league.seed,
            "bots": list(league.bots),
            "on_failure": league.on_failure,
            "made": _versions(league),
        }
        found = read_league(path)
        if found is not None:
            if found != league:
                raise BadLedger(f"{path} belongs to another arena")
            if _read_header(path).get("made", header["made"]) != header["made"]:
                raise BadLedger(
                    f"{path} was played by other versions of its bots: use another file"
                )
        self._file = path.open("ab")
        if found is None:
            self._file.truncate(0)
            self._write(header)
        else:
            self._file.truncate(_whole_lines(path))

    def deals(self) -> Iterator[PlayedDeal]:
        """Yield each deal in the file once; raises BadLedger if a line is not a deal."""
        seen = set[int]()
        with self._path.open("rb") as file:
            next(file)
            for at, line in enumerate(file, start=2):
                played = self._read(line, at)
                if played.number not in seen:
                    seen.add(played.number)
                    yield played

    def add(self, played: PlayedDeal) -> None:
        """Append a deal."""
        games = [
            {"bots": game.bots, "profit": game.profit, "places": game.places}
            | ({"failed": game.failed} if game.failed else {})
            for game in played.games
        ]
        line = {"type": "deal", "deal": played.number, "games": games}
        self._write(line | ({"faults": played.faults} if played.faults else {}))

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def _read(self, line: bytes, at: int) -> PlayedDeal:
        try:
            data = parse_line(line)
            games = tuple(
                Outcome(
                    tuple(game["bots"]),
                    tuple(game["profit"]),
                    tuple(game["places"]),
                    tuple(game.get("failed", ())),
                )
                for game in data["games"]
            )
            played = PlayedDeal(int(data["deal"]), games, data.get("faults", {}))
        except (Malformed, LookupError, TypeError, ValueError):
            played = PlayedDeal(-1, ())
        seats = range(1, self._league.players + 1)
        if tuple(game.bots for game in played.games) != self._league.seatings or not all(
            len(game.profit) == len(game.places) == len(seats)
            and all(place in seats for place in game.places)
            and all(type(earned) is int for earned in game.profit)
            and all(seat in range(len(seats)) for seat in game.failed)
            for game in played.games
        ):
            raise BadLedger(f"{self._path}, line {at}: this is not a deal of its arena")
        return played


def read_league(path: Path) -> League | None:
    """Return the league of a file; None if the file is missing or empty.

    Raises BadLedger if it is not a ledger, UnknownBot if one of its bots is not available.
    """
    if not path.exists() or not path.stat().st_size:
        return None
    try:
        data = _read_header(path)
        if (data["type"], data["format"]) != ("arena", FORMAT):
            raise ValueError
        on_failure = OnFailure(data.get("on_failure", OnFailure.FALLBACK))
        bots = tuple(map(str, data["bots"]))
        return League(int(data["players"]), int(data["seed"]), bots, on_failure)
    except (KeyError, TypeError, ValueError):
        raise BadLedger(f"{path} is not the file of an arena") from None


def _read_header(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return parse_line(file.readline(1 << 20))


def _versions(league: League) -> dict[str, str]:
    """Return the version of this package, and a digest of each network and Python file."""
    versions = {"byzanz": __version__}
    for spec in map(Spec.parse, league.bots):
        if spec.file:
            versions[f"{spec.file}:{spec.class_name}"] = _digest(Path(spec.file))
        if spec.name == "emperor" or spec.network:
            # Imported here because the module loads the compiler, which other bots do not need.
            from byzanz.network import SHIPPED  # noqa: PLC0415

            versions[spec.network or spec.name] = _digest(Path(spec.network or SHIPPED))
    return versions


def _digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()[:16]


def _whole_lines(path: Path) -> int:
    """Return the number of bytes in complete lines."""
    size = whole = 0
    with path.open("rb") as file:
        for line in file:
            size += len(line)
            whole = size if line.endswith(b"\n") else whole
    return whole
