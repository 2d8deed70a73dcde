"""The core is pure: what it may import, and what it may never call. One list, checked against every file of it."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "controller" / "doubtable"
PYPROJECT = Path(__file__).parents[1] / "pyproject.toml"

# Of the standard library: nothing that reads, writes, waits, tells the time, draws lots or starts a thread.
ALLOWED = {
    *("__future__", "abc", "bisect", "collections", "collections.abc", "copy", "decimal", "enum", "functools", "heapq"),
    *("itertools", "math", "operator", "typing"),
    *("msgspec", "msgspec.structs"),
}
FORBIDDEN_CALLS = {"open", "print", "input", "exec", "eval", "compile", "__import__", "breakpoint"}


def core_names() -> list[str]:
    """The core's modules as pyproject.toml lists them."""
    contracts = tomllib.loads(PYPROJECT.read_text())["tool"]["importlinter"]["contracts"]
    found: list[str] = contracts[0]["source_modules"]
    return [name.removeprefix("doubtable.") for name in found]


def core_files() -> list[Path]:
    names = core_names()
    return [
        path
        for name in names
        for path in ([PACKAGE / f"{name}.py"] if (PACKAGE / f"{name}.py").exists() else (PACKAGE / name).rglob("*.py"))
    ]


def imports(path: Path) -> Iterator[str]:
    """Every module that the file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name}: a relative import"
            yield str(node.module)
            if node.module == "doubtable":
                yield from (f"doubtable.{alias.name}" for alias in node.names)


def is_core(module: str) -> bool:
    return module == "doubtable" or module.removeprefix("doubtable.").split(".")[0] in core_names()


@pytest.mark.parametrize("path", core_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_core_imports_no_io_clock_random_or_thread(path: Path) -> None:
    strange = [name for name in imports(path) if name not in ALLOWED and not is_core(name)]
    assert strange == []


@pytest.mark.parametrize("path", core_files(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_the_core_opens_and_prints_nothing(path: Path) -> None:
    calls = [node.func for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
    assert [each.id for each in calls if isinstance(each, ast.Name) and each.id in FORBIDDEN_CALLS] == []


def test_the_list_of_the_core_has_all_that_the_table_needs() -> None:
    """Whatever table.py and view.py load of the package is on the list, so none of it goes unchecked."""
    program = (
        "import sys, doubtable.table, doubtable.view; print(*[m for m in sys.modules if m.startswith('doubtable.')])"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert [module for module in loaded if not is_core(module)] == []


def test_the_check_can_fail(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text("def f():\n    import time\n    from random import Random\n    from doubtable import app\n")
    assert [name for name in imports(bad) if name not in ALLOWED and not is_core(name)] == [
        "time",
        "random",
        "doubtable.app",
    ]


def test_help_needs_no_library() -> None:
    """`doubtable --help` answers at once: no library of hardware, drawing or checking is loaded for it."""
    program = (
        "import sys; from doubtable.cli import parser; parser().format_help(); "
        "print(*[m for m in ('pygame', 'pydantic', 'gpiozero', 'gpiod', 'serial', 'msgspec') if m in sys.modules])"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert loaded == []
