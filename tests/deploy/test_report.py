"""One archive for whoever is asked for help, without a name in it."""

import argparse
import socket
import tarfile
from pathlib import Path

import pytest

from doubtable import report_cli
from doubtable.doctor.machine import Machine, Said
from doubtable.journal import Journal
from doubtable.report_cli import journal_of, run, strike
from doubtable.user_error import UserError

TABLE = """state = "{state}"
[attendant]
pin = "2580"
[seats.1]
name = "Grace"
[seats.2]
name = "Ann"
"""


class LoggedMachine(Machine):
    """The machine that the test runs on, with a log of its own."""

    def run(self, program: str, *arguments: str) -> Said | None:
        if program != "journalctl":
            return None
        return Said(0, f"doubtable: GRACE sat down at {socket.gethostname()}; announcement")


def made(tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    (tmp_path / "table.toml").write_text(table)
    out = tmp_path / "report.tar.gz"
    args = argparse.Namespace(config=tmp_path / "table.toml", journal=None, out=out)
    assert run(args, LoggedMachine(), lambda: 1_800_000_000.0) == 0
    assert str(out) in capsys.readouterr().out
    assert out.stat().st_mode & 0o077 == 0
    with tarfile.open(out) as archive:
        found = {}
        for member in archive.getmembers():
            file = archive.extractfile(member)
            assert file is not None
            found[member.name.removeprefix("doubtable-report/")] = file.read().decode()
    return found


def test_everything_is_there_and_no_name_and_no_pin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = made(tmp_path, TABLE.format(state=tmp_path), capsys)
    assert set(parts) == {"about.txt", "doctor.json", "doctor.txt", "log.txt", "races.txt", "settings.txt"}
    for file, text in parts.items():
        for secret in ("grace", "Ann,", '"Ann"', "2580", socket.gethostname()):
            assert secret.lower() not in text.lower(), (file, secret)
    assert parts["log.txt"].startswith("doubtable: (name) sat down at (name); announcement")
    assert "there is no journal" in parts["races.txt"]
    assert "preset" in parts["settings.txt"]
    assert "table" in parts["doctor.txt"]


def test_a_table_toml_that_is_wrong_is_reported_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = made(tmp_path, "[seets.1]\n", capsys)
    assert "seets: unknown key" in parts["settings.txt"]
    assert "log.txt" in parts


def test_names_in_a_table_toml_that_is_wrong_and_in_its_journal_are_struck_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = Journal(tmp_path / "journal.db")
    journal.database.execute("INSERT INTO names (person, name) VALUES ('p1', 'Table')")
    journal.close()
    table = f'state = "{tmp_path}"\n[attendant]\npin = "25x80"\n[seets.1]\nname = "Grace"\n'
    parts = made(tmp_path, table, capsys)
    for file, text in parts.items():
        assert "grace" not in text.lower(), file
        assert "25x80" not in text, file
    assert "seets: unknown key" in parts["settings.txt"]
    assert "(name).toml" in parts["settings.txt"]  # the journal's name is known too
    assert "there is no journal" not in parts["races.txt"]


def test_the_journal_of_an_unreadable_table_toml() -> None:
    assert journal_of({}) == Path("/var/lib/doubtable/journal.db")
    assert journal_of({"state": "/data"}) == Path("/data/journal.db")
    assert journal_of({"state": "/data", "journal.path": "/games.db"}) == Path("/games.db")


def test_home_folders_lose_their_names() -> None:
    assert strike("/home/ann/table.toml: /home/ann", ()) == "/home/(name)/table.toml: /home/(name)"


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_cli, "collect", lambda path, machine, journal: ({}, set()))
    args = argparse.Namespace(config=None, journal=None, out=tmp_path / "nowhere" / "x.tar.gz")
    with pytest.raises(UserError, match="no such file or directory: name a file that can be written"):
        run(args, LoggedMachine())


def test_nothing_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_cli, "collect", lambda path, machine, journal: ({}, set()))
    journal = tmp_path / "journal.db"
    journal.write_bytes(b"games")
    args = argparse.Namespace(config=None, journal=None, out=journal)
    with pytest.raises(UserError, match="is there already: name another file"):
        run(args, LoggedMachine())
    assert journal.read_bytes() == b"games"


def test_a_name_that_is_no_text_does_not_stop_the_report(tmp_path: Path) -> None:
    strange, out = tmp_path / "caf\udce9.db", tmp_path / "report.tar.gz"
    (tmp_path / "table.toml").write_text("")
    args = argparse.Namespace(config=tmp_path / "table.toml", journal=strange, out=out)
    assert run(args, LoggedMachine()) == 0
    with tarfile.open(out) as archive:
        file = archive.extractfile("doubtable-report/races.txt")
        assert file is not None
        assert "caf\\udce9.db" in file.read().decode()


def test_longer_names_go_first_and_parts_of_words_stay() -> None:
    assert strike("Ann and Ann Lee plan", {"Ann", "Ann Lee", ""}) == "(name) and (name) plan"
