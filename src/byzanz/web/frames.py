"""The frames that are pushed to sockets. Viewers with the same view share one frame."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from weakref import ReferenceType, ref

import msgspec

from .parts import AnyPart, Changes
from .rendering import get_renderer

if TYPE_CHECKING:
    from byzanz.tables import TableView

_T = TypeVar("_T")

_CACHED = 256

_encode = msgspec.json.Encoder().encode


class Frame:
    """A board in one language, with values for the page's script."""

    def __init__(self, parts: AnyPart, values: dict[str, Any]) -> None:
        self._parts = parts
        self._values = values
        self._last: tuple[ReferenceType[Frame], str] | None = None

    @cached_property
    def text(self) -> str:
        """The frame with the whole board, as JSON."""
        return _encode({"content": self._parts.html, **self._values}).decode()

    def since(self, before: Frame) -> str:
        """Return the frame for a page that shows an earlier board, as JSON.

        It has only the parts of the board that differ.
        """
        if self._last is None or self._last[0]() is not before:
            changes = Changes(before._parts, self._parts)
            frame = {
                "content": changes.content,
                "attributes": changes.attributes,
                **self._values,
            }
            self._last = ref(before), _encode(frame).decode()
        return self._last[1]


class Sequence:
    """The frames of one socket: the first has the whole board, the others only what has changed.

    They are numbered from 0. A page applies a frame only after the one before it.
    """

    def __init__(self) -> None:
        self._number = 0
        self._shown: Frame | None = None

    def next(self, frame: Frame) -> str:
        """Return the text to send, so that the page shows this frame."""
        text = frame.text if self._shown is None else frame.since(self._shown)
        numbered = f'{{"frame":{self._number},{text[1:]}'
        self._number, self._shown = self._number + 1, frame
        return numbered


def page_frame(table_view: TableView, language: str, name_length: int) -> Frame:
    """Return the frame of a table view in this language."""
    renderer = get_renderer(language)
    return Frame(renderer.parts(table_view, name_length), renderer.frame_values(table_view))


class ViewCache(Generic[_T]):
    """A cache of values made from table views. Viewers with the same view share them."""

    def __init__(self) -> None:
        self._cache: OrderedDict[tuple[int, str], tuple[TableView, _T]] = OrderedDict()

    def get(self, table_view: TableView, variant: str, make: Callable[[TableView], _T]) -> _T:
        """Return the cached value for this table view and variant; if there is none, make it."""
        key = id(table_view), variant
        found = self._cache.get(key)
        if found is None:
            # Keeps the view alive, so that no other object gets its id.
            found = self._cache[key] = table_view, make(table_view)
            if len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        return found[1]
