"""The real main.py and the host's adapter, through a pty, in real time."""

import os
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from doubtable.devices import panel_protocol as protocol
from doubtable.devices.panel import PanelButtons, PanelLamps
from doubtable.devices.panel_session import State
from doubtable.inputs import Edge, Input, Levels, Source

from unix_panel import Change, UnixPanel, hurry

LINES = {seat: seat - 1 for seat in range(1, 14)}
START_ERROR = 1_000  # us: how exactly the faked sampler knows when its script began
AWAY = 20.0  # s

MakePanel = Callable[..., UnixPanel]


class Host:
    """The adapter and what it delivered."""

    def __init__(self, panel: UnixPanel) -> None:
        self.got: list[Input] = []
        self.buttons = PanelButtons(panel.port, LINES, self.got.append, mixed=True)

    @property
    def edges(self) -> list[Edge]:
        return [each for each in self.got if isinstance(each, Edge)]

    @property
    def sources(self) -> list[bool]:
        return [each.up for each in self.got if isinstance(each, Source)]

    def wait(self, until: Callable[[], bool], timeout: float = 8.0) -> None:
        end = time.monotonic() + timeout
        while not until():
            assert time.monotonic() < end, f"in vain for {timeout} s; fault {self.buttons.fault}, got {self.got[-9:]}"
            time.sleep(0.01)

    def step_until(self, until: Callable[[], bool], timeout: float = 8.0) -> None:
        """Without the adapter's thread: nothing is read but here."""
        end = time.monotonic() + timeout
        while not until():
            assert time.monotonic() < end, f"in vain for {timeout} s; fault {self.buttons.fault}"
            self.buttons.step()

    def status(self) -> protocol.Status:
        session = self.buttons.session
        with self.buttons.locked:
            session.status = None
            session.ask_status()
        self.wait(lambda: session.status is not None)
        assert session.status is not None
        return session.status


@pytest.fixture(scope="module", autouse=True)
def _in_real_time() -> Iterator[None]:
    hurry(0)
    yield
    hurry(0, 0)


@pytest.fixture
def make_panel(micropython: str, tmp_path: Path) -> Iterator[MakePanel]:
    panels = []

    def make(script: list[Change] | None = None) -> UnixPanel:
        panels.append(UnixPanel(micropython, tmp_path, script or []))
        return panels[-1]

    yield make
    for panel in panels:
        panel.close()


@pytest.fixture
def make_host() -> Iterator[Callable[[UnixPanel], Host]]:
    hosts = []

    def make(panel: UnixPanel) -> Host:
        hosts.append(Host(panel))
        return hosts[-1]

    yield make
    for host in hosts:
        host.buttons.close()


MakeHost = Callable[[UnixPanel], Host]


def relative(edges: list[Edge]) -> list[tuple[int, int, int]]:
    """(us since the first edge, seat, level)."""
    return [(round((edge.ns - edges[0].ns) / 1000), edge.seat, edge.level) for edge in edges]


def test_levels_first_then_edges_with_the_panels_stamps(make_panel: MakePanel, make_host: MakeHost) -> None:
    panel = make_panel([(800_000, 0b100), (800_001, 0b101), (800_002, 0b111), (1_300_000, 0)])
    host = make_host(panel)
    host.buttons.start()
    host.wait(lambda: len(host.edges) == 6)
    first = host.got[0]
    assert isinstance(first, Levels)
    assert first.levels == dict.fromkeys(LINES, 0)
    assert [(edge.seat, edge.level) for edge in host.edges] == [(3, 1), (1, 1), (2, 1), (1, 0), (2, 0), (3, 0)]
    assert [edge.seq for edge in host.edges] == [1, 2, 3, 4, 5, 6]
    assert relative(host.edges)[:3] == [(0, 3, 1), (1, 1, 1), (2, 2, 1)]
    true = (panel.begun + 800_000) * 1000
    edge = host.edges[0]
    assert abs(edge.ns - true) <= edge.uncertainty + START_ERROR * 1000
    assert host.buttons.fault is None
    assert host.sources == []


def test_all_thirteen_in_one_sample(make_panel: MakePanel, make_host: MakeHost) -> None:
    host = make_host(make_panel([(800_000, 0x1FFF)]))
    host.buttons.start()
    host.wait(lambda: len(host.edges) == 13)
    assert [edge.seat for edge in host.edges] == list(range(1, 14))
    assert len({edge.ns for edge in host.edges}) == 1


