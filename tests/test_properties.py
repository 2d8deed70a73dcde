"""What must hold of every race, whatever the edges: order of delivery, bounce, the clock, the seats, and told time.

Two ways to draw edges. `Slap`s are presses of people: their decision must not change when what cannot matter changes.
`chaos` is any row of level changes, reads, acts and sources: there whole lists of events must stay the same.
"""

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from doubtable.events import Event
from doubtable.games.bare import RaceOnly
from doubtable.games.classic import Classic
from doubtable.inputs import Do, Edge, Input, Levels, Source, Time
from doubtable.race import Record, decide
from doubtable.table import Table
from doubtable.timing import MS, S, Timing

OPENS = S
TIES = (0, 5 * MS, 20 * MS, 100 * MS)
NO_BUMP = 13  # more seats than can press: a knock is decided by tests of its own
RACES = settings(max_examples=2000 if os.environ.get("DOUBTABLE_LONG") else 25)


class Slap(NamedTuple):
    """One press: its first edge and how its contact bounces on (gaps in ns); it is let go 100 ms later."""

    seat: int
    ns: int
    bounce: tuple[int, ...] = ()

    def edges(self, later: int = 0) -> list[Edge]:
        at, level, made = self.ns + later, 1, []
        for gap in (0, *self.bounce):
            at += gap
            made.append(Edge(at, self.seat, level))
            level = 1 - level
        if level:
            made.append(Edge(at + 1000, self.seat, 1))
        return [*made, Edge(self.ns + later + 100 * MS, self.seat, 0)]


class Situation(NamedTuple):
    size: int
    claimant: int
    tie: int
    slaps: tuple[Slap, ...]

    @property
    def first(self) -> int:
        return min(slap.ns for slap in self.slaps)


bounces = st.lists(st.integers(1000, 4 * MS), max_size=8).map(tuple)
near = st.sampled_from((0, 1, MS, 5 * MS - 1, 5 * MS, 5 * MS + 1, 20 * MS, 20 * MS + 1, 100 * MS))


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """A window in which one to six seats slap, many of them at the edge of a tie."""
    size = draw(st.integers(2, 13))
    claimant = draw(st.integers(1, size))
    others = [seat for seat in range(1, size + 1) if seat != claimant]
    seats = draw(st.lists(st.sampled_from(others), min_size=1, max_size=6, unique=True))
    first = OPENS + draw(st.integers(0, 500 * MS))
    offsets = [0, *(draw(near | st.integers(0, 150 * MS)) for _ in seats[1:])]
    slaps = tuple(Slap(seat, first + at, draw(bounces)) for seat, at in zip(seats, offsets, strict=True))
    return Situation(size, claimant, draw(st.sampled_from(TIES)), slaps)


def table_for(size: int, claimant: int, tie: int, later: int = 0) -> Table:
    seats = tuple(range(1, size + 1))
    game = RaceOnly(seats, size, {}, Timing(tie=tie, bump_seats=NO_BUMP), claimant, OPENS + later)
    return Table(game, tuple(f"Seat {seat}" for seat in seats), 1)


def events_of(table: Table, inputs: Iterable[Input]) -> list[Event]:
    return [event for each in inputs for event in table.feed(each)]


def decision(events: Sequence[Event]) -> tuple[Any, ...]:
    """The doubter, its stamp, whether it was a tie, and all that lay in the tie."""
    (doubt,) = [each for each in events if each.name == "doubt"]
    record = doubt.facts["record"]
    tied = [each for each in doubt.facts["race"] if each[1] <= record.tie]
    return doubt.facts["seat"], doubt.ns, doubt.facts["tie"], sorted(tied)


def in_order(slaps: Iterable[Slap], later: int = 0) -> list[Edge]:
    return sorted((edge for slap in slaps for edge in slap.edges(later)), key=lambda edge: edge.ns)


