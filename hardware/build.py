"""Make everything in hardware/out, the STL files and docs/build/parts.md. `make hardware` calls it.

Example: python hardware/build.py --to ../elsewhere
"""

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "hardware"), str(ROOT / "controller")]

from doubtable.config.plan import Plan  # noqa: E402 - the paths above come first
from workshop import harness, pages, schematics  # noqa: E402
from workshop.builds import Build  # noqa: E402
from workshop.checks import faults  # noqa: E402
from workshop.from_files import READERS, ListError, Lists, all_plans, divider_of, make_build, read_lists  # noqa: E402
from workshop.solids import render, scenes, stl  # noqa: E402
from workshop.solids.pod import Pod  # noqa: E402

ONE_TABLE = 8  # seats of the table that is drawn whole
BUTTON = "button60-12v"  # the pod is made to its measures; the 5 V one has the same


def main(arguments: list[str] | None = None) -> int:
    """0: all is made; 1: a plan does not make electrical sense, and nothing is made; 2: a file cannot be used."""
    parser = argparse.ArgumentParser(prog="build.py", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--to", type=Path, default=ROOT, metavar="FOLDER", help="the project's folder, or another")
    folder = parser.parse_args(arguments).to
    try:
        return _make(folder)
    except ListError as error:
        sys.stderr.write(f"build.py: {error}\n")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        sys.stderr.write(f"build.py: {error.filename or folder}: {why}: name a folder that can be written with --to\n")
    return 2


def _make(folder: Path) -> int:
    lists = read_lists()
    plans = {plan.name: plan for plan in all_plans()}
    wrong = [
        f"{plan.name} with {reader}: {fault}"
        for plan in plans.values()
        for reader in READERS
        for fault in faults(make_build(plan, lists, reader))
    ]
    if wrong:
        sys.stderr.write("\n".join([*wrong, "nothing was made: correct the plan, parts.toml or builds.toml", ""]))
        return 1
    out = folder / "hardware" / "out"
    grams = make_prints(out / "prints", folder / "build" / "hardware", lists)
    _common(out / "common", plans, lists)
    for plan in plans.values():
        _say(f"plan {plan.name}")
        for name, text in pages.plan_texts(plan, lists, grams).items():
            _write(out / plan.name / name, text)
        _drawn(out / plan.name, make_build(plan, lists))
    _write(folder / "docs" / "build" / "parts.md", pages.parts_page(plans, lists, grams))
    return 0


def make_prints(pictures: Path, files: Path, lists: Lists) -> dict[str, float]:
    """STL files and pictures of the printed parts; what each weighs, in g."""
    button = lists.part(BUTTON)
    parts = scenes.Parts(Pod(hole=button["hole_mm"], rim=button["rim_mm"], height=button["height_mm"]))
    prints = [stl.write(name, solid, files / f"{name}.stl") for name, solid in parts.solids().items()]
    for scene in [*scenes.printed(parts), *scenes.in_use(parts), scenes.table(parts, ONE_TABLE)]:
        _say(f"picture {scene.name}")
        render.draw(scene, pictures)
    lines = [(made.name, scenes.WORDS[made.name], made.size, made.grams) for made in prints]
    _write(pictures / "README.md", pages.prints_page(lines))
    weights = pages.prints_csv(lines)
    _write(pictures / "prints.csv", weights)
    return pages.grams_from(weights)


def _common(folder: Path, plans: Mapping[str, Plan], lists: Lists) -> None:
    """What several plans have in common: how each reader hangs on the header's serial port."""
    pins = next(plan.reader.pins for plan in plans.values() if plan.reader.port == "uart")
    schematics.rdm6300(divider_of(lists), pins, folder / "rdm6300.svg")
    schematics.pn532(pins, folder / "pn532.svg")


def _drawn(folder: Path, build: Build) -> None:
    """A plan's pictures that need the drawing libraries."""
    schematics.seat_circuit(build, folder / "seat-circuit.svg")
    if build.registers:
        schematics.registers(build, folder / "registers.svg")
    harness.write(build, folder / "harness.svg")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _say(words: str) -> None:
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
