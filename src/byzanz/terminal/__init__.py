"""The game in a terminal: a prompt for playing, drawings of positions, progress bars and results.

This package shows the game and reads input; :mod:`byzanz.rules` decides what happens in the game.
Texts for players are in the language of the given translations, English by default. Players type
the same notation in every language.
"""

from .drawing import draw_position
from .game import Seating, play_at_terminal
from .simulation import run_simulation

__all__ = ["Seating", "draw_position", "play_at_terminal", "run_simulation"]
