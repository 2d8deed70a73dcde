"""Pictures of solids, drawn in software: a depth buffer, plain light, and ink lines where the surface folds or ends.

No graphics card and no display is needed, and the same solid gives the same bytes. Parallel projection: lengths along
one direction compare.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from manifold3d import Manifold
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from workshop.solids.letters import FONT
from workshop.solids.stl import Triangles, triangles

Floats = NDArray[np.float64]
Colour = tuple[int, int, int]
Point = tuple[float, float, float]

PAPER: Colour = (255, 255, 255)
INK: Colour = (38, 42, 48)
FINER = 3  # pixels drawn for each pixel shown, along x and y


@dataclass(frozen=True)
class Body:
    """A solid in its place, with its colour."""

    solid: Manifold
    colour: Colour


@dataclass(frozen=True)
class Note:
    """Words beside the picture with a line to a point of it; ``at``: where they stand, as parts of its size."""

    words: str
    point: Point
    at: tuple[float, float]


@dataclass(frozen=True)
class View:
    """From where the picture is seen: degrees round z from the front, and up from the table."""

    turn: float = 30.0
    up: float = 35.0

    def matrix(self) -> Floats:
        """Rows: to the right, upwards, towards the eye."""
        a, b = math.radians(self.turn), math.radians(self.up)
        right = (math.cos(a), math.sin(a), 0.0)
        eye = (math.sin(a) * math.cos(b), -math.cos(a) * math.cos(b), math.sin(b))
        up = (-math.sin(a) * math.sin(b), math.cos(a) * math.sin(b), math.cos(b))
        return np.array([right, up, eye])


@dataclass(frozen=True)
class Canvas:
    """Size in pixels, and the margin left free on each side for notes."""

    width: int = 900
    height: int = 620
    side: int = 60
    edge: int = 40


class _Buffers:
    """Depth, colour and normal of every fine pixel."""

    def __init__(self, width: int, height: int) -> None:
        self.depth = np.full((height, width), -np.inf)
        self.colour = np.full((height, width, 3), 255.0)
        self.normal = np.zeros((height, width, 3))

    def fill(self, corners: Floats, normal: Floats, colour: Floats) -> None:
        """One triangle; ``corners`` are (x, y, depth) in fine pixels."""
        height, width = self.depth.shape
        x0, y0 = np.floor(corners[:, :2].min(axis=0)).astype(int)
        x1, y1 = np.ceil(corners[:, :2].max(axis=0)).astype(int) + 1
        x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
        area = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
        if x0 >= x1 or y0 >= y1 or abs(area) < 1e-9:
            return
        xs = np.arange(x0, x1)[None, :] + 0.5
        ys = np.arange(y0, y1)[:, None] + 0.5
        u = ((xs - ax) * (cy - ay) - (cx - ax) * (ys - ay)) / area
        v = ((bx - ax) * (ys - ay) - (xs - ax) * (by - ay)) / area
        depth = az + u * (bz - az) + v * (cz - az)
        window = self.depth[y0:y1, x0:x1]
        seen = (u >= 0) & (v >= 0) & (u + v <= 1) & (depth > window)
        window[seen] = depth[seen]
        self.colour[y0:y1, x0:x1][seen] = colour
        self.normal[y0:y1, x0:x1][seen] = normal


@dataclass(frozen=True)
class Scene:
    """A picture to draw: ``name`` is its file's, ``says`` what it shows, for those who cannot see it."""

    name: str
    says: str
    bodies: Sequence[Body]
    view: View = field(default_factory=View)
    notes: Sequence[Note] = ()
    canvas: Canvas = field(default_factory=Canvas)


