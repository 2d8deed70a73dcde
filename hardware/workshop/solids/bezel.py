"""The bezel round a button: what its lamp means, in the only words a guest needs.

A flat ring under the collar's flange. The writing stands 0.8 mm high: change the filament at that layer and it has its
own colour.
"""

from dataclasses import dataclass, field

from manifold3d import Manifold

from workshop.solids.letters import on_arc
from workshop.solids.pod import Pod
from workshop.solids.shapes import cylinder, letters, together

UPPER = "STEADY: SLAP = DOUBT"
LOWER = "PULSING: TAP = NEXT, HOLD = DO IT"


@dataclass(frozen=True)
class Bezel:
    """Measures; the ring fits the pod it goes round."""

    pod: Pod = field(default_factory=Pod)
    radius: float = 77.0
    capital: float = 6.0
    raised: float = 0.8
    edge: float = 1.6

    @property
    def thickness(self) -> float:
        return self.pod.bezel

    @property
    def writing(self) -> float:
        """Radius of the middle of the letters, halfway between flange and edge."""
        return (self.pod.outer + self.radius - self.edge) / 2


def ring(bezel: Bezel) -> Manifold:
    pod = bezel.pod
    solid = cylinder(0, 0, (0, bezel.thickness), 2 * bezel.radius)
    solid = solid - cylinder(0, 0, (-1, bezel.thickness + 1), pod.hole_in_table)
    for x, y in pod.screws():
        solid -= cylinder(x, y, (-1, bezel.thickness + 1), pod.screw)
    return solid


def writing(bezel: Bezel) -> Manifold:
    """All that stands up from the ring: letters, the edge, and a dot on either side between the two sentences."""
    foot = 0.2  # sunk into the ring, so that both are one body
    high = bezel.raised + foot
    upper = letters(on_arc(UPPER, bezel.capital, bezel.writing, top=True), high)
    lower = letters(on_arc(LOWER, bezel.capital, bezel.writing, top=False), high)
    edge = cylinder(0, 0, (0, high), 2 * bezel.radius)
    edge -= cylinder(0, 0, (-1, high + 1), 2 * (bezel.radius - bezel.edge))
    dots = [cylinder(side * bezel.writing, 0, (0, high), 4) for side in (-1, 1)]
    return together(upper, lower, edge, *dots).translate((0, 0, bezel.thickness - foot))


def bezel_solid(bezel: Bezel) -> Manifold:
    return together(ring(bezel), writing(bezel))
