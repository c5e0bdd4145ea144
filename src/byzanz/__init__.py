"""Byzanz, the auction card game by Emanuele Ornella: rules, notation, bots and a table to play at.

The rooms, from the ground up: :mod:`byzanz.locale`, :mod:`byzanz.rules`, :mod:`byzanz.notation`,
:mod:`byzanz.messages`, :mod:`byzanz.encoding`, :mod:`byzanz.fast`, :mod:`byzanz.network`,
:mod:`byzanz.bots`, :mod:`byzanz.arena`, :mod:`byzanz.tables`; side by side :mod:`byzanz.web`,
:mod:`byzanz.terminal`, :mod:`byzanz.envs` and :mod:`byzanz.training`; and the door,
:mod:`byzanz.cli`. Imports point down only.
"""

__version__ = "0.1.0"
