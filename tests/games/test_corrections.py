"""A correction and the stamps around it: "takes effect when its HOLD fires, is undone by a doubt with an earlier stamp,
and the window starts anew". Stamps in ns; seat 1 has claimed two aces at 0 and puts right that they are three."""

import json
from typing import Any

import pytest

from doubtable import tape
from doubtable.timing import MS

Line = dict[str, Any]
FIRES = 5000 * MS  # when the correction's HOLD does
BUTTONS = [
    {"ns": at * MS, "edge": [1, level]}
    for at, level in (
        *((1000, 1), (1100, 0), (1200, 1), (2000, 0)),  # a TAP to CORRECT, a HOLD
        *((2300, 1), (2400, 0), (2600, 1), (2700, 0), (2900, 1), (3000, 0)),  # 1, 2, 3
        *((4300, 1), (5200, 0)),  # the HOLD on 3
    )
]
CORRECTIONS: dict[str, list[Line]] = {
    "past the buttons": [{"ns": FIRES, "do": {"seat": 1, "act": "correct", "count": 3}}],
    "on the button": BUTTONS,
}


def told(*lines: Line) -> list[Line]:
    header = tape.header_line({"game": "classic", "seats": 4, "dealer": 4})
    claim: Line = {"ns": 0, "do": {"seat": 1, "act": "claim", "count": 2}}
    end: Line = {"ns": FIRES + 2000 * MS}
    rows = sorted([claim, *lines], key=lambda line: line["ns"])
    found = tape.read([header, *(json.dumps(line) for line in [*rows, end])])
    return [each.to_line() for each in tape.replay(found, tape.table_of(found))]


@pytest.mark.parametrize("doubt", ["past the buttons", "on the button"])
@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize(("after", "stands"), [(-1 * MS, False), (-1, False), (0, True), (1, True)])
def test_only_a_doubt_with_an_earlier_stamp_undoes_a_correction(
    after: int, stands: bool, correction: str, doubt: str
) -> None:
    ns = FIRES + after
    pressed: list[Line] = [{"ns": ns, "edge": [3, 1]}, {"ns": ns + 100 * MS, "edge": [3, 0]}]
    if doubt == "past the buttons":
        pressed = [{"ns": ns, "do": {"seat": 3, "act": "doubt"}}]
    said = told(*CORRECTIONS[correction], *pressed)
    assert [(each["seat"], each["ns"]) for each in said if each["event"] == "doubt"] == [(3, ns)]
    corrected = [(each["count"], each["ns"]) for each in said if each["event"] == "corrected"]
    assert corrected == ([(3, FIRES)] if stands else [])


@pytest.mark.parametrize("correction", CORRECTIONS)
@pytest.mark.parametrize(("after", "stands"), [(-1 * MS, False), (1, True)])
def test_it_is_possible_until_the_next_start(after: int, stands: bool, correction: str) -> None:
    said = told(*CORRECTIONS[correction], {"ns": FIRES + after, "do": {"seat": 2, "act": "start"}})
    assert bool([each for each in said if each["event"] == "corrected"]) == stands
    assert [each["seat"] for each in said if each["event"] == "turn"] == ([1] if stands else [1, 2])
