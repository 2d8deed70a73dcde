"""Pin plans: who hangs where. One file per plan in doubtable/plans/, read by the controller and by hardware/.

A plan is our own file: a fault in one raises msgspec's ValidationError, and a test reads them all.
"""

import tomllib
from importlib import resources
from typing import Any, Literal

import msgspec


class Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One core of a seat's cable: what it carries and its colour."""

    carries: Literal["button", "lamp", "ground", "supply"]
    colour: str


class Reserved(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line that no seat may have, its pin on the header or the Pico, and why."""

    line: int
    pin: int
    why: str


class PlanSeat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One seat: its lines, and the header's pins they leave from.

    On a panel ``button_pin`` is the Pico's pin and ``lamp_pin`` the pin of the shift register ``lamp_chip``.
    """

    seat: int
    button: int
    button_pin: int
    lamp: int
    lamp_pin: int
    ground_pin: int
    lamp_chip: str | None = None


class PlanReader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the reader is connected: ``port`` is the kind of port, ``path`` what table.toml calls it by default."""

    kind: Literal["rdm6300", "id12", "pn532"]
    port: Literal["uart", "usb"]
    path: str
    pins: dict[str, int] = {}  # signal of the reader -> pin of the header; empty on USB


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One pin plan. ``source`` is where the buttons hang, as table.toml's buttons.source."""

    name: str
    about: str
    source: Literal["gpio", "panel"]
    wires: tuple[Wire, ...]
    reader: PlanReader
    seats: tuple[PlanSeat, ...]
    reserved: tuple[Reserved, ...]
    free: tuple[int, ...] = ()  # lines that are neither used nor reserved

    def layer(self) -> dict[str, Any]:
        """What this plan fills into a table.toml: source and lines. The reader is the house's own choice."""
        return {
            "buttons": {"source": self.source},
            "seats": {str(seat.seat): {"button": seat.button, "lamp": seat.lamp} for seat in self.seats},
        }


def plan_names() -> tuple[str, ...]:
    """The names of all plans of the package, those for few seats first."""
    files = resources.files("doubtable").joinpath("plans").iterdir()
    names = [file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")]
    return tuple(sorted(names, key=lambda name: (int(name.split("-")[0]), name)))


def load_plan(name: str) -> Plan:
    """The plan ``name``; KeyError when the package has none of that name."""
    if name not in plan_names():
        raise KeyError(name)
    text = resources.files("doubtable").joinpath("plans", f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Plan)
