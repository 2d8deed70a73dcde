"""The strips of the game in rounds through real edges."""

import pytest

from doubtable.inputs import CardShown, Edge
from doubtable.timing import MS
from games.at_table import AtTable, at

RANKS = tuple("AKQJT98765432")
OPEN = 4000  # ms of doubt_ms


def led(hands: tuple[int, ...] = (7, 7, 7, 7)) -> AtTable:
    """Seat 1 has led a king by buttons."""
    table = at("rounds", 4, hands=hands)
    assert (table.labels(1), table.cursor(1), table.view.help) == ((*RANKS, "MENU"), "A", ("NAME A RANK", {}))
    table.press(1)
    table.hold(1)
    assert table.last("lead") == {"seat": 1, "rank": "K"}
    assert table.all("window") == [{"state": "open", "last": hands[0] == 1}]
    return table


def test_the_seat_on_turn_passes_at_once_and_lays_after_doubt_ms() -> None:
    table = led()
    assert (table.labels(2), table.cursor(2)) == (("DOUBT", "PASS"), "DOUBT")
    assert table.lamps() == ("off", "pulsing", "steady", "steady")
    table.press(2)
    table.hold(2)
    assert table.last("pass") == {"seat": 2}
    assert table.lamps() == ("off", "steady", "pulsing", "steady"), "the window is still open"
    table.wait(OPEN)
    assert table.labels(3) == ("DOUBT", "PASS", "PLAY")
    table.press(3, 2)
    table.hold(3)
    assert table.last("play") == {"seat": 3, "rank": "K"}


def test_when_nothing_can_be_doubted_any_more_doubt_is_gone() -> None:
    table = led()
    table.wait(70_000)
    table.say(4, "vote", says="no")
    assert table.labels(2) == ("PASS", "PLAY", "MENU")


def test_the_seat_on_turn_is_not_slower_in_a_race() -> None:
    """DOUBT counts at the press-down; whoever slaps 30 ms later is second."""
    table = led()
    table.wait(500)
    table.edge(2, 1)
    table.wait(30)
    table.edge(4, 1)
    table.wait(100)
    table.edge(4, 0)
    table.wait(800)
    table.edge(2, 0)
    table.wait(200)
    assert table.last("doubt")["seat"] == 2
    assert table.last("doubt")["race"] == [[2, 0], [4, 30 * MS]]


def test_with_one_card_there_is_win() -> None:
    table = led((7, 1, 7, 7))
    table.wait(OPEN)
    assert table.labels(2) == ("DOUBT", "PASS", "PLAY", "WIN")
    table.pick(2, "WIN")
    assert (table.view.scene, table.view.help) == ("win_show", ("SHOW YOUR CARD", {}))
    table.show("KD")
    assert table.last("win") == {"seat": 2}


@pytest.mark.parametrize("false", ["card", "hold"])
def test_a_false_show_leaves_doubt_and_pass(false: str) -> None:
    table = led((7, 1, 7, 7))
    table.wait(OPEN)
    table.pick(2, "WIN")
    if false == "card":
        table.show("QD")
    else:
        table.hold(2)
    assert (table.phase, table.labels(2)) == ("play", ("DOUBT", "PASS"))
    table.slap(3)
    assert table.last("doubt")["seat"] == 3, "the top card's window goes on"


@pytest.mark.parametrize("told", ["before", "after"])
def test_a_press_while_a_last_card_is_shown_is_no_doubt(told: str) -> None:
    """The top card's window waits; a press in the meantime is void, whether its edge comes before or after its end."""
    table = led((7, 1, 7, 7))
    table.wait(OPEN)
    table.pick(2, "WIN")
    table.wait(2)
    pressed = Edge(table.ns, 4, 1)
    if told == "before":
        table.feed(pressed)
    table.wait(3)
    table.feed(CardShown(table.ns, table.card("QD")))
    if told == "after":
        table.feed(pressed)
    table.wait()
    assert (table.phase, table.all("doubt")) == ("play", [])
    assert table.last("void") == {"seat": 4, "why": "early"}
    table.edge(4, 0)
    table.wait(300)
    table.slap(4)
    assert table.last("doubt")["seat"] == 4, "released and pressed anew it counts, the lock-out being over"


def test_a_last_card_laid_face_down_is_a_last_call() -> None:
    table = led((7, 1, 7, 7))
    table.wait(OPEN)
    table.pick(2, "PLAY")
    assert (table.phase, table.labels(3)) == ("last_call", ("DOUBT",))
    table.wait(5000)
    assert table.labels(3) == ("DOUBT", "LET IT GO"), "no passing in a last call"
    table.pick(3, "LET IT GO")
    assert table.last("win") == {"seat": 2}


def test_the_owner_may_go_on_adding() -> None:
    """ "If all others pass, the last one who laid may go on adding" """
    table = led()
    for seat in (2, 3, 4):
        table.pick(seat, "PASS")
    assert table.labels(1) == ("PASS",)
    table.wait(OPEN)
    assert table.labels(1) == ("PASS", "PLAY")
    table.pick(1, "PLAY")
    assert (table.hands, table.state.pile) == ([5, 7, 7, 7], 2)


def test_all_pass_and_the_stack_is_out_when_doubts_are_no_more() -> None:
    table = led()
    for seat in (2, 3, 4, 1):
        table.say(seat, "pass")
    assert table.all("stack_out") == []
    table.wait(OPEN)
    assert table.last("stack_out") == {"cards": 1}
    assert (table.state.turn, table.labels(1)) == (1, (*RANKS, "MENU"))
