"""Environments for learning agents: the game through the interfaces that researchers know.

Here live thin adapters, one file for each interface, and the rewards that they share:
:mod:`byzanz.envs.pettingzoo` (all seats in turn), :mod:`byzanz.envs.gymnasium` (one learner against
bots, and many games at once) and :mod:`byzanz.envs.openspiel`. Each imports the library that it is
named after, so this room imports none of them by itself: ask for the adapter that you need. They
import rules, notation, encoding, fast and bots, and nothing above. An adapter keeps no rule of its
own, never shows a seat more than its view, and takes chance from seeds alone.
"""

from .rewards import REWARDS, check_reward, rewards_of, rewards_of_all

__all__ = ["REWARDS", "check_reward", "rewards_of", "rewards_of_all"]
