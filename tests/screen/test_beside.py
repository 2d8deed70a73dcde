"""What stands beside the middle of a scene or takes turns with its help line, and what never gives way to it."""

import re
from itertools import pairwise

import pytest
from msgspec.structs import replace

from doubtable.screen.examples import NOW, examples, lay, reveal, window
from doubtable.screen.lettering import SOFT, Lettering
from doubtable.screen.motion import TURN_NS
from doubtable.screen.scenes import draw, next_change
from doubtable.screen.sizes import Panel
from doubtable.screen.widgets import Finish
from doubtable.screen.words import LANGUAGES
from doubtable.view import Text
from screen.staging import ADVISED, stage_of, texts


def test_a_word_of_the_shell_s_own_is_shown_before_all_notices(lettering: Lettering) -> None:
    stage = stage_of(Panel(1024, 600), 4, lettering)
    view = replace(lay(4), notices=(("LAST ROUND", {}),))
    assert "LAST ROUND" in texts(draw(view, NOW, stage))
    assert "NOT SAVED" in texts(draw(view, NOW, stage, [("NOT SAVED", {})]))


@pytest.mark.parametrize(("why", "line"), [("early", "CY: TOO EARLY"), ("late", "CY: TOO LATE"), ("claimant", "")])
def test_a_press_that_did_not_count_is_told_in_words(why: str, line: str, lettering: Lettering) -> None:
    stage = stage_of(Panel(1024, 600), 4, lettering)
    view = window(4)
    void = replace(view.seats[2], void=why)
    shown = texts(draw(replace(view, seats=(*view.seats[:2], void, *view.seats[3:])), NOW, stage))
    assert (line in shown) == bool(line)
    assert ("TOO" in " ".join(shown)) == bool(line)


def test_a_long_notice_takes_the_help_line_s_place_on_a_small_screen(lettering: Lettering) -> None:
    view = replace(reveal(4), cards=(("7H", True),), notices=(("{count} CARDS MISSING", {"count": 2}),))
    both = {"2 CARDS MISSING", "CY: SHOW"}
    small, large = stage_of(Panel(800, 480, 7.0), 4, lettering), stage_of(Panel(1920, 1080, 15.0), 4, lettering)
    turns = [both & set(texts(draw(view, number * TURN_NS, small))) for number in range(4)]
    assert turns == [{"2 CARDS MISSING"}, {"CY: SHOW"}] * 2  # they take turns: nobody misses what to do
    assert next_change(view, TURN_NS) == 2 * TURN_NS
    assert both <= set(texts(draw(view, NOW, large)))


def test_a_word_of_the_shell_s_own_stays_where_it_takes_the_help_line_s_place(lettering: Lettering) -> None:
    small = stage_of(Panel(800, 480, 7.0), 4, lettering)
    for number in range(4):
        assert "NOT SAVED" in texts(draw(window(4), number * TURN_NS, small, [("NOT SAVED", {})]))


@pytest.mark.parametrize("panel", [Panel(800, 480, 7.0), Panel(1024, 600), Panel(480, 800, 7.0)], ids=str)
def test_not_saved_stands_on_every_picture(panel: Panel, lettering: Lettering) -> None:
    """A notice of the shell takes turns with the help line at the most, on a menu with its headline."""
    stage = stage_of(panel, 4, lettering)
    without = []
    for name, view, ns in examples(4):
        marked, at = replace(view, notices=(("NOT SAVED", {}), *view.notices)), ns // TURN_NS * TURN_NS
        ring = range(0, 20 * TURN_NS, TURN_NS)
        shown = ["NOT SAVED" in " ".join(texts(draw(marked, at + later, stage))) for later in ring]
        gaps = [not one and not other for one, other in pairwise(shown)]
        if any(gaps) or next_change(marked, ns) is None:
            without.append(name)
    assert without == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("panel", [*(panel for panel, _ in ADVISED), Panel(480, 800, 7.0), Panel(600, 1024)], ids=str)
def test_no_notice_takes_the_photo_finish_away(panel: Panel, language: str, lettering: Lettering) -> None:
    notices: tuple[Text, ...] = (("NO READER", {}), ("NOT SAVED", {}), ("{count} CARDS MISSING", {"count": 2}))
    for seats in (3, 4, 6, 8):
        stage, view = stage_of(panel, seats, lettering, language), reveal(seats)
        whole = [each for each in draw(view, 0, stage) if isinstance(each, Finish)]
        for key, values in notices:
            told = re.sub(rf"[{SOFT} ]", "", stage.words.say(key, values))
            marked = replace(view, notices=((key, values),))
            turns = [draw(marked, number * TURN_NS, stage) for number in range(2)]
            rows = [[each for each in shown if isinstance(each, Finish)] for shown in turns]
            assert [len(each) for each in rows] == [len(whole)] * 2, f"{seats} {key}"
            broken = [re.sub("[- ]", "", "".join(texts(shown))) for shown in turns]
            assert any(told in each for each in broken), f"{seats} {key}"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("panel", "most"), ADVISED, ids=str)
def test_the_photo_finish_has_its_rows_in_every_language(
    panel: Panel, most: int, language: str, lettering: Lettering
) -> None:
    shown = draw(reveal(most), NOW, stage_of(panel, most, lettering, language))
    assert sum(isinstance(each, Finish) for each in shown) >= 2


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seats", [3, 4, 5, 6])
@pytest.mark.parametrize("panel", [Panel(800, 480, 7.0), Panel(480, 800, 7.0), Panel(1024, 600)], ids=str)
def test_a_tie_says_how_close_it_was(panel: Panel, seats: int, language: str, lettering: Lettering) -> None:
    stage = stage_of(panel, seats, lettering, language)
    shown = draw(replace(reveal(seats), finish=((2, 0), (3, 3_400_000)), tied=True), NOW, stage)
    rows = [line for each in shown if isinstance(each, Finish) for line in each.margin.lines]
    assert any("3.4" in text.replace(",", ".") for text in (*texts(shown), *rows))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("panel", "seats"), [*ADVISED, (Panel(800, 480, 7.0), 4)], ids=str)
def test_what_is_to_be_proved_stands_beside_the_cards(
    panel: Panel, seats: int, language: str, lettering: Lettering
) -> None:
    stage = stage_of(panel, seats, lettering, language)
    view = next(view for name, view, _ in examples(seats) if name == "prove")
    hand = stage.words.say(*view.headline).partition(": ")[2]
    turns = [" ".join(texts(draw(view, number * TURN_NS, stage))) for number in range(2)]
    assert any(hand in turn for turn in turns)
    assert any(stage.words.say(*view.help) in turn for turn in turns)
    assert next_change(view, 0) == TURN_NS
