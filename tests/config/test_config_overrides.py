"""Settings changed at the table: stored so that a power cut cannot spoil them, and never a reason not to start."""

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from config.conftest import Load, Write, toy_options
from doubtable.config import Config, ConfigError, change, load
from doubtable.config import overrides as stored
from doubtable.config.written import changeable

GOOD = b'{"version": 1, "settings": {"sound.volume": 20}}'


@pytest.fixture
def state(tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    folder.mkdir()
    return folder


def test_what_is_changed_is_stored_and_goes_before_the_file(loaded: Load, write: Write, state: Path) -> None:
    config = loaded('[sound]\nvolume = 50\n[seats.1]\n[seats.2]\nname = "Bob"')
    changed = change(config, {"sound.volume": 20, "seats.2.name": "Bea", "closing": "23:00"}, toy_options)
    again = load(config.path, toy_options, environ={"STATE_DIRECTORY": str(state)})
    for found in (changed, again):
        assert (found.sound.volume, found.seats[1].name) == (20, "Bea")
        assert f"{found.closing:%H:%M}" == "23:00"
    assert config.path is not None
    assert 'name = "Bob"' in config.path.read_text()  # table.toml is never rewritten


def test_none_gives_the_file_its_say_again(loaded: Load) -> None:
    config = loaded("[sound]\nvolume = 50")
    config = change(config, {"sound.volume": 20, "screen.turn": 90}, toy_options)
    config = change(config, {"sound.volume": None}, toy_options)
    assert (config.sound.volume, config.screen.turn) == (50, 90)


def test_two_seats_can_swap_their_names(loaded: Load) -> None:
    config = loaded('[seats.1]\nname = "Ann"\n[seats.2]\nname = "Bob"')
    config = change(config, {"seats.1.name": "Bob", "seats.2.name": "Ann"}, toy_options)
    assert [seat.name for seat in config.seats] == ["Bob", "Ann"]
    assert config.warnings == ()


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"sound.volume": 101}, "sound.volume: 101 is out of range"),
        ({"seats.2.hold_ms": 200}, "seats.2.hold_ms: 200 is out of range"),
        ({"options.toy.rounds": 0}, "options.toy.rounds: 0 is out of range"),
        ({"seats.2.name": "Ann"}, 'seats.2.name: "Ann" is used twice (also seats.1.name)'),
        ({"buttons.source": "gpio"}, "buttons.source: cannot be changed at the table: change table.toml"),
        ({"seats.2.button": 5}, "seats.2.button: cannot be changed at the table"),
        ({"timing.tie_ms": 0}, "timing.tie_ms: cannot be changed at the table"),
        ({"nonsense": 0}, "nonsense: cannot be changed at the table"),
    ],
)
def test_what_does_not_fit_is_refused_and_nothing_is_stored(
    loaded: Load, state: Path, settings: dict[str, Any], expected: str
) -> None:
    config = change(loaded('[seats.1]\nname = "Ann"\n[seats.2]'), {"sound.volume": 20}, toy_options)
    before = (state / "settings.json").read_bytes()
    with pytest.raises(ConfigError) as error:
        change(config, {"screen.turn": 90, **settings}, toy_options)
    assert len(error.value.problems) == 1
    assert str(error.value.problems[0]).startswith(expected)
    assert (state / "settings.json").read_bytes() == before


@pytest.mark.parametrize(
    ("path", "may"),
    [
        ("game", True), ("preset", True), ("speed", True), ("closing", True), ("sound.volume", True),
        ("sound.quiet_hours", True), ("screen.language", True), ("screen.house_word", True), ("screen.turn", True),
        ("seats.1.name", True), ("seats.13.hold_ms", True), ("seats.2.ignore_repeats", True), ("seats.2.no_hold", True),
        ("options.classic.scoring", True), ("options.classic", False), ("options", False), ("sound", False),
        ("seats.1", False), ("seats.1.button", False), ("seats.1.source", False), ("plan", False), ("state", False),
        ("reader.port", False), ("journal.path", False), ("attendant.pin", False), ("screen.driver", False),
        ("timing.hold_ms", False), ("sound.volume.x", False), ("game.x", False), ("", False), (".", False),
    ],
)  # fmt: skip
def test_hardware_and_times_cannot_be_changed_at_the_table(path: str, may: bool) -> None:
    assert changeable(path) == may


