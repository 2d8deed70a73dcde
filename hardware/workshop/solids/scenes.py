"""The pictures of the printed parts: each as it is printed, and together in use."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from manifold3d import Manifold

from workshop.layout import layout
from workshop.solids import bezel as bezels
from workshop.solids import bought, frame, groove, pod, tray
from workshop.solids.frame import Frame
from workshop.solids.groove import Groove
from workshop.solids.pod import Pod
from workshop.solids.render import Body, Canvas, Note, Point, Scene, View
from workshop.solids.shapes import box, cylinder, plate, together
from workshop.solids.tray import Tray

SAND = (214, 203, 182)
LETTER = (150, 58, 40)
GLASS = (240, 222, 168)
STEEL = (176, 182, 190)
SLATE = (128, 146, 166)
WOOD = (201, 164, 116)
PCB = (92, 142, 104)
WHITE = (250, 249, 245)
SMALL = Canvas(640, 480, 40, 30)


@dataclass(frozen=True)
class Parts:
    """The measures of everything that is printed; the pod's come with the button that was chosen."""

    pod: Pod = field(default_factory=Pod)
    tray: Tray = field(default_factory=Tray)
    frame: Frame = field(default_factory=Frame)
    groove: Groove = field(default_factory=Groove)

    @property
    def bezel(self) -> bezels.Bezel:
        return bezels.Bezel(self.pod)

    def solids(self) -> Mapping[str, Manifold]:
        """Every printed part by its name, lying as it is printed."""
        return {
            "pod-collar": pod.collar(self.pod),
            "pod-floor": pod.floor(self.pod),
            "pod-stand": pod.stand(self.pod, self.bezel.radius),
            "bezel": bezels.bezel_solid(self.bezel),
            "reader-tray": tray.base_solid(self.tray),
            "reader-lid": tray.lid(self.tray),
            "claim-frame": frame.frame_solid(self.frame),
            "card-groove": groove.groove_solid(self.groove),
        }


WORDS = {
    "pod-collar": "the collar of the button pod, rim down",
    "pod-floor": "the floor of the button pod, a disc with a hole for the button",
    "pod-stand": "the stand for a table that is not drilled, top down",
    "bezel": "the ring round the button with its two sentences",
    "reader-tray": "the reader tray with its pocket, guides and thumb notch",
    "reader-lid": "the thin lid over the reader's pocket",
    "claim-frame": "the frame of the CLAIM spot",
    "card-groove": "the bar with the card groove and its rest",
}


def printed(parts: Parts) -> Iterator[Scene]:
    """Each part as it lies on the printer's bed."""
    coloured = {
        "bezel": [Body(bezels.ring(parts.bezel), SAND), Body(bezels.writing(parts.bezel), LETTER)],
        "claim-frame": [Body(frame.bars(parts.frame), SAND), Body(frame.writing(parts.frame), LETTER)],
        "reader-tray": [Body(tray.base(parts.tray), SAND), Body(tray.writing(parts.tray), LETTER)],
    }
    for name, solid in parts.solids().items():
        turn = 0 if name == "bezel" else 30
        bodies = coloured.get(name, [Body(solid, SAND)])
        yield Scene(name, WORDS[name], bodies, View(turn, 42), canvas=Canvas(640, 440, 30, 24))


def in_use(parts: Parts) -> Iterator[Scene]:
    yield _exploded(parts)
    yield _section(parts)
    yield _on_stand(parts)
    yield _reading(parts)
    yield _claiming(parts)
    yield _standing(parts)


def seat(parts: Parts) -> list[Body]:
    """A pod in its place, z = 0 being the table's top."""
    collar = _turned_over(pod.collar(parts.pod), parts.pod.above)
    low = parts.pod.above - parts.pod.depth
    return [
        Body(collar, SLATE),
        Body(bezels.ring(parts.bezel), SAND),
        Body(bought.dome(parts.pod).translate((0, 0, low)), GLASS),
        Body(bought.rim(parts.pod).translate((0, 0, low)), STEEL),
        Body(bezels.writing(parts.bezel), LETTER),
    ]


def _turned_over(solid: Manifold, top: float) -> Manifold:
    """A part that is printed upside down, as it is used: its printed bottom at height ``top``."""
    return solid.rotate((180, 0, 0)).translate((0, 0, top))


