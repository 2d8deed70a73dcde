"""edges: how many edges a second a table takes, beside a pinball framework and beside callbacks."""

import sys
import time
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from bench import peer, presses
from bench.figures import Bench, Figure, PeerMissing, Row, figure, more, take_turns
from doubtable.games.bare import RaceOnly
from doubtable.inputs import Edge, Time
from doubtable.promptness import promptly
from doubtable.table import Table
from doubtable.timing import Timing

Reads = list[tuple[int, list[presses.Press]]]
PEERS = {
    "mpf_switches": "MPF's switch controller, virtual platform",
    "gpiozero_buttons": "gpiozero, mock pins, when_pressed",
}


def play(reads: Reads) -> int:
    """One race through a table as the app drives it: who was first."""
    seats = tuple(range(1, presses.SEATS + 1))
    timing = Timing().for_seats(presses.SEATS)
    table = Table(RaceOnly(seats, presses.SEATS, {}, timing, 1, presses.OPENS), ("",) * presses.SEATS, 1)
    table.feed(Time(presses.OPENS))
    number, doubter = 0, 0
    for at, edges in reads:
        told = []
        for ns, seat, level in edges:
            number += 1
            told += table.feed(Edge(ns, seat, level, "gpio", number))
        due = table.deadline()
        if due is not None and due <= at:
            told += table.feed(Time(at))
        for each in told:
            if each.name == "doubt":
                doubter = each.facts["seat"]
    return doubter


def took(all_races: Iterable[Reads]) -> float:
    """Seconds for all races, in a process that is set up as the one of `doubtable play`."""
    with promptly():
        began = time.perf_counter()
        for reads in all_races:
            if not play(reads):
                raise AssertionError("a race without a doubter")
        return time.perf_counter() - began


def row(bench: Bench) -> Row:
    """The row."""
    races = [presses.reads(race) for race in presses.races(bench.pick(10, 50))]
    edges = sum(len(read) for race in races for _, read in race)
    ways = {"ours": lambda: took(races)}
    missing: dict[str, str] = {}
    with ExitStack() as stack:
        for program in PEERS:
            try:
                python = peer.environment(bench) if program.startswith("mpf") else Path(sys.executable)
                ways[program] = stack.enter_context(peer.running(python, program, races)).round
            except PeerMissing as reason:
                missing[program] = str(reason)
        seconds = take_turns(bench, bench.pick(3, 9), ways)
    return Row(
        name="edges",
        done=f"{len(races)} races of 13 buttons that bounce up to eight times at each end, {edges} edges, each as three"
        " numbers; what comes within a millisecond is read at once. Ours makes inputs of them and finds presses,"
        " gestures and the doubter, the tie included. MPF, in production mode, gets timed handlers for 5 ms down, 5 ms"
        " up and 700 ms held, in its own loop on its virtual clock; it takes the press that is known first. gpiozero"
        " calls back at every closing, bounces too, and appends the seat to a list: no debounce, no gesture, no tie.",
        figures=tuple(_beside(program, edges, seconds, missing) for program in PEERS),
    )


def _beside(program: str, edges: int, seconds: dict[str, float], missing: dict[str, str]) -> Figure:
    return figure(
        "edges a second",
        "/s",
        edges / seconds["ours"],
        more("faster than both"),
        beside=PEERS[program],
        theirs=edges / seconds[program] if program in seconds else None,
        missing=missing.get(program, ""),
    )
