"""A process that answers in time: what a table asks of Linux and of Python while it is played at."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SLACK = 1_000  # ns
TURN = 0.0005  # s
TIMER_SLACK = Path("/proc/self/timerslack_ns")


@contextmanager
def promptly() -> Iterator[None]:
    """Within it nothing that need not be keeps the main thread waiting; afterwards everything is as it was.

    - A wait of the main thread ends at most SLACK late. Linux takes 50 us, to spare current (PR_SET_TIMERSLACK in
      prctl(2)); where that cannot be set it stays so.
    - Threads take turns of TURN. Python's 5 ms are how long the thread that reads edges waits for the one that plays.
    - What is loaded by now stays: the collector goes through it no more, which takes 10 ms on a processor of 1,000
      million instructions a second.

    Main thread only.
    """
    turn, slack = sys.getswitchinterval(), ""
    with suppress(OSError):
        slack = TIMER_SLACK.read_text()
        TIMER_SLACK.write_text(str(SLACK))
    sys.setswitchinterval(TURN)
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        sys.setswitchinterval(turn)
        if slack:
            TIMER_SLACK.write_text(slack)