def _table_piece(parts: Parts, thick: float = 22) -> Manifold:
    slab = plate(190, 190, thick, 8).translate((0, 0, -thick))
    return slab - cylinder(0, 0, (-thick - 1, 1), parts.pod.hole_in_table)


def _exploded(parts: Parts) -> Scene:
    measures = parts.pod
    lifts = {"button": 112, "collar": 64, "bezel": 26, "floor": -84, "nut": -112}
    up = (0, 0, lifts["bezel"])
    bodies = [
        Body(bought.dome(measures).translate((0, 0, lifts["button"])), GLASS),
        Body(bought.rim(measures).translate((0, 0, lifts["button"])), STEEL),
        Body(_turned_over(pod.collar(measures), measures.above + lifts["collar"]), SLATE),
        Body(bezels.ring(parts.bezel).translate(up), SAND),
        Body(bezels.writing(parts.bezel).translate(up), LETTER),
        Body(_table_piece(parts), WOOD),
        Body(pod.floor(measures).translate((0, 0, lifts["floor"])), SLATE),
        Body(bought.nut(measures).translate((0, 0, lifts["nut"])), STEEL),
    ]
    notes = [
        Note("arcade button 60 mm", (28, 0, lifts["button"] + 4), (0.69, 0.10)),
        Note("collar,\n3 screws 3 x 16", (45, 0, lifts["collar"] + 2), (0.72, 0.24)),
        Note("bezel, clamped\nunder the collar", (72, 0, lifts["bezel"] + 3), (0.78, 0.36)),
        Note(f"table, {measures.hole_in_table:.0f} mm hole", (84, -70, 0), (0.74, 0.70)),
        Note("floor, 3 screws\n2.2 x 9.5 from below", (34, -8, lifts["floor"] + 3), (0.70, 0.83)),
        Note("the button's nut", (14, -8, lifts["nut"] - 3), (0.66, 0.94)),
    ]
    return Scene("pod-exploded", "the button pod taken apart", bodies, View(18, 24), notes, Canvas(800, 860, 90, 20))


def _section(parts: Parts) -> Scene:
    measures = parts.pod
    low = measures.above - measures.depth
    bodies = [
        *seat(parts),
        Body(pod.floor(measures).translate((0, 0, low - measures.floor)), SLATE),
        Body(bought.nut(measures).translate((0, 0, low - measures.floor)), STEEL),
        Body(bought.switch(measures).translate((0, 0, low)), PCB),
        Body(_table_piece(parts), WOOD),
    ]
    half = [Body(body.solid.trim_by_plane((0, 1, 0), 0), body.colour) for body in bodies]
    words = "dome level with the rim:\na palm presses, a forearm does not"
    notes = [
        Note(words, (4, 0, low + measures.height), (0.30, 0.03)),
        Note("collar", (44, 0, 5), (0.72, 0.09)),
        Note("bezel", (66, 0, 2), (0.86, 0.17)),
        Note("table", (80, 0, -10), (0.86, 0.66)),
        Note("floor", (-30, 0, low - 3), (0.10, 0.66)),
        Note("nut", (16, 0, low - 8), (0.68, 0.72)),
        Note("microswitch and lamp", (6, 0, low - 31), (0.64, 0.90)),
    ]
    return Scene("pod-section", "the button pod cut in half", half, View(0, 14), notes, Canvas(900, 520, 60, 70))


def _on_stand(parts: Parts) -> Scene:
    stand = pod.stand(parts.pod, parts.bezel.radius)
    high = stand.bounding_box()[5]
    lifted = [Body(body.solid.translate((0, 0, high)), body.colour) for body in seat(parts)]
    bodies = [Body(_turned_over(stand, high), SLATE), *lifted]
    return Scene("pod-on-stand", "the button pod on its stand", bodies, View(10, 38), (), SMALL)


def _card(name: str) -> list[Body]:
    red = name[-1] in "\u2665\u2666"
    return [Body(bought.card(), WHITE), Body(bought.face(name), (176, 40, 36) if red else (40, 40, 40))]


def _moved(bodies: Sequence[Body], turn: Point, by: Point) -> list[Body]:
    return [Body(body.solid.rotate(turn).translate(by), body.colour) for body in bodies]


