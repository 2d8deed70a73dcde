"""The commented table.toml that `doubtable config new` writes."""

import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

from doubtable.config.effective import as_toml
from doubtable.config.plan import Plan, PlanSeat
from doubtable.config.reference import Entry, about, entries

WIDTH = 100
BY_ID = "Find yours with: ls -l /dev/serial/by-id"
PANEL = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_e6614c311b7e6f35-if00"


def table_toml(plan: Plan, state: Path | None = None) -> str:
    """A file for this plan that passes the check: what is needed is written, all else stands there as a comment.

    ``state``: the state directory of the service that will have this file; None: whoever runs the table has their own.
    """
    needed = {
        ("", "plan"): f'"{plan.name}"',
        ("reader", "kind"): f'"{plan.reader.kind}"',
        ("reader", "port"): f'"{plan.reader.path}"',
    }
    if state is not None:
        needed["", "state"] = as_toml(state.as_posix())
    if plan.source == "panel":
        needed["panel", "port"] = f'"{PANEL}"'
    filled_in = {("buttons", "source"): f'"{plan.source}"'}
    return "\n".join([*_head(plan), *_keys(needed, filled_in), *_options(), *_seats(plan)]) + "\n"


def _comment(text: str, indent: str = "") -> list[str]:
    return [f"# {line}" for line in textwrap.wrap(text.replace("`", ""), WIDTH, subsequent_indent=indent)]


def _head(plan: Plan) -> Iterator[str]:
    yield f"# The configuration of a doubtable: {plan.about}."
    yield "#"
    yield '# A line like "# volume = 70" shows the default, or an example where there is none.'
    yield "# After every change: doubtable config check THIS_FILE"
    yield "# Settings changed at the table go before this file: doubtable config show THIS_FILE"


def _keys(needed: Mapping[tuple[str, str], str], filled_in: Mapping[tuple[str, str], str]) -> Iterator[str]:
    section = ""
    for entry in entries():
        if entry.section == "seats.N":
            continue
        if entry.section != section:
            section = entry.section
            yield from ("", *_comment(about(section)), f"[{section}]")
        place = (section, entry.key)
        shown = filled_in.get(place, entry.example)
        yield from ("", *_explained(entry, shown, needed.get(place)))


def _explained(entry: Entry, shown: str, value: str | None) -> Iterator[str]:
    allowed = f" ({entry.values})" if entry.values[:1].isdigit() else ""
    yield from _comment(f"{entry.about[:1].upper()}{entry.about[1:]}{allowed}")
    if entry.key == "port" and value is not None and "/by-id/" in value:
        yield f"# {BY_ID}"
    yield f"# {entry.key} = {shown}" if value is None else f"{entry.key} = {value}"


def _options() -> Iterator[str]:
    yield ""
    yield "# House rules of a game stand in a section with the game's name, for example:"
    yield "# [options.classic]"


def _seats(plan: Plan) -> Iterator[str]:
    yield ""
    yield from _comment(f"{about('seats.N')} A seat may have these keys:")
    for entry in entries():
        if entry.section == "seats.N":
            yield from _comment(f"  {entry.key} = {entry.example}: {entry.about}", indent="      ")
    for seat in plan.seats:
        yield ""
        yield f"# {_wiring(plan, seat)}"
        yield f"[seats.{seat.seat}]"
        yield f'# name = "Seat {seat.seat}"'


def _wiring(plan: Plan, seat: PlanSeat) -> str:
    if plan.source == "panel":
        lamp = f"lamp output {seat.lamp} ({seat.lamp_chip} pin {seat.lamp_pin})"
        return f"button GP{seat.button} (pin {seat.button_pin}), {lamp}"
    return f"button GPIO{seat.button} (pin {seat.button_pin}), lamp GPIO{seat.lamp} (pin {seat.lamp_pin})"
