"""`damma.VectorEnv`: views, actions, endings, copies, threads."""

import copy
import gc
import pickle
import threading

import numpy as np
import pytest

import damma

PRESETS = [name for name, _ in damma.presets()]
VIEWS = ["packed_masks", "rewards", "current_players", "terminated", "truncated", "causes"]


def play(env: damma.VectorEnv, steps: int) -> None:
    actions = np.empty(env.num_envs, np.uint16)
    for _ in range(steps):
        env.step(env.sample_legal(out=actions))


def snapshot(env: damma.VectorEnv) -> list[object]:
    views = [getattr(env, name).copy() for name in VIEWS]
    return [*views, [env.position(board) for board in range(env.num_envs)]]


def assert_same(left: list[object], right: list[object]) -> None:
    for one, other in zip(left, right, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("preset", PRESETS)
def test_arrays_have_the_documented_shapes_and_agree(preset: str) -> None:
    env = damma.VectorEnv(preset, 70, dense_masks=True, observations="f32", threads=1)
    actions = env.game.action_count
    play(env, 60)
    assert env.packed_masks.shape == (70, -(-actions // 64))
    assert env.masks.shape == (70, actions)
    assert env.observations.shape == (70, *env.game.observation_shape)
    assert len(env.game.planes) == env.game.observation_shape[0]
    bits = np.unpackbits(env.packed_masks.view(np.uint8), axis=1, bitorder="little")
    assert np.array_equal(bits[:, :actions].astype(bool), env.masks)
    indptr, indices = env.legal_lists()
    for board in (0, 69):
        row = indices[indptr[board] : indptr[board + 1]]
        state = env.state(board)
        assert np.array_equal(row, np.flatnonzero(env.masks[board]))
        assert np.array_equal(env.masks[board], state.action_mask())
        assert np.array_equal(env.observations[board], state.observation())
        assert ["white", "black"][env.current_players[board]] == state.side


def test_views_are_never_copied_and_read_only() -> None:
    env = damma.VectorEnv("zamma", 8, dense_masks=True, observations="u8", threads=1)
    views = {name: getattr(env, name) for name in [*VIEWS, "masks", "observations"]}
    before = {name: view.ctypes.data for name, view in views.items()}
    saved = env.save()
    play(env, 50)
    env.reset(seed=3)
    env.restore(saved)
    for name, view in views.items():
        assert getattr(env, name) is view and view.ctypes.data == before[name]
        assert not view.flags.writeable and not view.flags.owndata
    assert views["masks"].dtype == bool and views["observations"].dtype == np.uint8


def test_a_view_outlives_its_batch() -> None:
    env = damma.VectorEnv("kharberg", 4, dense_masks=True)
    masks, expected = env.masks, env.masks.copy()
    del env
    gc.collect()
    assert np.array_equal(masks, expected)


def test_dlpack_shares_the_memory() -> None:
    env = damma.VectorEnv("kharberg", 4, observations="f32")
    shared = np.from_dlpack(env.observations)
    assert shared.ctypes.data == env.observations.ctypes.data


@pytest.mark.parametrize("dtype", ["uint16", "int64", "int32", "uint8", "list"])
def test_actions_may_have_any_integer_type(dtype: str) -> None:
    env = damma.VectorEnv("kharberg", 5)
    wanted = env.clone()
    actions = env.sample_legal()
    wanted.step(actions)
    env.step(actions.tolist() if dtype == "list" else actions.astype(dtype))
    assert_same(snapshot(env), snapshot(wanted))


def test_wrong_actions_are_named_and_change_nothing() -> None:
    env = damma.VectorEnv("zamma", 3)
    before = snapshot(env)
    actions = env.sample_legal().astype(np.int64)
    with pytest.raises(TypeError, match="integers"):
        env.step(actions.astype(float))
    with pytest.raises(ValueError, match="3 actions expected"):
        env.step(actions[:2])
    with pytest.raises(ValueError, match="action -1 of board 2"):
        env.step([*actions[:2], -1])
    with pytest.raises(ValueError, match="action 70000 of board 1"):
        env.step_boards([0, 1], [actions[0], 70000])
    with pytest.raises(damma.IllegalAction, match="on board 1") as caught:
        env.step([actions[0], env.game.action_count - 1, actions[2]])
    assert (caught.value.board, caught.value.action) == (1, env.game.action_count - 1)
    with pytest.raises(IndexError, match="no board 3"):
        env.position(3)
    with pytest.raises(IndexError, match="no board -1"):
        env.reset_boards([-1])
    assert_same(snapshot(env), before)


def test_policies_for_illegal_actions() -> None:
    wrong = np.zeros(4, np.uint16)
    resampling = damma.VectorEnv("kharberg", 4, illegal="resample")
    resampling.step(wrong)
    assert not resampling.terminated.any()
    losing = damma.VectorEnv("kharberg", 4, illegal="lose", autoreset="off")
    losing.step(np.full(4, damma.NO_ACTION))
    assert np.array_equal(losing.rewards, [[-1, 1]] * 4)
    assert {damma.CAUSES[cause] for cause in losing.causes} == {"illegal"}


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "off"])
def test_finals_hold_what_auto_reset_would_lose(autoreset: str) -> None:
    env = damma.VectorEnv("kharberg", 64, autoreset=autoreset, observations="f32")
    while not len(env.finals()):
        play(env, 1)
    finals = env.finals()
    boards, texts = finals.boards, finals.positions
    assert np.array_equal(boards, np.flatnonzero(env.terminated | env.truncated))
    assert np.array_equal(finals.causes, env.causes[boards])
    for board, winner, cause in zip(boards, finals.winners, finals.causes, strict=True):
        expected = {0: [1, -1], 1: [-1, 1], -1: [0, 0]}[int(winner)]
        assert env.rewards[board].tolist() == expected
        assert damma.CAUSES[cause] != "none"
    assert finals.observations.shape == (len(finals), *env.game.observation_shape)
    assert finals.masks.shape == (len(finals), env.game.action_count)
    for text, observation in zip(texts, finals.observations, strict=True):
        assert np.array_equal(env.game.position(text).observation()[:4], observation[:4])
    play(env, 1)
    assert finals.positions == texts, "finals keep when play goes on"


def test_same_step_shows_the_next_start() -> None:
    env = damma.VectorEnv("kharberg", 64, autoreset="same_step")
    while not env.terminated.any():
        play(env, 1)
    board = int(np.flatnonzero(env.terminated)[0])
    assert env.position(board) == env.game.start().text
    assert env.statistics["games"] == len(env.finals())


def test_pickle_goes_on_with_the_same_games() -> None:
    env = damma.VectorEnv(
        "srand", 40, observations="u8", random_openings=(0, 6), seed=5, dense_masks=True
    )
    play(env, 30)
    twin = pickle.loads(pickle.dumps(env))
    assert_same(snapshot(env), snapshot(twin))
    play(env, 200)
    play(twin, 200)
    assert_same(snapshot(env), snapshot(twin))
    assert np.array_equal(env.observations, twin.observations)
    assert np.array_equal(env.masks, twin.masks)


def test_a_clone_is_the_same_and_its_own() -> None:
    env = damma.VectorEnv("damma8", 10, seed=2)
    play(env, 20)
    twin, deep = env.clone(), copy.deepcopy(env)
    play(env, 100)
    play(twin, 100)
    assert_same(snapshot(env), snapshot(twin))
    assert deep.position(0) != env.position(0)


def test_save_and_restore_go_back() -> None:
    env = damma.VectorEnv("zamma", 16, seed=9)
    play(env, 40)
    saved = env.save()
    play(env, 60)
    expected = snapshot(env)
    play(env, 25)
    env.restore(saved)
    play(env, 60)
    assert_same(snapshot(env), expected)
    with pytest.raises(ValueError, match="saved batch"):
        env.restore(saved[:-1])


def test_threads_do_not_change_what_is_played() -> None:
    runs = []
    for threads in (1, 2, 0):
        env = damma.VectorEnv("damma", 1500, seed=4, threads=threads)
        play(env, 40)
        runs.append(snapshot(env))
    assert_same(runs[0], runs[1])
    assert_same(runs[0], runs[2])


def test_stepping_lets_other_threads_run() -> None:
    env = damma.VectorEnv("zamma", 4096, threads=1)
    worker = threading.Thread(target=env._native_rollout, args=(40,))
    turns = 0
    worker.start()
    while worker.is_alive():
        turns += 1
    assert turns > 100, "the interpreter lock was held"


def test_a_seed_decides_everything() -> None:
    env = damma.VectorEnv("khreibga", 8, seed=1, random_openings=(2, 5))
    play(env, 30)
    first = snapshot(env)
    env.reset()
    play(env, 30)
    assert_same(snapshot(env), first)
    env.reset(seed=2)
    play(env, 30)
    assert snapshot(env)[-1] != first[-1]


def test_boards_start_where_they_are_told() -> None:
    start = "b4/5/2w2/5/5 w"
    env = damma.VectorEnv("khreibga", 3, start_positions=[start])
    full = env.game.position(start).text
    assert [env.position(board) for board in range(3)] == [full] * 3
    env.set_positions([1], [env.game.start()])
    assert env.position(1) == env.game.start().text and env.position(2) == full
    env.reset_boards([1], seeds=[7])
    assert env.position(1) == full
    with pytest.raises(ValueError, match="position `nonsense`"):
        env.set_positions([0], ["nonsense"])


def test_arguments_are_checked_with_a_remedy() -> None:
    with pytest.raises(ValueError, match="did you mean `zamma`"):
        damma.VectorEnv("zama")
    with pytest.raises(ValueError, match="unknown option `captur`"):
        damma.VectorEnv("zamma", rules={"captur": "forced"})
    with pytest.raises(ValueError, match="same_step, next_step, off"):
        damma.VectorEnv("zamma", 1, autoreset="always")
    with pytest.raises(ValueError, match="exclude each other"):
        damma.VectorEnv("zamma", 1, random_openings=(0, 2), start_positions=[])
    with pytest.raises(ValueError, match="0 boards"):
        damma.VectorEnv("zamma", 0)
    with pytest.raises(AttributeError, match="dense_masks=True"):
        _ = damma.VectorEnv("zamma", 1).masks
    with pytest.raises(AttributeError, match="observations="):
        _ = damma.VectorEnv("zamma", 1).observations
    forced = damma.VectorEnv("zamma", 1, rules={"capture": "forced", "lone_kings_draw": True})
    assert forced.game != damma.Game("zamma") and "at_fault" not in forced.game.planes
