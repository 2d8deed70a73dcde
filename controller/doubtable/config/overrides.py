"""Settings changed at the table: a small JSON file in the state directory, over table.toml, which is never rewritten.

A power cut may leave a file empty or half written. So every write goes to a new file, is synced, and takes the old
one's name; the settings before the last change stay beside it as the backup. A file that cannot be read is never a
reason not to start: the backup is used, the bad file is kept aside, a warning says so.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from doubtable import whole_file
from doubtable.config.problem import Problem

FILE = "settings.json"
BACKUP = "settings.backup.json"
ASIDE = ".damaged"
VERSION = 1
LIMIT = 1_000_000  # bytes; a true file has a few hundred


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    version: int
    settings: dict[str, Any]


class Overrides(msgspec.Struct, frozen=True):
    """Settings by key path ("sound.volume"), with what was wrong with their files."""

    settings: dict[str, Any] = {}
    warnings: tuple[Problem, ...] = ()
    damaged: tuple[Path, ...] = ()
    from_backup: bool = False


def read(state: Path) -> Overrides:
    """The settings of the state directory; nothing is changed there. No file means no settings."""
    warnings: list[Problem] = []
    damaged: list[Path] = []
    for name in (FILE, BACKUP):
        path = state / name
        try:
            settings = _parse(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            what = f"cannot be read: {(error.strerror or str(error)).lower()}"
            return Overrides({}, (*warnings, Problem(str(path), what, "look at its owner and mode")), tuple(damaged))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            damaged.append(path)
            warnings.append(Problem(str(path), f"is damaged: {_reason(path, error)}", _way_out(name)))
            continue
        if name == BACKUP and not warnings:
            warnings.append(Problem(str(state / FILE), "is missing", "the settings before the last change are used"))
        return Overrides(settings, tuple(warnings), tuple(damaged), from_backup=name == BACKUP)
    return Overrides({}, tuple(warnings), tuple(damaged))


def recover(state: Path, found: Overrides) -> None:
    """Keep damaged files aside under another name, and make the backup the settings again where it was used.

    Where that cannot be done (a read-only disk) all stays as it is: the settings in use are the same.
    """
    with suppress(OSError):
        for path in found.damaged:
            path.replace(path.with_name(path.name + ASIDE))
        if found.from_backup:
            write(state, found.settings)


def write(state: Path, settings: Mapping[str, Any]) -> None:
    """Store ``settings`` so that after a power cut either the old or the new ones are there. OSError if it fails."""
    state.mkdir(parents=True, exist_ok=True)
    current = state / FILE
    try:
        _parse(current)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        pass  # nothing worth a backup; the older backup is better than this
    else:
        whole_file.replace(state / BACKUP, current.read_bytes())
    text = json.dumps({"version": VERSION, "settings": dict(settings)}, indent=1, ensure_ascii=False, sort_keys=True)
    whole_file.replace(current, text.encode() + b"\n")


def _parse(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        data = file.read(LIMIT)
    found = msgspec.json.decode(data, type=_File)
    if found.version != VERSION:
        raise msgspec.ValidationError(f"its version is {found.version}, this program knows {VERSION}")
    return found.settings


def _reason(path: Path, error: Exception) -> str:
    return "it has 0 bytes" if path.stat().st_size == 0 else str(error)


def _way_out(name: str) -> str:
    return "the backup is used, the file is kept aside" if name == FILE else "table.toml alone counts"
