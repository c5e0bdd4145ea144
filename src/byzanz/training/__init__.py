"""Training and evaluation of the network, by self-play and against a league of opponents.

Games are played on the compiled engine. Most modules of this package import PyTorch (the extra
``train``); this module, the settings and the calibration do not. No other package imports PyTorch.
This package imports arena (for charts), search, network, fast, encoding, notation and rules.
Training writes a file of weights that :mod:`byzanz.network` plays without PyTorch.
"""

from .settings import Schedule, Settings

__all__ = ["Schedule", "Settings"]
