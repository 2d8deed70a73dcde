"""Where the table keeps what it writes."""

from collections.abc import Mapping
from pathlib import Path

from doubtable.config.written import Table


def state_directory(table: Table, environ: Mapping[str, str]) -> Path:
    """The state directory: as written, else the service's own ($STATE_DIRECTORY), else the user's (XDG)."""
    if table.state is not None:
        return Path(table.state)
    if environ.get("STATE_DIRECTORY"):
        return Path(environ["STATE_DIRECTORY"].split(":")[0])  # systemd may name several
    home = Path(environ.get("XDG_STATE_HOME") or Path(environ.get("HOME") or Path.home()) / ".local" / "state")
    return home / "doubtable"
