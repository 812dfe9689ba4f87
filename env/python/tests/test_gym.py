"""Gymnasium: its own checks, auto-reset modes, opponents."""

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics

import damma
import damma.gym
from damma.planes import OtherView

PRESETS = [name for name, _ in damma.presets()]


def draw(info: dict, rng: np.random.Generator) -> np.ndarray:
    mask = info["action_mask"]
    return np.where(mask, rng.random(mask.shape), -1).argmax(axis=-1)


@pytest.mark.parametrize("preset", PRESETS)
def test_gymnasium_finds_no_fault(preset: str) -> None:
    env = gymnasium.make(f"Damma/{preset}-v0", render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)
    env.close()


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize("opponent", ["random", "ab-1"])
def test_returns_lie_in_their_spaces_and_games_end(mode: AutoresetMode, opponent: str) -> None:
    env = gymnasium.make_vec(
        "Damma/kharberg-v0", 16, opponent=opponent, autoreset_mode=mode, illegal="error"
    )
    assert env.metadata["autoreset_mode"] == mode and env.num_envs == 16
    rng = np.random.default_rng(0)
    observations, info = env.reset(seed=3)
    ended = 0
    over = np.zeros(16, bool)
    for _ in range(150):
        assert observations in env.observation_space
        waiting = over if mode != AutoresetMode.SAME_STEP else np.zeros(16, bool)
        assert (info["action_mask"].any(axis=1) | waiting).all()
        actions = draw(info, rng)
        assert actions in env.action_space
        was_over = over
        observations, rewards, terminated, truncated, info = env.step(actions)
        over = terminated | truncated
        ended += int((over & ~was_over).sum())
        assert not rewards[~over].any() and set(rewards[terminated]) <= {-1.0, 0.0, 1.0}
        assert (info["side"] == env.unwrapped.boards.current_players)[~over].all()
        if mode == AutoresetMode.SAME_STEP and over.any():
            assert np.array_equal(info["_final_obs"], over)
            for board in np.flatnonzero(over):
                assert info["final_obs"][board] in env.single_observation_space
            assert (info["final_info"]["cause"][over] != 0).all()
            assert (info["cause"] == 0).all()
        if mode == AutoresetMode.NEXT_STEP:
            assert not (over & was_over).any() and not rewards[was_over].any()
        if mode == AutoresetMode.DISABLED and over.any():
            observations, info = env.reset(options={"reset_mask": over})
            over = np.zeros(16, bool)
    assert ended > 16


def test_a_seed_decides_everything() -> None:
    def run() -> list[np.ndarray]:
        env = gymnasium.make_vec("Damma/kharberg-v0", 5)
        rng = np.random.default_rng(1)
        observations, info = env.reset(seed=11)
        history = [observations]
        for _ in range(60):
            observations, rewards, *_, info = env.step(draw(info, rng))
            history += [observations, rewards]
        history.append(env.reset()[0])
        return history

    for one, other in zip(run(), run(), strict=True):
        assert np.array_equal(one, other)


def test_returned_arrays_are_new_unless_asked_otherwise() -> None:
    env = damma.gym.DammaVectorEnv("damma8", 3, side="white")
    first, info = env.reset(seed=0)
    kept = first.copy()
    second, *_ = env.step(draw(info, np.random.default_rng(0)))
    assert np.array_equal(first, kept) and not np.shares_memory(first, second)
    fast = damma.gym.DammaVectorEnv("damma8", 3, side="white", copy=False)
    observations, _ = fast.reset(seed=0)
    assert np.shares_memory(observations, fast.boards.observations)


@pytest.mark.parametrize("side", ["white", "black", "random"])
def test_the_agent_sees_itself(side: str) -> None:
    env = damma.gym.DammaVectorEnv("damma8", 40, side=side, opponent="random")
    observations, info = env.reset(seed=5)
    counts = {"white": {0}, "black": {1}, "random": {0, 1}}[side]
    assert set(info["side"].tolist()) == counts
    assert np.array_equal(env.boards.current_players, info["side"])
    assert (observations[:, 0].sum(axis=(1, 2)) == 12).all()


def test_an_illegal_action_loses() -> None:
    env = gymnasium.make("Damma/zamma-v0")
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, terminated, _, info = env.step(wrong)
    assert (reward, terminated, info["cause"]) == (-1.0, True, "illegal")


def test_the_other_view_is_what_the_other_player_would_see() -> None:
    game = damma.Game("damma8")
    white = game.position("1b6/8/8/8/1w6/8/3B4/8 w")
    black = game.position(white.text.replace(" w ", " b "))
    assert np.array_equal(OtherView(game)(white.observation())[:4], black.observation()[:4])


def test_wrappers_count_wins_against_a_weak_opponent() -> None:
    env = RecordEpisodeStatistics(
        gymnasium.make_vec("Damma/kharberg-v0", 8, autoreset_mode=AutoresetMode.SAME_STEP)
    )
    _, info = env.reset(seed=2)
    rng = np.random.default_rng(2)
    for _ in range(100):
        *_, info = env.step(draw(info, rng))
    assert env.episode_count >= 8


def test_arguments_are_checked_with_a_remedy() -> None:
    with pytest.raises(ValueError, match="random, ab-1 to ab-12"):
        damma.gym.DammaVectorEnv("zamma", 1, opponent="nobody")
    with pytest.raises(ValueError, match="ab-1 to ab-12"):
        damma.gym.DammaVectorEnv("zamma", 1, opponent="ab-99")
    with pytest.raises(ValueError, match="white, black, random"):
        damma.gym.DammaVectorEnv("zamma", 1, side="red")
    with pytest.raises(ValueError, match="render mode"):
        damma.gym.DammaVectorEnv("zamma", 1, render_mode="human")
