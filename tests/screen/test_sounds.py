"""The test listens: loudness over time, and how much of the energy lies at which pitch."""

import math
from array import array
from itertools import combinations, pairwise

import pytest

from doubtable.screen.sounds import COUNTED_MOST, RATE, SOUNDS, Note, counted, hold_tone, lasts_ms, rendered

ALL: dict[str, tuple[Note, ...]] = {
    **SOUNDS,
    **{f"counted {number}": counted(number) for number in range(1, COUNTED_MOST + 1)},
    "hold": hold_tone(700),
}
FRAME = RATE // 200  # 5 ms


def energy(samples: "array[int]", hz: float) -> float:
    """Goertzel: the energy of one pitch in the samples."""
    factor = 2 * math.cos(math.tau * hz / RATE)
    last = before = 0.0
    for sample in samples:
        last, before = sample + factor * last - before, last
    return (last * last + before * before - factor * last * before) * 2 / len(samples)


def total(samples: "array[int]") -> float:
    return float(sum(sample * sample for sample in samples))


def pitch(samples: "array[int]", low: int = 450, high: int = 2200, step: int = 10) -> int:
    return max(range(low, high, step), key=lambda hz: energy(samples, hz))


def loudness(samples: "array[int]") -> list[float]:
    frames = [samples[start : start + FRAME] for start in range(0, len(samples), FRAME)]
    return [math.sqrt(total(frame) / len(frame)) for frame in frames]


def rhythm(samples: "array[int]") -> list[tuple[bool, int]]:
    """Runs of sound and silence, each with its length in ms."""
    loud = loudness(samples)
    limit, runs = max(loud) * 0.02, list[tuple[bool, int]]()
    for value in loud:
        heard = value > limit
        if runs and runs[-1][0] == heard:
            runs[-1] = (heard, runs[-1][1] + 5)
        else:
            runs.append((heard, 5))
    return runs


@pytest.mark.parametrize("name", ALL)
def test_every_sound_is_heard_and_never_clips(name: str) -> None:
    samples = rendered(ALL[name])
    assert len(samples) == pytest.approx(lasts_ms(ALL[name]) * RATE / 1000, abs=20)
    assert 5_000 < max(map(abs, samples)) < 32_000


@pytest.mark.parametrize("name", ALL)
def test_the_energy_lies_between_500_and_2000_hz(name: str) -> None:
    samples = rendered(ALL[name])
    chunks = [samples[start : start + 2048] for start in range(0, len(samples), 2048)]
    inside = 0.0
    for chunk in chunks:
        step = RATE / len(chunk)
        bins = range(int(460 / step), int(2040 / step) + 1)  # a short tone is a little broad
        inside += sum(energy(chunk, number * step) for number in bins)
    assert inside / total(samples) > (0.75 if name in ("tick", "too_early", "heartbeat", "low_buzz") else 0.95)


@pytest.mark.parametrize("name", ALL)
def test_no_sound_begins_or_ends_with_a_click(name: str) -> None:
    samples = list(rendered(ALL[name]))
    steps = [abs(later - earlier) for earlier, later in pairwise(samples)]
    assert abs(samples[0]) < 200
    assert abs(samples[-1]) < 2_000
    assert max(steps) < 14_000  # a full-scale 2000 Hz tone moves 11 000 a sample


@pytest.mark.parametrize("pair", list(combinations(SOUNDS, 2)), ids="/".join)
def test_any_two_sounds_differ_in_rhythm_or_clearly_in_pitch(pair: tuple[str, str]) -> None:
    one, other = (rendered(SOUNDS[name]) for name in pair)
    first, second = rhythm(one), rhythm(other)
    if len(first) != len(second):
        return
    lengths = [max(a, b) / min(a, b) for (_, a), (_, b) in zip(first, second, strict=True)]
    assert max(lengths) > 1.3 or pitch(one) / pitch(other) > 1.5 or pitch(other) / pitch(one) > 1.5


def test_the_lock_is_one_beep_and_press_again_four() -> None:
    assert [heard for heard, _ in rhythm(rendered(SOUNDS["lock"]))] == [True]
    assert sum(heard for heard, _ in rhythm(rendered(SOUNDS["press_again"]))) == 4
    assert sum(heard for heard, _ in rhythm(rendered(SOUNDS["heartbeat"]))) == 2


def test_each_card_counted_is_higher_than_the_last() -> None:
    pitches = [pitch(rendered(counted(number))) for number in range(1, COUNTED_MOST + 1)]
    assert pitches == sorted(set(pitches))
    assert rendered(counted(9)) == rendered(counted(COUNTED_MOST))


def test_a_true_verdict_rises_and_a_false_one_falls() -> None:
    true, false = rendered(SOUNDS["true"]), rendered(SOUNDS["false"])
    assert pitch(true[: len(true) // 6]) < pitch(true[-len(true) // 3 :])
    assert pitch(false[: len(false) // 5]) > pitch(false[-len(false) // 3 :])


@pytest.mark.parametrize("hold_ms", [400, 700, 1500])
def test_the_hold_tone_is_silent_for_150_ms_and_then_rises_until_the_hold(hold_ms: int) -> None:
    samples = rendered(hold_tone(hold_ms))
    assert len(samples) == pytest.approx(hold_ms * RATE / 1000, abs=20)
    start = 150 * RATE // 1000
    assert not any(samples[: start - 1])
    sounding = samples[start:]
    quarter = len(sounding) // 4
    pitches = [pitch(sounding[number * quarter : (number + 1) * quarter]) for number in range(4)]
    assert pitches == sorted(set(pitches))


def test_the_thud_and_the_tick_fade_and_the_buzz_trembles() -> None:
    thud = loudness(rendered(SOUNDS["too_early"]))
    assert thud[2] > 4 * thud[-3]
    buzz = loudness(rendered(SOUNDS["low_buzz"]))
    ups = sum(1 for before, after in pairwise(buzz) if after > 1.5 * before)
    assert ups >= 5


def test_the_same_sound_is_the_same_every_time() -> None:
    assert rendered(SOUNDS["win"]) == rendered(SOUNDS["win"])
