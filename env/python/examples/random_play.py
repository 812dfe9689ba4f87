"""Random play on thousands of boards, with totals of how games end.

python random_play.py [PRESET]
"""

from __future__ import annotations

import sys
import time

import numpy as np

import damma


def main() -> None:
    """Plays and prints."""
    preset = sys.argv[1] if len(sys.argv) > 1 else "zamma"
    env = damma.VectorEnv(preset, num_envs=4096, seed=1)
    actions = np.empty(env.num_envs, np.uint16)
    steps = 1000
    began = time.perf_counter()
    for _ in range(steps):
        env.sample_legal(out=actions)
        env.step(actions)
    seconds = time.perf_counter() - began
    totals = env.statistics
    games = totals["games"]
    print(f"{preset}: {env.num_envs * steps / seconds / 1e6:.1f} million steps a second")
    length = totals["actions"] / max(games, 1)
    print(f"{games} games of {length:.1f} actions on average, wins {totals['wins']}")
    for cause, count in totals["causes"].items():
        print(f"  {cause:<12} {count / max(games, 1):6.1%}")
    print(env.state(0).ansi())


if __name__ == "__main__":
    main()
