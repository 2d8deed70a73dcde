"""`doubtable play` with a display and no hardware: the table's screen in a window, and the simulation's strip below it.

You are seat 1, simulated people play the rest. Everything goes the way it goes at a real table: keys, mouse and people
press buttons, cards travel from an emulated reader through a pty as frames, one loop feeds the core. The table's screen
shows nothing that a table does not know: your hand is only on the strip.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from queue import SimpleQueue
from tempfile import TemporaryFile

import pygame
from msgspec.structs import replace

from doubtable import places, tape
from doubtable.app import WINDOW_WAIT, App
from doubtable.card_file import CardFile
from doubtable.cards import Card
from doubtable.config import Config
from doubtable.desk import Desk
from doubtable.desk_report import simulated_reporter
from doubtable.devices.ports import Clock, monotonic_clock
from doubtable.devices.reader_emulators import LiveEmulator, RdmEmulator
from doubtable.devices.serial_reader import SerialReader
from doubtable.devices.simulated import SimulatedButtons, SimulatedLamps
from doubtable.events import Event
from doubtable.hand_strip import HEIGHT, Button, HandStrip, Strip, Target
from doubtable.inputs import Input
from doubtable.journal import Journal
from doubtable.journal.exporting import header
from doubtable.keyboard import leaf, press_key
from doubtable.players import People
from doubtable.readers import READERS
from doubtable.recovery import Kept
from doubtable.screen.board import Board
from doubtable.screen.display import real
from doubtable.screen.lettering import Lettering
from doubtable.screen.picture import Picture
from doubtable.screen.scenes import next_change
from doubtable.screen.sizes import Box, Panel
from doubtable.screen.speaker import Loudness
from doubtable.screen.voice import open_voice
from doubtable.screen.words import Words
from doubtable.simulation import header_of
from doubtable.stopping import Stop
from doubtable.table import Table
from doubtable.view import View
from doubtable.your_hand import AS_LEFT, NEW_CARDS, YourHand

TABLE = Panel(1024, 464, 12.0)  # the table's screen, as if it were one of 12 inches
YOU = 1
TITLE = "doubtable"
ALSA = b"ALSA lib "  # how the lines begin that ALSA writes past SDL, eight of them, where a machine has no sound


class NoDisplay(Exception):
    """No window can be opened here, and why."""


class PlayedButtons(SimulatedButtons):
    """All seats' buttons, drained as far as the simulated people have acted: a press of theirs may come as late."""

    played_to = 0

    def drained_to(self) -> int:
        return self.played_to


class WindowScreen:
    """The window: the table's screen above, the strip below. Draws what has changed and nothing else."""

    def __init__(self, words: Words) -> None:
        try:
            pygame.display.init()
            driver, asked = pygame.display.get_driver(), os.environ.get("SDL_VIDEODRIVER", "")
            if not real(driver, asked):  # SDL found no screen and says nothing (F33)
                pygame.display.quit()
                where = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY") or "the screen"
                raise NoDisplay(f"{where} cannot be reached")
            self._surface = pygame.display.set_mode((TABLE.width, TABLE.height + HEIGHT))
        except pygame.error as error:
            raise NoDisplay(str(error)) from error
        pygame.display.set_caption(TITLE)
        self._picture = Picture(TABLE, words)
        letters = Lettering()
        self.layout = HandStrip(Box(0, TABLE.height, TABLE.width, HEIGHT), letters)
        self._board = Board((TABLE.width, TABLE.height + HEIGHT), letters)
        self._view: View | None = None
        self._next: int | None = None  # ns at which the view's picture changes by time alone
        self._strip: Strip | None = None
        self.drawn = 0  # how often something was drawn

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the window in pixels."""
        return self._surface.get_size()

    def show(self, view: View, ns: int) -> None:
        """The table's screen."""
        seen = replace(view, number=0)
        if seen == self._view and (self._next is None or ns < self._next):
            return
        self._view, self._next = seen, next_change(view, ns)
        self._flip(self._picture.surface, self._picture.show(view, ns))

    def show_strip(self, strip: Strip) -> None:
        """The simulation's strip."""
        if strip != self._strip:
            self._strip = strip
            changed = self._board.show(self.layout.widgets(strip))
            below = (_cut(box, self.layout.box) for box in changed)  # the board is as large as the window
            self._flip(self._board.canvas.surface, tuple(box for box in below if box.h > 0))

    def target(self, x: int, y: int) -> Target | None:
        """What of the strip lies under the mouse."""
        return None if self._strip is None else self.layout.target(self._strip, x, y)

    def redraw(self) -> None:
        """All of it anew: the window was covered."""
        pygame.display.flip()

    def close(self) -> None:
        """Close the window. May be called twice."""
        pygame.display.quit()

    def _flip(self, picture: pygame.Surface, changed: tuple[Box, ...]) -> None:
        if changed:
            self.drawn += 1
            pygame.display.update([self._surface.blit(picture, box.rect, box.rect) for box in changed])


