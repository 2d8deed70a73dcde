"""The truth of a race, fixed before any edge is made: who sits where, who pressed when, and what will go wrong.

All times in ns. ``Race`` holds true times; what a source's clock makes of them is the wires' business. Two kinds:

- "slaps": one open window; every seat but the claimant's may slap.
- "turn": a claim was locked and the next seat holds its strip: its HOLD is a doubt stamped at its press-down, its TAP
  starts its turn (from doubt_ms on) and closes the window.
"""

import random
from dataclasses import dataclass, field

from races import people
from races.switches import CLEAN, MS, SHARES, SWITCHES, US, Switch

DOUBT = 4000 * MS
HOLD = 700 * MS
STRAGGLER = 50 * MS
CONFIRM = 5 * MS
BUMP = 3 * MS


@dataclass(slots=True)
class Source:
    """A source of edges: its declared uncertainty, and the true offset of its clock (at most half of that)."""

    name: str
    uncertainty: int
    offset: int = 0


@dataclass(slots=True)
class Press:
    """One press: the first contact, the first opening, and a spike that came so shortly before that it is its start."""

    seat: int
    down: int
    up: int
    spike: int = 0  # ns before ``down``, 0: none

    @property
    def begun(self) -> int:
        return self.down - self.spike


@dataclass(slots=True)
class Race:
    """Everything that is true of one race. ``loss`` "", overflow, twin or gone; ``bump``: the table is knocked."""

    number: int
    kind: str
    size: int
    occupied: tuple[int, ...]
    claimant: int
    opens: int
    closes: int | None
    tie: int
    sources: tuple[Source, ...]
    source_of: tuple[int, ...]  # by seat: index of its source
    switches: tuple[Switch, ...]  # by seat
    presses: list[Press] = field(default_factory=list)
    spikes: list[tuple[int, int, int]] = field(default_factory=list)  # seat, start, width
    loss: str = ""
    bump: bool = False
    eager: bool = False
    numbered: bool = True
    gone: tuple[int, int] | None = None  # when a source dies, which
    rivals: tuple[int, ...] = ()  # occupied seats but the claimant's, clockwise from its left

    def __post_init__(self) -> None:
        others = (seat for seat in self.occupied if seat != self.claimant)
        self.rivals = tuple(sorted(others, key=lambda seat: (seat - self.claimant) % self.size))

    @property
    def next_seat(self) -> int:
        """The next occupied seat clockwise from the claimant."""
        return self.rivals[0]


def make(seed: int, number: int) -> Race:
    """Race ``number`` of ``seed``."""
    rng = random.Random(seed * 0x1_0000_0000 + number)
    eager = rng.random() < 0.06
    kind = "slaps" if eager or rng.random() < 0.75 else "turn"
    race = _table(rng, number, kind, eager)
    _people(rng, race)
    _close_calls(rng, race)
    _nervous(rng, race)
    if not eager:
        _trouble(rng, race)
    race.presses.sort(key=lambda each: each.down)
    _apart(race)
    _spikes(rng, race)
    return race


def _table(rng: random.Random, number: int, kind: str, eager: bool) -> Race:
    size = 13 if eager else rng.randint(2 if kind == "slaps" else 3, 13)
    occupied = list(range(1, size + 1))
    least = 2 if kind == "slaps" else 3
    if not eager and rng.random() < 0.1:
        for _ in range(rng.randint(0, size - least)):
            occupied.pop(rng.randrange(len(occupied)))
    opens = rng.choice((1_000 * MS, 2**32, 2**45, 2**61)) + rng.randrange(10**9)
    closes = opens + 10_000 * MS if kind == "slaps" and rng.random() < 0.2 else None
    draw = rng.random()
    tie = (5 if size <= 8 else 10) * MS
    if not eager and draw > 0.7:
        tie = rng.choice((0, 1, 2, 5, 10, 20, 40, 100, 500)) * MS
    sources = _sources(rng)
    switches = rng.choices(SWITCHES, SHARES, k=size)
    return Race(
        number=number,
        kind=kind,
        size=size,
        occupied=tuple(occupied),
        claimant=rng.choice(occupied),
        opens=opens,
        closes=closes,
        tie=tie,
        sources=sources,
        source_of=tuple(rng.randrange(len(sources)) for _ in range(size)),
        switches=tuple(switches),
        eager=eager,
        numbered=rng.random() < 0.8,
    )


