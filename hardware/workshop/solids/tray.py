"""The reader tray: one card lies between guides above the aerial; the lid between them is thin.

A thumb notch in front and a gap in the stop behind let a card be picked up at once: cheap readers freeze on two stacked
tags, so the last card must go before the next comes.
"""

from dataclasses import dataclass

from manifold3d import Manifold

from workshop.solids.letters import straight
from workshop.solids.shapes import box, cylinder, letters, plate, prism, together

WORD = "ONE CARD"


@dataclass(frozen=True)
class Tray:
    """Measures; ``card`` in its sleeve; ``pocket`` for the reader's module or coil, lying flat under the lid."""

    card: tuple[float, float] = (66.0, 91.0)
    play: float = 1.0  # on each side of the card
    pocket: tuple[float, float, float] = (58.0, 60.0, 9.0)
    bottom: float = 1.6
    lid: float = 1.2
    ledge: float = 3.0
    guide: tuple[float, float] = (5.0, 4.0)  # width, height over the lid
    lip: float = 20.0  # in front of the card
    screw: float = 3.4

    @property
    def surface(self) -> float:
        """Height of the face that the card lies on."""
        return self.bottom + self.pocket[2] + self.lid

    @property
    def inside(self) -> float:
        """Half of the distance between the guides."""
        return self.card[0] / 2 + self.play

    @property
    def front(self) -> float:
        return -self.card[1] / 2 - self.lip

    @property
    def back(self) -> float:
        return self.card[1] / 2 + self.play + self.guide[0]

    @property
    def half_width(self) -> float:
        return self.inside + self.guide[0] + 9


def base(tray: Tray) -> Manifold:
    depth = tray.back - tray.front + 1
    body = plate(2 * tray.half_width, depth, tray.surface, 5).translate((0, (tray.front + tray.back) / 2, 0))
    body = together(body, _guides(tray))
    wide, deep, high = tray.pocket
    body -= box((-wide / 2, wide / 2), (-deep / 2, deep / 2), (tray.bottom, tray.bottom + high + 0.01))
    edge_x, edge_y = wide / 2 + tray.ledge + 0.2, deep / 2 + tray.ledge + 0.2
    body -= box((-edge_x, edge_x), (-edge_y, edge_y), (tray.surface - tray.lid, tray.surface + 1))
    body -= box((-6, 6), (0, tray.back + 2), (tray.bottom, tray.bottom + 7))  # the cable's way out
    body -= _thumb_notch(tray)
    for x in (-tray.half_width + 5, tray.half_width - 5):
        for y in (tray.front + 6, tray.back - 5):
            body -= cylinder(x, y, (-1, tray.surface + 9), tray.screw)
            body -= cylinder(x, y, (tray.surface - 1.8, tray.surface + 0.01), tray.screw, 2 * tray.screw)
    return body


def _guides(tray: Tray) -> Manifold:
    wide, high = tray.guide
    low, top = tray.surface - 0.5, tray.surface + high
    inside, near, far = tray.inside, -tray.card[1] / 2, tray.card[1] / 2 + tray.play
    outside = inside + wide
    right = [(inside + 3, near), (outside, near), (outside, far + wide), (inside, far + wide), (inside, near + 12)]
    left = [(-x, y) for x, y in reversed(right)]
    sides = [prism(outline, top - low).translate((0, 0, low)) for outline in (left, right)]
    gap = 15.0
    ends = ((gap, inside + 1), (-inside - 1, -gap))
    stops = [box(end, (far, far + wide), (low, top)) for end in ends]
    return together(*sides, *stops)


def _thumb_notch(tray: Tray) -> Manifold:
    near = -tray.card[1] / 2
    return cylinder(0, near - 2, (tray.surface - 5, tray.surface + 1), 26, 38)


def writing(tray: Tray) -> Manifold:
    """On the lip, beside the thumb notch on either side."""
    foot = 0.2
    one, card = WORD.split()
    middle = tray.front + 13
    left = letters(straight(one, 5.0), 0.6 + foot).translate((-tray.inside + 2, middle, 0))
    right = letters(straight(card, 5.0), 0.6 + foot).translate((tray.inside - 2, middle, 0))
    return together(left, right).translate((0, 0, tray.surface - foot))


def base_solid(tray: Tray) -> Manifold:
    return together(base(tray), writing(tray))


def lid(tray: Tray) -> Manifold:
    """The thin plate over the pocket; it drops into its ledge and is glued once the reader reads."""
    wide, deep, _ = tray.pocket
    return plate(wide + 2 * tray.ledge, deep + 2 * tray.ledge, tray.lid, 0.5)
