"""Inference: the network's weights, its compiled forward pass, decisions and win probabilities.

The package needs only NumPy and Numba; :mod:`byzanz.network.torch_forward`, which must be imported
by name, needs PyTorch. :mod:`byzanz.training` trains networks. The inputs are the features and the
legal-action mask of a View, and nothing else. This package imports only rules, encoding and fast.
"""

from .network import Network
from .weights import SHIPPED, Calibration, Layer, Weights

__all__ = ["SHIPPED", "Calibration", "Layer", "Network", "Weights"]
