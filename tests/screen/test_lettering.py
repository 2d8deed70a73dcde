from importlib.resources import files

import pygame
import pytest

from doubtable.screen.lettering import FILES, SUIT_SIGNS, Face, Lettering

WHITE = (255, 255, 255)
FACES: tuple[Face, ...] = ("bold", "book")


@pytest.fixture
def poor() -> Lettering:
    """A font that lacks the suit signs: pygame's own."""
    pygame.font.init()
    path = str(files("pygame") / pygame.font.get_default_font())
    return Lettering({"bold": path, "book": path})


def test_the_fonts_and_their_licence_come_with_the_package() -> None:
    fonts = files("doubtable.screen") / "fonts"
    assert all((fonts / name).is_file() for name in (*FILES.values(), "LICENSE"))


@pytest.mark.parametrize("face", FACES)
def test_a_capital_is_exactly_as_high_as_asked(lettering: Lettering, face: Face) -> None:
    for capital in (12, 44, 49, 54, 91, 130):
        picture = lettering.line("H", capital, WHITE, face)
        ink = pygame.mask.from_surface(picture, 127).get_bounding_rects()[0]
        assert (ink.y, ink.height) == (lettering.above(capital, face), capital)


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("sign", [*SUIT_SIGNS.values(), *"ÄÖÜäöüßÑñÁÉÍÓÚ¿¡…’×"])  # noqa: RUF001
def test_our_fonts_have_every_sign_we_use(lettering: Lettering, face: Face, sign: str) -> None:
    assert lettering.has(sign, face)
    assert lettering.plain(sign, face) == sign


def test_a_poor_font_gets_letters_for_suits_and_never_a_box(poor: Lettering) -> None:
    assert [poor.has(sign) for sign in SUIT_SIGNS.values()] == [False] * 4
    assert poor.plain("K♠ Q♥ 10♦ 9♣") == "KS QH 10D 9C"


def test_an_unknown_sign_becomes_its_bare_letter_or_a_question_mark(lettering: Lettering) -> None:
    assert lettering.plain("あ Ann") == "? Ann"
    assert lettering.plain("K\U0001f9ff") == "K?"


def test_a_line_is_drawn_once(lettering: Lettering) -> None:
    assert lettering.line("3 KINGS", 44, WHITE) is lettering.line("3 KINGS", 44, WHITE)
    assert lettering.line("3 KINGS", 44, WHITE) is not lettering.line("3 KINGS", 44, (1, 2, 3))


def test_a_text_grows_to_its_box_and_no_further_than_asked(lettering: Lettering) -> None:
    assert lettering.setting("OK", (1000, 1000), (20, 60)).capital == 60
    small = lettering.setting("A LONG LINE OF TEXT", (300, 100), (10, 60))
    assert lettering.width("A LONG LINE OF TEXT", small.capital) <= 300
    assert lettering.width("A LONG LINE OF TEXT", small.capital + 1) > 300


def test_a_text_wraps_at_spaces_when_that_makes_it_larger(lettering: Lettering) -> None:
    one = lettering.setting("WAITING FOR BARTHOLOMEW", (400, 200), (10, 60))
    two = lettering.setting("WAITING FOR BARTHOLOMEW", (400, 200), (10, 60), lines=2)
    assert two.lines == ("WAITING FOR", "BARTHOLOMEW")
    assert two.capital > one.capital


def test_a_line_break_in_the_text_always_breaks(lettering: Lettering) -> None:
    assert lettering.setting("A\nB", (500, 200), (10, 40), lines=2).lines == ("A", "B")


def test_what_does_not_fit_is_cut_with_an_ellipsis_and_said_so(lettering: Lettering) -> None:
    made = lettering.setting("BARTHOLOMEW", (200, 60), (44, 60))
    assert made.cut
    assert made.lines[0].endswith("…")
    assert lettering.width(made.lines[0], 44) <= 200


def test_a_cut_text_of_several_lines_keeps_its_first_lines(lettering: Lettering) -> None:
    made = lettering.setting("ONE TWO THREE FOUR FIVE SIX", (220, 150), (44, 60), lines=2)
    assert made.cut
    assert len(made.lines) == 2
    assert made.lines[0].startswith("ONE")
