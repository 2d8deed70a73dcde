"""`doubtable config check | show | new`: exit codes, what goes to stdout and what to stderr."""

from pathlib import Path

import pytest

from config.conftest import Write, toy_options
from doubtable import config_cli
from doubtable.config import load
from doubtable.config.plan import load_plan, plan_names

Captured = pytest.CaptureFixture[str]


def test_check_says_ok_in_one_line(write: Write, capsys: Captured) -> None:
    path = write('plan = "8-gpio"\npreset = "pub"\n[reader]\nkind = "rdm6300"\nport = "/dev/serial0"')
    assert config_cli.check(path, toy_options) == 0
    said = capsys.readouterr()
    assert said.out == (f"{path}: ok: 8 seats on gpio (plan 8-gpio), reader rdm6300 at /dev/serial0, house rules pub\n")
    assert said.err == ""


def test_check_writes_every_problem_as_one_line_on_stderr(write: Write, capsys: Captured) -> None:
    path = write('plan = "4-gpio"\n[sound]\nvolume = 101\n[seats.3]\nbutton = 5\n[options.toy]\nrounds = 0')
    assert config_cli.check(path, toy_options) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        f"doubtable: {path}: sound.volume: 101 is out of range: write a number from 0 to 100",
        f"doubtable: {path}: options.toy.rounds: 0 is out of range: from 1 to 9",
        f"doubtable: {path}: seats.3.button: line 5 is used twice (also seats.2.button): choose a free line, for"
        " example 27",
    ]


def test_a_warning_does_not_fail_the_check(write: Write, capsys: Captured) -> None:
    path = write('[reader]\nkind = "id12"\nport = "/dev/ttyUSB1"')
    assert config_cli.check(path) == 0
    said = capsys.readouterr()
    assert said.err.startswith(
        f"doubtable: {path}: warning: reader.port: /dev/ttyUSB1 can be another device after the next boot: "
    )
    assert said.out.startswith(f"{path}: ok: 4 seats on simulated, reader id12 at /dev/ttyUSB1")


@pytest.mark.parametrize("command", [config_cli.check, config_cli.show])
def test_a_file_that_is_not_there_is_bad_input(command: object, tmp_path: Path, capsys: Captured) -> None:
    assert callable(command)
    assert command(tmp_path / "no.toml") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(
        f"doubtable: {tmp_path / 'no.toml'}: there is no such file: make one: doubtable config new"
    )


def test_show_prints_values_and_origins(write: Write, environ: dict[str, str], capsys: Captured) -> None:
    path = write(
        'plan = "4-gpio"\n[attendant]\npin = "2580"\n[sound]\nquiet_hours = "22:00-08:00"\n[seats.1]\nname = "Ann"'
    )
    assert config_cli.show(path, toy_options, environ) == 0
    rows = {tuple(row.rsplit("  ", 1)) for row in capsys.readouterr().out.splitlines()}
    told = {(text.strip(), origin) for text, origin in rows}
    assert {
        ('plan = "4-gpio"', "table.toml"),
        ('speed = "normal"', "preset book"),
        ('sound.quiet_hours = "22:00-08:00"', "table.toml"),
        ("sound.volume = 70", "default"),
        ("closing is not set", "default"),
        ("seats.1.button = 4", "plan 4-gpio"),
        ('seats.1.name = "Ann"', "table.toml"),
        ("attendant.pin = (set)", "table.toml"),
        (f'state = "{environ["STATE_DIRECTORY"]}"', "default"),
    } <= told


def test_show_without_a_file_shows_the_simulated_table(environ: dict[str, str], capsys: Captured) -> None:
    assert config_cli.show(None, toy_options, environ) == 0
    assert 'reader.kind = "simulated"' in capsys.readouterr().out


@pytest.mark.parametrize("plan", plan_names())
def test_new_writes_a_file_that_passes_the_check(plan: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "table.toml"
    assert config_cli.new(plan, path) == 0
    assert config_cli.check(path) == 0
    said = capsys.readouterr()
    assert said.err == ""
    assert "next: doubtable config check" in said.out
    config = load(path, environ={})
    expected = load_plan(plan)
    assert config.plan == plan
    assert [(seat.button, seat.lamp) for seat in config.seats] == [(seat.button, seat.lamp) for seat in expected.seats]
    assert config.sources == (expected.source,)
    assert (config.reader.kind, config.reader.port) == (expected.reader.kind, expected.reader.path)


@pytest.mark.parametrize("plan", plan_names())
def test_every_line_of_a_new_file_can_be_set_by_taking_its_sign_away(plan: str, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    config_cli.new(plan, path)
    examples = {"# chip_path": "not with chip", "# doubt_ms": "as speed"}
    lines = [
        line[2:] if line.startswith("# ") and " = " in line and line.split()[1].islower() and line[2] != " " else line
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    text = "\n".join(line for line in lines if f"# {line.split(' = ')[0]}" not in examples)
    path.write_text(text, encoding="utf-8")
    config = load(path, environ={})
    assert config.sound.volume == 70
    assert [seat.name for seat in config.seats] == [f"Seat {seat.number}" for seat in config.seats]
    assert config.closing is not None


def test_where_the_service_is_installed_a_new_file_has_its_state_directory(tmp_path: Path, capsys: Captured) -> None:
    path, state = tmp_path / "table.toml", tmp_path / "var lib" / "doubtable"
    assert config_cli.new("8-gpio", path, state) == 0
    assert load(path, environ={"HOME": "/home/ann"}).state == Path("/home/ann/.local/state/doubtable")
    state.mkdir(parents=True)
    path.unlink()
    assert config_cli.new("8-gpio", path, state) == 0
    assert f"with the service's state directory {state}" in capsys.readouterr().out
    assert config_cli.check(path) == 0
    assert load(path, environ={"HOME": "/home/ann"}).state == state


def test_show_of_the_installed_file_has_the_services_state_directory(
    write: Write, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write('plan = "4-gpio"')
    monkeypatch.setattr("doubtable.places.INSTALLED", path)
    assert config_cli.show(path, toy_options, {"HOME": "/home/ann"}) == 0
    assert 'state = "/var/lib/doubtable"' in capsys.readouterr().out


def test_new_never_overwrites(write: Write, capsys: Captured) -> None:
    path = write("mine")
    assert config_cli.new("4-gpio", path) == 2
    assert capsys.readouterr().err == f"doubtable: {path}: is there already: name another file, or move this one away\n"
    assert path.read_text() == "mine"


def test_new_with_an_unknown_plan_names_those_there_are(tmp_path: Path, capsys: Captured) -> None:
    assert config_cli.new("9-gpio", tmp_path / "table.toml") == 2
    said = capsys.readouterr().err
    assert said.startswith('doubtable: plan "9-gpio" does not exist: do you mean 8-gpio? It is one of 4-gpio, 6-gpio')
    assert not (tmp_path / "table.toml").exists()


def test_new_where_nothing_can_be_written(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "no" / "table.toml"
    assert config_cli.new("4-gpio", path) == 2
    said = capsys.readouterr().err
    assert (
        said == f"doubtable: {path}: cannot be written: no such file or directory: name a file in a folder of yours\n"
    )


@pytest.mark.parametrize("section", ["table", "setup", "colours"])
def test_a_section_that_is_nothing_like_another_is_not_taken_for_it(
    section: str, write: Write, capsys: Captured
) -> None:
    path = write(f"[{section}]\nx = 1\n")
    assert config_cli.check(path) == 2
    assert capsys.readouterr().err.startswith(f"doubtable: {path}: {section}: unknown key: known here: plan, game")
