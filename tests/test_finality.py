"""When what happened is final, and what a race comes to when it is. Times by the table's own deadline."""

import pytest

from doubtable.events import Event
from doubtable.finality import again, record, rule
from doubtable.games.bare import RaceOnly
from doubtable.games.classic import Classic
from doubtable.inputs import Do, Edge, Input, Levels, Restart, Source, Time
from doubtable.race import Record
from doubtable.table import Table
from doubtable.timing import MS, Timing

NAMES = ("Ann", "Bob", "Cy", "Di", "Ed", "Flo")
WAIT = 55 * MS  # confirm and straggler


def race_table(closes: int | None = None, timing: Timing | None = None) -> Table:
    """Seat 1 claims; its window is open from 0."""
    game = RaceOnly((1, 2, 3, 4, 5, 6), 6, {}, timing or Timing(tie=5 * MS), 1, 0, closes)
    return Table(game, NAMES, 1)


def classic_table(timing: Timing | None = None) -> Table:
    """Seat 1 has claimed one ace at 0."""
    table = Table(Classic((1, 2, 3, 4, 5, 6), 6, {}, timing or Timing(tie=5 * MS)), NAMES, 6)
    table.feed(Do(0, 1, "claim", 1))
    return table


def ms(value: float) -> int:
    return round(value * MS)


def edge(at: float, seat: int, level: int = 1) -> Edge:
    return Edge(ms(at), seat, level)


def told(table: Table, *inputs: Input) -> list[tuple[str, float]]:
    """(name, ms) of what came, presses and gestures left out."""
    events = [event for each in inputs for event in table.feed(each)]
    return [(each.name, each.ns / MS) for each in events if each.name not in ("press", "release", "tap", "hold")]


def names(table: Table, *inputs: Input) -> list[str]:
    return [name for name, _ in told(table, *inputs)]


def final_at(table: Table, before: float = 1e9) -> list[float]:
    """Every time (ms) at which the table wants to be woken, woken each time."""
    times = []
    while (due := table.deadline()) is not None and due < ms(before):
        times.append(due / MS)
        table.feed(Time(due))
    return times


# How long a race waits -------------------------------------------------------------------------------------------


def test_a_race_is_decided_at_t0_tie_confirm_and_straggler() -> None:
    table = race_table()
    assert "doubt" not in names(table, edge(10, 5), Time(ms(69.999999)))
    assert told(table, Time(ms(70)))[0] == ("doubt", 10)


@pytest.mark.parametrize("timing", [Timing(tie=0), Timing(tie=20 * MS, confirm=2 * MS, straggler=100 * MS)])
def test_it_waits_by_the_houses_times(timing: Timing) -> None:
    table = race_table(timing=timing)
    end = 10 * MS + timing.tie + timing.confirm + timing.straggler
    assert "doubt" not in names(table, edge(10, 5), Time(end - 1))
    assert "doubt" in names(table, Time(end))


def test_it_waits_for_a_burst_that_began_in_the_tie_and_no_longer_than_until_it_settles() -> None:
    table = race_table()
    bounce = [edge(15 + 4 * place, 2, 1 - place % 2) for place in range(21)]
    assert "doubt" not in names(table, edge(10, 5), *bounce, Time(ms(99.999999)))
    assert told(table, Time(ms(100)))[0] == ("doubt", 15), "95 is its last edge"


def test_it_does_not_wait_for_a_burst_that_began_after_the_tie() -> None:
    table = race_table()
    assert "doubt" in names(table, edge(10, 5), *[edge(15.1 + 4 * n, 2, 1 - n % 2) for n in range(21)], Time(ms(70)))


def test_it_waits_for_a_read_that_may_be_a_press_in_the_tie() -> None:
    table = race_table(timing=Timing(tie=5 * MS, straggler=30 * MS))
    table.feed(Levels(0, {2: 0}))
    assert names(table, edge(10, 5), Levels(ms(25), {2: 1, 5: 1}), Time(ms(54.9)))[-1] == "read_levels"
    assert names(table, Time(ms(55)))[0] == "press_again", "and not 50, when it would have been decided"


def test_it_waits_for_numbers_that_may_still_come() -> None:
    table = race_table()
    table.feed(Edge(ms(10), 5, 1, seq=1))
    assert "doubt" not in names(table, Edge(ms(40), 5, 0, seq=3), Time(ms(80)))
    table.feed(Edge(ms(39), 6, 1, seq=2))
    assert "doubt" in names(table, Time(ms(90)))


