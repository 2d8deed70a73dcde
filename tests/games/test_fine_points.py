"""Skip and undo, and what the stamp decides when two acts meet."""

import pytest

from doubtable.inputs import CardShown, Do, Edge, Input, Time
from doubtable.timing import MS, Timing
from games.at_table import at
from games.positions import claimed, declared

# Skip and undo --------------------------------------------------------------------------------------------------------


def test_skip_only_with_no_claim_open() -> None:
    table = claimed()
    table.order("skip")
    assert "phase doubt" in table.last("refused")["why"]
    table.wait(4000)
    table.say(2, "start")
    table.order("skip")
    assert (table.state.turn, table.state.due) == (3, "Q")


def test_skip_in_rounds_moves_the_lead_on_or_is_a_pass() -> None:
    table = at("rounds", 4)
    table.order("skip")
    assert (table.phase, table.state.turn) == ("lead", 2)
    table.say(2, "lead", rank="K")
    table.order("skip")
    assert "doubted" in table.last("refused")["why"]
    table.wait(64_000)
    table.order("skip")
    assert (table.last("pass"), table.state.turn) == ({"seat": 3}, 4)


def test_no_skip_and_no_counts_in_liar_poker() -> None:
    table = declared()
    for order, facts in (("skip", {}), ("set_hands", {"hands": (0, 0, 5, 0)})):
        table.order(order, **facts)
        assert "does not exist in liar-poker" in table.last("refused")["why"]


def test_each_undo_goes_one_lock_back_and_the_entry_begins_anew() -> None:
    table = at("classic", 4)
    for seat, count in ((1, 2), (2, 1), (3, 4)):
        table.say(seat, "claim", count=count)
        table.wait(4100)
    table.press(4, 3)
    table.order("undo")
    assert (table.state.turn, table.state.due, table.hands) == (3, "Q", [11, 12, 13, 13])
    assert [table.cursor(seat) for seat in (3, 4)] == ["-", ""]
    table.order("undo")
    table.order("undo")
    assert (table.state.turn, table.state.due, table.hands, table.state.pile) == (1, "A", [13] * 4, 0)


def test_undo_in_rounds_leaves_the_earlier_window_closed() -> None:
    table = at("rounds", 4)
    table.say(1, "lead", rank="K")
    table.wait(4000)
    table.say(2, "play")
    table.order("undo")
    assert (table.state.turn, table.state.pile, table.state.window) == (2, 1, None)
    assert "DOUBT" not in table.labels(2)
    assert "PLAY" in table.labels(2)


def test_undo_in_liar_poker() -> None:
    table = declared()
    table.say(3, "accept")
    table.order("undo")
    assert (table.phase, table.state.turn, table.view.declaration) == ("declare", 2, None)


# Stamps ---------------------------------------------------------------------------------------------------------------


def test_a_doubt_at_the_stamp_of_a_let_go_wins() -> None:
    """ "`let_go` counts like a start: a doubt with the same stamp wins." """
    table = claimed(hands=(1, 17, 17, 17))
    table.wait(5000)
    table.say_together((2, "let_go"), (4, "doubt"))
    table.wait(1000)
    assert (table.phase, table.last("doubt")["seat"]) == ("reveal", 4)


def test_a_doubt_at_the_stamp_of_a_start_wins() -> None:
    table = claimed()
    table.wait(5000)
    table.say_together((2, "start"), (4, "doubt"))
    table.wait(1000)
    assert table.phase == "reveal"


def test_a_doubt_at_the_stamp_of_a_pass_wins_and_of_a_win_too() -> None:
    """ "A doubt stamped up to a pass, WIN or removal is settled first; after a WIN or removal it is late." """
    table = at("rounds", 4, hands=(7, 1, 7, 7))
    table.say(1, "lead", rank="K")
    table.wait(5000)
    table.say_together((2, "win"), (4, "doubt"))
    table.wait(1000)
    assert (table.phase, table.state.doubter) == ("reveal", 4)
    table = at("rounds", 4, hands=(7, 1, 7, 7))
    table.say(1, "lead", rank="K")
    table.wait(5000)
    table.say(2, "win")
    table.press(4)
    assert table.last("void")["why"] in ("early", "late")
    assert table.state.winning == 2


@pytest.mark.parametrize("told", ["before", "at once", "after"])
@pytest.mark.parametrize("reopened", [False, True])
@pytest.mark.parametrize(("late", "doubts"), [(0, True), (1, False)])
def test_a_doubt_at_the_stamp_at_which_the_stack_goes_by_time_wins(
    told: str, reopened: bool, late: int, doubts: bool
) -> None:
    """ "A doubt stamped up to a pass, WIN or removal is settled first", told before the removal shows or after it."""
    table = at("rounds", 3, hands=(4, 4, 5), pile=2, turn=2, rank="9", owner=1)
    for seat in (2, 3, 1):
        table.say(seat, "pass")
    if reopened:
        table.power_cut(90_000)
    at_ns = table.state.window.starts
    pressed = Edge(at_ns + late, 3, 1)
    if told == "before":
        table.feed(pressed)
    table.feed(Time(at_ns if told != "after" else at_ns + 20 * MS))
    assert table.phase == "lead", "it shows at its stamp, whatever may still undo it"
    if told != "before":
        table.feed(pressed)
    table.feed(Time(at_ns + 200 * MS))
    assert (table.phase, bool(table.all("doubt")), bool(table.all("stack_out"))) == (
        ("reveal", True, False) if doubts else ("lead", False, True)
    )


