"""The harness diagram of a build, drawn by WireViz (and Graphviz): every cable, every core, how long to cut it.

WireViz draws what the wire list says, so both come from wires.py.
"""

import contextlib
import io
import re
from pathlib import Path
from typing import Any

from wireviz import wireviz

from workshop.builds import Build
from workshop.wires import Cable, cables

CODES = {"white": "WH", "yellow": "YE", "black": "BK", "red": "RD", "blue": "BU", "green": "GN", "brown": "BN"}


BOARD = "Board"


def harness(build: Build) -> dict[str, Any]:
    """The build's cables in WireViz's own terms: the seat board on the left, everything on the table on the right."""
    wanted = list(cables(build))
    labels = [f"{cable.start.name} {pole}" for cable in wanted for pole in cable.start_poles]
    connectors: dict[str, Any] = {BOARD: {"type": "in the box, terminals", "pinlabels": labels}}
    drawn: dict[str, Any] = {}
    joints: list[list[Any]] = []
    for cable in wanted:
        connectors[cable.end.name] = {"type": cable.end.what, "pinlabels": list(cable.end_poles)}
        drawn[cable.name] = _drawn(cable)
        starts = [labels.index(f"{cable.start.name} {core.start_pole}") + 1 for core in cable.cores]
        ends = [cable.end_poles.index(core.end_pole) + 1 for core in cable.cores]
        every = list(range(1, len(cable.cores) + 1))
        joints.append([{BOARD: starts}, {cable.name: every}, {cable.end.name: ends}])
    return {
        "options": {"fontname": "DejaVu Sans", "bgcolor_connector": "#F4EFE6"},
        "connectors": connectors,
        "cables": drawn,
        "connections": joints,
    }


def _drawn(cable: Cable) -> dict[str, Any]:
    return {
        "type": cable.kind,
        "length": cable.metres,
        "gauge": f"{cable.mm2:g} mm2",
        "colors": [CODES[core.colour] for core in cable.cores],
        "wirelabels": [core.carries for core in cable.cores],
        "wirecount": len(cable.cores),
        "show_wirecount": False,
        "show_wirenumbers": False,
        "color_code": None,
    }


def write(build: Build, path: Path) -> None:
    """Draw the harness as SVG, without what changes from run to run or place to place."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        svg = wireviz.parse(harness(build), return_types="svg", output_formats=())
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_clean(svg), encoding="utf-8")


def _clean(svg: str) -> str:
    """Without comments (they name the program and its date) and with Unix line ends."""
    text = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    return text.replace("\r\n", "\n").strip() + "\n"
