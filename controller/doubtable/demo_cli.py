"""`doubtable demo`: simulated people play game after game, in real time for a shop window or as fast as it goes.

They go the way of a real evening: edges, serial bytes, strips, the deal that moves left. What comes of it is counted by
style. Same seed, same evening.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from doubtable import tape
from doubtable.events import Event
from doubtable.games import GAMES
from doubtable.inputs import Order
from doubtable.minds import STYLES
from doubtable.play_cli import has_display, table_for
from doubtable.simulation import STALLED, Simulation
from doubtable.stopping import Stop
from doubtable.timing import S
from doubtable.user_error import UserError

if TYPE_CHECKING:  # a fast demonstration needs no pygame
    from doubtable.screen.table_screen import TableScreen

MINUTE = 60 * S
ENDED_BY = 128  # a shell's exit status for a signal is this and its number
TENTHS = 10  # progress is told so often where no terminal can show it on one line


class Score:
    """What came of the games of one style's people."""

    def __init__(self) -> None:
        self.people = self.won = self.lost = self.right = self.wrong = 0


class Played(NamedTuple):
    """One game: its claims, its simulated ns, and whether it was cut off."""

    claims: int
    ns: int
    cut: bool


class Count:
    """The sums of one game's evening: by style, and by game."""

    def __init__(self, styles: dict[int, str]) -> None:
        self.styles = styles
        self.scores = {name: Score() for name in STYLES if name in styles.values()}
        for style in styles.values():
            self.scores[style].people += 1
        self.games: list[Played] = []
        self._challenger = 0

    def hear(self, events: list[Event], ns: int) -> None:
        """Count what everybody has seen."""
        for each in events:
            self._hear(each)

    def _hear(self, event: Event) -> None:
        facts = event.facts
        match event.name:
            case "win":
                self._of(facts["seat"]).won += facts.get("place", 1) == 1
            case "over" if "loser" in facts:
                self._of(facts["loser"]).lost += 1
            case "verdict":
                self._doubt(facts["doubter"], right=not facts["true"])
            case "liar":
                self._challenger = facts["seat"]
            case "point":
                self._doubt(self._challenger, right=facts["seat"] != self._challenger)
            case _:
                pass

    def _of(self, seat: int) -> Score:
        return self.scores[self.styles[seat]]

    def _doubt(self, seat: int, *, right: bool) -> None:
        score = self._of(seat)
        score.right += right
        score.wrong += not right

    def table(self, title: str, most_claims: int) -> Iterator[str]:
        """The lines of the table."""
        cut = sum(game.cut for game in self.games)
        ended = len(self.games) - cut
        loses = any(score.lost for score in self.scores.values())
        yield f"{title}: {len(self.games)} games" + (f", {cut} cut off after {most_claims} claims" if cut else "")
        yield f"  {'style':<12}{'people':>6}{'lost' if loses else 'won':>8}{'share':>8}{'right':>8}{'wrong':>8}"
        for name, score in self.scores.items():
            number = score.lost if loses else score.won
            share = f"{100 * number / ended:.1f}%" if ended else "-"
            yield f"  {name:<12}{score.people:>6}{number:>8}{share:>8}{score.right:>8}{score.wrong:>8}"
        if self.games:
            yield f"  claims      {_spread([game.claims for game in self.games], '')}"
            yield f"  minutes     {_spread([game.ns / MINUTE for game in self.games], '.1f')}"


def _spread(numbers: list[float] | list[int], form: str) -> str:
    middle = f"{median(numbers):.1f}" if form else f"{median(numbers):g}"
    return f"{middle} in the middle, from {min(numbers):{form}} to {max(numbers):{form}}"


def demo(args: argparse.Namespace) -> int:
    """Let simulated people play ``--games`` games of each kind; a table of what came of them.

    Exit status 0, also when the window was closed; what a shell says of a signal when one ended it.
    """
    if args.games < 1 or args.claims < 1:
        raise UserError("--games and --claims are 1 or more")
    names = list(GAMES) if args.game == "all" else [args.game]
    evenings = [(name, *_evening(args, name)) for name in names]  # whatever is wrong is said before anybody plays
    with Stop() as stop:
        for name, simulation, count in evenings:
            try:
                _play(args, name, simulation, count, stop)
            finally:
                simulation.close()
            title = f"{name}, {len(count.styles)} people, seed {args.seed}"
            if stop.told and not count.games:
                sys.stdout.write(f"{title}: stopped in the first game after {simulation.claims} claims\n")
            else:
                for line in count.table(title, args.claims):
                    sys.stdout.write(line + "\n")
            if stop.told:
                break
    return ENDED_BY + stop.number if stop.number else 0


