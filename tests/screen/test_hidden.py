"""Hidden stays hidden: the same presses over two different deals give the same pictures, lamps, sounds, events and log,
until the first card is shown. Whatever told of a face, by a word, a colour or a delay, would differ here.
"""

import logging
import os
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, NamedTuple

import pygame
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from doubtable import app, tape, view
from doubtable.events import Event
from doubtable.games import GAMES
from doubtable.players import People
from doubtable.screen.board import Board
from doubtable.screen.lettering import Lettering
from doubtable.screen.scenes import draw
from doubtable.screen.sizes import Panel
from doubtable.screen.stage import Stage
from doubtable.screen.voice import Voice
from doubtable.screen.words import Words
from doubtable.simulation import Simulation, simulated_table
from doubtable.table import Table
from doubtable.view import View

PEOPLE = {"classic": 4, "wrong-rank": 4, "liar-poker": 3, "rounds": 4}
CLAIMS = 12
TRIES = 60 if os.environ.get("DOUBTABLE_LONG") else 3
PANEL = Panel(480, 320, 4.0)

Press = tuple[int, int, bool]  # ns, seat, down
Said = tuple[int, str, object]  # ns, by what, what


class Script(NamedTuple):
    """What fingers did, and when the first card was laid on the reader (or the end of the play)."""

    presses: tuple[Press, ...]
    until: int


class Played(Simulation):
    """People play as they like; their presses are written down until the first card lies on the reader."""

    def __init__(self, table: Table, seed: int) -> None:
        self.presses: list[Press] = []
        self.shown: int | None = None
        super().__init__(table, seed, style="suspicious")

    def _press(self, seat: int, down: bool, ns: int) -> None:
        self.presses.append((ns, seat, down))
        super()._press(seat, down, ns)

    def _tray(self, tag: str | None, ns: int) -> None:
        self.shown = ns if self.shown is None else self.shown
        super()._tray(tag, ns)

    def script(self) -> Script:
        while self.shown is None and not self.over and self.claims < CLAIMS:
            self.step()
        self.close()
        until = self.ns if self.shown is None else self.shown
        return Script(tuple(each for each in self.presses if each[0] < until), until)


class Fingers(People):
    """Hands with cards of their own deal, and fingers that do what the script says."""

    script: list[Press]

    def due(self, ns: int) -> int | None:
        return self.script[0][0] if self.script else None

    def act(self, ns: int) -> None:
        while self.script and self.script[0][0] <= ns:
            at, seat, down = self.script.pop(0)
            self._press(seat, down, at)


class Witness(logging.Handler):
    """Sees the picture, the lamps, the sounds, the events and the log of one table; ``said`` is all of it."""

    loudness = None

    def __init__(self, simulation: Simulation, lettering: Lettering) -> None:
        super().__init__(logging.DEBUG)
        self.simulation, self.said = simulation, list[Said]()
        self.stage = Stage(PANEL, len(simulation.table.names), Words(), lettering)
        self.board = Board(PANEL.size, lettering)

    def tell(self, by: str, what: object) -> None:
        self.said.append((self.simulation.ns, by, what))

    def emit(self, record: logging.LogRecord) -> None:
        self.tell("log", record.getMessage())

    def show(self, shown: View, ns: int) -> None:
        if self.board.show(draw(shown, ns, self.stage)):
            self.tell("picture", sha256(pygame.image.tobytes(self.board.canvas.surface, "RGB")).hexdigest())

    def hear(self, events: list[Event]) -> None:
        for each in events:
            self.tell("event", tape.event_line(each))

    def play(self, name: str, minute: int = 0, number: int = 1) -> None:
        self.tell("sound", (name, number))

    def hold(self, hold_ms: int, minute: int = 0) -> None:
        self.tell("sound", ("hold", hold_ms))

    def release(self) -> None:
        self.tell("sound", ("hold", 0))


