"""Byzanz, the auction card game by Emanuele Ornella: rules, notation, bots and a table to play at.

The packages, lowest layer first: :mod:`byzanz.locale`, :mod:`byzanz.rules`,
:mod:`byzanz.notation`, :mod:`byzanz.messages`, :mod:`byzanz.encoding`, :mod:`byzanz.fast`,
:mod:`byzanz.network`, :mod:`byzanz.search`, :mod:`byzanz.bots`, :mod:`byzanz.datasets`,
:mod:`byzanz.arena`, :mod:`byzanz.coach` and :mod:`byzanz.tables`; then, in one layer,
:mod:`byzanz.web`, :mod:`byzanz.terminal`, :mod:`byzanz.envs` and :mod:`byzanz.training`; and at the
top :mod:`byzanz.cli`. A package imports only packages from lower layers.
"""

__version__ = "0.1.0"
