"""Who doubted first.

Theory. The earliest candidate is t0. Everything stamped in [t0, t0 + tie] is one tie, anchored at t0 and never chained;
of a tie the seat nearest the claimant's left is the doubter. What lies below the tie is not an order but chance: the
contacts of two buttons differ by milliseconds. Stamps decide, never the order of delivery, never the pin.

A decision is a function of the candidates alone. For an inferred press only an interval is known; if the doubter is not
the same for every stamp in it, nobody is taken and everybody presses again.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

import msgspec

from doubtable.inputs import DEFAULT_SOURCE
from doubtable.timing import Timing

MOST_VARIANTS = 4096  # of inferred presses; beyond it the order counts as unknown


class Candidate(msgspec.Struct, frozen=True):
    """A press that may be the doubt: stamp in ns; ``low`` is set for an inferred one, whose stamp is in (low, ns].

    An inferred one only counts from ``since`` on (the lock, or the end of a lock-out). ``uncertainty`` (ns) is what its
    source said with it.
    """

    seat: int
    ns: int
    low: int | None = None
    source: str = DEFAULT_SOURCE
    uncertainty: int = 0
    since: int = 0


class Decision(msgspec.Struct, frozen=True):
    """The doubter, whether two or more candidates lay in the tie, and all candidates with their offset
    from t0 in ns.
    """

    doubter: int
    ns: int
    tie: bool
    race: tuple[tuple[int, int], ...]


class Voided(msgspec.Struct, frozen=True):
    """A press that did not count, and why."""

    seat: int
    ns: int
    why: str


class Record(msgspec.Struct, frozen=True):
    """The evidence of one race; all times in ns of the table's clock. ``outcome`` doubt, press_again or cut."""

    outcome: str
    claimant: int
    size: int
    opened: int
    decided: int
    candidates: tuple[Candidate, ...]
    tie: int
    tie_why: str
    uncertainties: dict[str, int]
    voids: tuple[Voided, ...] = ()
    why: str = ""
    doubter: int | None = None

    def __str__(self) -> str:
        """The record as a table for people: one row a candidate, times in microseconds from the first one's stamp."""
        t0 = self.candidates[0].ns if self.candidates else self.opened
        known = "".join(f"; {name} known to {ns / 1e6:g} ms" for name, ns in sorted(self.uncertainties.items()) if ns)
        rows = [
            f"claim of seat {self.claimant}; tie window {self.tie / 1e6:g} ms ({self.tie_why}){known}",
            f"times from {t0} ns: lock {(self.opened - t0) // 1000:+} us, decided {(self.decided - t0) // 1000:+} us",
        ]
        for place, each in enumerate(self.candidates, 1):
            margin = each.ns - t0
            notes = ["tie"] * (margin <= self.tie and place > 1) + ["inferred"] * (each.low is not None)
            notes += ["DOUBTER"] * (each.seat == self.doubter)
            rows.append(
                f"{place:>2}. seat {each.seat:>2}  {margin // 1000:>+10} us"
                f"  {distance(self.claimant, each.seat, self.size):>2} left"
                f"  {each.source:<10} {' '.join(notes)}".rstrip()
            )
        rows += [f"    seat {each.seat:>2}  {(each.ns - t0) // 1000:>+10} us  void: {each.why}" for each in self.voids]
        if self.outcome != "doubt":
            rows.append(f"nobody: {self.outcome.replace('_', ' ')}" + f" ({self.why})" * bool(self.why))
        return "\n".join(rows)

    def replay(self) -> Decision | None:
        """The decision that the record's own facts give; None where nobody was taken."""
        if self.outcome != "doubt":
            return None
        return decide(self.candidates, self.claimant, self.size, self.tie)


def distance(claimant: int, seat: int, size: int) -> int:
    """Places clockwise from ``claimant`` to ``seat`` at a table of ``size`` seats: 1 is nearest the left,
    itself last.
    """
    return (seat - claimant) % size or size