def _cut(box: Box, room: Box) -> Box:
    top = max(box.y, room.y)
    return Box(box.x, top, box.w, box.bottom - top)


class Window:
    """A table in a window, with its people and its emulated reader. For the main thread only; ``close`` ends it all."""

    def __init__(
        self,
        table: Table,
        seed: int,
        record: Callable[[str], object] | None = None,
        heard: Callable[[list[Event], int], None] = lambda events, ns: None,
        clock: Clock = monotonic_clock,
        words: Words | None = None,
        kept: Kept | None = None,
        desk: Desk | None = None,
    ) -> None:
        self.table = table = table if kept is None else kept.table
        self.closed = False
        self._cut = kept is not None and kept.waiting is not None
        self._clock, self._heard = clock, heard
        self.screen = WindowScreen(words or Words())
        inbox: SimpleQueue[Input] = SimpleQueue()
        deliver = inbox.put if desk is None else desk.listening(inbox.put)
        seats = tuple(range(1, len(table.names) + 1))
        self.buttons = PlayedButtons(seats, deliver, clock=clock)
        self.lamps = SimulatedLamps(seats, clock=clock)
        with without_lines(ALSA):  # that there is no sound is said in one line of our own
            voice = open_voice(Loudness())
        self.app = App(
            table,
            self.buttons,
            self.lamps,
            clock=clock,
            screen=self.screen,
            heard=self._hear,
            record=record,
            inbox=inbox,
            journal=None if kept is None else kept.journal,
            waiting=None if kept is None else kept.waiting,
            voice=voice,
        )
        self._emulator = LiveEmulator(RdmEmulator(), clock)
        self.reader = SerialReader(READERS["rdm6300"], self._emulator.port, deliver, clock)
        self._on_reader: Card | None = None
        self._pressed: int | None = None  # the seat whose button the mouse holds
        self._tags = {card: tag for tag, card in table.cards.items()}
        self._game = table.game
        journal = None if kept is None else kept.journal
        self._journal = journal if isinstance(journal, Journal) else None
        self._card_file = CardFile(None if self._journal is None else self._journal.path)
        self._moved_at = self.app.number  # the last input that moved cards
        self._seed = seed - (0 if self._cut else self.app.number)  # a table that goes on does not shuffle as it began
        self._seat_people()
        self._as_left = self._cut and self.people.put_back(self._card_file.read(self.app.number))
        self._keep_cards()
        if record is not None:
            record(tape.header_line(header(table, header_of)))
        self.lamps.start()
        self.buttons.start()
        self._emulator.start()
        self.reader.start()

    def _seat_people(self) -> None:
        """Real cards for the deal that has begun, no two shuffled alike, and people for all seats but yours."""
        seats = [seat for seat in self._game.seats if seat != YOU]
        self.people = People(self.table, seats, self._press, self._tray, self._seed + self.app.number)
        self.hand = YourHand(self.people, YOU)

    def _keep_cards(self) -> None:
        """Where the cards lie and what is picked, on the disk before anybody goes on from there."""
        if self._journal is not None:
            self._card_file.keep(self._moved_at, self.people.cards.layout, self._journal.committed)

    def step(self) -> None:
        """One turn of the loop: at most 5 ms of waiting."""
        for event in pygame.event.get():
            self._attend(event)
        now = self._clock()
        if not self.app.stands_still:
            self._act(now - self.app.origin)
        self.buttons.played_to = now
        self.app.step(min(self.app.wait_time(WINDOW_WAIT), self._until_people(now)))
        if self.table.game is not self._game:
            self._game = self.table.game
            self._seat_people()
            self._moved_at = self.app.number
        self._keep_cards()
        self.screen.show_strip(self.strip())

    def _act(self, ns: int) -> None:
        """The people do what is due; after a cut they wait until you go on."""
        if self._cut:
            self._cut = False
            self.people.take_up(ns)
        self.people.act(ns)

    def close(self) -> None:
        """Lamps off, ports closed, threads joined, window closed. May be called twice."""
        self.reader.close()
        self._emulator.close()
        self.app.close()

    def _until_people(self, now: int) -> int:
        due = None if self.app.stands_still else self.people.due(now - self.app.origin)
        return WINDOW_WAIT if due is None else max(0, min(WINDOW_WAIT, due + self.app.origin - now))

    # What people and you do -----------------------------------------------------------------------------------------

    def _press(self, seat: int, down: bool, ns: int) -> None:
        self.buttons.press(seat, down, ns + self.app.origin)

    def _tray(self, tag: str | None, ns: int) -> None:
        self._lay(None if tag is None else self.table.cards[tag])

    def _lay(self, card: Card | None) -> None:
        """One card at a time lies on the reader."""
        self._emulator.lift()
        self._on_reader = card
        if card is not None:
            self._emulator.put(self._tags[card])

    def _hear(self, events: list[Event], ns: int) -> None:
        before = self.people.cards.layout
        self.people.hear(events, ns)
        if not self.people.cards.layout.same_places(before):
            self._moved_at = self.app.number
            self._keep_cards()
        self._heard(events, ns)

    def _attend(self, event: pygame.event.Event) -> None:
        if event.type == pygame.QUIT:
            self.closed = True
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self._click(self.screen.target(*event.pos))
        elif event.type == pygame.MOUSEBUTTONUP and event.button == pygame.BUTTON_LEFT and self._pressed is not None:
            self.buttons.press(self._pressed, False)
            self._pressed = None
        elif event.type == pygame.VIDEOEXPOSE:
            self.screen.redraw()
        else:
            leaf(event, self.app)
            press_key(event, self.buttons, self._game.seats)

    def _click(self, target: Target | None) -> None:
        match target:
            case ("button", seat):
                self._pressed = seat
                self.buttons.press(seat, True)
            case ("card", place):
                self.hand.pick(self.hand.cards[place])
            case ("packet", place) if self.hand.showable:
                self._lay(self.hand.showable[place])
            case ("tray", _) if self.hand.showable:
                self._lay(None)
            case _:
                pass

    def strip(self) -> Strip:
        """What the strip shows now."""
        view = self.app.view
        assert view is not None  # the app has made a step
        showable = self.hand.showable
        return Strip(
            hand=self.hand.cards,
            picked=frozenset(self.hand.picked),
            packet=tuple(self.people.cards.packet),
            showable=showable,
            on_reader=self._on_reader,
            reader=self.reader.fault is None,
            buttons=tuple(
                Button(seat.seat, seat.name or str(seat.seat), seat.seat in self.lamps.lit, seat.down, seat.seat == YOU)
                for seat in view.seats
            ),
            hint=(AS_LEFT if self._as_left else NEW_CARDS) if self.app.stands_still else self.hand.hint(self.app.now()),
        )


