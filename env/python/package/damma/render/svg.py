"""The board as a picture: one self-contained SVG text."""

from __future__ import annotations

from html import escape

from damma._native import Position
from damma.render.board import Board, Piece, Place

PITCH = 60
MARGIN = 66
STYLE = """<style>
.ground{fill:#f6eedd}.board{fill:#e5cfa1}.dark{fill:#b98a57}.light{fill:#f1e1bf}
.line{stroke:#7a5a33;stroke-width:2;stroke-linecap:round}
.frame{fill:none;stroke:#7a5a33;stroke-width:2}
.name{font:16px sans-serif;fill:#5b452a;text-anchor:middle;dominant-baseline:central}
.white{fill:#fbf7ee;stroke:#6d5f4b;stroke-width:1.5}
.black{fill:#352b26;stroke:#120d0b;stroke-width:1.5}
.ring-white{fill:none;stroke:#b7a98f;stroke-width:1.5}
.ring-black{fill:none;stroke:#7d6f66;stroke-width:1.5}
.crown-white{fill:#b3262b}.crown-black{fill:#f2c14e}
.move{fill:none;stroke:#2f6fb0;stroke-width:5;stroke-opacity:.7;stroke-linecap:round;stroke-linejoin:round}
.chaining{fill:none;stroke:#1f8a4c;stroke-width:4}
.at_fault{fill:none;stroke:#cf2a2a;stroke-width:4;stroke-dasharray:7 4}
.waiting{stroke:#cf2a2a;stroke-width:5;stroke-linecap:round}
</style>
"""
CROWN = "M-12 9L-15 -7L-7 0L0 -12L7 0L15 -7L12 9Z"
MARKS = {
    "chaining": '<circle class="chaining" r="27"/>',
    "at_fault": '<circle class="at_fault" r="27"/>',
    "waiting": '<path class="waiting" d="M-15 -15L15 15M-15 15L15 -15"/>',
}


def svg(position: Position, *, flip: bool = False, last_move: str | None = None) -> str:
    """Draws the board as SVG.

    Args:
        position: What to draw.
        flip: Whether to look from Black's side.
        last_move: The text of an action or turn to trace on the board, such as `a3xa5xc7`.

    Returns:
        The picture as text, with the position as its description.
    """
    board = Board(position, flip=flip)
    width = 2 * MARGIN + PITCH * (board.size - 1)
    pieces = (_piece(place, piece) for place, piece in board.pieces.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {width}" '
        f'width="{width}" height="{width}" role="img">\n'
        f"<desc>{escape(position.text)}</desc>\n{STYLE}"
        f'<rect class="ground" width="{width}" height="{width}"/>\n'
        f"{_squares(board) if board.has_squares else _lines(board)}{_names(board, width)}"
        f"{''.join(pieces)}{_trace(board.places_of(last_move))}</svg>\n"
    )


def _at(index: int) -> int:
    return MARGIN + PITCH * index


def _rect(kind: str, corner: Place, side: int, rounding: int = 0) -> str:
    x, y = corner
    return (
        f'<rect class="{kind}" x="{x}" y="{y}" width="{side}" height="{side}" rx="{rounding}"/>\n'
    )


def _squares(board: Board) -> str:
    corner, side = _at(0) - PITCH // 2, PITCH * board.size
    dark = (
        _rect("dark", (_at(column) - PITCH // 2, _at(row) - PITCH // 2), PITCH)
        for column, row in board.places
    )
    light = _rect("light", (corner, corner), side)
    return light + "".join(dark) + _rect("frame", (corner, corner), side)


def _lines(board: Board) -> str:
    corner = _at(0) - PITCH // 2
    path = "".join(
        f"M{_at(start[0])} {_at(start[1])}L{_at(end[0])} {_at(end[1])}"
        for start, end in board.lines
    )
    ground = _rect("board", (corner, corner), PITCH * board.size, 10)
    return f'{ground}<path class="line" d="{path}"/>\n'


def _names(board: Board, width: int) -> str:
    near = (MARGIN - PITCH // 2) // 2
    text = '<text class="name" x="{}" y="{}">{}</text>\n'
    return "".join(
        text.format(_at(index), width - near, board.file_name(index))
        + text.format(near, _at(index), board.rank_name(index))
        for index in range(board.size)
    )


def _piece(place: Place, piece: Piece) -> str:
    opacity = ' opacity=".45"' if piece.mark == "waiting" else ""
    top = (
        f'<path class="crown-{piece.side}" d="{CROWN}"/>'
        if piece.is_king
        else f'<circle class="ring-{piece.side}" r="15"/>'
    )
    return (
        f'<g transform="translate({_at(place[0])} {_at(place[1])})">'
        f'<g{opacity}><circle class="{piece.side}" r="23"/>{top}</g>'
        f"{MARKS[piece.mark] if piece.mark else ''}</g>\n"
    )


def _trace(places: list[Place]) -> str:
    if not places:
        return ""
    points = " ".join(f"{_at(column)},{_at(row)}" for column, row in places)
    column, row = places[-1]
    return (
        f'<polyline class="move" points="{points}"/>'
        f'<circle class="move" cx="{_at(column)}" cy="{_at(row)}" r="26"/>\n'
    )
