"""Plots how long random games last in every preset, and draws a position of one.

python plot.py [FILE]  writes a PNG, by default lengths.png
"""

from __future__ import annotations

import sys

import matplotlib.pyplot as plt
import numpy as np

import damma


def lengths(preset: str, games: int = 2000) -> np.ndarray:
    """Plays random games, one on each board, and gives their lengths in turns `[games]`.

    One game a board and not the first that end, which would be the short ones.
    """
    env = damma.VectorEnv(preset, num_envs=games, autoreset="off", seed=1)
    turns = np.zeros(games, np.uint32)
    over = np.zeros(games, bool)
    while not over.all():
        env.step(env.sample_legal())
        finals = env.finals()
        turns[finals.boards] = finals.turns
        over[finals.boards] = True
    return turns


def main() -> None:
    """Plots to a file."""
    path = sys.argv[1] if len(sys.argv) > 1 else "lengths.png"
    names = [name for name, _ in damma.presets()]
    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
    left.boxplot([lengths(name) for name in names], tick_labels=names, showfliers=False)
    left.set_ylabel("turns of a random game")
    start = damma.Game("zamma").start()
    move = start.turn_texts()[0]
    right.imshow(start.play(move).rgb_array(last_move=move))
    right.set_title(f"zamma after {move}")
    right.axis("off")
    figure.savefig(path, dpi=120)
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
