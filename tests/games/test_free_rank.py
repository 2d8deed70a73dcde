"""The open rank in `free`: nobody is told which rank is due, neither by screen, lamps, sounds nor log.

Two tables get the same inputs and differ only in the rank that is due. They must say and show the same, up to the
first event that tells it by the rules. Sounds follow from what is said and shown.
"""

from collections import Counter
from random import Random
from typing import Any

import pytest

from doubtable.cards import RANKS, packs
from doubtable.games.base import Text
from doubtable.games.wrong_rank import WrongRank
from games.at_table import AtTable, at

TELLING = ("corrected",)  # the table restates the claim, or accepts the claimant's correction
STEPS = 120


def pair(due: str, other: str, options: dict[str, object], seats: int) -> tuple[AtTable, AtTable]:
    hands = (3, *(49 // (seats - 1) for _ in range(seats - 1)))
    start: dict[str, Any] = {"hands": hands, "pile": 52 - sum(hands), "turn": 1}
    one, two = (at("wrong-rank", seats, options=options, due=rank, **start) for rank in (due, other))
    return one, two


def step(dice: Random, tables: tuple[AtTable, AtTable], used: Counter[str]) -> None:
    """Somebody does something, the same at both tables; what is possible is read off the first one's public side."""
    seen = tables[0]
    seat = dice.choice(seen.seats)
    lit = [each for each in seen.seats if seen.lamp(each) != "off"]
    if lit and dice.random() < 0.9:
        seat = dice.choice(lit)
    deed = dice.choice(("tap", "tap", "tap", "hold", "hold", "wait", "card"))
    revealing = seen.phase == "reveal"
    if revealing and dice.random() < 0.5:
        deed = "card"
    used[f"{deed} {seen.phase}"] += 1
    wait, card = dice.choice((100, 1500, 4100)), dice.choice(packs(1))
    for table in tables:
        match deed:
            case "tap":
                table.press(seat)
            case "hold":
                table.hold(seat)
            case "wait":
                table.wait(wait)
            case _ if revealing:
                table.show(str(card))
        table.wait(100)


def difference(tables: tuple[AtTable, AtTable]) -> str:
    """What tells the two apart; "" while nothing does."""
    one, two = tables
    for mine, theirs in zip(one.said, two.said, strict=False):
        if mine != theirs:
            return f"{mine} or {theirs}"
    if len(one.said) != len(two.said):
        longer = max(one.said, two.said, key=len)
        return f"{longer[min(len(one.said), len(two.said))]}"
    if one.view != two.view:
        return f"{one.view}\nor\n{two.view}"
    return ""


def told_by_the_rules(tables: tuple[AtTable, AtTable]) -> bool:
    """Whether one of them has said what the rules let it say, and the other not, or otherwise."""
    one, two = ([each for each in table.said if each.name in TELLING] for table in tables)
    return one != two


def play(seed: int, options: dict[str, object], used: Counter[str]) -> str:
    """A random game at both tables; what told them apart against the rules, "" when nothing did."""
    dice = Random(seed)
    due, other = dice.sample(RANKS, 2)
    tables = pair(due, other, options, dice.choice((4, 5)))
    for _ in range(STEPS):
        step(dice, tables, used)
        if told_by_the_rules(tables):
            used["told by the rules"] += 1
            break
        found = difference(tables)
        if found:
            return f"seed {seed}, {due} or {other} is due: {found}"
    return ""


@pytest.mark.parametrize("options", [{}, {"scoring": "per_card", "nose_bonus": True, "rank_order": "rising"}])
def test_two_tables_that_differ_in_the_due_rank_look_and_sound_alike(options: dict[str, object]) -> None:
    used: Counter[str] = Counter()
    for seed in range(25):
        assert play(seed, options, used) == ""
    assert used["told by the rules"] > 5
    for deed in ("tap claim", "hold doubt", "tap doubt", "card reveal", "wait doubt"):
        assert used[deed] > 5, (deed, used)


def leaks_on_the_screen(self: Any, state: Any, ns: int) -> tuple[str, Text, Text]:
    scene, _, words = super(WrongRank, self).scene(state, ns)
    return scene, (str(state.due), {}), words


def leaks_in_the_log(self: Any, state: Any, ns: int) -> Any:
    return super(WrongRank, self).turn_event(state, ns)


def leaks_by_a_lamp(self: Any, state: Any, seat: int) -> str | None:
    claim = state.claim
    return "off" if seat == 4 and claim is not None and claim.rank == claim.due else None


@pytest.mark.parametrize(
    ("name", "leak"),
    [("scene", leaks_on_the_screen), ("turn_event", leaks_in_the_log), ("lamp", leaks_by_a_lamp)],
)
def test_a_table_that_tells_is_caught(name: str, leak: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WrongRank, name, leak)
    assert any(play(seed, {}, Counter()) for seed in range(25))


def test_judged_by_the_due_rank_a_doubt_tells_it() -> None:
    """With `doubt_corrects` the two are alike up to the doubt."""
    one, two = pair("A", "K", {"doubt_corrects": True}, 4)
    for table in (one, two):
        table.press(1)
        table.hold(1)
        table.hold(1)
    assert difference((one, two)) == ""
    for table in (one, two):
        table.slap(3)
        table.show("AS")
    assert one.last("reveal") != two.last("reveal")
