"""How large a letter has to be, and which way the picture is turned.

A guest sits up to 2 m away. A capital of 16 minutes of arc is read at a glance there, so the height of the smallest
capital follows from the panel alone: 2 m * tan(16') = 9.3 mm, 49 pixels on a 7" panel of 800x480. DejaVu's capitals are
0.729 of the font size high (1493 of 2048 units).
"""

import math
from itertools import pairwise

import msgspec

DISTANCE_MM = 2000.0
LEAST_ARC_MINUTES = 16.0
CAPITAL_SHARE = 1493 / 2048
MM_PER_INCH = 25.4
TURNS = (0, 90, 180, 270)

# Usual panels by resolution, for a table.toml that names no diagonal.
USUAL_INCHES = {(800, 480): 7.0, (1024, 600): 10.0, (1280, 800): 10.0, (1920, 1080): 15.0}


class Panel(msgspec.Struct, frozen=True):
    """A screen as it is built in: pixels of the panel, its diagonal in inches, and the turn of the picture on it.

    ``turn`` is in degrees clockwise: 90 means that the top of the picture is at the panel's right edge.
    """

    width: int
    height: int
    inches: float = 0.0
    turn: int = 0

    def __post_init__(self) -> None:
        if self.turn not in TURNS:
            raise ValueError(f"turn {self.turn} is none of {', '.join(map(str, TURNS))}")
        if self.width < 320 or self.height < 240:
            raise ValueError(f"a screen of {self.width}x{self.height} is too small: at least 320x240")
        if self.inches == 0.0:
            usual = USUAL_INCHES.get((max(self.width, self.height), min(self.width, self.height)), 10.0)
            msgspec.structs.force_setattr(self, "inches", usual)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture as the guests see it, in pixels."""
        return (self.width, self.height) if self.turn in (0, 180) else (self.height, self.width)

    @property
    def capital(self) -> int:
        """The least height of a capital in pixels: 16 minutes of arc at 2 m."""
        pixels_per_mm = math.hypot(self.width, self.height) / (self.inches * MM_PER_INCH)
        return math.ceil(DISTANCE_MM * math.tan(math.radians(LEAST_ARC_MINUTES / 60)) * pixels_per_mm)

    def arc_minutes(self, capital: float) -> float:
        """The height of a capital of that many pixels in minutes of arc at 2 m."""
        millimetres = capital * self.inches * MM_PER_INCH / math.hypot(self.width, self.height)
        return math.degrees(math.atan(millimetres / DISTANCE_MM)) * 60


class Box(msgspec.Struct, frozen=True):
    """A rectangle of the picture in pixels, from its top left corner."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h

    @property
    def centre(self) -> tuple[int, int]:
        return self.x + self.w // 2, self.y + self.h // 2

    @property
    def rect(self) -> tuple[int, int, int, int]:
        """As pygame takes it."""
        return self.x, self.y, self.w, self.h

    def inset(self, dx: int, dy: int | None = None) -> "Box":
        """The box without a margin of dx pixels left and right and dy above and below."""
        margin = dx if dy is None else dy
        return Box(self.x + dx, self.y + margin, max(0, self.w - 2 * dx), max(0, self.h - 2 * margin))

    def meets(self, other: "Box") -> bool:
        """Whether the two share a pixel."""
        return self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom

    def holds(self, other: "Box") -> bool:
        """Whether the other lies within this one."""
        return self.x <= other.x and self.y <= other.y and other.right <= self.right and other.bottom <= self.bottom

    def around(self, other: "Box") -> "Box":
        """The smallest box that holds both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.right, other.right) - x, max(self.bottom, other.bottom) - y)

    def within(self, other: "Box") -> "Box":
        """What of this box lies in the other; of no width or height where nothing does."""
        x, y = max(self.x, other.x), max(self.y, other.y)
        return Box(x, y, max(0, min(self.right, other.right) - x), max(0, min(self.bottom, other.bottom) - y))

    def rows(self, *shares: int) -> tuple["Box", ...]:
        """The box cut into rows from top to bottom whose heights stand in these proportions."""
        whole, edges = sum(shares), [0]
        for share in shares:
            edges.append(edges[-1] + share)
        cuts = [self.y + self.h * edge // whole for edge in edges]
        return tuple(Box(self.x, top, self.w, below - top) for top, below in pairwise(cuts))

    def columns(self, *shares: int) -> tuple["Box", ...]:
        """The box cut into columns from left to right whose widths stand in these proportions."""
        whole, edges = sum(shares), [0]
        for share in shares:
            edges.append(edges[-1] + share)
        cuts = [self.x + self.w * edge // whole for edge in edges]
        return tuple(Box(left, self.y, right - left, self.h) for left, right in pairwise(cuts))
