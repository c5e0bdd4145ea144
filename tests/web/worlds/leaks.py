"""Leaks to plant in the code. The two-worlds test must find each of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs
from starlette.responses import Response

from byzanz.messages import explain
from byzanz.rules import Card, Game, State, View, Won
from byzanz.tables import (
    AVATARS,
    DealProof,
    Phrase,
    Saying,
    Sitter,
    TableService,
    TableView,
    VisibleGame,
)
from byzanz.tables.model import view as view_module
from byzanz.tables.model.table import Table
from byzanz.tables.service import finished_tables, subscriptions
from byzanz.web import board, pages, push, sharing
from byzanz.web.api import encoding, responses
from byzanz.web.frames import Frame, page_frame
from byzanz.web.identity import Identity
from byzanz.web.rendering import Renderer

Plant = Callable[[pytest.MonkeyPatch], None]

_SVG = "http://www.w3.org/2000/svg"

_looked_at: list[Game] = []
"""The game of the last table view, including hidden cards."""


def _state() -> State:
    return _looked_at[-1].state


def _spied(patch: pytest.MonkeyPatch) -> None:
    """Remember the game of every table view."""
    _altered(patch, lambda _, view: view)


def _altered(patch: pytest.MonkeyPatch, change: Callable[[State, View], View]) -> None:
    """Change the game in every table view."""
    true = view_module.table_view

    def table_view(table: Table, seat: int | None, *more: Any) -> TableView:
        shown = true(table, seat, *more)
        if table.game is None or shown.game is None:
            return shown
        _looked_at[:] = [table.game]
        view = change(table.game.state, shown.game.view)
        game = VisibleGame(view, shown.game.options, shown.game.sets_sold)
        return structs.replace(shown, game=game)

    patch.setattr(subscriptions, "table_view", table_view)


def _other(state: State, seat: int | None) -> tuple[Card, ...]:
    """Return cards of others that the seat has not seen."""
    closed = [player.hidden for at, player in enumerate(state.players) if at != seat]
    return sum(closed, ())


def _hand(patch: pytest.MonkeyPatch) -> None:
    def change(state: State, view: View) -> View:
        players = list(view.players)
        other = 1 if view.seat == 0 else 0
        players[other] = replace(players[other], known=state.players[other].hand, unknown=0)
        return replace(view, players=tuple(players))

    _altered(patch, change)


def _deck_in_json(patch: pytest.MonkeyPatch) -> None:
    _spied(patch)
    true = encoding.game_data

    def game_data(game: VisibleGame) -> dict[str, Any]:
        return true(game) | {"deck": [str(card) for card in _state().deck]}

    patch.setattr(encoding, "game_data", game_data)


def _whole_view_pushed(patch: pytest.MonkeyPatch) -> None:
    _spied(patch)

    def pushed(table_view: TableView, language: str, length: int) -> Frame:
        seat = _state().turn
        game = VisibleGame.of(_looked_at[-1].view(seat))
        return page_frame(structs.replace(table_view, seat=seat, game=game), language, length)

    patch.setattr(push, "page_frame", pushed)


def _card_in_error(patch: pytest.MonkeyPatch) -> None:
    _spied(patch)
    patch.setattr(
        responses,
        "explain",
        lambda error, translations: f"{explain(error, translations)} {_other(_state(), None)}",
    )


def _hand_in_attribute(patch: pytest.MonkeyPatch) -> None:
    _spied(patch)
    true = Renderer.board

    def shown(self: Renderer, table_view: TableView, **options: Any) -> str:
        cards = " ".join(map(str, _other(_state(), table_view.seat)))
        return true(self, table_view, **options).replace(" id=", f' data-cards="{cards}" id=', 1)

    patch.setattr(Renderer, "board", shown)


def _deck_size(patch: pytest.MonkeyPatch) -> None:
    def change(state: State, view: View) -> View:
        odd = bool(state.deck) and state.deck[0].worth % 2
        return replace(view, deck_size=view.deck_size + odd)

    _altered(patch, change)


def _removed_in_record(patch: pytest.MonkeyPatch) -> None:
    _spied(patch)

    async def record(self: TableService, table: str, guest: str | None = None) -> str:
        await self._table(table)
        return " ".join(map(str, _state().removed))

    patch.setattr(TableService, "record", record)


def _replay_before_the_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(finished_tables, "finished_game", lambda table: table.game)


def _picture_before_the_end(patch: pytest.MonkeyPatch) -> None:
    true = sharing._finished

    async def finished(request: Any) -> TableView:
        is_picture = request.url.path.endswith(".png")
        return await (pages.look if is_picture else true)(request)

    def svg(*_: Any) -> str:
        width = 9 + sum(card.worth for card in _state().deck[:3])
        return f'<svg xmlns="{_SVG}" width="9" height="9"><rect width="{width}" height="9"/></svg>'

    _spied(patch)
    patch.setattr(sharing, "_finished", finished)
    patch.setattr(sharing, "_ending", lambda *_: None)
    patch.setattr(sharing, "_svg", svg)


def _spectator_sees_a_seat(patch: pytest.MonkeyPatch) -> None:
    true = view_module.table_view
    patch.setattr(
        subscriptions, "table_view", lambda table, seat, *more: true(table, seat or 0, *more)
    )


def _avatar_from_the_deal(patch: pytest.MonkeyPatch) -> None:
    _spied(patch)

    def portraits(_: str, sitters: tuple[Sitter, ...]) -> tuple[int, ...]:
        hidden = [_state().players[sitter.seat].hidden for sitter in sitters]
        return tuple(sum(card.worth for card in cards) % AVATARS for cards in hidden)

    patch.setattr(board, "seat_portraits", portraits)


def _line_about_the_deal(patch: pytest.MonkeyPatch) -> None:
    _altered(
        patch,
        lambda state, view: replace(view, course=(*view.course, Won(0, 1, state.removed))),
    )


def _header(patch: pytest.MonkeyPatch) -> None:
    _spied(patch)
    true = pages.page

    def page(*given: Any, **values: Any) -> Response:
        response = true(*given, **values)
        if _looked_at:
            response.headers["etag"] = f'"{hash(_state().deck[-3:] + _state().removed)}"'
        return response

    patch.setattr(pages, "page", page)


def _cookie(patch: pytest.MonkeyPatch) -> None:
    _spied(patch)
    true = Identity._set_cookie

    def set_cookie(self: Identity, connection: Any, response: Response) -> None:
        true(self, connection, response)
        if _looked_at:
            response.set_cookie("shuffle", str(hash(_state().removed)))

    patch.setattr(Identity, "_set_cookie", set_cookie)


def _order(patch: pytest.MonkeyPatch) -> None:
    _spied(patch)
    true = board.by_kind

    def groups(*given: Any) -> tuple[board.Group, ...]:
        found = true(*given)
        first = sum(card.worth for card in _other(_state(), None)) % max(1, len(found))
        return found[first:] + found[:first]

    patch.setattr(board, "by_kind", groups)


def _prepared(patch: pytest.MonkeyPatch) -> None:
    true = view_module.table_view

    def table_view(table: Table, seat: int | None, *more: Any) -> TableView:
        others = [chair.prepared for at, chair in enumerate(table.chairs) if at != seat]
        shown = next((prepared for prepared in others if prepared is not None), None)
        return structs.replace(true(table, seat, *more), prepared=shown)

    patch.setattr(subscriptions, "table_view", table_view)


def _automatic(patch: pytest.MonkeyPatch) -> None:
    true = view_module.table_view

    def table_view(table: Table, seat: int | None, *more: Any) -> TableView:
        other = table.chairs[1 if seat == 0 else 0].automatic
        return structs.replace(true(table, seat, *more), automatic=other)

    patch.setattr(subscriptions, "table_view", table_view)


def _secret_before_the_end(patch: pytest.MonkeyPatch) -> None:
    true = finished_tables.proof_of

    def opened(table: Table, *, opened: bool) -> DealProof:
        return true(table, opened=True)

    patch.setattr(finished_tables, "proof_of", opened)


def _saying_about_the_deck(patch: pytest.MonkeyPatch) -> None:
    true = view_module.table_view

    def table_view(table: Table, *given: Any) -> TableView:
        shown = true(table, *given)
        if table.game is None or not table.game.state.deck:
            return shown
        phrase = tuple(Phrase)[sum(card.worth for card in table.game.state.deck[:5]) % len(Phrase)]
        return structs.replace(shown, said=(Saying(0, 0.0, 0, phrase),))

    patch.setattr(subscriptions, "table_view", table_view)


LEAKS: dict[str, Plant] = {
    "a saying that tells of the deck": _saying_about_the_deck,
    "the secret of the deal before the end": _secret_before_the_end,
    "what another seat prepared": _prepared,
    "what is automatic for another seat": _automatic,
    "another seat's hand in every table view": _hand,
    "the deck in the JSON": _deck_in_json,
    "the view of the seat on turn pushed to every page": _whole_view_pushed,
    "hidden cards in an error message": _card_in_error,
    "others' hands in an attribute of the page": _hand_in_attribute,
    "a deck size that tells of the next card": _deck_size,
    "the removed cards in a record before the end": _removed_in_record,
    "the replay before the end": _replay_before_the_end,
    "the picture of a game before its end": _picture_before_the_end,
    "a spectator who gets the view of seat 0": _spectator_sees_a_seat,
    "avatars chosen by the deal": _avatar_from_the_deal,
    "a line about the deal in the log": _line_about_the_deal,
    "a header that marks the deal": _header,
    "a cookie that marks the deal": _cookie,
    "the market in an order that hidden cards decide": _order,
}
"""Leaks of cards that the observer has not seen."""


def _no_redaction(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view_module, "redact", lambda view, options: view)


def _profit_shown(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view_module, "_shows_profit", lambda view, seat, options: True)


def _long_memory(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(view_module, "_this_round", lambda course: course)


MEMORIES: dict[str, Plant] = {
    "nothing redacted": _no_redaction,
    "profit shown that lies face down": _profit_shown,
    "a course of earlier rounds": _long_memory,
}
"""Leaks of the past that a table's options hide from everybody."""
