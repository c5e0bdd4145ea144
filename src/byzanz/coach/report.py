"""Reviews and hints as text for the terminal, and reviews as HTML pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from gettext import NullTranslations
from html import escape
from typing import TYPE_CHECKING

from byzanz.arena.charts.svg import GRID, circle, document, label, line, printable, text
from byzanz.locale import ENGLISH, _
from byzanz.messages import decimal, move_of, reason_text, signed

from .explanation import MARK_NAMES, explain_decision, played_move
from .reasons import Reason
from .results import Candidate, Decision, Evaluation, Point, Review, SeatReview

if TYPE_CHECKING:
    from .advice import Advice

_COLOURS = ("#7b2d8b", "#b5541f", "#2f7d5b", "#3b5fa8", "#8a6d1f", "#c2185b")
_BLOCKS = " ▁▂▃▄▅▆▇█"
_COLUMNS, _LINES = 60, 5
_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 900, 340, 56, 150, 44, 40
_SURENESS = {
    "sure": _("Sure: every other move is clearly worse."),
    "likely": _("Likely: it looks better than every other move, but this is not certain."),
    "close": _("Close: another move may be just as good."),
}
"""How sure a hint is, in words."""


@dataclass(frozen=True)
class Report:
    """Presents the coach's results to a reader; ``names`` are the players' names by seat."""

    names: Sequence[str]
    language: str = "en"
    translations: NullTranslations = ENGLISH

    def say(self, message: str, **values: object) -> str:
        """Return a message in the reader's language."""
        return self.translations.gettext(message).format(**values)

    def text(self, review: Review) -> Iterator[str]:
        """Yield the lines of a review."""
        for number, seat in enumerate(review.seats):
            if number:
                yield ""
            yield from self._seat(seat)

    def hint(self, advice: Advice) -> Iterator[str]:
        """Yield the lines of a hint."""
        evaluation = advice.hint.evaluation
        view = evaluation.view()
        yield f"{move_of(advice.action, view, self.translations).text}."
        yield "  " + sureness_text(advice.hint.sure, self.translations)
        yield from self._reasons(advice.reasons)
        if len(evaluation.candidates) > 1:
            second = self._move(evaluation, evaluation.candidates[1])
            yield self.say(_("Second best: {move}."), move=second)
            yield from self._reasons(advice.against)
        for one in evaluation.candidates:
            yield self._candidate(evaluation, one)

    def _number(self, number: float) -> str:
        return decimal(number, self.language)

    def _move(self, evaluation: Evaluation, one: Candidate) -> str:
        return move_of(one.parsed(), evaluation.view(), self.translations).text

    def _reasons(self, found: Sequence[Reason]) -> Iterator[str]:
        for one in found:
            yield "  " + reason_text(one.code, one.parameters, self.names, self.translations)

    def _candidate(self, evaluation: Evaluation, one: Candidate) -> str:
        share = self._number(100 * one.win_probability)
        behind = ""
        if one.behind:
            behind = f"{signed(-one.behind, self.language)} ± {self._number(one.standard_error)}"
        return f"{share:>7} %  {behind:<12} {self._move(evaluation, one)}"

    def _sums(self, seat: SeatReview) -> str:
        counts = [sum(one.mark == mark for one in seat.decisions) for mark in MARK_NAMES]
        counts[-1] = seat.stars
        return ", ".join(
            f"{self.say(name)}: {count}"
            for name, count in zip(MARK_NAMES.values(), counts, strict=True)
        )

    def _lost(self, seat: SeatReview) -> str:
        return self.say(
            _("Decisions: {count}. Points of winning chance lost: {points}."),
            count=len(seat.decisions),
            points=self._number(seat.loss),
        )

    def _luck(self, seat: SeatReview) -> str:
        split = seat.luck
        if split is None:
            return self.say(_("The game is not over: luck is shown at its end."))
        return self.say(
            _("From {start} to {end} %: luck {luck}, own losses {own}, everything else {rest}."),
            start=self._number(split.start),
            end=self._number(split.end),
            luck=signed(split.luck, self.language),
            own=signed(split.own, self.language),
            rest=signed(split.rest, self.language),
        )

    def _title(self, seat: SeatReview) -> str:
        return self.say(
            _("{name}, seat {seat}: accuracy {accuracy}"),
            name=printable(self.names[seat.seat]),
            seat=seat.seat,
            accuracy=self._number(seat.accuracy),
        )

    def _seat(self, seat: SeatReview) -> Iterator[str]:
        yield self._title(seat)
        yield f"  {self._lost(seat)}"
        yield f"  {self._sums(seat)}"
        yield f"  {self._luck(seat)}"
        yield from (f"  {drawn}" for drawn in draw_curve(seat.curve, seat.seat))
        for decision in seat.noted:
            yield ""
            yield from (f"  {line}" for line in self._decision(decision))

    def _decision(self, decision: Decision) -> Iterator[str]:
        explained = explain_decision(decision)
        where = self.say(
            _("Round {round}, move {number}"), round=decision.round, number=decision.number
        )
        move = played_move(decision, self.translations).text
        yield f"{where}: {move} {decision.symbol} {self._verdict(decision)}"
        yield from self._reasons(explained.played)
        if decision.mark:
            yield self.say(_("Best: {move}."), move=self._best(decision))
            yield from self._reasons(explained.best)

    def _verdict(self, decision: Decision) -> str:
        """Return what a marked decision lost, or say that a starred one was the best."""
        if not decision.mark:
            return self.say(_("The best move, and hard to find."))
        return self.say(
            _("Lost: {points} ± {error}."),
            points=self._number(decision.loss),
            error=self._number(decision.standard_error),
        )

    def _best(self, decision: Decision) -> str:
        best = decision.evaluation.best
        share = self._number(100 * best.win_probability)
        return f"{self._move(decision.evaluation, best)}, {share} %"

    def chart(self, review: Review, seat: SeatReview) -> str:
        """Return a chart of everybody's win probability as a seat saw it, as the text of an SVG."""
        name = self.names[seat.seat]
        title = self.say(_("Chance to win, as {name} saw it"), name=name)
        return curve_chart(review, seat, self.names, title)

    def html(self, review: Review) -> str:
        """Return a review as an HTML page."""
        names = ", ".join(printable(self.names[seat.seat]) for seat in review.seats)
        body = "\n".join(self._seat_html(review, seat) for seat in review.seats)
        return (
            f'<!doctype html>\n<html lang="{self.language}">\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width">\n'
            f"<title>{escape(self.say(_('Review')))}: {escape(names)}</title>\n"
            f"<style>{_STYLE}</style>\n{body}\n</html>\n"
        )

    def _seat_html(self, review: Review, seat: SeatReview) -> str:
        marks = "\n".join(self._decision_html(decision) for decision in seat.noted)
        none = f"<p>{escape(self.say(_('No single move lost much.')))}</p>"
        return (
            f"<h1>{escape(self._title(seat))}</h1>\n"
            f"<p>{escape(self._lost(seat))} {escape(self._sums(seat))}.</p>\n"
            f"<p>{escape(self._luck(seat))}</p>\n{self.chart(review, seat)}{marks or none}"
        )

    def _decision_html(self, decision: Decision) -> str:
        first, *others = self._decision(decision)
        return f"<h2>{escape(first)}</h2>\n" + "\n".join(f"<p>{escape(one)}</p>" for one in others)


