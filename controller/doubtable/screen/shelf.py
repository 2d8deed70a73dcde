"""Pictures that are kept once they are drawn, up to so many bytes of them.

`functools.lru_cache` counts pictures, and one of them may take a hundred times the memory of another: how much a table
that runs for weeks takes must not depend on which were drawn last.
"""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec

from pygame import Surface

BYTES = 16 << 20  # the largest scene of 13 seats takes 2 MB at 1024x600
P = ParamSpec("P")


class Shelf:
    """Keeps what was drawn last. One thread."""

    def __init__(self, most: int = BYTES) -> None:
        self.bytes = 0
        self._most = most
        self._kept: OrderedDict[Hashable, Surface] = OrderedDict()

    def keeps(self, draw: Callable[P, Surface]) -> Callable[P, Surface]:
        """``draw``, which draws only what is not on the shelf. Its arguments are hashable."""

        @wraps(draw)
        def found(*args: P.args, **kwargs: P.kwargs) -> Surface:
            key = (draw, args, tuple(sorted(kwargs.items())))
            picture = self._kept.get(key)
            if picture is None:
                picture = draw(*args, **kwargs)
                self._put(key, picture)
            self._kept.move_to_end(key)
            return picture

        return found

    def _put(self, key: Hashable, picture: Surface) -> None:
        self._kept[key] = picture
        self.bytes += _size(picture)
        while self.bytes > self._most and len(self._kept) > 1:
            _, oldest = self._kept.popitem(last=False)
            self.bytes -= _size(oldest)


def _size(picture: Surface) -> int:
    return picture.get_pitch() * picture.get_height()


SHAPES = Shelf()  # of all shapes and cards together
