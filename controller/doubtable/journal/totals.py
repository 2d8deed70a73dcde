"""The sums of one game, made from what the table was told and said: they stay when the game itself is thinned out."""

from collections.abc import Iterable

import msgspec

from doubtable.events import Event
from doubtable.games import lock_events
from doubtable.inputs import Edge
from doubtable.race import Record
from doubtable.timing import MS

QUIET = 5 * MS  # edges of one line further apart than this belong to two bursts


class ButtonTotals(msgspec.Struct):
    """One button: edges, bursts of them, presses and releases that came of bursts, and the longest burst in ns.

    Bursts of which neither press nor release came are noise.
    """

    edges: int = 0
    bursts: int = 0
    settled: int = 0
    longest: int = 0
    begun: int = -1  # of the burst under way, ns
    last: int = -1

    @property
    def noise(self) -> int:
        return max(0, self.bursts - self.settled)


class SeatTotals(msgspec.Struct):
    """One seat: doubts that were right and wrong, reaction times from lock to press in ns, void presses by reason."""

    right: int = 0
    wrong: int = 0
    reactions: list[int] = []
    voids: dict[str, int] = {}


class Totals(msgspec.Struct):
    """One game. ``cards``: every card shown, in order (the second pack's with a 2 behind it). Times in ns.

    ``scores``: penalty points are below zero. ``challenger``: the seat whose LIAR is being proved, 0: nobody's.
    """

    began: int = 0
    ended: int = 0
    claims: int = 0
    again: dict[str, int] = {}
    seats: dict[int, SeatTotals] = {}
    buttons: dict[int, ButtonTotals] = {}
    cards: list[str] = []
    scores: list[int] = []
    challenger: int = 0

    def edge(self, given: Edge) -> None:
        """An edge of a button."""
        button = self.buttons.setdefault(given.seat, ButtonTotals())
        button.edges += 1
        if button.last < 0 or given.ns - button.last > QUIET:
            button.bursts += 1
            button.begun = given.ns
        button.last = max(button.last, given.ns)
        button.longest = max(button.longest, button.last - button.begun)

    def hear(self, events: Iterable[Event]) -> None:
        """What the table said."""
        locks = lock_events()
        for each in events:
            facts = each.facts
            match each.name:
                case "press" | "release" if not facts.get("inferred"):
                    self.buttons.setdefault(facts["seat"], ButtonTotals()).settled += 1
                case name if name in locks:
                    self.claims += 1
                case "doubt":
                    self._react(facts.get("record"))
                case "press_again":
                    self.again[facts["why"]] = self.again.get(facts["why"], 0) + 1
                case "void":
                    voids = self._seat(facts["seat"]).voids
                    voids[facts["why"]] = voids.get(facts["why"], 0) + 1
                case "verdict":
                    doubter = self._seat(facts["doubter"])
                    doubter.right += not facts["true"]
                    doubter.wrong += facts["true"]
                case "liar":
                    self.challenger = facts["seat"]
                case "point" if self.challenger:  # its own: the declaration was genuine; else its holder's
                    challenger = self._seat(self.challenger)
                    challenger.wrong += facts["seat"] == self.challenger
                    challenger.right += facts["seat"] != self.challenger
                    self.challenger = 0
                case "tag" if facts["card"] is not None:
                    self.cards.append(facts["card"] + ("2" if facts.get("pack", 1) == 2 else ""))
                case "over":
                    sign = -1 if facts.get("penalty") else 1
                    self.scores = [sign * score for score in facts["scores"]]
                case _:
                    pass

    def _seat(self, seat: int) -> SeatTotals:
        return self.seats.setdefault(seat, SeatTotals())

    def _react(self, record: object) -> None:
        if isinstance(record, Record):
            for each in record.candidates:
                if each.low is None:  # an inferred press has no stamp of its own
                    self._seat(each.seat).reactions.append(each.ns - record.opened)
