"""Stable-Baselines3's view of the boards; skipped where it is not installed."""

import numpy as np
import pytest

pytest.importorskip("stable_baselines3")

from damma.sb3 import DammaVecEnv


def test_games_end_with_what_stable_baselines_wants() -> None:
    env = DammaVecEnv("kharberg", 8, opponent="random")
    env.seed(3)
    observations = env.reset()
    rng = np.random.default_rng(0)
    ended = 0
    for _ in range(100):
        masks = np.stack(env.env_method("action_masks"))
        assert observations.shape == (8, *env.observation_space.shape) and masks.any(axis=1).all()
        actions = np.where(masks, rng.random(masks.shape), -1).argmax(axis=1)
        observations, rewards, dones, infos = env.step(actions)
        for board, info in enumerate(infos):
            assert ("terminal_observation" in info) == dones[board]
            assert dones[board] or rewards[board] == 0
        ended += int(dones.sum())
    assert ended > 0 and env.has_attr("action_masks")
