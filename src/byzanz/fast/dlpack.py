"""DLPack capsules: arrays of this process that other libraries use without copying them.

https://dmlc.github.io/dlpack/latest/c_api.html describes the structures.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt

CPU, CUDA = 1, 2
"""DLPack's numbers for kinds of devices."""

_CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
"""DLPack's codes for the kinds of NumPy's types."""

_NAME = b"dltensor"
"""The name of a capsule that no library has taken yet."""


class _Device(ctypes.Structure):
    _fields_ = (("kind", ctypes.c_int32), ("number", ctypes.c_int32))


class _Type(ctypes.Structure):
    _fields_ = (("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16))


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", _Device),
        ("dimensions", ctypes.c_int32),
        ("dtype", _Type),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class _ManagedTensor(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter))


_used: dict[int, Any] = {}
"""What other libraries still use, by address: the structure, its arrays, and the owner."""


@_Deleter
def _release(address: int) -> None:
    _used.pop(address, None)


@_Deleter
def _discard(capsule: int) -> None:
    """Release the tensor of a capsule that no library has taken."""
    if _is_valid(capsule, _NAME):
        _release(_pointer(capsule, _NAME))


_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes, _is_valid.restype = (ctypes.c_void_p, ctypes.c_char_p), ctypes.c_int
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.argtypes, _pointer.restype = (ctypes.c_void_p, ctypes.c_char_p), ctypes.c_void_p
_new = ctypes.pythonapi.PyCapsule_New
_new.argtypes, _new.restype = (ctypes.c_void_p, ctypes.c_char_p, _Deleter), ctypes.py_object


def capsule(
    address: int,
    shape: tuple[int, ...],
    dtype: npt.DTypeLike,
    device: tuple[int, int],
    owner: object,
) -> Any:
    """Return a capsule for C-contiguous memory; ``owner`` stays alive while the memory is used."""
    found = np.dtype(dtype)
    extents = (ctypes.c_int64 * len(shape))(*shape)
    steps = [int(np.prod(shape[place + 1 :], dtype=np.int64)) for place in range(len(shape))]
    strides = (ctypes.c_int64 * len(shape))(*steps)
    tensor = _Tensor(
        address, _Device(*device), len(shape),
        _Type(_CODES[found.kind], 8 * found.itemsize, 1), extents, strides, 0,
    )  # fmt: skip
    managed = _ManagedTensor(tensor, None, _release)
    place = ctypes.addressof(managed)
    _used[place] = managed, extents, strides, owner
    return _new(place, _NAME, _discard)
