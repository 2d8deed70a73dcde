"""``python -m races N=1000000 SEED=1 [MUTANT=end_stamp]``: that many races on all cores.

Exit 0 when all is as it must be, 1 when not, 2 for words that make no sense.
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
        sys.stdout.write(line + "\n")
    true, stamped = answers(race, wires.stamps)
    sys.stderr.write(f"truth: {race}\nlost: {wires.lost}, told of at {[each.wall for each in wires.telling[:1]]}\n")
    sys.stderr.write(f"table: {said}\nrule, true times: {true}\nrule, stamps:     {stamped}\n")
    sys.stderr.write(f"so: {verdicts.judge(race, wires, said, true, stamped)}\n")
    return 0


def main(words: list[str]) -> int:
    given = dict(word.partition("=")[::2] for word in words)
    mutant = given.get("MUTANT", "")
    try:
        count, seed = int(given.get("N", "20000")), int(given.get("SEED", "1"))
        cores = int(given.get("CORES", "0")) or os.cpu_count() or 1
        number = int(given["RACE"]) if given.get("RACE") else None
    except ValueError:
        sys.stderr.write("races: N, SEED, CORES and RACE are whole numbers\n")
        return 2
    if set(given) - set(KNOWN) or (mutant and mutant not in mutants.NAMES) or count < 1:
        sys.stderr.write(f"races: N=1000000 SEED=1 [MUTANT={'|'.join(mutants.NAMES)}] [RACE=number] [CORES=2]\n")
        return 2
    if number is not None:
        return one(seed, number)
    tally, wrong = race_all(count, seed, mutant, cores, quiet=False)
    sys.stdout.write("\n".join(report(tally, seed, mutant)) + "\n")
    if wrong and not mutant:
        named = ", ".join(map(str, wrong[:20]))
        sys.stdout.write(f"wrong: {named}; see one with RACE={wrong[0]} SEED={seed}\n")
    return 0 if holds(tally, mutant) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
