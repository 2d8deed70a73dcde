"""Every command that looks into the journal, on every kind of file that is none or is not whole any more."""

import os
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from doubtable.cli import main
from doubtable.report_cli import races
from journal.evening import Evening

COMMANDS = (
    ["verify"],
    ["verify", "--game", "1"],
    ["export"],
    ["stats"],
    ["stats", "--csv"],
    ["race"],
    ["forget", "Zoe"],
)
STEP = 2048  # bytes between two places that are damaged: at every page's beginning and in its middle


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A journal with one game that is over and one that is on."""
    path = tmp_path_factory.mktemp("whole") / "journal.db"
    evening = Evening(path, 61)
    for _ in evening.play(25):
        pass
    evening.play_out()
    for _ in evening.play(25):
        pass
    evening.close()
    return path.read_bytes()


def scrambled(data: bytes, at: int, long: int = 300) -> bytes:
    """``data`` with ``long`` bytes from ``at`` on turned into others."""
    return data[:at] + bytes(each ^ 0x55 for each in data[at : at + long]) + data[at + long :]


def run(command: list[str], path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Status, and what was said: of a status that is not 0 one line that names the file, on one of the two streams."""
    status = main([*command, "--journal", str(path)])
    said = capsys.readouterr()
    if status:
        text = said.out + said.err
        assert text.count("\n") == 1, text
        assert text.startswith(("doubtable: ", "NOT WHOLE: "))
    return status, said.out + said.err


BAD: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "truncated": (lambda data: data[:50_000], "is damaged: cut off, 50000 of {size} bytes are there"),
    "cut within its header": (lambda data: data[:60], "not a database"),
    "one byte": (lambda data: data[:1], "not a database"),
    "another file": (lambda _: b"Dear diary\n" * 5000, "not a database"),
    "scrambled from its start": (lambda data: scrambled(data, 0), "not a database"),
    "scrambled tables": (lambda data: scrambled(data, 100, 900), "damaged"),
}


@pytest.mark.parametrize(("kind", "command"), list(product(BAD, COMMANDS)), ids="".join)
def test_what_is_no_journal_any_more_is_said_as_what_it_is(
    kind: str, command: list[str], whole: bytes, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil, expected = BAD[kind]
    path.write_bytes(spoil(whole))
    status, said = run(command, path, capsys)
    assert status in (1, 2)
    assert str(path) in said
    assert expected.format(size=len(whole)) in said
    for wrong in ("as root", "table rests", "verify says more"):
        assert wrong not in said
    assert path.read_bytes() == spoil(whole), "a damaged journal is left as it is"


@pytest.mark.parametrize("command", COMMANDS, ids="".join)
def test_wherever_a_journal_is_damaged_a_command_works_or_says_so(
    command: list[str], whole: bytes, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    refused = 0
    for at in range(STEP, len(whole) - 300, STEP):
        for name in ("journal.db-wal", "journal.db-shm"):
            path.with_name(name).unlink(missing_ok=True)
        path.write_bytes(scrambled(whole, at))
        status, _ = run(command, path, capsys)
        assert status in (0, 1, 2)
        refused += status != 0
    assert refused


def test_verify_says_up_to_which_row_a_damaged_journal_is_whole(
    whole: bytes, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    heard = set()
    for at in range(STEP, len(whole) - 300, STEP):
        path.write_bytes(scrambled(whole, at))
        status, said = run(["verify"], path, capsys)
        heard |= {said} if status else set()
    assert any("the file is damaged" in each and "rows 1 to " in each and "backup" in each for each in heard)


def test_a_report_is_made_of_any_of_them(whole: bytes, path: Path) -> None:
    for at in range(STEP, len(whole) - 300, STEP):
        path.write_bytes(scrambled(whole, at))
        text, _ = races(path)
        assert text


@pytest.mark.parametrize("command", COMMANDS, ids="".join)
def test_a_folder_and_a_missing_file(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is a folder" in run(command, tmp_path, capsys)[1]
    assert "there is no journal" in run(command, tmp_path / "none.db", capsys)[1]
    assert "file name too long" in run(command, tmp_path / ("x" * 300), capsys)[1]
    (tmp_path / "file").write_text("a file\n")
    assert "not a directory" in run(command, tmp_path / "file" / "journal.db", capsys)[1]


@pytest.mark.parametrize("command", COMMANDS, ids="".join)
def test_a_file_that_may_not_be_read(
    command: list[str], whole: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = tmp_path / "secret.db"
    secret.write_bytes(whole)
    secret.chmod(0)
    if os.access(secret, os.R_OK):
        pytest.skip("this user may read everything: run the tests as another than root")
    status, said = run(command, secret, capsys)
    assert status == 2
    assert "its owner and mode" in said


def test_verify_of_a_game_that_is_still_on_is_no_alarm(
    whole: bytes, path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.write_bytes(whole)
    status, said = run(["verify", "--game", "2"], path, capsys)
    assert status == 0
    assert "game 2 is not over yet" in said
    assert "its rows so far are whole" in said
    assert "NOT WHOLE" not in said
