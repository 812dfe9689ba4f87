"""The draughts of the Sahara and the Arab world: rules, and thousands of boards in step.

`VectorEnv` is the batch; `Game` and `Position` are for looking at single positions.
`damma.gym` (Gymnasium) and `damma.aec` (PettingZoo) are imported on their own, because each needs
a package that this one does without; `damma.render` draws positions.
"""

from damma._native import (
    CAUSES,
    MAX_BOARDS,
    NO_ACTION,
    AlphaBeta,
    Finals,
    Game,
    IllegalAction,
    Position,
    __version__,
    presets,
)
from damma.vector import VectorEnv

__all__ = [
    "CAUSES",
    "MAX_BOARDS",
    "NO_ACTION",
    "AlphaBeta",
    "Finals",
    "Game",
    "IllegalAction",
    "Position",
    "VectorEnv",
    "__version__",
    "presets",
]
