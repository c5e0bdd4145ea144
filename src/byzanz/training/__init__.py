"""Training of the network by self-play and against a league of opponents, and its evaluation.

Games are played on the compiled engine. Most modules import PyTorch (the extra ``train``), and no
other package does; this module, the settings and the calibration do without it. This package
imports arena (for charts), search, network, fast, encoding, notation and rules, and nothing above.
Training writes a file of weights that :mod:`byzanz.network` plays without PyTorch.
"""

from .settings import Schedule, Settings

__all__ = ["Schedule", "Settings"]
