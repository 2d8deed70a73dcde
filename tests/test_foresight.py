"""What is foreseen is what comes, and to look ahead changes nothing."""

from contextlib import closing

import pytest

from doubtable import tape
from doubtable.foresight import foresee
from doubtable.games import GAMES
from doubtable.inputs import Time
from doubtable.simulation import Simulation, simulated_table
from doubtable.table import Table
from doubtable.view import lamp_on, lamps

PEOPLE, CLAIMS = 5, 12


def lit(table: Table, ns: int) -> dict[int, bool]:
    return {seat: lamp_on(lamp, ns) for seat, lamp in enumerate(lamps(table, ns), 1)}


@pytest.mark.parametrize("game", sorted(GAMES))
def test_what_is_foreseen_comes_at_every_deadline_of_a_game(game: str) -> None:
    lines: list[str] = []
    with closing(Simulation(simulated_table(game, PEOPLE), 3, record=lines.append)) as simulation:
        simulation.run(most_claims=CLAIMS)
    played = tape.read(lines)
    straight = list(tape.replay(played, tape.table_of(played)))
    table, said, switched = tape.table_of(played), [], 0
    for given in (row.given for row in played.rows if row.given is not None):
        while (due := table.deadline()) is not None and due <= given.ns:
            before, state = lit(table, due), table.dump()
            ahead = foresee(table, due)
            assert (table.dump(), table.deadline()) == (state, due)
            said += table.feed(Time(due))
            assert ahead == (due, lit(table, due))
            switched += ahead.lit != before
        said += table.feed(given)
    assert said == straight
    assert switched >= CLAIMS, "a lamp answers to every press that means something"
