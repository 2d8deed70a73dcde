"""The whole firmware on an emulated RP2040 with a real MicroPython, through USB serial, to the host's adapter.

One evening is played on one chip, because a boot takes its time; the tests look at what came of it. All times are
emulated. The emulator's CPU is no measure of the real one's speed: stamps and order are judged, not how fast the main
loop is, but for the one thing that must hold however slow it is: it never waits for the host.
"""

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from doubtable.devices import panel_protocol as protocol
from doubtable.devices import panel_session
from doubtable.devices.panel import PanelButtons, PanelLamps
from doubtable.devices.panel_session import State
from doubtable.inputs import Edge, Input, Levels, Source

from chip import PATIENCE, Change, Chip
from conftest import PANEL
from image import NoImageError, image
from pio_assembler import assemble

MS = 1_000_000
LINES = {seat: seat - 1 for seat in range(1, 14)}
SCRAMBLED = [9, 4, 13, 1, 8, 2, 12, 6, 3, 11, 5, 10, 7]
BOUNCES = 100


class Evening:
    """What was done to the chip, and what the adapter made of it."""

    def __init__(self, chip: Chip) -> None:
        self.chip = chip
        self.got: list[Input] = []
        self.buttons = PanelButtons(chip.port, LINES, self.got.append, mixed=True, clock=chip.now)
        self.plans: dict[str, list[Change]] = {}
        self.status: protocol.Status | None = None
        self.tail = b""

    @property
    def edges(self) -> list[Edge]:
        return [each for each in self.got if isinstance(each, Edge)]

    def until(self, done: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not done():
            assert not self.chip.broken, f"the emulator broke while waiting for {what}"
            assert time.monotonic() < end, f"{what} did not come; fault {self.buttons.fault}, last {self.got[-5:]}"
            self.buttons.step()

    def plan(self, name: str, changes: list[Change]) -> int:
        """The number of edges that there will be when these have come."""
        self.plans[name] = changes
        self.chip.plan(changes)
        return sum(len(plan) for plan in self.plans.values())

    def sleep(self, ms: int) -> None:
        """Emulated time passes and nothing is read."""
        end = self.chip.now() + ms * MS
        self.chip.wait_for(lambda: self.chip.now() >= end, f"the end of {ms} ms")

    def of(self, name: str) -> list[Edge]:
        """The edges that came of this plan."""
        first = 0
        for plan, changes in self.plans.items():
            if plan == name:
                return self.edges[first : first + len(changes)]
            first += len(changes)
        raise KeyError(name)

    def stamps(self, name: str) -> list[tuple[int, int, int]]:
        """(us since the plan's first edge, seat, level)."""
        edges = self.of(name)
        return [(round((edge.ns - edges[0].ns) / 1000), edge.seat, edge.level) for edge in edges]


def play(evening: Evening) -> None:
    chip, buttons = evening.chip, evening.buttons
    chip.wait_for(lambda: chip.sampling, "the program's start")
    buttons.open()
    evening.until(lambda: buttons.session.state is State.UP, "the panel's answer")

    start = chip.between_samples(chip.now() + 4 * MS)
    count = evening.plan("one by one", [(start + at * 1000, seat - 1, True) for at, seat in enumerate(SCRAMBLED)])
    evening.until(lambda: len(evening.edges) == count, "13 presses, 1 us apart")

    start = chip.between_samples(chip.now() + 4 * MS)
    count = evening.plan("all at once", [(start, line, False) for line in range(13)])
    evening.until(lambda: len(evening.edges) == count, "13 releases at once")

    start = chip.between_samples(chip.now() + 4 * MS)
    count = evening.plan("bounce", [(start + at * 7_000, 5, at % 2 == 0) for at in range(BOUNCES)])
    evening.until(lambda: len(evening.edges) == count, "100 edges of a bounce")

    lamps = PanelLamps(buttons, LINES)
    lamps.start()
    lamps.show({1: True, 7: True, 13: True})
    evening.until(lambda: chip.latched[-1][1] == 0x1041, "lamps")
    lamps.show({7: False})
    evening.until(lambda: chip.latched[-1][1] == 0x1001, "lamps")

    for length in (64, 128):
        levels = sum(isinstance(each, Levels) for each in evening.got)
        question = protocol.ask_levels(1)
        buttons.session._out += b"AT\r\n\x03\x03" + question + bytes(length - 6 - len(question))
        evening.until(
            lambda levels=levels: sum(isinstance(each, Levels) for each in evening.got) > levels,  # type: ignore[misc]
            f"an answer to {length} bytes",
        )

    chip.reading = False
    start = chip.now() + 50 * MS
    away = [(start + at * 350 * MS, line, True) for at, line in enumerate((2, 11, 0, 7, 5))]
    count = evening.plan("away", sorted(away + [(ns + 40 * MS, line, False) for ns, line, _ in away]))
    evening.sleep(2_000)
    chip.reading = True
    evening.until(lambda: len(evening.edges) == count, "the presses of the time away")

    buttons.session.ask_status()
    evening.until(lambda: buttons.session.status is not None, "the counters")
    evening.status = buttons.session.status
    buttons.session._out += protocol.stop()
    evening.until(lambda: not chip.sampling, "the end of the program")
    # MicroPython's prompt costs the emulator dear: no need to sit before it for the three seconds of an evening.
    panel_session.REVIVE = 200 * MS
    evening.until(lambda: chip.sampling, "its new start, without a hand")
    evening.until(lambda: buttons.session.state is State.UP, "the new program's answer")
    count = evening.plan("again", [(chip.now() + 4 * MS, 3, True)])
    evening.until(lambda: len(evening.edges) == count, "a press after the new start")


@pytest.fixture(scope="module")
def firmware(mpy_cross: str, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files as ``doubtable panel flash`` puts them there."""
    folder = tmp_path_factory.mktemp("mpy")
    files = {"main.py": (PANEL / "main.py").read_bytes()}
    for module in PANEL.glob("*.py"):
        if module.name != "main.py":
            compiled = folder / f"{module.stem}.mpy"
            subprocess.run([mpy_cross, "-o", str(compiled), str(module)], check=True)
            files[f"panel/{module.stem}.mpy"] = compiled.read_bytes()
    return files


@pytest.fixture(scope="module")
def uf2() -> Path:
    try:
        return image()
    except NoImageError as error:
        pytest.fail(str(error))


@pytest.fixture(scope="module")
def evening(uf2: Path, firmware: dict[str, bytes]) -> Evening:
    chip = Chip(uf2, firmware)
    evening = Evening(chip)
    patience = panel_session.REVIVE
    chip.start()
    try:
        play(evening)
    finally:
        panel_session.REVIVE = patience
        evening.buttons.close()
        chip.close()
    return evening


def test_levels_first(evening: Evening) -> None:
    first = evening.got[0]
    assert isinstance(first, Levels)
    assert first.levels == dict.fromkeys(LINES, 0)


def test_presses_one_microsecond_apart_keep_their_order_and_their_microsecond(evening: Evening) -> None:
    assert evening.stamps("one by one") == [(at, seat, 1) for at, seat in enumerate(SCRAMBLED)]


def test_all_at_once_have_one_stamp(evening: Evening) -> None:
    assert evening.stamps("all at once") == [(0, seat, 0) for seat in range(1, 14)]


def test_every_edge_of_a_bounce_is_there(evening: Evening) -> None:
    assert evening.stamps("bounce") == [(at * 7, 6, 1 - at % 2) for at in range(BOUNCES)]


def test_presses_while_the_host_was_away_have_their_own_stamps(evening: Evening) -> None:
    plan = evening.plans["away"]
    got = evening.stamps("away")
    assert [(seat - 1, bool(level)) for _, seat, level in got] == [(line, down) for _, line, down in plan]
    for (us, _, _), (ns, _, _) in zip(got, plan, strict=True):
        assert abs(us - (ns - plan[0][0]) // 1000) <= 2


@pytest.mark.parametrize("name", ["one by one", "all at once", "bounce", "away", "again"])
def test_stamps_are_right_within_what_they_declare(evening: Evening, name: str) -> None:
    for edge, (ns, _, _) in zip(evening.of(name), evening.plans[name], strict=True):
        # A stamp is that of the next sample; two drains and the slewing after the time away cost a little more.
        assert abs(edge.ns - ns) <= edge.uncertainty + 500_000


def test_no_edge_was_lost_or_invented(evening: Evening) -> None:
    assert [edge.seq for edge in evening.edges] == list(range(1, len(evening.edges) + 1))
    assert len(evening.edges) == sum(len(plan) for plan in evening.plans.values())
    assert evening.status is not None
    assert (evening.status.lost, evening.status.epochs, evening.status.overwritten, evening.status.stalls) == (
        0,
        0,
        0,
        0,
    )


def test_the_source_was_lost_only_while_the_host_was_away_and_when_the_program_had_ended(evening: Evening) -> None:
    assert [each.up for each in evening.got if isinstance(each, Source)] == [False, True] * 2


def test_a_program_that_has_ended_is_started_again(evening: Evening) -> None:
    back = max(at for at, each in enumerate(evening.got) if isinstance(each, Source))
    assert isinstance(evening.got[back + 1], Levels)
    (edge,) = evening.of("again")
    assert (edge.seat, edge.level) == (4, 1)


def test_the_main_loop_never_waited_for_the_host(evening: Evening) -> None:
    """MicroPython keeps a write that finds no room for 500 ms."""
    assert evening.status is not None
    assert evening.status.longest < 100_000


def test_lamps(evening: Evening) -> None:
    # Off at the start, as asked for, off at the end of the program, off and as before at its new start.
    assert [state for _, state in evening.chip.latched] == [0, 0x1041, 0x1001, 0, 0, 0x1001]


def test_the_program_is_as_tested_opcode_by_opcode(evening: Evening) -> None:
    program = assemble(PANEL / "sampler.py", "sample_pins")
    memory = list(evening.chip.pio.instructions)
    offset = 32 - len(program.opcodes)
    moved = [opcode + offset if opcode >> 13 == 0 else opcode for opcode in program.opcodes]
    assert memory[offset:] == moved
