"""The installed program in the guest: a hand of classic at a table of four, its faults, and its end.

The reader is an RDM6300 outside the guest (kernel.reader_outside): its frames come in at /dev/ttyS1, what lies on it is
told through /dev/ttyS2.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import gpiod
import pytest

from kernel.running_table import GLANCE, Guests, Hammering, RunningTable
from kernel.sim import SimChip

# The later of two slaps lies on the lower line: whoever reads lines in their order gets it wrong.
BUTTONS = {1: 17, 2: 4, 3: 22, 4: 27}
LAMPS = {1: 14, 2: 23, 3: 15, 4: 18}
# Seat 1 has claimed: it may correct itself, seat 2 is next, the others may slap.
WINDOW = {"seat_1": "pulsing", "seat_2": "pulsing", "seat_3": "steady", "seat_4": "steady"}
CARDS = {"0500207B32": "AS", "010063E9AE": "KD", "1F00644BB6": "AH"}
# A tap may last longer and stragglers have more time than at a real table: on a busy machine the emulated interrupt is
# late by 0.3 s and more.
TABLE = """
state = "{state}"
[buttons]
source = "{source}"
chip = "pinctrl-bcm2711"
[lamps]
factory = "{factory}"
[reader]
kind = "rdm6300"
port = "/dev/ttyS1"
[screen]
driver = "none"
[timing]
tie_ms = 0.2
hold_ms = 1500
straggler_ms = 1000
"""


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state directory with a deck of three enrolled cards."""
    (tmp_path / "decks").mkdir()
    cards = {tag: {"card": card} for tag, card in CARDS.items()}
    (tmp_path / "decks" / "red.json").write_text(json.dumps({"name": "red", "cards": cards}))
    return tmp_path


def config(state: Path, source: str = "gpio", factory: str = "lgpio") -> Path:
    """A table.toml of four seats."""
    path = state / "table.toml"
    seats = "".join(f"[seats.{seat}]\nbutton = {BUTTONS[seat]}\nlamp = {LAMPS[seat]}\n" for seat in BUTTONS)
    path.write_text(TABLE.format(state=state, source=source, factory=factory) + seats)
    return path


class Tray:
    """What lies on the reader outside."""

    def lay(self, tag: str) -> None:
        self._order(f"put {tag}\n")

    def lift(self) -> None:
        self._order("lift\n")

    def _order(self, line: str) -> None:
        port = os.open("/dev/ttyS2", os.O_WRONLY | os.O_NOCTTY)
        os.write(port, line.encode())
        os.close(port)


@pytest.fixture
def tray() -> Iterator[Tray]:
    tray = Tray()
    yield tray
    tray.lift()


def held(chip: SimChip) -> dict[int, str]:
    with gpiod.Chip(chip.path) as opened:
        infos = [opened.get_line_info(line) for line in (*BUTTONS.values(), *LAMPS.values())]
        return {info.offset: info.consumer for info in infos if info.used}


def test_a_hand_from_the_first_lamp_to_the_last(chip: SimChip, state: Path, tray: Tray) -> None:
    recording = Path(os.environ.get("VM_JOB_OUT", state)) / "evening.jsonl"
    with RunningTable(config(state), "--record", str(recording)) as table:
        guests = Guests(chip, BUTTONS, LAMPS)
        table.until("turn", seat=1, due="A")
        table.until_said(": ready:")
        guests.see(seat_1="pulsing")

        guests.tap(1)
        guests.tap(1)
        assert guests.hold(1, lambda: table.until("claim"))["count"] == 2
        guests.see(**WINDOW)

        guests.slap(4, 3, apart=300e-6)
        doubt = table.until("doubt")
        assert (doubt["seat"], doubt["of"], doubt["tie"]) == (4, 1, False)
        (first, _), (second, later) = doubt["race"]
        assert (first, second) == (4, 3)
        assert later >= 300_000
        guests.see(seat_1="pulsing", seat_4="fast")

        tray.lay("0500207B32")
        assert table.until("reveal")["card"] == "AS"
        tray.lift()
        tray.lay("010063E9AE")
        shown = table.until("reveal")
        assert (shown["card"], shown["ok"]) == ("KD", False)
        verdict = table.until("verdict")
        assert (verdict["of"], verdict["doubter"], verdict["true"], verdict["takes"]) == (1, 4, False, 1)
        tray.lift()
        guests.see(seat_2="pulsing")

        assert len(held(chip)) == 8
        assert table.stop() == 0
        assert guests.lit() == set()
        assert held(chip) == {}
    assert replayed_doubts(recording) == [doubt]


def replayed_doubts(recording: Path) -> list[dict[str, object]]:
    """What the recorded evening's doubts are when it is replayed."""
    program = Path(sys.executable).with_name("doubtable")
    done = subprocess.run([program, "replay", recording], stdout=subprocess.PIPE, check=True, text=True)
    events = [json.loads(line) for line in done.stdout.splitlines()]
    return [event for event in events if event["event"] == "doubt"]


