"""Evening after evening in virtual time, through app, journal and a drawn screen: does anything pile up?

    python tests/journal/soak.py --games 1000 --settle 50

Every evening the journal is opened anew for some deals of one game, at one screen that stays; the next evening is the
next day. Prints one JSON object: what grew after the first ``--settle`` games in memory, threads and descriptors, and
what the journal takes. Memory is what the process holds, as ``top`` shows it, when it has given back what is free;
``resident`` is the most of it before that.
"""

import argparse
import gc
import json
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

from doubtable.footprint import give_back
from doubtable.inputs import Order
from doubtable.journal import Journal
from doubtable.journal.clock import Clocks
from doubtable.recovery import recover
from doubtable.screen.display import Display
from doubtable.screen.examples import examples
from doubtable.screen.table_screen import TableScreen
from doubtable.screen.words import Words
from doubtable.simulation import STALLED, Simulation, simulated_table
from doubtable.timing import S

DAY = 86_400 * S
BEGAN = 1_900_000_000 * S
KEEP_DAYS = 20
MOST_CLAIMS = 80  # a game that takes longer is cut off by the next deal
GAMES = (("rounds", 3), ("classic", 3), ("wrong-rank", 4), ("liar-poker", 3), ("classic", 5))


class Standing(TableScreen):
    """The table's screen under SDL's dummy driver; it stays open from evening to evening."""

    def __init__(self) -> None:
        super().__init__(Display((1024, 600), driver="dummy", full=False), Words())
        for seats in (3, 4, 5):  # what a screen keeps of letters and shapes is bounded: from here on it is full
            for _, view, ns in examples(seats):
                self.show(view, ns)

    def close(self) -> None:
        """Not before the last evening."""


def evening(
    path: Path, day: int, kinds: tuple[tuple[str, int], ...], deals: int, screen: Standing
) -> Iterator[Simulation]:
    """One start of the program; yields after every deal."""
    game, people = kinds[day % len(kinds)]
    table = simulated_table(game, people)
    started: list[Simulation] = []

    def mono() -> int:
        return started[0].ns if started else 0

    clocks = Clocks(f"boot-{day}", mono, lambda: BEGAN + day * DAY + mono(), lambda: True)
    journal = Journal(path, keep_days=KEEP_DAYS, clocks=clocks)
    recovered = recover(journal, table)
    assert recovered.waiting is None, "the evening before is over: its table was left more than 12 hours ago"
    simulation = Simulation(table, day, deals=deals, screen=screen)
    started.append(simulation)
    app = simulation.app
    app.journal, app.number = journal, recovered.number
    journal.set_origin(app.origin)
    try:
        for _ in range(deals):
            play(simulation, journal)
            journal.flush()
            yield simulation
    finally:
        simulation.close()


def play(simulation: Simulation, journal: Journal) -> None:
    """One game to its end; its people deal the next one. One that takes too many claims is cut off and dealt anew."""
    table, claims, since, steps = simulation.table, simulation.claims, simulation.ns, 0
    deals, until = table.state.tally.deals, simulation.claims + MOST_CLAIMS
    while table.state.tally.deals == deals:
        simulation.step()
        steps += 1
        if steps % 50 == 0:  # virtual time runs away from any disk
            journal.flush()
        if simulation.claims > claims:
            claims, since = simulation.claims, simulation.ns
        if simulation.claims >= until:
            simulation.people.deals -= 1
            simulation.app.deliver(Order(simulation.ns, "new_game"))
            simulation.step()
            return
        assert simulation.ns - since < STALLED, f"nobody does anything any more: {table.public()}"


def resident() -> int:
    """Bytes of memory this process holds (Linux)."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def open_files() -> int:
    return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - the listing itself is one of them, each time


def size(path: Path) -> int:
    """Bytes of the journal with its log."""
    return sum(each.stat().st_size for each in path.parent.iterdir())


def soak(path: Path, games: int, settle: int, deals: int, kinds: tuple[tuple[str, int], ...]) -> dict[str, Any]:
    """Play ``games`` games; what was measured."""
    played, claims, time, day, most = 0, 0, 0, 0, 0
    before: dict[str, int] = {}
    screen = Standing()
    while played < games:
        said = [(each.claims, each.ns) for each in evening(path, day, kinds, min(deals, games - played), screen)]
        played, day = played + len(said), day + 1
        claims, time = claims + said[-1][0], time + said[-1][1]
        most = max(most, held := resident())
        gc.collect()
        give_back()  # as the table does when a game is over; the last deal of an evening may have been cut off
        if played >= settle and not before:
            assert screen.display.shown
            before = {"memory": resident(), "threads": threading.active_count(), "files": open_files()}
        grown = f", memory {resident() - before['memory']:+}" if before else ""
        sys.stderr.write(
            f"{played} games, {claims} claims, {time / 3600e9:.1f} h, {size(path)} bytes, holds {held}{grown}\n"
        )
    return {
        "games": played,
        "evenings": day,
        "claims": claims,
        "hours": round(time / 3600e9, 2),
        "memory": resident() - before["memory"],
        "resident": most,
        "threads": threading.active_count() - before["threads"],
        "files": open_files() - before["files"],
        "bytes": size(path),
        "written": int(dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())["wchar"]),
    }


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--settle", type=int, default=50)
    parser.add_argument("--deals", type=int, default=10, help="in one evening")
    parser.add_argument("--short", action="store_true", help="only the game that is over soonest")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kinds = GAMES[:1] if args.short else GAMES
        found = soak(Path(folder) / "journal.db", args.games, args.settle, args.deals, kinds)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
