"""Refused actions and malformed input, as sentences for players."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Any

from byzanz.locale import ENGLISH, _
from byzanz.notation import Fault, Malformed
from byzanz.rules import Card, Illegal, Kind, Phase, Reason, Refusal

from .cards import card_name, card_names, kind_name

_REFUSALS = {
    Reason.PLAYER_COUNT: _("Byzanz is for 3 to 6 players, not {players}."),
    Reason.HAND_SIZE: _("Seat {seat} was dealt {found} cards instead of {expected}."),
    Reason.REMOVED_SIZE: _("{found} cards were removed instead of {expected}."),
    Reason.DECK_SIZE: _("The deck has {found} cards instead of {expected}."),
    Reason.CARD_COUNT: _("The deal has {found} copies of {card}; the game has {expected}."),
    Reason.NO_SUCH_SEAT: _("There is no seat {seat} at this table; seats are 0 to {last}."),
    Reason.GAME_OVER: _("The game is over."),
    Reason.NOT_NOW: _("You can't do that now: {phase}."),
    Reason.NOT_YOUR_TURN: _("It is not your turn."),
    Reason.HAND_LIMIT: _(
        "You hold {held} cards, and {limit} is the limit: sell a set or discard first."
    ),
    Reason.ALREADY_PASSED: _("You have passed and are out of this auction."),
    Reason.HAS_OFFER_CARD: _("You have offer card {offer_card} and can bid no more this round."),
    Reason.ALREADY_DONE: _("You have already finished."),
    Reason.NO_CARDS: _("A bid needs at least one card."),
    Reason.MERCHANT_BID: _("Merchants cannot be bid."),
    Reason.CARD_NOT_IN_HAND: _("Not in your hand: {cards}."),
    Reason.CARD_IN_BID: _("In your bid, not in your hand: {cards}."),
    Reason.BID_TOO_LOW: _("Your bid is worth {worth}; it must beat {highest}."),
    Reason.CARD_NOT_IN_OFFER: _("Not in the offer: {card}."),
    Reason.KIND_NOT_IN_MARKET: _("Not in the market: {kind}."),
    Reason.NOT_THREE_CARDS: _("A set is three cards, not {found}."),
    Reason.MIXED_SET: _(
        "A set is three cards of one good (merchants count as any good), not {cards}."
    ),
    Reason.WITHIN_LIMIT: _(
        "You may discard only if you hold more than {limit} cards; you hold {held}."
    ),
    Reason.RESULT_TOO_EARLY: _("The game has not ended yet: {phase}."),
    Reason.WRONG_PROFIT: _("The profits are {expected}, not {found}."),
    Reason.WRONG_WINNERS: _("The winning seats are {expected}, not {found}."),
}

_PHASES = {
    Phase.AUCTION: _("an auction is in progress"),
    Phase.GIVE: _("a card of the offer is being chosen for the market"),
    Phase.LIMIT: _("a player over the hand limit must sell or discard"),
    Phase.MARKET: _("the market is being shared out"),
    Phase.FINAL_SALE: _("everyone is making their last sales"),
    Phase.OVER: _("the game is over"),
}

_FAULTS = {
    Fault.CARD: _("Not a card."),
    Fault.KIND: _("Not a kind of card."),
    Fault.ACTION: _("Not an action."),
    Fault.POSITION: _("Not a position."),
    Fault.NOT_UTF8: _("The line is not UTF-8 text."),
    Fault.LINE_TOO_LONG: _("The line is too long."),
    Fault.NESTED_TOO_DEEPLY: _("The line's JSON is nested too deeply."),
    Fault.NUMBER_TOO_LONG: _("A number in the line is too long."),
    Fault.NOT_JSON: _("The line is not a complete JSON object."),
    Fault.NOT_AN_OBJECT: _("The line is JSON, but not an object."),
    Fault.MISSING_KEY: _("A key is missing."),
    Fault.WRONG_TYPE: _("A value is of the wrong type."),
    Fault.UNKNOWN_TYPE: _("The line is of an unknown type."),
    Fault.UNKNOWN_FORMAT: _("The record is in an unknown format."),
    Fault.NAME_COUNT: _("There must be one name for each player."),
    Fault.NO_GAME: _("The line belongs to no game."),
    Fault.NO_RESULT: _("The record ends without a result."),
}

EXPECTED = (
    _("a card from C1 to W4, or M"),
    _("a kind: C, G, O, S, T, W or M"),
    _("an action that begins with bid, pass, give, take, sell, discard, done"),
    _("'bid' and cards, as in 'bid C1 S2'"),
    _("'pass' and nothing else"),
    _("'give' and one card, as in 'give T1'"),
    _("'take' and one kind, as in 'take C'"),
    _("'sell' and three cards, as in 'sell C4 C1 M'"),
    _("'discard' and one card, as in 'discard G1'"),
    _("'done' and nothing else"),
)
"""What the notation may expect of typed input. What it expects of files is not translated."""

_LONGEST_QUOTE = 60


def explain(error: Refusal | Illegal | Malformed, translations: NullTranslations = ENGLISH) -> str:
    """Return a sentence that says what was wrong and, for malformed input, what was expected."""
    if isinstance(error, Malformed):
        fault, expected = (
            translations.gettext(_FAULTS[error.fault]),
            translations.gettext(error.expected),
        )
        if not error.found:
            return translations.gettext(_("{fault} Expected: {expected}.")).format(
                fault=fault, expected=expected
            )
        return translations.gettext(_("{fault} Expected: {expected}. Found: {found}")).format(
            fault=fault, expected=expected, found=_quoted(error.found)
        )
    refusal = error.refusal if isinstance(error, Illegal) else error
    values = {
        name: _value_text(name, value, translations) for name, value in refusal.parameters.items()
    }
    return translations.gettext(_REFUSALS[refusal.reason]).format(**values)


def _value_text(name: str, value: Any, translations: NullTranslations) -> str:
    if name == "phase":
        return translations.gettext(_PHASES[Phase(value)])
    if isinstance(value, Card):
        return card_name(value, translations)
    if isinstance(value, Kind):
        return kind_name(value, translations)
    if isinstance(value, tuple):
        return _shortened(card_names(value, translations))
    return _shortened(str(value)) or "-"


def _quoted(text: str) -> str:
    """Return the text in quotes, shortened, with control characters made visible."""
    cut = text[:_LONGEST_QUOTE]
    return f"'{_shortened(text)}'" if cut.isprintable() else ascii(cut)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
