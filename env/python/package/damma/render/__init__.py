"""Positions as pictures: SVG, characters, and RGB arrays.

Drawing needs no rules: points, lines and pieces come from the engine.
"""

from damma.render.ansi import ansi
from damma.render.rgb import rgb_array
from damma.render.svg import svg

__all__ = ["ansi", "rgb_array", "svg"]
