"""F01-F07, F10, F13, F19, F20: bounce, glitches, noise, clocks, stuck switches and start-up."""

import time

import pytest

from doubtable.devices.panel_clock import PanelClock
from doubtable.inputs import Levels
from doubtable.timing import MS, S, Timing
from field_cases.variants import Case, Variant, in_every_variant, ms

F01 = (
    *((188812, 1), (196062, 0), (421812, 1), (424437, 1), (428125, 0), (431812, 1), (437875, 0), (500937, 1)),
    *((507000, 0), (547500, 1), (559500, 0), (635625, 1), (642875, 0), (645375, 1), (650250, 0), (652750, 1)),
    *((671875, 0), (674375, 1), (684125, 1), (696125, 0), (702187, 1), (713000, 0), (716687, 1), (120716687, 0)),
)
F02_GAPS = (
    *(5, 5, 5, 20, 15, 15, 154141, 5, 5, 9721380, 35, 15, 230, 5, 15, 5, 30, 35, 5, 30, 5, 10, 5, 5, 30, 15, 5, 10),
    *(5, 5, 10, 10, 5, 5, 5, 20, 5, 5),
)


@in_every_variant
def test_f01_one_press_of_many_edges(variant: Variant) -> None:
    case = Case(variant)
    case.edges((ns, 3, level) for ns, level in F01)
    case.until(S)
    assert case.stamps("press") == [188812]
    assert case.stamps("release") == [120716687]
    assert sum(each.facts["count"] for each in case.of("repeats", 3)) == 2


@in_every_variant
def test_f02_three_bursts(variant: Variant) -> None:
    case = Case(variant)
    ns, level = 0, 1
    flips = [(ns, 4, level)]
    for gap in F02_GAPS:
        ns, level = ns + gap * 1000, 1 - level
        flips.append((ns, 4, level))
    case.edges(flips)
    case.until(10 * S)
    assert (case.stamps("press"), case.stamps("release")) == ([0, 9_875_596_000], [154_206_000])
    assert case.table.state.lines[variant.seat(4, 13) - 1].level == 1
    assert flips[-1][0] == 9_876_161_000


@in_every_variant
@pytest.mark.parametrize("down", [6, 5.001, 12])
def test_f03_a_press_shorter_than_the_bounce_time_freezes_nothing(variant: Variant, down: float) -> None:
    case = Case(variant)
    case.edges([(0, 1, 1), (ms(down), 1, 0), (ms(5000), 1, 1), (ms(5200), 1, 0)])
    case.until(6 * S)
    assert (case.stamps("press"), case.stamps("release")) == ([0, ms(5000)], [ms(down), ms(5200)])


@in_every_variant
@pytest.mark.parametrize("width", [3, 0.02, 4.999])
def test_f04_a_glitch_leaves_the_state_as_it_was(variant: Variant, width: float) -> None:
    case = Case(variant)
    case.edges([(0, 2, 1), (ms(width), 2, 0)])
    case.until(ms(width + 5))
    assert case.table.state.lines[variant.seat(2, 13) - 1].level == 0
    case.edges([(2000 * MS, 2, 1), (2050 * MS, 2, 0)])
    case.until(3 * S)
    assert (case.stamps("press"), case.stamps("release")) == ([2000 * MS], [2050 * MS])


@in_every_variant
def test_f05_a_lost_release_is_inferred_from_the_level(variant: Variant) -> None:
    case = Case(variant)
    start, press, read = 18_236_142_590_527, 18_236_902_041_694, 18_237_902_041_694
    case.edges([(start, 5, 0), (press, 5, 1)])
    case.until(read - 1)
    case.feed(Levels(read, {5: 0}))
    case.edges([(18_240_000_000_000, 5, 1)])
    case.until(18_241_000_000_000)
    assert case.stamps("press") == [press, 18_240_000_000_000]
    (release,) = case.of("release")
    assert release.facts["inferred"] is True
    assert press < release.ns <= read
    assert not case.of("repeats")
    assert [each.ns for each in case.of("hold", 5)] == [press + 700 * MS, 18_240_700_000_000], "one press, one hold"


@in_every_variant
def test_f06_letting_go_is_no_second_press(variant: Variant) -> None:
    case = Case(variant)
    case.edges((ms(at), 6, level) for at, level in ((0, 1), (400, 0), (400.6, 1), (401.1, 0), (402, 1), (402.3, 0)))
    case.until(2 * S)
    assert (case.stamps("press"), case.stamps("release")) == ([0], [ms(400)])


