"""`VectorEnv`: `N` boards of one game, stepped together, with outputs that are never copied.

Shapes: `N` boards, `A` actions, `W = ceil(A / 64)` words of a packed mask, `[C, H, W]` an
observation. Actions, masks and observations are from the view of the player who decides (who may
decide several times in a row); rewards belong to White and Black.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from damma._native import Batch, Finals, Game, Position

AutoReset = Literal["same_step", "next_step", "off"]
IllegalPolicy = Literal["error", "resample", "lose"]


class VectorEnv:
    """`N` boards of one game, stepped together.

    The attributes below are read-only numpy views of memory that the engine writes in place: they
    are made once, cost nothing, and change with every call that steps or resets. Copy what must
    last. They go to other libraries by DLPack or the array interface, also without a copy.

    Attributes:
        packed_masks: `[N, W]` of uint64; action `a` is bit `a % 64` of word `a // 64`. Nothing is
            set where the game is over.
        rewards: `[N, 2]` of float32: what the last step earned White and Black.
        current_players: `[N]` of uint8: 0 where White decides, 1 where Black does.
        terminated: `[N]` of bool: whose game the last step won, lost or drew.
        truncated: `[N]` of bool: whose game the last step cut off at `max_turns`.
        causes: `[N]` of uint8: why, each an index into `damma.CAUSES`.
        game: The `Game`.
        num_envs: How many boards there are, `N`.
    """

    def __init__(
        self,
        preset: str | Game = "zamma",
        num_envs: int = 4096,
        *,
        rules: Mapping[str, Any] | None = None,
        seed: int = 0,
        autoreset: AutoReset = "same_step",
        illegal: IllegalPolicy = "error",
        dense_masks: bool = False,
        observations: Literal["f32", "u8"] | None = None,
        random_openings: tuple[int, int] | None = None,
        start_positions: Sequence[str] | None = None,
        threads: int = 0,
    ) -> None:
        """Makes the boards and starts a game on each.

        Args:
            preset: The game: a preset's name (`damma.presets()` lists them) or a `Game`.
            num_envs: How many boards, 1 to `damma.MAX_BOARDS`.
            rules: Options that differ from the preset, such as `{"capture": "forced"}`.
            seed: Where all randomness comes from; every board has a stream of its own.
            autoreset: What happens to a board whose game has ended. `"same_step"`: the step that
                ends a game already shows the next start, and `finals()` has what ended.
                `"next_step"`: the step after it does not read the board's action and shows the
                next start. `"off"`: the board waits for `reset_boards`.
            illegal: What an illegal action does. `"error"`: `IllegalAction`, and no board has
                changed. `"resample"`: the board draws a legal one. `"lose"`: the decider loses.
            dense_masks: Whether `masks` is kept.
            observations: Whether `observations` are written, and as what: `"f32"` scales counters
                to about 0 to 1, `"u8"` leaves them counts.
            random_openings: Games start after so many random actions, from `(least, most)`.
            start_positions: Games start at one of these positions, drawn anew for each game.
            threads: How many threads step the boards: 1 the caller's alone, 0 all cores. Results
                are the same. Use 1 in processes that fork.
        """
        if isinstance(preset, Game):
            if rules:
                raise ValueError("a Game has its rules already; give rules with a preset's name")
            game = preset
        else:
            game = Game(preset, dict(rules) if rules else None)
        options: dict[str, Any] = {
            "num_envs": num_envs,
            "seed": seed,
            "autoreset": autoreset,
            "illegal": illegal,
            "dense_masks": dense_masks,
            "observations": observations,
            "random_openings": random_openings,
            "start_positions": None if start_positions is None else list(start_positions),
            "threads": threads,
        }
        self._attach(game, options, Batch(game, **options))

    def _attach(self, game: Game, options: dict[str, Any], batch: Batch) -> None:
        self.game = game
        self.num_envs = options["num_envs"]
        self._options = options
        self._batch = batch
        self.packed_masks = batch.packed_masks
        dense = batch.dense_masks
        self._masks = None if dense is None else dense.view(np.bool_)
        planes = batch.observations
        self._observations = batch.byte_observations if planes is None else planes
        self.rewards = batch.rewards
        self.current_players = batch.current_players
        self.terminated = batch.terminated.view(np.bool_)
        self.truncated = batch.truncated.view(np.bool_)
        self.causes = batch.causes

    def __len__(self) -> int:
        """Counts the boards, `N`."""
        return self.num_envs

    def __repr__(self) -> str:
        """Names the game and the number of boards."""
        return f"<damma.VectorEnv of {self.num_envs} boards of {self.game!r}>"

    @property
    def masks(self) -> NDArray[np.bool_]:
        """The action masks, `[N, A]` of bool; a view like the attributes.

        Raises:
            AttributeError: The batch was made without `dense_masks`.
        """
        if self._masks is None:
            raise AttributeError("no masks are kept; make the batch with dense_masks=True")
        return self._masks

    @property
    def observations(self) -> NDArray[Any]:
        """The observations, `[N, C, H, W]` of float32 or uint8; a view like the attributes.

        Raises:
            AttributeError: The batch was made without `observations`.
        """
        if self._observations is None:
            raise AttributeError('no observations are written; give observations="f32" or "u8"')
        return self._observations

    def step(self, actions: ArrayLike) -> None:
        """Plays one action on every board; those of boards whose game is over are not read.

        Args:
            actions: `[N]` of integers. A contiguous uint16 array is read in place; anything else
                is converted.

        Raises:
            IllegalAction: Under `illegal="error"`, an action is not legal; no board has changed.
        """
        self._batch.step(as_actions(actions))

    def step_boards(self, boards: ArrayLike, actions: ArrayLike) -> None:
        """Plays one action on some boards; all that is said of the others stays as it is.

        Args:
            boards: `[K]` of integers, each board at most once.
            actions: `[K]` of integers.
        """
        indices = as_boards(boards)
        self._batch.step_boards(indices, as_actions(actions, indices))

    def reset(self, seed: int | None = None) -> None:
        """Starts a new game on every board and all random streams anew, from `seed` if given."""
        self._batch.reset(seed)
        if seed is not None:
            self._options["seed"] = seed

    def reset_boards(self, boards: ArrayLike, seeds: ArrayLike | None = None) -> None:
        """Starts a new game on some boards `[K]`; with `seeds` `[K]` also their random streams."""
        numbers = None if seeds is None else np.ascontiguousarray(seeds, np.uint64)
        self._batch.reset_boards(as_boards(boards), numbers)

    def set_positions(self, boards: ArrayLike, positions: Sequence[str | Position]) -> None:
        """Starts a game on some boards `[K]`, each from a position of its own."""
        self._batch.set_positions(as_boards(boards), [str(position) for position in positions])

    def sample_legal(self, out: NDArray[np.uint16] | None = None) -> NDArray[np.uint16]:
        """Draws a legal action on every board from its own stream, all with the same chance.

        Args:
            out: `[N]` of uint16, contiguous: where to write. Without it a new array is made.

        Returns:
            The actions, `[N]`; `damma.NO_ACTION` where the game is over.
        """
        if out is None:
            out = np.empty(self.num_envs, np.uint16)
        self._batch.sample_legal(out)
        return out

    def legal_lists(self) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        """Lists the legal actions of all boards as compressed rows.

        Returns:
            `indptr`, `[N + 1]`, and `indices`: the actions of board `b` are
            `indices[indptr[b]:indptr[b + 1]]`, ascending. New arrays.
        """
        return self._batch.legal_lists()

    def finals(self) -> Finals:
        """Gives the games that ended in the last call that stepped; it keeps when play goes on."""
        return self._batch.finals()

    def state(self, board: int) -> Position:
        """Gives the game in progress on a board, with the history that draws depend on."""
        return self._batch.state(board)

    def position(self, board: int) -> str:
        """Gives the position of a board as text."""
        return self._batch.position(board)

    def action_text(self, board: int, action: int) -> str:
        """Writes an action as text, such as `a3-a4`, in the position of a board."""
        return self._batch.action_text(board, action)

    def parse_action(self, board: int, text: str) -> int:
        """Finds the legal action that a text means on a board."""
        return self._batch.parse_action(board, text)

    def episode_length(self, board: int) -> int:
        """Counts the actions of a board's game, those of a random opening left out."""
        return self._batch.episode_length(board)

    @property
    def statistics(self) -> dict[str, Any]:
        """Totals over all games that ended: games, wins, causes, actions, turns."""
        return self._batch.statistics()

    def clear_statistics(self) -> None:
        """Sets the totals to nothing."""
        self._batch.clear_statistics()

    def clone(self) -> VectorEnv:
        """Gives a batch of its own in the same state, random streams included."""
        twin = object.__new__(type(self))
        twin._attach(self.game, dict(self._options), self._batch.clone())
        return twin

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> VectorEnv:
        """Gives a clone."""
        return self.clone()

    def save(self) -> bytes:
        """Gives everything that the future of the batch depends on, as bytes."""
        return self._batch.save()

    def restore(self, saved: bytes) -> None:
        """Puts a saved batch back into one made with the same arguments."""
        self._batch.restore(saved)

    def __getstate__(self) -> dict[str, Any]:
        """Gives the arguments and the saved batch."""
        return {"game": self.game, "options": self._options, "saved": self.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Makes the batch and puts its state back."""
        batch = Batch(state["game"], **state["options"])
        batch.restore(state["saved"])
        self._attach(state["game"], state["options"], batch)

    def _native_rollout(self, steps: int) -> None:
        """Samples and steps so many times without Python, to measure what Python costs."""
        self._batch.rollout(steps)


def as_actions(actions: ArrayLike, boards: NDArray[np.uintp] | None = None) -> NDArray[np.uint16]:
    """Gives actions as contiguous uint16, the same array if it is that already.

    Args:
        actions: Integers of any type; numbers that no action has stay numbers that none has.
        boards: Which boards they are for, where not all.

    Raises:
        TypeError: They are not integers.
        ValueError: One does not fit into 16 bits.
    """
    array = np.asarray(actions)
    if array.dtype == np.uint16:
        return np.ascontiguousarray(array)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"actions are integers, but these are {array.dtype}; use uint16")
    wrong = (array < 0) | (array > np.iinfo(np.uint16).max)
    if wrong.any():
        at = int(np.argmax(wrong))
        board = at if boards is None else int(boards[at])
        raise ValueError(f"action {array.flat[at]} of board {board} is no action: 0 to 65535 fit")
    return np.ascontiguousarray(array, np.uint16)


def as_boards(boards: ArrayLike) -> NDArray[np.uintp]:
    """Gives board numbers as contiguous unsigned integers.

    Raises:
        IndexError: One is negative.
        TypeError: They are not integers.
    """
    array = np.asarray(boards)
    if array.dtype.kind not in "iu" and array.size:
        raise TypeError(f"boards are integers, but these are {array.dtype}; use np.flatnonzero")
    if array.dtype.kind == "i" and (array < 0).any():
        raise IndexError(f"there is no board {array.min()}; boards are counted from 0")
    return np.ascontiguousarray(array, np.uintp)
