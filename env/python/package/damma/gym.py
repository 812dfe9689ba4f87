"""Gymnasium: one agent against a given opponent, `Damma/<preset>-v0`.

Importing this module registers the environments, for `gymnasium.make_vec` (thousands of boards in
one `VectorEnv`) and for `gymnasium.make` (one board, the same code).
"""

from __future__ import annotations

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from damma._native import CAUSES, presets
from damma.opponents import Opponent, opponent_named
from damma.planes import OtherView, observation_box
from damma.vector import VectorEnv, as_actions

RENDER_MODES = ("ansi", "rgb_array", "svg")
SIDES = ("white", "black", "random")
# So many games in a row that the opponent ends before the agent decides mean that all do.
MAX_RESTARTS = 100


class DammaVectorEnv(gymnasium.vector.VectorEnv):
    """`N` games of an agent against an opponent, which answers within `step`.

    Observations `[N, C, H, W]` are from the agent's view; rewards `[N]` are 1 for a win, -1 for a
    loss, else 0, and come with the step that the game ended in, whoever ended it.

    `info` has `action_mask` `[N, A]` of int8, `side` `[N]` of uint8 (the agent's: 0 White,
    1 Black) and `cause` `[N]` of uint8 (an index into `damma.CAUSES`; 0 while a game goes on). In
    same-step mode games that ended are in `final_obs` and `final_info`, as Gymnasium has them.
    """

    def __init__(
        self,
        preset: str = "zamma",
        num_envs: int = 1,
        *,
        opponent: str | Opponent = "random",
        side: Literal["white", "black", "random"] = "random",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        observations: Literal["f32", "u8"] = "f32",
        illegal: Literal["error", "resample", "lose"] = "lose",
        copy: bool = True,
        render_mode: str | None = None,
        threads: int = 1,
        **options: Any,
    ) -> None:
        """Makes the boards.

        Args:
            preset: The game, as in `damma.VectorEnv`.
            num_envs: How many boards, `N`.
            opponent: `random`, `ab-1` to `ab-12`, or a callable (see `damma.opponents`).
            side: Which side the agent plays; `"random"` draws it anew for each game.
            autoreset_mode: One of Gymnasium's; in disabled mode give `reset` a `reset_mask`.
            observations: `"f32"` or `"u8"`, as in `damma.VectorEnv`.
            illegal: What the agent's illegal action does, as in `damma.VectorEnv`.
            copy: Whether observations are new arrays. Without it they are read-only views that
                change with the next call.
            render_mode: `"ansi"`, `"rgb_array"` or `"svg"`.
            threads: How many threads step the boards; 0 all cores.
            options: Further arguments of `damma.VectorEnv`: `rules`, `random_openings`,
                `start_positions`.
        """
        if side not in SIDES:
            raise ValueError(f"`{side}` is no side; it takes {', '.join(SIDES)}")
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"`{render_mode}` is no render mode; use {', '.join(RENDER_MODES)}")
        self.boards = VectorEnv(
            preset,
            num_envs,
            autoreset="off",
            illegal=illegal,
            dense_masks=True,
            observations=observations,
            threads=threads,
            **options,
        )
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.copy = copy
        self.opponent = opponent_named(opponent)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "autoreset_mode": self.autoreset_mode,
        }
        game = self.boards.game
        self.single_observation_space = observation_box(game, observations)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.single_action_space = spaces.Discrete(game.action_count)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._other_view = OtherView(game)
        self._side = side
        self._sides = np.zeros(num_envs, np.uint8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts new games: on all boards, or on those of `options["reset_mask"]` `[N]` of bool."""
        first = self._np_random is None
        super().reset(seed=seed)
        if seed is not None or first:
            self.boards.reset(int(self.np_random.integers(1 << 63)))
        mask = (options or {}).get("reset_mask")
        chosen = np.ones(self.num_envs, bool) if mask is None else np.asarray(mask, bool)
        self._start(np.flatnonzero(chosen))
        return self._observations(), self._info()

    def step(
        self, actions: ArrayLike
    ) -> tuple[
        NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]
    ]:
        """Plays the agent's actions `[N]`, and the opponent's until the agent decides again."""
        actions = as_actions(actions)
        if actions.shape != (self.num_envs,):
            raise ValueError(f"{self.num_envs} actions expected, [N], but {actions.shape} given")
        was_over = self._over()
        live = np.flatnonzero(~was_over)
        self.boards.step_boards(live, actions[live])
        self._answer(live)
        if self.autoreset_mode == AutoresetMode.NEXT_STEP:
            self._start(np.flatnonzero(was_over))
        rewards = np.zeros(self.num_envs)
        rewards[live] = self.boards.rewards[live, self._sides[live]]
        terminated, truncated = self.boards.terminated.copy(), self.boards.truncated.copy()
        ended = np.flatnonzero(terminated | truncated)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and ended.size:
            last = self._final_info(ended)
            self._start(ended)
            return self._observations(), rewards, terminated, truncated, self._info() | last
        return self._observations(), rewards, terminated, truncated, self._info()

    def render(self) -> tuple[Any, ...] | None:
        """Draws every board in the render mode."""
        if self.render_mode is None:
            return None
        positions = (self.boards.state(board) for board in range(self.num_envs))
        return tuple(getattr(position, self.render_mode)() for position in positions)

    def action_masks(self) -> NDArray[np.bool_]:
        """Gives the action masks `[N, A]`, under the name that sb3-contrib looks for."""
        return self.boards.masks.copy()

    def _over(self) -> NDArray[np.bool_]:
        return self.boards.causes != 0

    def _start(self, boards: NDArray[np.intp]) -> None:
        """Starts games, until each has a decision of the agent's."""
        for _ in range(MAX_RESTARTS):
            if not boards.size:
                return
            self.boards.reset_boards(boards)
            if self._side == "random":
                self._sides[boards] = self.np_random.integers(0, 2, boards.size)
            else:
                self._sides[boards] = SIDES.index(self._side)
            self._answer(boards)
            boards = boards[self._over()[boards]]
        text = self.boards.position(int(boards[0]))
        raise RuntimeError(
            f"the opponent ended {MAX_RESTARTS} games on board {boards[0]} before the agent could "
            f"decide, the last at `{text}`; choose other starts or another side"
        )

    def _answer(self, boards: NDArray[np.intp]) -> None:
        """Lets the opponent play on some boards until the agent decides or the game is over."""
        while True:
            over = self.boards.causes[boards] != 0
            boards = boards[~over & (self.boards.current_players[boards] != self._sides[boards])]
            if not boards.size:
                return
            self.boards.step_boards(boards, self.opponent(self.boards, boards, self.np_random))

    def _observations(self) -> NDArray[Any]:
        """Gives the observations; a game that is over may stand at the opponent's decision."""
        turned = np.flatnonzero(self.boards.current_players != self._sides)
        if not turned.size and not self.copy:
            return self.boards.observations
        observations = self.boards.observations.copy()
        observations[turned] = self._other_view(observations[turned])
        return observations

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.boards.masks.astype(np.int8),
            "side": self._sides.copy(),
            "cause": self.boards.causes.copy(),
        }

    def _final_info(self, ended: NDArray[np.intp]) -> dict[str, Any]:
        which = np.zeros(self.num_envs, bool)
        which[ended] = True
        observations = np.full(self.num_envs, None, object)
        last = self._observations()
        for board in ended:
            observations[board] = last[board].copy()
        info: dict[str, Any] = {}
        for key, values in self._info().items():
            info |= {key: values, f"_{key}": which.copy()}
        return {
            "final_obs": observations,
            "_final_obs": which,
            "final_info": info,
            "_final_info": which.copy(),
        }


