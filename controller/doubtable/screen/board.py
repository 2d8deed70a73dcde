"""What is on the picture now, and how to get to the next one by drawing only what changed.

A scene is a tuple of widgets: frozen values with a box and a way to paint themselves. Two scenes are compared as sets;
the boxes of widgets that went or came are cleared and painted again, everything else stays.
"""

from collections.abc import Sequence
from typing import Protocol

import msgspec
import pygame

from doubtable.screen.lettering import Face, Lettering, Setting
from doubtable.screen.palette import GROUND, Colour
from doubtable.screen.sizes import Box

Align = str  # "left", "centre" or "right"


class Placed(msgspec.Struct, frozen=True):
    """A line of text as it was painted: what a test looks at."""

    text: str
    ink: Box
    capital: int
    cut: bool  # an ellipsis stands for a part of it, or it lies partly outside its widget


class Canvas:
    """A picture to paint on, with the letters for it. ``log``, where there is one, collects the texts painted."""

    def __init__(self, surface: pygame.Surface, lettering: Lettering) -> None:
        self.surface = surface
        self.lettering = lettering
        self.log: list[Placed] | None = None

    def fill(self, box: Box, colour: Colour) -> None:
        """Fill a box."""
        self.surface.fill(colour, box.rect)

    def stamp(self, picture: pygame.Surface, x: int, y: int) -> None:
        """Put a picture's top left corner at a pixel."""
        self.surface.blit(picture, (x, y))

    def stamp_middle(self, picture: pygame.Surface, box: Box) -> None:
        """Put a picture into the middle of a box."""
        wide, high = picture.get_size()
        self.surface.blit(picture, (box.x + (box.w - wide) // 2, box.y + (box.h - high) // 2))

    def stamp_part(self, picture: pygame.Surface, box: Box, part: Box) -> None:
        """Put only that part of a picture which lies in ``part``; the whole picture would lie in ``box``."""
        area = (part.x - box.x, part.y - box.y, part.w, part.h)
        self.surface.blit(picture, (part.x, part.y), area)

    def text(self, box: Box, setting: Setting, colour: Colour, align: Align = "centre", face: Face = "bold") -> None:
        """Set lines of text into a box, in the middle of its height."""
        letters, capital = self.lettering, setting.capital
        top = box.y + (box.h - letters.height(len(setting.lines), capital)) / 2
        for number, line in enumerate(setting.lines):
            picture = letters.line(line, capital, colour, face)
            wide = picture.get_width()
            x = {"left": box.x, "right": box.right - wide}.get(align, box.x + (box.w - wide) // 2)
            y = round(top + letters.height(number + 1, capital) - capital)
            self.surface.blit(picture, (x, y - letters.above(capital, face)))
            if self.log is not None:
                ink, clip = Box(x, y, wide, capital), Box(*self.surface.get_clip())
                self.log.append(Placed(line, ink, capital, setting.cut or not clip.holds(ink)))


class Widget(Protocol):
    """A frozen, hashable value that covers a box and can paint it on the cleared ground."""

    @property
    def box(self) -> Box:
        """All that the widget ever paints lies within."""

    def paint(self, canvas: Canvas) -> None:
        """Paint the whole box."""


class Board:
    """The picture that is shown, as widgets and as pixels. For the main thread only."""

    def __init__(self, size: tuple[int, int], lettering: Lettering) -> None:
        self.canvas = Canvas(pygame.Surface(size), lettering)
        self._whole = Box(0, 0, *size)
        self._shown: tuple[Widget, ...] = ()
        self._blank = True

    def show(self, widgets: Sequence[Widget]) -> tuple[Box, ...]:
        """Make the picture show these widgets, later ones above earlier ones; returns the boxes that changed."""
        wanted = tuple(widgets)
        if self._blank:
            changed: list[Box] = [self._whole]
        elif wanted == self._shown:
            return ()
        else:
            changed = _joined([widget.box.within(self._whole) for widget in set(wanted) ^ set(self._shown)])
        for box in changed:
            self._repaint(box, wanted)
        self._shown, self._blank = wanted, False
        return tuple(changed)

    def forget(self) -> None:
        """Paint everything at the next `show`: the screen was away."""
        self._blank = True

    def _repaint(self, box: Box, widgets: Sequence[Widget]) -> None:
        self.canvas.surface.set_clip(box.rect)
        self.canvas.fill(box, GROUND)
        for widget in widgets:
            if widget.box.meets(box):
                self.canvas.surface.set_clip(widget.box.within(box).rect)
                widget.paint(self.canvas)
        self.canvas.surface.set_clip(None)


def _joined(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that share pixels become one, so that nothing is painted twice."""
    joined: list[Box] = []
    for added in boxes:
        box = added
        while meeting := [other for other in joined if other.meets(box)]:
            for other in meeting:
                joined.remove(other)
                box = box.around(other)
        if box.w and box.h:
            joined.append(box)
    return sorted(joined, key=lambda box: (box.y, box.x))
