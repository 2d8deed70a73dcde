"""The reflex duel of an empty lobby: wait for the lamps, slap, and see who was first.

    ready --lamps on--> lit --race--> done --> the lobby
                         |  nobody slaps
                         +-------------------> the lobby

It is a window without a claim, so the race, its ties and its evidence are those of a doubt: stamps decide. A press
before the lamps is early as it is before a lock, and hammering does not pay.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from doubtable.events import event
from doubtable.games.base import (
    EARLY,
    QUIET,
    SLAP,
    Act,
    Game,
    GameState,
    Outcome,
    Refused,
    Setup,
    Start,
    Strip,
    Text,
    Window,
)
from doubtable.timing import MS, S, Timing

LEAST_WAIT, MOST_WAIT = 1 * S, 4 * S  # until the lamps go on
GIVE_UP = 5 * S  # nobody slaps
ALL_IN = 500 * MS  # after the first slap: whoever comes by then is in the photo finish
SHOWN = 5 * S  # the photo finish
SCATTER = 0x9E3779B97F4A7C15  # 2^64 over the golden ratio: neighbouring stamps give waits that are far apart


def wait_of(ns: int) -> int:
    """How long the lamps stay dark after the press stamped ``ns``: LEAST_WAIT to MOST_WAIT, in ns.

    Nobody presses to the nanosecond, so nobody can tell beforehand; a tape gives the same wait again.
    """
    return LEAST_WAIT + (ns * SCATTER % 2**64) * (MOST_WAIT - LEAST_WAIT) // 2**64


class DuelState(GameState, frozen=True, kw_only=True):
    """``ends``: when the phase is over by time alone (ns). ``finish``: who slapped, in order, with offsets in ns."""

    ends: int
    finish: tuple[tuple[int, int], ...] = ()
    winner: int | None = None
    tied: bool = False
    tie: int = 0  # ns


class Duel(Game):
    """Lit? Slap! Every seat takes part; ``dealer`` is the seat that began it."""

    id = "duel"
    title = "Reflex duel"
    players = (0, 13)
    rules = "Slap when the lamps go on."
    state_type = DuelState

    def __init__(self, size: int, timing: Timing) -> None:
        patient = replace(timing, straggler=max(timing.straggler, ALL_IN))
        super().__init__(tuple(range(1, size + 1)), size, {}, patient)

    def begin(self, dealer: int, start: Start | None, ns: int) -> Outcome:
        nobody = (0,) * self.size
        ends = ns + wait_of(ns)
        return DuelState(phase="ready", dealer=dealer, hands=nobody, scores=nobody, ends=ends), ()

    def apply(self, state: Any, act: Act, ns: int) -> Outcome:
        raise Refused(f"{act.name} is not possible in a duel")

    # Time -----------------------------------------------------------------------------------------------------------

    def due(self, state: Any) -> int | None:
        return None if state.launch is not None else int(state.ends)

    def pass_time(self, state: Any, ns: int) -> Outcome:
        if state.phase == "ready":
            return self.light(state, ns, EARLY), (event("window", ns, state="open"),)
        closed = () if state.window is None else (event("window", ns, state="closed"),)
        return replace(state, window=None, launch=Setup("lobby", (), state.dealer, stage="lobby")), closed

    def light(self, state: Any, ns: int, before: str) -> Any:
        """All lamps on at ``ns``."""
        closes = ns + GIVE_UP
        window = Window(opened=ns, claimant=state.dealer, closes=closes, before=before, everyone=True)
        return replace(state, phase="lit", window=window, ends=closes)

    def decided(self, state: Any, doubter: int, ns: int, facts: Mapping[str, Any]) -> Outcome:
        race = facts["race"]
        done = replace(
            state,
            phase="done",
            window=None,
            ends=ns + SHOWN,
            winner=doubter,
            finish=tuple((seat, offset) for seat, offset in race["race"]),
            tied=race["tie"],
            tie=race["tie_ns"],
        )
        return done, (event("duel", facts["ns"], seat=doubter, **race),)

    def again(self, state: Any, ns: int) -> Outcome:
        return self.light(state, ns, QUIET), (event("window", ns, state="open", again=True),)

    def resume(self, state: Any, ns: int, gap: int) -> Any:
        """After a power cut nobody remembers the duel: the lobby comes at once."""
        return replace(state, window=None, phase="done", ends=ns)

    # Buttons and lamps ----------------------------------------------------------------------------------------------

    def press(self, state: Any, seat: int, ns: int) -> str | None:
        return SLAP if state.window is not None else None

    def strip(self, state: Any, seat: int, ns: int) -> Strip | None:
        return None

    def lamp(self, state: Any, seat: int) -> str | None:
        if state.window is not None:
            return "steady"  # also for those who come second
        return "fast" if seat == state.winner else None

    def has_menu(self, state: Any, *, anybody: bool = False) -> bool:
        return False

    def idle(self, state: Any) -> str:
        return "early" if state.phase == "ready" else ""

    def awaited(self, state: Any) -> int | None:
        return None

    def finish(self, state: Any) -> Mapping[str, Any]:
        return {} if state.winner is None else {"race": state.finish, "tie_ns": state.tie, "tie": state.tied}

    def scene(self, state: Any, ns: int) -> tuple[str, Text, Text]:
        if state.winner is None:
            return "duel", ("WAIT ..." if state.phase == "ready" else "SLAP!", {}), ("LIT? SLAP!", {})
        if state.tied:
            return "duel", ("TOO CLOSE!\nNEAREST: {name}", {"name": state.winner}), ("", {})
        return "duel", ("{name} WINS", {"name": state.winner}), ("", {})
