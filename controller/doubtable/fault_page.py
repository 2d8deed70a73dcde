"""A service that cannot start says why on its screen and lamps, for as long as it waits for somebody to mend it.

The log has had the same lines. table.toml may be what is wrong, so of its settings only what can be read line by line
is used: the turn and the language of the screen, and a panel's port. The page goes onto whatever screen SDL finds.
Lamps on a panel light by turns, whichever seats they belong to; lines of the header stay as they are, for nobody knows
which of them is a lamp and which a button, and a line that drives a pressed button is a short circuit.

A file that changes is looked at again at once: the program ends, and the service manager starts it anew.
"""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

import msgspec
import pygame

from doubtable.config import overrides
from doubtable.devices.panel import PanelButtons, PanelLamps
from doubtable.devices.panel_protocol import LINES
from doubtable.devices.ports import DeviceError
from doubtable.inputs import Input
from doubtable.screen.display import Display
from doubtable.screen.lettering import Lettering
from doubtable.screen.palette import GROUND, INK, LAMP, Colour
from doubtable.screen.sizes import TURNS, Box
from doubtable.screen.words import LANGUAGES, Words
from doubtable.service import File

SHOWN_FOR = 20.0  # s; shorter than the service manager's patience with a start
LOOK_EVERY = 0.5  # s; lamps change as often: one flash in a second
TITLE = "THE TABLE CANNOT START"
GOES_ON = "ONCE THIS IS MENDED, THE TABLE GOES ON BY ITSELF"

Settings = Mapping[str, str | int]  # by key path, as far as they can be read


def hold(
    why: str,
    file: File,
    display: Display,
    told_to_stop: Callable[[], bool],
    wait: Callable[[float], None] = time.sleep,
) -> None:
    """Show ``why`` until ``file`` is another one, 20 s have passed, or the program is told to stop."""
    known = settings(file)
    turn = known.get("screen.turn")
    if turn in TURNS and not display.shown:
        display.panel = msgspec.structs.replace(display.panel, turn=turn)
    lamps = Lamps(place(known, "panel.port"))
    drawn, rounds = False, 0
    while not told_to_stop() and rounds * LOOK_EVERY < SHOWN_FOR and not file.changed():
        if not display.shown:
            display.attend(time.monotonic_ns())
            drawn = False
        if display.shown and not drawn:
            _show(why, words(known), display)
            drawn = True
        lamps.show(rounds)
        wait(LOOK_EVERY)
        rounds += 1
    lamps.close()
    display.close()


def settings(file: File) -> Settings:
    """What can be read of a table.toml, and over it what was changed at its table."""
    written = file.readable()
    state = place(written, "state")
    return {**written, **overrides.read(Path(state)).settings} if state else written


def place(known: Settings, key: str) -> str:
    """A path among these settings; "" where there is none that can be one."""
    value = known.get(key, "")
    return value if isinstance(value, str) and value.startswith("/") and value.isprintable() else ""


def words(known: Settings) -> Words:
    """The words of the table's language; English when that cannot be read."""
    language = known.get("screen.language")
    return Words(language if isinstance(language, str) and language in LANGUAGES else "en")


class Lamps:
    """All lamps of the panel on ``port``, every second one by turns; nothing where no panel answers.

    May be used while the table's own devices are still open: then the port is taken, and these lamps do nothing.
    """

    def __init__(self, port: str) -> None:
        self._seats = {line + 1: line for line in range(LINES)}
        self._buttons = PanelButtons(port, self._seats, _nobody)
        self._board = PanelLamps(self._buttons, self._seats)
        self._state: Literal["new", "lit", "none"] = "new" if port else "none"

    def show(self, rounds: int) -> None:
        """The lamps of one round. The first one looks for the panel, which takes some seconds if it does not answer."""
        if self._state == "new":
            self._start()
        if self._state == "lit":
            self._board.show({seat: (seat + rounds) % 2 == 0 for seat in self._seats})

    def close(self) -> None:
        """Out, and the port free. May be called twice."""
        if self._state == "lit":
            self._board.close()
            self._buttons.close()
        self._state = "none"

    def _start(self) -> None:
        try:
            self._buttons.start()
        except DeviceError:
            self._state = "none"
        else:
            self._board.start()
            self._state = "lit"


def _nobody(given: Input) -> None:
    """Who hears of buttons that are pressed meanwhile."""


def _show(why: str, said: Words, display: Display) -> None:
    pygame.font.init()
    wide, high = display.panel.size
    picture = pygame.Surface((wide, high))
    picture.fill(GROUND)
    margin = wide // 24
    parts: tuple[tuple[str, Colour, float], ...] = (
        (said.say(TITLE), LAMP, 0.16),
        (why, INK, 0.56),
        (said.say(GOES_ON), LAMP, 0.16),
    )
    lettering, top = Lettering(), margin
    for text, colour, share in parts:
        room = int((high - 4 * margin) * share)
        setting = lettering.setting(text, (wide - 2 * margin, room), (12, display.panel.capital), lines=12)
        at = top
        for line in setting.lines:
            picture.blit(lettering.line(line, setting.capital, colour), (margin, at))
            at += lettering.height(2, setting.capital) - setting.capital
        top += room + margin
    display.flip(picture, (Box(0, 0, wide, high),), time.monotonic_ns())
