"""table.toml becomes the effective Config: layers, derived values, files that cannot be read."""

import subprocess
import sys
from datetime import time
from pathlib import Path

import msgspec
import pytest

from config.conftest import Load, Write, toy_options
from doubtable.config import Config, ConfigError, Seat, load
from doubtable.timing import MS, Timing


def test_without_a_file_there_is_a_simulated_table_of_four(environ: dict[str, str]) -> None:
    config = load(None, toy_options, environ=environ)
    assert [seat.number for seat in config.seats] == [1, 2, 3, 4]
    assert config.sources == ("simulated",)
    assert config.reader.kind == "simulated"
    assert config.timing == msgspec.structs.replace(Timing(), tie=5 * MS)
    assert config.warnings == ()


def test_a_plan_fills_in_source_and_lines_and_seats_keep_their_own_settings(loaded: Load) -> None:
    config = loaded('plan = "8-gpio"\n[seats.3]\nname = "Cy"\nhold_ms = 900\nignore_repeats = true\nno_hold = true')
    assert config.plan == "8-gpio"
    assert config.buttons.source == "gpio"
    assert config.seats[2] == Seat(3, "Cy", "gpio", 6, 22, 900 * MS, ignore_repeats=True, no_hold=True)
    assert config.seats[3] == Seat(4, None, "gpio", 12, 23, 700 * MS)
    assert len(config.seats) == 8
    assert config.reader.kind == "none"  # the reader is the house's own choice, not simulated


def test_the_file_goes_before_the_plan(loaded: Load) -> None:
    config = loaded('plan = "8-gpio"\n[seats.3]\nlamp = 19')
    assert (config.seats[2].button, config.seats[2].lamp) == (6, 19)


def test_a_plan_can_be_played_in_the_simulation(loaded: Load) -> None:
    config = loaded('plan = "13-gpio"\n[buttons]\nsource = "simulated"')
    assert config.sources == ("simulated",)
    assert {(seat.button, seat.lamp) for seat in config.seats} == {(None, None)}


def test_a_mixed_table(loaded: Load) -> None:
    config = loaded(
        'plan = "4-gpio"\n[panel]\nport = "/dev/serial/by-id/pico"\n[seats.5]\nsource = "panel"\nbutton = 4\nlamp = 4'
    )
    assert config.sources == ("gpio", "panel")
    assert config.seats[4] == Seat(5, None, "panel", 4, 4, 700 * MS)  # GP4 and GPIO4 are different lines


def test_no_seat_may_have_the_lines_of_all_buses_and_every_free_line_is_gone(loaded: Load) -> None:
    with pytest.raises(ConfigError) as error:
        loaded('plan = "13-gpio"\nbuses = ["i2c", "uart"]')
    assert [problem.key for problem in error.value.problems] == [
        "seats.1.button", "seats.1.lamp", "seats.2.button", "seats.13.button",
    ]  # fmt: skip
    assert {problem.hint for problem in error.value.problems} == {
        "no line is free: hang the reader on USB, leave out a bus, or use the panel"
    }


@pytest.mark.parametrize("port", ["/dev/serial/by-id/usb-x", "/dev/ttyS1", "/dev/ttyAMA10"])
def test_a_port_that_is_not_the_headers_takes_no_line(loaded: Load, port: str) -> None:
    config = loaded(f'plan = "13-gpio"\n[reader]\nkind = "rdm6300"\nport = "{port}"')
    assert config.reader.port == port
    assert config.warnings == ()


@pytest.mark.parametrize(
    ("text", "speed", "doubt_ms"),
    [
        ("", "normal", 4000),
        ('preset = "pub"', "quick", 3000),
        ('preset = "family"', "calm", 6000),
        ('preset = "family"\nspeed = "quick"', "quick", 3000),
        ('preset = "pub"\nspeed = "normal"', "normal", 4000),
        ('speed = "quick"\n[timing]\ndoubt_ms = 5000', "quick", 5000),
    ],
)
def test_the_doubt_window_is_the_times_then_the_speeds_then_the_presets(
    loaded: Load, text: str, speed: str, doubt_ms: int
) -> None:
    config = loaded(text)
    assert (config.speed, config.timing.doubt) == (speed, doubt_ms * MS)


def test_times_are_exact_integers(loaded: Load) -> None:
    config = loaded("[timing]\ntie_ms = 0.2\nhold_ms = 800.000001\nstuck_s = 2.5\nbump_seats = 5")
    assert config.timing.tie == 200_000
    assert config.timing.hold == 800_000_001
    assert config.timing.stuck == 2_500_000_000
    assert config.timing.bump_seats == 5
    assert {seat.hold for seat in config.seats} == {800_000_001}


