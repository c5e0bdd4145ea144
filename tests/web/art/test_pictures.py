"""The pictures are complete SVG documents: small, deterministic, without external references."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from byzanz.rules import FACES, Kind
from byzanz.web.art import PICTURES, picture
from byzanz.web.art.__main__ import main

NAMES = (
    [card.name for card in FACES]
    + ["back", "logo", "favicon", "frieze", "ground", "ground-dark", "hero"]
    + [f"plaque-{number}" for number in range(1, 7)]
    + [f"kind-{kind.letter}" for kind in Kind]
    + [f"avatar-{number}" for number in range(12)]
)
SVG = "{http://www.w3.org/2000/svg}"


def test_the_pictures_have_exactly_these_names() -> None:
    assert set(PICTURES) == set(NAMES)
    with pytest.raises(KeyError):
        picture("C5")


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_a_complete_document_of_shapes_only(name: str) -> None:
    root = ET.fromstring(picture(name))
    assert root.tag == f"{SVG}svg"
    left, top, width, height = map(int, root.attrib["viewBox"].split())
    assert (left, top) == (0, 0)
    assert width * int(root.attrib["height"]) == height * int(root.attrib["width"])
    tags = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert tags <= {"svg", "g", "path", "circle", "use"}
    assert any(element.get("d") for element in root.iter())


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_refers_to_nothing_outside_itself(name: str) -> None:
    svg = picture(name)
    root = ET.fromstring(svg)
    own = {f"#{element.get('id')}" for element in root.iter() if element.get("id")}
    for element in root.iter():
        for attribute, value in element.attrib.items():
            assert not attribute.startswith("on")
            assert attribute != "style"
            assert "url(" not in value
            if attribute.endswith("href"):
                assert value in own
    assert svg.count("://") == 1  # the namespace


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_small(name: str) -> None:
    assert len(picture(name).encode()) <= (62_000 if name == "hero" else 8_000)


def test_pictures_are_drawn_the_same_in_every_process(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "byzanz.web.art", "--out", str(tmp_path)],
        check=True,
        env={"PYTHONHASHSEED": "7", "PYTHONPATH": ":".join(filter(None, sys.path))},
    )
    assert {file.stem for file in tmp_path.iterdir()} == set(NAMES)
    for name in NAMES:
        assert (tmp_path / f"{name}.svg").read_text(encoding="utf-8") == picture(name), name


def test_no_two_pictures_are_the_same() -> None:
    assert len({picture(name) for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize("name", ["ground", "ground-dark"])
def test_a_ground_tiles_without_a_seam(name: str) -> None:
    """Check that a stone across an edge also lies at the opposite edge, in the same colour."""
    size = 144
    stones = {
        (element.get("fill"), frozenset(outline))
        for element in ET.fromstring(picture(name)).iter(f"{SVG}path")
        for outline in _stones(element.get("d") or "")
    }
    for colour, outline in stones:
        for dx, dy in ((size, 0), (-size, 0), (0, size), (0, -size)):
            moved = frozenset((x + dx, y + dy) for x, y in outline)
            if all(any(0 < corner[axis] < size for corner in moved) for axis in (0, 1)):
                assert (colour, moved) in stones


def _stones(data: str) -> list[list[tuple[int, int]]]:
    """Return the outlines of path data that consists of ``m``, relative steps and ``z``."""
    stones = []
    x = y = 0
    for part in data.split("z")[:-1]:
        steps = list(map(int, re.findall(r"-?\d+", part)))
        outline = []
        for dx, dy in zip(steps[::2], steps[1::2], strict=True):
            x, y = x + dx, y + dy
            outline.append((x, y))
        x, y = outline[0]
        stones.append(outline)
    return stones


def test_the_art_imports_neither_a_server_nor_a_drawing_library() -> None:
    code = (
        "import sys; import byzanz.web.art; "
        "print(sorted({name.split('.')[0] for name in sys.modules} "
        "& {'starlette', 'jinja2', 'PIL', 'numpy', 'playwright'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_the_contact_sheet_needs_no_other_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["art", "--sheet", str(tmp_path / "sheet.html")])
    main()
    page = (tmp_path / "sheet.html").read_text()
    assert page.count("<img") >= 5 * len(FACES)
    assert not re.search(r"""(src|href)=["'](?!data:)""", page)
