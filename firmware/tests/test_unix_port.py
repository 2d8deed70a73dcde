"""The real main.py and the host's adapter, through a pty, in real time."""

import os
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import pytest
from doubtable.devices import panel_protocol as protocol
from doubtable.devices.panel import PanelLamps
from doubtable.devices.panel_session import State
from doubtable.inputs import Edge, Levels, Source

from host import Host
from unix_panel import UnixPanel, in_real_time

LINES = {seat: seat - 1 for seat in range(1, 14)}
START_ERROR = 1_000_000  # ns: how exactly the faked sampler knows when it began
CATCHES_UP = 5_000_000  # ns by which the clock may still be wrong when a host comes back to what it missed
KEEPS_UP = 40_000_000  # ns: two beats of the panel


@pytest.fixture(scope="module", autouse=True)
def _in_real_time() -> Iterator[None]:
    with in_real_time():
        yield


@pytest.fixture
def panel(micropython: str, tmp_path: Path) -> Iterator[UnixPanel]:
    with closing(UnixPanel(micropython, tmp_path)) as panel:
        yield panel


@pytest.fixture
def host(panel: UnixPanel) -> Iterator[Host]:
    """Not yet started."""
    with closing(Host(panel.port, LINES, mixed=True)) as host:
        yield host


def relative(edges: list[Edge]) -> list[tuple[int, int, int]]:
    """(us since the first edge, seat, level)."""
    return [(round((edge.ns - edges[0].ns) / 1000), edge.seat, edge.level) for edge in edges]


def test_levels_first_then_edges_with_the_panels_stamps(panel: UnixPanel, host: Host) -> None:
    host.buttons.start()
    begun = panel.play([(0, 0b100), (1, 0b101), (2, 0b111), (500_000, 0)])
    host.wait(lambda: len(host.edges) == 6)
    first = host.got[0]
    assert isinstance(first, Levels)
    assert first.levels == dict.fromkeys(LINES, 0)
    assert [(edge.seat, edge.level) for edge in host.edges] == [(3, 1), (1, 1), (2, 1), (1, 0), (2, 0), (3, 0)]
    assert [edge.seq for edge in host.edges] == [1, 2, 3, 4, 5, 6]
    assert relative(host.edges)[:3] == [(0, 3, 1), (1, 1, 1), (2, 2, 1)]
    edge = host.edges[0]
    assert abs(edge.ns - begun * 1000) <= edge.uncertainty + START_ERROR
    assert host.buttons.fault is None
    assert host.sources == []


def test_all_thirteen_in_one_sample(panel: UnixPanel, host: Host) -> None:
    host.buttons.start()
    panel.play([(0, 0x1FFF)])
    host.wait(lambda: len(host.edges) == 13)
    assert [edge.seat for edge in host.edges] == list(range(1, 14))
    assert len({edge.ns for edge in host.edges}) == 1


def test_stamps_stay_exact_over_rounds_of_the_counter(panel: UnixPanel, host: Host) -> None:
    """One press every 300 ms for longer than the 524 ms after which the sampler's counter wraps."""
    host.buttons.start()
    panel.play([(300_001 * at, at + 1 & 1) for at in range(9)])
    host.wait(lambda: len(host.edges) == 9)
    gaps = [later[0] - earlier[0] for earlier, later in pairwise(relative(host.edges))]
    # The refit bends the line by no more than 500 parts in a million.
    assert all(abs(gap - 300_001) <= 150 for gap in gaps), gaps


def test_levels_on_demand(panel: UnixPanel, host: Host) -> None:
    host.buttons.start()
    panel.play([(0, 0b10)])
    host.wait(lambda: len(host.edges) == 1)
    host.buttons.read_levels()
    host.wait(lambda: isinstance(host.got[-1], Levels))
    last = host.got[-1]
    assert isinstance(last, Levels)
    assert [seat for seat, level in last.levels.items() if level] == [2]
    assert last.ns > host.edges[0].ns


def test_drained_keeps_up_with_the_clock(host: Host) -> None:
    host.buttons.start()
    behind = []
    for _ in range(50):
        now = time.monotonic_ns()
        host.wait(lambda now=now: host.buttons.drained_to() > now)  # type: ignore[misc]
        behind.append(time.monotonic_ns() - host.buttons.drained_to())
    assert min(behind) > -host.buttons.uncertainty
    assert min(behind) < KEEPS_UP, behind  # a busy machine delays some of them, and not all


def test_lamps_switch_together_and_go_out_without_a_host(panel: UnixPanel, host: Host) -> None:
    host.buttons.start()
    lamps = PanelLamps(host.buttons, LINES)
    lamps.start()
    lamps.show({1: True, 9: True, 13: True})
    panel.until_lamps(0x1101)
    lamps.show({9: False})
    panel.until_lamps(0x1001)
    host.buttons.close()  # without a word to the lamps, as when the program dies
    panel.until_lamps(0)
    assert panel.lamps == [0, 0x1101, 0x1001, 0]


