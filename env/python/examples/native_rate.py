"""Says what Python costs: steps a second through Python over those of the same loop in Rust.

python native_rate.py [PRESET]   N = 4096, one thread; the median of several pairs of runs
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np

import damma

BOARDS = 4096
STEPS = 200
PAIRS = 7


def python_rate(env: damma.VectorEnv, actions: np.ndarray) -> float:
    """Gives steps a second of the loop in Python."""
    began = time.perf_counter()
    for _ in range(STEPS):
        env.sample_legal(out=actions)
        env.step(actions)
    return BOARDS * STEPS / (time.perf_counter() - began)


def native_rate(env: damma.VectorEnv) -> float:
    """Gives steps a second of the loop in Rust."""
    began = time.perf_counter()
    env._native_rollout(STEPS)
    return BOARDS * STEPS / (time.perf_counter() - began)


def main() -> None:
    """Measures in turns, so that a slow moment of the machine hits both."""
    preset = sys.argv[1] if len(sys.argv) > 1 else "zamma"
    env = damma.VectorEnv(preset, BOARDS, threads=1)
    actions = np.empty(BOARDS, np.uint16)
    python_rate(env, actions)
    pairs = [(python_rate(env, actions), native_rate(env)) for _ in range(PAIRS)]
    python, native = (statistics.median(rates) for rates in zip(*pairs, strict=True))
    print(f"{preset}, N = {BOARDS}, 1 thread")
    print(f"  Rust   {native / 1e6:6.2f} million steps a second")
    print(f"  Python {python / 1e6:6.2f} million steps a second, {python / native:.1%} of it")


if __name__ == "__main__":
    main()