def sureness_text(sure: str, translations: NullTranslations) -> str:
    """Return how sure a hint is, as a sentence."""
    return translations.gettext(_SURENESS[sure])


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


def curve_chart(review: Review, seat: SeatReview, names: Sequence[str], title: str) -> str:
    """Return a chart of everybody's win probability as a seat saw it, as the text of an SVG."""
    last = max(review.actions, 1)

    def x(number: int) -> float:
        return _LEFT + number / last * (_WIDTH - _LEFT - _RIGHT)

    def y(share: float) -> float:
        return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)

    parts = [text(20, 26, escape(printable(title)), size=16)]
    for quarter in range(5):
        share = quarter / 4
        parts.append(line([(_LEFT, y(share)), (_WIDTH - _RIGHT, y(share))], GRID))
        parts.append(text(_LEFT - 8, y(share) + 4, f"{share:.0%}", size=11, anchor="end"))
    for at in range(review.players):
        path = [(x(point.number), y(point.win_probabilities[at])) for point in seat.curve]
        own = at == seat.seat
        parts.append(line(path, _COLOURS[at], width=3 if own else 1.2, dashed=not own))
        below = _TOP + 22 * at
        parts.append(line([(_WIDTH - 136, below), (_WIDTH - 112, below)], _COLOURS[at], width=3))
        parts.append(text(_WIDTH - 104, below + 4, label(names[at], 14)))
    for decision in seat.noted:
        share = decision.evaluation.outlook[seat.seat]
        parts.append(circle(x(decision.number - 1), y(share), 4, _COLOURS[seat.seat]))
        parts.append(text(x(decision.number - 1), y(share) - 8, decision.symbol, anchor="middle"))
    return document(_WIDTH, _HEIGHT, title, parts)


_STYLE = """
body { font: 16px/1.5 sans-serif; max-width: 58rem; margin: 1rem auto; padding: 0 1rem; }
svg { max-width: 100%; height: auto; }
h2 { font-size: 1rem; margin-bottom: 0; }
p { margin: .2rem 0; }
"""