def decided(situation: Situation, inputs: Iterable[Input]) -> tuple[Any, ...]:
    table = table_for(situation.size, situation.claimant, situation.tie)
    return decision(events_of(table, [*inputs, Time(OPENS + 10 * S)]))


# The decision ----------------------------------------------------------------------------------------------------


@RACES
@given(situations(), st.randoms(use_true_random=False))
def test_the_order_between_lines_does_not_decide(situation: Situation, rng: Any) -> None:
    """Any mixture of the lines, each in its own order."""
    queues = [slap.edges() for slap in situation.slaps]
    mixed: list[Input] = []
    while any(queues):
        mixed.append(rng.choice([queue for queue in queues if queue]).pop(0))
    assert decided(situation, mixed) == decided(situation, in_order(situation.slaps))


@RACES
@given(situations(), st.lists(st.integers(0, 50 * MS - 1), min_size=6, max_size=6))
def test_a_line_that_is_late_by_less_than_the_straggler_time_decides_alike(
    situation: Situation, late: list[int]
) -> None:
    """Time runs on while a line's bursts are on their way; each burst comes in one piece."""
    deliveries: list[tuple[int, list[Edge]]] = []
    for slap, drawn in zip(situation.slaps, late, strict=False):
        *press, release = slap.edges()
        delay = max(drawn, press[-1].ns - slap.ns)
        deliveries += [(slap.ns + delay, press), (release.ns + delay, [release])]
    inputs: list[Input] = []
    for wall, edges in sorted(deliveries, key=lambda each: each[0]):
        inputs += [Time(wall), *edges]
    assert decided(situation, inputs) == decided(situation, in_order(situation.slaps))


@RACES
@given(situations(), st.lists(bounces, min_size=6, max_size=6))
def test_bounce_after_the_first_edge_does_not_decide(situation: Situation, others: list[tuple[int, ...]]) -> None:
    bounced = [slap._replace(bounce=other) for slap, other in zip(situation.slaps, others, strict=False)]
    clean = [slap._replace(bounce=()) for slap in situation.slaps]
    assert decided(situation, in_order(bounced)) == decided(situation, in_order(clean))


@RACES
@given(situations(), st.data())
def test_presses_after_the_tie_do_not_decide(situation: Situation, data: st.DataObject) -> None:
    taken = {slap.seat for slap in situation.slaps} | {situation.claimant}
    free = [seat for seat in range(1, situation.size + 1) if seat not in taken]
    assume(free)
    after = situation.first + situation.tie + 1
    more = [Slap(seat, after + data.draw(st.integers(0, 300 * MS)), data.draw(bounces)) for seat in free]
    assert decided(situation, in_order((*situation.slaps, *more))) == decided(situation, in_order(situation.slaps))


@RACES
@given(situations(), st.integers(1, 2**62))
def test_the_clock_may_stand_anywhere(situation: Situation, later: int) -> None:
    straight = events_of(
        table_for(situation.size, situation.claimant, situation.tie),
        [*in_order(situation.slaps), Time(OPENS + 10 * S)],
    )
    shifted = events_of(
        table_for(situation.size, situation.claimant, situation.tie, later),
        [*in_order(situation.slaps, later), Time(OPENS + 10 * S + later)],
    )
    assert [(each.name, each.ns - later) for each in shifted] == [(each.name, each.ns) for each in straight]
    seat, ns, tie, tied = decision(shifted)
    assert (seat, ns - later, tie, tied) == decision(straight)


@RACES
@given(situations(), st.integers(1, 12))
def test_the_seats_may_be_turned(situation: Situation, by: int) -> None:
    def turned(seat: int) -> int:
        return (seat - 1 + by) % situation.size + 1

    other = situation._replace(
        claimant=turned(situation.claimant),
        slaps=tuple(slap._replace(seat=turned(slap.seat)) for slap in situation.slaps),
    )
    seat, ns, tie, tied = decided(situation, in_order(situation.slaps))
    expected = (turned(seat), ns, tie, sorted([turned(who), offset] for who, offset in tied))
    assert decided(other, in_order(other.slaps)) == expected


