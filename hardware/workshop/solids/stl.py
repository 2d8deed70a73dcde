"""Binary STL files that are the same on every run, and the check that a printer can fill them.

Points are rounded to 0.0001 mm and triangles sorted, so that neither a library's order nor its last bits show. The file
is read back by another library (trimesh) to judge it: closed, every edge shared by two triangles that agree on what is
outside, one body, flat on the bed.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import trimesh
from manifold3d import Manifold
from numpy.typing import NDArray

Triangles = NDArray[np.float64]  # (n, 3 corners, 3 coordinates), mm

BED = 220.0  # mm: what common printers print
PETG = 1.27e-3  # g per mm3


class UnprintableError(Exception):
    """A part that no printer can print, with the reason."""


@dataclass(frozen=True)
class Print:
    """What a part's file holds: its size (x, y, z) in mm, grams when filled solid, and its triangles' number."""

    name: str
    size: tuple[float, float, float]
    grams: float
    triangles: int


def triangles(solid: Manifold) -> Triangles:
    """A solid's surface, in an order that depends on its shape alone."""
    mesh = solid.to_mesh64()
    points = np.round(np.asarray(mesh.vert_properties)[:, :3], 4) + 0.0  # no minus zero
    faces = points[np.asarray(mesh.tri_verts)]
    first = np.array([np.lexsort(face.T[::-1])[0] for face in faces])
    turned = np.stack([np.roll(face, -turn, axis=0) for face, turn in zip(faces, first, strict=True)])
    flat = turned.reshape(len(turned), 9)
    sides = np.cross(turned[:, 1] - turned[:, 0], turned[:, 2] - turned[:, 0])
    whole = np.linalg.norm(sides, axis=1) > 0
    return turned[np.lexsort(flat.T[::-1])] if whole.all() else _sorted(turned[whole])


def _sorted(faces: Triangles) -> Triangles:
    return faces[np.lexsort(faces.reshape(len(faces), 9).T[::-1])]


def write(name: str, solid: Manifold, path: Path) -> Print:
    """Write a part's file and judge it. UnprintableError says what is wrong with it."""
    bodies = len(solid.decompose())
    if bodies != 1:
        raise UnprintableError(f"{name}: {bodies} separate bodies")
    faces = triangles(solid)
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    record = np.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    record["normal"] = np.round(normals, 5) + 0.0
    record["corners"] = faces
    path.parent.mkdir(parents=True, exist_ok=True)
    header = f"doubtable {name}".encode("ascii").ljust(80, b" ")
    path.write_bytes(header + struct.pack("<I", len(faces)) + record.tobytes())
    return judge(name, path)


def judge(name: str, path: Path) -> Print:
    """Read a file back and say what it holds. UnprintableError: what a printer could not fill."""
    mesh = trimesh.load_mesh(path)
    if not mesh.is_watertight:
        raise UnprintableError(f"{name}: the surface is not closed")
    if not mesh.is_winding_consistent or mesh.volume <= 0:
        raise UnprintableError(f"{name}: inside and outside are mixed up")
    low, high = mesh.bounds
    if abs(low[2]) > 1e-3:
        raise UnprintableError(f"{name}: does not lie on the bed but at {low[2]:.2f} mm")
    size = (float(high[0] - low[0]), float(high[1] - low[1]), float(high[2] - low[2]))
    if max(size) > BED:
        raise UnprintableError(f"{name}: {max(size):.0f} mm is more than a bed of {BED:.0f} mm")
    return Print(name, size, float(mesh.volume) * PETG, len(mesh.faces))
