"""Byzanz for Gymnasium: one learner against others, many such games at once, and self-play.

Importing this module registers ``Byzanz-v1`` and ``Byzanz-v0``.

* ``gymnasium.make("Byzanz-v1", opponents=["trader", "random"])`` makes a :class:`ByzanzEnvV1`: one
  game.
* ``gymnasium.make_vec("Byzanz-v1", num_envs=1024, opponents=["trader", "random"])`` makes a
  :class:`ByzanzVectorEnv`: many games. It takes the same arguments with the same defaults.
* :class:`ByzanzSelfPlayEnv` has many games in which the caller plays every seat in turn.

**Opponents.** Compiled policies play the other seats: ``random``, ``sensible``, ``trader``,
``emperor``, and the bots ``level1`` to ``level9`` (:mod:`byzanz.envs.policies`). Each seat can have
a different policy. A single game can also be played against any bots by name, on the readable
rules.

**Observation.** A ``Dict`` with two entries. ``observation`` is a ``Box(0, 255, (FEATURES,),
uint8)`` with the pieces of :data:`byzanz.encoding.PIECES`; it holds only what the learner may know.
``action_mask`` is a ``Box(0, 1, (289,), int8)``, which is 1 for each legal number and all 0 when
the game is over. Seats are relative: slot 0 is the learner. ``action_masks()`` returns the mask as
booleans, and ``info["action_mask"]`` of a single game holds it too.

**Actions.** ``Discrete(289)``, the numbers of :mod:`byzanz.encoding.numbers`. A bid is laid card by
card, in face order, and then confirmed. After each action of the learner the others play until it
is the learner's turn again. The learner cannot sell out of turn; bots can.

**Rewards.** ``"win"`` or ``"profit"``, at the end of the game: see :mod:`byzanz.envs.rewards`.

**Illegal numbers.** The game does not change, the reward is ``-illegal_penalty`` (-0.1 by default),
and ``info["refusal"]`` says why the number is illegal. A learner that plays only illegal numbers
never finishes a game; ``gymnasium.wrappers.TimeLimit`` stops it.

**End of a game.** ``terminated`` is true when the game is over, and ``info`` then holds ``profit``
and ``share`` (of the win) by seat. ``truncated`` is never true. With many games, a new game follows
as Gymnasium defines it. With ``AutoresetMode.NEXT_STEP``, the default, the next step ignores the
game's action, gives the reward 0 and returns the first observation of the new game. With
``SAME_STEP``, the same step returns the first observation of the new game, and
``infos["final_obs"]`` and ``infos["final_info"]`` hold the end of the old one.

**Seeds.** ``reset(seed=7)`` deals the cards of seed 7 (``docs/dealing.md``) and seeds the opponents
from it; against bots, the game is the first of ``byzanz simulate --seed 7``. Game *i* of a vector
is dealt from seed + *i*. Later games follow from the seed too.

All environments can be copied (``copy.deepcopy``) and pickled in the middle of a game; the copy
continues exactly as the original does.

**Version history**

* v1: opponents are compiled policies, on the compiled engine; the same arguments and defaults for
  one game and for many; ``engine``, ``autoreset_mode``, ``action_masks()``.
* v0: one game against bots on the readable rules (default ``greedy``), and many games against one
  policy, named ``opponent``.
"""

from __future__ import annotations

import gymnasium

from .single_env import ILLEGAL_PENALTY, ByzanzEnv, ByzanzEnvV1
from .vector_env import ByzanzSelfPlayEnv, ByzanzVectorEnv

__all__ = [
    "ILLEGAL_PENALTY",
    "ByzanzEnv",
    "ByzanzEnvV1",
    "ByzanzSelfPlayEnv",
    "ByzanzVectorEnv",
]

for _version, _entry in (("v0", ByzanzEnv), ("v1", ByzanzEnvV1)):
    gymnasium.register(
        f"Byzanz-{_version}",
        entry_point=f"byzanz.envs.gymnasium:{_entry.__name__}",
        vector_entry_point="byzanz.envs.gymnasium:ByzanzVectorEnv",
    )
