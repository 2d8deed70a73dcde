"""Makes Builds of the controller's pin plans, parts.toml and builds.toml. The only module here that reads files.

Plans are read by the controller's own reader, and confirm_ms and tie_ms are the controller's own, so what is built
cannot differ from what runs.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from doubtable.config.plan import Plan, load_plan, plan_names
from doubtable.timing import Timing
from workshop.boards import PI, PICO, Board
from workshop.builds import Build, CableRule, Driver, Lamp, Link, Load, Seat, Supply
from workshop.circuit import Divider, SeatCircuit
from workshop.layout import layout, screen_inches

HERE = Path(__file__).resolve().parent.parent
READERS = ("rdm6300", "pn532")


class ListError(ValueError):
    """parts.toml or builds.toml cannot be used: one line with the file, the place and the way out."""


class Facts(dict[str, Any]):
    """A file's values, or those of one section; what it lacks is a ListError that names it."""

    def __init__(self, file: str, values: Mapping[str, Any], *section: str) -> None:
        inner = {key: Facts(file, each, *section, key) for key, each in values.items() if isinstance(each, dict)}
        super().__init__({**values, **inner})
        self._place, self._sections = (file, section), bool(inner)

    def __missing__(self, key: str) -> NoReturn:
        file, section = self._place
        if self._sections or not section:
            raise ListError(f"{file}: [{'.'.join((*section, key))}] is missing: write it as its neighbours are")
        raise ListError(f"{file}: [{'.'.join(section)}]: {key} is missing: write it as its neighbours have it")


@dataclass(frozen=True)
class Lists:
    """parts.toml and builds.toml as they were read."""

    parts: Mapping[str, Mapping[str, Any]]
    prices_date: str
    currency: str
    builds: Mapping[str, Any]

    def part(self, key: str) -> Mapping[str, Any]:
        """A part's facts; ListError names one that the list does not have."""
        return self.parts[key]

    def of_plan(self, plan: str) -> Mapping[str, Any]:
        """What goes round a plan; ListError when nothing was chosen for it."""
        choices: Mapping[str, Any] = self.builds["build"][plan]
        return choices


def read_lists(folder: Path = HERE) -> Lists:
    """parts.toml and builds.toml of a folder. ListError names the place of a fault in either."""
    parts, builds = _read(folder / "parts.toml"), _read(folder / "builds.toml")
    return Lists(parts["part"], parts["prices_date"], parts["currency"], builds)


