"""The card groove: a hand of cards stands in it, so that both hands are free to slap.

The groove is 200 mm long, 12 mm wide and 5 mm deep, and leans back by 12 degrees; a rest behind it holds a single card.
The same groove can be milled into the table's edge instead.
"""

import math
from dataclasses import dataclass

from manifold3d import CrossSection, FillRule, Manifold


@dataclass(frozen=True)
class Groove:
    """Measures; ``lean`` in degrees from upright."""

    length: float = 200.0
    width: float = 12.0
    depth: float = 5.0
    lean: float = 12.0
    end: float = 5.0  # wall at either end
    front: float = 10.0  # bar before the groove
    rest: float = 20.0  # height of the rest over the groove's edge
    rest_wall: float = 4.0
    height: float = 13.0  # of the front

    def along(self, back: float, up: float) -> tuple[float, float]:
        """A point (back, up) of the leaning groove, measured from the groove's front edge, as (y, z) of the bar."""
        lean = math.radians(self.lean)
        y = self.front + back * math.cos(lean) + up * math.sin(lean)
        return y, self.height - back * math.sin(lean) + up * math.cos(lean)


def groove_solid(groove: Groove) -> Manifold:
    """Printed as it stands. Seen from the end: the bar with its rest, less the groove between the two end walls."""
    back, wall = groove.width, groove.rest_wall
    foot = groove.along(back + wall, 0)[0] + 10
    bar = [
        (0, 0),
        (foot, 0),
        (foot, 3),
        groove.along(back + wall, 0),
        groove.along(back + wall, groove.rest),
        groove.along(back, groove.rest),
        groove.along(back, 0),
        groove.along(0, 0),
        (3, groove.height),
        (0, groove.height - 3),
    ]
    cut = [
        groove.along(0, -groove.depth),
        groove.along(back, -groove.depth),
        groove.along(back, 5),
        groove.along(0, 5),
    ]
    whole = groove.length + 2 * groove.end
    return _lengthwise(bar, whole) - _lengthwise(cut, groove.length)


def _lengthwise(outline: list[tuple[float, float]], length: float) -> Manifold:
    """An outline in (y, z) drawn out along x, centred."""
    solid = CrossSection([outline], FillRule.NonZero).extrude(length)
    return solid.rotate((90, 0, 90)).translate((-length / 2, 0, 0))
