"""docs/first-minute.md: its pictures are what the table shows today, its words are the table's words."""

import re
from pathlib import Path

import pygame
import pytest

from doubtable.games import GAMES
from doubtable.screen.first_minute import COARSE, PANEL, SMALL, frames, picture, png
from doubtable.screen.lettering import Lettering
from doubtable.screen.pages import CAPTIONS
from doubtable.screen.scenes import draw
from doubtable.screen.stage import Stage
from doubtable.screen.words import HELP_CHARACTERS, Words
from doubtable.view import View

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "first-minute.md").read_text(encoding="utf-8")
FRAMES = list(frames())
NAMES = [name for name, _, _ in FRAMES]
ROW = re.compile(
    r"^\| (\d+) \| !\[[^\]]+\]\((pictures/first-minute/([\w-]+)\.png)\) \| \*\*(.+?)\*\*: (.+) \|$", re.MULTILINE
)
FAR = 40  # of 255 for one pixel in four each way; builds of SDL smooth differently


def difference(one: pygame.Surface, other: pygame.Surface) -> int:
    first, second = (coarse(each) for each in (one, other))
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def coarse(picture: pygame.Surface) -> bytes:
    plain = pygame.Surface(SMALL, depth=24)
    plain.blit(picture, (0, 0))  # a palette cannot be smoothed
    return pygame.image.tobytes(pygame.transform.smoothscale(plain, (SMALL[0] // 4, SMALL[1] // 4)), "RGB")


def test_the_page_shows_every_picture_once_and_in_order() -> None:
    assert [found[3] for found in ROW.finditer(PAGE)] == NAMES
    assert [int(found[1]) for found in ROW.finditer(PAGE)] == list(range(1, len(NAMES) + 1))
    assert {path.stem for path in (DOCS / "pictures" / "first-minute").iterdir()} == set(NAMES)


@pytest.mark.parametrize(("name", "view", "ns"), FRAMES, ids=NAMES)
def test_a_picture_is_what_the_table_shows_today(name: str, view: View, ns: int, lettering: Lettering) -> None:
    kept = pygame.image.load(str(DOCS / "pictures" / "first-minute" / f"{name}.png"))
    assert kept.get_size() == SMALL
    assert difference(kept, picture(view, ns, lettering, Words())) <= FAR, "make gallery ARGS=--first-minute"


def test_the_comparison_sees_another_step(lettering: Lettering) -> None:
    drawn = [picture(view, ns, lettering, Words()) for _, view, ns in FRAMES]
    for number, one in enumerate(drawn):
        for other in drawn[number + 1 :]:
            assert difference(one, other) > FAR


@pytest.mark.parametrize(("name", "view", "ns"), FRAMES, ids=NAMES)
def test_the_page_s_words_are_the_picture_s_words(name: str, view: View, ns: int, lettering: Lettering) -> None:
    row = next(found for found in ROW.finditer(PAGE) if found[3] == name)
    key, values = view.help
    assert row[4].split(" / ") == Words().say(key, values).split("\n")
    assert max(map(len, row[4].split(" / "))) <= HELP_CHARACTERS + 1  # Bob and Dee, and no longer than their lines
    assert draw(view, ns, Stage(PANEL, len(view.seats), Words(), lettering))


def test_what_a_guest_of_the_first_minute_does_is_told_by_lamps() -> None:
    lamps = {name: [seat.lamp for seat in view.seats] for name, view, _ in FRAMES}
    assert set(lamps["01-sit-down"]) == {"pulsing"}
    assert lamps["06-lay"] == ["off", "pulsing", "off", "off"]
    assert (lamps["08-doubt"][0], lamps["08-doubt"][2], lamps["08-doubt"][3]) == ("steady", "pulsing", "steady")
    assert lamps["10-show"][3] == "fast"


def test_files_are_small_and_have_few_colours(lettering: Lettering) -> None:
    for _, view, ns in FRAMES:
        assert len(png(picture(view, ns, lettering, Words()))) < 10_000
    assert COARSE > 1


# docs/play.md and the five pictures of the lobby say the same rules ---------------------------------------------------

PLAY = (DOCS / "play.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("caption", "rule"),
    [
        ("LAY CARDS\nFACE DOWN", r"lay one to four cards face down"),
        ("SAY A RANK.\nYOU MAY LIE", r"of the rank that is due\. They need not be"),
        ("DOUBT? SLAP\nA LIT BUTTON", r"Steady lamp: slap it = \"I doubt it\""),
        ("TURN THEM UP:\nLOSER TAKES ALL", r"takes the whole pile"),
        ("NO CARDS LEFT?\nYOU WIN", r"laid the last cards and is not caught wins"),
    ],
)
def test_the_rules_page_says_what_the_five_pictures_say(caption: str, rule: str) -> None:
    assert caption in CAPTIONS
    assert re.search(rule, re.sub(r"\s+", " ", PLAY))


def test_every_picture_of_the_rules_is_compared_with_the_page() -> None:
    marks = test_the_rules_page_says_what_the_five_pictures_say.pytestmark  # type: ignore[attr-defined]
    assert [case[0] for case in marks[0].args[1]] == list(CAPTIONS)
    assert set(GAMES) == set(re.findall(r"^## .*\(`([\w-]+)`\)", PLAY, re.MULTILINE))
