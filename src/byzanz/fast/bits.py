"""Bit counting, with the instructions that CPUs and GPUs have for it.

If Numba's compiler is switched off for debugging (``NUMBA_DISABLE_JIT=1``), the functions are plain
Python.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic


@intrinsic
def ones(typing: Any, value: Any) -> Any:  # noqa: ARG001
    """Return the number of bits that are set."""

    def counted(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), counted


@intrinsic
def lowest(typing: Any, value: Any) -> Any:  # noqa: ARG001
    """Return the index of the lowest bit that is set; the value must not be 0."""

    def found(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), found


@intrinsic
def highest(typing: Any, value: Any) -> Any:  # noqa: ARG001
    """Return the index of the highest bit that is set; the value must not be 0."""

    def found(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        zeros = builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(ir.IntType(64), 63), zeros)

    return types.int64(types.int64), found


if config.DISABLE_JIT:

    def ones(value: int) -> int:
        """Return the number of bits that are set."""
        return int(value).bit_count()

    def lowest(value: int) -> int:
        """Return the index of the lowest bit that is set; the value must not be 0."""
        return (int(value) & -int(value)).bit_length() - 1

    def highest(value: int) -> int:
        """Return the index of the highest bit that is set; the value must not be 0."""
        return int(value).bit_length() - 1
