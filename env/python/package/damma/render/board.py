"""A position as the eye sees it: columns from the left, rows from the top, pieces, lines.

What all pictures have in common. It knows where things are, not how they look.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from damma._native import Position

Place = tuple[int, int]


class Piece(NamedTuple):
    """What stands on a point: whose it is, whether it is a king, and its mark if it has one."""

    side: str
    is_king: bool
    mark: str | None


class Board:
    """A position seen from White's side, or from Black's if `flip`.

    Attributes:
        size: Points a side.
        has_squares: Whether squares are drawn, and not lines.
        places: The points that pieces can stand on, as (column, row).
        lines: The lines between neighbours, each as two places.
        pieces: The pieces by place.
    """

    def __init__(self, position: Position, *, flip: bool = False) -> None:
        """Looks at a position."""
        game = position.game
        self.size = game.size
        self.flip = flip
        self.has_squares = game.has_squares
        self.places = [self.place(*point) for point in game.points()]
        self.lines = [(self.place(*start), self.place(*end)) for start, end in game.lines()]
        self.pieces = {
            self.place(file, rank): Piece(side, is_king, mark)
            for file, rank, side, is_king, mark in position.pieces()
        }

    def place(self, file: int, rank: int) -> Place:
        """Gives column and row of a point."""
        last = self.size - 1
        return (last - file, rank) if self.flip else (file, last - rank)

    def file_name(self, column: int) -> str:
        """Gives the letter of a column."""
        return chr(ord("a") + (self.size - 1 - column if self.flip else column))

    def rank_name(self, row: int) -> str:
        """Gives the number of a row."""
        return str(row + 1 if self.flip else self.size - row)

    def places_of(self, move: str | None) -> list[Place]:
        """Gives the places that the text of an action or turn names."""
        names = re.findall(r"([a-j])(\d+)", move or "")
        return [self.place(ord(file) - ord("a"), int(rank) - 1) for file, rank in names]
