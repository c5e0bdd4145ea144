"""The parts of a board, and the changes from one board to the next.

A page that shows one board needs only the parts that differ in the next one. Each change is an
``hx-partial`` element, which htmx swaps into the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from markupsafe import escape

_BLOCK_ENDS = "</ol></details></li>"
"""The end of a block of the log."""


class Part(NamedTuple):
    """An element with an id. If anything in it changes, it is sent as a whole."""

    id: str
    html: str


class LogLine(NamedTuple):
    """A line of the game log."""

    html: str
    opens: str
    """``round``, ``auction`` or ``market`` if one begins with this line, else empty."""


class Log(NamedTuple):
    """The list of the game log. New lines are appended to it.

    A line that opens an auction or the market begins a block, which ends before the next line that
    opens something.
    """

    id: str
    fixed: str
    lines: Sequence[LogLine]

    @property
    def html(self) -> str:
        """The list and all its lines."""
        return f'<ol id="{self.id}"{self.fixed}>{_lines(self.lines)}</ol>'


class Container(NamedTuple):
    """An element with an id. Its attributes and parts are sent one by one."""

    id: str
    tag: str
    fixed: str
    """Attributes that never change, as HTML that begins with a space."""
    attributes: Mapping[str, str]
    """The other attributes, not escaped."""
    parts: Sequence[AnyPart]

    @property
    def html(self) -> str:
        """The element with everything in it."""
        given = "".join([f' {name}="{escape(value)}"' for name, value in self.attributes.items()])
        inside = "".join([part.html for part in self.parts])
        return f'<{self.tag} id="{self.id}"{self.fixed}{given}>{inside}</{self.tag}>'


AnyPart = Part | Log | Container


class Changes:
    """The changes that turn one board into another."""

    def __init__(self, before: AnyPart, after: AnyPart) -> None:
        self.attributes: dict[str, dict[str, str | None]] = {}
        """The changed attributes of elements by their ids; None removes an attribute."""
        self._partials: list[str] = []
        self._compare(before, after)

    @property
    def content(self) -> str:
        """The changed parts, for htmx."""
        return "".join(self._partials)

    def _compare(self, before: AnyPart, after: AnyPart) -> None:
        if isinstance(before, Container) and isinstance(after, Container):
            if before.tag == after.tag and before.fixed == after.fixed:
                self._compare_attributes(before, after)
                self._compare_parts(before, after)
                return
        elif isinstance(before, Log) and isinstance(after, Log):
            added = after.lines[len(before.lines) :]
            if before.lines == after.lines[: len(before.lines)]:
                self._append(before, added)
                return
        if before.html != after.html:
            self._add(f"#{after.id}", "outerMorph", after.html)

    def _compare_attributes(self, before: Container, after: Container) -> None:
        old, new = before.attributes, after.attributes
        if old == new:
            return
        changed: dict[str, str | None] = {
            name: value for name, value in new.items() if old.get(name) != value
        }
        changed |= dict.fromkeys([name for name in old if name not in new])
        self.attributes[after.id] = changed

    def _compare_parts(self, before: Container, after: Container) -> None:
        if [part.id for part in before.parts] != [part.id for part in after.parts]:
            self._move(before, after)
            old = {part.id: part for part in before.parts}
            pairs = [(old[part.id], part) for part in after.parts if part.id in old]
        else:
            pairs = list(zip(before.parts, after.parts, strict=True))
        for known, part in pairs:
            if known is not part and known != part:
                self._compare(known, part)

    def _move(self, before: Container, after: Container) -> None:
        """Remove the parts that are gone, and insert the new ones at their places."""
        old, new = ({part.id for part in each.parts} for each in (before, after))
        for part in before.parts:
            if part.id not in new:
                self._add(f"#{part.id}", "delete", "")
        place, added = (f"#{after.id}", "afterbegin"), list[str]()
        for part in after.parts:
            if part.id not in old:
                added.append(part.html)
                continue
            self._insert(place, added)
            place, added = (f"#{part.id}", "afterend"), []
        self._insert(place, added)

    def _insert(self, place: tuple[str, str], added: list[str]) -> None:
        """Insert new neighbours together: htmx finds all targets before it swaps anything."""
        if added:
            self._add(*place, "".join(added))

    def _append(self, before: Log, added: Sequence[LogLine]) -> None:
        inside = _ends_inside(before.lines)
        within = list(_until_next_block(added)) if inside else []
        if within:
            self._add(f"#{before.id} > :last-child ol", "beforeend", "".join(within))
        text = _lines(added[len(within) :])
        if text:
            self._add(f"#{before.id}", "beforeend", text)

    def _add(self, target: str, swap: str, html: str) -> None:
        self._partials.append(
            f'<hx-partial hx-target="{target}" hx-swap="{swap}">{html}</hx-partial>'
        )


def _lines(lines: Sequence[LogLine]) -> str:
    """Return the HTML of lines that begin outside of a block; it closes every block."""
    texts, inside = [], False
    for html, opens in lines:
        if opens:
            if inside:
                texts.append(_BLOCK_ENDS)
            inside = opens != "round"
        texts.append(html)
    if inside:
        texts.append(_BLOCK_ENDS)
    return "".join(texts)


def _ends_inside(lines: Sequence[LogLine]) -> bool:
    """Return whether the last of the lines is in a block."""
    opens = next((line.opens for line in reversed(lines) if line.opens), "round")
    return opens != "round"


def _until_next_block(lines: Sequence[LogLine]) -> Iterator[str]:
    for line in lines:
        if line.opens:
            return
        yield line.html
