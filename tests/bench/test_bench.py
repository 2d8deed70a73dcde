"""The benchmark's cheap rows in their short form, and its table: shape, names and units. No time is asserted."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from bench import __main__ as program
from bench import edges, listing, peer, presses, rules
from bench.figures import Bench, Goal, PeerMissing, Row, at_most, figure, more, times_at_least, times_at_most
from bench.machine import Load
from doubtable.games import GAMES

NAMES = ["edges", "lamp", "rules", "contains", "replay", "start", "draw", "commit", "growth"]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(short=True, say=lambda what: None, work=tmp_path)


@pytest.fixture
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nothing can be installed."""

    def missing(bench: Bench) -> Path:
        raise PeerMissing("cannot be installed here: no network")

    monkeypatch.setattr(peer, "environment", missing)


def test_the_rows_have_their_names() -> None:
    assert list(program.ROWS) == NAMES


def test_contains(bench: Bench) -> None:
    row = rules.contains_row(bench)
    (each,) = row.figures
    assert (row.name, each.unit, each.goal) == ("contains", "/s", "5 x")
    assert each.theirs
    assert each.ratio == pytest.approx(each.ours / each.theirs)


@pytest.mark.usefixtures("no_environment")
def test_a_peer_that_cannot_be_installed_is_said_and_the_rest_goes_on(bench: Bench) -> None:
    row = edges.row(bench)
    framework, callbacks = row.figures
    assert (row.name, {each.unit for each in row.figures}) == ("edges", {"/s"})
    assert (framework.theirs, framework.ratio, framework.met) == (None, None, None)
    assert framework.missing == "cannot be installed here: no network"
    assert framework.ours > 0
    assert (callbacks.missing, callbacks.theirs is not None) == ("", True)
    assert "no network" in "\n".join(listing.table([row]))


@pytest.mark.usefixtures("no_environment")
def test_rules(bench: Bench) -> None:
    row = rules.row(bench)
    names = [each.figure for each in row.figures]
    assert {each.unit for each in row.figures} == {"acts/s"}
    assert names[:2] == ["classic, rules alone", "classic, whole table"]
    assert len(names) == 2 * len(GAMES)


def test_ours_finds_the_first_of_every_race() -> None:
    for race in presses.races(5):
        first, second = sorted({press.seat: press.ns for press in reversed(race)}.items(), key=lambda each: each[1])[:2]
        doubter = edges.play(presses.reads(race))
        assert doubter != 1  # it is seat 1's claim
        if first[0] != 1 and second[1] - first[1] > 10_000_000:
            assert doubter == first[0]


def test_a_read_holds_what_came_before_it() -> None:
    (race,) = presses.races(1)
    reads = presses.reads(race)
    assert [press for _, edges in reads for press in edges] == race
    assert all(at - presses.READ <= press.ns < at for at, edges in reads for press in edges)


def test_a_peer_that_ends_early_is_missing_with_its_last_words() -> None:
    command = [sys.executable, "-c", "import sys; sys.exit('no module of that name')"]
    pipe = subprocess.PIPE
    with (
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process,
        pytest.raises(PeerMissing, match="does not run here: no module of that name"),
    ):
        peer.Peer(process).answer()


@pytest.mark.parametrize(
    ("goal", "ours", "ratio", "met"),
    [
        (at_most(0.5, "ms"), 0.5, None, True),
        (at_most(0.5, "ms"), 0.6, 0.1, False),
        (times_at_most(0.6), 9.0, 0.6, True),
        (times_at_most(0.6), 9.0, 0.7, False),
        (times_at_least(5), 1.0, 4.9, False),
        (times_at_least(5), 1.0, None, None),
        (more(), 1.0, 1.0, False),
        (more(), 1.0, 1.1, True),
        (Goal(), 1.0, 1.0, None),
    ],
)
def test_a_goal_is_met(goal: Goal, ours: float, ratio: float | None, met: bool | None) -> None:
    assert goal.met(ours, ratio) is met


def row(name: str) -> Row:
    figures = (figure("hands a second", "/s", 4_000_000, times_at_least(5), beside="a plain check", theirs=500_000),)
    return Row(name=name, done="50 hands.", figures=figures, date="2026-11-30", load=Load(0.1, 0.4))


def test_the_page_gets_the_figures_between_its_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, page = tmp_path / "bench.json", tmp_path / "performance.md"
    monkeypatch.setattr(program, "ROOT", tmp_path)
    monkeypatch.setattr(program, "FILE", file)
    monkeypatch.setattr(program, "PAGE", page)
    page.write_text(f"before\n{listing.BEGIN}\nold\n{listing.END}\nafter\n", encoding="utf-8")
    assert program.main(["--write-docs"]) == 1
    assert "old" in page.read_text(encoding="utf-8")
    machine = {"processor": "a Pi 4", "cores": "4", "system": "Linux", "python": "CPython", "versions": "msgspec 1"}
    file.write_bytes(msgspec.json.encode(program.Results(machine, {name: row(name) for name in NAMES})))
    assert program.main(["--write-docs"]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
    assert "| `contains` | hands a second | 4,000,000 /s | 500,000 /s | 8.00 | 5 x | yes | a plain check |" in text
    assert "2026-11-30. a Pi 4" in text
    assert "0.1 to 0.4" in text
    assert listing.BUSY not in text
    busy = listing.document([replace(row("edges"), load=Load(4.5, 3))], machine)
    assert listing.BUSY in busy
    virtual = [row("edges"), replace(row("lamp"), load=Load(4.5, 3), virtual=True)]
    assert listing.BUSY not in listing.document(virtual, machine)
    assert "old" not in text


def test_the_page_has_a_place_for_the_figures() -> None:
    page = program.PAGE.read_text(encoding="utf-8")
    assert listing.written_into(page, "X").count("X") >= 1
    with pytest.raises(ValueError, match="no place"):
        listing.written_into("nothing", "X")
