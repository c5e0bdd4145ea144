"""Reasons: what speaks for an action and against it.

Every reason is a code with parameters that are computed from one seat's view. It has no free text.
``docs/reasons.md`` states in words when each code applies. :func:`byzanz.messages.reason_text`
renders a reason in the reader's language.
"""

from .finding import NAMING_ANOTHER, Comparison, compare, reasons
from .ranking import SHOWN, rank
from .reason import TEMPLATES, Parameter, Reason

__all__ = [
    "NAMING_ANOTHER",
    "SHOWN",
    "TEMPLATES",
    "Comparison",
    "Parameter",
    "Reason",
    "compare",
    "rank",
    "reasons",
]