def test_lost_edges_and_a_chip_that_goes_and_comes_back(state: Path) -> None:
    with SimChip() as first, RunningTable(config(state)) as table:
        guests = Guests(first, BUTTONS, LAMPS)
        table.until_said(": ready:")
        guests.tap(1)
        guests.hold(1, lambda: table.until("window", state="open"))

        table.freeze()  # a program that does not read for a while: the kernel keeps 1,024 edges
        for _ in range(750):
            first.press(BUTTONS[1])  # the claimant's: its own presses are no doubt
            first.release(BUTTONS[1])
        table.thaw()
        table.until("gap")
        assert table.until("press_again")["why"] == "gap"
        guests.see(**WINDOW)

        first.close()
        table.until("fault", device="gpio")
        table.until_said("lost (no such device)")
        table.until_said("lamps: lost")

        with SimChip() as second:
            guests = Guests(second, BUTTONS, LAMPS)
            table.until("fixed", device="gpio")
            guests.see(**WINDOW)
            guests.slap(3, apart=0)
            assert table.until("doubt")["seat"] == 3
            assert table.stop() == 0
            assert guests.lit() == set()
            assert held(second) == {}


def test_buttons_through_rpi_lgpio_are_declared_and_warned_of(chip: SimChip, state: Path) -> None:
    """The fallback for old boards: RPi.GPIO's interface, here rpi-lgpio's."""
    with RunningTable(config(state, "gpiozero", "rpigpio")) as table:
        guests = Guests(chip, BUTTONS, LAMPS)
        table.until_said("ties are wide")
        table.until_said(": ready:")
        guests.tap(1)
        guests.hold(1, lambda: table.until("window", state="open"))
        guests.slap(3, apart=0)
        doubt = table.until("doubt")
        assert doubt["seat"] == 3
        assert doubt["record"]["tie"] == 10_000_000  # as wide as this source is uncertain
        assert doubt["record"]["candidates"][0]["source"] == "gpiozero"
        assert table.stop() == 0
        assert guests.lit() == set()


def as_it_starts(table: RunningTable, chip: SimChip, beside: ExitStack) -> None:
    table.until_said("journal not on permanent storage")  # the devices are opened after it
    table.tell()


def by_somebody_in_a_hurry(table: RunningTable, chip: SimChip, beside: ExitStack) -> None:
    """At rest, so that no press wakes it: a signal that interrupts the end of a wait made it endless once."""
    table.until_said(": ready:")
    table.tell_until_it_hears()


def while_all_buttons_are_hammered_on(table: RunningTable, chip: SimChip, beside: ExitStack) -> None:
    table.until_said(": ready:")
    beside.callback(Hammering(chip, BUTTONS.values()).close)
    time.sleep(GLANCE * 10)
    table.tell()
    table.until_said("told to stop")
    table.tell()  # and again while it lets its devices go


@pytest.mark.parametrize(
    ("told", "source", "factory"),
    [
        (as_it_starts, "gpio", "lgpio"),
        (by_somebody_in_a_hurry, "gpiozero", "rpigpio"),
        (while_all_buttons_are_hammered_on, "gpiozero", "rpigpio"),
    ],
)
def test_a_table_that_is_told_to_end_at_a_bad_moment(
    told: Callable[[RunningTable, SimChip, ExitStack], None], source: str, factory: str, chip: SimChip, state: Path
) -> None:
    with ExitStack() as beside, RunningTable(config(state, source, factory)) as table:
        told(table, chip, beside)
        status, said = table.ended()
    assert "doubtable: told to stop" in said.splitlines()
    assert status in (0, -signal.SIGTERM)  # when all is closed, who tells it once more ends the interpreter itself
    assert Guests(chip, BUTTONS, LAMPS).lit() == set()
    assert held(chip) == {}


def start_and_fail(state: Path, **env: str) -> str:
    """Why a program cannot start: one line, exit status 1, nothing said of being ready.

    That the guest's disk keeps no journal is told before it: what is written there is lost.
    """
    with RunningTable(config(state), env=env) as table:
        status, said = table.ended()
    assert status == 1
    assert ": ready:" not in said
    *before, why = said.splitlines()
    assert all(line.startswith("doubtable: journal not on permanent storage: ") for line in before)
    return why


def test_a_chip_that_is_not_there(state: Path) -> None:
    with SimChip("pinctrl-rp1", 54) as other:
        assert start_and_fail(state) == (
            f'doubtable: GPIO chip "pinctrl-bcm2711": not there (found: {other.path} "pinctrl-rp1" (54 lines)); '
            "name one of these by its label, or by its path"
        )


def test_lines_that_another_table_holds(chip: SimChip, state: Path) -> None:
    with gpiod.request_lines(chip.path, {(4, 27): gpiod.LineSettings()}, consumer="doubtable"):
        assert start_and_fail(state) == (
            'doubtable: buttons on GPIO chip "pinctrl-bcm2711": held already: line 4 (seat 2) by "doubtable", '
            'line 27 (seat 4) by "doubtable"; end that program, switch off that bus, or use other lines'
        )


def test_the_older_generation_of_libgpiod(chip: SimChip, state: Path) -> None:
    """Debian 12's own python3-libgpiod, as it is when it goes before the right one."""
    older = Path(os.environ["OLDER_GPIOD"])
    modules = f"{older}/usr/lib/python3/dist-packages:{os.environ['PYTHONPATH']}"
    said = start_and_fail(state, PYTHONPATH=modules, LD_LIBRARY_PATH=f"{older}/usr/lib/x86_64-linux-gnu")
    assert "gpiod is 1.6.3, an older generation with another interface; install libgpiod 2 for Python" in said
