"""The owner's view: games, doubts, reaction times, buttons that are dying, cards that are missing."""

import csv
import json
import sqlite3
from datetime import UTC
from io import StringIO
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from doubtable.events import Event, event
from doubtable.inputs import Edge
from doubtable.journal import schema
from doubtable.journal.snapshot import snapshot
from doubtable.journal.totals import ButtonTotals, SeatTotals, Totals
from doubtable.race import Candidate, Record
from doubtable.simulation import Simulation, simulated_table
from doubtable.stats import Stats, collect, dying, quantile
from doubtable.stats_plot import PlotError, plot, tick
from doubtable.stats_report import as_csv, as_text
from doubtable.timing import MS, S
from journal.evening import WALL, Evening

DAY = 86_400 * S


def stats_of(games: list[tuple[str, int, str, Totals]], deck: str = "1-abc") -> Stats:
    """Statistics of games given as kind, day from 2030-03-17, end, and sums."""
    database = sqlite3.connect(":memory:")
    for script in schema.MIGRATIONS:
        database.executescript(script)
    database.executemany("INSERT INTO names VALUES (?, ?)", [("p1", "Ann"), ("p2", "Bob")])
    for number, (kind, day, how, totals) in enumerate(games, 1):
        database.execute(
            "INSERT INTO games (id, game, seats, facts, base, first, began, clock_set, ended, deck, totals)"
            " VALUES (?, ?, ?, '', 0, 0, ?, 1, ?, ?, ?)",
            (
                number,
                kind,
                json.dumps(["p1", "p2", "p3"]),
                WALL + day * DAY,
                how,
                deck,
                msgspec.json.encode(totals).decode(),
            ),
        )
    found = collect(database, UTC)
    database.close()
    return found


def game(**facts: object) -> Totals:
    return msgspec.convert({"began": 0, "ended": 600 * S, "claims": 20, **facts}, Totals)


# Sums of one game ---------------------------------------------------------------------------------------------------


def test_a_bouncing_press_is_one_contact_and_a_spike_is_noise() -> None:
    totals = Totals()
    for ns, level in ((0, 1), (1, 0), (2 * MS, 1), (100 * MS, 0), (500 * MS, 1), (500 * MS + 100_000, 0)):
        totals.edge(Edge(ns, 3, level))
    totals.hear([event("press", 0, seat=3), event("release", 100 * MS, seat=3)])
    button = totals.buttons[3]
    assert (button.edges, button.bursts, button.settled, button.noise) == (6, 3, 2, 1)
    assert button.longest == 2 * MS


def test_a_press_that_was_only_inferred_is_no_contact() -> None:
    totals = Totals()
    totals.hear([event("press", 0, seat=3, inferred=True)])
    assert totals.buttons == {}


def test_reaction_times_run_from_the_lock_to_each_slap() -> None:
    candidates = (Candidate(2, 1300 * MS), Candidate(3, 1310 * MS), Candidate(1, 1320 * MS, low=1200 * MS))
    record = Record("doubt", 4, 4, 1000 * MS, 1400 * MS, candidates, 5 * MS, "house rule", {}, doubter=2)
    totals = Totals()
    totals.hear([event("doubt", 1300 * MS, seat=2, of=4, tie=False, race=[], record=record)])
    assert {seat: each.reactions for seat, each in totals.seats.items()} == {2: [300 * MS], 3: [310 * MS]}


def test_a_doubt_is_right_when_the_claim_was_a_lie() -> None:
    totals = Totals()
    totals.hear([event("verdict", 0, of=1, doubter=2, true=False, takes=1, cards=4)])
    totals.hear([event("verdict", 0, of=1, doubter=2, true=True, takes=2, cards=4)])
    totals.hear([event("verdict", 0, of=1, doubter=2, true=True, takes=2, cards=4)])
    assert (totals.seats[2].right, totals.seats[2].wrong) == (1, 2)


def test_a_liar_is_right_when_the_holder_gets_the_point() -> None:
    totals = Totals()
    totals.hear([event("liar", 0, seat=2, of=1), event("turn", 0, seat=1, phase="prove")])
    totals.hear([event("gave_up", 0, seat=1), event("point", 0, seat=1, points=1)])
    totals.hear([event("liar", 0, seat=3, of=2)])
    totals.hear([event("proved", 0, seat=2), event("point", 0, seat=3, points=1)])
    totals.hear([event("point", 0, seat=3, points=2)])  # nobody's LIAR
    assert {seat: (each.right, each.wrong) for seat, each in totals.seats.items()} == {2: (1, 0), 3: (0, 1)}


