"""The sentences that people read: refusals, reasons, the game log, rules, names of cards and bots.

Functions take the translations of the reader's language; most use English if none are given. Every
text is marked for translation. The package imports only the standard library, :mod:`byzanz.locale`,
:mod:`byzanz.rules` and :mod:`byzanz.notation`, and prints nothing.
"""

from byzanz.locale import ENGLISH

from .cards import card_name, card_names, kind_name, printable
from .characters import BOT_PERSONS, bot_character, bot_name
from .game_log import GameLogWriter, describe_game
from .moves import Move, move_of
from .notifications import Told, confirmation_mail, notification, notification_mail
from .numbers import decimal, signed
from .proofs import PROOF_TEXTS, explain_proof
from .reasons import REASON_TEXTS, reason_text
from .refusals import explain
from .rulebook import RULE_TEXTS, rule_text
from .table_refusals import explain_table
from .talk import phrase_text

__all__ = [
    "BOT_PERSONS",
    "ENGLISH",
    "PROOF_TEXTS",
    "REASON_TEXTS",
    "RULE_TEXTS",
    "GameLogWriter",
    "Move",
    "Told",
    "bot_character",
    "bot_name",
    "card_name",
    "card_names",
    "confirmation_mail",
    "decimal",
    "describe_game",
    "explain",
    "explain_proof",
    "explain_table",
    "kind_name",
    "move_of",
    "notification",
    "notification_mail",
    "phrase_text",
    "printable",
    "reason_text",
    "rule_text",
    "signed",
]
