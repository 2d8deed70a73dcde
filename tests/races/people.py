"""When people press, and for how long. All times in ns after what they react to; numbers from published work.

- Simple reactions take 160 ms to a sound and 190 ms to a light, recognising something takes 384 ms on average
  (R. Kosinski, A Literature Review on Reaction Time, Clemson University, after Welford 1980 and Laming 1968).
- Their distribution is a normal plus an exponential one (Hohle, J. Exp. Psychology 69, 1965).
- A fifth of trained sprint starts come under 100 ms, the fastest under 85 (Pain and Hibbs, J. Sports Sciences 25,
  2007), so a press 85 ms after the lock is a person and one before the lock is a guess.
"""

import random

MS = 1_000_000

# What is reacted to: mean of the normal part, its deviation, mean of the exponential part; in ms. Their sums are the
# published means.
SOUND = (120.0, 20.0, 40.0)
LIGHT = (145.0, 22.0, 45.0)
THOUGHT = (300.0, 45.0, 84.0)
STYLES = (SOUND, LIGHT, THOUGHT)


def reaction(rng: random.Random, style: tuple[float, float, float]) -> int:
    """One reaction in ns."""
    mean, deviation, tail = style
    return max(60 * MS, round((rng.gauss(mean, deviation) + rng.expovariate(1 / tail)) * MS))


def second_thoughts(rng: random.Random) -> int:
    """Somebody who looks round first: half a second to three, in ns."""
    return round(min(500 + rng.expovariate(1 / 600), 3000) * MS)


def guess(rng: random.Random) -> int:
    """Somebody who presses on the rhythm of the claim and not on the lock: negative is too early; in ns."""
    return round(rng.uniform(-500, 80) * MS)


def tap(rng: random.Random) -> int:
    """How long a finger stays down that means to tap, in ns."""
    return round(min(max(rng.gauss(120, 40), 30), 400) * MS)


def slap(rng: random.Random) -> int:
    """How long a hand stays on a button that it has slapped, in ns."""
    return round(rng.uniform(60, 900) * MS)
