"""What is kept once it is made, up to a weight: pictures by their bytes, fonts and settings by their number.

`functools.lru_cache` counts pictures, and one of them may take a hundred times the memory of another: how much a table
that runs for weeks takes must not depend on which were drawn last.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Generic, ParamSpec, TypeVar

from pygame import Surface

BYTES = (
    16 << 20
)  # of pictures of one kind: the largest scene of 13 seats takes 2 MB of shapes at 1024x600, 1.6 of lines
P = ParamSpec("P")
Kept = TypeVar("Kept")


class Shelf(Generic[Kept]):
    """Keeps what was used last, as long as all of it weighs no more than ``most``. One thread."""

    def __init__(self, most: int, weigh: Callable[[Kept], int]) -> None:
        self.weight = 0
        self._most, self._weigh = most, weigh
        self._kept: OrderedDict[Hashable, Kept] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable) -> Kept | None:
        """What is kept under a key, as the one used last; None where it was never put, or has had to go."""
        thing = self._kept.get(key)
        if thing is not None:
            self._kept.move_to_end(key)
        return thing

    def put(self, key: Hashable, thing: Kept) -> Kept:
        """Keep a thing that is not on the shelf; what was used longest ago goes. One that is too heavy is alone."""
        self._kept[key] = thing
        self.weight += self._weigh(thing)
        while self.weight > self._most and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self.weight -= self._weigh(oldest)
        return thing

    def keeps(self, make: Callable[P, Kept]) -> Callable[P, Kept]:
        """``make``, which makes only what is not on the shelf. Its arguments are hashable."""

        @wraps(make)
        def found(*args: P.args, **kwargs: P.kwargs) -> Kept:
            key = (make, args, tuple(sorted(kwargs.items())))
            thing = self.get(key)
            return self.put(key, make(*args, **kwargs)) if thing is None else thing

        return found


def pixels(picture: Surface) -> int:
    """The bytes of a picture's pixels."""
    return picture.get_pitch() * picture.get_height()


def one(thing: object) -> int:
    """What each thing weighs on a shelf that counts them."""
    return 1


SHAPES: Shelf[Surface] = Shelf(BYTES, pixels)  # all shapes and cards together
