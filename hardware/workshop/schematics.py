"""The circuits of the seat board, drawn by schemdraw with the values the checks have passed."""

import re
from collections.abc import Mapping
from pathlib import Path

import schemdraw
from schemdraw import elements as elm

from workshop.boards import PI
from workshop.builds import Build, Seat
from workshop.circuit import Divider
from workshop.rules_lines import register_pin

schemdraw.use("svg")
schemdraw.svgconfig.text = "text"

GREY = "#6b727a"
PN532_SUPPLY_PIN = 1  # 3.3 V; the plan's supply pin is the 5 V of an RDM6300
PAPER = r'<rect x="\1" y="\2" width="\3" height="\4" fill="white"/>'  # ink is black, and pages may be dark


def _drawing() -> schemdraw.Drawing:
    drawing = schemdraw.Drawing(show=False)
    drawing.config(fontsize=12, font="DejaVu Sans, Verdana, sans-serif", unit=2.2, margin=0.8)
    return drawing


def _save(drawing: schemdraw.Drawing, path: Path) -> None:
    svg = drawing.get_imagedata("svg").decode("utf-8")
    svg = re.sub(r"<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'viewBox="(\S+) (\S+) (\S+) (\S+)"[^>]*>', rf"\g<0>\n{PAPER}", svg, count=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(svg.strip() + "\n", encoding="utf-8")


def _ohm(value: float) -> str:
    return f"{value / 1000:g} kΩ" if value >= 1000 else f"{value:g} Ω"


def _line(build: Build, line: int) -> str:
    pin = build.board.pin_of(line)
    return f"{pin.name}, pin {pin.number}" if pin else f"line {line}"


def _header(number: int) -> str:
    pin = PI.pins[number - 1]
    return f"{pin.name}, pin {number}"


def _to(drawing: schemdraw.Drawing, words: str, *, left: bool = False) -> None:
    """A wire's end: an open circle with where it goes."""
    drawing += elm.Dot(open=True).label(words, loc="left" if left else "right", ofst=0.15)


def _rail(drawing: schemdraw.Drawing, words: str, at: tuple[float, float] | None = None) -> None:
    """A supply's sign, here or at a point; its name stands clear of it."""
    sign = elm.Vdd() if at is None else elm.Vdd().at(at)
    drawing += sign.label(words, ofst=0.12)


def _note(drawing: schemdraw.Drawing, at: tuple[float, float], words: str) -> None:
    drawing += elm.Label().at(at).label(words, color=GREY, fontsize=11)


def seat_circuit(build: Build, path: Path) -> None:
    """Seat 1 as the example: button above, lamp below; cable and terminal to the left, the board to the right."""
    seat = build.seats[0]
    drawing = _drawing()
    _button_side(drawing, build, seat)
    _lamp_side(drawing, build, seat)
    _save(drawing, path)


def _button_side(drawing: schemdraw.Drawing, build: Build, seat: Seat) -> None:
    circuit = seat.circuit
    drawing += (switch := elm.Button().at((0, 0)).right())
    _note(drawing, (1.0, 1.0), "button, NO contact")
    drawing += elm.Line().at(switch.start).down(1.2)
    drawing += elm.Ground()
    _note(drawing, (1.3, -1.35), f"core {build.cores['ground']}")
    drawing += elm.Line().at(switch.end).right(2.6)
    _note(drawing, (3.5, -0.45), f"core {build.cores['button']}")
    drawing += (terminal := elm.Dot(open=True))
    _note(drawing, (4.75, 0.5), "T1 button")
    drawing += elm.Line().at(terminal.center).right(1.2)
    drawing += (node := elm.Dot())
    drawing += elm.Resistor().at(node.center).up().label(f"{_ohm(circuit.pull_up_ohm)}\npull-up", loc="bottom")
    _rail(drawing, "3.3 V")
    drawing += elm.Resistor().at(node.center).right(3).label(_ohm(circuit.series_ohm), loc="top")
    if circuit.filtered:
        drawing += (inner := elm.Dot())
        drawing += elm.Line().at(inner.center).right(1.4)
        drawing += (clamp := elm.Dot())
        drawing += elm.Capacitor().at(inner.center).down().label(f"{circuit.cap_nf:g} nF", loc="top")
        drawing += elm.Ground()
        drawing += elm.Schottky().at(clamp.center).up().label("BAT85", loc="bottom")
        _rail(drawing, "3.3 V")
        drawing += elm.Schottky().at(clamp.center).down().reverse().label("BAT85", loc="bottom")
        drawing += elm.Ground()
        drawing += elm.Line().at(clamp.center).right(1.6)
    _to(drawing, _line(build, seat.line))


def _chip(pins: list[elm.IcPin], size: tuple[float, float]) -> elm.Ic:
    """A chip with small pin names and room between them; its name is written on it afterwards."""
    return elm.Ic(pins=pins, size=size, pinspacing=1.2, lsize=11, plblsize=10, edgepadH=0.4, lofst=0.3, plblofst=0.25)


def _lamp_side(drawing: schemdraw.Drawing, build: Build, seat: Seat) -> None:
    down, rail = -6.6, f"{build.lamp.volts:g} V"
    drawing += (lamp := elm.Lamp2().at((0, down)).right())
    _note(drawing, (1.0, down + 1.0), f"lamp {rail}, {build.lamp.ma:g} mA")
    drawing += elm.Line().at(lamp.start).down(1.2)
    drawing += elm.Ground()
    _note(drawing, (1.3, down - 1.35), f"core {build.cores['ground']}")
    drawing += elm.Line().at(lamp.end).right(2.6)
    _note(drawing, (3.5, down - 0.45), f"core {build.cores['lamp']}")
    drawing += (terminal := elm.Dot(open=True))
    _note(drawing, (4.75, down + 0.5), "T1 lamp")
    drawing += elm.Line().at(terminal.center).right(1.2)
    channel = build.channel(seat)
    pins = [
        elm.IcPin(name="OUT1", pin=str(channel.output_pin), side="left"),
        elm.IcPin(name="IN1", pin=str(channel.input_pin), side="right"),
        elm.IcPin(name="VCC", pin="9", side="top"),
        elm.IcPin(name="GND", pin="10", side="bottom"),
    ]
    drawing += (chip := _chip(pins, (5.4, 2.8)).anchor("OUT1"))
    middle = (chip.center[0], chip.center[1] + 0.02)
    drawing += elm.Label().at(middle).label(build.driver.name if build.driver else "driver", fontsize=11)
    _rail(drawing, rail + (" after the fuse" if build.lamp.volts > 5 else ", pin 2"), chip.VCC)
    drawing += elm.Ground().at(chip.GND)
    drawing += elm.Line().at(chip.IN1).right(1.0)
    _to(drawing, f"{seat.lamp_chip} pin {seat.lamp_pin}" if build.registers else _line(build, seat.lamp))


def rdm6300(divider: Divider, pins: Mapping[str, int], path: Path) -> None:
    """The 125 kHz reader on the header's serial port, its 5 V output through a divider. ``pins``: the plan's."""
    drawing = _drawing()
    poles = [elm.IcPin(name=name, side="right", slot=f"{slot}/3") for slot, name in ((3, "TX"), (2, "VCC"), (1, "GND"))]
    poles += [elm.IcPin(name="", side="left", slot=f"{slot}/3") for slot in (1, 3)]
    drawing += (reader := _chip(poles, (3.4, 4)))
    drawing += elm.Label().at((reader.center[0] - 0.5, reader.center[1])).label("RDM6300", fontsize=12)
    drawing += elm.Inductor2(loops=3).at(reader.inL1).to(reader.inL2).label("aerial", loc="top")
    drawing += elm.Resistor().at(reader.TX).right(3).label(_ohm(divider.upper_ohm))
    drawing += elm.Line().right(1.6)
    drawing += (middle := elm.Dot())
    drawing += elm.Line().at(middle.center).right(2.2).label(f"{divider.volts(5.0):.1f} V", color=GREY)
    _to(drawing, _header(pins["receive"]))
    drawing += elm.Resistor().at(middle.center).down(2.4).label(_ohm(divider.lower_ohm), loc="bottom")
    drawing += elm.Ground()
    for pole, words in ((reader.VCC, _header(pins["supply"])), (reader.GND, _header(pins["ground"]))):
        drawing += elm.Line().at(pole).right(0.6)
        _to(drawing, words)
    _save(drawing, path)


def pn532(pins: Mapping[str, int], path: Path) -> None:
    """The 13.56 MHz reader on the header's serial port: fed with 3.3 V, so that it speaks with 3.3 V."""
    drawing = _drawing()
    numbers = {"GND": pins["ground"], "VCC": PN532_SUPPLY_PIN, "RXD": pins["transmit"], "TXD": pins["receive"]}
    ends = {pole: _header(number) for pole, number in numbers.items()}
    poles = [elm.IcPin(name=name, side="right", slot=f"{slot}/4") for slot, name in enumerate(ends, start=1)]
    drawing += (reader := _chip(poles, (5, 4.4)))
    drawing += elm.Label().at((reader.center[0] - 0.5, reader.center[1])).label("PN532\nset to HSU", fontsize=12)
    for pole, end in ends.items():
        drawing += elm.Line().at(getattr(reader, pole)).right(1.4)
        _to(drawing, end)
    _save(drawing, path)


def registers(build: Build, path: Path) -> None:
    """The panel's lamps: Pico, two shift registers one behind the other, drivers."""
    drawing = _drawing()
    first, second = (_register(drawing, build, index) for index in range(2))
    for chip in (first, second):
        for pole, word in (("SER", "data"), ("SRCLK", "clock"), ("RCLK", "latch")):
            if chip is first or pole != "SER":
                drawing += elm.Line().at(getattr(chip, pole)).left(1)
                _to(drawing, next(_line(build, line) for line, use in build.others.items() if word in use), left=True)
    corner = (second.SER[0] - 1.0, (first.QHs[1] + second.VCC[1]) / 2)
    drawing += elm.Line().at(first.QHs).toy(corner[1])
    drawing += elm.Line().tox(corner[0])
    drawing += elm.Line().toy(second.SER)
    drawing += elm.Line().to(second.SER)
    _save(drawing, path)


def _register(drawing: schemdraw.Drawing, build: Build, index: int) -> elm.Ic:
    pins = [
        elm.IcPin(name="SER", pin="14", side="left", slot="4/4"),
        elm.IcPin(name="SRCLK", pin="11", side="left", slot="3/4"),
        elm.IcPin(name="RCLK", pin="12", side="left", slot="2/4"),
        elm.IcPin(name="QA to QH", pin="15, 1-7", side="right", slot="3/4", anchorname="Q"),
        elm.IcPin(name="VCC", pin="16", side="top", slot="1/2"),
        elm.IcPin(name="SRCLR", pin="10", side="top", slot="2/2"),
        elm.IcPin(name="QH'", pin="9", side="bottom", slot="1/3", anchorname="QHs"),
        elm.IcPin(name="GND", pin="8", side="bottom", slot="2/3"),
        elm.IcPin(name="OE", pin="13", side="bottom", slot="3/3"),
    ]
    chip = _chip(pins, (7, 5)).at((0, -9.2 * index))
    drawing += chip
    drawing += elm.Label().at(chip.center).label(f"U{index + 1}: 74HC595", fontsize=12)
    _note(drawing, (chip.center[0], chip.center[1] - 0.8), "100 nF from pin 16 to pin 8")
    for pole in (chip.VCC, chip.SRCLR):
        _rail(drawing, "3.3 V", pole)
    for pole in (chip.GND, chip.OE):
        drawing += elm.Ground().at(pole)
    seats = [seat.number for seat in build.seats if register_pin(seat.lamp)[0] == f"U{index + 1}"]
    drawing += elm.Line().at(chip.Q).right(1)
    _to(drawing, f"drivers of seats {seats[0]} to {seats[-1]}")
    return chip
