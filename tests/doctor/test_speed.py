"""`doctor --speed`: what it measures, and what it says when something is too slow. No figure is asserted."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from doubtable import cli
from doubtable.config import Config, load
from doubtable.doctor import speed
from doubtable.doctor.findings import Finding

CONFIG = """
[buttons]
source = "simulated"
[reader]
kind = "none"
[seats.1]
name = "Ann"
[seats.2]
name = "Bob"
[seats.3]
name = "Cy"
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(f'state = "{tmp_path / "state"}"\n{CONFIG}', encoding="utf-8")
    return path


@pytest.fixture
def config(table: Path) -> Config:
    (table.parent / "state").mkdir()
    return load(table)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """A watch on which everything takes so many seconds; all of it is done all the same."""

    def takes(seconds: float) -> None:
        def took(work: Callable[[], object]) -> float:
            work()
            return seconds

        monkeypatch.setattr(speed, "_took", took)

    return takes


def found(config: Config) -> dict[str, list[Finding]]:
    by_name: dict[str, list[Finding]] = {}
    for each in speed.speed(config):
        by_name.setdefault(each.about, []).append(each)
    return by_name


def test_a_quick_machine_is_told_its_figures_and_nothing_to_do(config: Config, watch: Callable[[float], None]) -> None:
    watch(0.001)
    findings = found(config)
    assert {name: len(each) for name, each in findings.items()} == {"buttons": 1, "picture": 2, "disk": 1}
    assert all((each.state, each.todo) == ("ok", "") for group in findings.values() for each in group)
    (disk,) = findings["disk"]
    assert disk.what.startswith("1.0 ms until the disk has a commit, 1.0 ms at most")
    assert not list(config.journal.parent.iterdir())


def test_a_slow_machine_is_warned_with_a_way_out(config: Config, watch: Callable[[float], None]) -> None:
    watch(2.0)
    findings = found(config)
    assert all(each.state == "warning" and each.todo for group in findings.values() for each in group)
    assert "NOT SAVED" in findings["disk"][0].todo


def test_every_race_that_is_played_is_decided() -> None:
    assert speed.play(list(speed.race(Random(1)))) > 1


def test_a_folder_that_is_not_there_is_unknown(table: Path, watch: Callable[[float], None]) -> None:
    watch(0.001)
    (disk,) = found(load(table))["disk"]
    assert (disk.state, "no such file" in disk.what) == ("unknown", True)


def test_the_command_gives_them_as_json(
    table: Path, watch: Callable[[float], None], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    watch(0.001)
    monkeypatch.chdir(table.parent)
    for name in [name for name in os.environ if name.startswith("DOUBTABLE_")]:
        monkeypatch.delenv(name)
    assert cli.main(["doctor", "--speed", "--json", "--config", str(table)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in said["findings"]] == ["speed"] * 4
