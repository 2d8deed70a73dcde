"""Yesterday's dispute: a recorded game as a tape, the chain, what is thinned out, and who is forgotten."""

import json
import sqlite3
from pathlib import Path

import pytest

from doubtable import tape
from doubtable.inputs import Do, Order
from doubtable.journal import chain, exporting, packs, reading, thinning, verifying
from doubtable.journal.forgetting import forget
from doubtable.journal.snapshot import snapshot
from doubtable.simulation import header_of
from doubtable.timing import S
from journal.evening import Evening, Virtual, lines, new_table
from journal.following import rows_of

DAY = 86_400 * S


def exported(path: Path, game: int, *, anonymous: bool = False) -> list[str]:
    with snapshot(path) as database:
        return list(exporting.lines(database, game, header_of, anonymous=anonymous))


def replayed(text: list[str]) -> list[str]:
    """What ``doubtable replay`` prints for a tape."""
    read = tape.read(text)
    return lines(list(tape.replay(read, tape.table_of(read))))


def next_deal(evening: Evening) -> None:
    """After a game the next one is dealt."""
    evening.app.deliver(Order(evening.machine.ns, "new_game"))
    evening.step()
    evening.app.deliver(Do(evening.machine.ns, 1, "dealt"))
    evening.step()


def two_games(path: Path, *, acts: int = 15) -> tuple[Evening, list[str], list[str]]:
    """Two games in a row and the beginning of a third; the events of the two from deal to end."""
    evening = Evening(path, 31)
    assert evening.journal is not None
    events: list[list[str]] = []
    for number in range(2):
        if number:
            evening.events.clear()
            next_deal(evening)
        for _ in evening.play(acts):
            pass
        evening.play_out()
        events.append(lines(evening.events))
        evening.run_to(evening.machine.ns + 2 * S)
        evening.journal.flush()
        evening.app.show()
    next_deal(evening)
    for _ in evening.play(3):
        pass
    evening.close()
    first, second = events
    return evening, first, second


# Tapes --------------------------------------------------------------------------------------------------------------


def test_a_recorded_game_replays_to_the_same_events_byte_for_byte(path: Path) -> None:
    _, first, second = two_games(path)
    assert replayed(exported(path, 1)) == first
    again = replayed(exported(path, 2))
    assert again[-len(second) :] == second
    assert sum('"deal"' in line for line in again) == 1


def test_a_game_that_began_in_the_lobby_is_a_tape_too(path: Path) -> None:
    evening = Evening(path, 32, table=new_table(lobby=True))
    for seat in (1, 2, 3, 4):
        evening.tap(seat)
    for _ in range(6):
        if not any(each.name == "deal" for each in evening.events):
            evening.hold(1)
            evening.run_to(evening.machine.ns + 6 * S)
    assert any(each.name == "deal" for each in evening.events)
    for _ in evening.play(30):
        pass
    evening.close()
    again = replayed(exported(path, 1))
    assert again == lines(evening.events)[-len(again) :]
    assert any('"deal"' in line for line in again)


def test_a_game_with_a_power_cut_in_it_is_one_tape(path: Path) -> None:
    first = Evening(path, 33)
    for _ in first.play(20):
        pass
    first.close()
    second = Evening(path, 34, machine=Virtual(0, "boot-2"))
    second.go_on()
    second.play_out()
    second.close()
    assert replayed(exported(path, 1)) == lines(first.events) + lines(second.events)


def test_a_game_that_is_on_can_be_exported_while_it_is_played(path: Path) -> None:
    evening = Evening(path, 35)
    for _ in evening.play(20):
        pass
    assert evening.journal is not None
    evening.journal.flush()
    assert replayed(exported(path, 1)) == lines(evening.events)
    evening.close()


def test_names_are_there_or_not(path: Path) -> None:
    two_games(path, acts=1)
    assert json.loads(exported(path, 2)[0])["seats"] == ["Ann", "Bob", "Cy", "Dee"]
    anonymous = exported(path, 2, anonymous=True)
    assert json.loads(anonymous[0])["seats"] == ["Seat 1", "Seat 2", "Seat 3", "Seat 4"]
    assert not any(name in "\n".join(anonymous) for name in ("Ann", "Bob", "Dee"))