def test_a_host_that_does_not_read_for_20_s(panel: UnixPanel, host: Host) -> None:
    """It holds the port and reads nothing; five presses; then it reads."""
    presses = [at * 5_000_000 for at in range(5)]
    host.buttons.open()
    host.step_until(lambda: host.buttons.session.state is State.UP)
    begun = panel.play([change for at, us in enumerate(presses) for change in ((us, 1 << at), (us + 90_000, 0))])
    panel.until_played()
    host.step_until(lambda: len(host.edges) == 10)
    downs = [edge for edge in host.edges if edge.level]
    assert [edge.seat for edge in downs] == [1, 2, 3, 4, 5]
    for us, edge in zip(presses, downs, strict=True):
        assert abs(edge.ns - (begun + us) * 1000) <= edge.uncertainty + CATCHES_UP
    assert [edge.seq for edge in host.edges] == list(range(1, 11))
    assert host.sources in ([False, True], [])
    host.buttons.start()
    status = host.status()
    assert status.lost == 0
    assert status.epochs == 0  # how long the loop may be held up is asked of the emulated chip, whose time is its own


def test_on_overflow_the_oldest_go_and_are_counted(panel: UnixPanel, host: Host) -> None:
    chatter = [(2_000_000 + at * 1000, at + 1 & 1) for at in range(1499)] + [(5_000_000, 0)]
    host.buttons.open()
    host.step_until(lambda: host.buttons.session.state is State.UP)
    begun = panel.play(chatter)
    panel.until_played()
    host.step_until(lambda: len(host.edges) >= 1024)
    host.buttons.start()
    status = host.status()
    assert status.fullest == 1024
    assert status.lost >= 1500 - 1024
    assert host.buttons.session.lost == status.lost
    last = host.edges[-1]
    assert last.seq == 1500
    assert abs(last.ns - (begun + chatter[-1][0]) * 1000) <= last.uncertainty + CATCHES_UP
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
def test_rubbish_does_no_harm(panel: UnixPanel, host: Host, rubbish: bytes) -> None:
    panel.write(rubbish)
    host.buttons.start()
    panel.write(rubbish)
    panel.play([(0, 0b1)])
    host.wait(lambda: len(host.edges) == 1)
    assert panel.alive, panel.errors
    assert host.status().lost == 0
    assert host.sources == []


def test_messages_whose_bytes_are_control_characters(panel: UnixPanel, host: Host) -> None:
    """A ping is kind 03, and 03 is the interrupt character."""
    host.buttons.start()
    for token in (0x03, 0x0303, 0x04030201, 0x1A110D0A):
        panel.write(protocol.ping(token, 0x03030303))
    assert host.status().bad == 0
    assert panel.alive, panel.errors


def test_writes_of_multiples_of_64_bytes(panel: UnixPanel, host: Host) -> None:
    host.buttons.start()
    question = protocol.ask_levels(1)
    for length in (64, 128, 192, 256, 512):
        before = sum(isinstance(each, Levels) for each in host.got)
        panel.write(question + bytes(length - len(question)))
        host.wait(lambda before=before: sum(isinstance(each, Levels) for each in host.got) == before + 1)  # type: ignore[misc]


def test_a_panel_that_starts_anew(panel: UnixPanel, host: Host) -> None:
    press = [(0, 0b1), (100_000, 0)]
    host.buttons.start()
    panel.play(press)
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
    begun = panel.play(press)
    host.wait(lambda: len(host.edges) == 4)
    came_back = host.got.index(next(each for each in host.got if isinstance(each, Source) and each.up))
    assert isinstance(host.got[came_back + 1], Levels)
    edge = host.edges[2]
    assert abs(edge.ns - begun * 1000) <= edge.uncertainty + START_ERROR
    assert [edge.seq for edge in host.edges] == [1, 2, 3, 4]
    panel.until_lamps(0b1000)


def test_stop_ends_the_program_and_leaves_the_lamps_dark(panel: UnixPanel, host: Host) -> None:
    host.buttons.start()
    PanelLamps(host.buttons, LINES).show({1: True})
    panel.until_lamps(1)
    panel.write(protocol.stop())
    assert panel.ended() == 0
    assert panel.lamps[-1] == 0


def test_the_heap_of_a_pico_is_enough(panel: UnixPanel, host: Host) -> None:
    """On this port everything takes twice the memory, and the heap is that of a Pico."""
    host.buttons.start()
    panel.play([(at * 500, at + 1 & 1) for at in range(2000)])
    host.wait(lambda: host.edges[-1:] != [] and host.edges[-1].seq == 2000)
    assert panel.alive, panel.errors
    # A machine that stands still for half a second may cost some of them, and the panel counts those.
    assert host.status().lost == 2000 - len(host.edges)
    first, last = host.edges[0], host.edges[-1]
    assert (last.ns - first.ns) / 1000 == pytest.approx((2000 - (first.seq or 0)) * 500, abs=600)