def draw(scene: Scene, folder: Path) -> None:
    """Write the scene's PNG, its bodies as large as the canvas allows."""
    view, canvas, bodies = scene.view, scene.canvas, scene.bodies
    matrix = view.matrix()
    surfaces = [(triangles(body.solid), body.colour) for body in bodies]
    place = _fit(surfaces, matrix, canvas)
    buffers = _Buffers(canvas.width * FINER, canvas.height * FINER)
    light = np.array([-0.35, 0.55, 0.76])  # over the left shoulder, as the eye sees it
    for faces, colour in surfaces:
        seen = faces @ matrix.T
        normals = np.cross(seen[:, 1] - seen[:, 0], seen[:, 2] - seen[:, 0])
        normals /= np.linalg.norm(normals, axis=1, keepdims=True)
        for corners, normal in zip(seen, normals, strict=True):
            if normal[2] > 1e-6:
                shade = 0.52 + 0.50 * max(float(normal @ light), 0.0)
                buffers.fill(place(corners), normal, np.minimum(np.array(colour) * shade, 255.0))
    picture = _inked(buffers, place.scale)
    image = Image.fromarray(picture.astype(np.uint8)).resize((canvas.width, canvas.height), Image.Resampling.BOX)
    _write_notes(image, scene.notes, lambda point: place(np.array([point]) @ matrix.T)[0], canvas)
    folder.mkdir(parents=True, exist_ok=True)
    few = image.quantize(96, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    few.save(folder / f"{scene.name}.png", optimize=True)


@dataclass(frozen=True)
class _Place:
    """From seen millimetres to fine pixels."""

    scale: float
    middle: tuple[float, float]
    centre: tuple[float, float]

    def __call__(self, points: Floats) -> Floats:
        x = (points[:, 0] - self.middle[0]) * self.scale + self.centre[0]
        y = self.centre[1] - (points[:, 1] - self.middle[1]) * self.scale
        return np.stack([x, y, points[:, 2] * self.scale], axis=1)


def _fit(surfaces: Sequence[tuple[Triangles, Colour]], matrix: Floats, canvas: Canvas) -> _Place:
    seen = np.concatenate([faces.reshape(-1, 3) for faces, _ in surfaces]) @ matrix.T
    low, high = seen[:, :2].min(axis=0), seen[:, :2].max(axis=0)
    room = ((canvas.width - 2 * canvas.side) * FINER, (canvas.height - 2 * canvas.edge) * FINER)
    scale = min(room[0] / (high[0] - low[0]), room[1] / (high[1] - low[1]))
    middle = (float(low[0] + high[0]) / 2, float(low[1] + high[1]) / 2)
    return _Place(float(scale), middle, (canvas.width * FINER / 2, canvas.height * FINER / 2))


def _inked(buffers: _Buffers, scale: float) -> Floats:
    """The colours with lines where the normal turns sharply or the depth jumps.

    A jump is a bend of the depth, not a slope: a plane seen at a flat angle is no edge.
    """
    ink = np.zeros(buffers.depth.shape, dtype=bool)
    depth = np.where(np.isinf(buffers.depth), -1e6, buffers.depth)
    for axis in (0, 1):
        before, after = np.roll(depth, 1, axis), np.roll(depth, -1, axis)
        fold = (buffers.normal * np.roll(buffers.normal, 1, axis)).sum(axis=2) < 0.80
        jump = np.abs(before + after - 2 * depth) > 1.2 * scale
        empty = (depth < -1e5) & (before < -1e5)
        line = (fold & ~empty) | (jump & (depth > -1e5))
        ink |= line
    picture = buffers.colour.copy()
    picture[ink] = INK
    return picture


def _write_notes(image: Image.Image, notes: Sequence[Note], project: Callable[[Point], Floats], canvas: Canvas) -> None:
    """``project`` maps a point in mm to fine pixels."""
    pen = ImageDraw.Draw(image)
    font = ImageFont.truetype(str(FONT.with_name("DejaVuSans.ttf")), 15)
    for note in notes:
        tip = project(note.point)[:2] / FINER
        x, y = note.at[0] * canvas.width, note.at[1] * canvas.height
        box = pen.multiline_textbbox((x, y), note.words, font=font, spacing=3)
        left, top, right, bottom = box
        start = (min(max(float(tip[0]), left), right), min(max(float(tip[1]), top - 3), bottom + 4))
        pen.line([start, (float(tip[0]), float(tip[1]))], fill=(110, 116, 124), width=1)
        pen.ellipse([tip[0] - 2.5, tip[1] - 2.5, tip[0] + 2.5, tip[1] + 2.5], fill=INK)
        pen.multiline_text((x, y), note.words, font=font, fill=INK, spacing=3)
