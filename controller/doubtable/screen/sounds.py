"""The table's voice, made by arithmetic: 16-bit mono buffers, nothing recorded, nothing to license (no pygame here).

Everything lies between 500 and 2000 Hz, where small loudspeakers and old ears meet; sounds are told apart by their
rhythm first and by pitch second. A sound is a row of notes; a note has a start and an end pitch, a length, and a way
to fade.
"""

import math
import sys
from array import array
from collections.abc import Sequence
from typing import Literal

import msgspec

RATE = 22_050  # samples a second
PEAK = 20_000  # of 32767: three sounds at once do not clip at half volume
LOWEST, HIGHEST = 500.0, 2000.0
Fade = Literal["even", "bell", "thud", "buzz"]


class Note(msgspec.Struct, frozen=True):
    """A tone from ``hz`` to ``to_hz`` for ``ms``, followed by ``rest`` ms of silence; ``loud`` is 0 to 1."""

    hz: float
    ms: int
    rest: int = 0
    to_hz: float = 0.0
    fade: Fade = "even"
    loud: float = 1.0


# The rhythm of every sound; its twin on lamp or screen stands behind it.
SOUNDS: dict[str, tuple[Note, ...]] = {
    "lock": (Note(1000, 180),),  # all lamps on, the claim in large letters
    "doubt": (Note(1600, 60, 30), Note(1200, 60, 30), Note(800, 140, fade="bell")),  # the doubter's lamp goes fast
    "any_more": (Note(900, 90, 90), Note(900, 90, 90), Note(1350, 200)),  # ANY MORE?
    "true": (  # the verdict, a tick
        Note(660, 120, 20), Note(825, 120, 20), Note(990, 120, 20), Note(1320, 420, fade="bell"),
    ),
    "false": (Note(880, 220, 60), Note(698, 220, 60), Note(523, 520, fade="bell")),  # the verdict, a cross
    "too_early": (Note(540, 90, fade="thud"),),  # the lamp goes dark for 100 ms
    "tick": (Note(1800, 24, fade="thud", loud=0.7),),  # nothing happens, and that is right
    "low_buzz": (Note(520, 260, fade="buzz", loud=0.8),),  # the strip goes back to none
    "heartbeat": (Note(520, 70, 110, fade="thud", loud=0.9), Note(520, 70, 650, fade="thud", loud=0.6)),
    "press_again": (Note(1400, 70, 70), Note(1400, 70, 70), Note(1400, 70, 70), Note(1400, 70)),  # PRESS AGAIN
    "win": (  # the winner's name
        Note(784, 110, 30), Note(784, 110, 30), Note(1047, 110, 30), Note(1319, 240, 60), Note(1047, 110, 30),
        Note(1568, 620, fade="bell"),
    ),
    "bell": (Note(1175, 500, 120, fade="bell"), Note(1175, 500, 120, fade="bell"), Note(1175, 900, fade="bell")),
    "hold_done": (Note(1500, 60, 20), Note(2000, 90)),  # the strip has done it
}  # fmt: skip

COUNTED_MOST = 8  # cards of one claim with two packs


def counted(number: int) -> tuple[Note, ...]:
    """The sound of the ``number``-th card counted, from 1: each a whole tone higher, up to the eighth."""
    step = min(max(number, 1), COUNTED_MOST) - 1
    return (Note(600 * 2 ** (step / 6), 110, fade="bell"),)


def hold_tone(hold_ms: int) -> tuple[Note, ...]:
    """The tone while a button is held: silent for 150 ms, then rising until the hold fires."""
    return (Note(0, 0, 150), Note(550, max(50, hold_ms - 150), to_hz=1100, loud=0.5))


def rendered(notes: Sequence[Note]) -> "array[int]":  # subscripted at run time from Python 3.12 on
    """The notes as 16-bit samples in the machine's byte order, one channel, at RATE."""
    samples = array("h")
    for note in notes:
        samples.extend(_tone(note))
        samples.extend([0] * (note.rest * RATE // 1000))
    return samples


def lasts_ms(notes: Sequence[Note]) -> int:
    """How long the notes sound, in ms."""
    return sum(note.ms + note.rest for note in notes)


def little_endian(samples: "array[int]") -> bytes:
    """The samples as a WAV file wants them."""
    if sys.byteorder == "big":
        samples = array("h", samples)
        samples.byteswap()
    return samples.tobytes()


def _tone(note: Note) -> list[int]:
    count = note.ms * RATE // 1000
    if not count or not note.hz:
        return [0] * count
    end, phase, made = note.to_hz or note.hz, 0.0, []
    for number in range(count):
        share = number / count
        phase += math.tau * (note.hz + (end - note.hz) * share) / RATE
        # A fifth of the octave above gives a body; where it would leave the range it is left out.
        body = 0.2 * math.sin(2 * phase) if 2 * max(note.hz, end) <= HIGHEST else 0.0
        made.append(round(PEAK * note.loud * _envelope(note, number, count) * (math.sin(phase) + body) / 1.2))
    return made


def _envelope(note: Note, number: int, count: int) -> float:
    edge = max(1, min(RATE * 4 // 1000, count // 4))  # 4 ms in and out, so that nothing clicks
    soft = min(1.0, number / edge, (count - number) / edge)
    if note.fade == "bell":
        return soft * math.exp(-3.0 * number / count)
    if note.fade == "thud":
        return soft * math.exp(-5.0 * number / count)
    if note.fade == "buzz":
        return soft * (0.55 + 0.45 * math.copysign(1.0, math.sin(math.tau * 28 * number / RATE)))
    return soft