DAMAGED = [b"", b"{", b"\0" * 512, b"[]", b'{"version": 1}', b'{"version": 2, "settings": {}}', b"\xff\xfe", GOOD[:-3]]


@pytest.mark.parametrize("damaged", DAMAGED)
def test_a_damaged_file_gives_way_to_the_backup(loaded: Load, write: Write, state: Path, damaged: bytes) -> None:
    (state / "settings.json").write_bytes(damaged)
    (state / "settings.backup.json").write_bytes(GOOD)
    config = loaded("[sound]\nvolume = 50")
    assert config.sound.volume == 20
    (warning,) = config.warnings
    assert str(warning).startswith(f"{state / 'settings.json'}: is damaged: ")
    assert warning.hint == "the backup is used, the file is kept aside"
    assert (state / "settings.json").read_bytes() == damaged  # whoever only looks changes nothing


@pytest.mark.parametrize("damaged", DAMAGED)
def test_the_running_table_keeps_the_damaged_file_aside(write: Write, state: Path, damaged: bytes) -> None:
    (state / "settings.json").write_bytes(damaged)
    (state / "settings.backup.json").write_bytes(GOOD)
    environ = {"STATE_DIRECTORY": str(state)}
    first = load(write(""), toy_options, environ=environ, recover=True)
    assert (first.sound.volume, len(first.warnings)) == (20, 1)
    assert (state / "settings.json.damaged").read_bytes() == damaged
    second = load(write(""), toy_options, environ=environ, recover=True)
    assert (second.sound.volume, second.warnings) == (20, ())


def test_both_files_damaged_leave_table_toml_alone(write: Write, state: Path) -> None:
    (state / "settings.json").write_bytes(b"")
    (state / "settings.backup.json").write_bytes(b"{")
    config = load(write("[sound]\nvolume = 50"), toy_options, environ={"STATE_DIRECTORY": str(state)}, recover=True)
    assert config.sound.volume == 50
    assert [warning.hint for warning in config.warnings] == [
        "the backup is used, the file is kept aside",
        "table.toml alone counts",
    ]
    assert sorted(path.name for path in state.iterdir()) == ["settings.backup.json.damaged", "settings.json.damaged"]


def test_a_lost_file_gives_way_to_the_backup(loaded: Load, state: Path) -> None:
    (state / "settings.backup.json").write_bytes(GOOD)
    config = loaded("")
    assert config.sound.volume == 20
    assert [warning.what for warning in config.warnings] == ["is missing"]


def test_a_folder_in_its_place_and_a_state_directory_that_is_a_file(loaded: Load, state: Path) -> None:
    (state / "settings.json").mkdir()
    config = loaded("")
    assert [warning.what for warning in config.warnings] == ["cannot be read: is a directory"]
    (state / "settings.json").rmdir()
    state.rmdir()
    state.write_text("")
    assert [warning.what for warning in loaded("").warnings] == ["cannot be read: not a directory"]


def test_a_setting_that_no_longer_fits_is_left_out_and_the_others_count(loaded: Load, state: Path) -> None:
    settings = {
        "sound.volume": 300, "screen.turn": 90, "seats.9.name": "Zoe", "timing.tie_ms": 0, "options.toy.rounds": 4,
        "screen": 5, "seats.1": "x",
    }  # fmt: skip
    (state / "settings.json").write_text(json.dumps({"version": 1, "settings": settings}))
    config = loaded('plan = "4-gpio"')
    assert (config.sound.volume, config.screen.turn, config.options) == (70, 90, {"toy": {"rounds": 4}})
    assert {warning.key for warning in config.warnings} == {
        "sound.volume", "seats.9.name", "timing.tie_ms", "screen", "seats.1",
    }  # fmt: skip


