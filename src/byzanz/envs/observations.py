"""The observation space that PettingZoo and Gymnasium share."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from byzanz.encoding import FEATURES, NUMBERS


def observation_space() -> spaces.Dict:
    """Return the space of one observation: the features of a view, and the action mask."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 255, (FEATURES,), np.uint8),
            "action_mask": spaces.Box(0, 1, (NUMBERS,), np.int8),
        }
    )
