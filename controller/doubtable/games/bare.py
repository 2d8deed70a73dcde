"""Two things that are no card games but run on the same table: buttons alone, and one window that is already open.

They carry the scenarios of the buttons and of the race, so those run through the very code that runs a game.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from doubtable.events import event
from doubtable.games.base import QUIET, SLAP, Act, Game, GameState, Outcome, Refused, Start, Strip, Window
from doubtable.timing import Timing


class ButtonsState(GameState, frozen=True, kw_only=True):
    """Nothing is played."""


class Buttons(Game):
    """Edges become presses and gestures, and nothing comes of them."""

    id = "buttons"
    title = "Buttons alone"
    players = (1, 13)
    rules = "Press the buttons."
    state_type = ButtonsState

    def begin(self, dealer: int, start: Start | None, ns: int) -> Outcome:
        return ButtonsState(phase="buttons", dealer=dealer), ()

    def apply(self, state: Any, act: Act, ns: int) -> Outcome:
        raise Refused("nothing is played")

    def strip(self, state: Any, seat: int, ns: int) -> Strip | None:
        return None

    def idle(self, state: Any) -> str:
        return ""

    def has_menu(self, state: Any, *, anybody: bool = False) -> bool:
        return False


class RaceState(GameState, frozen=True, kw_only=True):
    """Where the one window is: phase before, doubt, reveal or closed."""


class RaceOnly(Game):
    """One doubt window of ``claimant``, open from ``opens`` to before ``closes`` (ns)."""

    id = "race"
    title = "One race"
    players = (1, 13)
    rules = "Slap first."
    state_type = RaceState

    def __init__(
        self,
        seats: tuple[int, ...],
        size: int,
        options: Mapping[str, object],
        timing: Timing,
        claimant: int = 1,
        opens: int = 0,
        closes: int | None = None,
    ) -> None:
        super().__init__(seats, size, options, timing)
        self.claimant, self.opens, self.closes = claimant, opens, closes

    def begin(self, dealer: int, start: Start | None, ns: int) -> Outcome:
        return RaceState(phase="before", dealer=dealer), ()

    def apply(self, state: Any, act: Act, ns: int) -> Outcome:
        raise Refused("only a doubt is possible in a race")

    def strip(self, state: Any, seat: int, ns: int) -> Strip | None:
        return None

    def press(self, state: Any, seat: int, ns: int) -> str | None:
        return SLAP if state.window is not None and seat != self.claimant else None

    def idle(self, state: Any) -> str:
        return "early" if state.phase == "before" else "late"

    def has_menu(self, state: Any, *, anybody: bool = False) -> bool:
        return False

    def due(self, state: Any) -> int | None:
        if state.phase == "before":
            return self.opens
        return None if state.window is None else state.window.closes

    def _window(self, ns: int, **facts: Any) -> Window:
        return Window(opened=ns, claimant=self.claimant, closes=self.closes, **facts)

    def pass_time(self, state: Any, ns: int) -> Outcome:
        if state.phase == "before":
            opened = replace(state, phase="doubt", window=self._window(ns), locks=1, step=1)
            return opened, (event("window", ns, state="open"), event("read_levels", ns))
        return replace(state, phase="closed", window=None), (event("window", ns, state="closed"),)

    def decided(self, state: Any, doubter: int, ns: int, facts: Mapping[str, Any]) -> Outcome:
        done = replace(state, phase="reveal", doubter=doubter, window=None)
        doubt = event("doubt", facts["ns"], seat=doubter, of=self.claimant, **facts["race"])
        return done, (doubt, event("window", ns, state="closed"))

    def again(self, state: Any, ns: int) -> Outcome:
        closes = None if self.closes is None else ns + self.closes - self.opens
        window = replace(self._window(ns, before=QUIET), closes=closes)
        return replace(state, window=window), (event("window", ns, state="open", again=True),)
