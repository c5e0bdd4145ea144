"""What a learner is shown, whatever the interface."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from byzanz.encoding import FEATURES, NUMBERS


def observation_space() -> spaces.Dict:
    """The space of one observation: features of a View, and the mask of legal numbers."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 255, (FEATURES,), np.uint8),
            "action_mask": spaces.Box(0, 1, (NUMBERS,), np.int8),
        }
    )
