"""Bits of a word, by the instructions that CPUs and GPUs have for them.

With Numba's compiler switched off (``NUMBA_DISABLE_JIT=1``, for debugging) they are plain Python.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic


@intrinsic
def ones(typing: Any, word: Any) -> Any:  # noqa: ARG001
    """How many bits of a word are set."""

    def counted(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), counted


@intrinsic
def lowest(typing: Any, word: Any) -> Any:  # noqa: ARG001
    """The place of the lowest bit that is set, of a word that is not 0."""

    def found(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), found


@intrinsic
def highest(typing: Any, word: Any) -> Any:  # noqa: ARG001
    """The place of the highest bit that is set, of a word that is not 0."""

    def found(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), found


if config.DISABLE_JIT:

    def ones(word: int) -> int:
        """How many bits of a word are set."""
        return int(word).bit_count()

    def lowest(word: int) -> int:
        """The place of the lowest bit that is set, of a word that is not 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def highest(word: int) -> int:
        """The place of the highest bit that is set, of a word that is not 0."""
        return int(word).bit_length() - 1