def tie_width(timing: Timing, uncertainties: Iterable[int]) -> tuple[int, str]:
    """The tie window in ns and why: ``tie_ms``, or the two largest uncertainties (ns) of the live sources, added up."""
    worst = sum(sorted(uncertainties, reverse=True)[:2])
    return (worst, "uncertainty of the sources") if worst > timing.tie else (timing.tie, "house rule")


def uncertainties_of(candidates: Iterable[Candidate], declared: Mapping[str, int], timing: Timing) -> dict[str, int]:
    """The uncertainty of each source in this race, in ns, whatever was delivered first.

    A source is as uncertain as its earliest candidate says. One that was not known before counts only if that candidate
    lies in the tie that it makes: a press after the tie must not widen it.
    """
    found = dict(declared)
    ranked = order(candidates)
    seen = set()
    for each in ranked:
        if each.source in seen:
            continue
        seen.add(each.source)
        wider = found | {each.source: each.uncertainty or found.get(each.source, 0)}
        if each.ns - ranked[0].ns <= tie_width(timing, wider.values())[0]:
            found = wider
    return found


def order(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Candidates by stamp; equal stamps by seat, which decides nothing."""
    return tuple(sorted(candidates, key=lambda each: (each.ns, each.seat)))


def decide(candidates: Iterable[Candidate], claimant: int, size: int, tie: int) -> Decision:
    """The doubter among at least one candidate; ``tie`` in ns."""
    ranked = order(candidates)
    t0 = ranked[0].ns
    tied = [each for each in ranked if each.ns <= t0 + tie]
    first = min(tied, key=lambda each: distance(claimant, each.seat, size))
    return Decision(first.seat, first.ns, len(tied) > 1, tuple((each.seat, each.ns - t0) for each in ranked))


def is_certain(candidates: Sequence[Candidate], claimant: int, size: int, tie: int, until: int | None) -> bool:
    """Whether the doubter is the same for every stamp that the inferred candidates may have.

    Who wins only changes where a stamp meets another stamp or the edge of a tie window, so those places, and the ends
    of the interval, stand for all. A stamp before its ``since`` or after ``until`` (ns) would be no candidate at all.
    """
    inferred = [each for each in candidates if each.low is not None]
    if not inferred:
        return True
    known = [each for each in candidates if each.low is None]
    edges = {each.ns + shift + step for each in known for shift in (-tie, 0, tie) for step in (-1, 0, 1)}
    for each in inferred:
        edges |= {
            end + shift + step
            for end in (each.low, each.ns)
            if end is not None
            for shift in (-tie, 0, tie)
            for step in (-1, 0, 1)
        }
    places = [_places(each, edges, until) for each in inferred]
    count = 1
    for each_places in places:
        count *= len(each_places)
    if count > MOST_VARIANTS:
        return False
    doubters = set()
    for stamps in product(*places):
        moved = [
            msgspec.structs.replace(each, ns=ns)
            for each, ns in zip(inferred, stamps, strict=True)
            if ns >= each.since and (until is None or ns <= until)
        ]
        variant = known + moved
        doubters.add(decide(variant, claimant, size, tie).doubter if variant else None)
    return len(doubters) == 1


def _places(each: Candidate, edges: set[int], until: int | None) -> list[int]:
    assert each.low is not None
    low = each.low + 1
    bounds = {each.since - 1, each.since} | (set() if until is None else {until, until + 1})
    return sorted({low, each.ns} | {ns for ns in edges | bounds if low <= ns <= each.ns})


def bump_seats(timing: Timing, occupied: int) -> int:
    """How many seats at once are a knock on the table: half of them, at least 4; all 3 others at four;
    never at three.
    """
    if timing.bump_seats:
        return timing.bump_seats
    if occupied <= 3:
        return occupied + 1
    return 3 if occupied == 4 else max(4, (occupied + 1) // 2)