def _evening(args: argparse.Namespace, name: str) -> tuple[Simulation, Count]:
    """A table with its people, and what is counted of them. UserError for whatever there is not."""
    table = table_for(args, name)
    given = args.styles.split(",") if args.styles else list(STYLES)
    for style in given:
        if style not in STYLES:
            raise UserError(f"--styles {style}: there is no such style: {', '.join(STYLES)}")
    styles = {seat: given[place % len(given)] for place, seat in enumerate(table.game.seats)}
    screen = None if args.fast or not has_display() else _screen()
    count = Count(styles)

    def hear(events: list[Event], ns: int) -> None:
        count.hear(events, ns)
        if not args.fast and screen is None:
            _print(events)

    return Simulation(table, args.seed, style=styles, deals=args.games, screen=screen, heard=hear), count


def _screen() -> "TableScreen":
    from doubtable.screen.display import Display  # noqa: PLC0415 - imports pygame
    from doubtable.screen.table_screen import TableScreen  # noqa: PLC0415
    from doubtable.screen.words import Words  # noqa: PLC0415

    return TableScreen(Display((1024, 600), full=False), Words())


def _play(args: argparse.Namespace, name: str, simulation: Simulation, count: Count, stop: Stop) -> None:
    """Game after game at one table; one that does not end is cut off and dealt anew."""
    pace = None if args.fast else Pace(simulation)
    while len(count.games) < args.games and not stop.told:
        game = _one_game(simulation, args.claims, pace, stop)
        if stop.told:
            return
        count.games.append(game)
        _progress(name, len(count.games), args.games)
        if game.cut:
            simulation.people.deals -= 1
            if len(count.games) < args.games:
                simulation.app.deliver(Order(simulation.ns, "new_game"))
                simulation.step()


def _one_game(simulation: Simulation, most_claims: int, pace: "Pace | None", stop: Stop) -> Played:
    """From the end of the deal to the end of the game, or until it has gone on for too long."""
    table = simulation.table
    deals, began, claims = table.state.tally.deals, None, simulation.claims
    since = simulation.ns
    while table.state.tally.deals == deals and not stop.told:
        if simulation.claims - claims >= most_claims or simulation.ns - since > STALLED:
            return Played(simulation.claims - claims, simulation.ns - (began or since), cut=True)
        locked = simulation.claims
        simulation.step()
        if pace is not None:
            pace.wait(stop)
        if began is None and table.game.id in GAMES:
            began = simulation.ns
        if simulation.claims > locked:
            since = simulation.ns
    return Played(simulation.claims - claims, simulation.ns - (began or since), cut=False)


class Pace:
    """Keeps a simulation to the real clock, and its window alive."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._began = time.monotonic_ns()

    def wait(self, stop: Stop) -> None:
        """Until the simulated moment has come."""
        screen = self._simulation.app.screen
        while not stop.told:
            left = self._simulation.ns - (time.monotonic_ns() - self._began)
            if screen is not None:
                self._attend(stop)
            if left <= 0:
                return
            time.sleep(min(left / S, 0.02))

    @staticmethod
    def _attend(stop: Stop) -> None:
        import pygame  # noqa: PLC0415 - there is a window

        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            stop.told = True


def _print(events: list[Event]) -> None:
    for each in events:
        sys.stdout.write(tape.event_line(each) + "\n")
    sys.stdout.flush()


def _progress(name: str, done: int, games: int) -> None:
    """On a terminal one line that moves, else a line for every tenth."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r{name}: {done} of {games}{chr(10) if done == games else ''}")
        sys.stderr.flush()
    elif games >= TENTHS and done * TENTHS // games != (done - 1) * TENTHS // games:
        sys.stderr.write(f"{name}: {done} of {games}\n")
