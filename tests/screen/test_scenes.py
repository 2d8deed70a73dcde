"""Every scene at every size: nothing clipped, nothing over anything else, nothing too small."""

import os
from itertools import combinations

import pytest
from msgspec.structs import replace

from doubtable.screen.board import Board, Placed
from doubtable.screen.examples import NOW, examples, lay, reveal, window
from doubtable.screen.first_minute import Guests, frames
from doubtable.screen.lettering import Lettering
from doubtable.screen.motion import PICTURE_NS, TURN_NS
from doubtable.screen.scene_blocks import strip_shown
from doubtable.screen.scenes import draw, next_change
from doubtable.screen.seating import MARKS
from doubtable.screen.sizes import Box, Panel
from doubtable.screen.stage import Stage
from doubtable.screen.widgets import Mark, Plate, Strip
from doubtable.screen.words import LANGUAGES, Words
from doubtable.view import HoldView, StripView, View
from screen.staging import ADVISED, stage_of, texts

MS = 1_000_000
LONG = bool(os.environ.get("DOUBTABLE_LONG"))
NAMES = [name for name, _, _ in examples(4)]


def picture(panel: Panel, seats: int, language: str, name: str, lettering: Lettering) -> list[Placed]:
    view, ns = next((view, ns) for each, view, ns in examples(seats) if each == name)
    board = Board(panel.size, lettering)
    board.canvas.log = []
    board.show(draw(view, ns, stage_of(panel, seats, lettering, language)))
    return board.canvas.log


def check(panel: Panel, seats: int, language: str, name: str, lettering: Lettering) -> None:
    placed = picture(panel, seats, language, name, lettering)
    whole = Box(0, 0, *panel.size)
    where = f"{panel} {seats} {language} {name}"
    for each in placed:
        assert whole.holds(each.ink), f"{where}: {each} leaves the picture"
        assert not each.cut or name.startswith("long-names"), f"{where}: {each} is cut"
    for one, other in combinations(placed, 2):
        assert not one.ink.meets(other.ink), f"{where}: {one} lies over {other}"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("turn", [0, 90])
@pytest.mark.parametrize(("panel", "most"), ADVISED, ids=lambda value: str(getattr(value, "width", value)))
def test_a_scene_is_whole_on_an_advised_screen(
    panel: Panel, most: int, turn: int, name: str, lettering: Lettering
) -> None:
    turned = Panel(panel.width, panel.height, panel.inches, turn)
    for seats, language in zip((3, most - 1, most), LANGUAGES, strict=True):
        check(turned, seats, language, name, lettering)


@pytest.mark.skipif(not LONG, reason="all seats and languages at all sizes: make test-long")
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("turn", [0, 90, 180, 270])
@pytest.mark.parametrize(("panel", "most"), ADVISED, ids=lambda value: str(getattr(value, "width", value)))
def test_a_scene_is_whole_for_any_number_of_seats_and_language(
    panel: Panel, most: int, turn: int, name: str, lettering: Lettering
) -> None:
    turned = Panel(panel.width, panel.height, panel.inches, turn)
    for seats in range(3, most + 1):
        for language in LANGUAGES:
            check(turned, seats, language, name, lettering)


def test_every_scene_of_an_unadvised_screen_can_be_drawn(lettering: Lettering) -> None:
    for _, view, ns in examples(13):
        board = Board((480, 800), lettering)
        board.show(draw(view, ns, stage_of(Panel(800, 480, turn=90), 13, lettering)))


# What a seat's change costs -----------------------------------------------------------------------------------------


def changes(before: View, after: View, lettering: Lettering, ns: int = NOW) -> tuple[Stage, tuple[Box, ...]]:
    stage = stage_of(Panel(1024, 600), len(before.seats), lettering)
    board = Board(stage.panel.size, lettering)
    board.show(draw(before, NOW, stage))
    return stage, board.show(draw(after, ns, stage))


def test_a_seat_s_change_redraws_that_seat(lettering: Lettering) -> None:
    before = window(8)
    seat = replace(before.seats[4], lamp="off")
    after = replace(before, seats=(*before.seats[:4], seat, *before.seats[5:]))
    stage, changed = changes(before, after, lettering)
    assert changed == (stage.frame.map.place(5).plate,)


