"""`damma.Game`, `damma.Position` and drawing."""

import pickle
from xml.etree import ElementTree

import numpy as np
import pytest

import damma

PRESETS = [name for name, _ in damma.presets()]


@pytest.mark.parametrize("preset", PRESETS)
def test_actions_read_back_from_their_text(preset: str) -> None:
    position = damma.Game(preset).start()
    for _ in range(40):
        actions = position.legal_actions()
        texts = [position.action_text(action) for action in actions]
        assert [position.parse_action(text) for text in texts] == actions.tolist()
        if position.is_over:
            break
        position = position.play(actions[len(actions) // 2])
    assert position.game.position(position.text) == position


def test_a_turn_plays_as_text() -> None:
    start = damma.Game("khreibga").start()
    after = start.play(start.turn_texts()[0])
    assert (after.side, after.turns, start.turns) == ("black", 1, 0)
    with pytest.raises(ValueError, match="not legal here"):
        start.play("a1-a2")
    with pytest.raises(damma.IllegalAction):
        start.play(0)
    with pytest.raises(ValueError, match="legal are"):
        start.parse_action("a1-a2")
    with pytest.raises(ValueError, match="no action"):
        start.action_text(9999)


def test_a_game_that_is_over_says_who_won() -> None:
    won = damma.Game("khreibga").position("5/5/5/2b2/2w2 w").play("c1xc3")
    assert won.is_over and (won.winner, won.cause) == ("white", "no_pieces")
    assert won.legal_actions().size == 0 and won.turn_texts() == []
    with pytest.raises(damma.IllegalAction, match="over"):
        won.play(0)


def test_rules_and_positions_pickle() -> None:
    game = damma.Game("zamma", {"capture": "forced", "max_turns": 50})
    assert damma.Game.from_toml(game.to_toml()) == game != damma.Game("zamma")
    position = game.start().play(game.start().legal_actions()[0])
    again = pickle.loads(pickle.dumps(position))
    assert again == position and again.game == game


@pytest.mark.parametrize("preset", PRESETS)
def test_pictures_show_every_piece(preset: str) -> None:
    position = damma.Game(preset).start()
    men = len(position.pieces())
    text = position.ansi()
    assert text.count("○") + text.count("●") == men
    move = position.turn_texts()[0]
    root = ElementTree.fromstring(position.svg(last_move=move, flip=True))
    assert len(root.findall("{*}g")) == men
    assert root.find("{*}polyline") is not None
    side = 20 * (position.game.size + 1)
    image = position.rgb_array(pitch=20, last_move=move)
    assert image.shape == (side, side, 3) and image.dtype == np.uint8
    turned = position.rgb_array(pitch=20, flip=True)
    assert np.abs(turned[::-1, ::-1].astype(int) - position.rgb_array(pitch=20)).mean() < 2


def test_pictures_tell_kings_and_marks_apart() -> None:
    game = damma.Game("zamma")
    position = game.position("9/9/9/9/4B4/9/4W4/3w5/9 w - - - 3")
    text = position.ansi(color=True)
    assert "♚" in text and "♔" in text and "\x1b[" in text
    assert "crown-white" in position.svg() and "crown-black" in position.svg()
    fault = position.play("d2-d3").play(position.play("d2-d3").legal_actions()[0])
    assert fault.rgb_array().shape == position.rgb_array().shape
