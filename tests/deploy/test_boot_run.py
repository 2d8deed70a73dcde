"""The boot test on a machine that cannot boot a container says so, and is not red; everything else that fails is."""

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = ROOT / "deploy" / "tests" / "run.sh"
THERE = ("mmdebstrap", "systemd-nspawn", "mkfs.ext4", "nsenter", "dpkg-deb", "mount", "umount", "unshare")
REFUSES = "echo 'Operation not permitted' >&2; exit 1"

pytestmark = pytest.mark.skipif(not (ROOT / ".venv").exists(), reason="the project's .venv is missing: make setup")


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder of programs that stand before the machine's own: a root on a machine that allows everything."""
    folder = tmp_path / "bin"
    folder.mkdir()
    put(folder, dict.fromkeys(THERE, "exit 0") | {"id": "echo 0", "mountpoint": "exit 1", "apt-get": "exit 1"})
    return folder


def put(folder: Path, scripts: Mapping[str, str]) -> None:
    for name, script in scripts.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)


def run(folder: Path, *before: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    rest = os.environ["PATH"] if path is None else path
    environ = {**os.environ, "PATH": f"{folder}:{rest}", "XDG_CACHE_HOME": str(folder / "cache")}
    command = [*before, "bash", str(RUN)]
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)


def test_a_machine_that_refuses_everything_has_not_run_it(programs: Path) -> None:
    put(programs, dict.fromkeys(("unshare", "mount", "systemd-nspawn"), REFUSES))
    done = run(programs)
    said = done.stdout.splitlines()
    assert done.returncode == 0, done.stderr
    assert said[-1] == "deploy test: NOT RUN"
    assert said[1:4] == [
        "  - namespaces of its own: Operation not permitted",
        "  - the mount of a file as a disk: Operation not permitted",
        "  - a container: Operation not permitted",
    ]
    assert "How to get it: run it as root on a machine of its own" in said[4]


@pytest.mark.parametrize("name", ["unshare", "mount", "systemd-nspawn"])
def test_each_of_them_is_tried_by_itself(name: str, programs: Path) -> None:
    put(programs, {name: REFUSES})
    done = run(programs)
    refused = [line for line in done.stdout.splitlines() if line.startswith("  - ")]
    assert (done.returncode, len(refused), done.stdout.splitlines()[-1]) == (0, 1, "deploy test: NOT RUN")


@pytest.mark.skipif(os.geteuid() != 0, reason="not root: there is no capability to give away")
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv is missing: apt install util-linux")
def test_a_root_without_the_capability_is_refused_by_the_kernel(programs: Path) -> None:
    for name in ("unshare", "mount", "umount", "id", "mountpoint"):
        (programs / name).unlink()  # the machine's own
    done = run(programs, "setpriv", "--bounding-set", "-sys_admin", "--inh-caps", "-sys_admin")
    assert done.returncode == 0, done.stderr
    assert "  - namespaces of its own: unshare" in done.stdout
    assert "  - a container" not in done.stdout  # the one that stands in for it refuses nothing
    assert done.stdout.endswith("deploy test: NOT RUN\n")


def test_whoever_is_not_root_is_told_so_and_it_fails(programs: Path) -> None:
    put(programs, {"id": "echo 1000"})
    done = run(programs)
    assert (done.returncode, done.stderr) == (1, "deploy test: boots a container: run it as root\n")


def test_packages_that_cannot_be_fetched_are_a_failure(programs: Path) -> None:
    (programs / "mmdebstrap").unlink()
    for name in ("bash", "dirname", "mktemp", "rm", "sh"):
        (programs / name).symlink_to(str(shutil.which(name)))
    done = run(programs, path="")
    assert (done.returncode, done.stderr) == (1, "deploy test: apt-get could not fetch its lists\n")
    assert "NOT RUN" not in done.stdout


def test_a_root_that_cannot_be_made_is_a_failure(programs: Path) -> None:
    put(programs, {"mmdebstrap": "exit 1"})
    done = run(programs)
    assert (done.returncode, done.stderr) == (1, "deploy test: mmdebstrap could not make a Debian 13 root\n")
    assert "NOT RUN" not in done.stdout
