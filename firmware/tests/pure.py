"""Checks of the pure modules that run alike on a computer's Python and on MicroPython: no pytest, no typing.

python pure.py        micropython pure.py        (with the folder above on the path; a name runs that check alone)
"""

import sys

import pure_frames
import pure_link
import pure_outbox
import pure_ring

CHECKS = {}
for module in (pure_frames, pure_ring, pure_outbox, pure_link):
    for name in dir(module):
        if name.startswith("check_"):
            assert name not in CHECKS, name  # of two checks with one name only one would run
            CHECKS[name] = getattr(module, name)


def main(names):
    for name in names or sorted(CHECKS):
        CHECKS[name]()
        print("ok", name)


if __name__ == "__main__":
    main(sys.argv[1:])
