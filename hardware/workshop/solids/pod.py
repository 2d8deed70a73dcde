"""The button pod: collar, floor and stand.

The collar hangs in a round hole of the table and keeps the dome of an arcade button level with its rim: a palm that
slaps presses it, a forearm that rests does not. The button stands on the floor, which closes the collar from below. On
a table that must not be drilled the collar hangs in a stand instead.
"""

from dataclasses import dataclass

from manifold3d import Manifold

from workshop.solids.shapes import box, cylinder, on_circle, together, turned


@dataclass(frozen=True)
class Pod:
    """Measures. Of the button: ``hole`` for its thread, ``rim`` its widest, ``height`` of its dome."""

    hole: float = 24.0
    rim: float = 60.0
    height: float = 24.0
    body: float = 45.0  # of the button below the floor's upper side, with lamp holder and plugs
    play: float = 1.0  # between rim and collar
    proud: float = 0.5  # the collar stands this much over the dome
    wall: float = 5.0
    above: float = 8.0  # of the collar over the table
    bezel: float = 3.0  # thickness of the bezel under the flange
    flange: float = 12.0
    floor: float = 5.0
    screw: float = 3.4
    small_screw: float = 2.8
    pilot: float = 1.8

    @property
    def well(self) -> float:
        """Radius of the well that the dome sits in."""
        return self.rim / 2 + self.play

    @property
    def barrel(self) -> float:
        """Outer radius of what goes through the table; the table's hole is 1 mm wider across."""
        return self.well + self.wall

    @property
    def outer(self) -> float:
        return self.barrel + self.flange

    @property
    def depth(self) -> float:
        """From the collar's rim to the floor the button stands on."""
        return self.height + self.proud

    @property
    def hole_in_table(self) -> float:
        return 2 * self.barrel + 1

    def screws(self) -> list[tuple[float, float]]:
        """Where screws go through the flange and bezel."""
        return on_circle(3, self.barrel + 4.5)

    def floor_screws(self) -> list[tuple[float, float]]:
        return on_circle(3, self.well + self.wall / 2)


def collar(pod: Pod) -> Manifold:
    """Printed with its rim down: the face that people touch is as smooth as the bed."""
    top = pod.above - pod.bezel
    slope = min(5.0, top)
    profile = [
        (pod.well + 1, 0),
        (pod.outer - slope, 0),
        (pod.outer, slope),
        (pod.outer, top),
        (pod.barrel, top),
        (pod.barrel, pod.depth),
        (pod.well, pod.depth),
        (pod.well, 1),
    ]
    solid = turned(profile)
    for x, y in pod.screws():
        solid -= cylinder(x, y, (-1, top + 1), pod.screw)
        solid -= cylinder(x, y, (-0.01, 1.8), 2 * pod.screw - 0.2, pod.screw)
    for x, y in pod.floor_screws():
        solid -= cylinder(x, y, (pod.depth - 10, pod.depth + 1), pod.pilot)
    return solid


def floor(pod: Pod) -> Manifold:
    """The disc the button stands on, screwed to the collar from below."""
    solid = cylinder(0, 0, (0, pod.floor), 2 * pod.barrel)
    solid -= cylinder(0, 0, (-1, pod.floor + 1), pod.hole + 0.6)
    for x, y in pod.floor_screws():
        solid -= cylinder(x, y, (-1, pod.floor + 1), pod.small_screw)
    return solid


def stand(pod: Pod, radius: float) -> Manifold:
    """For a table that is not drilled: printed top down; ``radius`` is that of the bezel it carries."""
    height = pod.body + pod.depth - pod.above + 3
    wall, top = 3.0, 5.0
    foot = radius + 6
    outside = [(0, 0), (radius, 0), (foot, height), (0, height)]
    inside = [(0, top), (radius - wall, top), (foot - wall, height + 1), (0, height + 1)]
    solid = turned(outside) - turned(inside)
    solid -= cylinder(0, 0, (-1, top + 1), pod.hole_in_table)
    for x, y in pod.screws():
        boss = cylinder(x, -y, (0, 14), 8)
        solid = together(solid, boss) - cylinder(x, -y, (-1, 13), 2.2)
    return solid - box((-5, 5), (-foot - 1, 0), (height - 7, height + 1))  # for the cable, away from the player