def _reading(parts: Parts) -> Scene:
    top = parts.tray.surface
    bodies = [
        Body(tray.base(parts.tray), SAND),
        Body(tray.writing(parts.tray), LETTER),
        Body(bought.module().translate((0, 0, top - parts.tray.lid - 3)), PCB),
        Body(tray.lid(parts.tray).translate((78, 34, top + 22)), SAND),
        *_moved(_card("Q\u2665"), (0, 0, 0), (0, -58, top + 1)),
    ]
    notes = [
        Note("the card slides in", (12, -92, top + 2), (0.44, 0.94)),
        Note("lid, 1.2 mm", (96, 44, top + 23), (0.86, 0.12)),
        Note("reader under the lid", (12, 12, top - 2), (0.76, 0.52)),
        Note("guides for one card", (36, -24, top + 4), (0.74, 0.68)),
        Note("gap, to push the card out", (0, 52, top), (0.06, 0.10)),
    ]
    says = "the reader tray with its lid lifted, and a card half way in"
    return Scene("tray-in-use", says, bodies, View(18, 44), notes, Canvas(900, 620, 90, 40))


def _claiming(parts: Parts) -> Scene:
    packet = bought.packet(3).rotate((0, 0, 90)).translate((0, 0, 6.2))
    bodies = [
        Body(frame.bars(parts.frame), SAND),
        Body(frame.writing(parts.frame), LETTER),
        Body(bought.packet(9).translate((0, 0, 0.1)), (222, 214, 198)),
        Body(packet, WHITE),
    ]
    notes = [
        Note("the packet\njust laid,\ncrosswise", (-38, -20, 8), (0.03, 0.10)),
        Note("the pile", (10, -40, 5), (0.80, 0.90)),
    ]
    says = "a packet laid crosswise over the pile in the CLAIM frame"
    return Scene("claim-in-use", says, bodies, View(14, 50), notes, Canvas(720, 500, 90, 24))


def _standing(parts: Parts) -> Scene:
    bar = parts.groove
    bodies = [Body(groove.groove_solid(bar), SAND)]
    names = ["A\u2660", "K\u2665", "K\u2663", "Q\u2666", "9\u2660", "9\u2665", "4\u2663"]
    for index, name in enumerate(names):
        y, z = bar.along(bar.width - 2 - 1.4 * index, -bar.depth)
        lean = math.radians(bar.lean)
        middle = (y + 44 * math.sin(lean), z + 44 * math.cos(lean))
        bodies += _moved(_card(name), (90 - bar.lean, 0, 0), (-66 + 22 * index, *middle))
    words = f"groove {bar.length:.0f} x {bar.width:.0f} x {bar.depth:.0f} mm, leaning {bar.lean:.0f} degrees"
    notes = [Note(words, (97, 16, 11), (0.40, 0.93)), Note("rest", (99, 34, 26), (0.90, 0.30))]
    says = "a hand of cards standing in the groove"
    return Scene("groove-in-use", says, bodies, View(20, 24), notes, Canvas(760, 480, 40, 40))


def table(parts: Parts, seats: int) -> Scene:
    """The whole table, seen from a seat."""
    places = layout(seats)
    top = _top(places.length, places.width, places.straight)
    for place in places.places:
        top -= cylinder(place.x, place.y, (-30, 1), parts.pod.hole_in_table)
    bodies = [Body(top, WOOD)]
    for place in places.places:
        turn = math.degrees(place.outward) + 90
        for body in seat(parts):
            bodies.append(Body(body.solid.rotate((0, 0, turn)).translate((place.x, place.y, 0)), body.colour))
    bodies += [
        Body(tray.base_solid(parts.tray).translate((90, 0, 0)), SAND),
        Body(tray.lid(parts.tray).translate((90, 0, parts.tray.surface)), SAND),
        Body(frame.bars(parts.frame).translate((-90, 0, 0)), SAND),
        Body(frame.writing(parts.frame).translate((-90, 0, 0)), LETTER),
        Body(bought.packet(5).translate((-90, 0, 0.2)), WHITE),
    ]
    return Scene(f"table-{seats}", f"a table for {seats}", bodies, View(8, 40), (), Canvas(1000, 640, 30, 30))


def _top(length: float, width: float, straight: float, thick: float = 22) -> Manifold:
    ends = [cylinder(x, 0, (-thick, 0), width) for x in (-straight / 2, straight / 2)]
    return together(*ends, box((-straight / 2 - 0.01, straight / 2 + 0.01), (-width / 2, width / 2), (-thick, 0)))