class DammaEnv(gymnasium.Env):
    """One game of an agent against an opponent; arguments are those of `DammaVectorEnv`.

    Observations are `[C, H, W]`; `info` has `action_mask` `[A]` of int8, `side` and `cause`.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self, preset: str = "zamma", *, render_mode: str | None = None, **options: Any
    ) -> None:
        """Makes the board."""
        disabled = AutoresetMode.DISABLED
        self.vector = DammaVectorEnv(
            preset, 1, autoreset_mode=disabled, render_mode=render_mode, **options
        )
        self.render_mode = render_mode
        self.observation_space = self.vector.single_observation_space
        self.action_space = self.vector.single_action_space

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Starts a new game."""
        super().reset(seed=seed)
        if seed is not None or self.vector._np_random is None:
            seed = int(self.np_random.integers(1 << 31))
        observations, info = self.vector.reset(seed=seed)
        return observations[0], _first(info)

    def step(self, action: int) -> tuple[NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Plays the agent's action, and the opponent's until the agent decides again."""
        observations, rewards, terminated, truncated, info = self.vector.step([action])
        return (
            observations[0],
            float(rewards[0]),
            bool(terminated[0]),
            bool(truncated[0]),
            _first(info),
        )

    def render(self) -> Any:
        """Draws the board in the render mode."""
        frames = self.vector.render()
        return frames and frames[0]

    def action_masks(self) -> NDArray[np.bool_]:
        """Gives the action mask `[A]`, under the name that sb3-contrib looks for."""
        return self.vector.action_masks()[0]


def _first(info: dict[str, Any]) -> dict[str, Any]:
    """Gives the info of the only board."""
    return {
        "action_mask": info["action_mask"][0],
        "side": SIDES[info["side"][0]],
        "cause": CAUSES[info["cause"][0]],
    }


def register() -> None:
    """Registers every preset; importing this module has done so."""
    for name, _ in presets():
        env_id = f"Damma/{name}-v0"
        if env_id not in gymnasium.registry:
            gymnasium.register(
                env_id,
                entry_point="damma.gym:DammaEnv",
                vector_entry_point="damma.gym:DammaVectorEnv",
                kwargs={"preset": name},
            )


register()