def test_stamps_stay_exact_over_rounds_of_the_counter(make_panel: MakePanel, make_host: MakeHost) -> None:
    """One press every 300 ms for longer than the 524 ms after which the sampler's counter wraps."""
    times = [700_000 + 300_000 * at + at for at in range(9)]
    host = make_host(make_panel([(us, at + 1 & 1) for at, us in enumerate(times)]))
    host.buttons.start()
    host.wait(lambda: len(host.edges) == 9)
    gaps = [later[0] - earlier[0] for earlier, later in pairwise(relative(host.edges))]
    # The refit bends the line by no more than 500 parts in a million.
    assert all(abs(gap - 300_001) <= 150 for gap in gaps), gaps


def test_levels_on_demand(make_panel: MakePanel, make_host: MakeHost) -> None:
    host = make_host(make_panel([(500_000, 0b10)]))
    host.buttons.start()
    host.wait(lambda: len(host.edges) == 1)
    host.buttons.read_levels()
    host.wait(lambda: isinstance(host.got[-1], Levels))
    last = host.got[-1]
    assert isinstance(last, Levels)
    assert [seat for seat, level in last.levels.items() if level] == [2]
    assert last.ns > host.edges[0].ns


def test_drained_keeps_up_with_the_clock(make_panel: MakePanel, make_host: MakeHost) -> None:
    host = make_host(make_panel())
    host.buttons.start()
    behind = []
    for _ in range(50):
        time.sleep(0.02)
        behind.append(time.monotonic_ns() - host.buttons.drained_to())
    assert sorted(behind)[25] < 40_000_000, behind
    assert min(behind) > 0


def test_lamps_switch_together_and_go_out_without_a_host(make_panel: MakePanel, make_host: MakeHost) -> None:
    panel = make_panel()
    host = make_host(panel)
    host.buttons.start()
    lamps = PanelLamps(host.buttons, LINES)
    lamps.start()
    lamps.show({1: True, 9: True, 13: True})
    host.wait(lambda: panel.lamps[-1:] == [0x1101])
    lamps.show({9: False})
    host.wait(lambda: panel.lamps[-1:] == [0x1001])
    host.buttons.close()  # without a word to the lamps, as when the program dies
    host.wait(lambda: panel.lamps[-1:] == [0])
    assert panel.lamps == [0, 0x1101, 0x1001, 0]


def test_a_host_that_does_not_read_for_20_s(make_panel: MakePanel, make_host: MakeHost) -> None:
    """It holds the port and reads nothing; five presses; then it reads."""
    presses = [2_000_000 + at * 3_000_000 for at in range(5)]
    script = [change for at, us in enumerate(presses) for change in ((us, 1 << at), (us + 90_000, 0))]
    panel = make_panel(script)
    host = make_host(panel)
    host.buttons.open()
    host.step_until(lambda: host.buttons.session.state is State.UP)
    time.sleep(AWAY)  # the host is away in real time, as the program under test is a process of its own
    host.step_until(lambda: len(host.edges) == 10)
    downs = [edge for edge in host.edges if edge.level]
    assert [edge.seat for edge in downs] == [1, 2, 3, 4, 5]
    for us, edge in zip(presses, downs, strict=True):
        assert abs(edge.ns - (panel.begun + us) * 1000) < 5_000_000
    assert [edge.seq for edge in host.edges] == list(range(1, 11))
    assert host.sources in ([False, True], [])
    host.buttons.start()
    status = host.status()
    assert status.lost == 0
    assert status.epochs == 0  # how long the loop may be held up is asked of the emulated chip, whose time is its own


def test_on_overflow_the_oldest_go_and_are_counted(make_panel: MakePanel, make_host: MakeHost) -> None:
    chatter = [(2_000_000 + at * 1000, at + 1 & 1) for at in range(1500)]
    panel = make_panel(chatter)
    host = make_host(panel)
    host.buttons.open()
    host.step_until(lambda: host.buttons.session.state is State.UP)
    time.sleep(5.0)  # real time: as above
    host.step_until(lambda: len(host.edges) >= 1024)
    host.buttons.start()
    status = host.status()
    assert status.fullest == 1024
    assert status.lost >= 1500 - 1024
    assert host.buttons.session.lost == status.lost
    last = host.edges[-1]
    assert last.seq == 1500
    assert abs(last.ns - (panel.begun + chatter[-1][0]) * 1000) < 5_000_000
    numbers = [edge.seq for edge in host.edges]
    assert numbers == sorted(set(numbers))
    assert 1500 - len(numbers) == status.lost