@pytest.mark.parametrize("number", [0, 4, -1])
def test_a_game_that_is_not_there_is_said(path: Path, number: int) -> None:
    two_games(path, acts=1)
    with pytest.raises(LookupError, match=rf"game {number} is not in the journal: the last one is game 3"):
        exported(path, number)


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("state", {"base": 3}, "state: .*base"),
        ("state", {}, "state: .*missing required field"),
        ("state", [1], "state is an object"),
        ("habits", [{"hold": "long"}] * 4, "habits: "),
        ("habits", [{}], "habits: 1 for 4 seats"),
    ],
)
def test_a_header_that_no_table_has_is_one_clear_line(path: Path, key: str, value: object, why: str) -> None:
    two_games(path, acts=1)
    header, *rest = exported(path, 2)
    broken = json.dumps(json.loads(header) | {key: value})
    with pytest.raises(tape.TapeError, match=f"line 1: {why}") as error:
        tape.table_of(tape.read([broken, *rest]))
    assert "\n" not in str(error.value)


# The chain ----------------------------------------------------------------------------------------------------------


def test_a_whole_journal_is_verified_and_its_games_replayed(path: Path) -> None:
    two_games(path)
    rows = rows_of(path)
    with snapshot(path) as database:
        found = verifying.verify(database)
        assert (found.first, found.last) == (1, len(rows))
        assert [game for game, _ in found.games] == [1, 2]
        assert database.execute("SELECT count(*) FROM packs").fetchone()[0] > 0
        assert verifying.verify_game(database, 1) > 10
        assert verifying.verify_game(database, 2) > 10
    heads = [row.hash for row in rows if row.kind == chain.OVER]
    assert [head for _, head in found.games] == heads


