"""What the process holds of the machine's memory.

glibc keeps what a program frees, between pieces that are in use, for later. A table that draws other letters and shapes
with each game would hold more after every evening though it uses no more; malloc_trim(3) gives that back, in 1 to 2 ms.
"""

import ctypes

_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's own; other C libraries have none


def give_back() -> None:
    """What is free goes back to the machine, where the C library can be told to."""
    if _trim is not None:
        _trim(0)
