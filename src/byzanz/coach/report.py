"""A review as text for the terminal, and as an HTML page that needs no other file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from byzanz.arena.charts.svg import GRID, PALE, circle, document, label, line, printable, text

from .results import Candidate, Decision, Hint, Mark, Point, Review, SeatReview

SYMBOLS: dict[Mark | None, str] = {"inaccuracy": "?!", "mistake": "?", "blunder": "??", None: ""}
"""The symbols of the marks, as in chess."""
STAR = "★"
_COLOURS = ("#7b2d8b", "#b5541f", "#2f7d5b", "#3b5fa8", "#8a6d1f", "#c2185b")
_BLOCKS = " ▁▂▃▄▅▆▇█"
_COLUMNS, _LINES = 60, 5
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 900, 340, 56, 150, 44, 40


def action_text(action: str | None) -> str:
    """Return the text of a candidate's action."""
    return "wait" if action is None else action


def write_text(review: Review, names: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a review."""
    for number, seat in enumerate(review.seats):
        if number:
            yield ""
        yield from _seat_text(seat, names[seat.seat])


def write_hint(hint: Hint) -> Iterator[str]:
    """Yield the lines of a hint."""
    evaluation = hint.evaluation
    how = "exact" if evaluation.exact else hint.sure
    yield f"{action_text(hint.suggestion)} ({how})"
    for one in evaluation.candidates:
        yield _candidate_text(one)


def _candidate_text(one: Candidate) -> str:
    behind = f"-{one.behind:.1f} ± {one.standard_error:.1f}" if one.behind else ""
    return f"  {action_text(one.action):<24} {100 * one.win_probability:5.1f} %  {behind}".rstrip()


def _counted(count: int, one: str, more: str) -> str:
    return f"{count or 'no'} {one if count == 1 else more}"


def _summary(seat: SeatReview) -> str:
    return ", ".join(
        [
            _counted(seat.count("blunder"), "blunder", "blunders"),
            _counted(seat.count("mistake"), "mistake", "mistakes"),
            _counted(seat.count("inaccuracy"), "inaccuracy", "inaccuracies"),
            _counted(seat.stars, "hard action found", "hard actions found"),
        ]
    )


def _luck(seat: SeatReview) -> str:
    split = seat.luck
    if split is None:
        return "The game is not over: luck is shown at its end."
    return (
        f"From {split.start:.1f} to {split.end:.1f} %: luck {split.luck:+.1f}, "
        f"own losses {split.own:+.1f}, everything else {split.rest:+.1f}."
    )


def _seat_text(seat: SeatReview, name: str) -> Iterator[str]:
    decisions = _counted(len(seat.decisions), "decision", "decisions")
    yield f"{name} (seat {seat.seat}): accuracy {seat.accuracy:.1f}"
    yield f"  {decisions}, {seat.loss:.1f} points of win probability lost"
    yield f"  {_summary(seat)}"
    yield f"  {_luck(seat)}"
    yield from (f"  {drawn}" for drawn in draw_curve(seat.curve, seat.seat))
    for decision in _noted(seat):
        yield _decision_text(decision)


def _noted(seat: SeatReview) -> list[Decision]:
    """Return the decisions with a mark or a star."""
    return [decision for decision in seat.decisions if decision.mark or decision.star]


def _symbol(decision: Decision) -> str:
    return SYMBOLS[decision.mark] or (STAR if decision.star else "")


def _decision_text(decision: Decision) -> str:
    start = f"  action {decision.number}, round {decision.round}: {decision.played}"
    if not decision.mark:
        return f"{start} {_symbol(decision)} the best, and hard to find"
    best = decision.evaluation.best
    return (
        f"{start} {_symbol(decision)} lost {decision.loss:.1f} ± {decision.standard_error:.1f}; "
        f"best: {action_text(best.action)} ({100 * best.win_probability:.1f} %)"
    )


def draw_curve(points: Sequence[Point], seat: int) -> Iterator[str]:
    """Yield the lines of a bar chart of a seat's win probability; nothing without points."""
    if not points:
        return
    last = max(points[-1].number, 1)
    heights, place = [], 0
    for column in range(_COLUMNS):
        number = column * last / (_COLUMNS - 1)
        while place + 1 < len(points) and points[place + 1].number <= number:
            place += 1
        heights.append(points[place].win_probabilities[seat] * 8 * _LINES)
    for row in reversed(range(_LINES)):
        bar = "".join([_BLOCKS[min(max(round(each) - 8 * row, 0), 8)] for each in heights])
        yield f"{100 * (row + 1) // _LINES:4d} % |{bar}".rstrip()


def curve_chart(review: Review, seat: SeatReview, names: Sequence[str]) -> str:
    """Return a chart of everybody's win probability as a seat saw it, as the text of an SVG."""
    last = max(review.actions, 1)

    def x(number: int) -> float:
        return _LEFT + number / last * (_WIDTH - _LEFT - _RIGHT)

    def y(share: float) -> float:
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)

    title = f"Win probability as {names[seat.seat]} saw it"
    parts = [text(20, 26, escape(printable(title)), size=16)]
    for quarter in range(5):
        share = quarter / 4
        parts.append(line([(_LEFT, y(share)), (_WIDTH - _RIGHT, y(share))], GRID))
        parts.append(text(_LEFT - 8, y(share) + 4, f"{share:.0%}", size=11, anchor="end"))
    parts.append(text(_LEFT, _HEIGHT - 14, "actions", size=12, fill=PALE))
    for at in range(review.players):
        path = [(x(point.number), y(point.win_probabilities[at])) for point in seat.curve]
        own = at == seat.seat
        parts.append(line(path, _COLOURS[at], width=3 if own else 1.2, dashed=not own))
        below = _TOP + 22 * at
        parts.append(line([(_WIDTH - 136, below), (_WIDTH - 112, below)], _COLOURS[at], width=3))
        parts.append(text(_WIDTH - 104, below + 4, label(names[at], 14)))
    for decision in _noted(seat):
        share = decision.evaluation.outlook[seat.seat]
        parts.append(circle(x(decision.number - 1), y(share), 4, _COLOURS[seat.seat]))
        parts.append(text(x(decision.number - 1), y(share) - 8, _symbol(decision), anchor="middle"))
    return document(_WIDTH, _HEIGHT, title, parts)


