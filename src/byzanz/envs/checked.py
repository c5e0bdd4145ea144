"""One wrapper instead of PettingZoo's three, each of which would forward every attribute."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

from byzanz.encoding import NUMBERS, IllegalNumber


def _checked(name: str) -> property:
    """Return a property that forwards an attribute, and raises AttributeError before reset()."""

    def forward(self: CheckedEnv) -> Any:
        if not self._has_reset:
            raise AttributeError(f"{name} cannot be accessed before reset")
        return getattr(self.env, name)

    return property(forward)


class CheckedEnv(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """An environment that checks the order of calls, the bounds of actions and their legality.

    It does what PettingZoo's OrderEnforcingWrapper, AssertOutOfBoundsWrapper and
    TerminateIllegalWrapper do together: a number that is out of bounds raises AssertionError, and
    an illegal number ends the game with ``illegal_reward`` for the agent and 0 for the others.
    """

    agents = _checked("agents")
    agent_selection = _checked("agent_selection")
    rewards = _checked("rewards")
    terminations = _checked("terminations")
    truncations = _checked("truncations")
    infos = _checked("infos")
    num_agents = _checked("num_agents")

    def __init__(self, env: Any, illegal_reward: float) -> None:
        super().__init__(env)
        self.illegal_reward = illegal_reward

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Return observation, reward, termination, truncation and info of the agent to act."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        last: tuple[Any, float, bool, bool, dict[str, Any]] = self.env.last(observe)
        return last

    def step(self, action: Any) -> None:
        """Play this number for the agent to act; a terminated agent plays None."""
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        env = self.env
        if not env.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = env.agent_selection
        if action is None:
            allowed = env.terminations[agent] or env.truncations[agent]
        elif isinstance(action, int | np.integer):
            allowed = 0 <= action < NUMBERS
        else:
            allowed = env.action_space(agent).contains(action)
        if not allowed:
            raise AssertionError("action is not in action space")
        try:
            env.step(action)
        except IllegalNumber:
            self._end_game(agent)

    def _end_game(self, agent: str) -> None:
        """End the game because this agent played an illegal number."""
        EnvLogger.warn_on_illegal_move()
        env = self.env
        env.terminations = dict.fromkeys(env.agents, True)
        env.truncations = dict.fromkeys(env.agents, True)
        env.rewards = dict.fromkeys(env.agents, 0.0)
        env.rewards[agent] = float(self.illegal_reward)
        env._cumulative_rewards[agent] = 0.0
        env._accumulate_rewards()
        env._deads_step_first()

    def __str__(self) -> str:
        return str(self.env)
