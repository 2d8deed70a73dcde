"""The build guide: every link and picture is there, every step ends with a test, and it agrees with what is made."""

import re
import shlex
from pathlib import Path

import pytest

from doubtable.cli import parser
from doubtable.doctor.examination import SECTIONS
from workshop.from_files import read_lists
from workshop.layout import layout, screen_inches

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "build"
PAGES = sorted(GUIDE.glob("*.md"))
STEPS = sorted(GUIDE.glob("[0-9]-*.md"))
MADE = sorted((ROOT / "hardware" / "out").glob("*/README.md"))


@pytest.mark.parametrize("page", [*PAGES, *MADE], ids=lambda page: f"{page.parent.name}/{page.name}")
def test_links_and_pictures_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)]+)\)", text)
    for target in targets:
        file, _, heading = target.partition("#")
        there = (page.parent / file).resolve() if file else page
        assert there.is_file(), f"{page.name} points to {target}"
        if heading:
            headings = re.findall(r"^#+ (.+)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {name.lower().replace(" ", "-") for name in headings}, target


@pytest.mark.parametrize("page", STEPS, ids=lambda page: page.name)
def test_every_step_has_a_picture_and_ends_with_a_test(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "![" in text
    assert re.search(r"^## Test", text, re.MULTILINE)


def commands(text: str) -> list[list[str]]:
    """What stands on a page as a command of ours, in a line of its own or within a sentence; without the program."""
    found = re.findall(r"^ {4,}doubtable (.+)$|`doubtable ([^`]+)`", text, re.MULTILINE)
    return [shlex.split(line or words, comments=True) for line, words in found]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_is_one_that_the_program_takes(page: Path) -> None:
    for words in commands(page.read_text(encoding="utf-8")):
        given = vars(parser().parse_args(words))  # a command that is none exits
        if words[0] == "doctor":
            assert set(given["only"]) <= set(SECTIONS), words


def test_a_command_that_is_none_is_found() -> None:
    assert commands("Ask:\n\n    doubtable doctor --only chip  # the board\n\nor `doubtable demo`.") == [
        ["doctor", "--only", "chip"],
        ["demo"],
    ]
    with pytest.raises(SystemExit):
        parser().parse_args(["doctor", "--onyl", "chip"])


def test_every_step_that_wires_something_asks_the_doctor() -> None:
    asked = {
        page.stem: [words[-1] for words in commands(page.read_text(encoding="utf-8")) if words[0] == "doctor"]
        for page in STEPS
    }
    for step, sections in {
        "1-pi": ["chip", "supply"],
        "2-board": ["buttons", "lamps", "panel"],
        "5-seats": ["buttons", "lamps"],
        "6-reader": ["reader"],
        "8-screen": ["screen", "sound"],
    }.items():
        assert set(sections) <= set(asked[step]), step


def test_every_step_is_in_the_list() -> None:
    text = (GUIDE / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in STEPS] == re.findall(r"\((\d-[^)]+\.md)\)", text)


def test_the_tables_sizes_are_those_of_the_layout() -> None:
    rows = re.findall(r"^\| (\d+) \| (\d+) inches \| (\w+), ([\d x]+) cm \|$", (GUIDE / "4-table.md").read_text(), re.M)
    assert len(rows) == 4
    for seats, inches, shape, size in rows:
        table = layout(int(seats))
        assert int(inches) == screen_inches(int(seats))
        assert shape == ("oblong" if table.straight else "round")
        wanted = f"{table.length / 10:.0f}" + (f" x {table.width / 10:.0f}" if table.straight else "")
        assert size == wanted


def test_the_guide_names_the_values_that_were_checked() -> None:
    board = (GUIDE / "2-board.md").read_text(encoding="utf-8")
    values = read_lists().builds
    circuit, cable = values["circuit"], values["cable"]
    for words in (
        f"| {circuit['pull_up_ohm'] / 1000:g} kΩ to 3.3 V |",
        f"| {circuit['series_ohm']} Ω |",
        f"| {circuit['filter_nf']} nF |",
        f"cables over {cable['plain_m']:g} m",
    ):
        assert words in board
    assert f"cables up to {cable['filtered_m']:g} m" in (GUIDE / "README.md").read_text(encoding="utf-8")
