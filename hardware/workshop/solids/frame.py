"""The frame of the CLAIM spot: a packet is laid crosswise inside it, and cannot be mistaken for the pile."""

from dataclasses import dataclass

from manifold3d import Manifold

from workshop.solids.letters import straight
from workshop.solids.shapes import letters, rounded, together

WORD = "CLAIM"


@dataclass(frozen=True)
class Frame:
    """Measures; the opening takes a sleeved card lying either way."""

    opening: float = 98.0
    bar: float = 18.0
    height: float = 4.0
    slope: float = 3.0  # of the inner edge, so that cards slide out over it
    capital: float = 9.0
    raised: float = 0.8

    @property
    def outer(self) -> float:
        return self.opening + 2 * self.bar


def bars(frame: Frame) -> Manifold:
    outer = rounded(frame.outer, frame.outer, 12).extrude(frame.height)
    wide = (frame.opening + 2 * frame.slope) / frame.opening
    hole = rounded(frame.opening, frame.opening, 6).extrude(frame.height, scale_top=(wide, wide))
    top = rounded(frame.opening, frame.opening, 6).scale((wide, wide)).extrude(1).translate((0, 0, frame.height))
    bottom = rounded(frame.opening, frame.opening, 6).extrude(1).translate((0, 0, -1))
    return outer - together(hole, top, bottom)


def writing(frame: Frame) -> Manifold:
    """The word on all four sides, each upright for those who sit there."""
    foot = 0.2
    middle = frame.opening / 2 + (frame.bar + frame.slope) / 2
    word = letters(straight(WORD, frame.capital), frame.raised + foot).translate((0, -middle, frame.height - foot))
    return together(*(word.rotate((0, 0, angle)) for angle in (0, 90, 180, 270)))


def frame_solid(frame: Frame) -> Manifold:
    return together(bars(frame), writing(frame))
