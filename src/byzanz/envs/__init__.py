"""Environments for reinforcement learning: adapters for the common interfaces.

There is one module for each interface: :mod:`byzanz.envs.pettingzoo` (every seat is an agent),
:mod:`byzanz.envs.gymnasium` (one learner against bots, and many games at once) and
:mod:`byzanz.envs.openspiel`. Each module imports the library that it is named after. The package
itself imports none of them, so import the module that you need. An adapter contains no rules, shows
a seat no more than its view, and takes all randomness from seeds.
"""

from .rewards import REWARDS, batch_rewards, check_reward, rewards_of

__all__ = ["REWARDS", "batch_rewards", "check_reward", "rewards_of"]