@in_every_variant
@pytest.mark.parametrize(("pulses", "every"), [(40, 50), (7, 1), (1, 0), (400, 50)])
def test_f07_induced_spikes_are_counted_and_said_once(variant: Variant, pulses: int, every: int) -> None:
    """Also one a ms, where none of them comes to rest: one noise pulse, however long it chatters."""
    case = Case(variant, claimant=1)
    case.until(0)
    for pulse in range(pulses):
        case.edges([(ms(every * pulse + 1), 9, 1), (ms(every * pulse + 1.12), 9, 0)])
    case.until(30 * S)
    assert not case.of("press")
    assert not case.of("doubt")
    assert len(case.of("noise", 9)) == 1
    assert case.table.state.noise[variant.seat(9, 13) - 1][0] == (pulses if every >= 5 else 1)


@in_every_variant
def test_f07_a_noisy_line_is_named_once_a_minute(variant: Variant) -> None:
    case = Case(variant)
    for second in range(0, 150, 10):
        case.edges([(second * S, 9, 1), (second * S + 120_000, 9, 0)])
    case.until(200 * S)
    assert case.stamps("noise", 9) == [0, 60 * S, 120 * S]


F10 = ((122_184_483_056, 1), (122_311_010_973, 0), (122_385_752_598, 1), (122_495_776_931, 0))


@in_every_variant
@pytest.mark.parametrize(("confirm", "presses"), [(500, []), (5, [122_184_483_056, 122_385_752_598])])
@pytest.mark.parametrize("real_time", [1_679_443_200.0, 0.0, 122.3])
def test_f10_the_clock_on_the_wall_is_never_asked(
    variant: Variant, confirm: int, presses: list[int], real_time: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "time", lambda: real_time)
    monkeypatch.setattr(time, "time_ns", lambda: round(real_time * 1e9))
    case = Case(variant, timing=Timing(tie=0, confirm=confirm * MS))
    case.edges((ns, 2, level) for ns, level in F10)
    case.until(124 * S)
    assert case.stamps("press") == presses


@pytest.mark.parametrize(
    ("first", "second", "earlier"),
    [(5, 4_294_967_290, 11), (0, 4_294_967_295, 1), (4_294_967_295, 4_294_967_290, 5), (100, 99, 1)],
)
def test_f13_microseconds_that_wrap_at_32_bits(first: int, second: int, earlier: int) -> None:
    clock = PanelClock()
    assert clock.unwrap(first) - clock.unwrap(second) == earlier


@in_every_variant
def test_f13_the_seat_before_the_wrap_is_first(variant: Variant) -> None:
    clock = PanelClock()
    late, early = clock.unwrap(5), clock.unwrap(4_294_967_290)
    case = Case(variant, claimant=3, timing=Timing(tie=0))
    case.until(0)
    case.edges([(S + late * 1000, 6, 1), (S + early * 1000, 4, 1)])
    case.until(2 * S)
    assert case.doubter() == (4, False)
    assert case.of("doubt")[0].facts["race"] == [[4, 0], [6, 11_000]]


@in_every_variant
def test_f19_a_stuck_button_is_no_candidate_until_it_is_let_go(variant: Variant) -> None:
    case = Case(variant, claimant=1, opens=60 * S)
    case.edges([(10 * S, 4, 1)])
    case.until(60 * S)
    assert case.stamps("stuck", 4) == [40 * S]
    assert [each.facts["why"] for each in case.of("void", 4)] == ["early", "stuck"]
    case.edges([(61 * S, 8, 1), (61 * S + 90 * MS, 8, 0)])
    case.until(62 * S)
    assert case.doubter() == (8, False)
    case.edges([(90 * S, 4, 0)])
    case.until(91 * S)
    assert case.stamps("unstuck", 4) == [90 * S]


@in_every_variant
def test_f19_the_press_after_the_flag_clears_counts(variant: Variant) -> None:
    case = Case(variant, claimant=1, opens=60 * S)
    case.edges([(10 * S, 4, 1)])
    case.until(90 * S)
    case.edges([(90 * S, 4, 0), (95 * S, 4, 1)])
    case.until(96 * S)
    assert case.doubter() == (4, False)
    assert case.stamps("doubt") == [95 * S]


@in_every_variant
def test_f20_what_is_down_at_the_start_has_not_been_pressed(variant: Variant) -> None:
    case = Case(variant, claimant=1, opens=5 * S)
    case.feed(Levels(0, dict.fromkeys(range(1, 14), 1)))
    case.edges((40 * MS, seat, 0) for seat in range(1, 14) if seat != 7)
    case.until(5 * S + MS)
    seven = variant.seat(7, 13) - 1
    assert case.table.state.fingers[seven].held
    assert [each.facts["why"] for each in case.of("void")] == ["held"]
    case.until(8 * S)
    assert not case.of("press")
    case.edges([(8 * S, 7, 0), (9 * S, 7, 1)])
    case.until(10 * S)
    assert not case.table.state.fingers[seven].held
    assert case.stamps("press") == [9 * S]
    assert case.doubter() == (7, False)
