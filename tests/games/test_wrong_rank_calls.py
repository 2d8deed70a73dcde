"""A wrong-rank call counts at its press-down, as a doubt does, whatever has ended the window before its HOLD fires.

"The call counts at its press-down, as a doubt does; the earlier stamp wins; within the tie window the doubt is settled
first." Stamps are in ns. Seat 1 has claimed at 0, seat 2 is the next one, seat 3 calls; the tie is 5 ms wide.
"""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from doubtable import tape
from doubtable.timing import MS

Edge = tuple[int, int, int]  # ns, seat, level


def presses(*rows: tuple[int, int, int]) -> tuple[Edge, ...]:
    """Edges of presses: seat, from, to, both in ms."""
    return tuple(edge for seat, down, up in rows for edge in ((down * MS, seat, 1), (up * MS, seat, 0)))


HANDS, LAST = [13, 13, 13, 13], [1, 17, 17, 17]
STARTED = presses((2, 4500, 4600), (2, 5000, 5100))  # a TAP to WRONG RANK, one to 1
LET_GO = presses((2, 5500, 5600), (2, 5700, 5800), (2, 6000, 6800))
ENDS: dict[str, tuple[list[int], tuple[Edge, ...], int]] = {
    "start": (HANDS, STARTED, 5100 * MS),
    "let it go": (LAST, LET_GO, 6700 * MS),
    "end of the last call": (LAST, (), 10_000 * MS),
    "60 s after doubt_ms": (HANDS, (), 64_000 * MS),
}


