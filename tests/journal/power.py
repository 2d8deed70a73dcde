"""A disk that remembers what it was told, so that a test can pull the plug at any moment of it.

A SIGKILL loses nothing that was written: the kernel has it. A power cut loses what was not synced. So this lays a thin
layer (a "VFS", by SQLite's own interface) under the very SQLite that Python uses: every write, truncation, sync and
deletion goes through to the real file and into a list. `Disk.image` then builds the files as they would be found after
a cut behind any entry of the list: what was synced, and of the rest nothing, or any part of it in any order.

The layer can also refuse writes (a full disk) and hold up syncs (a slow card).
"""

import _sqlite3
import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

OK, IOERR_WRITE, FULL = 0, 778, 13
P = ctypes.c_void_p
XOPEN = ctypes.CFUNCTYPE(ctypes.c_int, P, P, P, ctypes.c_int, P)
XDELETE = ctypes.CFUNCTYPE(ctypes.c_int, P, ctypes.c_char_p, ctypes.c_int)
XCLOSE = ctypes.CFUNCTYPE(ctypes.c_int, P)
XWRITE = ctypes.CFUNCTYPE(ctypes.c_int, P, P, ctypes.c_int, ctypes.c_int64)
XTRUNCATE = ctypes.CFUNCTYPE(ctypes.c_int, P, ctypes.c_int64)
XSYNC = ctypes.CFUNCTYPE(ctypes.c_int, P, ctypes.c_int)


class Vfs(ctypes.Structure):
    """struct sqlite3_vfs, version 3 (sqlite3.h); only what is replaced has a name of its own."""

    _fields_ = [
        ("version", ctypes.c_int),
        ("size", ctypes.c_int),
        ("path_size", ctypes.c_int),
        ("next", P),
        ("name", ctypes.c_char_p),
        ("data", P),
        ("open", P),
        ("delete", P),
        ("rest", P * 13),
    ]


class Methods(ctypes.Structure):
    """struct sqlite3_io_methods, version 3."""

    _fields_ = [
        ("version", ctypes.c_int),
        ("close", P),
        ("read", P),
        ("write", P),
        ("truncate", P),
        ("sync", P),
        ("rest", P * 13),
    ]


class File(ctypes.Structure):
    """struct sqlite3_file: its first member."""

    _fields_ = [("methods", ctypes.POINTER(Methods))]


class Op(NamedTuple):
    """What the disk was told: open, write, truncate, sync, delete; or what a test notes in between."""

    what: str
    name: str
    at: int = 0
    data: bytes = b""


MADE: list["Disk"] = []  # SQLite keeps pointers into each as long as a connection lives, so none is ever freed