CHANGES = {
    "a body": "UPDATE rows SET body = replace(body, '1', '2') WHERE n = (SELECT max(n) FROM rows)",
    "a lost row": "DELETE FROM rows WHERE n = (SELECT max(n) - 1 FROM rows)",
    "a pack": "UPDATE packs SET body = zeroblob(length(body))",
    "a lost pack": "DELETE FROM packs WHERE first = (SELECT max(first) FROM packs)",
    "the end of a game": "UPDATE games SET head = zeroblob(32) WHERE id = 1",
    "a checkpoint": "UPDATE points SET state = zeroblob(10) WHERE n = (SELECT max(n) FROM points)",
    "all rows from one on": "DELETE FROM rows WHERE n > (SELECT min(n) FROM rows)",
    "the last row": "DELETE FROM rows WHERE n = (SELECT max(n) FROM rows)",
    "another beginning": "INSERT INTO anchors (n, hash) VALUES (0, zeroblob(31))",
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_changed_is_found(path: Path, change: str) -> None:
    two_games(path, acts=3)
    database = sqlite3.connect(path)
    database.executescript(CHANGES[change])
    database.close()
    with snapshot(path) as copy, pytest.raises(verifying.Wrong):
        verifying.verify(copy)


def test_a_pack_is_the_rows_it_was_made_of(path: Path) -> None:
    evening = Evening(path, 36)
    for _ in evening.play(20):
        pass
    evening.close()
    before = rows_of(path)
    database = sqlite3.connect(path)
    assert packs.pack(database, before[-1].n)
    assert not packs.pack(database, before[-1].n)
    database.commit()
    assert list(reading.rows(database)) == before
    assert list(reading.rows(database, 30, 40)) == before[30:40]
    database.close()


def test_the_end_of_a_game_shows_the_code_that_verify_says(path: Path) -> None:
    evening = Evening(path, 31)
    assert evening.journal is not None
    evening.play_out()
    evening.run_to(evening.machine.ns + 6 * S)  # the last verdict has been seen
    evening.journal.flush()
    evening.app.show()
    assert evening.screen.last is not None
    shown = evening.screen.last.notices[0]
    evening.close()
    with snapshot(path) as database:
        assert shown == ("RECORD {code}", {"code": chain.code(verifying.verify(database).games[0][1])})


# Thinning -----------------------------------------------------------------------------------------------------------


def many_games(path: Path, count: int, days: int, monkeypatch: pytest.MonkeyPatch, *, is_set: bool = True) -> None:
    """So many short games, each a day after the one before; those older than ``days`` are thinned out."""
    monkeypatch.setattr(thinning, "ALWAYS_KEPT", 2)
    machine = Virtual(is_set=is_set)
    for number in range(count):
        evening = Evening(path, number, machine=machine, keep_days=days)
        if evening.recovered.waiting is not None:
            evening.go_on()
            next_deal(evening)
        evening.play_out()
        evening.close()
        machine.ns += DAY // 3  # an evening that goes on is no new one
        machine.ns += 2 * DAY // 3
    assert count


@pytest.mark.parametrize("is_set", [True, False])
def test_old_games_go_their_sums_and_the_anchor_stay(path: Path, monkeypatch: pytest.MonkeyPatch, is_set: bool) -> None:
    many_games(path, 8, 4, monkeypatch, is_set=is_set)
    with snapshot(path) as database:
        found = verifying.verify(database)
        assert found.first > 1
        kept = [game for game, _ in found.games]
        assert kept == list(range(kept[0], 9))
        assert 4 <= len(kept) <= 6
        assert database.execute("SELECT count(*) FROM games WHERE totals IS NOT NULL").fetchone()[0] == 8
        assert verifying.verify_game(database, kept[0]) > 0
        with pytest.raises(LookupError, match="game 1 has been thinned out"):
            list(exporting.lines(database, 1, header_of))
        races = database.execute("SELECT count(*) FROM races WHERE n < ?", (found.first,)).fetchone()[0]
        assert races == 0
    database = sqlite3.connect(path)
    database.execute("UPDATE anchors SET hash = zeroblob(32)")
    database.commit()
    database.close()
    with snapshot(path) as copy, pytest.raises(verifying.Wrong):
        verifying.verify(copy)


def test_a_clock_that_is_set_late_thins_nothing_that_may_be_young(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games recorded in 1970 by a clock that nobody had set are not fifty years old."""
    monkeypatch.setattr(thinning, "ALWAYS_KEPT", 0)
    for number, is_set in enumerate((False, False, True)):
        machine = Virtual(number * 20 * DAY, f"boot-{number}", is_set=is_set, wall=0 if not is_set else 50 * 365 * DAY)
        evening = Evening(path, number, machine=machine, keep_days=365)
        evening.play_out()
        evening.close()
    with snapshot(path) as database:
        assert verifying.verify(database).first == 1


def test_the_newest_games_stay_whatever_the_clock_says(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many_games(path, 3, 0, monkeypatch)
    monkeypatch.setattr(thinning, "ALWAYS_KEPT", 50)
    machine = Virtual(wall=40 * 365 * DAY)
    evening = Evening(path, 9, machine=machine, keep_days=1)
    evening.close()
    with snapshot(path) as database:
        assert verifying.verify(database).first == 1


# Names --------------------------------------------------------------------------------------------------------------


def test_a_name_that_is_forgotten_is_nowhere_and_the_chain_is_whole(path: Path) -> None:
    table = new_table()
    table.names = ("Wilhelmine", "Bob", "Cy", "Dee")
    evening = Evening(path, 1, table=table)
    for _ in evening.play(10):
        pass
    evening.close()
    before = rows_of(path)
    assert b"Wilhelmine" in path.read_bytes()
    assert forget(path, "Wilhelmine")
    assert not forget(path, "Wilhelmine")
    for each in path.parent.iterdir():
        assert b"Wilhelmine" not in each.read_bytes(), each.name
    assert rows_of(path) == before
    assert json.loads(exported(path, 1)[0])["seats"] == ["Seat 1", "Bob", "Cy", "Dee"]


def test_a_name_can_be_forgotten_while_the_table_plays(path: Path) -> None:
    evening = Evening(path, 1)
    for number in evening.play(20):
        if number == 10:
            assert evening.journal is not None
            evening.journal.flush()
            assert forget(path, "Dee")
    evening.close()
    assert all(b"Dee" not in each.read_bytes() for each in path.parent.iterdir())
    with snapshot(path) as database:
        verifying.verify(database)


def test_chained_rows_hold_persons_and_no_names(path: Path) -> None:
    two_games(path, acts=5)
    text = "\n".join(row.body for row in rows_of(path))
    assert not any(f'"{name}"' in text for name in ("Ann", "Bob", "Cy", "Dee"))
    deal = next(reading.body_of(row) for row in rows_of(path) if row.kind == chain.DEAL)
    assert len(set(deal["seats"])) == 4
    assert deal["kind"] == "classic"
