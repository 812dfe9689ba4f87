"""Learns Kharberg with sb3-contrib's MaskablePPO, and says how it does against random play.

    pip install 'damma[examples]' && python ppo_kharberg.py

Some minutes on two cores. The opponent in training is random play, with a new side each game.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
from sb3_contrib import MaskablePPO

from damma.sb3 import DammaVecEnv


def score(
    model: MaskablePPO, opponent: str, games: int, seed: int, **options: object
) -> tuple[int, int, int]:
    """Plays games with random sides and counts (won, drawn, lost).

    Every board plays the same number of games, so that short games do not count more often.
    """
    boards = min(games, 50)
    env = DammaVecEnv("kharberg", boards, opponent=opponent, **options)
    env.seed(seed)
    observations = env.reset()
    left = np.full(boards, -(-games // boards))
    counts = {1: 0, 0: 0, -1: 0}
    while left.any():
        masks = env.action_masks()
        actions, _ = model.predict(observations, action_masks=masks, deterministic=True)
        observations, rewards, ended, _ = env.step(actions)
        for board in np.flatnonzero(ended & (left > 0)):
            counts[int(rewards[board])] += 1
            left[board] -= 1
    return counts[1], counts[0], counts[-1]


def main() -> None:
    """Trains and prints the score."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=300_000, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=200, help="games of the final score")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    model = MaskablePPO(
        "MlpPolicy",
        DammaVecEnv("kharberg", 64, opponent="random"),
        n_steps=128,
        batch_size=1024,
        n_epochs=4,
        learning_rate=5e-4,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
        seed=arguments.seed,
        device="cpu",
    )
    won, drawn, lost = score(model, "random", 100, arguments.seed)
    print(f"       0 steps, untrained: {won}-{drawn}-{lost} of 100")
    began = time.monotonic()
    while model.num_timesteps < arguments.steps:
        steps = min(arguments.steps // 3, arguments.steps - model.num_timesteps)
        model.learn(steps, reset_num_timesteps=model.num_timesteps == 0)
        won, drawn, lost = score(model, "random", 100, arguments.seed)
        minutes = (time.monotonic() - began) / 60
        print(f"{model.num_timesteps:>8} steps, {minutes:.1f} min: {won}-{drawn}-{lost} of 100")
    won, drawn, lost = score(model, "random", arguments.games, arguments.seed + 1)
    share = won / (won + drawn + lost)
    print(f"against random: won {won}, drawn {drawn}, lost {lost}: {share:.1%} won")
    # Neither the policy nor ab-1 draws anything: random openings make the games differ.
    openings = {"random_openings": (4, 12)}
    won, drawn, lost = score(model, "ab-1", arguments.games, arguments.seed + 1, **openings)
    print(f"against ab-1:   won {won}, drawn {drawn}, lost {lost}, after random openings")


if __name__ == "__main__":
    main()
