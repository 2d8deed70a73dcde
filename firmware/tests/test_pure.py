"""The pure modules on both interpreters: what runs on the panel is what was tested."""

import subprocess

import pytest

import pure
from conftest import FIRMWARE, PANEL

PURE = ("frames", "protocol", "outbox", "ring", "link")
HARDWARE = ("machine", "rp2", "micropython", "uctypes")


@pytest.mark.parametrize("name", sorted(pure.CHECKS))
def test_on_this_python(name: str) -> None:
    pure.CHECKS[name]()


@pytest.fixture(scope="session")
def on_micropython(micropython: str) -> set[str]:
    """The checks that went well there."""
    done = subprocess.run(
        [micropython, str(FIRMWARE / "tests" / "pure.py")],
        env={"MICROPYPATH": f"{FIRMWARE}:.frozen"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    passed = {line.removeprefix("ok ") for line in done.stdout.splitlines()}
    if done.returncode:
        passed.add(done.stdout[-500:] + done.stderr)
    return passed


@pytest.mark.parametrize("name", sorted(pure.CHECKS))
def test_on_micropython(name: str, on_micropython: set[str]) -> None:
    assert name in on_micropython, on_micropython - pure.CHECKS.keys() or "an earlier check failed"


@pytest.mark.parametrize("name", PURE)
def test_pure_modules_know_no_hardware(name: str) -> None:
    source = (PANEL / f"{name}.py").read_text()
    assert not [line for line in source.splitlines() for module in HARDWARE if f"import {module}" in line]
