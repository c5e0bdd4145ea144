"""The game in a terminal: a prompt to play at, drawn tables, progress bars and result tables.

This package draws and asks; :mod:`byzanz.rules` decides what happens in the game. Texts are in the
language of the translations given, English by default. Players type the notation, whatever the
language.
"""

from .drawing import draw_position
from .game import Seating, play_at_terminal
from .simulation import run_simulation

__all__ = ["Seating", "draw_position", "play_at_terminal", "run_simulation"]