@contextmanager
def without_lines(start: bytes) -> Iterator[None]:
    """Meanwhile no line with that ``start`` comes out at stderr, not from C code either; all others come at the end."""
    if sys.stderr is None:  # it was closed before the program began
        yield
        return
    sys.stderr.flush()
    with TemporaryFile() as said:
        stderr = os.dup(2)
        os.dup2(said.fileno(), 2)
        try:
            yield
        finally:
            sys.stderr.flush()
            os.dup2(stderr, 2)
            os.close(stderr)
            said.seek(0)
            for line in said:
                if not line.startswith(start):
                    os.write(2, line)


def play_in_window(
    table: Table,
    seed: int,
    record: Callable[[str], object] | None = None,
    language: str = "en",
    house_word: str = "",
    kept: Kept | None = None,
    config: Config | None = None,
) -> int:
    """Play until the window is closed, or Ctrl-C or SIGTERM comes; returns the exit status. Raises NoDisplay.

    With ``config`` the table has a desk, at which `doubtable doctor` asks it.
    """
    with Stop() as stop, ExitStack() as open_things:
        desk = None if config is None else Desk(places.runtime_directory(config.state, os.environ) / places.SOCKET)
        if desk is not None:
            open_things.callback(desk.close)
        window = Window(table, seed, record, words=Words(language, house_word), kept=kept, desk=desk)
        open_things.callback(window.close)
        if desk is not None and config is not None:
            desk.start(simulated_reporter(config, window.table, window.reader, window.screen.size))
        while not (stop.told or window.closed):
            window.step()
    return 0
