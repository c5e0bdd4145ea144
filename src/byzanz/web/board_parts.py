"""The parts of a table's board, made from its values by the macros of ``board.html``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from byzanz.rules import Cards
from byzanz.tables import Stage, TableView

from .board import Board, Panel
from .game_log import Line
from .parts import AnyPart, Container, Log, LogLine, Part
from .people import people_codes, tag_list
from .questions import Asked
from .talk_texts import talk_state
from .tips import Tip

Macro = Callable[..., str]

_CACHED_PANELS = 4096


class Macros:
    """The macros of ``board.html`` and ``cards.html`` in one language. Their results are cached."""

    def __init__(self, macros: Mapping[str, Macro]) -> None:
        vars(self).update(macros)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Macro: ...


def board_parts(  # noqa: PLR0913
    macros: Macros,
    board: Board,
    table_view: TableView,
    *,
    tip: Tip | None = None,
    live: bool = True,
    log: str | None = None,
    act: str = "",
) -> Container:
    """Return the board of a started game, with controls only if ``live``.

    If ``log`` is given, it replaces the game log. ``act`` is the address for actions, if they do
    not go to the table.
    """
    view = board.view
    deadline = table_view.deadline if not board.over else None
    seconds = table_view.options.think_seconds or ""
    parts: list[AnyPart] = [
        Part("round", macros.title(view.round)),
        Part(
            "facts",
            macros.facts(view.round, view.setup.rounds, int(deadline or 0), seconds),
        ),
        Container(
            "opponents", "ol", macros.opponents_fixed(), {},
            [_panel(macros, seat) for seat in board.opponents],
        ),
        *_middle(macros, board, table_view, live=live),
        Container(
            "say", "div", ' class="say"', {},
            [Part("status", macros.status(board.status)), Part("skip", macros.skip())],
        ),
    ]  # fmt: skip
    if board.own is not None and not live:
        parts.append(
            Part("seen", macros.seen(board.own, board.hand, _self(macros, board.own, board.hand)))
        )
    elif board.own is not None and not board.over:
        parts.append(_form(macros, board, board.own, table_view, act))
    elif not board.over and live:
        parts.append(Part("watching", macros.watching()))
    if live:
        own = board.own
        returned = own.replaced if own is not None and not own.standing_in else ""
        if returned or board.notice:
            parts.append(Part("dropped", macros.dropped(table_view.table, returned, board.notice)))
        elif _vote(table_view) == "dropped":
            parts.append(Part("dropped", macros.vote(table_view, board.names, "dropped")))
        if tip is not None:
            parts.append(Part("tip", macros.tip(tip)))
    if log is None:
        parts.append(_log(macros, board, table_view, live=live, story=live and not act))
    else:
        parts.append(Part("log-panel", log))
    return Container("board", "section", "", _attributes(board, table_view, live=live), parts)


def _attributes(board: Board, table_view: TableView, *, live: bool) -> dict[str, str]:
    view, asked = board.view, board.asked.value
    classes = f"board asks-{asked} phase-{view.phase.value} players-{len(view.players)}"
    attributes = {
        "class": classes if board.own is not None else f"{classes} watched",
        "data-version": str(table_view.version),
        "data-table": table_view.table,
        "data-asked": asked,
        "data-decision": _number(table_view.decision),
        "data-highest": str(view.highest),
        "data-own": str(0 if board.own is None else board.own.bid_total),
        "data-preparing": board.preparing,
        "data-prepared": "" if board.prepared is None else board.prepared.type,
    }
    if live:
        attributes["data-people"] = people_codes(table_view)
        if talk := talk_state(table_view):
            attributes |= {"data-talk": talk, "data-tags": tag_list(table_view)}
    if board.idle:
        attributes["data-idle"] = ""
    if table_view.may_hint:
        attributes |= {"data-may-hint": "", "data-hints": str(table_view.hints)}
    if table_view.may_odds:
        attributes["data-may-odds"] = ""
    return attributes


@lru_cache(_CACHED_PANELS)
def _panel(macros: Macros, panel: Panel) -> Container:
    """Return the panel of an opponent."""
    seat = panel.seat
    marks = {
        "acting": panel.acting,
        "passed": panel.passed,
        "has-card": panel.offer_card,
        "bidding": panel.bid,
        "winner": panel.winner,
        "away": panel.away,
    }
    sold = {}
    if panel.kept:
        sold["data-kept"] = " ".join(map(str, panel.kept))
        sold["data-kept-text"] = macros.card_names(panel.kept)
    pill = [
        Part(f"face-{seat}", macros.face(seat, panel.avatar)),
        Part(f"who-{seat}", macros.who(seat, panel.name, panel.bot, panel.state)),
        Part(f"earned-{seat}", macros.earned(panel.profit, panel.sets_sold, f"earned-{seat}")),
        Part(f"look-{seat}", macros.look(seat, panel.name)),
    ]
    return Container(
        f"seat-{seat}", "li", f' data-seat="{seat}"',
        {"class": " ".join(["panel", *(name for name, marked in marks.items() if marked)])},
        [
            Container(f"pill-{seat}", "div", ' class="pill"', sold, pill),
            Part(f"holding-{seat}", macros.holding(seat, panel.known, panel.unknown)),
            Part(
                f"stand-{seat}",
                macros.stand(
                    seat, panel.bid, panel.bid_total, panel.leading, panel.offer_card, panel.stance
                ),
            ),
        ],
    )  # fmt: skip


def _self(macros: Macros, own: Panel, hand: Cards) -> str:
    """Return the viewer's own name, profit and state."""
    state = "acting" if own.acting else "done" if own.done else "passed" if own.passed else ""
    return macros.self(
        own.seat, own.name, own.avatar, state, own.profit, own.sets_sold, len(hand), own.offer_card
    )