def test_nothing_is_drawn_when_nothing_changed(lettering: Lettering) -> None:
    _, changed = changes(window(8), replace(window(8), number=7), lettering)
    assert changed == ()


def test_a_hold_redraws_its_plate_and_its_strip(lettering: Lettering) -> None:
    before = lay(4)
    after = replace(before, holds=(HoldView(1, NOW - 400 * MS, NOW + 300 * MS),))
    stage, changed = changes(before, after, lettering)
    assert changed == (stage.frame.map.place(1).plate,)


def test_the_window_s_ring_redraws_a_thin_bar(lettering: Lettering) -> None:
    view = window(8)
    _, changed = changes(view, view, lettering, NOW + 100 * MS)
    assert 0 < sum(box.w * box.h for box in changed) < 1024 * 600 // 50


def test_a_scene_made_twice_is_the_same(lettering: Lettering) -> None:
    for name, view, ns in examples(6):
        stages = [stage_of(Panel(1024, 600), 6, lettering) for _ in range(2)]
        assert draw(view, ns, stages[0]) == draw(view, ns, stages[1]), name


# When a picture changes by itself -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_changes_by_time_alone_only_when_it_says_so(name: str, lettering: Lettering) -> None:
    stage = stage_of(Panel(1024, 600), 4, lettering)
    view, ns = next((view, ns) for each, view, ns in examples(4) if each == name)
    for _ in range(12):
        following = next_change(view, ns)
        still = ns + 2 * PICTURE_NS if following is None else following - 1
        assert draw(view, ns, stage) == draw(view, still, stage)
        if following is None:
            break
        assert following > ns
        ns = following


def test_a_ring_fills_only_from_150_ms_on(lettering: Lettering) -> None:
    stage = stage_of(Panel(1024, 600), 4, lettering)

    def filled(ms: int) -> int:
        view = replace(lay(4), holds=(HoldView(1, NOW, NOW + 700 * MS),))
        widgets = draw(view, NOW + ms * MS, stage)
        return max(widget.filled for widget in widgets if isinstance(widget, Plate))

    assert [filled(ms) for ms in (0, 149, 350, 699, 900)] == [0, 0, 50, 95, 100]


# What is said -------------------------------------------------------------------------------------------------------


def test_the_claimant_and_the_next_seat_are_marked_where_they_sit(lettering: Lettering) -> None:
    stage = stage_of(Panel(1024, 600), 8, lettering)
    marks = {widget.role: widget.box for widget in draw(window(8), NOW, stage) if isinstance(widget, Mark)}
    assert marks == {"claimant": stage.frame.map.place(1).mark, "next": stage.frame.map.place(2).mark}


def test_in_a_reveal_claimant_and_doubter_are_marked_where_they_sit(lettering: Lettering) -> None:
    stage = Stage(Panel(800, 480, 7.0), 4, Words(), lettering)
    view, ns = next((view, ns) for name, view, ns in frames() if name == "11-card")
    marks = {widget.role: widget.box for widget in draw(view, ns, stage) if isinstance(widget, Mark)}
    assert marks == {"claimant": stage.frame.map.place(2).mark, "doubter": stage.frame.map.place(4).mark}


def test_a_seat_with_two_roles_shows_the_one_that_matters(lettering: Lettering) -> None:
    stage = stage_of(Panel(1024, 600), 4, lettering)
    view = window(4)
    both = replace(view.seats[0], roles=("dealer", "claimant"))
    widgets = draw(replace(view, seats=(both, *view.seats[1:])), NOW, stage)
    assert [widget.role for widget in widgets if isinstance(widget, Mark)] == ["claimant", "next"]
    assert MARKS[0] == "claimant"


def test_in_a_window_the_strip_is_the_next_seat_s_until_the_claimant_moves_its_own() -> None:
    view = window(4)
    shown = strip_shown(view)
    assert shown is not None
    assert shown.seat == 2
    moved = replace(view, strips=(StripView(1, ("STAND", "CORRECT"), 1), view.strips[1]))
    shown = strip_shown(moved)
    assert shown is not None
    assert shown.seat == 1


