"""What is kept: as many bytes, or things, as may be, those used last."""

from pygame import SRCALPHA, Surface

from doubtable.screen.lettering import FONTS, SETTINGS, Lettering
from doubtable.screen.palette import INK
from doubtable.screen.shelf import BYTES, Shelf, one, pixels

ONE = 10 * 10 * 4  # bytes of a picture of 10 x 10


def test_what_was_used_last_is_kept_and_never_more_bytes_than_allowed() -> None:
    shelf, drawn = Shelf(3 * ONE, pixels), list[int]()

    @shelf.keeps
    def square(side: int) -> Surface:
        drawn.append(side)
        return Surface((side, side), SRCALPHA)

    first = square(10)
    assert square(10) is first
    assert (drawn, shelf.weight) == ([10], ONE)
    square(5)
    square(6)
    square(10)
    square(14)  # 784 bytes: only itself and what was used just before fit
    assert shelf.weight <= 3 * ONE
    square(10)
    assert drawn == [10, 5, 6, 14]
    square(5)
    assert drawn[-1] == 5, "it had to go"


def test_one_that_is_too_large_is_kept_alone() -> None:
    shelf = Shelf(ONE, pixels)
    square = shelf.keeps(lambda side: Surface((side, side), SRCALPHA))
    square(10)
    large = square(100)
    assert shelf.weight == 100 * ONE
    assert square(100) is large
    square(10)
    assert shelf.weight == ONE


def test_two_ways_to_draw_share_a_shelf_and_not_their_pictures() -> None:
    shelf = Shelf(BYTES, pixels)
    one = shelf.keeps(lambda side: Surface((side, side), SRCALPHA))
    other = shelf.keeps(lambda side: Surface((side, 1), SRCALPHA))
    assert one(7).get_size() != other(7).get_size()
    assert one(side=7).get_size() == (7, 7)


def test_things_that_are_counted() -> None:
    shelf = Shelf[str](2, one)
    shelf.put(1, "a")
    shelf.put(2, "b")
    assert shelf.get(1) == "a"
    shelf.put(3, "c")
    assert [shelf.get(key) for key in (1, 2, 3)] == ["a", None, "c"]


def test_letters_take_no_more_however_many_texts_were_shown(lettering: Lettering) -> None:
    """An evening shows new texts all the time, in ever other sizes: names, claims, codes of records."""
    largest, texts = 0, SETTINGS + 100
    for number in range(texts):
        text = f"RECORD {number:04}"
        made = lettering.setting(text, (300 + number, 90), (12, 12 + number % 80))
        largest = max(largest, pixels(lettering.line(text, made.capital, INK)))
        lettering.above(made.capital)
    kept = lettering.kept
    assert BYTES - largest < kept.lines <= BYTES, "as many as may be, and no more"
    assert kept.fonts == FONTS
    assert kept.settings == SETTINGS
    again = lettering.setting("RECORD 0000", (300, 90), (12, 12))
    assert again.lines == ("RECORD 0000",), "what had to go is made again"
