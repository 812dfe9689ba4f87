"""Observation planes as spaces, and as the player who does not decide would see them."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from damma._native import Game

SWAPPED = {
    "own_men": "enemy_men",
    "own_kings": "enemy_kings",
    "enemy_men": "own_men",
    "enemy_kings": "own_kings",
}


def observation_box(game: Game, kind: str) -> spaces.Box:
    """Gives the space of one observation `[C, H, W]` of `"f32"` or `"u8"`.

    Counters are scaled by their limits, and the last position of a drawn game is one past its
    limit: hence 2 and not 1.
    """
    if kind == "u8":
        return spaces.Box(0, 255, game.observation_shape, np.uint8)
    return spaces.Box(0.0, 2.0, game.observation_shape, np.float32)


class OtherView:
    """Turns observations to the view of the player who does not decide."""

    def __init__(self, game: Game) -> None:
        """Looks up which planes belong to whom."""
        planes = game.planes
        self._order = [planes.index(SWAPPED.get(plane, plane)) for plane in planes]

    def __call__(self, observations: NDArray[np.generic]) -> NDArray[np.generic]:
        """Swaps the pieces' planes and turns the board by half a turn.

        Args:
            observations: `[..., C, H, W]`, from the decider's view.

        Returns:
            A new array of the same shape. The other planes say of the decider what they said.
        """
        return np.ascontiguousarray(observations[..., self._order, ::-1, ::-1])