def test_who_doubts_after_the_stack_would_have_gone_is_late_whoever_stopped_it() -> None:
    """ "The close or start bounds them even when an earlier doubt undoes it" """
    table = at("rounds", 3, hands=(4, 4, 5), pile=2, turn=2, rank="9", owner=1)
    for seat in (2, 3, 1):
        table.say(seat, "pass")
    table.feed(Do(4000 * MS, 3, "doubt"))
    table.feed(Do(4001 * MS, 2, "doubt"))  # within the tie, and nearest the owner's left
    table.feed(Time(4200 * MS))
    assert table.last("doubt")["race"] == [[3, 0]]
    assert table.last("void") == {"seat": 2, "why": "late", "delay_ns": 59 * MS}


def test_a_wrong_rank_call_counts_at_its_press_down() -> None:
    """The earlier stamp wins; within the tie window the doubt is settled first."""
    for later, event in ((300, "corrected"), (3, "doubt")):
        table = at("wrong-rank", 5)
        table.say(1, "claim", count=1, rank="Q")
        table.edge(3, 1)  # the call
        table.wait(later)
        table.edge(4, 1)  # the slap
        table.wait(100)
        table.edge(4, 0)
        table.wait(1000)
        table.edge(3, 0)
        table.wait(500)
        assert table.all(event), later
        assert bool(table.all("corrected")) == (event == "corrected")
    assert {facts["why"] for facts in table.all("void")} <= {"late"}


def test_slaps_between_a_calls_press_down_and_its_hold_are_late_without_lock_out() -> None:
    table = at("wrong-rank", 5)
    table.say(1, "claim", count=1, rank="Q")
    table.edge(3, 1)
    table.wait(600)
    table.press(4)
    table.slap(4)  # 200 ms after that press, 100 ms after the hold: a lock-out would last 250
    assert [facts["why"] for facts in table.all("void") if facts["seat"] == 4] == ["late"]
    assert table.last("corrected")["rank"] == "A"
    assert table.last("doubt")["seat"] == 4


def test_a_button_that_is_down_when_a_call_opens_the_window_is_held_from_that_lock_on() -> None:
    """ "Void `held` and `stuck` are said at the lock": the call's HOLD, with which the window starts anew."""
    table = at("wrong-rank", 5)
    table.say(1, "claim", count=2, rank="Q")
    table.wait(1000)
    pressed = table.ns
    table.hold(3)
    held = [each for each in table.said if each.name == "void"]
    assert [(each.ns - pressed, each.facts) for each in held] == [(700 * MS, {"seat": 3, "why": "held"})]


@pytest.mark.parametrize("apart", [0, 2, 5, 6, 300])
def test_who_calls_a_moment_after_another_may_still_doubt_the_claim_that_was_put_right(apart: int) -> None:
    """It has not pointed out a rank that was right."""
    table = at("wrong-rank", 5)
    table.say(1, "claim", count=1, rank="Q")
    table.wait(1000)
    table.edge(4, 1)
    table.wait(apart)
    table.edge(3, 1)
    table.wait(1100)
    table.edge(4, 0)
    table.edge(3, 0)
    table.wait()
    assert len(table.all("corrected")) == 1
    table.slap(3)
    assert table.last("doubt")["seat"] == 3


def test_a_call_of_a_right_rank_changes_nothing_but_that_seat_cannot_doubt() -> None:
    table = at("wrong-rank", 5)
    table.say(1, "claim", count=1, rank="A")
    table.mark()
    before = table.lamps()
    table.hold(3)
    table.wait(500)
    assert (table.names(), table.lamps()) == ([], before)
    table.slap(3)
    assert (table.all("doubt"), table.phase) == ([], "doubt")
    table.slap(4)
    assert table.last("doubt")["seat"] == 4


def test_no_time_chooses_for_a_player() -> None:
    """ "No choice is ever made for a player by a time-out. Time only closes windows." """
    for game, phase in (("classic", "claim"), ("rounds", "lead"), ("wrong-rank", "claim")):
        table = at(game, 4)
        table.press(2)
        table.wait(3 * 3_600_000)
        assert table.phase == phase
        assert not table.all("claim")
    table = declared()
    table.wait(3 * 3_600_000)
    assert (table.phase, table.state.turn) == ("respond", 3)


def test_an_open_window_lasts_doubt_ms_and_a_minute() -> None:
    table = claimed()
    locked = table.state.window.opened
    table.wait(63_700)
    assert table.state.window is not None
    table.wait(300)
    closed = [each.ns for each in table.said if each.name == "window" and each.facts["state"] == "closed"]
    assert closed == [locked + 64_000 * MS]
    assert Timing().window_limit == 60_000 * MS
    table.press(4)
    table.wait(500)
    assert (table.all("doubt"), table.phase, table.state.turn) == ([], "claim", 2)


@pytest.mark.parametrize("before", [2, 0, -2])
@pytest.mark.parametrize("what", ["verdict", "declaration"])
def test_a_press_of_the_step_before_does_nothing_in_the_next_one(what: str, before: int) -> None:
    """ "What a press can do is fixed at its stamp by the step", though it is known only when the next step is on."""
    table = at("classic" if what == "verdict" else "liar-poker", 3)
    if what == "verdict":
        table.say(1, "claim", count=1)
        table.slap(3)
        change: Input = CardShown(3000 * MS, table.card("5S"))
    else:
        table.slap(1)
        change = Do(3000 * MS, 1, "declare", hand="pair K")
    pressed = Edge((3000 - before) * MS, 2, 1)
    for given in (pressed, change) if before >= 0 else (change, pressed):
        table.feed(given)
    assert table.state.turn == 2
    table.feed(Time(3100 * MS))
    table.ms = 3100
    table.edge(2, 0)
    table.wait()
    first, second = ("-", "1") if what == "verdict" else ("TAKE IT", "LIAR!")
    assert table.cursor(2) == (first if before > 0 else second)
