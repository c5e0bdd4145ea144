"""The values that the page of a review shows, in one language: curve, moment, standings.

Everything comes from the stored review of a finished game and from its public course.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from gettext import NullTranslations

from byzanz.coach.explanation import explain_decision, played_move
from byzanz.coach.reasons import Reason
from byzanz.coach.results import Candidate, Decision, Review, SeatReview
from byzanz.locale import _
from byzanz.messages import Move, decimal, move_of, reason_text, signed
from byzanz.rules import Cards, Phase, View

_BEHIND_GREEN = 2.0
"""A candidate less than this far behind the best one, in points, is coloured as a good one."""


@dataclass(frozen=True, slots=True)
class Option:
    """A candidate as a bar."""

    move: Move
    percent: str
    bar: float
    """The length of the bar, from 0 to 100."""
    behind: str
    best: bool
    good: bool
    played: bool
    symbol: str


@dataclass(frozen=True, slots=True)
class Moment:
    """A decision of the game: its position, its candidates, and the reasons in words."""

    number: int
    title: str
    view: View
    highest: str
    """Who has the highest bid; empty if nobody has bid."""
    options: tuple[Option, ...]
    played: Move
    best: Move | None
    """The best action; None if it was played."""
    against: tuple[str, ...]
    """What speaks for the played action if it is the best one, otherwise against it."""
    favour: tuple[str, ...]
    """What speaks for the best action."""
    star: bool
    exact: bool

    @property
    def bid(self) -> Cards:
        """The cards that the player has bid so far in this auction."""
        return () if self.view.seat is None else self.view.players[self.view.seat].bid

    @property
    def offer(self) -> Cards:
        """The offer, while it is on the table."""
        return self.view.offer


def chosen_decision(seat: SeatReview, number: int | None) -> Decision | None:
    """Return the decision with this number or the next one; by default the costliest mistake."""
    if not seat.decisions:
        return None
    if number is None:
        first_star = next((one for one in seat.decisions if one.star), seat.decisions[0])
        return seat.dearest or first_star
    return next((one for one in seat.decisions if one.number >= number), seat.decisions[-1])


def moment(
    decision: Decision, names: Sequence[str], translations: NullTranslations, language: str
) -> Moment:
    """Return what the page shows of a decision."""
    evaluation = decision.evaluation
    view, best = evaluation.view(), evaluation.best
    played_best = best.action == decision.played
    explained = explain_decision(decision)
    top = max(best.win_probability, 1e-9)

    def option(one: Candidate) -> Option:
        chosen = one.action == decision.played
        return Option(
            move=move_of(one.parsed(), view, translations),
            percent=decimal(100 * one.win_probability, language),
            bar=round(max(2.0, 100 * one.win_probability / top), 1),
            behind=signed(-one.behind, language),
            best=one is best,
            good=one.behind < _BEHIND_GREEN,
            played=chosen,
            symbol=decision.symbol if chosen else "",
        )

    return Moment(
        number=decision.number,
        title=_title(view, translations),
        view=view,
        highest=_highest(view, names, translations),
        options=tuple([option(one) for one in _shown(evaluation.candidates, decision.played)]),
        played=played_move(decision, translations),
        best=None if played_best else move_of(best.parsed(), view, translations),
        against=_sentences(explained.played, names, translations),
        favour=_sentences(explained.best, names, translations),
        star=decision.star,
        exact=evaluation.exact,
    )


def summary(
    seat: SeatReview, name: str, translations: NullTranslations, language: str
) -> tuple[str, ...]:
    """Return sentences that say what decided the game for a player."""
    gettext, found = translations.gettext, []
    if seat.luck is not None:
        luck = seat.luck.luck
        text = _("Luck was about even for {name}.")
        if luck >= 1:
            text = _("Good luck gave {name} {points} points of winning chance.")
        elif luck <= -1:
            text = _("Bad luck cost {name} {points} points of winning chance.")
        found.append(gettext(text).format(name=name, points=decimal(abs(luck), language)))
    if seat.marked:
        text = translations.ngettext(
            "{name} lost {all} points by play, {points} of them in one marked move.",
            "{name} lost {all} points by play, {points} of them in {count} marked moves.",
            len(seat.marked),
        )
        lost = sum(one.loss for one in seat.marked)
        points, every = decimal(lost, language), decimal(seat.loss, language)
        found.append(text.format(name=name, all=every, points=points, count=len(seat.marked)))
    else:
        found.append(gettext(_("No single move lost much.")))
    dearest = seat.dearest
    if dearest is not None and len(seat.marked) > 1:
        text = gettext(_("The costliest was in round {round}: {move}."))
        move = played_move(dearest, translations).text
        found.append(text.format(round=dearest.round, move=move))
    return tuple(found)


def dearest_of(review: Review) -> tuple[int, Decision] | None:
    """Return the game's costliest marked decision with its seat; None if there is none."""
    found = [(one.seat, one.dearest) for one in review.seats if one.dearest is not None]
    return max(found, key=lambda one: one[1].loss, default=None)


def _shown(candidates: Sequence[Candidate], played: str, most: int = 6) -> list[Candidate]:
    """Return the best candidates and the played one."""
    chosen = list(candidates[:most])
    return chosen + [one for one in candidates[most:] if one.action == played]


def _sentences(
    found: Sequence[Reason], names: Sequence[str], translations: NullTranslations
) -> tuple[str, ...]:
    return tuple([reason_text(one.code, one.parameters, names, translations) for one in found])


def _title(view: View, translations: NullTranslations) -> str:
    texts = {
        Phase.AUCTION: _("Round {round}, auction of offer {offer}"),
        Phase.GIVE: _("Round {round}, a card for the market"),
        Phase.MARKET: _("Round {round}, the market"),
        Phase.LIMIT: _("Round {round}, the hand limit"),
        Phase.FINAL_SALE: _("The final sale"),
        Phase.OVER: _("The final sale"),
    }
    offer = view.stack[-1] if view.stack else 0
    return translations.gettext(texts[view.phase]).format(round=view.round, offer=offer)


def _highest(view: View, names: Sequence[str], translations: NullTranslations) -> str:
    if view.phase is not Phase.AUCTION or not view.highest:
        return ""
    leader = max(
        range(len(view.players)), key=lambda at: sum(c.worth for c in view.players[at].bid)
    )
    text = translations.gettext(_("Highest bid: {total}, by {name}."))
    return text.format(total=view.highest, name=names[leader])
