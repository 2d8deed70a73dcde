"""Smooth shapes in one colour, drawn once at four times the size, scaled down and kept.

A shape is a picture with an alpha channel; coordinates inside a drawing run from 0 to 1 over its width and height, so a
shape scales with its box. `pygame.draw` has no smooth edges that pygame and pygame-ce share, hence the scaling.
"""

import math
from collections.abc import Callable
from itertools import pairwise

import pygame

from doubtable.screen.palette import Colour
from doubtable.screen.shelf import SHAPES

FINE = 4
Point = tuple[float, float]


def _smooth(size: tuple[int, int], colour: Colour, draw: Callable[[pygame.Surface], None]) -> pygame.Surface:
    wide, high = max(1, size[0]), max(1, size[1])
    fine = pygame.Surface((wide * FINE, high * FINE), pygame.SRCALPHA)
    fine.fill((*colour, 0))  # the colour everywhere, so that scaling mixes only the alpha
    draw(fine)
    return pygame.transform.smoothscale(fine, (wide, high))


@SHAPES.keeps
def slab(size: tuple[int, int], colour: Colour, radius: int) -> pygame.Surface:
    """A filled rectangle with round corners of ``radius`` pixels."""
    return _smooth(size, colour, lambda fine: _rounded(fine, colour, radius, 0, 0))


@SHAPES.keeps
def frame(size: tuple[int, int], colour: Colour, radius: int, thick: int, inset: int = 0) -> pygame.Surface:
    """The outline of a slab, ``thick`` pixels wide, ``inset`` pixels inside the box."""
    return _smooth(size, colour, lambda fine: _rounded(fine, colour, radius, thick, inset))


def _rounded(fine: pygame.Surface, colour: Colour, radius: int, thick: int, inset: int) -> None:
    rect = fine.get_rect().inflate(-2 * inset * FINE, -2 * inset * FINE)
    pygame.draw.rect(fine, (*colour, 255), rect, thick * FINE, border_radius=max(0, radius - inset) * FINE)


@SHAPES.keeps
def polygon(size: tuple[int, int], colour: Colour, points: tuple[Point, ...]) -> pygame.Surface:
    """A filled polygon; points from (0, 0) to (1, 1)."""

    def draw(fine: pygame.Surface) -> None:
        wide, high = fine.get_width() - 1, fine.get_height() - 1
        pygame.draw.polygon(fine, (*colour, 255), [(x * wide, y * high) for x, y in points])

    return _smooth(size, colour, draw)


@SHAPES.keeps
def stroke(size: tuple[int, int], colour: Colour, points: tuple[Point, ...], thick: float) -> pygame.Surface:
    """A line through the points with round ends and joints, ``thick`` pixels wide."""

    def draw(fine: pygame.Surface) -> None:
        wide, high = fine.get_width() - 1, fine.get_height() - 1
        spots = [pygame.Vector2(x * wide, y * high) for x, y in points]
        radius = thick * FINE / 2
        for spot in spots:
            pygame.draw.circle(fine, (*colour, 255), spot, radius)
        for one, other in pairwise(spots):
            if one != other:
                side = (other - one).normalize().rotate(90) * radius
                pygame.draw.polygon(fine, (*colour, 255), [one + side, other + side, other - side, one - side])

    return _smooth(size, colour, draw)


@SHAPES.keeps
def notched(size: tuple[int, int], colour: Colour, depth: int) -> pygame.Surface:
    """A filled rectangle whose ends are toothed like a ticket's, ``depth`` pixels deep; above and below it is straight,
    so that no digit touches a tooth.
    """

    def draw(fine: pygame.Surface) -> None:
        fine.fill((*colour, 255))
        wide, high = size
        count = max(3, round(high / (depth * 1.2))) | 1  # odd: the corners stay
        for number in range(1, count, 2):
            start, end = high * number // count, high * (number + 1) // count
            for edge in (0, wide - depth):
                fine.fill((*colour, 0), (edge * FINE, start * FINE, depth * FINE, (end - start) * FINE))

    return _smooth(size, colour, draw)


