"""The network that learnt the game: its weights, and what it makes of a position.

Here live the file of weights, the compiled forward pass, whole decisions and win chances. It runs
on NumPy and Numba alone; who trains it is :mod:`byzanz.training`. Inputs are the features and masks
of a View and nothing else. This room imports rules, encoding and fast, and nothing above.
"""

from .network import Network
from .weights import SHIPPED, Correction, Layer, Weights

__all__ = ["SHIPPED", "Correction", "Layer", "Network", "Weights"]