def seen(game: str, script: Script, deal: int, lettering: Lettering) -> Iterator[Said]:
    """All that guests could see, hear and read before the first card, over the deal with this seed."""
    table = simulated_table(game, PEOPLE[game])
    simulation = Simulation(table, 0, heard=lambda events, ns: witness.hear(events))
    people = Fingers(table, table.game.seats, simulation._press, simulation._tray, deal)
    people.script, simulation.people = list(script.presses), people
    witness = Witness(simulation, lettering)
    simulation.app.screen = witness
    speaker: Any = witness  # in a speaker's place
    simulation.app.voice = Voice(speaker, lambda: 0)
    root = logging.getLogger()
    root.addHandler(witness)
    CARDS[table] = people
    try:
        while simulation.ns < script.until:
            simulation.step()
    finally:
        root.removeHandler(witness)
        del CARDS[table]
        simulation.close()
    yield from (each for each in witness.said if each[0] < script.until)
    yield from ((each.ns, "lamp", each[1:]) for each in simulation.lamps.changes if each.ns < script.until)


CARDS: dict[Table, Fingers] = {}  # who sits at a table: what no table knows, for the planted leaks below


def compared(game: str, seed: int, deals: tuple[int, int], lettering: Lettering) -> tuple[list[Said], list[Said]]:
    script = Played(simulated_table(game, PEOPLE[game]), seed).script()
    one, other = (list(seen(game, script, deal, lettering)) for deal in deals)
    return one, other


SEEDS = st.integers(0, 2**31)
NORMAL = settings(
    max_examples=TRIES,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@pytest.mark.parametrize("game", GAMES)
@NORMAL
@given(seed=SEEDS, deals=st.tuples(SEEDS, SEEDS).filter(lambda pair: pair[0] != pair[1]))
@example(seed=3, deals=(1, 2))
def test_two_deals_cannot_be_told_apart_before_a_card_is_shown(
    game: str, seed: int, deals: tuple[int, int], lettering: Lettering
) -> None:
    one, other = compared(game, seed, deals, lettering)
    assert one == other
    kinds = {by for _, by, _ in one}
    assert {"picture", "event", "lamp", "sound"} <= kinds


# The property can fail: leaks planted where each sense looks ---------------------------------------------------------


def bottom(people: Fingers) -> str:
    """A hidden face: the last card of the packet, or of the fullest hand where none lies."""
    return str((people.cards.packet or max(people.cards.hands.values(), key=len))[-1])


def picture(shown: View, face: str) -> View:
    return replace(shown, headline=("{name}", {"name": face}))


def test_a_leak_of_the_picture_is_found(lettering: Lettering, monkeypatch: pytest.MonkeyPatch) -> None:
    look = view.look

    def leaky(table: Table, ns: int, number: int = 0, lit: tuple[str, ...] = ()) -> View:
        shown = look(table, ns, number, lit)
        return picture(shown, bottom(CARDS[table])) if table in CARDS else shown

    monkeypatch.setattr(app, "look", leaky)
    assert_found("picture", lettering)


def test_a_leak_of_the_lamps_is_found(lettering: Lettering, monkeypatch: pytest.MonkeyPatch) -> None:
    lamps = view.lamps

    def leaky(table: Table, ns: int) -> tuple[str, ...]:
        shown = lamps(table, ns)
        red = table in CARDS and bottom(CARDS[table])[1] in "HD"
        return ("steady",) * len(shown) if red else shown

    monkeypatch.setattr(app, "lamps", leaky)
    assert_found("lamp", lettering)


def assert_found(by: str, lettering: Lettering) -> None:
    one, other = compared("classic", 3, (1, 2), lettering)
    assert [each for each in one if each[1] == by] != [each for each in other if each[1] == by]


def test_a_leak_by_an_event_the_log_or_a_sound_is_found(lettering: Lettering, monkeypatch: pytest.MonkeyPatch) -> None:
    feed, play = Table.feed, Witness.play

    def leaky(table: Table, given_: Any) -> list[Event]:
        events = feed(table, given_)
        if table in CARDS and any(each.name == "claim" for each in events):
            logging.getLogger("doubtable").warning("a %s lies there", bottom(CARDS[table]))
            events.append(
                Event("noise", given_.ns, {"seat": 1, "count": "23456789TJQKA".index(bottom(CARDS[table])[0])})
            )
        return events

    def tells(witness: Witness, name: str, minute: int = 0, number: int = 1) -> None:
        play(witness, bottom(CARDS[witness.simulation.table]), minute, number)

    monkeypatch.setattr(Table, "feed", leaky)
    monkeypatch.setattr(Witness, "play", tells)
    one, other = compared("classic", 3, (1, 2), lettering)
    for by in ("event", "log", "sound"):
        assert [each for each in one if each[1] == by] != [each for each in other if each[1] == by], by