@pytest.mark.parametrize(("plan", "tie_ms"), [("8-gpio", 5), ("13-gpio", 10)])
def test_the_tie_window_follows_the_number_of_seats(loaded: Load, plan: str, tie_ms: int) -> None:
    assert loaded(f'plan = "{plan}"').timing.tie == tie_ms * MS


def test_every_section_arrives(loaded: Load) -> None:
    config = loaded("""
        game = "toy"
        closing = "23:30"
        state = "/data"
        [buttons]
        chip = "pinctrl-rp1"
        pull = "none"
        [lamps]
        factory = "rpigpio"
        active_high = false
        [reader]
        kind = "rdm6300"
        port = "/dev/serial0"
        raw_checksum = false
        [screen]
        driver = "kmsdrm"
        size = "1024x600"
        turn = 180
        language = "es"
        house_word = "¡Mentira!"
        [sound]
        volume = 0
        quiet_hours = "22:00-08:00"
        device = "USB Audio"
        [journal]
        path = "/data/j.db"
        keep_days = 0
        [attendant]
        pin = "0042"
        [options.toy]
        rounds = 3
    """)
    assert (config.game, config.closing, config.options) == ("toy", time(23, 30), {"toy": {"rounds": 3}})
    assert (config.state, config.journal, config.keep_days) == (Path("/data"), Path("/data/j.db"), 0)
    assert (config.buttons.pull, config.chip_labels) == ("none", ("pinctrl-rp1",))
    assert (config.lamps.factory, config.lamps.active_high) == ("rpigpio", False)
    assert (config.reader.kind, config.reader.port, config.reader.raw_checksum) == ("rdm6300", "/dev/serial0", False)
    assert (config.screen.driver, config.screen.size, config.screen.turn) == ("kmsdrm", (1024, 600), 180)
    assert (config.screen.language, config.screen.house_word) == ("es", "¡Mentira!")
    assert (config.sound.volume, config.sound.quiet_hours) == (0, (time(22), time(8)))
    assert (config.sound.device, config.attendant.pin) == ("USB Audio", "0042")


def test_without_a_chip_the_boards_are_looked_for_by_their_labels(loaded: Load) -> None:
    assert loaded("").chip_labels == ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")


@pytest.mark.parametrize(
    ("environ", "state"),
    [
        ({"STATE_DIRECTORY": "/var/lib/doubtable:/var/lib/other", "HOME": "/home/ann"}, "/var/lib/doubtable"),
        ({"XDG_STATE_HOME": "/home/ann/states", "HOME": "/home/ann"}, "/home/ann/states/doubtable"),
        ({"HOME": "/home/ann"}, "/home/ann/.local/state/doubtable"),
    ],
)
def test_the_state_directory_is_the_services_then_the_users(environ: dict[str, str], state: str) -> None:
    config = load(None, toy_options, environ=environ)
    assert config.state == Path(state)
    assert config.journal == Path(state) / "journal.db"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[reader]\nkind = "pn532"\nport = "/dev/ttyUSB0"', "reader.port: /dev/ttyUSB0 can be another device after"),
        ('plan = "13-panel"\n[panel]\nport = "/dev/ttyACM0"', "panel.port: /dev/ttyACM0 can be another device after"),
        ('[buttons]\nchip = "pinctrl-rp1"\n[reader]\nkind = "id12"\nport = "/dev/serial0"',
         "reader.port: /dev/serial0 is the debug connector on a Raspberry Pi 5"),
        ("[reader]\nraw_checksum = false", 'reader.raw_checksum: has no effect with kind = "simulated"'),
        ('[buttons]\nsource = "gpio"\n[seats.1]\nbutton = 5\nlamp = 6\n[seats.2]\nbutton = 7', "seats.2.lamp: seat 2"),
        ('plan = "4-gpio"\n[buttons]\nsource = "gpiozero"', "buttons.source: gpiozero stamps late: ties are"),
    ],
)  # fmt: skip
def test_what_works_but_not_for_long_is_a_warning(loaded: Load, text: str, expected: str) -> None:
    warnings = [str(warning) for warning in loaded(text).warnings]
    assert len(warnings) == 1
    assert warnings[0].startswith(expected)


