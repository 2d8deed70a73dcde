"""The buttons: every seat's contact and cable."""

from collections.abc import Iterator

from doubtable.devices.ports import DeviceError
from doubtable.doctor.bench import Bench, Seat
from doubtable.doctor.case import Case
from doubtable.doctor.ears import Ears
from doubtable.doctor.findings import Finding
from doubtable.doctor.opened import opened, refused, running_device, simulated
from doubtable.timing import MS, S

TURN = 100 * MS
PRESSED_WITHIN = 60 * S  # since the last press
LIGHTS = 10 * S
LISTENED = 2 * S  # without a person
LONG_BOUNCE = 10 * MS

CABLE_RULES = (
    "cable rules of docs/hardware-setup.md: apart from mains, the filter, 1 kOhm instead of the chip's own pull-up"
)
DEAD = "NO and COM of the microswitch, the cable's plug, the line in table.toml (docs/build/mistakes.md)"
CLOSED = "NO contact and not NC, no short from the cable's button core to ground, `pull` in table.toml"


def buttons(case: Case) -> Iterator[Finding]:
    """Every button line: that it can be read, is not stuck, is quiet, and answers as its own seat."""
    hardware = [seat.number for seat in case.config.seats if seat.source != "simulated"]
    if len(hardware) < len(case.config.seats):
        what = f"{len(case.config.seats) - len(hardware)} are simulated: keys of the keyboard"
        yield Finding("buttons", "ok", what) if hardware else simulated(case, "buttons", what)
    if not hardware:
        return
    at_table = running_device(case, "buttons", "start the table anew")
    if at_table is not None and at_table.state != "ok":
        yield at_table
        return
    try:
        with opened(case, buttons=True) as devices:
            bench = Bench(hardware, case.config.timing)
            asked = _listen(case, devices.ears, bench)
    except DeviceError as error:
        yield refused("buttons", error)
        return
    for source in sorted(bench.lost):
        yield Finding(
            "buttons", "fault", "was lost while it was listened to", "its cable, its supply", f"source {source}"
        )
    for number, seat in bench.seats.items():
        yield judged(seat, seat_name(case, number), asked and any(each.presses for each in bench.seats.values()), case)


def seat_name(case: Case, number: int, what: str = "button") -> str:
    """ "seat 3 (Ann), GPIO6": how findings name a seat."""
    seat = next(each for each in case.config.seats if each.number == number)
    line = getattr(seat, what)
    kinds = {("panel", "button"): "GP", ("panel", "lamp"): "output "}
    wire = f", {kinds.get((seat.source, what), 'GPIO')}{line}" if line is not None else ""
    return f"seat {number}{f' ({seat.name})' if seat.name else ''}{wire}"


def judged(seat: Seat, about: str, asked: bool, case: Case) -> Finding:
    """The finding for one button. ``asked``: a person pressed buttons, so one without a press is dead."""
    spikes = f"{seat.noise} spike{'s' * (seat.noise != 1)}"
    bounce = f"bounce {seat.bounce / MS:.1f} ms"
    if seat.down and seat.held:
        return Finding("buttons", "fault", "down since it was first looked at", CLOSED, about)
    if seat.down:
        return Finding("buttons", "warning", "still down", "let go of it; if nobody holds it, it is stuck", about)
    if seat.noise:
        return Finding("buttons", "warning", f"noisy: {spikes}, {seat.presses} presses, {bounce}", CABLE_RULES, about)
    if not seat.presses and asked:
        return Finding("buttons", "fault", "no press came, though others did", DEAD, about)
    if not seat.presses:
        how = "nobody pressed it" if case.person.there else "quiet; nobody was asked to press it"
        todo = "at a terminal: doubtable doctor --only buttons"
        return Finding("buttons", "unknown", how, todo, about)
    if seat.bounce >= LONG_BOUNCE:
        todo = "the microswitch is worn or cheap: presses count rightly, photo finishes of this seat take longer"
        return Finding("buttons", "warning", f"pressed, {bounce}", todo, about)
    return Finding("buttons", "ok", f"pressed {seat.presses} x, {bounce}, no noise", about=about)


def _listen(case: Case, ears: Ears, bench: Bench) -> bool:
    """Hear the buttons out; whether a person was asked to press them."""
    person = case.person
    _hear(ears, bench)  # what a running table has kept from before
    if not person.there:
        _until(case, ears, bench, LISTENED)
        return case.running is not None
    at_table = " (the game takes them for real)" if case.running is not None else ""
    person.say(f"Press every button once{at_table}. Enter ends it.")
    before = {number: seat.presses for number, seat in bench.seats.items()}
    end = case.clock() + PRESSED_WITHIN
    while case.clock() < end and any(
        seat.presses == before[number] or seat.down for number, seat in bench.seats.items()
    ):
        typed = person.wait(TURN)
        for number, bounce in _hear(ears, bench):
            person.say(f"{seat_name(case, number)}: pressed, bounce {bounce / MS:.1f} ms")
            end = case.clock() + PRESSED_WITHIN
        if typed is not None:
            break
    person.say("Now hands off, and switch the room's light on and off a few times. Enter ends it, or 10 s.")
    _until(case, ears, bench, LIGHTS)
    return True


def _until(case: Case, ears: Ears, bench: Bench, ns: int) -> None:
    end = case.clock() + ns
    while case.clock() < end:
        typed = case.person.wait(TURN)
        _hear(ears, bench)
        if typed is not None:
            return


def _hear(ears: Ears, bench: Bench) -> list[tuple[int, int]]:
    for given in ears.take():
        bench.hear(given)
    return bench.advance(ears.drained())
