"""Random games of the referee, who knows the rules and not the product: what must hold after every single step.

60 games of each kind in the normal run, 2,000 with DOUBTABLE_LONG=1; doubts at 5 to 20 %, at most 500 claims each.
"""

import json
import os
from collections import Counter
from random import Random
from typing import Any, NamedTuple

import pytest

from doubtable import tape
from doubtable.games import GAMES
from doubtable.table import Table
from games.invariants import invariants
from referee import play_random

LONG = os.environ.get("DOUBTABLE_LONG") == "1"
SEEDS = 2000 if LONG else 60
BATCHES = 20 if LONG else 2  # so that several processors have something to do
DUMP_EVERY = 25  # steps: a dumped table is a row of 10 kB
LOCKS = ("claim", "declare", "lead", "play")


class Kind(NamedTuple):
    """What varies from game to game besides the seed."""

    seats: int
    options: dict[str, Any]
    doubt_rate: float
    timing: dict[str, Any]


def kind_of(game: str, seed: int) -> Kind:
    """Players, options, doubt rate and tie of the game with this seed."""
    dice = Random(f"{game} {seed}")
    rules = GAMES[game]
    seats = dice.randint(*rules.players)
    options: dict[str, Any] = {}
    for name, option in rules.options_known.items():
        if name == "bell_min" or dice.random() < 0.6:
            continue
        value = dice.choice(list(option.values))
        if rules.fits(tuple(range(1, seats + 1)), {**options, name: value}):
            options[name] = value
    if options.get("points", 3) == 0:
        del options["points"]
    return Kind(seats, options, dice.uniform(0.05, 0.2), dice.choice(({}, {"tie_ms": 0}, {"tie_ms": 40})))


def round_trip(table: Table, found: tape.Tape) -> Table:
    """A new table that knows only what this one dumped, which is the same."""
    plain = json.loads(json.dumps(table.dump()))
    thawed = tape.table_of(found)
    thawed.load(plain)
    assert json.loads(json.dumps(thawed.dump())) == plain
    assert thawed.public() == table.public()
    return thawed


def check_step_by_step(lines: list[dict[str, Any]]) -> Counter[str]:
    """Feed the game step by step to a table that is now and then frozen and thawed; returns what was said."""
    found = tape.read(json.dumps(line) for line in lines)
    table = tape.table_of(found)
    said: Counter[str] = Counter()
    for step, row in enumerate(found.rows):
        if row.given is None:
            continue
        said.update(each.name for each in table.feed(row.given))
        invariants(table)
        if step % DUMP_EVERY == 0:
            table = round_trip(table, found)
    return said


@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("game", GAMES)
def test_the_table_agrees_with_the_referee(game: str, batch: int) -> None:
    said: Counter[str] = Counter()
    for seed in range(batch, SEEDS, BATCHES):
        kind = kind_of(game, seed)
        lines = play_random(game, seed, kind.seats, kind.options, kind.doubt_rate, timing=kind.timing)
        found = tape.read(json.dumps(line) for line in lines)
        failures = tape.check(found, tape.table_of(found))
        assert not failures, (game, seed, kind, failures[0], lines[max(0, failures[0].line - 8) : failures[0].line])
        if seed % 4 == batch % 4 or LONG:
            said += check_step_by_step(lines)
    assert all(said[name] for name in ("over", "refused"))
    assert any(said[name] for name in LOCKS)
