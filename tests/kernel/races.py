"""Who doubted first? ``python -m kernel.races WAY COUNT SEED BOUNCES HOLD_MS STRAGGLER_MS``: one way decides each.

``table`` is ours: the app with its core and the button source gpio. ``when_pressed`` is what one writes with gpiozero:
who calls back first was first; ``bounce_time`` is that with gpiozero's debounce. The result is one JSON object.
"""

import itertools
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager, nullcontext
from typing import NamedTuple, Protocol

from gpiozero import Button
from gpiozero.pins.lgpio import LGPIOFactory

from doubtable.app import App
from doubtable.devices.gpio import GpioButtons
from doubtable.devices.ports import monotonic_clock
from doubtable.devices.simulated import SimulatedLamps
from doubtable.events import Event
from doubtable.games import game_type
from doubtable.inputs import Do, Edge, Input
from doubtable.promptness import promptly
from doubtable.table import Table
from doubtable.timing import Timing
from kernel.hands import MS, US, Move, Touch, make_race
from kernel.sim import BUTTONS, PI4, SimChip

SEATS = sorted(BUTTONS)
UNCERTAINTY = 100 * US  # of the source gpio, and with tie_ms = 0 the width of a tie
REST = 20 * MS  # all buttons have been up for so long
PATIENCE = (600_000 if os.environ.get("VM_ICOUNT") else 60_000) * MS  # virtual time leaps while a guest waits for files


class Seen(NamedTuple):
    """A press as a way has it: its stamp, who, and the ns at which the program knew."""

    ns: int
    seat: int
    arrived: int


def rest(app: App, down: Collection[int]) -> None:
    """Let ``app`` run until all buttons have been up for REST: one that is down when a window opens would not count."""
    since = monotonic_clock()
    while monotonic_clock() - since < REST:
        app.step(app.wait_time(REST))
        since = monotonic_clock() if down else since


class Way(Protocol):
    """One way to find out who was first."""

    seen: list[Seen]

    def ready(self, claimant: int) -> None:
        """Get ready for the next race."""

    def decide(self) -> int | None:
        """The doubter of the race that is being played; None for "press again"."""

    def close(self) -> None:
        """Let the lines go."""


class TableWay:
    """A table of thirteen with everything but lamps and people: each race is a doubt of a claim of one card."""

    def __init__(self, straggler: int) -> None:
        self.seen: list[Seen] = []
        self._down: set[int] = set()  # seats whose last edge was a press
        self._events: list[Event] = []
        timing = Timing(tie=0, straggler=straggler, window_limit=PATIENCE)
        rules = game_type("classic")(tuple(SEATS), len(SEATS), {}, timing)
        table = Table(rules, tuple(f"Seat {seat}" for seat in SEATS), len(SEATS))
        self.buttons = GpioButtons(BUTTONS, self._deliver, labels=[PI4])
        lamps = SimulatedLamps(SEATS)
        self.app = App(table, self.buttons, lamps, clock=monotonic_clock, heard=self._hear)
        lamps.start()
        self.buttons.start()
        self._claimant = 0

    def _deliver(self, put: Input) -> None:
        if isinstance(put, Edge) and put.level:
            self.seen.append(Seen(put.ns, put.seat, time.monotonic_ns()))
            self._down.add(put.seat)
        elif isinstance(put, Edge):
            self._down.discard(put.seat)
        self.app.deliver(put)

    def _hear(self, events: list[Event], ns: int) -> None:
        self._events += events

    def ready(self, claimant: int) -> None:
        self._claimant = claimant
        rest(self.app, self._down)
        self._act("claim", "window", state="open")

    def decide(self) -> int | None:
        event = self._wait("doubt", "press_again")
        if event.name == "press_again":
            return None
        self._act("give_in", "verdict")
        return int(event.facts["seat"])

    def close(self) -> None:
        self.app.close()

    def _act(self, act: str, *until: str, **facts: object) -> None:
        self._events.clear()
        count = 1 if act == "claim" else None
        self.app.deliver(Do(monotonic_clock(), self._claimant, act, count=count))
        self._wait(*until, **facts)

    def _wait(self, *names: str, **facts: object) -> Event:
        end = monotonic_clock() + PATIENCE
        while monotonic_clock() < end:
            for place, event in enumerate(self._events):
                if event.name in names and facts.items() <= event.facts.items():
                    del self._events[: place + 1]
                    return event
            self.app.step(self.app.wait_time(20 * MS))
        raise TimeoutError(f"none of {names} came; the last events: {self._events[-5:]}")


class CallbackWay:
    """Who calls back first was first."""

    def __init__(self, chip: SimChip, bounce_time: float | None) -> None:
        self.seen: list[Seen] = []
        self._factory = LGPIOFactory(chip=int(chip.path.removeprefix("/dev/gpiochip")))
        lines = BUTTONS.values()
        self._buttons = [Button(line, bounce_time=bounce_time, pin_factory=self._factory) for line in lines]
        for seat, button in zip(BUTTONS, self._buttons, strict=True):
            button.when_pressed = self._pressed_by(seat)
        self._from = 0

    def _pressed_by(self, seat: int) -> Callable[[], None]:
        def pressed() -> None:
            now = time.monotonic_ns()
            self.seen.append(Seen(now, seat, now))

        return pressed

    def ready(self, claimant: int) -> None:
        time.sleep(0.1)  # what bounced before has come
        self._from = len(self.seen)

    def decide(self) -> int | None:
        end = monotonic_clock() + PATIENCE
        while monotonic_clock() < end:
            if len(self.seen) > self._from:
                return self.seen[self._from].seat
            time.sleep(0.02)
        return None

    def close(self) -> None:
        for button in self._buttons:
            button.pin.when_changed = None  # a pin that is only closed calls on
            button.close()
        self._factory.close()


