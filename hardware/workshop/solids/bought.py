"""Things that are bought, roughly, so that pictures show the printed parts in use."""

import math

from manifold3d import Manifold

from workshop.solids.letters import straight
from workshop.solids.pod import Pod
from workshop.solids.shapes import CORNERS, box, cylinder, letters, plate, together

Shape = Manifold


def dome(pod: Pod) -> Shape:
    """The lit dome of an arcade button whose rim stands on z = 0."""
    radius, high = pod.rim / 2 - 4, pod.height - 6
    ball = (radius**2 + high**2) / (2 * high)
    cap = Manifold.sphere(ball, CORNERS).translate((0, 0, high + 6 - ball))
    return cap.trim_by_plane((0, 0, 1), 5.5)


def rim(pod: Pod) -> Shape:
    """The button's rim and threaded neck."""
    neck = cylinder(0, 0, (-24, 0.5), pod.hole)
    return together(cylinder(0, 0, (0, 6), pod.rim), neck)


def nut(pod: Pod) -> Shape:
    """Screwed up against the floor from below; z = 0 is its upper side."""
    return cylinder(0, 0, (-6, 0), pod.hole + 10) - cylinder(0, 0, (-7, 1), pod.hole)


def switch(pod: Pod) -> Shape:
    """Microswitch and lamp holder under the neck; z = 0 is where the rim stands."""
    tabs = [box((x - 1, x + 1), (-1, 1), (-pod.body, -38)) for x in (-3, 3)]
    return together(box((-9, 9), (-6, 6), (-38, -24)), *tabs)


def card() -> Shape:
    """A poker card, thicker than it is."""
    return plate(63, 88, 0.6, 3.5)


def face(name: str) -> Shape:
    """What is printed on a card's face: its name in the corner, standing on z = 0.6."""
    return letters(straight(name, 8), 0.3).translate((-20, 33, 0.5))


def packet(cards: int) -> Shape:
    """Some cards laid down as one packet, not quite square."""
    turns = (3.5 * math.sin(2.1 * index) for index in range(cards))
    return together(*(card().rotate((0, 0, turn)).translate((0, 0, 0.62 * index)) for index, turn in enumerate(turns)))


def module() -> Shape:
    """A reader's module: a board with a chip."""
    return together(plate(43, 41, 1.6, 2), box((-6, 6), (-5, 5), (1.5, 2.6)))
