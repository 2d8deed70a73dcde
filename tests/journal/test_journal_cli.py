"""The commands that look into the journal: what they print, where, and with which exit status."""

import argparse
import sqlite3
from pathlib import Path

import pytest

from doubtable import journal_cli
from doubtable.cli import main
from doubtable.user_error import UserError
from journal.evening import Evening
from journal.test_dispute import two_games


def args(path: Path | None, **given: object) -> argparse.Namespace:
    """What argparse gives for a command without options, but for those given."""
    plain = {"config": None, "game": None, "anonymous": False, "out": None, "last": None, "csv": False, "plot": None}
    return argparse.Namespace(**{**plain, "journal": path, **given})


@pytest.fixture
def played(path: Path) -> Path:
    """A journal with one game that is over."""
    evening = Evening(path, 61)
    for _ in evening.play(25):
        pass
    evening.play_out()
    evening.close()
    return path


def test_export_writes_the_last_game_to_stdout_or_to_a_file(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert journal_cli.export(args(played)) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith('{"tape": 1, "about": "game 1 of a journal')
    assert journal_cli.export(args(played, game=1, out=tmp_path / "game.jsonl")) == 0
    said = capsys.readouterr()
    assert (tmp_path / "game.jsonl").read_text() == shown.out
    assert (said.out, said.err) == (
        "",
        f"doubtable: game 1: {shown.out.count(chr(10)) - 1} inputs to {tmp_path}/game.jsonl\n",
    )


def test_what_is_exported_is_replayed_by_the_next_command(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The second game of an evening begins in the middle of it."""
    _, _, second = two_games(path)
    assert main(["export", "--journal", str(path), "--game", "2", "--out", str(tmp_path / "game.jsonl")]) == 0
    capsys.readouterr()
    assert main(["replay", str(tmp_path / "game.jsonl")]) == 0
    assert capsys.readouterr().out.splitlines()[-len(second) :] == second
    assert main(["race", str(tmp_path / "game.jsonl")]) == 0
    assert "DOUBTER" in capsys.readouterr().out


def test_verify_says_what_it_proves_and_what_not(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert journal_cli.verify(args(played, game=1)) == 0
    said = capsys.readouterr().out
    assert "are whole" in said
    assert "game 1: code " in said
    assert "the same events, byte for byte" in said
    assert "no row of the journal is damaged, missing, added or moved" in said
    assert "does not prove that nobody with the file wrote all of it anew" in said


def test_the_code_of_an_older_game_is_said_when_it_is_asked_for(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    two_games(path, acts=1)
    monkeypatch.setattr(journal_cli, "LAST_CODES", 1)
    assert journal_cli.verify(args(path)) == 0
    assert "game 1: code" not in capsys.readouterr().out
    assert journal_cli.verify(args(path, game=1)) == 0
    said = capsys.readouterr().out
    assert "game 1: code" in said
    assert "game 2: code" in said


def test_verify_of_a_damaged_journal_ends_with_1_and_names_the_row(
    played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = sqlite3.connect(played)
    database.execute("UPDATE packs SET after = zeroblob(32)")
    database.commit()
    database.close()
    assert journal_cli.verify(args(played)) == 1
    assert capsys.readouterr().out.startswith(f"NOT WHOLE: {played}: row 1: it or a row up to")
    with pytest.raises(UserError, match="doubtable verify says what is whole"):
        journal_cli.export(args(played))


def test_races_reach_back_over_recorded_games(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert journal_cli.races(args(played)) == 0
    everything = capsys.readouterr().out
    assert everything.count("claim of seat") > 2
    assert "game 1, 2030-03-17 " in everything
    assert "DOUBTER" in everything
    assert journal_cli.races(args(played, last=1, game=1)) == 0
    last = capsys.readouterr().out
    assert everything.endswith(last)
    assert last.count("claim of seat") == 1


def test_the_running_table_has_its_newest_races_at_hand(path: Path) -> None:
    evening = Evening(path, 62)
    for _ in evening.play(40):
        pass
    assert evening.journal is not None
    evening.journal.flush()
    decided = [each.facts["record"] for each in evening.events if "record" in each.facts]
    assert [each.record for each in evening.journal.races] == decided
    assert len(decided) > 1
    evening_races = evening.journal.races
    assert {each.game for each in evening_races} == {1}
    evening.close()
    again = Evening(path, 63)
    assert again.journal is not None
    assert again.journal.races == evening_races
    again.close()


def test_forget_takes_a_name_out_once(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert journal_cli.forget(args(played, name="Cy")) == 0
    assert "'Cy' is gone" in capsys.readouterr().out
    assert journal_cli.forget(args(played, name="Cy")) == 1
    assert "no name in the journal" in capsys.readouterr().err


def test_stats_print_text_or_csv(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert journal_cli.stats(args(played)) == 0
    assert "classic          1 games" in capsys.readouterr().out
    assert journal_cli.stats(args(played, csv=True)) == 0
    assert capsys.readouterr().out.startswith("table,row,figure,value\n")


def test_everything_works_while_the_table_plays(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evening = Evening(path, 64)
    for number in evening.play(20):
        if number == 10:
            assert evening.journal is not None
            evening.journal.flush()
            for command in (journal_cli.export, journal_cli.verify, journal_cli.stats, journal_cli.races):
                assert command(args(path)) == 0
    evening.close()
    assert "are whole" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command", [journal_cli.export, journal_cli.verify, journal_cli.stats, journal_cli.races, journal_cli.forget]
)
def test_what_is_no_journal_is_one_clear_line(tmp_path: Path, command: object) -> None:
    assert callable(command)
    other = tmp_path / "notes.db"
    database = sqlite3.connect(other)
    database.execute("PRAGMA application_id=7")
    database.execute("CREATE TABLE notes (text)")
    database.close()
    (tmp_path / "text.db").write_text("no database at all\n" * 100)
    for name, expected in (
        ("none.db", "there is no journal"),
        ("notes.db", "another program's"),
        ("text.db", "not a database"),
        (".", "is a folder"),
    ):
        with pytest.raises(UserError, match=expected) as error:
            command(args(tmp_path / name, name="Ann"))
        assert "\n" not in str(error.value)
    assert not (tmp_path / "none.db").exists()


def test_an_empty_journal_is_said(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from doubtable.journal import Journal  # noqa: PLC0415

    Journal(path).close()
    with pytest.raises(UserError, match="no game has been recorded yet"):
        journal_cli.export(args(path))
    assert journal_cli.verify(args(path)) == 0
    assert journal_cli.stats(args(path)) == 0
    assert journal_cli.races(args(path)) == 0
    assert capsys.readouterr().out == "the journal is empty\nno game has ended yet\nno race has been recorded\n"


def test_a_journal_of_somebody_else_that_cannot_be_written_is_read(played: Path, tmp_path: Path) -> None:
    """No log beside it, and a folder in which none can be made."""
    folder = tmp_path / "read-only"
    folder.mkdir()
    played.rename(folder / "journal.db")
    folder.chmod(0o555)
    try:
        assert journal_cli.verify(args(folder / "journal.db")) == 0
        assert sorted(each.name for each in folder.iterdir()) == ["journal.db"]
    finally:
        folder.chmod(0o755)


def test_the_journal_is_that_of_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    assert journal_cli.path_of(args(None)) == tmp_path / "journal.db"
    config = tmp_path / "table.toml"
    config.write_text('plan = "4-gpio"\n[journal]\npath = "/data/journal.db"\n')
    assert journal_cli.path_of(args(None, config=config)) == Path("/data/journal.db")
    config.write_text("rubbish = 1\n")
    with pytest.raises(UserError, match="rubbish"):
        journal_cli.path_of(args(None, config=config))
