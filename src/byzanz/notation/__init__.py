"""Notation: reading and writing cards, actions, positions and game records as text.

Text that cannot be parsed raises :class:`Malformed`. Text that can be parsed but breaks the rules
raises :class:`byzanz.rules.Illegal`. This package imports only :mod:`byzanz.rules` and the
standard library. It opens no files; it reads the streams that it is given.
"""

from .judge import Verdict, judge
from .position import is_position, parse_state, parse_view, write_state, write_view
from .proof import PROOF, ProofFault, check_proof, drawn_by_server
from .record import FORMAT, Record, write_plays, write_record
from .text import Fault, Malformed, parse_action, parse_card, parse_kind, write_action, write_cards
from .view_json import event_data, legal_data, read_view, view_data

__all__ = [
    "FORMAT",
    "PROOF",
    "Fault",
    "Malformed",
    "ProofFault",
    "Record",
    "Verdict",
    "check_proof",
    "drawn_by_server",
    "event_data",
    "is_position",
    "judge",
    "legal_data",
    "parse_action",
    "parse_card",
    "parse_kind",
    "parse_state",
    "parse_view",
    "read_view",
    "view_data",
    "write_action",
    "write_cards",
    "write_plays",
    "write_record",
    "write_state",
    "write_view",
]
