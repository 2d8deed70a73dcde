"""The build guide: every link and picture is there, every step ends with a test, and it agrees with what is made."""

import re
from pathlib import Path

import pytest

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
