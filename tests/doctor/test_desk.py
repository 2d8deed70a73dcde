"""The desk of a running table: what it tells over its socket, and when nobody or somebody else is there."""

import itertools
import os
import socket
import stat
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from doubtable import desk, places, tape
from doubtable.config import Config, load
from doubtable.desk import Desk, DeskError, DeviceReport, Report
from doubtable.inputs import Device, Edge, Input, Levels, Serial, Source

REPORT = Report("0.1.0", 42, "/state", "/table.toml", "classic", (DeviceReport("reader", "is gone; plug it in"),))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "run" / places.SOCKET


@pytest.fixture
def running(path: Path) -> Iterator[Desk]:
    made = Desk(path)
    made.start(lambda: REPORT)
    yield made
    made.close()


def test_a_report_comes_back_as_it_was_given(running: Desk, path: Path) -> None:
    assert desk.ask_report(path) == REPORT
    assert desk.ask_report(path).device("reader") == REPORT.devices[0]
    assert desk.ask_report(path).device("lamps") is None


def test_what_devices_delivered_is_heard_once_in_order(running: Desk, path: Path) -> None:
    got: list[Input] = []
    deliver = running.listening(got.append)
    given: list[Input] = [
        Levels(5, {1: 0, 2: 1}),
        Edge(1_000_000_007, 3, 1, "gpio", 9, 100_000),
        Serial(12, b"\x02A\xff"),
        Device(13, "reader", False),
        Source(14, "gpio", False),
    ]
    for each in given:
        deliver(each)
    assert got == given, "everything goes on to the table"
    heard = desk.ask_heard(path, 0)
    assert list(heard.lines) == [tape.input_line(each) for each in given if not isinstance(each, Device)]
    assert (heard.next, heard.lost) == (4, 0)
    assert desk.ask_heard(path, heard.next).lines == ()
    deliver(given[0])
    assert desk.ask_heard(path, heard.next).lines == (tape.input_line(given[0]),)
    assert desk.ask_heard(path, 99).lines == ()


