"""PettingZoo: both players as agents, `damma.aec.env(preset=...)`.

`player_0` is White, `player_1` Black. The same agent may be selected several times in a row: a
turn is one action or more (hops, huffs, stops).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from damma._native import CAUSES
from damma.planes import OtherView, observation_box
from damma.vector import VectorEnv

RENDER_MODES = ("ansi", "rgb_array", "svg")


def env(**options: Any) -> AECEnv:
    """Makes the environment with PettingZoo's usual checks; arguments are those of `raw_env`."""
    checked = wrappers.AssertOutOfBoundsWrapper(raw_env(**options))
    return wrappers.OrderEnforcingWrapper(checked)


class raw_env(AECEnv):  # noqa: N801
    """One game between two agents.

    An observation is `{"observation": [C, H, W] of float32, "action_mask": [A] of int8}`, both
    from the view of the agent that it is given to; the mask of an agent that does not decide is
    empty. Rewards are 1 for a win, -1 for a loss and 0 for a draw, given when the game ends.
    An illegal action loses the game.
    """

    def __init__(
        self,
        preset: str = "zamma",
        *,
        rules: dict[str, Any] | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        """Makes the board.

        Args:
            preset: The game, as in `damma.VectorEnv`.
            rules: Options that differ from the preset.
            render_mode: `"ansi"`, `"rgb_array"` or `"svg"`.
            options: Further arguments of `damma.VectorEnv`: `random_openings`, `start_positions`.
        """
        super().__init__()
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"`{render_mode}` is no render mode; use {', '.join(RENDER_MODES)}")
        self.board = VectorEnv(
            preset,
            1,
            rules=rules,
            autoreset="off",
            illegal="lose",
            dense_masks=True,
            observations="f32",
            threads=1,
            **options,
        )
        self.metadata = {
            "name": "damma_v0",
            "render_modes": list(RENDER_MODES),
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self.agents = self.possible_agents[:]
        game = self.board.game
        self._other_view = OtherView(game)
        self._last_move: str | None = None
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": observation_box(game, "f32"),
                    "action_mask": spaces.Box(0, 1, (game.action_count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(game.action_count) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Gives the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Gives the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new game; without a seed the random starts go on where they were."""
        if seed is None:
            self.board.reset_boards([0])
        else:
            self.board.reset(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._decider()
        self._last_move = None

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Gives what an agent sees."""
        planes, mask = self.board.observations[0], self.board.masks[0]
        if agent == self._decider():
            return {"observation": planes.copy(), "action_mask": mask.astype(np.int8)}
        return {
            "observation": self._other_view(planes),
            "action_mask": np.zeros(mask.shape, np.int8),
        }

    def step(self, action: int | None) -> None:
        """Plays an action of the selected agent; None removes one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must decide: give one of its legal actions, not None")
        self._last_move = self.board.action_text(0, int(action))
        self.board.step([action])
        self._cumulative_rewards[agent] = 0.0
        terminated, truncated = bool(self.board.terminated[0]), bool(self.board.truncated[0])
        for player, name in enumerate(self.possible_agents):
            self.rewards[name] = float(self.board.rewards[0, player])
            self.terminations[name], self.truncations[name] = terminated, truncated
            if terminated or truncated:
                self.infos[name] = {"cause": CAUSES[self.board.causes[0]]}
        self._accumulate_rewards()
        self.agent_selection = self._decider()

    def render(self) -> Any:
        """Draws the board in the render mode, with the last action traced on pictures."""
        if self.render_mode is None:
            return None
        position = self.board.state(0)
        if self.render_mode == "ansi":
            return position.ansi()
        return getattr(position, self.render_mode)(last_move=self._last_move)

    def position(self) -> str:
        """Gives the position as text."""
        return self.board.position(0)

    def action_text(self, action: int) -> str:
        """Writes an action of the position as text."""
        return self.board.action_text(0, action)

    def parse_action(self, text: str) -> int:
        """Finds the legal action that a text means."""
        return self.board.parse_action(0, text)

    def close(self) -> None:
        """Holds nothing open."""

    def _decider(self) -> str:
        return self.possible_agents[self.board.current_players[0]]
