"""The game in a terminal: the table drawn with rich, a prompt to play at, progress and tables.

This room draws and asks; it decides nothing about the game. It imports every room below and is
imported by the door alone. What it says is in the language of the translations it is given,
English if none; what is typed is notation in every language.
"""

from .drawing import draw_position
from .game import Seating, play_at_terminal
from .simulation import run_simulation

__all__ = ["Seating", "draw_position", "play_at_terminal", "run_simulation"]
