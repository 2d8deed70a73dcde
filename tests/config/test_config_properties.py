"""Whatever stands in a table.toml: a Config that keeps the rules, or problems with a place and a way out."""

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from config.conftest import toy_options
from doubtable.config import Config, ConfigError, Problem, load
from doubtable.config.effective import as_toml
from doubtable.config.pins import BUSES, HEADER_LINES
from doubtable.config.plan import plan_names
from doubtable.config.written import Table
from doubtable.timing import WRITTEN


def outcome(text: str) -> Config | tuple[Problem, ...]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.toml"
        path.write_text(text, encoding="utf-8", newline="")
        try:
            return load(path, toy_options, environ={"STATE_DIRECTORY": folder})
        except ConfigError as error:
            return error.problems


def assert_sound(problems: tuple[Problem, ...]) -> None:
    """Each problem is one line with what and a way out, and no place is named twice for the same fault."""
    assert problems
    for problem in problems:
        assert problem.what
        assert problem.hint
        assert str(problem).isprintable()
    assert len(set(problems)) == len(problems)


VALUES = st.one_of(
    st.integers(-5, 2000).map(str),
    st.sampled_from(
        ["true", "[]", "{}", '""', '"gpio"', '"panel"', '"x"', "1.5", "nan", "-inf", "1e999", "12:00:00", "[1]",
         '"8-gpio"', '"/dev/serial0"', '"rdm6300"', '["i2c"]', '["spi", "uart"]', '"22:00-08:00"', '"1024x600"',
         "'\\'", "2020-02-30"]
    ),
    st.text(max_size=8).map(as_toml),
)  # fmt: skip
KEYS = st.one_of(
    st.sampled_from([name for section in Table.model_fields.values() if hasattr(section.default, "model_fields_set")
                     for name in type(section.default).model_fields]),
    st.sampled_from([*Table.model_fields, *WRITTEN, "button", "lamp", "name", "hold_ms", "rounds"]),
    st.text("abcdefghij_-", min_size=1, max_size=6),
)  # fmt: skip
SECTIONS = st.sampled_from(
    [*Table.model_fields, "seats.1", "seats.2", "seats.3", "seats.14", "options.toy", "options.x"]
)


@given(
    st.lists(st.tuples(SECTIONS, st.dictionaries(KEYS, VALUES, max_size=4)), max_size=5), st.dictionaries(KEYS, VALUES)
)
@settings(max_examples=200)
def test_no_file_of_keys_and_values_ends_in_anything_but_a_config_or_problems(
    sections: list[tuple[str, dict[str, str]]], top: dict[str, str]
) -> None:
    lines = [f"{key} = {value}" for key, value in top.items()]
    for name, keys in sections:
        lines += [f"[{name}]", *(f"{key} = {value}" for key, value in keys.items())]
    found = outcome("\n".join(lines))
    if not isinstance(found, Config):
        assert_sound(found)


@given(st.text())
@settings(max_examples=60)
def test_no_text_ends_in_anything_but_a_config_or_problems(text: str) -> None:
    found = outcome(text)
    if not isinstance(found, Config):
        assert_sound(found)


SEAT = st.tuples(st.integers(0, 29), st.one_of(st.none(), st.integers(0, 29)))


@given(
    st.lists(SEAT, min_size=2, max_size=13),
    st.sets(st.sampled_from(sorted(BUSES))),
    st.sampled_from(["", "/dev/serial0", "/dev/serial/by-id/x"]),
)
@settings(max_examples=200)
def test_lines_are_accepted_exactly_when_each_is_free_and_used_once(
    seats: list[tuple[int, int | None]], buses: set[str], port: str
) -> None:
    text = f"buses = {as_toml(sorted(buses))}\n[buttons]\nsource = 'gpio'\n"
    text += f"[reader]\nkind = 'rdm6300'\nport = '{port}'\n" if port else ""
    for number, (button, lamp) in enumerate(seats, 1):
        text += f"[seats.{number}]\nbutton = {button}\n" + (f"lamp = {lamp}\n" if lamp is not None else "")
    needed = {line for bus in buses for line in BUSES[bus]} | ({14, 15} if port == "/dev/serial0" else set())
    used = [line for seat in seats for line in seat if line is not None]
    good = [line in HEADER_LINES and line not in needed for line in used]
    found = outcome(text)
    if all(good) and len(set(used)) == len(used):
        assert isinstance(found, Config)
        assert [(seat.button, seat.lamp) for seat in found.seats] == seats
    else:
        assert not isinstance(found, Config)
        repeats = sum(times - 1 for line, times in Counter(used).items() if line in HEADER_LINES)
        firsts = len({line for line in used if line in needed})
        strange = sum(line not in HEADER_LINES for line in used)
        assert len(found) == repeats + firsts + strange
        assert_sound(found)


FAULTS: dict[str, tuple[str, str]] = {
    "speed": ("", 'speed = "fast"'),
    "buttons.pull": ("buttons", "pull = 1"),
    "lamps.active_high": ("lamps", "active_high = 1"),
    "reader.kind": ("reader", 'kind = "x"'),
    "screen.turn": ("screen", "turn = 1"),
    "sound.volume": ("sound", "volume = -1"),
    "timing.tie_ms": ("timing", "tie_ms = 501"),
    "journal.keep_days": ("journal", "keep_days = true"),
    "attendant.pin": ("attendant", 'pin = ""'),
    "options.toy.rounds": ("options.toy", "rounds = 10"),
    "seats.2.hold_ms": ("seats.2", "hold_ms = 1"),
    "seats.7.lamp": ("seats.7", "lamp = 1"),
}


@given(st.sets(st.sampled_from(sorted(FAULTS))))
@settings(max_examples=60)
def test_any_set_of_faults_is_reported_whole(keys: set[str]) -> None:
    lines = [FAULTS[key][1] for key in keys if not FAULTS[key][0]] + ['plan = "8-gpio"']
    for key in keys:
        section, line = FAULTS[key]
        lines += [f"[{section}]", line] if section else []
    found = outcome("\n".join(lines))
    assert {problem.key for problem in found} == keys if not isinstance(found, Config) else not keys


@given(st.sampled_from(plan_names()), st.integers(0, 100), st.sampled_from(["en", "de", "es"]), st.text(max_size=20))
@settings(max_examples=60)
def test_what_show_prints_says_the_same_when_it_is_read_again(plan: str, volume: int, language: str, name: str) -> None:
    text = f'plan = "{plan}"\n[sound]\nvolume = {volume}\n[screen]\nlanguage = "{language}"\n[panel]\nport = "/dev/p"\n'
    text += f"[seats.1]\nname = {as_toml(name)}\n"
    first = outcome(text)
    if not isinstance(first, Config):
        assert {problem.key for problem in first} <= {"seats.1.name", ""} or first[0].key.startswith("line ")
        return
    lines = [f"{each.key} = {each.value}" for each in first.settings if each.value and each.key != "state"]
    again = outcome("\n".join(sorted(lines, key=lambda line: line.split(" = ")[0].count("."))))
    assert isinstance(again, Config)
    values = {each.key: each.value for each in first.settings}
    assert {each.key: each.value for each in again.settings if each.key in values and each.key != "state"} == {
        key: value for key, value in values.items() if key != "state"
    }


def test_the_faults_above_are_faults() -> None:
    values: Any = FAULTS.values()
    assert all(
        isinstance(outcome("\n".join([f"[{section}]" * bool(section), line])), tuple) for section, line in values
    )
