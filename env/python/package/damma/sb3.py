"""Stable-Baselines3: a `DammaVectorEnv` as its `VecEnv`, with masks for sb3-contrib's MaskablePPO.

All boards stay in one batch; nothing is forked, and masks come as one array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv

from damma._native import CAUSES
from damma.gym import DammaVectorEnv


class DammaVecEnv(VecEnv):
    """`N` games of an agent against an opponent; arguments are those of `DammaVectorEnv`.

    Observations are `[N, C, H, W]`. The info of a game that ended has `terminal_observation`,
    `TimeLimit.truncated`, `cause` (one of `damma.CAUSES`) and `episode` (its return `r` and
    length `l`), which Stable-Baselines3 puts into its logs.
    """

    def __init__(self, preset: str = "kharberg", num_envs: int = 64, **options: Any) -> None:
        """Makes the boards."""
        same_step = AutoresetMode.SAME_STEP
        self.env = DammaVectorEnv(preset, num_envs, autoreset_mode=same_step, **options)
        self._actions = np.zeros(num_envs, np.int64)
        self._lengths = np.zeros(num_envs, np.int64)
        self._masks = np.zeros((num_envs, 0), np.int8)
        super().__init__(num_envs, self.env.single_observation_space, self.env.single_action_space)

    def reset(self) -> NDArray[Any]:
        """Starts new games on all boards, with the seed given to `seed` if there is one."""
        observations, info = self.env.reset(seed=self._seeds[0])
        self._reset_seeds()
        self._lengths[:] = 0
        self._masks = info["action_mask"]
        return observations

    def step_async(self, actions: NDArray[np.integer]) -> None:
        """Takes the agent's actions `[N]`."""
        self._actions = actions

    def step_wait(
        self,
    ) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Plays them, and the opponent's until the agent decides again."""
        observations, rewards, terminated, truncated, info = self.env.step(self._actions)
        self._masks = info["action_mask"]
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = terminated | truncated
        for board in np.flatnonzero(ended):
            infos[board] = {
                "terminal_observation": info["final_obs"][board],
                "TimeLimit.truncated": bool(truncated[board]),
                "cause": CAUSES[info["final_info"]["cause"][board]],
                "episode": {"r": float(rewards[board]), "l": int(self._lengths[board]), "t": 0.0},
            }
        self._lengths[ended] = 0
        return observations, rewards.astype(np.float32), ended, infos

    def action_masks(self) -> NDArray[np.bool_]:
        """Gives the action masks `[N, A]`."""
        return self._masks.astype(bool)

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        """Calls a method that gives one thing for each board."""
        owner = self if hasattr(type(self), method_name) else self.env
        results = getattr(owner, method_name)(*method_args, **method_kwargs)
        return [results[board] for board in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Gives an attribute, the same for each board."""
        owner = self if hasattr(type(self), attr_name) else self.env
        return [getattr(owner, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute for all boards."""
        setattr(self.env, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> Sequence[bool]:
        """Says that no board is wrapped."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Closes the boards."""
        self.env.close()
