"""Frames with changes: they turn the board that a page shows into the new one."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from benchmarks.turns import Page, Stream
from msgspec import structs

from byzanz.tables import Phrase, Saying, TableView
from byzanz.web.api.encoding import encode
from byzanz.web.frames import Frame, Sequence, page_frame
from byzanz.web.rendering import Renderer

from .elements import apply, parse
from .test_rendering import views_of


@pytest.fixture(scope="module")
def table_views() -> list[TableView]:
    """Return the views of a game of four."""
    return views_of(4, 3)


def frames_of(table_views: list[TableView], seat: int | None, language: str) -> list[Frame]:
    return [page_frame(each, language, 24) for each in table_views if each.seat == seat]


@pytest.mark.parametrize(("seat", "language"), [(0, "en"), (2, "de"), (None, "hu")])
def test_changes_turn_every_board_of_a_game_into_the_next(
    table_views: list[TableView], seat: int | None, language: str
) -> None:
    frames = frames_of(table_views, seat, language)
    shown = parse(json.loads(frames[0].text)["content"])
    sizes = []
    for number, (before, after) in enumerate(pairwise(frames)):
        text = after.since(before)
        sizes.append(len(text) / len(after.text))
        changes = json.loads(text)
        apply(shown, changes["content"], changes["attributes"])
        if number % 8 == 0 or after is frames[-1]:
            whole = json.loads(after.text)
            assert shown == parse(whole["content"])
            del changes["attributes"]
            assert changes | {"content": ""} == whole | {"content": ""}
    assert sum(sizes) / len(sizes) < 0.25


def test_changes_go_back_as_after_an_undo_and_skip_as_for_a_slow_client(
    table_views: list[TableView],
) -> None:
    frames = frames_of(table_views, 0, "en")
    for one, other in [(30, 29), (60, 50), (10, 90), (len(frames) - 1, 4)]:
        changes = json.loads(frames[other].since(frames[one]))
        shown = parse(json.loads(frames[one].text)["content"])
        apply(shown, changes["content"], changes["attributes"])
        assert shown == parse(json.loads(frames[other].text)["content"])


def test_a_board_that_shows_the_same_is_not_sent_again(table_views: list[TableView]) -> None:
    view = next(each for each in table_views[50:] if each.seat == 0)
    frame, same = page_frame(view, "en", 24), page_frame(view, "en", 24)
    later = page_frame(structs.replace(view, version=view.version + 1), "en", 24)
    assert json.loads(same.since(frame))["content"] == ""
    changes = json.loads(later.since(frame))
    assert changes["content"] == ""
    assert changes["attributes"] == {"board": {"data-version": str(view.version + 1)}}
    assert later.since(frame) is later.since(frame)


def test_people_votes_and_talk_are_pushed_as_changes(table_views: list[TableView]) -> None:
    quiet = next(each for each in table_views[50:] if each.seat == 0)
    quiet = structs.replace(
        quiet,
        sitters=tuple(
            structs.replace(each, bot=None, name=name, present=True)
            for each, name in zip(quiet.sitters, ["Ada", "Ben", "Cleo", "Dora"], strict=True)
        ),
    )
    one, two = Saying(0, 0.0, 1, Phrase.HELLO), Saying(1, 0.0, 2, Phrase.APPLAUSE)
    gone = (*quiet.sitters[:3], structs.replace(quiet.sitters[3], present=False))
    course = [
        quiet,
        structs.replace(quiet, may_talk=True, watching=1, watchers=("<Eve>",)),
        structs.replace(quiet, may_talk=True, said=(one,)),
        structs.replace(quiet, may_talk=True, said=(one, two), watching=2, watchers=(None, "Eve")),
        structs.replace(quiet, sitters=gone, said=(one, two)),
        structs.replace(quiet, sitters=gone, said=(two,), abandoned=(3,), waiting_for=(0,)),
        structs.replace(quiet, sitters=gone, abandoned=(3,), waiting_for=(3,)),
        structs.replace(quiet, sitters=gone, abandoned=(3,), end_votes=(1,), said=(one,)),
        quiet,
    ]
    frames = [page_frame(each, "en", 24) for each in course]
    shown = parse(json.loads(frames[0].text)["content"])
    for before, after in pairwise(frames):
        whole, changes = json.loads(after.text), json.loads(after.since(before))
        assert whole["content"] != json.loads(before.text)["content"]
        assert len(changes["content"]) < len(whole["content"]) / 4
        apply(shown, changes["content"], changes["attributes"])
        assert shown == parse(whole["content"])


def test_parts_that_appear_side_by_side_are_inserted_together(
    table_views: list[TableView],
) -> None:
    view = next(each for each in table_views[50:] if each.seat == 0)
    people = [
        structs.replace(each, bot=None, name=name, present=True)
        for each, name in zip(view.sitters, ["Ada", "Ben", "Cleo", "Dora"], strict=True)
    ]
    gone = [*people[:3], structs.replace(people[3], present=False)]
    here = structs.replace(view, sitters=tuple(people), is_host=True)
    left = structs.replace(here, sitters=tuple(gone), abandoned=(3,), waiting_for=(0,))
    over = next(each for each in reversed(table_views) if each.seat == 0)
    for one, other, appear in [
        (here, left, {"replacing", "vote"}),
        (left, here, set[str]()),
        (over, view, {"offer", "deck", "market"}),
    ]:
        before, after = page_frame(one, "en", 24), page_frame(other, "en", 24)
        assert appear <= _ids(after) - _ids(before)
        changes, shown = json.loads(after.since(before)), parse(json.loads(before.text)["content"])
        apply(shown, changes["content"], changes["attributes"])
        assert shown == parse(json.loads(after.text)["content"])


def _ids(frame: Frame) -> set[str]:
    elements = parse(json.loads(frame.text)["content"]).walk()
    return {id_ for each in elements if (id_ := each.attributes.get("id"))}


def test_the_frames_of_a_socket_are_numbered_and_begin_with_the_whole_board(
    table_views: list[TableView],
) -> None:
    frames = frames_of(table_views, 0, "en")
    one, late = Sequence(), Sequence()
    sent = [json.loads(one.next(frame)) for frame in frames[:5]]
    assert [each["frame"] for each in sent] == [0, 1, 2, 3, 4]
    assert ["attributes" in each for each in sent] == [False, True, True, True, True]
    assert sent[0] == {"frame": 0} | json.loads(frames[0].text)
    assert sent[3] == {"frame": 3} | json.loads(frames[3].since(frames[2]))
    # A socket that is opened later, as after a lost connection, begins with everything.
    assert json.loads(late.next(frames[3])) == {"frame": 0} | json.loads(frames[3].text)
    assert json.loads(late.next(frames[4])) == {"frame": 1} | json.loads(frames[4].since(frames[3]))


def test_the_people_of_the_load_benchmark_see_the_choices_of_their_turns(
    table_views: list[TableView],
) -> None:
    page, stream, sequence, asked = Page(), Stream(), Sequence(), set[str]()
    for view in [each for each in table_views if each.seat == 0]:
        heading = page.take(sequence.next(page_frame(view, "en", 24)))
        if not stream.take(encode(view).decode()).asks or not heading.asks:
            continue
        shown, known = page.turn(), stream.turn()
        asked |= {name for name in ("give", "take") if getattr(known, name)}
        assert shown.decision == known.decision
        assert set(shown.give) == set(known.give)
        assert set(shown.take) == set(known.take)
        assert sorted(shown.hand) == sorted(known.hand)
    assert asked == {"give", "take"}


def test_every_id_on_a_board_is_unique(table_views: list[TableView]) -> None:
    for view in table_views[::11]:
        board = parse(Renderer("en").board(view))
        ids = [each.attributes["id"] for each in board.walk() if "id" in each.attributes]
        assert len(ids) == len(set(ids))
