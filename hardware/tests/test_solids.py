"""The printed parts: closed, of the promised measures, and closed for other measures too; bad solids are refused."""

import math
from pathlib import Path

import numpy as np
import pytest
import trimesh
from manifold3d import Manifold

from workshop.from_files import read_lists
from workshop.solids import bezel, groove, pod, render, scenes, stl, tray
from workshop.solids.shapes import box, cylinder

PARTS = scenes.Parts()


@pytest.mark.parametrize("name", PARTS.solids())
def test_every_part_is_closed_and_fits_the_bed(name: str, tmp_path: Path) -> None:
    made = stl.write(name, PARTS.solids()[name], tmp_path / "part.stl")
    assert made.grams > 1
    assert max(made.size) <= stl.BED


@pytest.mark.parametrize("name", PARTS.solids())
def test_no_part_needs_supports(name: str) -> None:
    """No face looks down at less than 44 degrees from flat, but the bed's own and bridges of up to 13 mm."""
    faces = stl.triangles(PARTS.solids()[name])
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    areas = np.linalg.norm(normals, axis=1) / 2
    down = (normals[:, 2] / (2 * areas) < -math.cos(math.radians(44))) & (faces[:, :, 2].min(axis=1) > 0.01)
    spans = np.ptp(faces[down][:, :, :2], axis=1).min(axis=1)
    assert spans.max(initial=0) <= 13, f"a bridge of {spans.max():.0f} mm"


def test_other_measures_give_closed_parts_too(tmp_path: Path) -> None:
    big = pod.Pod(hole=28, rim=100, height=38)
    for name, solid in {
        "collar": pod.collar(big),
        "floor": pod.floor(big),
        "stand": pod.stand(big, 96),
        "bezel": bezel.bezel_solid(bezel.Bezel(big, radius=100)),
        "tray": tray.base_solid(tray.Tray(card=(60, 91))),
        "groove": groove.groove_solid(groove.Groove(length=120)),
    }.items():
        stl.write(name, solid, tmp_path / f"{name}.stl")


def test_all_screw_holes_go_through() -> None:
    """Holes counted by topology: the well and its screws, the button's hole and its screws."""
    assert pod.collar(PARTS.pod).genus() == 1 + 3
    assert pod.floor(PARTS.pod).genus() == 1 + 3
    assert bezel.bezel_solid(PARTS.bezel).genus() == 1 + 3


def test_the_dome_is_level_with_the_collar() -> None:
    measures = PARTS.pod
    assert 0 <= measures.depth - measures.height <= 1
    assert measures.well > measures.rim / 2


def test_the_pod_is_made_to_the_buttons_that_are_bought() -> None:
    for key in ("button60-5v", "button60-12v"):
        part = read_lists().part(key)
        assert (part["hole_mm"], part["rim_mm"], part["height_mm"]) == (
            PARTS.pod.hole,
            PARTS.pod.rim,
            PARTS.pod.height,
        )


def test_the_bezel_says_what_the_table_means() -> None:
    assert f"{bezel.UPPER} / {bezel.LOWER}" == "STEADY: SLAP = DOUBT / PULSING: TAP = NEXT, HOLD = DO IT"


def test_the_groove_has_its_measures() -> None:
    """200 x 12 x 5 mm at 12 degrees: as long, wide and deep as a block that just fits, and no more."""
    bar = groove.Groove()
    solid = groove.groove_solid(bar)
    lean = -12.0

    def block(length: float, width: float, depth: float) -> Manifold:
        made = box((-length / 2, length / 2), ((12 - width) / 2, (12 + width) / 2), (-depth, 0))
        return made.rotate((lean, 0, 0)).translate((0, *bar.along(0, 0)))

    assert (block(199.9, 11.9, 5) ^ solid).volume() < 1
    for bigger in (block(201, 11.9, 5), block(199.9, 12.6, 5), block(199.9, 11.9, 5.5)):
        assert (bigger ^ solid).volume() > 20


def test_one_sleeved_card_lies_between_the_guides_and_two_readers_fit_the_pocket() -> None:
    measures = tray.Tray()
    solid = tray.base_solid(measures)
    card = box((-33, 33), (-45.5, 45.5), (measures.surface + 0.01, measures.surface + 0.8))
    wide = box((-36, 36), (-30, 45.5), (measures.surface + 0.01, measures.surface + 0.8))
    assert (card ^ solid).volume() < 1e-6
    assert (wide ^ solid).volume() > 10
    lists = read_lists()
    module, coil = lists.part("pn532")["module_mm"], lists.part("rdm6300")["coil_mm"]
    assert module[0] <= measures.pocket[0]
    assert module[1] <= measures.pocket[1]
    assert coil[0] <= measures.pocket[0]
    assert coil[1] + 20 <= measures.pocket[1]  # the RDM6300's own board lies beside its coil


def test_a_part_in_two_pieces_is_refused(tmp_path: Path) -> None:
    pieces = box((0, 10), (0, 10), (0, 10)) + box((20, 30), (0, 10), (0, 10))
    with pytest.raises(stl.UnprintableError, match="pieces: 2 separate bodies"):
        stl.write("pieces", pieces, tmp_path / "part.stl")


def test_a_part_off_the_bed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(stl.UnprintableError, match=r"does not lie on the bed but at 3\.00 mm"):
        stl.write("high", box((0, 10), (0, 10), (3, 10)), tmp_path / "part.stl")


def test_a_part_larger_than_the_bed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(stl.UnprintableError, match="300 mm is more than a bed of 220 mm"):
        stl.write("long", box((0, 300), (0, 10), (0, 10)), tmp_path / "part.stl")


def test_a_torn_surface_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "torn.stl"
    stl.write("torn", cylinder(0, 0, (0, 5), 10), path)
    whole = trimesh.load_mesh(path)
    whole.update_faces(np.arange(len(whole.faces)) > 0)
    whole.export(path)
    with pytest.raises(stl.UnprintableError, match="the surface is not closed"):
        stl.judge("torn", path)


def test_the_same_solid_gives_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        stl.write("frame", PARTS.solids()["claim-frame"], tmp_path / f"{name}.stl")
        render.draw(next(scenes.printed(PARTS)), tmp_path / name)
    assert (tmp_path / "one.stl").read_bytes() == (tmp_path / "two.stl").read_bytes()
    pictures = [path.read_bytes() for path in sorted(tmp_path.glob("*/*.png"))]
    assert len(pictures) == 2
    assert pictures[0] == pictures[1]
