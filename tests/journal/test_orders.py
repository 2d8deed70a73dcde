"""The attendant's orders are inputs: a cut loses none of them, and an undo never goes across a shown card."""

from pathlib import Path
from typing import Any

import pytest

from doubtable.cards import Card
from doubtable.inputs import Do, Order, Serial
from doubtable.players import simulated_tags
from doubtable.timing import MS, S
from journal.cuts import claim, cut, feed, frame_of, names
from journal.evening import Evening, Virtual
from journal.following import rows_of


def test_an_undo_is_an_input_like_any_other(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    claim(first, 2)
    first.run_to(2 * S)
    feed(first, Order(first.machine.ns, "undo"))
    assert names(first.events)[-1] == "hands"
    before = first.table.public()
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    assert second.table.public() == before
    assert before["pile"] == 0
    second.close()


@pytest.mark.parametrize(
    ("act", "facts"),
    [
        ("undo", {}),
        ("set_hands", {"hands": (10, 14, 13, 13)}),
        ("card", {"card": Card("A", "S")}),
        ("skip", {}),
        ("remove", {"seat": 3}),
        ("new_game", {}),
    ],
)
@pytest.mark.parametrize("doubted", [False, True])
def test_every_order_is_there_after_a_cut(
    path: Path, tmp_path: Path, act: str, facts: dict[str, Any], doubted: bool
) -> None:
    """Whatever the order did, or was refused for, it is a row, and the table comes back behind it."""
    first = Evening(path, 1)
    first.run_to(S)
    claim(first, 2)
    turn = first.table.public()["turn"]
    feed(first, Do(first.machine.ns, turn % 4 + 1, "doubt" if doubted else "start"))
    first.run_to(first.machine.ns + S)
    said = len(first.events)
    feed(first, Order(first.machine.ns, act, **facts))
    first.run_to(first.machine.ns + 100 * MS)
    assert len(first.events) > said, "something came of it"
    state = first.table.dump()
    path = cut(first, tmp_path / "cut")
    assert f'"act": "{act}"' in " ".join(row.body for row in rows_of(path))
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    assert second.table.dump() == state
    second.close()


def test_an_undo_never_goes_across_a_shown_card_nor_a_cut(path: Path, tmp_path: Path) -> None:
    first = Evening(path, 1)
    first.run_to(S)
    claim(first, 2)
    turn = first.table.public()["turn"]
    feed(first, Do(first.machine.ns, turn % 4 + 1, "doubt"))
    first.run_to(first.machine.ns + S)
    feed(first, Serial(first.machine.ns, frame_of(next(iter(simulated_tags(1))))))
    first.run_to(first.machine.ns + 100 * MS)
    path = cut(first, tmp_path / "cut")
    second = Evening(path, 2, machine=Virtual(0, "boot-2"))
    second.go_on()
    feed(second, Order(second.machine.ns, "undo"))
    assert second.events[-1].facts["why"] == "a card has been shown"
    second.close()
