"""Findings for people and for programs, and the command that prints them."""

import json
from pathlib import Path

import pytest

from doctor.machines import GPIO, FakeMachine, fake_gpiod
from doctor.written_examples import MADE, PAGE, PARTS, anew
from doubtable import doctor_cli
from doubtable.cli import main
from doubtable.desk import Desk, DeviceReport, Report
from doubtable.doctor import SECTIONS, Finding, Machine, Nobody
from doubtable.doctor.findings import summary, to_json

DOCS = Path(__file__).parents[2] / "docs"
FINDINGS = [
    Finding("supply", "fault", "under-voltage now (0x1)", "use the Pi's own supply"),
    Finding("chip", "ok", "all free"),
    Finding("buttons", "warning", "still down", "let go of it", "seat 3, GPIO6"),
    Finding("sound", "unknown", "not known", "aplay -l"),
]


def test_lines_for_people() -> None:
    assert FINDINGS[0].lines(7) == [
        "fault    supply   under-voltage now (0x1)",
        "                  -> use the Pi's own supply",
    ]
    assert FINDINGS[1].lines(7) == ["ok       chip     all free"]
    assert FINDINGS[2].lines(7)[0] == "warning  buttons  seat 3, GPIO6: still down"


def test_the_last_line_counts() -> None:
    assert summary(FINDINGS) == "1 fault, 1 warning, 1 unknown, 1 ok"
    assert summary(FINDINGS[1:2] * 2) == "0 faults, 0 warnings, 0 unknown, 2 ok"


def test_json_for_programs() -> None:
    read = json.loads(to_json(FINDINGS, {"table": None}))
    assert read["counts"] == {"ok": 1, "warning": 1, "fault": 1, "unknown": 1}
    assert read["findings"][2] == {
        "name": "buttons", "state": "warning", "what": "still down", "todo": "let go of it", "about": "seat 3, GPIO6",
    }  # fmt: skip
    assert read["table"] is None


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeMachine:
    fake_gpiod(monkeypatch)
    return FakeMachine(tmp_path, {}, {})


def nobody() -> Nobody:
    return Nobody(lambda seconds: None)


def test_exit_1_only_on_a_fault(machine: FakeMachine, capsys: pytest.CaptureFixture[str]) -> None:
    config, here = machine.config(GPIO), Machine(machine.root, {})
    assert doctor_cli.report(config, here, nobody(), ["chip", "supply"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[-1] == "0 faults, 0 warnings, 0 unknown, 2 ok"
    machine.write("/usr/bin/vcgencmd", "#!/bin/sh\necho throttled=0x50000\n")
    assert doctor_cli.report(config, here, nobody(), ["supply"]) == 0, "a warning is no fault"
    machine.write("/usr/bin/vcgencmd", "#!/bin/sh\necho throttled=0x50005\n")
    assert doctor_cli.report(config, here, nobody(), ["supply"]) == 1


def test_json_is_one_object_and_nothing_else(machine: FakeMachine, capsys: pytest.CaptureFixture[str]) -> None:
    assert doctor_cli.report(machine.config(GPIO), Machine(machine.root, {}), nobody(), ["chip"], as_json=True) == 0
    said = capsys.readouterr()
    read = json.loads(said.out)
    assert [each["name"] for each in read["findings"]] == ["chip"]
    assert (read["running"], said.err) == (False, "")


def test_a_table_that_runs_is_asked_over_its_socket(machine: FakeMachine, capsys: pytest.CaptureFixture[str]) -> None:
    desk = Desk(machine.root / "run/doubtable/desk.sock")
    lamps = DeviceReport("lamps", "lamps: lost (gone); they are taken again as soon as the chip is back")
    desk.start(lambda: Report("0.1.0", 1, "/var/lib/doubtable", devices=(lamps,)))
    status = doctor_cli.report(machine.config(GPIO), Machine(machine.root, {}), nobody(), ["table", "lamps"])
    desk.close()
    said = capsys.readouterr().out
    assert status == 1
    assert "runs as process 1" in said
    assert "lamps: lost (gone)" in said


def test_a_socket_that_may_not_be_opened(machine: FakeMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    desk = Desk(machine.root / "run/doubtable/desk.sock")
    desk.start(lambda: Report("0.1.0", 1, "/var/lib/doubtable"))
    with monkeypatch.context() as patch:
        patch.setattr("doubtable.desk.ask_report", forbidden)
        running = doctor_cli.running_table(machine.config(GPIO), Machine(machine.root, {}))
    desk.close()
    assert running is not None
    assert running.report is None


# The command on this very machine -----------------------------------------------------------------------------------


@pytest.fixture
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)


@pytest.mark.usefixtures("_here")
def test_a_laptop_is_told_what_is_simulated(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert "no table.toml: the simulated table" in said
    for words in ("their buttons are keys", "cards are laid on a tray in the window", "4 are simulated"):
        assert words in said
    assert {line.split()[1] for line in said.splitlines()[1:-1] if not line.startswith(" ")} == set(SECTIONS)


@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--only", "reeder"], "do you mean reader?"),
        (["--config", "none.toml"], "none.toml: there is no such file"),
        (["--colour"], "unrecognized arguments"),
    ],
)
def test_bad_input_is_one_line(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status = main(["doctor", *words])
    except SystemExit as exit_:  # argparse's own way
        status = int(exit_.code or 0)
    said = capsys.readouterr()
    assert (status, said.out, said.err.count("\n")) == (2, "", 1)
    assert says in said.err


def test_every_section_that_the_docs_name_exists() -> None:
    pages = [*DOCS.rglob("*.md")]
    words = [page.read_text(encoding="utf-8").split("doctor ") for page in pages]
    named = {
        part.partition("--only ")[2].split()[0].strip("`.,")
        for pieces in words
        for part in pieces[1:]
        if part.partition("\n")[0].count("--only ")
    }
    assert (
        {"chip", "supply", "buttons", "lamps", "panel", "reader", "screen", "sound"} <= named <= set(SECTIONS) | {"X"}
    )


def test_the_examples_in_the_docs_are_what_the_doctor_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert sorted(name for _, name, _ in PARTS.findall(text)) == sorted(MADE)
    assert text == anew(text), "run: PYTHONPATH=tests .venv/bin/python tests/doctor/written_examples.py"