def test_a_stale_setting_is_no_obstacle_to_a_new_one(loaded: Load, state: Path) -> None:
    (state / "settings.json").write_text('{"version": 1, "settings": {"sound.volume": 300}}')
    config = change(loaded(""), {"screen.turn": 90}, toy_options)
    assert (config.screen.turn, config.sound.volume) == (90, 70)


def test_the_settings_before_the_last_change_are_the_backup(state: Path) -> None:
    stored.write(state, {"sound.volume": 1})
    stored.write(state, {"sound.volume": 2})
    assert stored.read(state).settings == {"sound.volume": 2}
    (state / "settings.json").write_bytes(b"")
    assert stored.read(state).settings == {"sound.volume": 1}
    stored.write(state, {"sound.volume": 3})  # the empty file must not become the backup
    (state / "settings.json").write_bytes(b"")
    assert stored.read(state).settings == {"sound.volume": 1}


class PowerCutError(Exception):
    """The power goes at this system call."""


@pytest.fixture
def cuts(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """A list whose number says after how many syncs and renames the power goes; what was not synced is then empty."""
    left = [10**9]
    unsynced: set[str] = set()
    sync, rename = os.fsync, Path.replace

    def tick() -> None:
        left[0] -= 1
        if left[0] < 0:
            raise PowerCutError

    def fsync(descriptor: int) -> None:
        tick()
        sync(descriptor)
        unsynced.discard(str(Path(f"/proc/self/fd/{descriptor}").readlink()))

    def replace(self: Path, target: Path) -> Path:
        tick()
        assert str(self.resolve()) not in unsynced, "a file takes its name before its content is on the disk"
        return rename(self, target)

    opened = Path.open

    def open_file(self: Path, *args: Any, **named: Any) -> Any:
        if "w" in (args[0] if args else named.get("mode", "r")):
            unsynced.add(str(self.resolve()))
        return opened(self, *args, **named)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    monkeypatch.setattr(Path, "open", open_file)
    yield left
    monkeypatch.undo()


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="/proc/self/fd is missing: Linux only")
def test_a_power_cut_at_any_moment_leaves_the_old_or_the_new_settings(tmp_path: Path, cuts: list[int]) -> None:
    outcomes = []
    for moment in range(20):
        state = tmp_path / str(moment)
        stored.write(state, {"sound.volume": 0})
        stored.write(state, {"sound.volume": 1})
        cuts[0] = moment
        with suppress(PowerCutError):
            stored.write(state, {"sound.volume": 2})
        cuts[0] = 10**9
        found = stored.read(state)
        assert found.warnings == ()
        outcomes.append(found.settings["sound.volume"])
    assert set(outcomes) == {1, 2}
    assert outcomes == sorted(outcomes)


def test_no_config_is_lost_when_the_disk_is_full(loaded: Load, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config: Config = change(loaded(""), {"sound.volume": 20}, toy_options)

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space left"):
            change(config, {"sound.volume": 30}, toy_options)
    assert load(config.path, toy_options, environ={"STATE_DIRECTORY": str(state)}).sound.volume == 20


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="/proc/self/fd is missing: Linux only")
def test_the_new_name_is_on_the_disk_when_write_returns(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    sync, rename = os.fsync, Path.replace

    def fsync(descriptor: int) -> None:
        calls.append(f"sync {Path(f'/proc/self/fd/{descriptor}').readlink().name}")
        sync(descriptor)

    def replace(self: Path, target: Path) -> Path:
        calls.append(f"rename {target.name}")
        return rename(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", replace)
    stored.write(state, {"sound.volume": 1})
    assert calls == ["sync settings.json.new", "rename settings.json", "sync state"]
