"""What pip needs to build and install the project on Linux, as a requirements file."""

import sys
import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
sys.stdout.write("".join(f"{each.partition(';')[0].strip()}\n" for each in wanted))