def write_html(review: Review, names: Sequence[str]) -> str:
    """Return a review as an HTML page."""
    title = "Review: " + ", ".join(names[seat.seat] for seat in review.seats)
    body = "\n".join(_seat_html(review, seat, names) for seat in review.seats)
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{escape(printable(title))}</title>\n<style>{_STYLE}</style>\n{body}\n"
        f"<footer>Network {escape(review.network)}, at most {review.worlds} worlds.</footer>\n"
        "</html>\n"
    )


_STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 58rem; margin: 1rem auto; padding: 0 1rem; }
svg { max-width: 100%; height: auto; }
table { border-collapse: collapse; }
td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }
footer { color: #595959; }
"""


def _seat_html(review: Review, seat: SeatReview, names: Sequence[str]) -> str:
    rows = "\n".join(_decision_html(decision) for decision in _noted(seat))
    table = (
        "<table>\n<tr><th>Action<th>Round<th>Played<th>Lost<th>Best\n" + rows + "\n</table>"
        if rows
        else "<p>No action lost much.</p>"
    )
    return (
        f"<h1>{escape(printable(names[seat.seat]))}: accuracy {seat.accuracy:.1f}</h1>\n"
        f"<p>{len(seat.decisions)} decisions, {seat.loss:.1f} points of win probability lost: "
        f"{_summary(seat)}. {_luck(seat)}</p>\n{curve_chart(review, seat, names)}{table}"
    )


def _decision_html(decision: Decision) -> str:
    best = decision.evaluation.best
    loss = f"{decision.loss:.1f} ± {decision.standard_error:.1f}" if decision.mark else ""
    return (
        f"<tr><td>{decision.number}<td>{decision.round}"
        f"<td>{escape(decision.played)} {_symbol(decision)}<td>{loss}"
        f"<td>{escape(action_text(best.action))} ({100 * best.win_probability:.1f} %)"
    )
