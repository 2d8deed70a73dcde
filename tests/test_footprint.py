"""What the C library keeps for later is given back, seen in what the kernel says this process holds."""

import ctypes
import os
from pathlib import Path

import pytest

from doubtable.footprint import give_back

PIECES, PIECE = 600, 100_000  # bytes: below what glibc maps, and unmaps, by itself
STATM = Path("/proc/self/statm")


def resident() -> int:
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="needs glibc: Linux, but not musl")
def test_what_is_free_between_pieces_in_use_is_given_back() -> None:
    libc = ctypes.CDLL(None)
    libc.malloc.restype, libc.malloc.argtypes = ctypes.c_void_p, [ctypes.c_size_t]
    libc.free.restype, libc.free.argtypes = None, [ctypes.c_void_p]
    pieces = [libc.malloc(PIECE) for _ in range(PIECES)]
    for piece in pieces:
        ctypes.memset(piece, 1, PIECE)
    for piece in pieces[:-1]:
        libc.free(piece)
    before = resident()
    give_back()
    given = before - resident()
    libc.free(pieces[-1])
    assert given > PIECES * PIECE // 2
