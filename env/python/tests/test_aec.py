"""PettingZoo: its own tests, turns of several actions, endings, rendering."""

import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import damma
import damma.aec

PRESETS = [name for name, _ in damma.presets()]


@pytest.mark.parametrize("preset", PRESETS)
def test_pettingzoo_finds_no_fault(preset: str) -> None:
    with warnings.catch_warnings():
        # PettingZoo asks that observations be arrays, and also that masks lie in dictionaries.
        warnings.simplefilter("ignore", UserWarning)
        api_test(damma.aec.env(preset=preset), num_cycles=300)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_plays_the_same_game(preset: str) -> None:
    seed_test(lambda: damma.aec.env(preset=preset, random_openings=(0, 4)), num_cycles=200)


def test_a_player_may_act_several_times_in_a_row() -> None:
    env = damma.aec.env(preset="damma8", start_positions=["8/8/3b4/8/1b6/w7/7b/8 w"])
    env.reset(seed=0)
    env.step(env.unwrapped.parse_action("a3xc5"))
    assert env.agent_selection == "player_0"
    env.step(env.unwrapped.parse_action("c5xe7"))
    assert env.agent_selection == "player_1"


def test_a_game_ends_for_both_players() -> None:
    env = damma.aec.env(preset="khreibga", start_positions=["5/5/5/2b2/2w2 w"])
    env.reset(seed=0)
    env.step(env.unwrapped.parse_action("c1xc3"))
    results = {}
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        assert terminated and not truncated and info == {"cause": "no_pieces"}
        assert not observation["action_mask"].any()
        results[agent] = reward
        env.step(None)
    assert results == {"player_0": 1.0, "player_1": -1.0}


def test_both_players_see_their_own_pieces_first() -> None:
    env = damma.aec.raw_env("kharberg")
    env.reset(seed=0)
    white, black = env.observe("player_0"), env.observe("player_1")
    assert white["observation"][0].sum() == black["observation"][0].sum() == 12
    assert np.array_equal(white["observation"][0], black["observation"][0])
    assert white["action_mask"].any() and not black["action_mask"].any()


def test_an_illegal_action_loses() -> None:
    env = damma.aec.env(preset="kharberg")
    env.reset(seed=0)
    mask = env.observe("player_0")["action_mask"]
    env.step(int(np.flatnonzero(mask == 0)[0]))
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}


@pytest.mark.parametrize("mode", damma.aec.RENDER_MODES)
def test_it_draws_the_last_action(mode: str) -> None:
    env = damma.aec.env(preset="zamma", render_mode=mode)
    env.reset(seed=0)
    before = env.render()
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    after = env.render()
    assert type(before) is type(after) is (np.ndarray if mode == "rgb_array" else str)
    assert not np.array_equal(before, after)
