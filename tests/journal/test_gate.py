"""What the screen may show before the disk has it."""

from msgspec.structs import replace

from doubtable.journal.gate import NOT_SAVED, Gate, with_code
from doubtable.timing import MS
from doubtable.view import View, look
from journal.evening import new_table

VIEW = look(new_table(), 0, 0)


def view(number: int) -> View:
    return replace(VIEW, number=number)


def test_a_view_is_shown_once_its_input_is_committed() -> None:
    gate = Gate()
    assert gate.pick(view(1), 1, 0) == view(1)
    assert gate.pick(view(2), 1, 10 * MS) == view(1)
    assert gate.waits
    assert gate.pick(view(2), 2, 20 * MS) == view(2)
    assert not gate.waits


def test_under_a_stream_of_inputs_the_screen_follows_what_is_committed() -> None:
    gate = Gate()
    for number in range(1, 50):
        shown = gate.pick(view(number), number - 3, number * 20 * MS)
        assert shown == (view(number - 3) if number > 3 else None)


def test_after_half_a_second_the_newest_view_is_shown_and_marked() -> None:
    gate = Gate()
    gate.pick(view(1), 1, 0)
    assert gate.pick(view(2), 1, 100 * MS) == view(1)
    assert gate.pick(view(3), 1, 599 * MS) == view(1)
    shown = gate.pick(view(3), 1, 600 * MS)
    assert shown is not None
    assert shown.number == 3
    assert shown.notices == (NOT_SAVED, *VIEW.notices)


def test_no_older_view_follows_one_that_was_shown() -> None:
    """The disk comes back, but only with the first of what waits."""
    gate = Gate()
    gate.pick(view(1), 1, 0)
    gate.pick(view(2), 1, 0)
    gate.pick(view(5), 1, 500 * MS)
    still = gate.pick(view(5), 2, 510 * MS)
    assert still is not None
    assert (still.number, still.notices[:1]) == (5, (NOT_SAVED,))
    saved = gate.pick(view(5), 5, 520 * MS)
    assert saved == view(5)


def test_what_waits_is_bounded() -> None:
    gate = Gate()
    gate.pick(view(1), 1, 0)
    numbers = []
    for number in range(2, 2000):
        shown = gate.pick(view(number), 1, number * MS)
        assert shown is not None
        numbers.append(shown.number)
    assert numbers == sorted(numbers)
    assert gate.pick(view(2000), 2000, 3000 * MS) == view(2000)


def test_before_anything_is_saved_nothing_is_shown() -> None:
    assert Gate().pick(view(3), 2, 0) is None


def test_the_code_of_a_game_stands_on_its_end() -> None:
    head = bytes.fromhex("3fa901bc77d2" + 26 * "00")
    over = replace(VIEW, scene="over")
    assert with_code(over, head).notices == (("RECORD {code}", {"code": "3FA9-01BC-77D2"}),)
    assert with_code(over, None) == over
    assert with_code(VIEW, head) == VIEW
