"""Pictures that are kept: as many bytes as may be, those used last."""

from pygame import SRCALPHA, Surface

from doubtable.screen.shelf import Shelf

ONE = 10 * 10 * 4  # bytes of a picture of 10 x 10


def test_what_was_used_last_is_kept_and_never_more_bytes_than_allowed() -> None:
    shelf, drawn = Shelf(3 * ONE), list[int]()

    @shelf.keeps
    def square(side: int) -> Surface:
        drawn.append(side)
        return Surface((side, side), SRCALPHA)

    first = square(10)
    assert square(10) is first
    assert (drawn, shelf.bytes) == ([10], ONE)
    square(5)
    square(6)
    square(10)
    square(14)  # 784 bytes: only itself and what was used just before fit
    assert shelf.bytes <= 3 * ONE
    square(10)
    assert drawn == [10, 5, 6, 14]
    square(5)
    assert drawn[-1] == 5, "it had to go"


def test_one_that_is_too_large_is_kept_alone() -> None:
    shelf = Shelf(ONE)
    square = shelf.keeps(lambda side: Surface((side, side), SRCALPHA))
    square(10)
    large = square(100)
    assert shelf.bytes == 100 * ONE
    assert square(100) is large
    square(10)
    assert shelf.bytes == ONE


def test_two_ways_to_draw_share_a_shelf_and_not_their_pictures() -> None:
    shelf = Shelf()
    one = shelf.keeps(lambda side: Surface((side, side), SRCALPHA))
    other = shelf.keeps(lambda side: Surface((side, 1), SRCALPHA))
    assert one(7).get_size() != other(7).get_size()
    assert one(side=7).get_size() == (7, 7)
