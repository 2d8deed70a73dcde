"""A plan that makes no electrical sense is refused: nothing is made, and the line names plan, place and way out."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_a_wrong_value_stops_the_build(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "hardware", tmp_path / "hardware", ignore=shutil.ignore_patterns(".venv", "out", "tests"))
    (tmp_path / "controller").symlink_to(ROOT / "controller")
    builds = tmp_path / "hardware" / "builds.toml"
    right = builds.read_text(encoding="utf-8")
    builds.write_text(right.replace("series_ohm = 330", "series_ohm = 1000"), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, str(tmp_path / "hardware" / "build.py"), "--to", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    wrong = "13-gpio with rdm6300: low_level: fault: seat 1 on line 2: 1.19 V while pressed (allowed: 0.60 V); "
    assert wrong + "a smaller series resistor (330 Ohm), or another line" in run.stderr
    assert "Traceback" not in run.stderr
    assert not (tmp_path / "hardware" / "out").exists()
