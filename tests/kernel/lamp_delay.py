"""From the touch of a button to the lamp that answers: ``python -m kernel.lamp_delay WAY COUNT SEED``.

``table`` is ours, wired as `doubtable play` does it but for screen, reader and journal: thirteen seats; a slap darkens
the lamps of ten others, and the last of them counts. ``when_pressed`` is what one writes with gpiozero: a button whose
``when_pressed`` switches one LED on. Contacts do not bounce here: a table waits ``confirm`` from the last bounce on,
gpiozero not at all. That time is a setting and no delay, so it is left out. Counted is from just before the contact
closes, which is 5 us before the kernel's stamp on either way: just after it our thread has run already, and gpiozero's
has not. The result is one JSON object.
"""

import json
import random
import statistics
import sys
import time
from collections.abc import Mapping
from contextlib import closing, nullcontext
from typing import NamedTuple, Protocol

from gpiozero import LED, Button
from gpiozero.pins.lgpio import LGPIOFactory

from doubtable.app import App
from doubtable.button_sources import ButtonSources
from doubtable.devices.gpio import GpioButtons
from doubtable.devices.lamps import GpioLamps
from doubtable.devices.pins import Pins
from doubtable.devices.ports import monotonic_clock
from doubtable.events import Event
from doubtable.games import game_type
from doubtable.inputs import Do, Edge, Input
from doubtable.promptness import promptly
from doubtable.table import Table
from doubtable.timing import Timing
from doubtable.wiring import Lamps
from kernel.hands import MS, US, Move
from kernel.races import PATIENCE, SEATS, hands_on, rest
from kernel.sim import BUTTONS, LAMPS, PI4, SimChip

HELD = 120 * MS
UNCOUNTED = 1  # press: what it runs first is read from the host's files, and virtual time leaps meanwhile
ANSWERS = 5  # so many lamps at once go out by a slap, and by nothing else


class Way(Protocol):
    """One way from a button to a lamp."""

    waits: int  # ns that it waits on purpose

    def ready(self, claimant: int) -> None:
        """Get ready for the next press."""

    def lit(self) -> int:
        """When (ns) the lamp that answers had been written."""

    def close(self) -> None:
        """Let the lines go."""


class SeenLamps(GpioLamps):
    """The table's lamps, which note when a slap has darkened the last of them."""

    def __init__(self) -> None:
        super().__init__(LAMPS, Pins("lgpio", labels=[PI4]))
        self.darkened = 0
        self._on = 0

    def show(self, states: Mapping[int, bool]) -> None:
        super().show(states)
        on = sum(states.values())
        if on <= self._on - ANSWERS and not self.darkened:
            self.darkened = time.monotonic_ns()
        self._on = on


class TableWay:
    """A table of thirteen with lamps: each press is a doubt of a claim of one card."""

    def __init__(self) -> None:
        timing = Timing(tie=0, window_limit=PATIENCE)
        self.waits = timing.confirm
        rules = game_type("classic")(tuple(SEATS), len(SEATS), {}, timing)
        table = Table(rules, tuple(f"Seat {seat}" for seat in SEATS), len(SEATS))
        self._down: set[int] = set()
        self._events: list[Event] = []
        self._claimant = 0
        self._lamps = SeenLamps()
        lamps = Lamps((self._lamps,))
        buttons = ButtonSources((GpioButtons(BUTTONS, self._deliver, labels=[PI4]),), self._deliver)
        self._app = App(table, buttons, lamps, clock=monotonic_clock, heard=self._hear)
        lamps.start()
        buttons.start()

    def _deliver(self, put: Input) -> None:
        if isinstance(put, Edge):
            (self._down.add if put.level else self._down.discard)(put.seat)
        self._app.deliver(put)

    def _hear(self, events: list[Event], ns: int) -> None:
        self._events += events

    def ready(self, claimant: int) -> None:
        self._claimant = claimant
        rest(self._app, self._down)
        self._app.deliver(Do(monotonic_clock(), claimant, "claim", count=1))
        self._until("window")
        self._app.step()
        self._lamps.darkened = 0

    def lit(self) -> int:
        self._until("doubt")
        lit = self._lamps.darkened
        self._app.deliver(Do(monotonic_clock(), self._claimant, "give_in"))
        self._until("verdict")
        return lit

    def close(self) -> None:
        self._app.close()

    def _until(self, name: str) -> None:
        end = monotonic_clock() + PATIENCE
        while monotonic_clock() < end:
            if any(each.name == name for each in self._events):
                self._events.clear()
                return
            self._app.step(self._app.wait_time(20 * MS))
        raise TimeoutError(f"no {name} came; the last events: {self._events[-5:]}")


class CallbackWay:
    """``button.when_pressed`` switches an LED on."""

    waits = 0

    def __init__(self, chip: SimChip) -> None:
        self._factory = LGPIOFactory(chip=int(chip.path.removeprefix("/dev/gpiochip")))
        self._buttons = {seat: Button(line, pin_factory=self._factory) for seat, line in BUTTONS.items()}
        self._leds = {seat: LED(line, pin_factory=self._factory) for seat, line in LAMPS.items()}
        self._lit = 0
        for seat, button in self._buttons.items():
            button.when_pressed = lambda seat=seat: self._answer(seat)

    def _answer(self, seat: int) -> None:
        self._leds[seat].on()
        self._lit = time.monotonic_ns()

    def ready(self, claimant: int) -> None:
        time.sleep(0.1)  # what was let go before has come
        for led in self._leds.values():
            led.off()
        self._lit = 0

    def lit(self) -> int:
        end = monotonic_clock() + PATIENCE
        while not self._lit and monotonic_clock() < end:
            time.sleep(0.02)
        return self._lit

    def close(self) -> None:
        for button in self._buttons.values():
            button.pin.when_changed = None  # a pin that is only closed calls on
            button.close()
        for led in self._leds.values():
            led.close()
        self._factory.close()


class Delays(NamedTuple):
    """From just before the touch to just after the lamp was written, in us."""

    presses: int
    median_us: float
    p99_us: float
    most_us: float


def run(way: Way, chip: SimChip, count: int, seed: int) -> Delays:
    rng = random.Random(seed)
    delays = []
    with hands_on(chip) as play:
        for number in range(UNCOUNTED + count):
            claimant = SEATS[number % len(SEATS)]
            next_seat = SEATS[(number + 1) % len(SEATS)]  # its lamp pulses: there a slap is no doubt
            seat = rng.choice([seat for seat in SEATS if seat not in (claimant, next_seat)])
            way.ready(claimant)
            told = play([Move(rng.randrange(5 * MS), seat, 1), Move(HELD, seat, 0)])
            lit = way.lit()
            delays.append(lit - told()[seat].before - way.waits)
    del delays[:UNCOUNTED]
    hundredths = statistics.quantiles(delays, n=100, method="inclusive")
    return Delays(count, *(round(ns / US, 1) for ns in (statistics.median(delays), hundredths[98], max(delays))))


def main() -> None:
    name, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    ours = name == "table"
    with (
        SimChip() as chip,
        promptly() if ours else nullcontext(),
        closing(TableWay() if ours else CallbackWay(chip)) as way,
    ):
        delays = run(way, chip, count, seed)
    sys.stdout.write(json.dumps(delays._asdict()) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
