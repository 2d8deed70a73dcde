"""The table at one race, fed as the shell feeds it. Of the generator, only this file and `mutants` know the product.

The shell drains its sources before it believes that time has passed, so time, level reads and acts come SETTLE behind
the clock; only a line that hangs is overtaken. It answers ``read_levels`` with what the lines really are.
"""

import random
from decimal import Decimal
from typing import NamedTuple

from doubtable.events import Event
from doubtable.games.bare import RaceOnly
from doubtable.games.base import Game, Start
from doubtable.games.classic import Classic
from doubtable.inputs import Do, Edge, Input, Levels, Source, Time
from doubtable.table import Table
from doubtable.tape import header_line, input_line
from doubtable.timing import Timing
from races.switches import MS
from races.truth import Race
from races.wires import Wires

SETTLE = 3 * MS
PATIENCE = 12_000 * MS  # without a doubter by then there is none


class Said(NamedTuple):
    """What the table came to: doubt (``seat``), press_again (``why``) or nobody.

    ``wall``: when it was decided; ``ns``: the time up to which the table had been told by then.
    """

    outcome: str
    seat: int
    why: str
    wall: int
    ns: int
    reads: tuple[int, ...]


NAMES = [tuple(f"Seat {seat}" for seat in range(1, size + 1)) for size in range(14)]


def table_of(race: Race) -> Table:
    """A table with the race's window: open by time, or to be opened by a claim."""
    timing = Timing(tie=race.tie)
    names = tuple(name if seat in race.occupied else None for seat, name in enumerate(NAMES[race.size], 1))
    if race.kind == "slaps":
        game: Game = RaceOnly(race.occupied, race.size, {}, timing, race.claimant, race.opens, race.closes)
        return Table(game, names, race.occupied[0])
    game = Classic(race.occupied, race.size, {}, timing)
    return Table(game, names, race.occupied[0], start=Start(turn=race.claimant))


def opening(race: Race, wires: Wires) -> list[Input]:
    """What the table is told before anything happens: its sources, the levels at the start, and one number of each."""
    first = min([race.opens, *(told.stamp for told in wires.told), *(told.stamp for told in wires.lost)]) - 5 * MS
    inputs: list[Input] = [Source(first, source.name, True, source.uncertainty) for source in race.sources]
    inputs.append(Levels(first, dict.fromkeys(range(1, race.size + 1), 0)))
    for place, source in enumerate(race.sources):
        if race.numbered and place in race.source_of:
            seat = race.source_of.index(place) + 1
            inputs.append(Edge(first, seat, 0, source.name, wires.before[place]))
    return inputs


def script(race: Race, wires: Wires) -> list[tuple[int, Input]]:
    """Everything else that is told, with the wall time at which it is, in that order."""
    names = [source.name for source in race.sources]
    told: list[tuple[int, Input]] = [
        (wall, Edge(stamp, seat, level, names[index], seq)) for wall, stamp, seat, level, index, seq in wires.told
    ]
    if race.kind == "turn":
        told.append((race.opens + SETTLE, Do(race.opens, race.claimant, "claim", 1)))
    if race.gone is not None:
        at, index = race.gone
        told = [
            each for each in told if not (isinstance(each[1], Edge) and each[1].source == names[index] and each[0] > at)
        ]
        told.append((at + SETTLE, Source(at, names[index], False)))
    if race.kind == "turn" or race.gone is not None:
        told.sort(key=lambda each: each[0])
    return told


def play(race: Race, wires: Wires, tape: list[Input] | None = None, by_delivery: bool = False) -> Said:
    """What the table says. ``tape`` collects the inputs; ``by_delivery`` stamps edges when they come (a mutant)."""
    table = table_of(race)
    rng = random.Random(race.number)
    queue = script(race, wires)
    queue.reverse()
    reads: list[int] = []
    inputs = opening(race, wires)
    wall = 0
    while True:
        for given in inputs:
            if tape is not None:
                tape.append(given)
            events = table.feed(given)
            for event in events:
                if event.name == "read_levels":
                    at = max(wall, event.ns) + rng.randrange(100_000, 2 * MS)
                    reads.append(at)
                    _queue(queue, at + SETTLE, Levels(at, {}))
                elif (said := _outcome(event, race)) is not None:
                    return Said(*said, wall, given.ns, tuple(reads))
        due = table.deadline()
        if queue and (due is None or queue[-1][0] < due + SETTLE):
            wall, given = queue.pop()
            inputs = [_answered(given, race, wires)]
            while by_delivery and isinstance(inputs[0], Edge):
                inputs = [Edge(wall, inputs[0].seat, inputs[0].level, inputs[0].source, inputs[0].seq)]
                break
            while queue and queue[-1][0] == wall and isinstance(queue[-1][1], Edge) and not by_delivery:
                inputs.append(queue.pop()[1])
        elif due is None or due > race.opens + PATIENCE:
            return Said("nobody", 0, "", wall, wall, tuple(reads))
        else:
            wall = max(wall, due + SETTLE)
            inputs = [Time(due)]


def _queue(queue: list[tuple[int, Input]], wall: int, given: Input) -> None:
    """Put it where it belongs in ``queue``, whose last entry is the next."""
    place = len(queue)
    while place and queue[place - 1][0] <= wall:
        place -= 1
    queue.insert(place, (wall, given))


def _answered(given: Input, race: Race, wires: Wires) -> Input:
    if isinstance(given, Levels) and not given.levels:
        levels = {seat: wires.level(seat, given.ns) for seat in range(1, race.size + 1)}
        if race.gone is not None and given.ns >= race.gone[0]:
            levels = {seat: level for seat, level in levels.items() if race.source_of[seat - 1] != race.gone[1]}
        return Levels(given.ns, levels)
    return given


def _outcome(event: Event, race: Race) -> tuple[str, int, str] | None:
    if event.name == "doubt":
        return "doubt", int(event.facts["seat"]), ""
    if event.name == "press_again":
        return "press_again", 0, str(event.facts["why"])
    if event.name == "window" and event.facts["state"] == "closed":
        return "nobody", 0, ""
    return None


def tape_lines(race: Race, inputs: list[Input]) -> list[str]:
    """The race as a tape that ``doubtable replay`` plays."""
    header: dict[str, object] = {
        "game": "race" if race.kind == "slaps" else "classic",
        "seats": [name if seat in race.occupied else None for seat, name in enumerate(NAMES[race.size], 1)],
        "timing": {"tie_ms": race.tie // MS},
        "dealer": race.occupied[0],
    }
    if race.kind == "turn":
        header |= {"start": {"turn": race.claimant}}
    else:
        header |= {"claimant": race.claimant, "opens": Decimal(race.opens) / MS}
        header |= {"closes": Decimal(race.closes) / MS} if race.closes is not None else {}
    return [header_line(header), *(input_line(given) for given in inputs)]