def test_each_liar_of_a_game_was_right_or_wrong() -> None:
    totals, names = Totals(), list[str]()

    def heard(events: list[Event], ns: int) -> None:
        totals.hear(events)
        names.extend(each.name for each in events)

    simulation = Simulation(simulated_table("liar-poker", 3), 7, heard=heard)
    simulation.run(most_claims=16)
    simulation.close()
    right, wrong = (sum(getattr(seat, way) for seat in totals.seats.values()) for way in ("right", "wrong"))
    assert min(right, wrong) > 0
    assert right + wrong == names.count("liar") - bool(totals.challenger)


def test_who_has_most_penalty_points_has_not_won() -> None:
    totals = Totals()
    totals.hear([event("over", 0, scores=[1, 0, 3], places=[2, 1, 3], penalty=True, loser=3)])
    assert totals.scores == [-1, 0, -3]
    found = stats_of([("liar-poker", 0, "over", totals)])
    assert [each.won for each in found.people] == [0, 0, 0], "one has lost; nobody has won"


def test_a_game_sums_up_what_it_said(path: Path) -> None:
    evening = Evening(path, 51)
    for _ in evening.play(60):
        pass
    evening.play_out()
    evening.close()
    with snapshot(path) as database:
        found = collect(database, UTC)
    names = [each.name for each in evening.events]
    assert (len(found.games), found.games[0].how, found.games[0].kind) == (1, "over", "classic")
    assert found.games[0].totals.claims == names.count("claim")
    assert sum(seat.right + seat.wrong for seat in found.seats.values()) == names.count("verdict")
    assert sum(sum(seat.voids.values()) for seat in found.seats.values()) == names.count("void")
    assert sum(len(seat.reactions) for seat in found.seats.values()) >= names.count("doubt") > 0
    assert sum(button.settled for button in found.buttons.values()) == names.count("press") + names.count("release")
    assert sum(button.noise for button in found.buttons.values()) == 0
    assert {person.name for person in found.people} == {"Ann", "Bob", "Cy", "Dee"}
    assert sum(person.won for person in found.people) == 1


# All games ----------------------------------------------------------------------------------------------------------


def test_days_seats_and_people_are_summed_over_games() -> None:
    one = game(seats={1: {"right": 2, "wrong": 1, "reactions": [300 * MS, 500 * MS]}}, scores=[2, -1, -1])
    two = game(seats={1: {"right": 1, "reactions": [400 * MS], "voids": {"early": 2}}}, scores=[-1, 2, -1])
    found = stats_of([("classic", 0, "over", one), ("classic", 0, "over", two), ("rounds", 1, "cut", one)])
    assert [(day.day, day.games, day.right, day.wrong) for day in found.days] == [
        ("2030-03-17", 2, 3, 1),
        ("2030-03-18", 1, 2, 1),
    ]
    assert (found.seats[1].right, found.seats[1].voids) == (5, {"early": 2})
    assert [(each.name, each.games, each.won, each.right) for each in found.people] == [
        (None, 3, 0, 0),
        ("Ann", 3, 2, 5),
        ("Bob", 3, 1, 0),
    ]
    text = as_text(found)
    assert "classic          2 games, median 10 min" in text
    assert "rounds           0 games, median 0 min, 1 cut off" in text
    assert "guest p3" in text


@pytest.mark.parametrize(("percent", "expected"), [(50, 3), (95, 5), (0, 1), (100, 5), (20, 1), (21, 2)])
def test_quantiles_are_values_that_were_measured(percent: int, expected: int) -> None:
    assert quantile([5, 1, 4, 2, 3], percent) == expected
    assert quantile([7], percent) == 7


def buttons(**changed: ButtonTotals) -> dict[int, ButtonTotals]:
    good = {seat: ButtonTotals(400, 100, 100, 2 * MS) for seat in range(1, 7)}
    return good | {int(seat.removeprefix("seat")): each for seat, each in changed.items()}