def _middle(macros: Macros, board: Board, table_view: TableView, *, live: bool) -> list[AnyPart]:
    """Return the middle of the table: offer, deck and market, the final sale, or the end."""
    if board.over:
        return [Part("ending", macros.ending(board.ending, table_view, live))]
    if board.final_sale:
        return [Part("final-sale", macros.final_sale(board.final_sale))]
    giving = live and board.asked is Asked.GIVE
    taking = live and (board.asked is Asked.TAKE or board.preparing == "take")
    gains = board.gains if live else ()
    return [
        Part(
            "offer",
            macros.offer(board.offer, board.offer_card, board.to_come, giving, gains),
        ),
        Part("deck", macros.deck(board.view.deck_size)),
        _market(macros, board, taking=taking, live=live),
    ]


def _market(macros: Macros, board: Board, *, taking: bool, live: bool) -> Container:
    """Return the market; while it is empty, what everybody got in the previous round."""
    picture, past = board.last_picture, board.last_round if live else ()
    gains = board.market_gains if taking else ()
    stalls = macros.past(past) if past else macros.market(board.market, taking, gains)
    return Container(
        "market", "section", ' class="market" aria-labelledby="market-title"', {},
        [
            Part("market-title", macros.market_title()),
            *([Part("ticker", macros.ticker(picture))] if picture else []),
            Part("stalls", stalls),
        ],
    )  # fmt: skip


def _form(macros: Macros, board: Board, own: Panel, table_view: TableView, act: str) -> Container:
    """Return the form of the player's actions."""
    table, prepared = table_view.table, board.prepared
    fields: list[tuple[str, object]] = [
        ("decision", table_view.decision), ("sale", table_view.sale), ("key", ""),
    ]  # fmt: skip
    if board.preparing:
        offer_card = board.offer_card or ""
        fields += [("round", board.view.round), ("offer_card", offer_card), ("own", own.bid_total)]
    sets, asked = board.sets, board.asked.value
    parts = [
        Part("question", macros.question(tuple(fields))),
        Part(f"seat-{own.seat}", _self(macros, own, board.hand)),
        *([Part("own-bid", macros.own_bid(own))] if own.bid else []),
        *([Part("stood-in", macros.stood_in(own))] if own.standing_in else []),
        Part("hand", macros.hand(board.hand, board.marked, not board.selectable)),
        Part("sets", macros.sets(sets, board.least)),
        Part("actions", macros.actions(table, asked, board.preparing, prepared, bool(sets))),
        *([] if table_view.undo is None else [Part("undo", macros.undo(table, table_view.undo))]),
        Part("why", '<p class="why" id="why" role="status"></p>'),
        Part("refused", '<p class="refused" id="refused" role="alert"></p>'),
    ]
    attributes = {
        "class": f"own b-{len(own.bid)}" if own.bid else "own",
        "data-say-prepared": "" if prepared is None else prepared.text,
        "data-say-details": "" if prepared is None else prepared.details,
    }
    return Container("act", "form", macros.act_fixed(act, table), attributes, parts)


def _log(
    macros: Macros, board: Board, table_view: TableView, *, live: bool, story: bool
) -> Container:
    table, options = table_view.table, table_view.options
    lines = log_lines(macros.line, board.log, table_view.seat)
    parts: list[AnyPart] = []
    if story and table_view.watching:
        parts.append(Part("watchers", macros.watchers(table_view)))
    parts += [
        Part("log-title", macros.log_title()),
        Log("log", ' tabindex="0" aria-labelledby="log-title"', lines),
    ]
    if live and table_view.said:
        parts.append(Part("talked", macros.said(table_view)))
    if story:
        parts.append(Part("story", macros.story(table, options.memory_aid or board.over)))
    if (
        live
        and table_view.is_host
        and table_view.stage is Stage.PLAYING
        and not options.think_seconds
    ):
        away = [(seat.seat, seat.name) for seat in board.opponents if seat.away and not seat.bot]
        if away:
            parts.append(Part("replacing", macros.replacing(table, tuple(away))))
    if live and _vote(table_view) == "vote":
        parts.append(Part("vote", macros.vote(table_view, board.names, "vote")))
    return Container("log-panel", "aside", ' class="log" aria-labelledby="log-title"', {}, parts)


def _vote(table_view: TableView) -> str:
    """Return the place of the vote to end the game; empty if the viewer cannot vote.

    It is ``dropped`` if somebody has voted or the game waits for a seat that has abandoned it;
    otherwise it is ``vote``.
    """
    abandoned, seat = table_view.abandoned, table_view.seat
    if not abandoned or seat is None or seat in abandoned:
        return ""
    urgent = table_view.end_votes or set(abandoned).intersection(table_view.waiting_for)
    return "dropped" if urgent else "vote"


def log_lines(render: Macro, lines: Iterable[Line], seat: int | None) -> list[LogLine]:
    """Return the lines, with those of this seat marked. Each line is rendered once and cached."""
    own = -1 if seat is None else seat
    return [line.rendered.get(line.seat == own) or _rendered(line, own, render) for line in lines]


def _rendered(line: Line, own: int, render: Macro) -> LogLine:
    mine = line.seat == own
    line.rendered[mine] = LogLine(render(line, mine), line.opens)
    return line.rendered[mine]


def _number(number: int | None) -> str:
    return "" if number is None else str(number)
