"""A table in a process of its own, to be killed. Run as a program: a nursery that forks one child for each line.

A line is JSON: where the journal lies, the seed, and the pipe into which the child writes every view that its screen
shows as saved, as it is shown: input number, tab, fact. The nursery answers with the child's pid.
"""

import json
import os
import sys
from pathlib import Path

from doubtable.view import View
from journal.evening import Evening, Virtual, fact


def play(path: Path, seed: int, pipe: Path, boot: str) -> None:
    """Go on with whatever the journal holds, and play until somebody kills us."""
    out = os.open(pipe, os.O_WRONLY)
    written = [-1]

    def seen(view: View) -> None:
        if view.number != written[0]:
            written[0] = view.number
            os.write(out, f"{view.number}\t{fact(view)}\n".encode())

    evening = Evening(path, seed, machine=Virtual(seed * 1_000_000_000, boot), seen=seen)
    assert evening.journal is not None
    if evening.recovered.waiting is not None:
        evening.go_on()
    for number in evening.play(1_000_000):
        if number % 3:  # virtual time is so fast that the screen would seldom see a view that is saved
            evening.journal.flush()
            evening.app.show()


def main() -> None:
    """Fork a child for every line that comes."""
    for line in sys.stdin:
        order = json.loads(line)
        pid = os.fork()
        if pid == 0:
            play(Path(order["path"]), order["seed"], Path(order["pipe"]), order["boot"])
            os._exit(1)
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()
        os.waitpid(pid, 0)
        sys.stdout.write("gone\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
