"""The few shapes the parts are made of. Circles have a fixed number of corners, so files repeat."""

import math
from collections.abc import Sequence

from manifold3d import CrossSection, FillRule, JoinType, Manifold

from workshop.solids.letters import Outline

CORNERS = 96


def plate(width: float, depth: float, height: float, radius: float) -> Manifold:
    """A plate centred on the origin with rounded corners, standing on z = 0."""
    return rounded(width, depth, radius).extrude(height)


def rounded(width: float, depth: float, radius: float) -> CrossSection:
    inner = CrossSection.square((width - 2 * radius, depth - 2 * radius), True)
    return inner.offset(radius, JoinType.Round, circular_segments=CORNERS)


def box(x: tuple[float, float], y: tuple[float, float], z: tuple[float, float]) -> Manifold:
    """The box between two corners, given axis by axis."""
    size = (x[1] - x[0], y[1] - y[0], z[1] - z[0])
    return Manifold.cube(size).translate((x[0], y[0], z[0]))


def turned(profile: Sequence[tuple[float, float]]) -> Manifold:
    """A solid of revolution about z from a closed profile of (radius, z), counter-clockwise."""
    return CrossSection([list(profile)], FillRule.NonZero).revolve(CORNERS)


def prism(outline: Sequence[tuple[float, float]], height: float) -> Manifold:
    return CrossSection([list(outline)], FillRule.NonZero).extrude(height)


def cylinder(x: float, y: float, z: tuple[float, float], diameter: float, top: float | None = None) -> Manifold:
    """An upright cylinder or cone; ``top`` is its upper diameter where it differs."""
    upper = diameter if top is None else top
    made = Manifold.cylinder(z[1] - z[0], diameter / 2, upper / 2, CORNERS)
    return made.translate((x, y, z[0]))


def on_circle(count: int, radius: float, first: float = 90.0) -> list[tuple[float, float]]:
    """``count`` places on a circle, the first at ``first`` degrees."""
    angles = (math.radians(first + 360 * index / count) for index in range(count))
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


def letters(outline: Outline, height: float) -> Manifold:
    """Raised writing of the given height, standing on z = 0."""
    return CrossSection(outline, FillRule.NonZero).extrude(height)


def together(*solids: Manifold) -> Manifold:
    whole = Manifold()
    for solid in solids:
        whole += solid
    return whole