def outcome(situation: Situation, lost: frozenset[int], reads: Sequence[int]) -> tuple[str, Any]:
    """What comes of it when the edges of the seats ``lost`` never come and all levels are read at ``reads``."""
    kept = [slap for slap in situation.slaps if slap.seat not in lost]
    first = Levels(OPENS - MS, dict.fromkeys(range(1, situation.size + 1), 0))
    answers = [
        Levels(at, {slap.seat: int(slap.ns <= at < slap.ns + 100 * MS) for slap in situation.slaps}) for at in reads
    ]
    inputs: list[Input] = sorted([first, *in_order(kept), *answers], key=lambda each: each.ns)
    table = table_for(situation.size, situation.claimant, situation.tie)
    events = events_of(table, [*inputs, Time(OPENS + 10 * S)])
    said = next((each for each in events if each.name in ("doubt", "press_again")), None)
    return ("", 0) if said is None else (said.name, said.facts.get("seat", said.facts.get("why")))


@RACES
@given(situations(), st.data())
def test_the_seats_may_be_turned_where_presses_are_inferred(situation: Situation, data: st.DataObject) -> None:
    seats = [slap.seat for slap in situation.slaps]
    lost = data.draw(st.frozensets(st.sampled_from(seats), min_size=len(seats) // 2))
    early, late = data.draw(near | st.integers(0, 20 * MS)), data.draw(st.integers(5 * MS, 40 * MS))
    reads = [situation.first + early, situation.first + situation.tie + late]
    by = data.draw(st.integers(1, 12))

    def turned(seat: int) -> int:
        return (seat - 1 + by) % situation.size + 1

    other = situation._replace(
        claimant=turned(situation.claimant),
        slaps=tuple(slap._replace(seat=turned(slap.seat)) for slap in situation.slaps),
    )
    name, what = outcome(situation, lost, reads)
    assert outcome(other, frozenset(map(turned, lost)), reads) == (name, turned(what) if name == "doubt" else what)


@RACES
@given(situations())
def test_the_doubter_is_the_rules(situation: Situation) -> None:
    """Worked out from the stamps alone: the smallest distance in [t0, t0 + tie]."""
    tied = [slap for slap in situation.slaps if slap.ns <= situation.first + situation.tie]
    nearest = min(tied, key=lambda slap: (slap.seat - situation.claimant) % situation.size)
    seat, ns, tie, members = decided(situation, in_order(situation.slaps))
    assert (seat, ns, tie, len(members)) == (nearest.seat, nearest.ns, len(tied) > 1, len(tied))


@RACES
@given(situations())
def test_a_record_replays_byte_for_byte(situation: Situation) -> None:
    table = table_for(situation.size, situation.claimant, situation.tie)
    events = events_of(table, [*in_order(situation.slaps), Time(OPENS + 10 * S)])
    (doubt,) = [each for each in events if each.name == "doubt"]
    record = doubt.facts["record"]
    text = msgspec.json.encode(record)
    again = msgspec.json.decode(text, type=Record)
    assert msgspec.json.encode(again) == text
    replayed = again.replay()
    assert replayed is not None
    assert msgspec.json.encode(replayed) == msgspec.json.encode(record.replay())
    assert replayed == decide(record.candidates, record.claimant, record.size, record.tie)
    said = {"seat": replayed.doubter, "tie": replayed.tie, "race": [list(each) for each in replayed.race]}
    assert said == {key: doubt.facts[key] for key in said}
    assert json.loads(text) == json.loads(json.dumps(doubt.to_line()["record"]))


# Everything it says ----------------------------------------------------------------------------------------------

gaps = st.sampled_from((0, 1, 300_000, 3 * MS, 5 * MS - 1, 5 * MS, 20 * MS, 60 * MS, 300 * MS, 700 * MS, 2 * S, 31 * S))


@st.composite
def chaos(draw: st.DrawFn, size: int = 5) -> list[Input]:
    """Any inputs in the order of their stamps: level changes, reads, acts, sources that come and go, lost numbers."""
    ns, seq = OPENS - 300 * MS, 0
    made: list[Input] = []
    for _ in range(draw(st.integers(1, 40))):
        ns += draw(gaps)
        kind = draw(st.sampled_from("eeeeeeeelsd"))
        seat = draw(st.integers(1, size))
        if kind == "e":
            seq += draw(st.sampled_from((1, 1, 1, 1, 1, 1, 3)))
            made.append(Edge(ns, seat, draw(st.integers(0, 1)), "gpio", seq))
        elif kind == "l":
            made.append(Levels(ns, {each: draw(st.integers(0, 1)) for each in range(1, size + 1)}))
        elif kind == "s":
            made.append(Source(ns, "gpio", draw(st.booleans()), draw(st.sampled_from((0, 100_000, 10 * MS)))))
        else:
            made.append(Do(ns, seat, draw(st.sampled_from(("claim", "doubt", "start", "correct", "give_in"))), 1))
    return made


def a_table(kind: str) -> Table:
    seats, names = (1, 2, 3, 4, 5), ("Ann", "Bob", "Cy", "Di", "Ed")
    if kind == "race":
        return Table(RaceOnly(seats, 5, {}, Timing(tie=5 * MS), 2, OPENS, OPENS + 5 * S), names, 1)
    return Table(Classic(seats, 5, {}, Timing(tie=5 * MS)), names, 1)


kinds = st.sampled_from(("race", "classic"))


@RACES
@given(kinds, chaos(), st.data())
def test_told_time_changes_nothing_that_is_said(kind: str, inputs: list[Input], data: st.DataObject) -> None:
    """Time inputs in between, as many as one likes, up to the next input's stamp."""
    end = Time(inputs[-1].ns + 100 * S)
    straight = events_of(a_table(kind), [*inputs, end])
    ticked: list[Input] = []
    last = 0
    for each in inputs:
        for _ in range(data.draw(st.integers(0, 2))):
            last = data.draw(st.integers(min(last, each.ns), each.ns))
            ticked.append(Time(last))
        ticked.append(each)
        last = each.ns
    assert events_of(a_table(kind), [*ticked, end]) == straight


@RACES
@given(kinds, chaos())
def test_woken_at_every_deadline_it_says_the_same(kind: str, inputs: list[Input]) -> None:
    straight = events_of(a_table(kind), [*inputs, Time(inputs[-1].ns + 100 * S)])
    table, said = a_table(kind), []
    for each in [*inputs, Time(inputs[-1].ns + 100 * S)]:
        while (due := table.deadline()) is not None and due < each.ns:
            said += table.feed(Time(due))
            assert (next_due := table.deadline()) is None or next_due > due, "a deadline that is met is over"
        said += table.feed(each)
    assert said == straight


@RACES
@given(kinds, chaos(), st.integers(0, 39))
def test_frozen_and_thawed_it_goes_on_alike(kind: str, inputs: list[Input], at: int) -> None:
    end = Time(inputs[-1].ns + 100 * S)
    straight = events_of(a_table(kind), [*inputs, end])
    first = a_table(kind)
    said = events_of(first, inputs[:at])
    second = a_table(kind)
    second.load(json.loads(json.dumps(first.dump())))
    assert [*said, *events_of(second, [*inputs[at:], end])] == straight


@RACES
@given(kinds, chaos())
def test_no_edges_break_it_and_nobody_doubts_twice(kind: str, inputs: list[Input]) -> None:
    events = events_of(a_table(kind), [*inputs, Time(inputs[-1].ns + 100 * S)])
    if kind == "race":
        assert sum(each.name == "doubt" for each in events) <= 1
    for each in events:
        if each.name == "doubt":
            assert each.facts["seat"] != each.facts["of"]
            record = each.facts["record"]
            assert record.replay() is not None
            assert all(candidate.ns >= record.opened for candidate in record.candidates)
