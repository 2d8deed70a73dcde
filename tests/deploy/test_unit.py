"""The unit and the files beside it: what must be in them, and what systemd says of them where it is installed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from doubtable.config import load
from doubtable.house_rules import check_options

DEPLOY = Path(__file__).parents[2] / "deploy"
UNIT = DEPLOY / "systemd" / "doubtable.service"


def values(key: str) -> list[str]:
    return [line.partition("=")[2] for line in UNIT.read_text().splitlines() if line.startswith(f"{key}=")]


def test_it_is_started_again_after_everything_and_for_ever() -> None:
    assert values("Restart") == ["always"]
    assert values("StartLimitIntervalSec") == ["0"]
    assert values("Type") == ["notify"]
    assert values("WatchdogSec") == ["5"]


def test_the_working_directory_is_one_that_it_may_write() -> None:  # F39
    assert values("WorkingDirectory") == [f"/run/{values('RuntimeDirectory')[0]}"]
    assert any(f"LG_WD=/run/{values('RuntimeDirectory')[0]}" in each for each in values("Environment"))


def test_its_user_may_open_what_a_table_has() -> None:
    groups = set(values("SupplementaryGroups")[0].split())
    assert groups == {"gpio", "dialout", "video", "render", "input", "audio"}
    made = (DEPLOY / "systemd" / "doubtable.sysusers").read_text().splitlines()
    assert groups <= {line.split()[1] for line in made if line.startswith("g ")}


def test_it_has_no_network_and_sees_the_boards_revision() -> None:
    assert "AF_INET" not in values("RestrictAddressFamilies")[0]
    assert values("ProcSubset") == []
    assert values("PrivateDevices") == []


def test_the_default_table_needs_no_hardware() -> None:
    config = load(DEPLOY / "table.toml", check_options)
    assert config.sources == ("simulated",)
    assert config.state == Path("/var/lib/doubtable")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is missing: apt install systemd")
def test_exposure() -> None:
    command = ["systemd-analyze", "security", "--offline=yes", "--threshold=15", "--no-pager", str(UNIT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "script", [*DEPLOY.glob("*.sh"), *DEPLOY.glob("debian/p*"), *DEPLOY.glob("debian/*.sh")], ids=lambda path: path.name
)
def test_scripts_are_shell_that_can_be_read(script: Path) -> None:
    subprocess.run(["sh", "-n", str(script)], check=True)


def test_a_dry_run_does_nothing() -> None:
    home = Path("/opt/doubtable")
    before = home.exists()
    command = ["sh", str(DEPLOY / "install.sh"), "--dry-run"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "systemd is missing" in done.stderr:
        pytest.skip("systemd is missing here")
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("nothing was done\n")
    assert home.exists() == before


def test_an_unknown_word_is_told() -> None:
    done = subprocess.run(["sh", str(DEPLOY / "install.sh"), "--all"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "install.sh: --all: known are --dry-run and --uninstall\n"


def test_read_only_root_takes_no_disk_that_is_none(tmp_path: Path) -> None:
    script = ["sh", str(DEPLOY / "read-only-root.sh")]
    nothing = subprocess.run(script, capture_output=True, text=True, check=False)
    assert (nothing.returncode, "name the partition" in nothing.stderr) == (2, True)
    file = subprocess.run([*script, str(tmp_path)], capture_output=True, text=True, check=False)
    assert (file.returncode, "is no partition" in file.stderr) == (2, True)
