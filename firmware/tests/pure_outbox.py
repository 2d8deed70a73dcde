"""Checks of the outbox: what waits to be sent or confirmed, and what goes when it is full."""

from panel.outbox import Outbox
from panel.protocol import WRAP


def check_the_oldest_go_when_it_is_full():
    box = Outbox(4)
    for number in range(6):
        box.add(1000 + number, number + 1, 1 if number else 3)
    assert box.lost == 3 and box.fullest == 4  # the first sample had two edges
    assert box.rewind(1) == 4
    first, last, data = box.batch(10)
    assert (first, last, len(data)) == (4, 1005, 32)


def check_sent_samples_that_made_room_are_lost_only_when_asked_for():
    box = Outbox(4)
    for number in range(4):
        box.add(number, number + 1, 1)
    box.batch(3)
    for number in range(2):
        box.add(9, number, 1)
    assert box.lost == 0
    assert box.rewind(3) == 3 and box.lost == 0
    box.batch(4)
    for number in range(2):
        box.add(9, number, 1)
    assert box.rewind(4) == 5 and box.lost == 1
    assert box.rewind(4) == 5 and box.lost == 1


def check_confirmed_samples_are_forgotten_and_others_sent_again():
    box = Outbox(8)
    for number in range(5):
        box.add(number, number + 1, 1)
    assert box.batch(3)[0] == 1 and box.waiting == 2
    box.confirm(3)
    assert box.rewind(1) == 3
    first, _, data = box.batch(10)
    assert first == 3 and len(data) == 24
    box.confirm(99)
    assert box.rewind(6) == 6 and box.batch(10) == (6, 0, b"")


def check_what_was_not_sent_is_not_confirmed():
    box = Outbox(8)
    box.add(1, 1, 1)
    box.confirm(2)
    assert box.waiting == 1


def check_a_hole_ends_a_batch():
    box = Outbox(8)
    box.add(1, 1, 1)
    box.skip(5)
    box.add(2, 0, 1)
    assert box.batch(10)[0] == 1 and box.waiting == 1
    assert box.batch(10)[0] == 7 and box.lost == 5


def check_numbers_wrap():
    box = Outbox(4)
    box.following = WRAP
    box.add(1, 1, 1)
    box.add(2, 0, 1)
    first, _, data = box.batch(10)
    assert first == WRAP and len(data) == 16 and box.following == 1
    box.confirm(0)
    assert box.rewind(0) == 0