def test_what_was_not_kept_is_counted(running: Desk, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deliver = running.listening(lambda given: None)
    for ns in range(desk.KEPT + 10):
        deliver(Edge(ns, 1, ns % 2))
    heard = desk.ask_heard(path, 0)
    assert heard.lost == 10
    assert len(heard.lines) == desk.KEPT


@pytest.mark.parametrize(
    "request_",
    [b"", b"\n", b"what?\n", b"[1]\n", b'{"ask": "pin"}\n', b'{"ask": "heard", "since": "x"}\n', b"x" * 9000],
)
def test_nonsense_is_answered_and_the_next_one_is_served(running: Desk, path: Path, request_: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as guest:
        guest.connect(str(path))
        guest.sendall(request_)
        guest.shutdown(socket.SHUT_WR)
        assert b"error" in guest.makefile("rb").readline()
    assert desk.ask_report(path) == REPORT


def test_a_guest_who_says_nothing_does_not_hold_the_desk(
    running: Desk, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(desk, "REQUEST_WITHIN", 0.3)
    with socket.socket(socket.AF_UNIX) as guest:
        guest.connect(str(path))
        assert desk.ask_report(path) == REPORT


def test_a_guest_who_says_one_byte_after_the_other_does_not_hold_the_desk() -> None:
    ours, theirs = socket.socketpair()
    looks = itertools.count()

    def now() -> float:
        """A clock that goes on by a quarter of the time at every look, in which one more byte comes."""
        theirs.send(b"a")
        return next(looks) * desk.REQUEST_WITHIN / 4

    with ours, theirs:
        assert desk.read_line(ours, now).strip(b"a") == b""
        assert next(looks) == 5


def test_only_owner_and_group_may_ask(running: Desk, path: Path) -> None:
    assert stat.S_IMODE(path.stat().st_mode) == 0o660


def test_closing_takes_the_socket_away_and_ends_the_thread(path: Path) -> None:
    before = threading.active_count(), len(list(Path("/dev/fd").iterdir()))
    made = Desk(path)
    made.start(lambda: REPORT)
    made.start(lambda: REPORT)
    made.close()
    made.close()
    assert not path.exists()
    assert (threading.active_count(), len(list(Path("/dev/fd").iterdir()))) == before
    with pytest.raises(RuntimeError):
        made.start(lambda: REPORT)


def test_a_socket_that_a_killed_table_left_is_replaced(path: Path) -> None:
    path.parent.mkdir()
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))
    made = Desk(path)
    made.start(lambda: REPORT)
    assert desk.ask_report(path) == REPORT
    made.close()


def test_a_second_table_leaves_the_first_ones_desk_alone(
    running: Desk, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    second = Desk(path)
    second.start(lambda: REPORT)
    second.close()
    assert "another table runs here" in caplog.text
    assert desk.ask_report(path) == REPORT


def test_a_path_that_is_too_long_ends_no_table(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    made = Desk(tmp_path / ("x" * 100) / places.SOCKET)
    made.start(lambda: REPORT)
    made.close()
    assert "longer than 107 bytes" in caplog.text


def config(folder: Path, state: str) -> Config:
    path = folder / "table.toml"
    path.write_text(f'state = "{state}"\n')
    return load(path)


def test_find_takes_the_table_of_this_state_directory_only(running: Desk, path: Path, tmp_path: Path) -> None:
    environ = {"RUNTIME_DIRECTORY": str(path.parent)}
    assert desk.find(config(tmp_path, "/state"), environ) == path
    assert desk.find(config(tmp_path, "/other"), environ) is None
    assert desk.find(config(tmp_path, "/state"), {}) is None


def test_find_takes_the_table_of_this_table_toml(path: Path, tmp_path: Path) -> None:
    made, mine = Desk(path), config(tmp_path, "/other")
    made.start(lambda: Report("0.1.0", 42, "/state", str(mine.path)))
    assert desk.find(mine, {"RUNTIME_DIRECTORY": str(path.parent)}) == path
    made.close()


def test_a_folder_that_may_not_be_looked_into(tmp_path: Path, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mine, look = config(tmp_path, "/state"), Path.stat

    def forbidden(self: Path, **how: bool) -> os.stat_result:
        if self.name == places.SOCKET:
            raise PermissionError(13, "Permission denied")
        return look(self, **how)

    monkeypatch.setattr(Path, "stat", forbidden)
    assert desk.find(mine, {"RUNTIME_DIRECTORY": str(path.parent)}) == path


def test_nobody_there(path: Path, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        desk.ask_report(path)
    assert desk.find(config(tmp_path, "/state"), {"XDG_RUNTIME_DIR": str(path)}) is None


def test_a_table_of_another_version(path: Path) -> None:
    path.parent.mkdir()
    with socket.socket(socket.AF_UNIX) as strange:
        strange.bind(str(path))
        strange.listen()

        def answer() -> None:
            with strange.accept()[0] as guest:
                guest.recv(100)
                guest.sendall(b'{"hello": 1}\n')

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(DeskError, match="another version"):
            desk.ask_report(path)
        thread.join()


def test_where_the_socket_is() -> None:
    state = Path("/home/ann/.local/state/doubtable")
    service = {"RUNTIME_DIRECTORY": "/run/doubtable:/run/other", "XDG_RUNTIME_DIR": "/run/user/1"}
    assert places.runtime_directory(state, service) == Path("/run/doubtable")
    assert places.runtime_directory(state, {"XDG_RUNTIME_DIR": "/run/user/1"}) == Path("/run/user/1/doubtable")
    assert places.runtime_directory(state, {}) == state
    assert places.sockets(state, {}) == (state / "desk.sock", Path("/run/doubtable/desk.sock"))


def test_the_installed_table_has_the_services_state_directory() -> None:
    assert places.environment(places.INSTALLED, {"A": "b"}) == {"A": "b", "STATE_DIRECTORY": "/var/lib/doubtable"}
    assert places.environment(places.INSTALLED, {"STATE_DIRECTORY": "/x"}) == {"STATE_DIRECTORY": "/x"}
    assert places.environment(Path("table.toml"), {"A": "b"}) == {"A": "b"}


def test_which_table_toml(tmp_path: Path) -> None:
    installed = tmp_path / "etc.toml"
    here = tmp_path / "here"
    here.mkdir()
    assert places.table_file(None, here, installed) is None
    installed.write_text("")
    assert places.table_file(None, here, installed) == installed
    (here / "table.toml").write_text("")
    assert places.table_file(None, here, installed) == here / "table.toml"
    assert places.table_file(Path("x.toml"), here, installed) == Path("x.toml")


def test_a_folder_that_is_none_is_said_in_words(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "run").write_text("a file\n")
    made = Desk(tmp_path / "run" / places.SOCKET)
    made.start(lambda: REPORT)
    made.close()
    assert "doctor cannot ask this table: " in caplog.text
    assert "Errno" not in caplog.text