def _read(path: Path) -> Facts:
    try:
        return Facts(path.name, tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ListError(f"{path}: {(error.strerror or str(error)).lower()}: bring it back with git") from error
    except UnicodeDecodeError as error:
        raise ListError(f"{path}: byte {error.start} is not UTF-8: save the file as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise ListError(f"{path}: {str(error)[:1].lower()}{str(error)[1:]}: correct it there") from error


def all_plans() -> Iterator[Plan]:
    for name in plan_names():
        yield load_plan(name)


def make_build(plan: Plan, lists: Lists, reader: str | None = None) -> Build:
    """The build of a plan with a reader (rdm6300, pn532); by default the plan's own."""
    choices = lists.of_plan(plan.name)
    board = PICO if plan.source == "panel" else PI
    reader = reader or plan.reader.kind
    lamp_part, driver_part = lists.part(choices["button"]), lists.part(choices["driver"])
    driver = Driver(
        driver_part["name"].split(",")[0],
        driver_part["side"],
        *(driver_part[fact] for fact in ("channels", "channel_ma", "package_w", "drop_v", "input_ma", "v_on")),
    )
    lamp = Lamp(lamp_part["name"], lamp_part["lamp_volts"], lamp_part["lamp_ma"])
    seats = _seats(plan, lists)
    timing = Timing().for_seats(len(seats))
    return Build(
        plan=plan.name,
        board=board,
        reader=reader,
        cores={wire.carries: wire.colour for wire in plan.wires},
        seats=seats,
        registers=plan.source == "panel",
        lamp=lamp,
        driver=driver,
        driver_chips=-(-len(seats) // driver.channels),
        others=_other_lines(plan, reader),
        kept_free={entry.line: entry.why for entry in plan.reserved},
        links=tuple(_lamp_links(board, driver, plan, lists)) + tuple(_reader_links(plan, reader, lists)),
        loads=tuple(_loads(plan, board, lamp, reader, lists)),
        supplies=tuple(_supplies(board, lamp, lists)),
        cable_rule=CableRule(lists.builds["cable"]["plain_m"], lists.builds["cable"]["filtered_m"]),
        confirm_ns=timing.confirm,
        tie_ns=timing.tie,
    )


def _seats(plan: Plan, lists: Lists) -> tuple[Seat, ...]:
    values, filtered = lists.builds["circuit"], lists.of_plan(plan.name)["filter"]
    circuit = SeatCircuit(
        pull_up_ohm=values["pull_up_ohm"],
        series_ohm=values["series_ohm"],
        cap_nf=values["filter_nf"] if filtered else 0,
        clamped=filtered,
        resistor_tolerance=values["resistor_tolerance"],
        cap_tolerance=values["cap_tolerance"],
    )
    table = layout(len(plan.seats))
    return tuple(
        Seat(
            number=seat.seat,
            line=seat.button,
            pin=seat.button_pin,
            lamp=seat.lamp,
            lamp_pin=seat.lamp_pin,
            lamp_chip=seat.lamp_chip,
            ground_pin=seat.ground_pin,
            cable_m=table.cable_m(seat.seat),
            circuit=circuit,
        )
        for seat in plan.seats
    )


def _other_lines(plan: Plan, reader: str) -> dict[int, str]:
    if plan.source == "panel":
        return {entry.line: entry.why for entry in plan.reserved if "shift registers" in entry.why}
    if plan.reader.port == "usb":
        return {}
    send, receive = PI.uart
    lines = {receive: f"{reader} sends to the Pi"}
    return lines | {send: "the Pi sends to pn532"} if reader == "pn532" else lines


def _lamp_links(board: Board, driver: Driver, plan: Plan, lists: Lists) -> Iterator[Link]:
    if plan.source == "gpio":
        yield Link("lamp pins", driver.name, board.v_rail, board.v_out, driver.v_on, 30.0)
        return
    register = lists.part("hc595")
    yield Link("GP18 to GP20", "74HC595 at 3.3 V", board.v_rail, board.v_out, register["needs_v"], 3.6)
    yield Link("74HC595 outputs", driver.name, board.v_rail, register["gives_v"], driver.v_on, 30.0)


def divider_of(lists: Lists) -> Divider:
    return Divider(lists.part("r6k8")["ohm"], lists.part("r10k")["ohm"])


def _reader_links(plan: Plan, reader: str, lists: Lists) -> Iterator[Link]:
    adapter = lists.part("usb-serial")
    if reader == "rdm6300":
        volts = lists.part("rdm6300")["tx_volts"]
        most, least = volts * 1.05, volts * 0.9
        if plan.reader.port == "uart":
            line = PI.uart[1]
            yield Link("RDM6300 TX", f"GPIO{line}", most, least, PI.v_high, PI.v_max, line, divider_of(lists))
        else:
            yield Link("RDM6300 TX", "adapter RXD", most, least, adapter["needs_v"], adapter["stands_v"])
        return
    if plan.reader.port == "uart":
        send, receive = PI.uart
        yield Link("PN532 TXD at 3.3 V", f"GPIO{receive}", PI.v_rail, 2.9, PI.v_high, PI.v_max, receive)
        yield Link(f"GPIO{send}", "PN532 RXD at 3.3 V", PI.v_rail, PI.v_out, 2.31, 3.6)
    else:
        yield Link("PN532 TXD", "adapter RXD", 5.25, 2.9, adapter["needs_v"], adapter["stands_v"])
        yield Link("adapter TXD at 3.3 V", "PN532 RXD", 3.4, adapter["gives_v"], 2.31, 5.5)


def _loads(plan: Plan, board: Board, lamp: Lamp, reader: str, lists: Lists) -> Iterator[Load]:
    """Everything at its worst at the same moment: all buttons down, all lamps on, the Pi at full load."""
    seats = len(plan.seats)
    pull_ups = seats * board.v_rail / lists.builds["circuit"]["pull_up_ohm"] * 1000
    on_rail = [Load(f"{seats} pull-ups, all buttons down", "3.3 V", pull_ups)]
    if plan.source == "panel":
        on_rail.append(Load("2 shift registers", "3.3 V", 2 * lists.part("hc595")["ma"]))
        yield Load("Pico", "5 V", lists.part("pico")["ma"])
    reader_ma = lists.part(reader)["ma"]
    if plan.reader.port == "usb":
        yield Load(f"{reader.upper()} on its USB adapter", "5 V", reader_ma + lists.part("usb-serial")["ma"])
    elif reader == "pn532":
        on_rail.append(Load("PN532", "3.3 V", reader_ma))
    else:
        yield Load("RDM6300", "5 V", reader_ma)
    yield from on_rail
    yield Load("all of the 3.3 V rail", "5 V", sum(load.ma for load in on_rail))
    yield Load("Raspberry Pi at full load", "5 V", lists.part("pi4")["ma"])
    if screen_inches(seats) == 7:
        yield Load("screen", "5 V", lists.part("screen7")["ma"])
    yield Load("speaker", "5 V", lists.part("speaker")["ma"])
    yield Load(f"{seats} lamps", f"{lamp.volts:g} V", seats * lamp.ma)


def _supplies(board: Board, lamp: Lamp, lists: Lists) -> Iterator[Supply]:
    main = lists.part("pi-supply")
    yield Supply("5 V", main["volts"], main["supplies_ma"], "the Pi's supply")
    yield Supply("3.3 V", board.v_rail, board.rail_ma, f"the {'Pi' if board is PI else 'Pico'}'s own 3.3 V")
    if lamp.volts != 5:
        lamps = lists.part("supply12")
        yield Supply(f"{lamp.volts:g} V", lamps["volts"], lamps["supplies_ma"], "the lamps' supply")
