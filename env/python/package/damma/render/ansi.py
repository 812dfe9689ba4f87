"""The board in characters, for a terminal or a log."""

from __future__ import annotations

from damma._native import Position
from damma.render.board import Board, Piece, Place

# Circles and chess kings: draughts pieces are missing from most monospaced fonts.
GLYPHS = {
    ("white", False): "○",
    ("white", True): "♔",
    ("black", False): "●",
    ("black", True): "♚",
}
BRACKETS = {"chaining": ("[", "]"), "at_fault": ("!", "!"), "waiting": ("(", ")")}
# Readable on dark and on light grounds.
COLORS = {"white": "1", "black": "1;31"}
LEFT = 4


def ansi(position: Position, *, flip: bool = False, color: bool = False) -> str:
    """Draws the board in characters.

    Args:
        position: What to draw.
        flip: Whether to look from Black's side.
        color: Whether to add escape sequences for colour.

    Returns:
        Lines of text: White men ○ and kings ♔, Black men ● and kings ♚; `[ ]` goes on capturing,
        `! !` may be huffed, `( )` is captured and leaves when the turn ends.
    """
    board = Board(position, flip=flip)
    right, bottom = _spot(board, (board.size - 1, board.size - 1))
    sheet = [[" "] * (right + 2) for _ in range(bottom + 2)]
    if board.has_squares:
        for place in board.places:
            x, y = _spot(board, place)
            sheet[y][x - 1 : x + 2] = "░░░"
    else:
        _lines(board, sheet)
    for index in range(board.size):
        x, y = _spot(board, (index, index))
        sheet[y][0:2] = board.rank_name(index).rjust(2)
        sheet[-1][x] = board.file_name(index)
    for place, piece in board.pieces.items():
        _piece(sheet, _spot(board, place), piece, color)
    return "\n".join("".join(row).rstrip() for row in sheet) + "\n"


def _spot(board: Board, place: Place) -> Place:
    """Gives the character of a place; points joined by lines have room between them."""
    column, row = place
    return (LEFT + 3 * column, row) if board.has_squares else (LEFT + 4 * column, 2 * row)


def _lines(board: Board, sheet: list[list[str]]) -> None:
    for place in board.places:
        x, y = _spot(board, place)
        sheet[y][x] = "┼"
    for start, end in board.lines:
        (left, top), (right, bottom) = sorted((_spot(board, start), _spot(board, end)))
        if top == bottom:
            sheet[top][left + 1 : right] = "───"
        elif left == right:
            sheet[(top + bottom) // 2][left] = "│"
        else:
            x, y = (left + right) // 2, (top + bottom) // 2
            sheet[y][x] = "╳" if sheet[y][x] != " " else "╲" if top < bottom else "╱"


def _piece(sheet: list[list[str]], spot: Place, piece: Piece, color: bool) -> None:
    x, y = spot
    glyph = GLYPHS[piece.side, piece.is_king]
    sheet[y][x] = f"\x1b[{COLORS[piece.side]}m{glyph}\x1b[0m" if color else glyph
    if piece.mark:
        sheet[y][x - 1], sheet[y][x + 1] = BRACKETS[piece.mark]