@pytest.mark.parametrize(
    "rubbish",
    [
        b"\x03\x03\x03",
        b"AT\r\n",
        b"ATE0 Q0 S0=0\r\n",
        bytes(range(1, 256)),
        b"\x00" * 500,
        b"\xff" * 3000,
        os.urandom(64),
    ],
    ids=["interrupt", "modem probe", "modem reset", "every byte", "delimiters", "long", "chance"],
)
def test_rubbish_does_no_harm(make_panel: MakePanel, make_host: MakeHost, rubbish: bytes) -> None:
    panel = make_panel([(1_000_000, 0b1)])
    panel.write(rubbish)
    host = make_host(panel)
    host.buttons.start()
    panel.write(rubbish)
    host.wait(lambda: len(host.edges) == 1)
    assert panel.alive, panel.errors
    assert host.status().lost == 0
    assert host.sources == []


def test_messages_whose_bytes_are_control_characters(make_panel: MakePanel, make_host: MakeHost) -> None:
    """A ping is kind 03, and 03 is the interrupt character."""
    panel = make_panel()
    host = make_host(panel)
    host.buttons.start()
    for token in (0x03, 0x0303, 0x04030201, 0x1A110D0A):
        panel.write(protocol.ping(token, 0x03030303))
    assert host.status().bad == 0
    assert panel.alive, panel.errors


def test_writes_of_multiples_of_64_bytes(make_panel: MakePanel, make_host: MakeHost) -> None:
    panel = make_panel()
    host = make_host(panel)
    host.buttons.start()
    question = protocol.ask_levels(1)
    for length in (64, 128, 192, 256, 512):
        before = sum(isinstance(each, Levels) for each in host.got)
        panel.write(question + bytes(length - len(question)))
        host.wait(lambda before=before: sum(isinstance(each, Levels) for each in host.got) == before + 1)  # type: ignore[misc]


def test_a_panel_that_starts_anew(make_panel: MakePanel, make_host: MakeHost) -> None:
    panel = make_panel([(700_000, 0b1), (800_000, 0)])
    host = make_host(panel)
    host.buttons.start()
    lamps = PanelLamps(host.buttons, LINES)
    lamps.start()
    lamps.show({4: True})
    host.wait(lambda: len(host.edges) == 2)
    session = host.buttons.session.hello
    panel.stop()
    host.wait(lambda: host.sources == [False])
    assert host.buttons.fault is not None
    assert "fell silent" in str(host.buttons.fault)
    panel.start()
    host.wait(lambda: host.sources == [False, True])
    assert host.buttons.session.hello != session
    host.wait(lambda: len(host.edges) == 4)
    came_back = host.got.index(next(each for each in host.got if isinstance(each, Source) and each.up))
    assert isinstance(host.got[came_back + 1], Levels)
    true = (panel.begun + 700_000) * 1000
    assert abs(host.edges[2].ns - true) < 5_000_000
    assert [edge.seq for edge in host.edges] == [1, 2, 3, 4]
    host.wait(lambda: panel.lamps[-1:] == [0b1000])


def test_stop_ends_the_program_and_leaves_the_lamps_dark(make_panel: MakePanel, make_host: MakeHost) -> None:
    panel = make_panel()
    host = make_host(panel)
    host.buttons.start()
    PanelLamps(host.buttons, LINES).show({1: True})
    host.wait(lambda: panel.lamps[-1:] == [1])
    panel.write(protocol.stop())
    assert panel.wait(5.0) == 0
    assert panel.lamps[-1] == 0


def test_the_heap_of_a_pico_is_enough(make_panel: MakePanel, make_host: MakeHost) -> None:
    """On this port everything takes twice the memory, and the heap is that of a Pico."""
    panel = make_panel([(700_000 + at * 500, at + 1 & 1) for at in range(2000)])
    host = make_host(panel)
    host.buttons.start()
    host.wait(lambda: len(host.edges) == 2000)
    assert panel.alive, panel.errors
    assert host.status().lost == 0
    assert relative(host.edges)[-1][0] == pytest.approx(1999 * 500, abs=600)
