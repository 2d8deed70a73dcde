"""Every kind of problem that a table.toml can have: its key path, what is wrong, the way out."""

import pytest

from config.conftest import Problems, Write, toy_options
from doubtable.config import ConfigError, load

TWO = """
[buttons]
source = "gpio"
[seats.1]
button = 5
lamp = 20
[seats.2]
button = 6
lamp = 21
"""
PI = TWO.replace("[buttons]", "[buttons]\n{buttons}").replace("[seats.2]", "[seats.2]\n{seat}")


def pi(buttons: str = "", seat: str = "", top: str = "", end: str = "") -> str:
    """A good table with two seats on GPIO (lines 5, 20, 6, 21), and more lines in places."""
    return f"{top}\n{PI.format(buttons=buttons, seat=seat)}\n{end}\n"


KINDS = [
    # unknown keys
    ('gane = "toy"', "gane: unknown key: do you mean game?"),
    ("[sound]\nvolum = 3", "sound.volum: unknown key: do you mean volume?"),
    ("volume = 3", "volume: unknown key: volume belongs below [sound]"),
    ("hold_ms = 700", "hold_ms: unknown key: hold_ms belongs below [timing]"),
    ("no_hold = true", "no_hold: unknown key: no_hold belongs below [seats.1]"),
    ('[sound]\ngame = "toy"', "sound.game: unknown key: game stands at the top of the file, above the first [section]"),
    ("[sound]\nzzz = 1", "sound.zzz: unknown key: known here: volume, quiet_hours, device"),
    ('"a b" = 1', '"a b": unknown key: known here: plan, game, preset'),
    (pi(seat="colour = 1"), "seats.2.colour: unknown key: known here: name, source, button"),
    ("[timing]\nhold = 700", "timing.hold: unknown key: do you mean hold_ms? It is one of confirm_ms"),
    # values of the wrong kind
    ('[sound]\nvolume = "loud"', 'sound.volume: "loud" is not a whole number: it goes from 0 to 100'),
    ("[sound]\nvolume = 50.0", "sound.volume: 50.0 is not a whole number"),
    ("[sound]\nvolume = true", "sound.volume: true is not a whole number"),
    ("[reader]\nraw_checksum = 1", "reader.raw_checksum: 1 is not true or false: for example raw_checksum = true"),
    ("game = 7", 'game: 7 is not a text in quotes: for example game = "classic"'),
    ("plan = 8", 'plan: 8 is not a text in quotes: for example plan = "8-gpio"'),
    ("sound = 3", "sound: 3 is not a section: write [sound] on a line of its own and its keys below"),
    ("seats = 3", "seats: 3 is not a section: write [seats.1], [seats.2] and so on"),
    ("[[seats]]\nbutton = 3", "seats: a list is not a section: write [seats.1], [seats.2] and so on"),
    ("timing = 3", "timing: 3 is not a section: write [timing]"),
    ("[options]\ntoy = 3", "options.toy: 3 is not a section"),
    ('buses = "i2c"', 'buses: "i2c" is not a list, for example []'),
    ('[timing]\ntie_ms = "5"', 'timing.tie_ms: "5" is not a number: from 0 to 500'),
    ("[timing]\ntie_ms = true", "timing.tie_ms: true is not a number"),
    ("[timing]\nbump_seats = 2.5", "timing.bump_seats: 2.5 is not a whole number"),
    # values out of range
    ("[sound]\nvolume = 101", "sound.volume: 101 is out of range: write a number from 0 to 100"),
    ("[sound]\nvolume = -1", "sound.volume: -1 is out of range: write a number from 0 to 100"),
    (pi(seat="hold_ms = 399"), "seats.2.hold_ms: 399 is out of range: write a number from 400 to 1500"),
    (pi(seat="hold_ms = 1501"), "seats.2.hold_ms: 1501 is out of range"),
    ("[journal]\nkeep_days = -1", "journal.keep_days: -1 is out of range"),
    (f"[sound]\nvolume = {'9' * 40}", "sound.volume: a number of more than 30 digits is out of range"),
    ("[timing]\nhold_ms = 1501", "timing.hold_ms: 1501 is out of range: write a number from 400 to 1500"),
    ("[timing]\ntie_ms = 500.1", "timing.tie_ms: 500.1 is out of range"),
    ("[timing]\ntie_ms = nan", "timing.tie_ms: NaN is out of range"),
    ("[timing]\ntie_ms = inf", "timing.tie_ms: Infinity is out of range"),
    ("[timing]\ntie_ms = 1e999999999", "timing.tie_ms: 1E+999999999 is out of range"),
    ("[timing]\ntie_ms = 0.0000001", "timing.tie_ms: 1E-7 is finer than a nanosecond"),
    ("[timing]\nlast_call_ms = 4000", "timing.last_call_ms: 4000 does not fit: last_call_min_ms is at most"),
    (
        "[timing]\nlast_call_ms = 4000\nlast_call_min_ms = 4001",
        "timing.last_call_min_ms: 4001 does not fit: last_call_min_ms is at most last_call_ms",
    ),
    # values that do not exist
    ('speed = "quik"', 'speed: "quik" is not possible: do you mean quick? It is one of quick, normal, calm'),
    ('preset = "x"', 'preset: "x" is not possible: write one of book, pub, family'),
    ('[buttons]\nsource = "gpoi"', 'buttons.source: "gpoi" is not possible: do you mean gpio?'),
    ('[buttons]\npull = "left"', 'buttons.pull: "left" is not possible: write one of up, down, none'),
    ('[lamps]\nfactory = "pigpio"', 'lamps.factory: "pigpio" is not possible: do you mean rpigpio?'),
    ('[reader]\nkind = "rc522"', 'reader.kind: "rc522" is not possible: write one of rdm6300, id12, pn532'),
    ('[screen]\ndriver = "fbcon"', 'screen.driver: "fbcon" is not possible: write one of auto, kmsdrm'),
    ("[screen]\nturn = 45", "screen.turn: 45 is not possible: write one of 0, 90, 180, 270"),
    ('[screen]\nlanguage = "fr"', 'screen.language: "fr" is not possible: write one of en, de, es'),
    ('buses = ["can"]', 'buses: "can" is not possible: write one of i2c, spi, uart, i2s'),
    ('plan = "9-gpio"', 'plan: "9-gpio" does not exist: do you mean 8-gpio? It is one of 4-gpio'),
    # texts that are not what they should be
    ('closing = "24:00"', 'closing: "24:00" is no time of day: write hours and minutes in quotes, for example "23:30"'),
    ("closing = 23:30:00", "closing: 23:30:00 is no time of day: write hours and minutes in quotes"),
    ('[sound]\nquiet_hours = "22:00"', 'sound.quiet_hours: "22:00" is no span of the day'),
    ('[sound]\nquiet_hours = "22:00-22:00"', 'sound.quiet_hours: "22:00-22:00" is no span of the day'),
    ('[screen]\nsize = "1024*600"', 'screen.size: "1024*600" is no size: write width x height in quotes'),
    ('[screen]\nsize = "640x480"', 'screen.size: "640x480" is out of range: the smallest screen is "800x480"'),
    ('[screen]\nhouse_word = ""', 'screen.house_word: "" has 0 characters: write 1 to 17'),
    (f'[screen]\nhouse_word = "{"a" * 18}"', f'screen.house_word: "{"a" * 18}" has 18 characters: write 1 to 17'),
    ('[screen]\nhouse_word = "a\\nb"', 'screen.house_word: "a\\nb" has characters that cannot be shown'),
    (pi(seat='name = " Bob"'), 'seats.2.name: " Bob" has characters that cannot be shown: leave out line breaks'),
    ('[buttons]\nchip = "gpiochip4"', 'buttons.chip: "gpiochip4" is a number that moves, not a label: labels'),
    ('[buttons]\nchip = "/dev/gpiochip0"', 'buttons.chip: "/dev/gpiochip0" is a number that moves'),
    ('[buttons]\nchip = "0"', 'buttons.chip: "0" is a number that moves'),
    ('state = "state"', 'state: "state" is no path from the root: write the whole path, beginning with /'),
    ('[journal]\npath = "j.db"', 'journal.path: "j.db" is no path from the root'),
    ('[reader]\nport = "COM3"', 'reader.port: "COM3" is no path from the root'),
    ('[attendant]\npin = "12x4"', "attendant.pin: is no PIN: write 4 to 8 digits in quotes"),
    ('[attendant]\npin = "123"', "attendant.pin: is no PIN"),
    ("[attendant]\npin = 2580", "attendant.pin: is no PIN"),
    # lines
    (pi(seat="button = 5").replace("button = 6", ""), "seats.2.button: line 5 is used twice (also seats.1.button)"),
    (pi(seat="lamp = 5").replace("lamp = 21", ""), "seats.2.lamp: line 5 is used twice (also seats.1.button)"),
    (TWO.replace("21", "6"), "seats.2.lamp: line 6 is used twice (also seats.2.button): choose a free"),
    (TWO.replace("21", "0"), "seats.2.lamp: line 0 belongs to the EEPROM of add-on boards: choose a free line"),
    (TWO.replace("21", "1"), "seats.2.lamp: line 1 belongs to the EEPROM of add-on boards"),
    (TWO.replace("21", "28"), "seats.2.lamp: line 28 is out of range: write 2 to 27: GPIO numbers, not pins"),
    (TWO.replace("21", "-1"), "seats.2.lamp: line -1 is out of range"),
    (TWO.replace("21", "14") + '[reader]\nkind = "rdm6300"\nport = "/dev/serial0"',
     'seats.2.lamp: line 14 is needed by the reader (reader.port = "/dev/serial0"): choose a free line'),
    (TWO.replace("21", "15") + '[reader]\nkind = "pn532"\nport = "/dev/ttyAMA0"',
     "seats.2.lamp: line 15 is needed by the reader"),
    ('buses = ["i2c"]' + TWO.replace("21", "2"), 'seats.2.lamp: line 2 is needed by the bus i2c (buses = ["i2c"])'),
    ('buses = ["spi"]' + TWO.replace("21", "11"), "seats.2.lamp: line 11 is needed by the bus spi"),
    ('buses = ["uart"]' + TWO.replace("21", "15"), "seats.2.lamp: line 15 is needed by the bus uart"),
    ('buses = ["i2s"]' + TWO.replace("20", "22").replace("21", "18"), "seats.2.lamp: line 18 is needed by the bus i2s"),
    (pi(buttons='pull = "down"').replace("button = 6", "button = 3"),
     'seats.2.button: line 3 is pulled up on the board: with pull = "down" choose a free line'),
    ('[buttons]\nsource = "panel"\n[panel]\nport = "/dev/p"\n[seats.1]\nbutton = 0\n[seats.2]\nbutton = 13',
     "seats.2.button: line 13 is out of range: the panel has GP 0 to 12"),
    ('[buttons]\nsource = "panel"\n[panel]\nport = "/dev/p"\n[seats.1]\nbutton = 0\n[seats.2]\nbutton = 1\nlamp = 16',
     "seats.2.lamp: line 16 is out of range: the panel has output 0 to 15"),
    ('[buttons]\nsource = "panel"\n[panel]\nport = "/dev/p"\n[seats.1]\nbutton = 4\n[seats.2]\nbutton = 4',
     "seats.2.button: line 4 is used twice (also seats.1.button): give every seat its own line"),
    ('plan = "13-gpio"\nbuses = ["i2c"]\n[seats.1]\nsource = "panel"\nbutton = 1\nlamp = 1\n[panel]\nport = "/dev/p"',
     'seats.2.button: line 3 is needed by the bus i2c (buses = ["i2c"]): choose a free line, for example 14'),
    # seats
    (TWO.replace("button = 6", ""), "seats.2.button: is missing: seat 2 has no button: write its button's"),
    (pi(seat='source = "panel"', end='[panel]\nport = "/dev/p"').replace("button = 6", "").replace("lamp = 21", ""),
     "seats.2.button: is missing: seat 2 has no button: write button = 0 to 12, the panel's GP"),
    (TWO.replace("seats.2", "seats.3"), "seats.2: is missing: seats are numbered 1 to 3 without a gap"),
    (TWO + "[seats.14]\nbutton = 7", "seats.14: is no seat: seats are [seats.1] to [seats.13]"),
    (TWO + "[seats.0]\nbutton = 7", "seats.0: is no seat"),
    (TWO + "[seats.Ann]\nbutton = 7", "seats.Ann: is no seat"),
    (TWO + "[seats.03]\nbutton = 7", "seats.03: is no seat"),
    (TWO.partition("[seats.2]")[0], "seats: one seat is too few: a table has 2 to 13 seats"),
    ('[buttons]\nsource = "gpio"', 'seats: there are none: name a plan, for example plan = "8-gpio"'),
    (TWO.replace('source = "gpio"', ""), 'buttons.source: is missing, but seats have lines: write source'),
    ('[seats.1]\nname = "Ann"\n[seats.2]\nname = "Ann"', 'seats.2.name: "Ann" is used twice (also seats.1.name)'),
    # devices
    ('[reader]\nkind = "id12"', "reader.port: is missing: id12 is a serial reader: for example port"),
    ('plan = "13-panel"', "panel.port: is missing: seat 1 hangs on the panel: write its path from /dev/serial/by-id/"),
    ('plan = "13-panel"\n[panel]\nport = "/dev/a"\n[reader]\nkind = "pn532"\nport = "/dev/a"',
     "reader.port: is used twice (also panel.port): reader and panel have a port each"),
    (pi(buttons='chip = "pinctrl-rp1"\nchip_path = "/dev/gpiochip0"'),
     "buttons.chip_path: is named twice (also buttons.chip): keep the label, it never moves"),
    # games and their house rules, as whoever knows them judges
    ('game = "poker"', "game: there is no such game: games: toy"),
    ("[options.poker]\nx = 1", "options.poker: there is no such game: games: toy"),
    ("[options.toy]\nx = 1", "options.toy.x: unknown house rule: toy has: rounds"),
    ("[options.toy]\nrounds = 10", "options.toy.rounds: 10 is out of range: from 1 to 9"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), KINDS, ids=[line.partition(": ")[0] for _, line in KINDS])
