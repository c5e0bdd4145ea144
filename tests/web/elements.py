"""A tree of HTML elements to which the changes of a frame can be applied, as htmx does."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"img", "input", "br", "line", "polyline"}


@dataclass
class Element:
    """An element; texts are children too."""

    tag: str
    attributes: dict[str, str | None]
    children: list[Element | str] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        """Yield this element and all elements in it."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def by_id(self, id_: str) -> Element:
        """Return the only element with this id."""
        (found,) = [each for each in self.walk() if each.attributes.get("id") == id_]
        return found

    def parent_of(self, element: Element) -> Element:
        """Return the parent of an element."""
        return next(each for each in self.walk() if any(one is element for one in each.children))


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("root", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in _VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag not in _VOID:
            assert self.open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.open[-1].children.append(" ".join(data.split()))


def parse(html: str) -> Element:
    """Return a root element with the elements of the HTML; spaces between them do not count."""
    parser = _Parser()
    parser.feed(html)
    assert len(parser.open) == 1, "an element is not closed"
    return parser.open[0]


def apply(root: Element, content: str, attributes: dict[str, dict[str, str | None]]) -> None:
    """Change a page as a frame says."""
    for id_, changed in attributes.items():
        element = root.by_id(id_)
        for name, value in changed.items():
            if value is None:
                del element.attributes[name]
            else:
                element.attributes[name] = value
    partials = []
    for partial in parse(content).children:
        assert isinstance(partial, Element)
        assert partial.tag == "hx-partial"
        # htmx finds all targets before it swaps anything.
        partials.append((partial, _target(root, partial.attributes["hx-target"] or "")))
    for partial, target in partials:
        parent, new = root.parent_of(target), partial.children
        place = next(at for at, child in enumerate(parent.children) if child is target)
        match partial.attributes["hx-swap"]:
            case "outerMorph":
                parent.children[place : place + 1] = new
            case "delete":
                del parent.children[place]
            case "afterend":
                parent.children[place + 1 : place + 1] = new
            case "afterbegin":
                target.children[:0] = new
            case "beforeend":
                target.children += new
            case other:
                raise AssertionError(other)


def _target(root: Element, selector: str) -> Element:
    id_, _, rest = selector.removeprefix("#").partition(" > ")
    element = root.by_id(id_)
    if not rest:
        return element
    assert rest == ":last-child ol"
    last = element.children[-1]
    assert isinstance(last, Element)
    (found,) = [each for each in last.walk() if each.tag == "ol"]
    return found