def test_every_award_has_its_number_on_a_small_screen_too(lettering: Lettering) -> None:
    over, small = next(view for name, view, _ in examples(4) if name == "over"), stage_of(Panel(800, 480), 4, lettering)
    pages = [texts(draw(over, number * PICTURE_NS, small)) for number in range(6)]
    assert [page[:3] for page in pages[1:5]] == [
        ["CAUGHT MOST", "ANN", "4"],
        ["BEST NOSE", "BOB", "3"],
        ["FASTEST SLAP", "CY", "0.41 S"],
        ["DEAREST PILE", "ANN", "23"],
    ]
    assert pages[5][0] == "SCORES"


def test_the_first_lesson_stays_until_everybody_has_slapped(lettering: Lettering) -> None:
    deal, small = next(view for name, view, _ in examples(4) if name == "deal"), stage_of(Panel(800, 480), 4, lettering)
    first = texts(draw(deal, NOW, small))
    assert "SLAP!" in first
    slapped = replace(deal, seats=tuple(replace(seat, lamp="pulsing") for seat in deal.seats))
    assert "TAP TAP," in texts(draw(slapped, NOW, small))


SIGNS = [
    ("HOLD = DO IT", ("HOLD:", "DO IT")),
    ("LAST CARDS", ("LAST", "CARDS")),
    ("A = B\nHOLD = DO IT", ("A: B", "HOLD:", "DO IT")),  # one sign for the same in all lines
    ("HOLD = DO IT\nC: A = B", ("HOLD:", "DO IT", "C, A: B")),
    ("A = B\nC: A = B", ("A = B", "C: A = B")),
]


@pytest.mark.parametrize(("words", "lines"), SIGNS)
def test_no_line_begins_or_ends_with_a_sign_that_joins_two_words(
    words: str, lines: tuple[str, ...], lettering: Lettering
) -> None:
    wide = lettering.width("HOLD = D", 40)
    assert lettering.setting(words, (wide, 200), (40, 40), 3).lines == lines


@pytest.mark.parametrize(("name", "lines"), [("doubt", ["CY:", "I DOUBT IT"]), ("reveal", ["ANN:", "3 SEVENS"])])
def test_what_somebody_says_breaks_after_the_name(name: str, lines: list[str], lettering: Lettering) -> None:
    view, ns = next((view, ns) for each, view, ns in examples(8) if each == name)
    assert texts(draw(view, ns, stage_of(Panel(480, 800, 7.0), 8, lettering)))[:2] == lines


@pytest.mark.parametrize(
    ("language", "seats", "shown"),
    [
        ("en", 6, ["WAIT", "TRUE", "LIE"]),
        ("en", 4, ["WAIT", "TRUE", "LIE"]),
        ("es", 4, []),
        ("es", 6, ["VERDAD", "MENTIRA"]),
    ],
)
def test_a_vote_shows_all_it_is_between_or_leaves_that_to_the_help_line(
    language: str, seats: int, shown: list[str], lettering: Lettering
) -> None:
    view = next(view for name, view, _ in examples(seats) if name == "agree")
    widgets = draw(view, NOW, stage_of(Panel(800, 480, 7.0), seats, lettering, language))
    strips = [widget for widget in widgets if isinstance(widget, Strip)]
    assert [setting.lines[0] for strip in strips for _, setting in strip.items] == shown


def test_a_low_middle_shows_the_last_step_of_a_long_chain(lettering: Lettering) -> None:
    view = next(view for name, view, _ in examples(4) if name == "choose-option")
    deep = replace(view, strips=(replace(view.strips[0], chosen=("I Doubt It", "OPTIONS", "SCORING")),))
    small, large = stage_of(Panel(800, 480, 7.0), 4, lettering), stage_of(Panel(1920, 1080, 15.0), 4, lettering)
    assert "SCORING" in texts(draw(deep, NOW, small))
    assert " ".join(texts(draw(deep, NOW, large))[:2]).startswith("I DOUBT IT OPTIONS SCORING")


def test_the_proposal_is_shown_while_the_cursor_is_on_start(lettering: Lettering) -> None:
    stage, shown = stage_of(Panel(1024, 600), 4, lettering), {}
    for name, view, ns in examples(4):
        shown[name] = texts(draw(view, ns, stage))
    assert "ABOUT 12 MIN" in shown["choose"]
    assert "ABOUT 12 MIN" not in shown["choose-game"]


