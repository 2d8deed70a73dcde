"""Many races at once: one process a core, each with its own share of the race numbers."""

import multiprocessing
import sys
import time
from collections import Counter

from races import mutants, verdicts

CHUNK = 250
_by_delivery = False


def _begin(mutant: str) -> None:
    global _by_delivery  # noqa: PLW0603 - set once, as each process begins
    _by_delivery = mutants.put_in(mutant) if mutant else False


def _chunk(job: tuple[int, int, int]) -> tuple[Counter[str], list[int]]:
    seed, first, last = job
    return verdicts.run(seed, range(first, last), _by_delivery)


def race_all(
    count: int, seed: int, mutant: str = "", cores: int = 1, quiet: bool = True
) -> tuple[Counter[str], list[int]]:
    """``count`` races of ``seed``: what they came to, and the numbers of the wrong ones."""
    jobs = [(seed, first, min(first + CHUNK, count)) for first in range(0, count, CHUNK)]
    tally: Counter[str] = Counter()
    wrong: list[int] = []
    begun = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(cores, _begin, (mutant,)) as pool:
        for part, bad in pool.imap_unordered(_chunk, jobs):
            tally += part
            wrong += bad
            if not quiet:
                _progress(tally["races"], count, begun, wrong)
    return tally, sorted(wrong)


def _progress(done: int, count: int, begun: float, wrong: list[int]) -> None:
    rate = done / max(time.monotonic() - begun, 0.001)
    left = (count - done) / rate
    end = "\n" if done == count else "\r"
    said = f"{len(wrong)} wrong" + (f", first {wrong[0]}" if wrong else "")
    sys.stderr.write(f"{done:>9,} of {count:,} races, {rate:,.0f}/s, {left:,.0f} s left, {said} {end}")
    sys.stderr.flush()
