"""The photo finish of races that are over, on the table's own screen."""

import os
from pathlib import Path

import pytest
from msgspec.structs import replace

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from doubtable.journal.gate import NOT_SAVED
from doubtable.journal.looking_back import LOOK, LookBack
from doubtable.journal.reading import Race
from doubtable.keyboard import leaf
from doubtable.race import Candidate, Record
from doubtable.screen.lettering import Lettering
from doubtable.screen.scenes import draw
from doubtable.screen.sizes import Panel
from doubtable.screen.stage import Stage
from doubtable.screen.widgets import Finish
from doubtable.screen.words import LANGUAGES, Words
from doubtable.timing import MS, S
from doubtable.view import View, look
from journal.evening import WALL, Evening, new_table
from journal.test_dispute import two_games

VIEW = replace(look(new_table(), 0, 0), window=None)


def race(game: int | None, *seats: int, outcome: str = "doubt") -> Race:
    """A race on the claim of seat 1: those seats, 12 ms apart, the first of them the doubter."""
    candidates = tuple(Candidate(seat, 100 * S + place * 12 * MS) for place, seat in enumerate(seats))
    doubter = seats[0] if outcome == "doubt" else None
    record = Record(outcome, 1, 4, 99 * S, 101 * S, candidates, 5 * MS, "house rule", {}, doubter=doubter)
    return Race(game, WALL, True, record)


RACES = [race(1, 2, 3), race(2, 3), race(2, 2, 4, outcome="press_again"), race(2, 4, outcome="cut"), race(3, 4, 2, 3)]


def seats_of(view: View) -> list[int]:
    return [seat for seat, _ in view.finish]


def test_one_leafs_back_and_forth_and_stays_at_the_ends() -> None:
    back = LookBack(lambda: RACES)
    assert back.over(VIEW, 0) is VIEW
    seen = []
    for by in (-1, -1, -1, -1, -1, 1, 1, 1, 1):
        back.turn(by, 0)
        seen.append(back.over(VIEW, 0).help[0].split("\n")[-1])
    assert seen == ["4 / 4", "3 / 4", "2 / 4", "1 / 4", "1 / 4", "2 / 4", "3 / 4", "4 / 4", "4 / 4"]


def test_the_finish_is_that_of_the_record() -> None:
    back = LookBack(lambda: RACES)
    back.turn(-1, 0)
    shown = back.over(replace(VIEW, cards=(("KS", True),), scene="lay"), 0)
    assert (shown.scene, shown.cards) == ("reveal", ())
    assert shown.finish == ((4, 0), (2, 12 * MS), (3, 24 * MS))
    assert [seat.roles for seat in shown.seats] == [("claimant",), (), (), ("doubter",)]
    assert [seat.name for seat in shown.seats] == ["Ann", "Bob", "Cy", "Dee"]
    assert not shown.tied
    assert shown.headline[0].startswith("#3 20")
    back.turn(-1, 0)
    assert back.over(VIEW, 0).scene == "press_again", "nobody was taken: there is no first"


def test_not_saved_stays_over_it_and_what_is_said_of_the_game_does_not() -> None:
    back = LookBack(lambda: RACES)
    back.turn(-1, 0)
    marked = replace(VIEW, notices=(NOT_SAVED, ("LAST ROUND", {})))
    assert back.over(marked, 0).notices == (NOT_SAVED,)
    assert back.over(VIEW, 0).notices == ()


def test_people_of_another_game_are_seats() -> None:
    """Who sat there then is not who sits there now."""
    back = LookBack(lambda: RACES)
    for _ in range(4):
        back.turn(-1, 0)
    shown = back.over(VIEW, 0)
    assert seats_of(shown) == [2, 3]
    assert {seat.name for seat in shown.seats} == {None}


def test_it_ends_by_itself_by_a_key_and_for_a_window() -> None:
    back = LookBack(lambda: RACES)
    back.turn(-1, 0)
    assert back.over(VIEW, LOOK - 1) is not VIEW
    assert back.over(VIEW, LOOK) is VIEW
    back.turn(-1, 0)
    back.leave()
    assert back.over(VIEW, 0) is VIEW
    back.turn(-1, 0)
    open_window = replace(VIEW, window=(0, 4 * S))
    assert back.over(open_window, 0) is open_window
    assert back.over(VIEW, 0) is VIEW, "and does not come back after it"


def test_without_a_race_nothing_happens() -> None:
    back = LookBack(tuple)
    back.turn(-1, 0)
    assert back.over(VIEW, 0) is VIEW


def test_the_keys_reach_back_over_the_games_before_the_start(path: Path) -> None:
    """Two games yesterday: today's screen shows their races, and the game's own picture after escape."""
    before, _, _ = two_games(path)
    decided = [each.facts["record"] for each in before.events if "record" in each.facts]
    evening = Evening(path, 8)
    evening.go_on()
    evening.journal.flush()  # type: ignore[union-attr]
    evening.app.show()

    def press(key: int) -> View:
        leaf(pygame.event.Event(pygame.KEYDOWN, key=key), evening.app)
        evening.app.show()
        assert evening.screen.last is not None
        return evening.screen.last

    own = evening.screen.last
    shown = press(pygame.K_PAGEUP)
    last = decided[-1]
    assert [seat for seat, _ in shown.finish] == [each.seat for each in last.candidates]
    assert press(pygame.K_PAGEUP).help != shown.help
    assert press(pygame.K_PAGEDOWN).finish == shown.finish
    assert press(pygame.K_ESCAPE) == own
    evening.close()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("panel", [Panel(1024, 600, 10.0), Panel(1920, 1080, 15.0)])
def test_it_is_drawn_like_the_finish_of_now(language: str, panel: Panel) -> None:
    pygame.font.init()
    stage = Stage(panel, 4, Words(language), Lettering())
    back = LookBack(lambda: RACES)
    back.turn(-1, 0)
    drawn = draw(back.over(VIEW, 0), 0, stage)
    assert sum(isinstance(each, Finish) for each in drawn) >= 2