class Disk:
    """The layer. ``ops``: all it was told, in order. ``full``: refuses writes. ``before_sync`` is called at each.

    ``refused`` is set when it has refused a write.
    """

    def __init__(self, library: ctypes.CDLL) -> None:
        self.ops: list[Op] = []
        self.full = False
        self.refused = threading.Event()
        MADE.append(self)
        self.before_sync: Callable[[], None] = lambda: None
        self._lib = library
        library.sqlite3_vfs_find.restype = ctypes.POINTER(Vfs)
        library.sqlite3_vfs_find.argtypes = [ctypes.c_char_p]
        library.sqlite3_vfs_register.argtypes = [ctypes.POINTER(Vfs), ctypes.c_int]
        library.sqlite3_vfs_unregister.argtypes = [ctypes.POINTER(Vfs)]
        self._real = library.sqlite3_vfs_find(None)
        self._open, self._delete = XOPEN(self._real.contents.open), XDELETE(self._real.contents.delete)
        self._files: dict[int, tuple[str, Methods]] = {}  # by address: name and the real methods
        self._kept: list[object] = []  # what SQLite holds pointers to
        self._vfs = Vfs.from_buffer_copy(self._real.contents)
        self._vfs.name = b"remembering"
        opens, deletes = XOPEN(self._x_open), XDELETE(self._x_delete)
        self._vfs.open, self._vfs.delete = (ctypes.cast(each, P).value for each in (opens, deletes))
        self._hooks = (XCLOSE(self._x_close), XWRITE(self._x_write), XTRUNCATE(self._x_truncate), XSYNC(self._x_sync))
        self._kept += [opens, deletes, *self._hooks]

    def install(self) -> None:
        """Every connection that is opened from now on goes through this layer."""
        assert self._lib.sqlite3_vfs_register(ctypes.byref(self._vfs), 1) == OK

    def remove(self) -> None:
        """The system's own way again."""
        assert self._lib.sqlite3_vfs_unregister(ctypes.byref(self._vfs)) == OK
        assert self._lib.sqlite3_vfs_register(self._real, 1) == OK

    def note(self, what: str, at: int) -> None:
        """Something that happened in between, for the test."""
        self.ops.append(Op(what, "", at))

    # What SQLite calls ----------------------------------------------------------------------------------------------

    def _x_open(self, vfs: int, name: int, file: int, flags: int, out: int) -> int:
        result = self._open(ctypes.cast(self._real, P), name, file, flags, out)
        if result == OK and name:
            path = Path(os.fsdecode(ctypes.string_at(name))).name
            real = ctypes.cast(file, ctypes.POINTER(File)).contents
            self._files[file] = (path, Methods.from_buffer_copy(real.methods.contents))
            ours = Methods.from_buffer_copy(real.methods.contents)
            ours.close, ours.write, ours.truncate, ours.sync = (ctypes.cast(each, P).value for each in self._hooks)
            self._kept.append(ours)
            real.methods = ctypes.pointer(ours)
            self.ops.append(Op("open", path))
        return int(result)

    def _x_delete(self, vfs: int, name: bytes, sync: int) -> int:
        self.ops.append(Op("delete", Path(os.fsdecode(name)).name))
        return int(self._delete(ctypes.cast(self._real, P), name, sync))

    def _x_close(self, file: int) -> int:
        _, real = self._files.pop(file)
        return int(XCLOSE(real.close)(file))

    def _x_write(self, file: int, data: int, size: int, at: int) -> int:
        if self.full:
            self.refused.set()
            return FULL
        name, real = self._files[file]
        self.ops.append(Op("write", name, at, ctypes.string_at(data, size)))
        return int(XWRITE(real.write)(file, data, size, at))

    def _x_truncate(self, file: int, size: int) -> int:
        name, real = self._files[file]
        self.ops.append(Op("truncate", name, size))
        return int(XTRUNCATE(real.truncate)(file, size))

    def _x_sync(self, file: int, flags: int) -> int:
        self.before_sync()
        name, real = self._files[file]
        result = int(XSYNC(real.sync)(file, flags))
        self.ops.append(Op("sync", name))
        return result


def image(ops: list[Op], folder: Path, random: Random | None = None) -> None:
    """Write the files into ``folder`` as a cut behind the last of ``ops`` leaves them.

    Without ``random`` nothing of what was not synced is there; with it any part, in any order, the last write torn.
    A file is there from its first sync on: SQLite then syncs the folder too.
    """
    lasting: dict[str, bytearray] = {}
    pending: dict[str, list[Op]] = {}
    for op in ops:
        if op.what in ("write", "truncate"):
            pending.setdefault(op.name, []).append(op)
        elif op.what == "sync":
            data = lasting.setdefault(op.name, bytearray())
            for each in pending.pop(op.name, []):
                _apply(data, each)
        elif op.what == "delete":
            lasting.pop(op.name, None)
            pending.pop(op.name, None)
    if random is not None:
        for name, rest in pending.items():
            if name in lasting:
                for each in random.sample(rest, random.randrange(len(rest) + 1)):
                    cut = random.randrange(len(each.data) + 1) if random.randrange(4) == 0 else len(each.data)
                    _apply(lasting[name], each._replace(data=each.data[:cut]))
    for name, data in lasting.items():
        (folder / name).write_bytes(data)


def _apply(data: bytearray, op: Op) -> None:
    if op.what == "truncate":
        del data[op.at :]
        return
    if len(data) < op.at:
        data.extend(bytes(op.at - len(data)))
    data[op.at : op.at + len(op.data)] = op.data


def library() -> ctypes.CDLL | None:
    """The SQLite that Python's sqlite3 uses, if it is a library of its own; None when it is built into the module."""
    for found in mapped_libraries():
        if "sqlite3" in Path(found).name and found != _sqlite3.__file__:
            return ctypes.CDLL(found)
    return None


def mapped_libraries() -> Iterator[str]:
    """Files mapped into this process (Linux)."""
    maps = Path("/proc/self/maps")
    seen = set()
    for line in maps.read_text().splitlines() if maps.exists() else []:
        path = line.partition("/")
        if path[1] and path[2] not in seen:
            seen.add(path[2])
            yield "/" + path[2]


@contextmanager
def remembering() -> Iterator[Disk]:
    """A disk under every connection that is opened meanwhile. LookupError where it cannot be laid."""
    found = library()
    if found is None:
        raise LookupError("Python's sqlite3 has SQLite built in: a layer under it needs libsqlite3 as a shared library")
    disk = Disk(found)
    disk.install()
    try:
        yield disk
    finally:
        disk.remove()
