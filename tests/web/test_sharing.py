"""The page for sharing a finished game, and its picture."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from html import unescape
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from PIL import Image

from byzanz.web.lettering import drawable, lettering, shortened, width
from byzanz.web.limit_settings import Rate
from byzanz.web.limits import TokenBuckets
from byzanz.web.rasterise import RasteriseFailed, Rasteriser
from byzanz.web.result_picture import HEIGHT, WIDTH, Entrant, result_svg

from .server import Served
from .stage import Stage, stage

OVER, PLAYING = "over-4", "auction-4"
ENTRANTS = [Entrant(place, name, place, 30 - place, place == 1) for place, name in
            enumerate(("Ada", "Őrség <&>", "Юлия", "Λέων"), 1)]  # fmt: skip


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("scenes"), OVER, PLAYING) as running:
        yield running


def _meta(html: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:property|name)="((?:og|twitter):[^"]+)" content="([^"]*)"', html)
    return {name: unescape(content) for name, content in found}


def _svg() -> str:
    return result_svg(ENTRANTS, "2026-11-18")


def test_anyone_with_the_link_sees_the_end_and_a_preview(scenes: Stage) -> None:
    address = scenes.address(OVER) + "/result"
    answer = httpx.get(address, headers={"accept-language": "en"})
    assert answer.status_code == 200
    tags = _meta(answer.text)
    assert tags["og:url"] == address
    assert tags["og:title"].endswith("wins with a profit of 25.")
    assert tags["twitter:card"] == "summary_large_image"
    assert (tags["og:image:width"], tags["og:image:height"]) == ("1200", "630")
    assert 'class="podium"' in answer.text
    assert "Play again" not in answer.text, "a rematch belongs to those who played"

    picture = httpx.get(tags["og:image"])
    assert picture.headers["content-type"] == "image/png"
    assert "immutable" in picture.headers["cache-control"]
    assert picture.headers["cross-origin-resource-policy"] == "cross-origin"
    with Image.open(BytesIO(picture.content)) as drawn:
        assert drawn.size == (WIDTH, HEIGHT)
        assert len(drawn.convert("RGB").resize((60, 32)).getcolors(1920)) > 300

    tag = picture.headers["etag"]
    again = httpx.get(tags["og:image"], headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    unnamed = httpx.get(tags["og:image"].partition("?")[0])
    assert unnamed.content == picture.content
    assert "immutable" not in unnamed.headers["cache-control"]


def test_the_page_is_the_same_for_players_and_others(scenes: Stage) -> None:
    cookies = {each["name"]: each["value"] for each in scenes.cookies}
    path = scenes.address(OVER) + "/result"
    with httpx.Client(cookies=cookies) as ada:
        end = re.compile(r'<section class="ending.*', re.DOTALL)
        assert end.findall(ada.get(path).text) == end.findall(httpx.get(path).text)


def test_a_game_in_play_has_neither_page_nor_picture(scenes: Stage) -> None:
    assert httpx.get(scenes.address(PLAYING) + "/result").status_code == 409
    answer = httpx.get(scenes.address(PLAYING) + "/result.png")
    assert (answer.status_code, answer.headers["content-type"][:9]) == (404, "text/html")
    assert httpx.get(scenes.url + "/table/nowhere/result.png").status_code == 404


def test_drawing_is_limited_but_cached_pictures_are_not(server: Served) -> None:
    player = server.player()
    tables = [player.found("random", "random") for _ in range(2)]
    for table in tables:
        player.play_on(table)
    usual = server.app.state.picture_buckets
    server.app.state.picture_buckets = TokenBuckets(Rate(burst=1, per_second=1e-3))
    try:
        with server.client() as client:
            drawn, refused = [client.get(f"/table/{table}/result.png") for table in tables]
            assert (drawn.status_code, refused.status_code) == (200, 429)
            assert int(refused.headers["retry-after"]) > 60
            assert client.get(f"/table/{tables[0]}/result.png").content == drawn.content
    finally:
        server.app.state.picture_buckets = usual


def test_the_same_result_is_the_same_picture() -> None:
    async def draw() -> tuple[bytes, bytes]:
        return await Rasteriser().png(_svg()), await Rasteriser().png(_svg())

    one, other = asyncio.run(draw())
    assert one == other
    assert one.startswith(b"\x89PNG")


def test_a_picture_needs_no_font_and_nothing_from_outside() -> None:
    svg = _svg()
    assert "<text" not in svg
    assert "href" not in svg
    assert "font" not in svg
    assert "<&>" not in svg
    assert result_svg(ENTRANTS[:3], "2026-11-18") != svg


def test_an_invalid_picture_is_reported() -> None:
    with pytest.raises(RasteriseFailed):
        asyncio.run(Rasteriser().png("no picture"))


def test_names_in_other_scripts_are_drawn_and_emoji_left_out() -> None:
    assert drawable("Őrségi Юлия Λέων") == "Őrségi Юлия Λέων"
    assert drawable("A\N{COMBINING DIAERESIS}nna \N{GAME DIE} 3") == "Änna 3"
    assert drawable("\N{GAME DIE}") == ""
    assert lettering("", 0, 0, 10, "red").count("<path") == 0
    assert lettering("Ada", 0, 0, 10, "red").count("<path") == 3


def test_a_long_name_is_shortened_to_fit() -> None:
    name = "Konstantinos Porphyrogennetos"
    cut = shortened(name, 34, 250)
    assert cut.endswith("\N{HORIZONTAL ELLIPSIS}")
    assert width(cut, 34) <= 250 < width(name, 34)
    assert shortened("Ada", 34, 250) == "Ada"


def test_the_letters_come_with_their_licence() -> None:
    folder = Path(__file__).parents[2] / "src" / "byzanz" / "web"
    licence = (folder / "letters-license.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE" in licence
