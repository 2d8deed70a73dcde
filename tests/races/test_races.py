"""A few of the million races, every broken copy among them, and that the judge is a stranger to the product."""

import ast
import random
from itertools import pairwise
from pathlib import Path

import pytest

from doubtable import tape
from races import feeding, mutants, verdicts
from races.__main__ import main
from races.crew import race_all
from races.people import MS, SOUND, THOUGHT, reaction
from races.printout import holds, report
from races.rule import NOBODY, answer, answers, tie_of
from races.switches import CAPTURE, CAPTURED, GANSSLE, LONGEST_REST, WORN, bounce
from races.truth import Press, Race, Source, make
from races.wires import lay

SEED = 25
FEW = 300
HERE = Path(__file__).parent


def test_races_come_out_right() -> None:
    tally, wrong = race_all(FEW, SEED, cores=2)
    assert wrong == []
    assert tally["races"] == FEW
    assert 3 * tally["close"] >= FEW
    text = "\n".join(report(tally, SEED, ""))
    assert "WRONG" in text
    assert "end-of-debounce stamps" in text
    assert tally["first callback wins: another"] > 0
    assert tally["end-of-debounce stamps: late"] > 0
    assert tally["lowest pin in one burst: another"] > 0


@pytest.mark.parametrize("mutant", mutants.NAMES)
def test_a_broken_copy_comes_out_wrong(mutant: str) -> None:
    tally, wrong = race_all(FEW, SEED, mutant, cores=2)
    assert tally[verdicts.WRONG] == len(wrong) > 0
    assert holds(tally, mutant)


