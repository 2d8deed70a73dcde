"""``python -m races N=1000000 SEED=1 [MUTANT=end_stamp]``: that many races on all cores. Exit 0 when all is as it must be.

``RACE=4711`` plays one race of the seed, prints its tape and what the table and the rule say.
"""

import os
import sys
from typing import Any

from races import feeding, mutants, verdicts
from races.crew import race_all
from races.printout import holds, report
from races.rule import answers
from races.truth import make
from races.wires import lay

KNOWN = ("N", "SEED", "MUTANT", "RACE", "CORES")


def one(seed: int, number: int) -> int:
    """Show one race as a tape."""
    race = make(seed, number)
    wires = lay(race, seed)
    tape: list[Any] = []
    said = feeding.play(race, wires, tape)
    for line in feeding.tape_lines(race, tape):
        print(line)
    true, stamped = answers(race, wires.stamps)
    print(f"truth: {race}\nlost: {wires.lost}, known at {wires.known_lost}", file=sys.stderr)
    print(f"table: {said}\nrule, true times: {true}\nrule, stamps:     {stamped}", file=sys.stderr)
    print(f"so: {verdicts.judge(race, wires, said, true, stamped)}", file=sys.stderr)
    return 0


def main(words: list[str]) -> int:
    given = dict(word.partition("=")[::2] for word in words)
    mutant = given.get("MUTANT", "")
    try:
        count, seed = int(given.get("N", "20000")), int(given.get("SEED", "1"))
        cores = int(given.get("CORES", "0")) or os.cpu_count() or 1
        number = int(given["RACE"]) if given.get("RACE") else None
    except ValueError:
        print("races: N, SEED, CORES and RACE are whole numbers", file=sys.stderr)
        return 2
    if set(given) - set(KNOWN) or (mutant and mutant not in mutants.NAMES) or count < 1:
        print(f"races: N=1000000 SEED=1 [MUTANT={'|'.join(mutants.NAMES)}] [RACE=number] [CORES=2]", file=sys.stderr)
        return 2
    if number is not None:
        return one(seed, number)
    tally, wrong = race_all(count, seed, mutant, cores, quiet=False)
    print("\n".join(report(tally, seed, mutant)))
    if wrong and not mutant:
        print(f"wrong: {', '.join(map(str, wrong[:20]))}; see one with RACE={wrong[0]} SEED={seed}")
    return 0 if holds(tally, mutant) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