def test_chatter_ends_in_press_again_and_a_name() -> None:
    table = race_table(timing=Timing(tie=5 * MS, chatter=100 * MS))
    chatter = [edge(12 + 4 * place, 3, 1 - place % 2) for place in range(60)]
    inputs: list[Input] = [edge(10, 5), *chatter, Time(ms(170))]
    events = [event for each in inputs for event in table.feed(each)]
    (fault,) = [each for each in events if each.name == "fault"]
    (again_,) = [each for each in events if each.name == "press_again"]
    assert (fault.facts["seat"], fault.facts["what"], again_.ns, again_.facts["why"]) == (
        3,
        "chatter",
        ms(170),
        "chatter",
    )


def test_a_next_seats_press_is_waited_for_until_it_is_understood() -> None:
    table = classic_table()
    assert "doubt" not in names(table, edge(1000, 4), edge(1004, 2), Time(ms(1703.999999)))
    assert told(table, Time(ms(1704)))[0] == ("doubt", 1004)


def test_a_next_seats_tap_ends_the_waiting() -> None:
    table = classic_table()
    assert told(table, edge(1000, 4), edge(1004, 2), edge(1100, 2, 0), Time(ms(1105)))[-2:][0] == ("doubt", 1000)


# Everything else that must be final ------------------------------------------------------------------------------


def test_without_an_open_window_a_moment_is_final_at_once() -> None:
    table = Table(Classic((1, 2, 3, 4, 5, 6), 6, {}, Timing()), NAMES, 6)
    assert ("claim", 7) in told(table, Do(ms(7), 1, "claim", 1))


def test_a_start_shows_at_once_and_is_told_when_it_is_final() -> None:
    table = classic_table()
    table.feed(Time(ms(5000)))
    assert names(table, Do(ms(5000), 2, "start")) == []
    assert table.public()["turn"] == 2
    assert names(table, Time(ms(5054.999999))) == []
    assert told(table, Time(ms(5055)))[0] == ("window", 5000)


def test_a_doubt_with_an_earlier_stamp_undoes_a_start() -> None:
    table = classic_table()
    table.feed(Do(ms(5000), 2, "start"))
    table.feed(Time(ms(5040)))
    table.feed(edge(4995, 4))
    table.feed(Time(ms(5045)))
    assert table.public()["turn"] == 1, "seen as soon as it is known"
    assert told(table, Time(ms(5100)))[0] == ("doubt", 4995)


def test_after_the_start_is_final_such_a_doubt_is_late() -> None:
    table = classic_table()
    assert ("window", 5000) in told(table, Do(ms(5000), 2, "start"), Time(ms(5055)))
    events = [event for each in (edge(4995, 4), Time(ms(5100))) for event in table.feed(each)]
    (void,) = [each for each in events if each.name == "void"]
    assert (void.ns, void.facts["why"], void.facts["delay_ns"]) == (ms(4995), "late", ms(60))


def test_a_lock_that_rests_on_a_start_is_told_with_it() -> None:
    table = classic_table()
    assert names(table, Do(ms(5000), 2, "start"), Do(ms(5010), 2, "claim", 1), Time(ms(5054))) == []
    assert [name for name in names(table, Time(ms(5055))) if name in ("claim", "window")] == [
        "window",
        "claim",
        "window",
    ]


def test_a_start_waits_for_a_burst_that_began_by_then() -> None:
    table = classic_table()
    bounce = [edge(4999 + 4 * place, 4, 1 - place % 2) for place in range(31)]
    assert names(table, *bounce[:10], Do(ms(5035), 2, "start"), *bounce[10:], Time(ms(5120))) == []
    assert told(table, Time(ms(5124)), Time(ms(5200)))[-2][0] == "doubt"


def test_a_close_waits_for_chatter_and_then_happens() -> None:
    table = race_table(closes=ms(1000), timing=Timing(tie=5 * MS, chatter=100 * MS))
    table.feed(Time(0))
    chatter = [edge(998 + 4 * place, 3, 1 - place % 2) for place in range(60)]
    assert names(table, *chatter, Time(ms(1154))) == []
    assert names(table, Time(ms(1155))) == ["fault", "window"]


def test_what_is_final_is_told_once() -> None:
    table = race_table()
    events = names(table, edge(10, 5), edge(12, 1), Time(ms(70)), Time(ms(71)), Time(ms(5000)))
    assert (events.count("doubt"), events.count("void"), events.count("window")) == (1, 1, 2)


def test_every_deadline_of_a_quiet_table_comes_to_an_end() -> None:
    table = race_table(closes=ms(1000))
    table.feed(edge(10, 5))
    table.feed(edge(400, 5, 0))
    assert final_at(table)[:3] == [0, 15, 70]
    assert table.deadline() is None


