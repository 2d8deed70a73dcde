"""What systemd is told: a socket of our own plays its part."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from doubtable import service
from doubtable.service import File, Service

S = 1_000_000_000


class Manager:
    """systemd's end of the socket."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.setblocking(False)

    def heard(self) -> list[str]:
        told = []
        while True:
            try:
                told.append(self.socket.recv(4096).decode())
            except BlockingIOError:
                return told


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(str(tmp_path / "notify"))
    yield made
    made.socket.close()


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "8000000"}


def test_ready_with_a_status_of_one_line(manager: Manager, environ: dict[str, str]) -> None:
    made = Service(environ)
    made.ready("classic\nat 4 seats")
    made.stopping()
    made.close()
    assert manager.heard() == ["READY=1\nSTATUS=classic at 4 seats", "STOPPING=1"]


def test_the_watchdog_is_fed_four_times_in_its_interval(manager: Manager, environ: dict[str, str]) -> None:
    made = Service(environ)
    for ms in range(0, 8000, 100):
        made.alive(5 * S + ms * 1_000_000)
    made.close()
    assert manager.heard() == ["WATCHDOG=1"] * 4


def test_without_a_watchdog_it_is_not_fed(manager: Manager, environ: dict[str, str]) -> None:
    made = Service({"NOTIFY_SOCKET": environ["NOTIFY_SOCKET"]})
    made.alive(0)
    made.close()
    assert manager.heard() == []


def test_an_abstract_socket() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
        end.bind(f"\0doubtable-test-{os.getpid()}")
        made = Service({"NOTIFY_SOCKET": f"@doubtable-test-{os.getpid()}"})
        made.ready("x")
        assert end.recv(100) == b"READY=1\nSTATUS=x"
        made.close()


def test_nobody_listens(capsys: pytest.CaptureFixture[str]) -> None:
    made = Service({})
    made.ready("x")
    made.alive(0)
    made.close()
    made.close()
    assert capsys.readouterr().err == ""
    assert not service.runs({})


def test_a_socket_that_is_gone_is_told_once_and_ends_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = Service({"NOTIFY_SOCKET": str(tmp_path / "gone"), "WATCHDOG_USEC": "1000000"})
    made.ready("x")
    made.alive(0)
    made.close()
    assert capsys.readouterr().err.count("systemd was not told READY=1: No such file") == 1


def test_of_a_file_with_faults_the_rest_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text(
        'state = "/var/lib/doubtable"\n'
        "[screen]  # upstairs\nturn = 90\nlanguage = de\n"
        "[ panel ]\nport = '/dev/panel'\n"
        '[seats.1\nname = "Ann"\n'
        "[seats]\n2 = { name = 'Bob', button = 1 }\n3.name = 'Cy'\n"
        "[[what]]\n[options\n"
    )
    assert File(path).readable() == {
        "state": "/var/lib/doubtable",
        "screen.turn": 90,
        "panel.port": "/dev/panel",
        "panel.name": "Ann",  # its section's line is the fault
        "seats.2.name": "Bob",
        "seats.2.button": 1,
        "seats.3.name": "Cy",
    }


def test_of_a_file_that_is_gone_or_no_text_nothing_can_be_read(tmp_path: Path) -> None:
    assert File(tmp_path / "none").readable() == {}
    (tmp_path / "zeros").write_bytes(bytes(3000) + b"\xff\n[screen]\nturn = 90\n")
    assert File(tmp_path / "zeros").readable() == {"screen.turn": 90}
