"""A guest at the window: fingers on its keys and mouse, and ears."""

import time
from collections.abc import Callable
from pathlib import Path

import pygame

from doubtable.events import Event
from doubtable.keyboard import KEYS
from doubtable.recovery import keep
from doubtable.simulation import simulated_table
from doubtable.timing import MS, Timing
from doubtable.window import Window

LONGEST = 300.0  # s until a wait gives up
TURN = 10 * MS
QUICK = Timing(hold=400 * MS, doubt=1500 * MS, any_more=200 * MS)


class Clock:
    """The monotonic clock, but no turn of the loop takes longer than TURN: a busy machine makes no tap a hold."""

    def __init__(self) -> None:
        self._real = self._ns = time.monotonic_ns()

    def __call__(self) -> int:
        return self._ns

    def turn(self) -> None:
        """A turn is over."""
        now = time.monotonic_ns()
        self._ns += min(now - self._real, TURN)
        self._real = now


class Guest:
    """A window, its keys and mouse, and what was said and written."""

    def __init__(self, seed: int = 1, journal: Path | None = None, game: str = "classic", people: int = 4) -> None:
        self.events: list[Event] = []
        self.lines: list[str] = []
        table = simulated_table(game, people, timing=QUICK)
        self.kept = None if journal is None else keep(journal, table)
        heard = self.events.extend
        self.clock = Clock()
        self.window = Window(
            table, seed, self.lines.append, lambda events, ns: heard(events), clock=self.clock, kept=self.kept
        )

    def until(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + LONGEST
        while not condition():
            assert time.monotonic() < end, [each.name for each in self.events[-12:]]
            self.window.step()
            self.clock.turn()

    def wait(self, ms: int) -> None:
        end = self.clock() + ms * MS
        self.until(lambda: self.clock() > end)

    def key(self, seat: int, ms: int) -> None:
        for kind in (pygame.KEYDOWN, pygame.KEYUP):
            pygame.event.post(pygame.event.Event(kind, key=ord(KEYS[seat - 1])))
            self.wait(ms)

    def click(self, kind: str, place: int) -> None:
        strip, layout = self.window.strip(), self.window.screen.layout
        boxes = {
            "card": layout.hand_boxes,
            "packet": layout.packet_boxes,
            "button": layout.button_boxes,
        }[kind](strip)
        spot = (boxes[place].x + 4, boxes[place].centre[1])
        for event in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            pygame.event.post(pygame.event.Event(event, pos=spot, button=pygame.BUTTON_LEFT))
            self.wait(60)

    def said(self, name: str) -> list[Event]:
        return [each for each in self.events if each.name == name]
