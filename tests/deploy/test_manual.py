"""The manual page has every command with what its --help says."""

import importlib.util
from pathlib import Path
from types import ModuleType

from doubtable.cli import parser

MANUAL = Path(__file__).parents[2] / "deploy" / "manual.py"


def loaded() -> ModuleType:
    spec = importlib.util.spec_from_file_location("manual", MANUAL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_command_is_there() -> None:
    page = "\n".join(loaded().manual(parser()))
    for command in ("play", "deck enrol", "config check", "doctor", "report"):
        assert f".SS doubtable {command}" in page
    assert "\\-\\-config" in page


def test_no_line_is_taken_for_a_request_of_troff() -> None:
    assert loaded().plain(".end\nof 'it'\n'so'") == "\\&.end\nof 'it'\n\\&'so'"
