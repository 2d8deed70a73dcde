"""The docs say what the program does: keys, plans, and examples that pass the check."""

import re
from pathlib import Path

import pytest

import doubtable.devices
from config.conftest import Problems
from config.written_docs import DOCS, MADE, PARTS, anew
from doubtable.config.reference import entries
from doubtable.config.written import TIME_TEXTS
from doubtable.timing import WRITTEN, Timing

PAGES = ["configuration.md", "hardware-setup.md"]


@pytest.mark.parametrize("page", PAGES)
def test_the_made_parts_are_as_the_program_has_them(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    assert PARTS.search(text)
    assert text == anew(text), "run: .venv/bin/python tests/config/written_docs.py"


def test_every_made_part_has_its_page() -> None:
    found = [name for page in PAGES for _, name, _ in PARTS.findall((DOCS / page).read_text(encoding="utf-8"))]
    assert sorted(found) == sorted(MADE)


@pytest.mark.parametrize("page", PAGES)
def test_every_example_of_a_table_toml_passes_the_check(page: str, problems: Problems) -> None:
    examples = re.findall(r"```toml\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    assert examples
    for example in examples:
        assert [line for line in problems(example) if not line.startswith("options.")] == []


def test_every_key_says_what_it_is_for() -> None:
    found = list(entries())
    assert len({(entry.section, entry.key) for entry in found}) == len(found)
    for entry in found:
        assert entry.about
        assert entry.values
        assert entry.example, f"{entry.section}.{entry.key} has neither default nor example"


def test_every_time_has_its_text_and_no_other() -> None:
    assert list(TIME_TEXTS) == list(WRITTEN)
    derived = {name for name, (field, *_) in WRITTEN.items() if getattr(Timing(), field) <= 0} | {"doubt_ms"}
    assert {name for name, (_, default) in TIME_TEXTS.items() if default} == derived


@pytest.mark.parametrize(
    "message",
    [
        "this machine has no GPIO chip", "not there (found: ", "may not be opened by this user", "may not be used",
        "held already: ", "an older generation with another interface", "the port is open but no reader answers",
        "lgpio keeps a pipe in its working directory, and ", "the installed lgpio is the empty release 0.0.0.2",
        "another program has it open",
    ],
)  # fmt: skip
def test_the_messages_that_are_explained_are_those_of_the_devices(message: str) -> None:
    files = [file for folder in doubtable.devices.__path__ for file in Path(folder).glob("*.py")]
    assert any(message in file.read_text(encoding="utf-8") for file in files)
    assert message in (DOCS / "hardware-setup.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!http)([^)#]+)", text):
        assert (DOCS / target).exists(), target
