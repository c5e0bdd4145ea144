"""Charts as SVG: standings of a league, the matrix of a cross-play, and training runs."""

from .matrix import matrix_chart
from .standings import standings_chart
from .training import reliability_chart, strength_chart

__all__ = ["matrix_chart", "reliability_chart", "standings_chart", "strength_chart"]