def test_every_kind_is_named_with_its_place_and_a_way_out(problems: Problems, text: str, expected: str) -> None:
    found = problems(text)
    assert len(found) == 1, found
    assert found[0].startswith(expected)
    assert found[0].count(": ") >= 1


def test_a_good_file_has_no_problems(problems: Problems) -> None:
    assert problems(TWO) == []
    assert problems("") == []


def test_all_problems_come_at_once_in_the_order_of_the_sections(problems: Problems) -> None:
    text = """
    speed = "fast"
    nonsense = 1
    [buttons]
    source = "gpio"
    pull = 3
    [reader]
    kind = "rdm6300"
    [sound]
    volume = 180
    [timing]
    tie_ms = 501
    doubt = 1
    [options.toy]
    rounds = 0
    [seats.1]
    button = 17
    lamp = 1
    [seats.2]
    button = 17
    hold_ms = 2000
    [seats.3]
    lamp = "x"
    [seats.5]
    button = 99
    """
    keys = [line.partition(": ")[0] for line in problems(text)]
    assert keys == [
        "nonsense", "speed", "buttons.pull", "reader.port", "sound.volume", "timing.tie_ms", "timing.doubt",
        "options.toy.rounds", "seats.1.lamp", "seats.2.hold_ms", "seats.2.button", "seats.3.lamp", "seats.3.button",
        "seats.4", "seats.5.button",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        TWO.replace("button = 6", 'button = "6"'),  # not also: seat 2 has no button
        TWO.replace("button = 6\nlamp = 21", 'source = "gpoi"\nbutton = 0'),  # a line of which nobody knows where
        TWO.replace('source = "gpio"', 'source = "gpoi"'),  # not also: lines without a source
        'buttons = "gpio"\n' + TWO.replace('[buttons]\nsource = "gpio"', ""),
        "seats = 5\n" + TWO.partition("[seats.1]")[0],  # not also: there are no seats
        '[reader]\nkind = "id12"\nport = 5',  # not also: the port is missing
        "reader = 5\n",
        TWO.partition("[seats.2]")[0] + "[seats]\n2 = 5",  # not also: seats without a gap
    ],
)
def test_one_slip_is_one_problem(problems: Problems, text: str) -> None:
    assert len(problems(text)) == 1, problems(text)