# rule, again, record ---------------------------------------------------------------------------------------------


def frozen(*seats_at: tuple[int, float], timing: Timing | None = None) -> Table:
    table = race_table(timing=timing or Timing(tie=5 * MS))
    for seat, at in seats_at:
        table.feed(edge(at, seat))
    table.feed(Time(ms(max(at for _, at in seats_at) + 5)))
    return table


def outcome(events: list[Event]) -> tuple[str, object]:
    (event,) = [each for each in events if each.name in ("doubt", "press_again")]
    return event.name, event.facts.get("seat", event.facts.get("why"))


def test_rule_takes_a_doubter() -> None:
    table = frozen((5, 10), (2, 14))
    fold, events = rule(table.fold, table.game, ms(70), {}, ())
    assert outcome(events) == ("doubt", 2)
    assert (fold.race, fold.game.window, fold.closed) == ((), None, ms(70))


def test_rule_names_all_who_chatter() -> None:
    table = frozen((5, 10))
    _, events = rule(table.fold, table.game, ms(1070), {}, (3, 6))
    assert [each.facts["seat"] for each in events if each.name == "fault"] == [3, 6]
    assert outcome(events) == ("press_again", "chatter")


def test_rule_widens_the_tie_by_the_sources() -> None:
    table = frozen((5, 10), (2, 18))
    assert outcome(rule(table.fold, table.game, ms(70), {"gpio": 8 * MS}, ())[1]) == ("doubt", 2)
    assert outcome(rule(table.fold, table.game, ms(70), {"gpio": 8 * MS - 1}, ())[1]) == ("doubt", 5)


def test_again_reopens_at_the_decision_and_forgets_the_race() -> None:
    table = frozen((5, 10), (2, 14))
    fold, events = again(table.fold, table.game, ms(70), "bump", {})
    assert fold.race == ()
    assert fold.game.window.opened == ms(70)
    assert [each.name for each in events] == ["press_again", "window"]
    evidence = events[0].facts["record"]
    assert isinstance(evidence, Record)
    assert [each.seat for each in evidence.candidates] == [5, 2], "who pressed is kept as evidence"


def test_a_record_holds_what_the_decision_rests_on() -> None:
    table = frozen((5, 10), (1, 11), (2, 14))
    evidence = record(table.fold, table.game, ms(70), {"gpio": 100_000}, "doubt", doubter=2)
    assert [(each.seat, each.ns) for each in evidence.candidates] == [(5, ms(10)), (2, ms(14))]
    assert [(each.seat, each.why) for each in evidence.voids] == [(1, "claimant")]
    assert (evidence.tie, evidence.tie_why, evidence.uncertainties["gpio"]) == (5 * MS, "house rule", 100_000)
    assert (evidence.claimant, evidence.size, evidence.opened, evidence.decided) == (1, 6, 0, ms(70))


def test_a_source_that_died_in_the_window_leaves_nobody_to_take() -> None:
    table = race_table()
    table.feed(Source(0, "gpio", True))
    assert names(table, edge(10, 5), Source(ms(40), "gpio", False)).count("press_again") == 1
    assert names(table, Time(ms(200))) == []


def test_after_a_power_cut_no_start_from_before_bounds_the_window_that_opens_anew() -> None:
    """A doubt had undone the start, the race was cut: whoever presses in the new window doubts."""
    table = classic_table()
    told(table, Time(ms(1000)), Do(ms(5100), 2, "start"), edge(5090, 4), Time(ms(5110)))
    assert [each.seat for each in table.fold.race] == [4]
    told(table, Restart(ms(5120), ms(1000)))
    assert ("doubt", 7000) in told(table, edge(7000, 5), Time(ms(7200)))


# A tap whose press can do nothing more ---------------------------------------------------------------------------


def test_the_tap_of_a_late_press_is_told_and_leaves_nothing_to_wait_for() -> None:
    table = race_table(closes=ms(100))
    table.feed(edge(200, 2))
    table.feed(Time(ms(210)))
    table.feed(edge(260, 2, 0))
    events = table.feed(Time(ms(265)))
    assert [each.name for each in events] == ["release", "tap"]
    assert table.deadline() is None


def test_the_tap_of_a_press_that_an_earlier_one_may_still_change_is_kept() -> None:
    """Seat 3 slaps in a window; its release comes while the race is open, so that the order may still change."""
    table = race_table()
    table.feed(edge(10, 3))
    table.feed(edge(16, 3, 0))
    table.feed(Time(ms(22)))
    assert [each.kind for each in table.state.moments] == ["down", "end"]
    assert ("doubt", 10) in told(table, Time(ms(100)))
