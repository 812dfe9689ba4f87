"""The board as an RGB array, drawn with numpy alone.

Every shape is a distance: a pixel takes a shape's colour by how far inside its edge it lies, which
also smooths the edges. Only the pixels around a shape are touched.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from damma._native import Position
from damma.render.board import Board, Piece

Color = tuple[int, int, int]
Canvas = NDArray[np.float32]
Point = NDArray[np.float64]
Distance = Callable[[Point, Point], Point]

GROUND: Color = (246, 238, 221)
BOARD: Color = (229, 207, 161)
DARK: Color = (185, 138, 87)
LIGHT: Color = (241, 225, 191)
LINE: Color = (122, 90, 51)
MOVE: Color = (47, 111, 176)
FILL: dict[str, Color] = {"white": (251, 247, 238), "black": (53, 43, 38)}
EDGE: dict[str, Color] = {"white": (109, 95, 75), "black": (18, 13, 11)}
RING: dict[str, Color] = {"white": (183, 169, 143), "black": (125, 111, 102)}
CROWN: dict[str, Color] = {"white": (179, 38, 43), "black": (242, 193, 78)}
MARK: dict[str, Color] = {
    "chaining": (31, 138, 76),
    "at_fault": (207, 42, 42),
    "waiting": (140, 140, 140),
}


def rgb_array(
    position: Position, *, flip: bool = False, last_move: str | None = None, pitch: int = 48
) -> NDArray[np.uint8]:
    """Draws the board as an image.

    Args:
        position: What to draw.
        flip: Whether to look from Black's side.
        last_move: The text of an action or turn to trace on the board, such as `a3xa5xc7`.
        pitch: Pixels from point to point.

    Returns:
        The image, `[pitch * (size + 1), pitch * (size + 1), 3]`.
    """
    board = Board(position, flip=flip)
    side = pitch * (board.size + 1)
    canvas = np.empty((side, side, 3), np.float32)
    canvas[:] = GROUND
    inside = slice(pitch // 2, side - pitch // 2)
    canvas[inside, inside] = LIGHT if board.has_squares else BOARD
    if board.has_squares:
        for column, row in board.places:
            left, top = pitch * column + pitch // 2, pitch * row + pitch // 2
            canvas[top : top + pitch, left : left + pitch] = DARK
    for start, end in [] if board.has_squares else board.lines:
        _stroke(canvas, _center(start, pitch), _center(end, pitch), pitch / 40, LINE)
    for place, piece in board.pieces.items():
        _piece(canvas, _center(place, pitch), piece, pitch)
    trace = [_center(place, pitch) for place in board.places_of(last_move)]
    for tail, head in pairwise(trace):
        _stroke(canvas, tail, head, pitch / 20, MOVE)
    return canvas.round().astype(np.uint8)


def _center(place: tuple[int, int], pitch: int) -> Point:
    return np.array([pitch * (place[0] + 1), pitch * (place[1] + 1)], np.float64)


def _piece(canvas: Canvas, center: Point, piece: Piece, pitch: int) -> None:
    radius = 0.39 * pitch
    if piece.mark:
        _disc(canvas, center, radius + 0.07 * pitch, MARK[piece.mark])
    _disc(canvas, center, radius, EDGE[piece.side])
    _disc(canvas, center, radius - 1.2, FILL[piece.side])
    if piece.is_king:
        _diamond(canvas, center, 0.24 * pitch, CROWN[piece.side])
    else:
        _disc(canvas, center, 0.62 * radius, RING[piece.side])
        _disc(canvas, center, 0.62 * radius - 1.2, FILL[piece.side])


def _disc(canvas: Canvas, center: Point, radius: float, color: Color) -> None:
    _paint(canvas, center, center, radius, color, lambda x, y: np.hypot(x, y) - radius)


def _diamond(canvas: Canvas, center: Point, radius: float, color: Color) -> None:
    _paint(canvas, center, center, radius, color, lambda x, y: abs(x) + abs(y) - radius)


def _stroke(
    canvas: Canvas,
    start: Point,
    end: Point,
    radius: float,
    color: Color,
) -> None:
    along = end - start

    def distance(x: Point, y: Point) -> Point:
        share = np.clip((x * along[0] + y * along[1]) / (along @ along), 0, 1)
        return np.hypot(x - share * along[0], y - share * along[1]) - radius

    _paint(canvas, start, end, radius, color, distance)


def _paint(
    canvas: Canvas,
    start: Point,
    end: Point,
    radius: float,
    color: Color,
    distance: Distance,
) -> None:
    """Colours what lies inside a shape; `distance` takes pixels counted from `start`."""
    low = np.floor(np.minimum(start, end) - radius - 1).astype(int).clip(0)
    high = np.ceil(np.maximum(start, end) + radius + 2).astype(int)
    patch = canvas[low[1] : high[1], low[0] : high[0]]
    # The middle of a pixel lies half a pixel after its number.
    y, x = np.mgrid[low[1] : low[1] + patch.shape[0], low[0] : low[0] + patch.shape[1]] + 0.5
    cover = np.clip(0.5 - distance(x - start[0], y - start[1]), 0, 1)[..., None]
    patch += cover * (np.array(color, np.float32) - patch)
