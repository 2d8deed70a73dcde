"""What stands in a journal: every input in the order of feed, tied together, and what a replay of it gives."""

import json
from pathlib import Path

import pytest

from doubtable.cards import Card
from doubtable.inputs import (
    CardShown,
    Device,
    Do,
    Edge,
    Input,
    Levels,
    Order,
    Restart,
    Serial,
    Source,
    TagGone,
    TagSeen,
    Time,
)
from doubtable.journal import Journal, chain, reading
from doubtable.journal.chain import Row
from doubtable.journal.replay import replay
from doubtable.recovery import recover
from doubtable.tape import input_line
from doubtable.timing import MS
from journal.evening import Evening, Virtual, lines, new_table
from journal.following import inputs, rows_of

EVERY_KIND: tuple[Input, ...] = (
    Edge(5, 3, 1, "panel", 40, 350_000),
    Edge(6, 3, 0),
    Levels(7, {1: 0, 4: 1}),
    Serial(8, b"\x020500\x03"),
    TagSeen(9, "0500207B32"),
    TagGone(10, "0500207B32"),
    CardShown(11, Card("K", "S", 2)),
    Do(12, 1, "claim", 2, "K"),
    Order(13, "set_hands", (13, 13, 13, 13)),
    Order(14, "card", card=Card("Q", "H")),
    Source(15, "panel", up=True, uncertainty=350_000),
    Device(16, "reader", up=False),
    Restart(17, 90_000 * MS),
    Time(2**62),
)


def test_every_input_stands_there_as_the_table_got_it(path: Path) -> None:
    told: list[str] = []
    evening = Evening(path, 3)
    evening.app._record = told.append
    for _ in evening.play(40):
        pass
    evening.close()
    rows = rows_of(path)
    assert inputs(rows) == told
    assert [row.number for row in rows if row.kind == chain.IN] == list(range(1, len(told) + 1))


@pytest.mark.parametrize("given", EVERY_KIND, ids=lambda given: type(given).__name__)
def test_an_input_that_is_read_back_is_the_same(given: Input) -> None:
    row = Row(1, chain.IN, 1, given.ns, input_line(given), b"")
    assert reading.input_on(row, 4) == given


def test_time_that_fired_nothing_is_one_row(path: Path) -> None:
    journal = Journal(path, linger=0, clocks=Virtual().clocks())
    recover(journal, new_table())
    given_in_order: tuple[Input, ...] = (Time(1), Time(2), Time(3), Do(4, 1, "claim", 1), Time(5), Time(6))
    for number, given in enumerate(given_in_order, 1):
        journal.take(number, given, quiet=isinstance(given, Time))
        journal.hear(number, [])
    assert journal.flush()
    assert journal.committed == 6
    assert [(row.number, row.ns) for row in rows_of(path) if row.kind == chain.IN] == [(3, 3), (4, 4)]
    journal.point(6, new_table().dump())
    journal.close()
    assert [(row.number, row.ns) for row in rows_of(path) if row.kind == chain.IN] == [(3, 3), (4, 4), (6, 6)]


def test_a_run_says_where_and_with_what_it_was_written(path: Path) -> None:
    Evening(path, 1).close()
    body = next(reading.body_of(row) for row in rows_of(path) if row.kind == chain.RUN)
    assert body["boot"] == "boot-1"
    assert body["set"] is True
    assert set(body["versions"]) == {"doubtable", "python", "sqlite", "schema"}


@pytest.mark.parametrize("change", ["body", "ns", "number", "kind", "swap", "drop", "insert"])
def test_a_chain_that_was_changed_is_broken_there(path: Path, change: str) -> None:
    evening = Evening(path, 3)
    for _ in evening.play(5):
        pass
    evening.close()
    rows = rows_of(path)
    row = rows[10]
    match change:
        case "body":
            rows[10] = Row(row.n, row.kind, row.number, row.ns, row.body.replace("1", "2", 1), row.hash)
        case "ns":
            rows[10] = Row(row.n, row.kind, row.number, row.ns + 1, row.body, row.hash)
        case "number":
            rows[10] = Row(row.n, row.kind, row.number + 1, row.ns, row.body, row.hash)
        case "kind":
            rows[10] = Row(row.n, chain.CLOCK, row.number, row.ns, row.body, row.hash)
        case "swap":
            rows[10], rows[11] = rows[11], rows[10]
        case "drop":
            del rows[10]
        case _:
            rows.insert(10, row)
    with pytest.raises(chain.Broken) as broken:
        chain.check(rows, chain.FIRST, 0)
    assert broken.value.n in (11, 12)


def test_a_games_digest_is_that_of_the_events_that_its_replay_gives(path: Path) -> None:
    evening = Evening(path, 21)
    for _ in evening.play(10):
        pass
    evening.play_out()
    evening.close()
    journal = Journal(path)
    try:
        game = journal.database.execute("SELECT digest, first, last, base FROM games WHERE ended = 'over'").fetchone()
        point = next(each for each in reading.points(journal.database, 99) if each.n == game[3])
        again = replay(journal.database, point, game[2])
    finally:
        journal.close()
    assert again.ended[0].game.digest == game[0]
    assert [line for _, events in again.races for line in lines(events)] == lines(evening.events)


def test_the_journal_grows_with_the_inputs_alone(path: Path) -> None:
    """Checkpoints do not pile up."""
    evening = Evening(path, 3)
    for _ in evening.play(400):
        pass
    assert evening.app.number > 1500
    evening.close()
    journal = Journal(path)
    assert len(reading.points(journal.database, 99)) <= 3
    journal.close()


def test_a_journal_may_be_closed_twice(path: Path) -> None:
    evening = Evening(path, 1)
    evening.close()
    evening.close()
    assert json.loads(rows_of(path)[0].body)["goes_on"] is False