def replayed(hands: list[int], lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the table says to ``lines`` of a tape; seat 1 has the turn and tens are due."""
    start = {"hands": hands, "pile": 0, "turn": 1, "due": "T"}
    header = tape.header_line({"game": "wrong-rank", "seats": 4, "dealer": 4, "start": start})
    found = tape.read([header, *(json.dumps(line) for line in lines)])
    return [each.to_line() for each in tape.replay(found, tape.table_of(found))]


def events(hands: list[int], *edges: Edge) -> list[dict[str, Any]]:
    """What the table says to a claim of a wrong rank at 0 and to ``edges``, delivered in the order of their stamps."""
    lines: list[dict[str, Any]] = [{"ns": 0, "do": {"seat": 1, "act": "claim", "count": min(2, hands[0]), "rank": "J"}}]
    lines += [{"ns": ns, "edge": [seat, level]} for ns, seat, level in sorted(edges, key=lambda each: each[0])]
    return replayed(hands, [*lines, {"ns": max(edges)[0] + 2000 * MS}])


def outcome(said: Sequence[dict[str, Any]]) -> set[str]:
    return {each["event"] for each in said} & {"corrected", "doubt", "win"}


def call(ns: int) -> tuple[Edge, Edge]:
    return (ns, 3, 1), (ns + 800 * MS, 3, 0)


@pytest.mark.parametrize("before", [50 * MS, 5 * MS, 4 * MS, 1])
@pytest.mark.parametrize("end", ENDS)
def test_a_call_before_the_end_of_the_window_undoes_it(end: str, before: int) -> None:
    """ "t < a timed close, t <= the next seat's start" """
    hands, edges, ns = ENDS[end]
    said = events(hands, *edges, *call(ns - before if not edges else ns - before + 1))
    assert outcome(said) == {"corrected"}
    assert [each["seat"] for each in said if each["event"] == "turn"] == [1]


@pytest.mark.parametrize("end", ENDS)
def test_a_call_after_the_end_of_the_window_is_none(end: str) -> None:
    hands, edges, ns = ENDS[end]
    said = events(hands, *edges, *call(ns + 1 if edges else ns))
    assert outcome(said) == (set() if hands == HANDS else {"win"})


@pytest.mark.parametrize(
    ("apart", "held", "doubts"),
    [
        *((1 * MS, held, True) for held in (100 * MS, 699 * MS, 700 * MS - 1)),
        (1 * MS, 700 * MS, False),
        (5 * MS, 100 * MS, True),
        (5 * MS + 1, 100 * MS, False),
    ],
)
@pytest.mark.parametrize("edges", [(), STARTED], ids=["open", "started"])
def test_within_the_tie_the_doubt_is_settled_first(
    apart: int, held: int, doubts: bool, edges: tuple[Edge, ...]
) -> None:
    """Also where it is known to be one, by its release before hold_ms, only after the call's HOLD has fired."""
    ns = 5090 * MS
    said = events(HANDS, *edges, *call(ns), (ns + apart, 4, 1), (ns + apart + held, 4, 0))
    assert outcome(said) == {"doubt" if doubts else "corrected"}


def test_a_press_after_a_start_is_no_doubt_within_the_tie_of_a_call() -> None:
    """ "The close or start bounds them even when an earlier doubt undoes it" """
    said = events(HANDS, *STARTED, *call(5098 * MS), *presses((4, 5101, 5200)))
    assert outcome(said) == {"corrected"}
    assert [each["why"] for each in said if each["event"] == "void" and each["seat"] == 4] == ["late"]


@pytest.mark.parametrize("said", [{"count": 3}, {"count": 3, "rank": "T"}])
@pytest.mark.parametrize("slap", [5110, 5150, 5650])
def test_a_correction_while_a_call_is_held_opens_no_window_before_its_hold(said: dict[str, Any], slap: int) -> None:
    """ "the window starts anew when the call's HOLD fires; slaps between its press-down and that are late" """
    lines: list[dict[str, Any]] = [{"ns": 0, "do": {"seat": 1, "act": "claim", "count": 2, "rank": "J"}}]
    lines.append({"ns": 5100 * MS, "do": {"seat": 1, "act": "correct", **said}})
    edges = (*call(5000 * MS), *presses((4, slap, slap + 40)))
    lines += [{"ns": ns, "edge": [seat, level]} for ns, seat, level in edges]
    lines = sorted(lines, key=lambda line: line["ns"])
    lines += [{"ns": 9700 * MS + late, "do": {"seat": 2, "act": "start"}} for late in (-1, 0)]
    told = replayed(HANDS, lines)
    assert outcome(told) == {"corrected"}
    assert [each["ns"] for each in told if each["event"] == "corrected"][-1] == 5700 * MS
    assert [each["why"] for each in told if each["event"] == "void" and each["seat"] == 4] == ["late"]
    assert len([each for each in told if each["event"] == "refused"]) == 1


def test_a_call_past_the_buttons_while_another_is_held_bars_nobody() -> None:
    """It was of the claim that is put right by then, and has not pointed out a rank that was right."""
    lines: list[dict[str, Any]] = [{"ns": 0, "do": {"seat": 1, "act": "claim", "count": 2, "rank": "J"}}]
    lines += [{"ns": 5000 * MS, "edge": [3, 1]}, {"ns": 5200 * MS, "do": {"seat": 4, "act": "wrong_rank"}}]
    lines += [{"ns": 5800 * MS, "edge": [3, 0]}, {"ns": 6000 * MS, "do": {"seat": 4, "act": "doubt"}}]
    told = replayed(HANDS, [*lines, {"ns": 6200 * MS}])
    assert [each["seat"] for each in told if each["event"] == "doubt"] == [4]


@pytest.mark.parametrize("ender", [{"seat": 2, "act": "start"}, {"seat": 2, "act": "claim", "count": 1, "rank": "T"}])
@pytest.mark.parametrize("before", [1 * MS, 1, 0, -1])
def test_a_call_past_the_buttons_counts_as_one_on_a_button(ender: dict[str, Any], before: int) -> None:
    """ "before a doubt and before the next seat starts"; "a stamp equal to a start belongs to the old claim" """
    lines: list[dict[str, Any]] = [{"ns": 0, "do": {"seat": 1, "act": "claim", "count": 2, "rank": "J"}}]
    lines += [{"ns": 5000 * MS, "do": ender}, {"ns": 5000 * MS - before, "do": {"seat": 3, "act": "wrong_rank"}}]
    told = replayed(HANDS, [*lines, {"ns": 5200 * MS}])
    undone = before >= 0
    assert outcome(told) == ({"corrected"} if undone else set())
    nothing_to_call = not undone and ender["act"] == "start"  # the next claim is called else, and its rank is right
    assert [each["seat"] for each in told if each["event"] == "refused"] == ([3] if nothing_to_call else [])
    assert len([each for each in told if each["event"] == "claim"]) == (1 if undone or ender["act"] == "start" else 2)


def test_a_call_past_the_buttons_at_the_stamp_of_a_doubt_is_none() -> None:
    lines: list[dict[str, Any]] = [{"ns": 0, "do": {"seat": 1, "act": "claim", "count": 2, "rank": "J"}}]
    for act in ("doubt", "wrong_rank"):
        lines.append({"ns": 5000 * MS, "do": {"seat": 3 if act == "doubt" else 4, "act": act}})
    assert outcome(replayed(HANDS, [*lines, {"ns": 5200 * MS}])) == {"doubt"}
