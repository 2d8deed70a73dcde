"""Where a table's files are when nobody names them: its table.toml, and the folder of its socket."""

from collections.abc import Mapping
from pathlib import Path

TABLE_FILE = "table.toml"
INSTALLED = Path("/etc/doubtable") / TABLE_FILE
SERVICE_RUNTIME = Path("/run/doubtable")
SERVICE_STATE = Path("/var/lib/doubtable")
SOCKET = "desk.sock"


def here() -> Path:
    """The folder that one works in; a nameless one where it has been deleted meanwhile."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path()


def table_file(given: Path | None, here: Path, installed: Path = INSTALLED) -> Path | None:
    """The table.toml that was named, else the one in the folder ``here``, else the installed one, else None."""
    if given is not None:
        return given
    return next((path for path in (here / TABLE_FILE, installed) if path.is_file()), None)


def environment(table: Path | None, environ: Mapping[str, str]) -> Mapping[str, str]:
    """``environ`` as the service has it when ``table`` is the installed file: its decks are in the service's folder."""
    return {"STATE_DIRECTORY": str(SERVICE_STATE), **environ} if table == INSTALLED else environ


def runtime_directory(state: Path, environ: Mapping[str, str]) -> Path:
    """Where a running table puts its socket: the service's own folder, else the user's, else the state directory."""
    if environ.get("RUNTIME_DIRECTORY"):
        return Path(environ["RUNTIME_DIRECTORY"].split(":")[0])  # systemd may name several
    if environ.get("XDG_RUNTIME_DIR"):
        return Path(environ["XDG_RUNTIME_DIR"]) / "doubtable"
    return state


def sockets(state: Path, environ: Mapping[str, str], root: Path = Path("/")) -> tuple[Path, ...]:
    """Where the socket of a running table may be below ``root``, the likeliest first: of this user, or of a service."""
    folders = (runtime_directory(state, environ), SERVICE_RUNTIME, state)
    return tuple(dict.fromkeys(root / folder.relative_to("/") / SOCKET for folder in folders))