def test_the_error_has_one_line_per_problem_with_the_file_in_front(write: Write) -> None:
    path = write(TWO.replace("6", "5") + "[sound]\nvolume = 101")
    with pytest.raises(ConfigError) as error:
        load(path, toy_options)
    lines = str(error.value).splitlines()
    assert lines[0] == f"{path}: sound.volume: 101 is out of range: write a number from 0 to 100"
    assert lines[1].startswith(f"{path}: seats.2.button: line 5 is used twice (also seats.1.button)")
    assert [problem.key for problem in error.value.problems] == ["sound.volume", "seats.2.button"]


def test_the_line_that_is_named_as_free_is_free(problems: Problems) -> None:
    text = TWO.replace("button = 6", "button = 5")
    hint = problems(text)[0].rpartition(" ")[2]
    assert problems(TWO.replace("button = 6", f"button = {hint}")) == []


@pytest.mark.parametrize(
    "text", ['[attendant]\npin = "12345678x"', "[attendant]\npin = 98765x", "[attendant]\npin = 9876"]
)
def test_the_pin_is_never_repeated(problems: Problems, text: str) -> None:
    found = problems(text)
    assert len(found) == 1
    assert "987" not in found[0]
    assert "12345" not in found[0]


@pytest.mark.parametrize(
    ("bus", "lines"),
    [("i2c", [2, 3]), ("spi", [7, 8, 9, 10, 11]), ("uart", [14, 15]), ("i2s", [18, 19, 20, 21])],
)
def test_a_bus_needs_exactly_its_lines(problems: Problems, bus: str, lines: list[int]) -> None:
    refused = []
    for line in range(2, 28):
        others = [each for each in (25, 26, 27, 24, 23) if each != line][:3]
        text = f'buses = ["{bus}"]\n[buttons]\nsource = "gpio"\n[seats.1]\nbutton = {line}\nlamp = {others[0]}\n'
        text += f"[seats.2]\nbutton = {others[1]}\nlamp = {others[2]}"
        refused += [line for found in problems(text) if found.startswith("seats.1.button: line")]
    assert refused == lines


def test_a_last_call_may_last_exactly_until_it_can_be_let_go(problems: Problems) -> None:
    assert problems("[timing]\nlast_call_ms = 5000\nlast_call_min_ms = 5000") == []
