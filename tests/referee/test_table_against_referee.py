"""The table plays the referee's random games and must come to the same hands, turns, verdicts and scores."""

import json
import os
from typing import Any

import pytest

from doubtable import tape
from referee import play_random
from referee.test_referee import ALL

SEEDS = 100 if os.environ.get("DOUBTABLE_LONG") == "1" else 2
TIMING: tuple[dict[str, Any], ...] = ({}, {"tie_ms": 0}, {"tie_ms": 40})


@pytest.mark.parametrize(("game", "seats", "options"), ALL)
def test_table_agrees_with_the_referee(game: str, seats: int | list[str | None], options: dict[str, Any]) -> None:
    for seed in range(SEEDS):
        for doubt_rate in (0.1, 0.3, 0.6):
            lines = play_random(game, seed, seats, options, doubt_rate, timing=TIMING[seed % 3])
            played = tape.read(json.dumps(line) for line in lines)
            failures = tape.check(played, tape.table_of(played))
            assert not failures, (
                game,
                seats,
                options,
                seed,
                doubt_rate,
                failures[0],
                lines[max(0, failures[0].line - 8) : failures[0].line],
            )
