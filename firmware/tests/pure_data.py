"""What the checks of the pure modules share: the vectors, what frames there are in bytes, and dice."""

import json

from panel.frames import LONGEST, FrameReader

VECTORS = "vectors.json"


def vectors():
    with open(__file__.rsplit("/", 1)[0] + "/" + VECTORS if "/" in __file__ else VECTORS) as file:
        return json.load(file)


def unhex(text):
    return bytes(int(pair, 16) for pair in text.split())


def frames_in(data, longest=LONGEST):
    reader = FrameReader(longest)
    return [frame for frame in map(reader.feed, data) if frame is not None], reader.bad


class Dice:
    """The same throws on both interpreters."""

    def __init__(self, seed):
        self._state = seed

    def below(self, limit):
        self._state = (self._state * 1103515245 + 12345) & 0x7FFFFFFF
        return (self._state >> 8) % limit

    def bytes(self, count):
        return bytes(self.below(256) for _ in range(count))