def _sources(rng: random.Random) -> tuple[Source, ...]:
    """One or two: kernel edge events 0.1 ms; a panel by half its round trip; a keyboard 10 ms; now and then exact."""
    draw = rng.random()
    if draw < 0.3:
        return (Source("gpio", 0),)
    names = [Source("gpio", 100 * US)]
    if draw > 0.6:
        names.append(Source("panel", rng.randrange(1 * US, 3000 * US)))
    if draw > 0.95:
        names[rng.randrange(2)] = Source("keyboard", 10_000 * US)
    for each in names:
        each.offset = rng.randint(-(each.uncertainty // 2), each.uncertainty // 2)
    return tuple(names)


def _people(rng: random.Random, race: Race) -> None:
    """Who reacts to the lock, who thinks, who guesses; some at the last moment."""
    share = 1.0 if race.eager else rng.choice((0.3, 0.6, 1.0))
    style = rng.choice(people.STYLES)
    last_moment = race.closes is not None and rng.random() < 0.6
    for seat in race.rivals:
        if rng.random() > share:
            continue
        draw = rng.random()
        if last_moment and race.closes is not None:
            down = race.closes + round(rng.gauss(0, 15) * MS)
        elif draw < (0.0 if race.eager else 0.08):
            down = race.opens + people.guess(rng)
        elif draw < 0.85 or race.eager:
            down = race.opens + people.reaction(rng, style)
        else:
            down = race.opens + people.second_thoughts(rng)
        race.presses.append(Press(seat, down, down + people.slap(rng)))
    if race.kind == "turn":
        _next_seat(rng, race)
    if rng.random() < 0.05:
        down = race.opens + people.reaction(rng, style)
        race.presses.append(Press(race.claimant, down, down + people.slap(rng)))
    empty = [seat for seat in range(1, race.size + 1) if seat not in race.occupied]
    if empty and rng.random() < 0.3:
        down = race.opens + people.reaction(rng, style)
        race.presses.append(Press(rng.choice(empty), down, down + people.tap(rng)))


def _next_seat(rng: random.Random, race: Race) -> None:
    """The next seat holds (a doubt), taps too soon (nothing), or taps after doubt_ms (its turn starts)."""
    seat = race.next_seat
    race.presses = [each for each in race.presses if each.seat != seat]
    draw = rng.random()
    if draw < 0.15:
        return
    if draw < 0.5:  # a hold among the slaps, or long after them
        down = race.opens + people.reaction(rng, people.THOUGHT)
        if not race.presses or rng.random() < 0.3:
            down += DOUBT
        race.presses.append(Press(seat, down, down + HOLD + round(rng.uniform(8, 500) * MS)))
        return
    if draw < 0.65:  # a tap before doubt_ms
        down = race.opens + people.reaction(rng, people.SOUND)
        race.presses.append(Press(seat, down, down + people.tap(rng)))
    length = people.tap(rng) if rng.random() < 0.9 else HOLD - round(rng.uniform(1, 30) * MS)
    down = race.opens + DOUBT - round(rng.uniform(0, 1) * length) + people.second_thoughts(rng) * rng.randint(0, 1)
    race.presses.append(Press(seat, down, down + length))
    if rng.random() < 0.7:  # the others wake up around that start
        race.presses = [each for each in race.presses if each.seat == seat]
        for rival in race.rivals:
            if rival != seat and rng.random() < 0.5:
                moment = rng.choice((down, down + length, down + length))
                at = moment + round(rng.gauss(0, 25) * MS)
                race.presses.append(Press(rival, at, at + people.slap(rng)))


def _close_calls(rng: random.Random, race: Race) -> None:
    """In half of the races somebody else comes within 10 ms of somebody, often right at the tie's edge."""
    mine = race.next_seat if race.kind == "turn" else 0
    slaps = [each for each in race.presses if each.seat in race.rivals and each.seat != mine]
    if not slaps or rng.random() > 0.6 or race.eager:
        return
    first = min(slaps, key=lambda each: each.down) if rng.random() < 0.8 else rng.choice(slaps)
    others = [seat for seat in race.rivals if seat not in (first.seat, mine)]
    for seat in rng.sample(others, min(len(others), rng.choice((1, 1, 1, 2, 3)))):
        if rng.random() < 0.6:
            down = first.down + round(rng.uniform(-10, 10) * MS)
        else:
            down = first.down + rng.choice((0, 1, -1, race.tie - 1, race.tie, race.tie + 1, race.tie // 2))
        race.presses = [each for each in race.presses if each.seat != seat]
        race.presses.append(Press(seat, down, down + people.slap(rng)))


def _nervous(rng: random.Random, race: Race) -> None:
    """Some hammer before the lock, some press twice."""
    if race.eager:
        return
    for each in list(race.presses):
        if each.seat == race.next_seat and race.kind == "turn":
            continue
        draw = rng.random()
        if draw < 0.04:
            at = each.down
            for _ in range(rng.randint(1, 5)):
                at -= round(rng.uniform(90, 350) * MS)
                race.presses.append(Press(each.seat, at, at + 45 * MS))
        elif draw < 0.12:
            again = each.up + round(rng.uniform(60, 300) * MS)
            race.presses.append(Press(each.seat, again, again + people.tap(rng)))


def _trouble(rng: random.Random, race: Race) -> None:
    """What is injected on purpose: a knock on the table, lost edges, a source that dies."""
    draw = rng.random()
    if draw < 0.01:
        race.bump = True
        at = race.opens + people.reaction(rng, people.SOUND)
        knocked = [seat for seat in race.rivals if rng.random() < 0.95]
        race.presses = [each for each in race.presses if each.seat not in knocked]
        for seat in knocked:
            down = at + rng.randrange(800 * US)
            race.presses.append(Press(seat, down, down + people.tap(rng)))
    elif draw < 0.06:
        race.loss = "overflow"
    elif draw < 0.08 and race.kind == "slaps":
        _twin(rng, race)
    elif draw < 0.085:
        race.loss = "gone"
        race.gone = (race.opens + round(rng.uniform(0, 600) * MS), rng.randrange(len(race.sources)))


def _twin(rng: random.Random, race: Race) -> None:
    """Two clean contacts within 2 us, the first presses of the window: the hardware forgets one edge."""
    if len(race.rivals) < 2:
        return
    one, other = rng.sample(race.rivals, 2)
    down = race.opens + people.reaction(rng, people.SOUND)
    race.presses = [each for each in race.presses if each.seat not in (one, other) and each.down > down]
    race.presses.append(Press(one, down, down + 200 * MS))
    race.presses.append(Press(other, down + rng.randrange(2 * US), down + 200 * MS))
    race.switches = tuple(CLEAN if seat in (one, other) else each for seat, each in enumerate(race.switches, 1))
    race.loss = "twin"


def _apart(race: Race) -> None:
    """One finger presses one button once at a time: presses that run into each other are dropped."""
    free: dict[int, int] = {}
    kept = []
    for each in race.presses:
        if each.down > free.get(each.seat, -1) and each.down > 500 * MS:
            rest = 220 if race.switches[each.seat - 1].opening else 40
            free[each.seat] = each.up + rest * MS
            kept.append(each)
    race.presses = kept


def _spikes(rng: random.Random, race: Race) -> None:
    """Induced pulses of 20 to 500 us: on idle lines, on held ones, or just before a press, whose first edge they are.

    Not where edges get lost: half a pulse is a press.
    """
    if rng.random() > 0.25 or race.loss:
        return
    for press in race.presses:
        if rng.random() < 0.06 and race.sources[race.source_of[press.seat - 1]].uncertainty < MS:
            press.spike = rng.randrange(600 * US, CONFIRM)
    for _ in range(rng.randint(1, 3)):
        seat = rng.randint(1, race.size)
        if race.sources[race.source_of[seat - 1]].uncertainty > 5 * MS or any(each[0] == seat for each in race.spikes):
            continue
        near = rng.choice(race.presses).down if race.presses else race.opens
        start = near + round(rng.gauss(0, 60) * MS)
        width = rng.randrange(20 * US, 500 * US)
        mine = [each for each in race.presses if each.seat == seat]
        if race.kind == "turn" and seat == race.next_seat and mine and rng.random() < 0.5:
            start = mine[-1].down + HOLD - rng.randrange(1, 8 * MS)  # while the hold fires
        long = 165 * MS if race.switches[seat - 1].opening else 14 * MS
        if start > 500 * MS and all(
            not each.begun - 7 * MS < start < each.down + 14 * MS and not each.up - 7 * MS < start < each.up + long
            for each in mine
        ):
            race.spikes.append((seat, start, width))
