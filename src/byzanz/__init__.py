"""Byzanz, the auction card game by Emanuele Ornella: rules, notation, bots and a table to play at.

The rooms, from the ground up: :mod:`byzanz.rules`, :mod:`byzanz.notation`,
:mod:`byzanz.telling`, :mod:`byzanz.bots`, :mod:`byzanz.arena`, :mod:`byzanz.terminal` and the
door, :mod:`byzanz.cli`. Imports point down only.
"""

__version__ = "0.1.0"
