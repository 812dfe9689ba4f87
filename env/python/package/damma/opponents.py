"""Opponents for single-agent environments: whoever chooses actions on some boards of a batch."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from damma._native import AlphaBeta
from damma.vector import VectorEnv

Opponent = Callable[[VectorEnv, NDArray[np.intp], np.random.Generator], NDArray[np.integer]]
"""Gets the batch, the boards `[K]` where it must decide, and the environment's generator; gives
legal actions `[K]`."""


def opponent_named(name: str | Opponent) -> Opponent:
    """Gives the opponent of a name: `random`, `ab-1` to `ab-12`, `ab:dDEPTH` or `ab:nNODES`.

    A callable is an opponent already.
    """
    if callable(name):
        return name
    if name == "random":
        return random_opponent
    if not name.startswith("ab"):
        raise ValueError(f"`{name}` names no opponent; use random, ab-1 to ab-12, or a callable")
    return AlphaBetaOpponent(name)


def random_opponent(
    env: VectorEnv, boards: NDArray[np.intp], rng: np.random.Generator
) -> NDArray[np.uint16]:
    """Draws a legal action on each board, all with the same chance."""
    indptr, indices = env.legal_lists()
    first = indptr[boards].astype(np.int64)
    counts = indptr[boards + 1] - first
    return indices[first + rng.integers(0, counts)]


class AlphaBetaOpponent:
    """Plays as the alpha-beta baseline does; the environment's openings must bring the variety."""

    def __init__(self, level: str) -> None:
        """Takes a level, such as `ab-3`."""
        self._baseline = AlphaBeta(level)

    def __call__(
        self, env: VectorEnv, boards: NDArray[np.intp], rng: np.random.Generator
    ) -> NDArray[np.uint16]:
        """Searches on each board."""
        return self._baseline.choose(env._batch, boards.tolist())
