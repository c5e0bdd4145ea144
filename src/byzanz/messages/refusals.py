"""Refusals and malformed input as sentences a player understands."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Any

from byzanz.locale import ENGLISH, _
from byzanz.notation import Fault, Malformed
from byzanz.rules import Card, Illegal, Kind, Phase, Reason, Refusal

from .cards import card_name, card_names, kind_name

_REFUSALS = {
    Reason.PLAYER_COUNT: _("Byzanz is for 3 to 6 players, not {players}."),
    Reason.HAND_SIZE: _("Seat {seat} is dealt {found} cards; it must be {expected}."),
    Reason.REMOVED_SIZE: _("{found} cards are removed; it must be {expected}."),
    Reason.DECK_SIZE: _("The deck has {found} cards; it must have {expected}."),
    Reason.CARD_COUNT: _("The deal has {found} cards {card}; there are {expected} in the game."),
    Reason.NO_SUCH_SEAT: _("There is no seat {seat} at this table; seats are 0 to {last}."),
    Reason.GAME_OVER: _("The game is over."),
    Reason.NOT_NOW: _("That cannot be done now: {phase}."),
    Reason.NOT_YOUR_TURN: _("It is not your turn: the table waits for seat {turn}."),
    Reason.HAND_LIMIT: _(
        "You hold {held} cards, and {limit} is the limit: sell a set or discard first."
    ),
    Reason.ALREADY_PASSED: _("You have passed and are out of this auction."),
    Reason.HAS_OFFER_CARD: _("You have won offer card {offer_card} and bid no more this round."),
    Reason.ALREADY_DONE: _("You have said that you are done."),
    Reason.NO_CARDS: _("A bid needs at least one card."),
    Reason.MERCHANT_BID: _("Merchants cannot be bid."),
    Reason.CARD_NOT_IN_HAND: _("You do not hold {cards}."),
    Reason.CARD_IN_BID: _("In your bid, and not in your hand: {cards}."),
    Reason.BID_TOO_LOW: _("Your bid is worth {worth}; it must beat {highest}."),
    Reason.CARD_NOT_IN_OFFER: _("The offer holds no {card}."),
    Reason.KIND_NOT_IN_MARKET: _("The market holds no {kind}."),
    Reason.NOT_THREE_CARDS: _("A set is three cards, not {found}."),
    Reason.MIXED_SET: _("A set is three cards of one good, merchants standing in; not {cards}."),
    Reason.WITHIN_LIMIT: _("You may discard only above {limit} cards; you hold {held}."),
    Reason.RESULT_TOO_EARLY: _("The game has not ended yet: {phase}."),
    Reason.WRONG_PROFIT: _("The profits are {expected}, not {found}."),
    Reason.WRONG_WINNERS: _("The winning seats are {expected}, not {found}."),
}

_PHASES = {
    Phase.AUCTION: _("an auction is on"),
    Phase.GIVE: _("the winner of the auction gives a card to the market"),
    Phase.LIMIT: _("a player above the hand limit sells or discards"),
    Phase.MARKET: _("the market is shared out"),
    Phase.FINAL_SALE: _("everyone sells for the last time"),
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
    Fault.NUMBER_TOO_LONG: _("A number of the line is too long."),
    Fault.NOT_JSON: _("The line is not JSON, or not one whole object of it."),
    Fault.NOT_AN_OBJECT: _("The line is JSON, but not an object."),
    Fault.MISSING_KEY: _("A key is missing."),
    Fault.WRONG_TYPE: _("A value is of the wrong type."),
    Fault.UNKNOWN_TYPE: _("The line is of an unknown type."),
    Fault.UNKNOWN_FORMAT: _("The record is in an unknown format."),
    Fault.NAME_COUNT: _("There is not one name for each player."),
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
"""What the notation expects of a person who types. What it expects of a file stays English."""

_LONGEST_QUOTE = 60


def explain(error: Refusal | Illegal | Malformed, words: NullTranslations = ENGLISH) -> str:
    """A sentence that says what was wrong, and for malformed input what was expected."""
    if isinstance(error, Malformed):
        fault, expected = words.gettext(_FAULTS[error.fault]), words.gettext(error.expected)
        if not error.found:
            return words.gettext(_("{fault} Expected: {expected}.")).format(
                fault=fault, expected=expected
            )
        return words.gettext(_("{fault} Expected: {expected}. Found: {found}")).format(
            fault=fault, expected=expected, found=_quoted(error.found)
        )
    refusal = error.refusal if isinstance(error, Illegal) else error
    named = {name: _said(name, value, words) for name, value in refusal.parameters.items()}
    return words.gettext(_REFUSALS[refusal.reason]).format(**named)


def _said(name: str, value: Any, words: NullTranslations) -> str:
    if name == "phase":
        return words.gettext(_PHASES[Phase(value)])
    if isinstance(value, Card):
        return card_name(value, words)
    if isinstance(value, Kind):
        return kind_name(value, words)
    if isinstance(value, tuple):
        return _shortened(card_names(value, words))
    return _shortened(str(value)) or "-"


def _quoted(text: str) -> str:
    """The text in quotes, control characters made visible, cut where it grows long."""
    cut = text[:_LONGEST_QUOTE]
    return f"'{_shortened(text)}'" if cut.isprintable() else ascii(cut)


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
