"""Rules about signals: levels that are read as meant, and presses that are stamped alike at every seat."""

from collections.abc import Iterator

from workshop.builds import Build
from workshop.circuit import corner, stamp_shift
from workshop.findings import Finding, fault, judged

FAR_BELOW = 10  # the slowest time constant is this many times below confirm_ms
SPREAD_SHARE = 50  # seats differ by at most this part of the tie window
LOW_MARGIN_V = 0.2  # a pressed button is this far below what a pin surely reads as low


def _ms(ns: float) -> str:
    return f"{ns / 1e6:.3f} ms"


def low_level(build: Build) -> Iterator[Finding]:
    """A pressed button reads as low, also against pull-ups on the board itself."""
    limit = build.board.v_low - LOW_MARGIN_V
    worst = 0.0
    for seat in build.seats:
        volts = corner(seat.circuit, build.board, seat.line, sign=1).low_volts
        worst = max(worst, volts)
        if volts > limit:
            place, found = f"seat {seat.number} on line {seat.line}", f"{volts:.2f} V while pressed"
            yield fault(place, found, f"{limit:.2f} V", "a smaller series resistor (330 Ohm), or another line")
    if worst <= limit:
        yield Finding("all buttons", f"at most {worst:.2f} V while pressed", f"{limit:.2f} V")


def time_constant(build: Build) -> Iterator[Finding]:
    """The filter is far faster than confirm_ms, or it would debounce by itself."""
    slow = (corner(seat.circuit, build.board, seat.line, sign=1) for seat in build.seats)
    slowest = max(max(seat.press_tau_ns, seat.release_tau_ns) for seat in slow)
    limit = build.confirm_ns / FAR_BELOW
    text = f"{_ms(limit)} (confirm_ms / {FAR_BELOW})"
    yield judged(slowest <= limit, "slowest seat", _ms(slowest), text, "a smaller capacitor (100 nF)")


def equal_shift(build: Build) -> Iterator[Finding]:
    """Every seat's press is stamped as late as every other's."""
    try:
        shift = stamp_shift([(seat.circuit, seat.line) for seat in build.seats], build.board)
    except ValueError as error:
        yield fault("a seat", str(error), "a press is seen", "a smaller series resistor (330 Ohm)")
        return
    limit = build.tie_ns // SPREAD_SHARE
    found = f"{_ms(shift.least_ns)} to {_ms(shift.most_ns)} after the contact, seats differ by {_ms(shift.spread_ns)}"
    text = f"differ by {_ms(limit)} (tie_ms / {SPREAD_SHARE})"
    way_out = "the same parts at every seat: capacitors of 5 %, resistors of 1 %"
    yield judged(shift.spread_ns <= limit, "all seats", found, text, way_out)


def cable_filter(build: Build) -> Iterator[Finding]:
    """Long cables have the filter, all seats have the same, and no cable is longer than the filter can guard."""
    rule, bad = build.cable_rule, False
    for seat in build.seats:
        guarded = seat.circuit.filtered and seat.circuit.clamped
        most = rule.filtered_m if guarded else rule.plain_m
        if seat.cable_m > most:
            bad = True
            found = f"{seat.cable_m:g} m {'with' if guarded else 'without'} filter"
            way_out = "the Pico panel near the seats" if guarded else "capacitor and clamp diodes at every seat"
            yield fault(f"seat {seat.number}", found, f"{most:g} m", way_out)
    kinds = {seat.circuit.filtered for seat in build.seats}
    if len(kinds) > 1:
        bad = True
        yield fault("all seats", "some with filter, some without", "all the same", "filter all seats or none")
    if not bad:
        found = f"{'with' if True in kinds else 'without'} filter, longest {max(s.cable_m for s in build.seats):g} m"
        yield Finding("all seats", found, f"{rule.plain_m:g} m without, {rule.filtered_m:g} m with")


def input_volts(build: Build) -> Iterator[Finding]:
    """Only 3.3 V on inputs, also at the edge of tolerances; and what arrives is still read as a 1."""
    for link in build.links:
        most, least = link.high_v, link.least_v
        if link.divider is not None:
            most, least = link.divider.volts(most, 1), link.divider.volts(least, -1)
        place = f"{link.sender} to {link.receiver}"
        limit = f"{link.needs_v:.2f} to {link.stands_v:.2f} V"
        if most > link.stands_v:
            yield fault(place, f"up to {most:.2f} V", limit, "a divider: 6.8 kOhm in line, 10 kOhm to ground")
        else:
            way_out = "a level shifter, or a divider that leaves more"
            yield judged(least >= link.needs_v, place, f"{least:.2f} to {most:.2f} V", limit, way_out)