WAYS: dict[str, Callable[[SimChip, int], Way]] = {
    "table": lambda chip, straggler: TableWay(straggler),
    "when_pressed": lambda chip, straggler: CallbackWay(chip, None),
    "bounce_time": lambda chip, straggler: CallbackWay(chip, 0.02),
}


class Result(NamedTuple):
    """What a way made of the races. Delays are from the contact to the program."""

    races: int
    wrong_doubter: int
    beyond_straggler: int  # would-be wrong ones in which an edge came later than the table waits for it
    press_again: int
    presses: int
    presses_missing: int
    read_out_of_order: int
    delay_median_us: float
    delay_p99_us: float
    delay_most_us: float
    stamp_late_most_us: float
    closest_us: float


def right_answers(truth: dict[int, Touch], claimant: int) -> set[int]:
    """Who may be named: by the rule, for some true times between those that the hand noted.

    The first press, or of all that are a tie with it the one nearest the claimant's left.
    """
    first = min(truth.values())
    surely = [seat for seat, touch in truth.items() if touch == first or touch.after - first.before <= UNCERTAINTY]
    perhaps = [
        seat for seat, touch in truth.items() if seat not in surely and touch.before - first.after <= UNCERTAINTY
    ]
    ties = [surely + list(more) for size in range(len(perhaps) + 1) for more in itertools.combinations(perhaps, size)]
    return {min(tie, key=lambda seat: (seat - claimant) % len(SEATS)) for tie in ties}


@contextmanager
def hands_on(chip: SimChip) -> Iterator[Callable[[list[Move]], Callable[[], dict[int, Touch]]]]:
    """Hands in a process of their own: give them a race, later ask for the truth."""
    command = [sys.executable, "-m", "kernel.hands", str(chip.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        into, out = process.stdin, process.stdout
        assert out.readline() == "ready\n"

        def play(race: list[Move]) -> Callable[[], dict[int, Touch]]:
            into.write(json.dumps(race) + "\n")
            into.flush()
            return lambda: {int(seat): Touch(*touch) for seat, touch in json.loads(out.readline()).items()}

        yield play
        into.close()


class Race(NamedTuple):
    """One race that was played: whose claim, when each contact closed, who was named (None: press again)."""

    claimant: int
    truth: dict[int, Touch]
    doubter: int | None

    @property
    def start(self) -> int:
        return min(self.truth.values()).before


def run(way: Way, chip: SimChip, count: int, seed: int, bounces: int, hold: int) -> list[Race]:
    rng = random.Random(seed)
    races: list[Race] = []
    with hands_on(chip) as play:
        for number in range(count):
            claimant = SEATS[number % len(SEATS)]
            next_seat = SEATS[(number + 1) % len(SEATS)]  # its lamp pulses: there a slap is no doubt
            moves = make_race(rng, [seat for seat in SEATS if seat not in (claimant, next_seat)], bounces, hold)
            way.ready(claimant)
            told = play(moves)
            doubter = way.decide()
            races.append(Race(claimant, told(), doubter))
    time.sleep(0.5)  # what is still on its way
    return races


def lateness(ns: int, touch: Touch) -> int:
    """How late the stamp ``ns`` is for sure: a hand that was kept waiting knows only when it had closed the contact."""
    return ns - touch.before if touch.after - touch.before <= UNCERTAINTY else max(0, ns - touch.after)


def judge(races: list[Race], all_seen: list[Seen], straggler: int) -> Result:
    """Every race by itself: what was seen from its start to the next one's."""
    wrong = beyond = 0
    delays: list[int] = []
    late: list[int] = []
    starts = [race.start for race in races]
    for race, start, end in zip(races, starts, [*starts[1:], starts[-1] + PATIENCE], strict=True):
        seen = [press for press in all_seen if start <= press.arrived < end]
        if race.doubter is not None and race.doubter not in right_answers(race.truth, race.claimant):
            came_late = any(press.arrived - press.ns > straggler for press in seen)
            beyond, wrong = beyond + came_late, wrong + (not came_late)
            sys.stderr.write(f"wrong: {race}, seen {seen}\n")
        first: dict[int, Seen] = {}
        for press in sorted(seen):
            first.setdefault(press.seat, press)
        delays += [first[seat].arrived - touch.before for seat, touch in race.truth.items() if seat in first]
        late += [lateness(first[seat].ns, touch) for seat, touch in race.truth.items() if seat in first]
    touches = [sorted(race.truth.values()) for race in races]
    gaps = [later.before - sooner.before for race in touches for sooner, later in itertools.pairwise(race)]
    hundredths = statistics.quantiles(delays, n=100)
    presses = sum(map(len, touches))
    return Result(
        len(races),
        wrong,
        beyond,
        sum(race.doubter is None for race in races),
        presses,
        presses - len(delays),
        sum(later.ns < sooner.ns for sooner, later in itertools.pairwise(all_seen)),
        *(round(ns / US, 1) for ns in (statistics.median(delays), hundredths[98], max(delays), max(late), min(gaps))),
    )


def main() -> None:
    name, (count, seed, bounces, hold_ms, straggler_ms) = sys.argv[1], map(int, sys.argv[2:])
    with SimChip() as chip:
        prompt = promptly() if name == "table" else nullcontext()  # as doubtable play does
        with prompt, closing(WAYS[name](chip, straggler_ms * MS)) as way:
            races = run(way, chip, count, seed, bounces, hold_ms * MS)
        result = judge(races, way.seen, straggler_ms * MS)
        sys.stdout.write(json.dumps(result._asdict()) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