def test_in_a_low_middle_a_strip_of_doubt_alone_gives_way_to_the_claim(lettering: Lettering) -> None:
    small, large = stage_of(Panel(800, 480, 7.0), 4, lettering), stage_of(Panel(1024, 600), 4, lettering)
    strips = [[each for each in draw(window(4), NOW, stage) if isinstance(each, Strip)] for stage in (small, large)]
    assert list(map(len, strips)) == [0, 1]


def test_a_low_middle_says_in_turn_who_is_awaited_and_what_to_press(lettering: Lettering) -> None:
    view, small = (
        next(view for name, view, _ in examples(4) if name == "waiting"),
        stage_of(Panel(800, 480), 4, lettering),
    )
    turns = [texts(draw(view, number * TURN_NS, small))[-2:] for number in range(2)]
    assert turns == [["WAITING FOR", "BOB"], ["TAP = NEXT", "HOLD = DO IT"]]


def test_the_house_word_is_what_a_doubt_is_called(lettering: Lettering) -> None:
    stage = Stage(Panel(1024, 600), 4, Words("en", "Cheat!"), lettering)
    assert "CY: CHEAT!" in texts(draw(replace(reveal(4), finish=((3, 0),)), NOW, stage))


@pytest.mark.parametrize(
    ("language", "offset", "margin"),
    [("en", 34_400_000, "34"), ("en", 3_400_000, "3.4"), ("en", 40_000, "0.04"), ("de", 3_400_000, "3,4")],
)
def test_a_margin_is_told_as_finely_as_it_matters(
    language: str, offset: int, margin: str, lettering: Lettering
) -> None:
    stage = stage_of(Panel(1920, 1080), 4, lettering, language)
    lines = texts(draw(replace(reveal(4), finish=((3, 0), (2, offset))), NOW, stage))
    assert any(f"{margin} MS" in line for line in lines)


def test_an_untouched_strip_has_no_cursor_and_a_new_game_s_scene_is_shown_generically(lettering: Lettering) -> None:
    stage = stage_of(Panel(1024, 600), 2, lettering)
    view = replace(
        lay(3),
        scene="guess",
        game="odd-or-even",
        seats=lay(3).seats[:2],
        headline=("ODD OR EVEN?", {}),
        strips=(StripView(1, ("ODD", "EVEN"), 1),),
        pile=0,
    )
    assert "ODD OR EVEN?" in texts(draw(view, NOW, stage))


# The lobby's own strips ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("turn", [0, 90])
def test_every_game_of_the_lobby_can_be_read_on_a_small_screen(turn: int, language: str, lettering: Lettering) -> None:
    guests = Guests()
    for seat in (1, 2, 3, 4):
        guests.tap(seat)
    guests.hold(1)
    panel, seen = Panel(800, 480, 7.0, turn), set[str]()
    while (label := cursor_of(guests.view())) not in seen:
        seen.add(label)
        for number in (0, 1):
            board = Board(panel.size, lettering)
            board.canvas.log = []
            board.show(draw(guests.view(), number * TURN_NS, stage_of(panel, 4, lettering, language)))
            assert [each for each in board.canvas.log if each.cut] == [], label
            assert not any(one.ink.meets(other.ink) for one, other in combinations(board.canvas.log, 2)), label
        guests.tap(1)
    assert len(seen) >= 6


def cursor_of(view: View) -> str:
    return view.strips[0].labels[view.strips[0].cursor]


def test_the_minutes_of_the_proposal_take_turns_with_the_help_on_a_small_screen(lettering: Lettering) -> None:
    view = next(view for name, view, _ in frames() if name == "03-choose")
    small = stage_of(Panel(800, 480, 7.0), 4, lettering)
    turns = [texts(draw(view, number * TURN_NS, small)) for number in range(2)]
    assert ["I DOUBT IT" in turn for turn in turns] == [True, True]
    assert ["ABOUT 12 MIN" in turn for turn in turns] == [True, False]
    assert ["TAP = NEXT" in turn for turn in turns] == [False, True]
    large = texts(draw(view, 0, stage_of(Panel(1920, 1080, 15.0), 4, lettering)))
    assert {"ABOUT 12 MIN", "TAP = NEXT"} <= set(large)