def test_the_button_that_is_dying_is_named() -> None:
    assert dying(buttons()) == {}
    assert list(dying(buttons(seat4=ButtonTotals(900, 130, 100, 2 * MS)))) == [4]
    assert "no presses" in dying(buttons(seat4=ButtonTotals(900, 130, 100, 2 * MS)))[4]
    assert "bounced for 60 ms" in dying(buttons(seat2=ButtonTotals(900, 100, 100, 60 * MS)))[2]
    assert dying(buttons(seat2=ButtonTotals(90, 10, 1, 60 * MS))) == {}, "too little to say"
    all_noisy = {seat: ButtonTotals(900, 200, 100, 2 * MS) for seat in range(1, 7)}
    assert dying(all_noisy) == {}, "all alike: not the button"


def test_a_card_that_is_never_shown_is_asked_after() -> None:
    ranks = "AKQJT98765432"
    deck = [rank + suit for suit in "SHDC" for rank in ranks]
    present = [card for card in deck if card not in ("7D", "QH")]
    shown = (present * 6)[:300]
    found = stats_of([("classic", 0, "over", game(cards=["7D", *shown]))])
    assert found.unseen == ("QH", "7D")
    assert "check the pack: not among the last 300 cards shown: QH, 7D" in as_text(found)
    assert stats_of([("classic", 0, "over", game(cards=shown[:299]))]).unseen == ()
    assert stats_of([("classic", 0, "over", game(cards=[*shown, "QH", "7D"]))]).unseen == ()


def test_a_pack_that_is_not_in_play_is_not_asked_after() -> None:
    """Two packs are enrolled, four people play with one of them; with both, a lost card of the second is named."""
    one = [rank + suit for suit in "SHDC" for rank in "AKQJT98765432"]
    assert stats_of([("classic", 0, "over", game(cards=one * 6))], deck="2-abc").unseen == ()
    both = one + [f"{card}2" for card in one if card != "QH"]
    found = stats_of([("classic", 0, "over", game(cards=both * 3))], deck="2-abc")
    assert found.unseen == ("QH2",)
    assert "QH of pack 2" in as_text(found)


# What comes out -----------------------------------------------------------------------------------------------------


def test_csv_has_one_figure_a_line() -> None:
    seats = {1: {"right": 2, "reactions": [300 * MS, 500 * MS, 900 * MS], "voids": {"early": 2}}}
    found = stats_of([("classic", 0, "over", game(seats=seats, again={"gap": 1}))])
    rows = list(csv.reader(StringIO(as_csv(found))))
    assert rows[0] == ["table", "row", "figure", "value"]
    assert {len(row) for row in rows} == {4}
    for expected in (
        ["games", "1", "minutes", "10.0"],
        ["games", "1", "press again: gap", "1"],
        ["days", "2030-03-17", "games", "1"],
        ["seats", "1", "reaction median ms", "500"],
        ["seats", "1", "reaction p95 ms", "900"],
        ["seats", "1", "void: early", "2"],
        ["people", "Ann", "games", "1"],
    ):
        assert expected in rows


def test_nothing_recorded_is_said() -> None:
    assert as_text(stats_of([])) == "no game has ended yet\n"


def test_the_statistics_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "stats.svg"
    seats = {1: {"reactions": [300 * MS, 500 * MS]}, 2: {"right": 1}}
    plot(stats_of([("classic", 0, "over", game(seats=seats, buttons={1: {"bursts": 60, "settled": 30}}))]), path)
    root = ElementTree.fromstring(path.read_text())
    texts = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"seat 1", "2 slaps", "03-17"} <= set(texts)
    assert all(float(box.get("height", "0")) >= 0 for box in root.iter("{http://www.w3.org/2000/svg}rect"))
    plot(stats_of([]), path)
    assert path.read_text().count("nothing yet") == 3


@pytest.mark.parametrize("most", [0, 0.05, 0.3, 1, 3, 9, 10, 11, 47, 99, 100, 101, 3_000, 123_456])
def test_a_scale_has_a_handful_of_round_steps(most: float) -> None:
    step = tick(most)
    assert most / step <= 10
    assert most < 1 or most / step >= 2
    assert f"{step:.6f}".strip("0.") in ("1", "2", "5")


def test_a_picture_that_cannot_be_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(PlotError, match=r"ends in \.svg; any browser shows it"):
        plot(stats_of([]), tmp_path / "stats.png")
    with pytest.raises(PlotError, match="name a file that can be written"):
        plot(stats_of([]), tmp_path / "nowhere" / "stats.svg")


def test_one_seats_sums_begin_at_nothing() -> None:
    assert SeatTotals().reactions is not SeatTotals().reactions
