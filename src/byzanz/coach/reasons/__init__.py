"""Reasons in words: what speaks for an action and against it.

Every reason is a code with parameters, computed from one seat's view: never free text.
``docs/reasons.md`` states in words when each code applies. :func:`byzanz.messages.reason_text`
renders a reason in the reader's language.
"""

from .finding import Comparison, compare, reasons
from .ranking import SHOWN, rank
from .reason import TEMPLATES, Parameter, Reason

__all__ = [
    "SHOWN",
    "TEMPLATES",
    "Comparison",
    "Parameter",
    "Reason",
    "compare",
    "rank",
    "reasons",
]