@pytest.mark.parametrize("name", ["people", "switches", "truth", "wires", "rule", "usual"])
def test_the_judge_knows_nothing_of_the_product(name: str) -> None:
    tree = ast.parse((HERE / f"{name}.py").read_text(encoding="utf-8"))
    imported = {
        module
        for node in ast.walk(tree)
        for module in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert not [module for module in imported if module.startswith("doubtable")]
    assert not imported & {"races.feeding", "races.mutants", "races.verdicts"}


# The generator ---------------------------------------------------------------------------------------------------


def test_a_race_is_the_same_race_every_time() -> None:
    assert [make(3, number) for number in range(40)] == [make(3, number) for number in range(40)]
    assert lay(make(3, 7), 3) == lay(make(3, 7), 3)
    assert make(3, 7) != make(4, 7)


def test_stamps_are_off_by_no_more_than_is_declared() -> None:
    for number in range(300):
        race = make(SEED, number)
        wires = lay(race, SEED)
        errors: dict[int, list[int]] = {}
        for press, (seat, begun, up) in zip(race.presses, wires.stamps, strict=True):
            errors.setdefault(race.source_of[seat - 1], []).extend((begun - press.begun, up - press.up))
        for one, own in errors.items():
            assert max(own) - min(own) <= race.sources[one].uncertainty
            for other, theirs in errors.items():
                if other != one:
                    both = race.sources[one].uncertainty + race.sources[other].uncertainty
                    assert max(own) - min(theirs) <= both


def test_every_delivery_is_within_the_straggler_time_and_no_line_is_mixed_up() -> None:
    late = 0
    for number in range(300):
        race = make(SEED, number)
        newest: dict[int, int] = {}
        for told in lay(race, SEED).told:
            assert 0 < told.wall - told.stamp < 50 * MS
            assert told.stamp >= newest.get(told.seat, 0)
            newest[told.seat] = told.stamp
            late += told.wall - told.stamp > 10 * MS
    assert late > 0


def test_bounces_are_as_long_as_those_that_were_measured() -> None:
    rng = random.Random(1)
    lengths = [bounce(rng, GANSSLE, opening=False)[-1] for _ in range(4000)]
    assert max(lengths) <= 6_200_000
    assert 300_000 < sum(lengths) / len(lengths) < 1_557_000, "no bounce counts as none"
    assert bounce(rng, CAPTURED, opening=False) == list(CAPTURE)
    assert CAPTURE[-1] == 527_875
    opening = bounce(rng, WORN, opening=True)
    assert 20 * MS < opening[-1] < 162 * MS
    for offsets in (opening, *(bounce(rng, GANSSLE, opening=False) for _ in range(500))):
        assert len(offsets) % 2 == 1
        assert all(0 < after - before <= LONGEST_REST for before, after in pairwise(offsets))


@pytest.mark.parametrize(("style", "mean"), [(SOUND, 160), (THOUGHT, 384)])
def test_reactions_take_as_long_as_those_that_were_measured(style: tuple[float, float, float], mean: int) -> None:
    rng = random.Random(1)
    times = [reaction(rng, style) / MS for _ in range(5000)]
    assert abs(sum(times) / len(times) - mean) < 4
    assert min(times) >= 60


# The rule, by hand -----------------------------------------------------------------------------------------------

SECOND = 1_000_000_000


def a_race(kind: str = "slaps", **facts: object) -> Race:
    given = {
        "number": 0,
        "kind": kind,
        "size": 6,
        "occupied": (1, 2, 3, 4, 5, 6),
        "claimant": 1,
        "opens": SECOND,
        "closes": None,
        "tie": 5 * MS,
        "sources": (Source("gpio", 0),),
        "source_of": (0,) * 6,
        "switches": (GANSSLE,) * 6,
    }
    return Race(**(given | facts))  # type: ignore[arg-type]


def presses(*each: tuple[int, float]) -> list[tuple[int, int, int]]:
    """(seat, ms after the lock), each held for 100 ms."""
    return [(seat, SECOND + round(at * MS), SECOND + round((at + 100) * MS)) for seat, at in each]


@pytest.mark.parametrize(
    ("times", "seat", "tied"),
    [
        (presses((5, 10), (2, 15)), 2, {5, 2}),
        (presses((5, 10), (2, 15.000001)), 5, {5}),
        (presses((6, 10), (4, 14), (2, 18)), 4, {6, 4}),
        (presses((3, -1), (2, 300), (3, 240)), 2, {2}),
        (presses((1, 10), (6, 12)), 6, {6}),
        (presses((3, -1)), NOBODY, set()),
        (presses((2, -900), (2, -700), (2, -500), (2, 400), (5, 490)), 5, {5}),
        (presses((2, -900), (2, -700), (2, -500), (2, 500), (5, 490)), 5, {5}),
    ],
)
def test_the_rule_on_slaps(times: list[tuple[int, int, int]], seat: int, tied: set[int]) -> None:
    found = answer(a_race(), times)
    assert (found.seat, set(found.tied)) == (seat, tied)


def test_the_rule_on_a_timed_close() -> None:
    race = a_race(closes=2 * SECOND)
    assert answer(race, presses((3, 999.999999), (2, 1000))).tied == {3}
    assert answer(race, presses((2, 1000))).seat == NOBODY


def test_the_rule_on_a_start() -> None:
    race = a_race("turn")
    start = [(2, SECOND + 3950 * MS, SECOND + 4050 * MS)]
    assert answer(race, [*presses((4, 4050)), *start]).seat == 4
    assert answer(race, [*presses((4, 4050.000001)), *start]).seat == NOBODY
    hold = [(2, SECOND + 500 * MS, SECOND + 1200 * MS)]
    assert answer(race, [*presses((4, 496)), *hold]).seat == 2
    tap = [(2, SECOND + 500 * MS, SECOND + 1199 * MS)]
    assert answer(race, [*presses((4, 496)), *tap]).seat == 4


def test_the_rule_on_uncertain_sources() -> None:
    race = a_race(sources=(Source("gpio", 4 * MS), Source("panel", 3 * MS), Source("third", MS)))
    assert tie_of(race) == 7 * MS


def test_the_rule_on_a_knock() -> None:
    times = presses((2, 10), (3, 11), (4, 12), (5, 13))
    assert answer(a_race(), times).bump == "sure"
    assert answer(a_race(), presses((2, 10), (3, 11), (4, 12), (5, 13.1))).bump == ""
    assert answer(a_race(), presses((6, 1), (2, 30), (3, 31), (4, 32), (5, 33))).bump == "late"


def test_a_spike_just_before_a_press_is_its_first_edge() -> None:
    press = Press(3, 2 * SECOND, 3 * SECOND, spike=2 * MS)
    race = a_race(presses=[press], opens=2 * SECOND - MS)
    assert answers(race, [(3, press.begun, press.up)])[0].seat == NOBODY, "begun before the lock"


# By hand ---------------------------------------------------------------------------------------------------------


def test_a_race_can_be_had_as_a_tape() -> None:
    for number in range(40):
        race = make(SEED, number)
        wires = lay(race, SEED)
        inputs: list[object] = []
        said = feeding.play(race, wires, inputs)  # type: ignore[arg-type]
        read = tape.read(feeding.tape_lines(race, inputs))  # type: ignore[arg-type]
        events = list(tape.replay(read, tape.table_of(read)))
        assert [each.facts["seat"] for each in events if each.name == "doubt"] == [said.seat] * (
            said.outcome == "doubt"
        )


@pytest.mark.parametrize("words", [["N=x"], ["N=0"], ["MUTANT=none"], ["M=3"]])
def test_words_that_make_no_sense(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_one_race_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["RACE=3", "SEED=25"]) == 0
    said = capsys.readouterr()
    assert said.out.startswith('{"tape": 1')
    assert said.err.splitlines()[-1] in ("so: right", "so: within", "so: again")
