import msgspec
import pygame
import pytest

from doubtable.screen.board import Board, Canvas
from doubtable.screen.lettering import Lettering
from doubtable.screen.palette import GROUND, Colour
from doubtable.screen.sizes import Box

painted: list["Block"] = []


class Block(msgspec.Struct, frozen=True):
    box: Box
    colour: Colour

    def paint(self, canvas: Canvas) -> None:
        painted.append(self)
        canvas.fill(self.box, self.colour)


RED, BLUE = (200, 0, 0), (0, 0, 200)
ONE, TWO, OVER = Block(Box(0, 0, 50, 50), RED), Block(Box(100, 0, 50, 50), BLUE), Block(Box(40, 40, 30, 30), BLUE)


@pytest.fixture
def board(lettering: Lettering) -> Board:
    painted.clear()
    return Board((300, 200), lettering)


def test_the_first_picture_is_painted_whole(board: Board) -> None:
    assert board.show([ONE, TWO]) == (Box(0, 0, 300, 200),)
    assert painted == [ONE, TWO]
    assert board.canvas.surface.get_at((200, 100))[:3] == GROUND


def test_nothing_is_painted_when_nothing_changed(board: Board) -> None:
    board.show([ONE, TWO])
    painted.clear()
    assert board.show([ONE, TWO]) == ()
    assert painted == []


def test_a_change_repaints_its_own_box_only(board: Board) -> None:
    board.show([ONE, TWO])
    painted.clear()
    other = Block(TWO.box, RED)
    assert board.show([ONE, other]) == (TWO.box,)
    assert painted == [other]


def test_what_went_is_cleared_and_what_lay_under_it_comes_back(board: Board) -> None:
    board.show([ONE, TWO, OVER])
    assert board.canvas.surface.get_at((45, 45))[:3] == BLUE
    assert board.show([ONE, TWO]) == (OVER.box,)
    assert board.canvas.surface.get_at((45, 45))[:3] == RED
    assert board.canvas.surface.get_at((60, 60))[:3] == GROUND


def test_changes_that_meet_become_one_box(board: Board) -> None:
    board.show([TWO])
    assert board.show([ONE, TWO, OVER]) == (ONE.box.around(OVER.box),)


def test_a_picture_made_by_changes_is_the_same_as_one_painted_whole(board: Board, lettering: Lettering) -> None:
    for widgets in ([ONE], [ONE, OVER], [TWO, OVER], [ONE, TWO, OVER]):
        board.show(widgets)
    fresh = Board((300, 200), lettering)
    fresh.show([ONE, TWO, OVER])
    assert pygame.image.tobytes(board.canvas.surface, "RGB") == pygame.image.tobytes(fresh.canvas.surface, "RGB")


def test_what_reaches_out_of_the_picture_is_left_out(board: Board) -> None:
    board.show([ONE])
    assert board.show([ONE, Block(Box(280, 190, 50, 50), RED), Block(Box(400, 0, 9, 9), RED)]) == (
        Box(280, 190, 20, 10),
    )


def test_after_the_screen_was_away_everything_is_painted_again(board: Board) -> None:
    board.show([ONE])
    board.forget()
    assert board.show([ONE]) == (Box(0, 0, 300, 200),)
