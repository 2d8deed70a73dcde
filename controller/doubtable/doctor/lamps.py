"""The lamps, one by one and all together."""

from collections.abc import Iterator

from doubtable.devices.ports import DeviceError, LampBoard
from doubtable.doctor.buttons import seat_name
from doubtable.doctor.case import Case
from doubtable.doctor.findings import Finding
from doubtable.doctor.opened import opened, refused, running_device, simulated
from doubtable.timing import S

ANSWERED_WITHIN = 60 * S
DARK = "its poles, the driver chip's notch, the lamps' supply and fuse, the common ground (docs/build/mistakes.md)"
UNEVEN = "the lamps' supply, its fuse, and the common ground of Pi and supply"


def lamps(case: Case) -> Iterator[Finding]:
    """Every lamp: that it can be switched, and lights at its own seat."""
    wired = [seat.number for seat in case.config.seats if seat.lamp is not None and seat.source != "simulated"]
    if not wired:
        yield simulated(case, "lamps", "none is wired: they are drawn on the screen")
        return
    at_table = running_device(case, "lamps", "start the table anew")
    if at_table is not None:
        yield at_table
        return
    try:
        with opened(case, lamps=True) as devices:
            assert devices.devices is not None
            yield from _shown(case, devices.devices.lamps, wired)
    except DeviceError as error:
        yield refused("lamps", error)


def _shown(case: Case, board: LampBoard, wired: list[int]) -> Iterator[Finding]:
    if not case.person.there:
        todo = "at a terminal: doubtable doctor --only lamps"
        yield Finding("lamps", "unknown", f"{len(wired)} can be switched; nobody was asked to look", todo)
        return
    case.person.say("Each lamp lights by itself now. Enter: it does, there and nowhere else. n: it does not.")
    dark = dict.fromkeys(wired, False)
    for number in wired:
        about = seat_name(case, number, "lamp")
        board.show({**dark, number: True})
        yield _answered(case, board, about, f"Lamp of {about}?", "lights", "does not light there", DARK)
    board.show(dict.fromkeys(wired, True))
    yield _answered(case, board, "all together", "All lamps on: all alike?", "light alike", "do not", UNEVEN)
    board.show(dark)


def _answered(case: Case, board: LampBoard, about: str, question: str, good: str, bad: str, todo: str) -> Finding:
    if board.fault is not None:
        return refused("lamps", board.fault)
    case.person.say(question)
    typed = case.person.wait(ANSWERED_WITHIN)
    if typed is None:
        return Finding("lamps", "unknown", "nobody said", "look again: doubtable doctor --only lamps", about)
    if typed.lower().startswith("n"):
        return Finding("lamps", "fault", bad, todo, about)
    return Finding("lamps", "ok", good, about=about)
