"""How the network learns the game by itself: self-play, a league, and the measuring of both.

Games are played on the compiled engine, in a stream; :mod:`byzanz.training.model` and others
import PyTorch (the extra ``train``), and they alone in this package do. They import bots, network,
fast and encoding, what learns from records also notation and rules, and nothing above. What
training leaves behind is a file of weights that :mod:`byzanz.network` plays with, without PyTorch.
"""

from .settings import Fade, Settings

__all__ = ["Fade", "Settings"]