def test_every_value_has_its_origin(loaded: Load, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    stored = '{"version": 1, "settings": {"sound.volume": 20, "seats.2.name": "Bob"}}'
    (tmp_path / "state" / "settings.json").write_text(stored)
    config = loaded(
        'plan = "8-gpio"\npreset = "pub"\n[sound]\nvolume = 50\n[seats.1]\nname = "Ann"\n[timing]\ntie_ms = 2'
    )
    found = {setting.key: (setting.value, setting.origin) for setting in config.settings}
    assert found["plan"] == ('"8-gpio"', "table.toml")
    assert found["speed"] == ('"quick"', "preset pub")
    assert found["timing.doubt_ms"] == ("3000", "speed quick")
    assert found["timing.tie_ms"] == ("2", "table.toml")
    assert found["timing.hold_ms"] == ("700", "default")
    assert found["sound.volume"] == ("20", "changed at the table")
    assert found["seats.1.name"] == ('"Ann"', "table.toml")
    assert found["seats.1.button"] == ("4", "plan 8-gpio")
    assert found["seats.2.name"] == ('"Bob"', "changed at the table")
    assert found["screen.language"] == ('"en"', "default")
    assert found["closing"] == ("", "default")


SYNTAX = [
    ("a b", "line 1, column 3", 'the line reads "a b"'),
    ("\n\nplan = 8-gpio", "line 3, column 9", 'texts stand in quotes: "8-gpio"'),
    ("closing = 23:30", "line 1, column 13", 'texts stand in quotes: "23:30"'),
    ("speed = quick # fast", "line 1, column 9", 'texts stand in quotes: "quick"'),
    ('game = "toy', "line 1, column 12", 'the line reads "game = "toy"'),
    ("x = [\n", "line 2, column 1", "look for a missing bracket or quote"),
    ("[sound]\nvolume = 1\nvolume = 2\n", "line 3, column 11", 'the line reads "volume = 2"'),
    ("[sound]\n[sound]", "line 2, column 7", 'the line reads "[sound]"'),
    ("x = 1 2", "line 1, column 7", 'the line reads "x = 1 2"'),
]


@pytest.mark.parametrize(("text", "place", "hint"), SYNTAX, ids=[text for text, _, _ in SYNTAX])
def test_a_syntax_error_has_its_place(loaded: Load, text: str, place: str, hint: str) -> None:
    with pytest.raises(ConfigError) as error:
        loaded(text)
    (problem,) = error.value.problems
    assert (problem.key, problem.hint) == (place, hint)
    assert problem.what[:1].islower()


WORDS = [
    ("[sound]\n[sound]", "the section [sound] is there already"),
    ("[seats.1]\n[seats.1]", "the section [seats.1] is there already"),
    ('["a\'b"]\n["a\'b"]', "the section [a'b] is there already"),
    ("closing = 1\n[closing]", "this key is there already"),
    ("closing = 1\nclosing = 2", "this key is there already"),
    ("sound = {volume = 1}\nsound.device = 2", "sound ends in its line above"),
    ('game = "classic\n', "a text in quotes does not end on this line"),
]


@pytest.mark.parametrize(("text", "words"), WORDS, ids=[text for text, _ in WORDS])
def test_a_syntax_error_is_told_without_python_s_spelling(loaded: Load, text: str, words: str) -> None:
    with pytest.raises(ConfigError) as error:
        loaded(text)
    assert [problem.what for problem in error.value.problems] == [words]


def test_a_section_of_seats_that_is_empty_names_none(loaded: Load) -> None:
    assert [seat.source for seat in loaded("[seats]\n").seats] == ["simulated"] * 4
    with pytest.raises(ConfigError, match="seats: there are none: name a plan"):
        loaded('[buttons]\nsource = "gpio"\n[seats]\n')


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a = 1\nb = '\xff'", "line 2: byte 11 is not UTF-8: save the file as UTF-8"),
        (b"x = " + b"[" * 20_000, "brackets are nested too deeply"),
        (b"x = " + b"9" * 5000, "has a number with thousands of digits"),
        (b"#" * 1_000_001, "is larger than a megabyte"),
    ],
    ids=["not UTF-8", "nested", "digits", "large"],
)
def test_a_file_that_is_no_table_toml(tmp_path: Path, data: bytes, expected: str) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(data)
    with pytest.raises(ConfigError) as error:
        load(path, toy_options)
    assert str(error.value).startswith(f"{path}: {expected}")


def test_a_file_that_is_not_there_and_one_that_is_a_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such file: make one: doubtable config new"):
        load(tmp_path / "no.toml", toy_options)
    with pytest.raises(ConfigError, match="cannot be read: is a directory: look at the path"):
        load(tmp_path, toy_options)


def test_a_config_cannot_be_changed_in_place(write: Write, environ: dict[str, str]) -> None:
    config: Config = load(write(""), toy_options, environ=environ)
    with pytest.raises(AttributeError):
        config.game = "toy"  # type: ignore[misc]
    with pytest.raises(ValueError, match="frozen"):
        config.sound.volume = 3


def test_importing_the_package_leaves_pydantic_alone() -> None:
    code = "import sys, doubtable.config, doubtable.config_cli; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_file_from_a_windows_editor(tmp_path: Path, environ: dict[str, str]) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(b"\xef\xbb\xbf[sound]\r\nvolume = 5\r\n")
    assert load(path, toy_options, environ=environ).sound.volume == 5


def test_the_pin_does_not_get_into_logs(loaded: Load) -> None:
    config = loaded('[attendant]\npin = "2580"')
    assert "2580" not in repr(config)
    assert "2580" not in str(config.settings)
