"""Decisions of recorded games as a Parquet file, for pandas, Polars and other tools."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .block import Block
from .decisions import Decisions, decisions_of
from .record_files import NeedsLibrary

if TYPE_CHECKING:
    from byzanz.network import Network

_GAMES = 64
"""The number of games in a row group."""


def write_parquet(
    blocks: Iterable[Block], path: str, network: Network | None = None
) -> Iterator[int]:
    """Write one row for each decision of legal games; yield the number of games in each part.

    With a network, the columns ``policy`` and ``value`` have its policy and its win probabilities
    by slot. Raises NeedsLibrary without PyArrow.
    """
    try:
        import pyarrow as pa  # noqa: PLC0415 - optional
        from pyarrow import parquet  # noqa: PLC0415 - optional
    except ModuleNotFoundError:
        raise NeedsLibrary("PyArrow", "a Parquet file") from None
    writer: Any = None
    number = 0
    try:
        for block in blocks:
            for first in range(0, len(block), _GAMES):
                last = min(first + _GAMES, len(block))
                table = _table(pa, decisions_of(block, first, last, number), network)
                if writer is None:
                    writer = parquet.ParquetWriter(path, table.schema, compression="zstd")
                writer.write_table(table)
                yield last - first
            number += len(block)
    finally:
        if writer is not None:
            writer.close()


def _table(pa: Any, decisions: Decisions, network: Network | None) -> Any:
    columns: dict[str, Any] = {
        "game": decisions.game, "step": decisions.step.astype("u2"), "players": decisions.players,
        "seat": decisions.seat, "phase": decisions.phase,
        "on_turn": decisions.on_turn.astype(bool), "action": decisions.action,
        "profit": decisions.profit, "share": decisions.share.astype("f4"),
        "features": _lists(pa, decisions.features), "mask": _lists(pa, decisions.mask.astype(bool)),
    }  # fmt: skip
    if network is not None:
        from byzanz.network.batch_evaluation import evaluate  # noqa: PLC0415 - compiled

        policy, value = evaluate(network, decisions.features, decisions.mask)
        columns |= {"policy": _lists(pa, policy), "value": _lists(pa, value)}
    return pa.table(columns)


def _lists(pa: Any, rows: Any) -> Any:
    return pa.FixedSizeListArray.from_arrays(pa.array(rows.ravel()), rows.shape[1])