@SHAPES.keeps
def disc(diameter: int, colour: Colour) -> pygame.Surface:
    """A filled circle."""
    return _smooth((diameter, diameter), colour, lambda fine: _ring(fine, colour, 0, 1.0))


@SHAPES.keeps
def ring(diameter: int, colour: Colour, thick: int, permille: int = 1000) -> pygame.Surface:
    """A circle's outline, or the part of it that runs clockwise from the top for ``permille`` of the circle."""
    return _smooth((diameter, diameter), colour, lambda fine: _ring(fine, colour, thick, permille / 1000))


def _ring(fine: pygame.Surface, colour: Colour, thick: int, share: float) -> None:
    radius = fine.get_width() / 2
    middle = (radius, radius)
    if share >= 1.0:
        pygame.draw.circle(fine, (*colour, 255), middle, radius, thick * FINE)
        return
    inner, steps = radius - thick * FINE, max(2, round(96 * share))
    turns = [math.tau * share * step / steps - math.pi / 2 for step in range(steps + 1)]
    outline = [(radius + math.cos(turn) * radius, radius + math.sin(turn) * radius) for turn in turns]
    back = [(radius + math.cos(turn) * inner, radius + math.sin(turn) * inner) for turn in reversed(turns)]
    if share > 0:
        pygame.draw.polygon(fine, (*colour, 255), outline + back)


@SHAPES.keeps
def suit(sign: str, size: int, colour: Colour) -> pygame.Surface:
    """The sign of a suit, S H D C, drawn: the same on every machine, whatever the fonts."""
    return _smooth((size, size), colour, lambda fine: _SUITS[sign](fine, (*colour, 255), float(fine.get_width())))


_Ink = tuple[int, int, int, int]


def _diamond(fine: pygame.Surface, ink: _Ink, size: float) -> None:
    points = [(0.5, 0.02), (0.86, 0.5), (0.5, 0.98), (0.14, 0.5)]
    pygame.draw.polygon(fine, ink, [(x * size, y * size) for x, y in points])


def _heart(fine: pygame.Surface, ink: _Ink, size: float) -> None:
    for x in (0.28, 0.72):
        pygame.draw.circle(fine, ink, (x * size, 0.30 * size), 0.235 * size)
    flank = [(0.075, 0.415), (0.5, 0.97), (0.925, 0.415), (0.72, 0.16), (0.5, 0.3), (0.28, 0.16)]
    pygame.draw.polygon(fine, ink, [(x * size, y * size) for x, y in flank])


def _spade(fine: pygame.Surface, ink: _Ink, size: float) -> None:
    for x in (0.29, 0.71):
        pygame.draw.circle(fine, ink, (x * size, 0.56 * size), 0.22 * size)
    flank = [(0.5, 0.02), (0.885, 0.43), (0.71, 0.7), (0.5, 0.62), (0.29, 0.7), (0.115, 0.43)]
    pygame.draw.polygon(fine, ink, [(x * size, y * size) for x, y in flank])
    _stem(fine, ink, size)


def _club(fine: pygame.Surface, ink: _Ink, size: float) -> None:
    for x, y in ((0.5, 0.25), (0.255, 0.58), (0.745, 0.58)):
        pygame.draw.circle(fine, ink, (x * size, y * size), 0.22 * size)
    pygame.draw.circle(fine, ink, (0.5 * size, 0.5 * size), 0.12 * size)
    _stem(fine, ink, size)


def _stem(fine: pygame.Surface, ink: _Ink, size: float) -> None:
    points = [(0.455, 0.5), (0.545, 0.5), (0.57, 0.8), (0.68, 0.97), (0.32, 0.97), (0.43, 0.8)]
    pygame.draw.polygon(fine, ink, [(x * size, y * size) for x, y in points])


_SUITS: dict[str, Callable[[pygame.Surface, _Ink, float], None]] = {
    "S": _spade,
    "H": _heart,
    "D": _diamond,
    "C": _club,
}
