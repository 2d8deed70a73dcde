"""A lock's HOLD that noise makes known late still opens the window at its own stamp, whatever was known first."""

import pytest

from doubtable.events import Event
from doubtable.games.classic import Classic
from doubtable.inputs import Edge, Time
from doubtable.table import Table
from doubtable.timing import MS, Timing

LOCK = 1000  # ms; the claimant's button went down at 300


def edge(ms: float, seat: int, level: int) -> Edge:
    return Edge(round(ms * MS), seat, level)


def played(noise: int, slaps: dict[int, float], *, ends_up: bool = False, until: int = 4000) -> list[Event]:
    """Seat 1 enters one card and holds; from 999 ms on its contact bounces ``noise`` times, 4 ms apart.

    ``slaps``: by seat, when (ms); each is delivered by its stamp.
    """
    table = Table(Classic((1, 2, 3, 4), 4, {}, Timing(tie=5 * MS)), ("Ann", "Bob", "Cy", "Di"), 4)
    edges = [edge(0, 1, 1), edge(100, 1, 0), edge(300, 1, 1)]
    edges += [edge(999 + 4 * at, 1, at % 2) for at in range(2 * noise + ends_up)]
    edges += [edge(ms, seat, 1) for seat, ms in slaps.items()]
    told: list[Event] = []
    for each in sorted(edges, key=lambda each: each.ns):
        told += table.feed(each)
        told += table.feed(Time(each.ns))
    return told + table.feed(Time(until * MS))


def of(events: list[Event], *names: str) -> list[tuple[str, int | None, float]]:
    return [(each.name, each.facts.get("seat"), each.ns / MS) for each in events if each.name in names]


@pytest.mark.parametrize("noise", [0, 1, 2, 15, 100])
@pytest.mark.parametrize("slap", [1000, 1000.000001, 1001, 1003, 1060])
def test_a_slap_after_the_lock_counts_however_late_the_lock_is_known(noise: int, slap: float) -> None:
    events = played(noise, {3: slap})
    assert of(events, "claim", "doubt", "void") == [("claim", 1, LOCK), ("doubt", 3, slap)]


@pytest.mark.parametrize("noise", [0, 1, 2, 15, 100])
def test_a_slap_before_the_lock_is_early_and_locks_out(noise: int) -> None:
    events = played(noise, {3: 999.999999, 4: 1100})
    assert sorted(of(events, "claim", "doubt", "void")) == [
        ("claim", 1, LOCK),
        ("doubt", 4, 1100),
        ("void", 3, 999.999999),
    ]


@pytest.mark.parametrize("noise", [1, 15])
def test_of_two_slaps_in_the_tie_the_nearer_one_counts(noise: int) -> None:
    (doubt,) = [each for each in played(noise, {4: 1001, 3: 1003}) if each.name == "doubt"]
    assert (doubt.facts["seat"], doubt.facts["tie"]) == (3, True)


@pytest.mark.parametrize("noise", [1, 15])
def test_when_the_burst_ends_in_a_release_there_was_no_lock(noise: int) -> None:
    events = played(noise, {3: 1001}, ends_up=True)
    assert of(events, "claim", "doubt", "void") == [("void", 3, 1001)]


def test_a_burst_that_never_settles_is_named_and_waited_for_no_longer() -> None:
    events = played(600, {3: 1001})
    at = 1001 + 5 + 50 + 1000
    assert of(events, "claim", "doubt", "void", "fault")[:2] == [("fault", 1, at), ("void", 3, 1001)]
