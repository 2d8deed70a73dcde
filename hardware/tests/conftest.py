"""The drawing tools' tests run in hardware/.venv, where neither package is installed."""

import sys
from pathlib import Path

HARDWARE = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(HARDWARE), str(HARDWARE.parent / "controller")]
