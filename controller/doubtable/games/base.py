"""What every game is: a frozen state, acts that change it, choices for a seat's strip, and nothing else.

Theory. A game is a pure function of acts. It knows no button, clock or queue: the table hands it each act with its
stamp in order of stamps, and may hand the same act again when an earlier one turns up late (the table folds the acts
anew). An act that is not allowed raises Refused and has changed nothing. Time reaches a game only through `due` and
`pass_time`, and time only closes windows: no choice is ever made for a player.

An open `Window` is where a race can be run. The table runs it and tells the game who won (`decided`) or that all have
to press again (`again`).
"""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import msgspec
from msgspec.structs import replace

from doubtable.cards import Card
from doubtable.events import Event
from doubtable.games.options import Option, OptionError
from doubtable.timing import Timing


class Refused(Exception):
    """An act that the rules do not allow now. Says why in words for the table; nothing has changed."""


class Act(msgspec.Struct, frozen=True):
    """What a seat (or the attendant, seat 0) does. Unused facts are None."""

    seat: int
    name: str
    count: int | None = None
    rank: str | None = None
    hand: str | None = None
    of: int | None = None
    says: str | None = None
    card: Card | None = None
    hands: tuple[int, ...] | None = None


class Choice(NamedTuple):
    """One item of a strip: the labels that lead to it, and what a HOLD on it does (None: nothing).

    ``at_press``: the act counts at the press-down and not when the HOLD fires. ``enter``: a TAP onto it does the act.
    """

    path: tuple[str, ...]
    act: Act | None = None
    at_press: bool = False
    enter: bool = False


class Strip(NamedTuple):
    """A seat's choices. ``key`` names the step: the cursor lives as long as the key stays the same."""

    key: str
    choices: tuple[Choice, ...]


EARLY, QUIET, LATE = "early", "quiet", "late"
"""A press before a window: early and locked out; early without lock-out (press again); late for what was before."""


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """Where a doubt can be pressed: from ``opened`` (ns, the lock) until before ``closes`` (None: by no time)."""

    opened: int
    claimant: int
    closes: int | None = None
    starts: int = 0  # from this ns the next seat may start
    last: bool = False  # a last call
    before: str = EARLY  # what a press stamped before `opened` is: EARLY, QUIET or LATE
    barred: tuple[int, ...] = ()  # seats that are out of this window
    unseen: tuple[int, ...] = ()  # those of them whose lamp does not tell it
    corrected: bool = False
    everyone: bool = False  # nobody claims: the "claimant" is only where counting to the left begins

    def excludes(self, seat: int) -> bool:
        """Whether ``seat`` is the one whose claim it is."""
        return seat == self.claimant and not self.everyone


SLAP, SLAP_OR_CALL, STRIP = "slap", "slap_or_call", "strip"
"""What a press means: a doubt at its stamp; a doubt when released, a call when held; or a move on the seat's strip."""


class Setup(msgspec.Struct, frozen=True):
    """What is on at a table: the game's id, who plays, the dealer, the house options, and the stage.

    ``stage`` is lobby (a game is being chosen), duel (who is quickest), deal (the cards are dealt by hand) or play.
    ``doubt``: this game's doubt time in ns, 0 for the table's. ``house``: the table's own house rules by game, which
    the lobby proposes.
    """

    game: str
    seats: tuple[int, ...]
    dealer: int
    options: dict[str, Any] = {}
    stage: str = "play"
    doubt: int = 0
    house: dict[str, dict[str, Any]] = {}


class GameState(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """What all games keep. Tuples by seat hold seat 1 first; empty seats have 0."""

    phase: str
    dealer: int
    turn: int | None = None
    hands: tuple[int, ...] = ()
    pile: int = 0
    window: Window | None = None
    doubter: int | None = None
    scores: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()
    card_shown: bool = False  # a card of the reveal has been shown: no undo beyond this
    locks: int = 0  # claims and declarations so far: an undo goes back to just before the last
    step: int = 0  # counts the steps, so that strips of different steps have different keys
    launch: Setup | None = None  # what the table goes on with


Text = tuple[str, dict[str, Any]]
"""A text of the catalogue: its key and the values of its places."""

NO_READER: Text = ("NO READER", {})
CROSSWISE: Text = ("LAY CROSSWISE\nON CLAIM SPOT", {})  # else a packet cannot be told from the pile

Outcome = tuple[Any, tuple[Event, ...]]
"""A state and the events that led to it."""

Handler = Callable[[Any, Any, Act, int], Outcome]
"""A game's method that does one act: the game, its state, the act, and its stamp in ns. Raises Refused."""


class Start(msgspec.Struct, frozen=True):
    """Where a tape's deal begins instead of at a fresh deal."""

    hands: tuple[int, ...] | None = None
    pile: int = 0
    turn: int | None = None
    due: str | None = None
    rank: str | None = None
    owner: int | None = None
    points: tuple[int, ...] | None = None


class Game:
    """One game's rules for one table: ``seats`` are the occupied ones of ``size``. Immutable; the state is apart.

    A new game subclasses this in a file of its own and joins the list in ``games``.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    players: ClassVar[tuple[int, int]]
    packets: ClassVar[bool] = False  # packets are laid on a pile, from which they must be told
    penalty: ClassVar[bool] = False  # points are bad: fewest is best
    corrects: ClassVar[bool] = False  # in its window the claimant can put its words right, and nothing else
    rules: ClassVar[str]
    minutes: ClassVar[int] = 0  # how long a game takes as the lobby proposes it, 0 where nobody has measured it
    options_known: ClassVar[Mapping[str, Option]] = {}
    state_type: ClassVar[type[GameState]]
    acts: ClassVar[Mapping[str, tuple[tuple[str, ...], Handler]]] = {}
    """Act -> the phases in which it is possible, and what it does. A tape may write it as ``do``."""
    press_acts: ClassVar[tuple[str, ...]] = ("doubt",)
    """Acts past the buttons that are a press of that seat, and enter the race like one."""
    lock_events: ClassVar[tuple[str, ...]] = ()
    """The events that tell a lock (`GameState.locks`): with it an undo takes back what an evening counted since."""

    def __init__(self, seats: tuple[int, ...], size: int, options: Mapping[str, object], timing: Timing) -> None:
        least, most = self.players
        if not least <= len(seats) <= most:
            raise OptionError(f"{self.id} is for {least} to {most} players, not {len(seats)}")
        self.seats = seats
        self.size = size
        self.timing = timing
        self.options = self.read_options(options)

    @classmethod
    def read_options(cls, given: Mapping[str, object]) -> dict[str, object]:
        """All options with the given ones set; OptionError names what does not exist and what does."""
        for name in given:
            if name not in cls.options_known:
                known = ", ".join(cls.options_known) or "none"
                raise OptionError(f"{cls.id} has no option {name!r}: {known}")
        return {
            name: option.check(name, given[name]) if name in given else option.default
            for name, option in cls.options_known.items()
        }

    @classmethod
    def suggested(cls, players: int) -> dict[str, object]:
        """The options that the lobby proposes to so many players, where they are not the defaults."""
        return {}

    @classmethod
    def fits(cls, seats: tuple[int, ...], options: Mapping[str, object]) -> bool:
        """Whether the game can be played at these seats with these options."""
        try:
            cls(seats, max(seats, default=1), options, Timing())
        except OptionError:
            return False
        return True

    def occupied(self, state: Any) -> tuple[int, ...]:
        """The seats at which somebody sits, clockwise: who has left sits there no more."""
        return self.seats if not state.gone else tuple(seat for seat in self.seats if seat not in state.gone)

    # What a game must say -----------------------------------------------------------------------------------------

    def begin(self, dealer: int, start: Start | None, ns: int) -> Outcome:
        """The state after the deal and its events. Raises OptionError for a start that cannot be."""
        raise NotImplementedError

    def strip(self, state: Any, seat: int, ns: int) -> Strip | None:
        """What ``seat`` may choose at ``ns``, or None."""
        raise NotImplementedError

    # What a game may say ------------------------------------------------------------------------------------------

    def apply(self, state: Any, act: Act, ns: int) -> Outcome:
        """The state after ``act`` stamped ``ns``, as `acts` has it. Raises Refused."""
        if act.seat and act.seat not in self.seats:
            raise Refused(f"seat {act.seat} is empty")
        if act.seat in state.gone:
            raise Refused(f"seat {act.seat} has left")
        if act.name not in self.acts:
            raise Refused(f"{act.name} does not exist in {self.id}")
        phases, handler = self.acts[act.name]
        if state.phase not in phases:
            raise Refused(f"{act.name} is not possible in phase {state.phase}")
        if act.card is not None:
            act = replace(act, card=self.card_of(state, act.card))
        return handler(self, state, act, ns)

    def card_of(self, state: Any, card: Card) -> Card:
        """``card`` as this game knows it: with one pack in play both packs' are the same one, whichever is used."""
        return Card(card.rank, card.suit)

    def press(self, state: Any, seat: int, ns: int) -> str | None:
        """What a press of an occupied seat means (SLAP, SLAP_OR_CALL, STRIP), or None: nothing."""
        return STRIP if self.strip(state, seat, ns) else None

    def awaited(self, state: Any) -> int | None:
        """The seat that everybody waits for, if there is one."""
        return state.turn if state.window is None and state.phase != "over" else None

    def has_menu(self, state: Any, *, anybody: bool = False) -> bool:
        """Whether strips end with MENU now; with ``anybody``, whether a seat whose lamp is off has one."""
        resting = state.window is None and state.phase != "over"
        return resting and (anybody or (state.doubter is None and state.phase != "reveal"))

    def lamp(self, state: Any, seat: int) -> str | None:
        """How the seat's lamp is, where it is otherwise than its strip says."""
        return None

    def idle(self, state: Any) -> str:
        """Why a press without meaning is void while no window is open; "" when nobody has to be told."""
        return "not_yours"

    def implied(self, state: Any, act: Act) -> Act | None:
        """The act that ``act`` implies and that comes just before it."""
        return None

    def undone(self, state: Any, latest: Any) -> Any:
        """The state from just before a lock as it is after an undo; ``latest`` is the one that is given up."""
        return state

    def reader(self, state: Any, up: bool, ns: int) -> Any:
        """The state when the card reader came back or is gone."""
        return state

    def due(self, state: Any) -> int | None:
        """When time alone changes the state, in ns."""
        return None

    def gives_way(self, state: Any) -> bool:
        """Whether what is due next by time comes after a press with the same stamp."""
        return False

    def pass_time(self, state: Any, ns: int) -> Outcome:
        """The state after what is due at ``ns``."""
        raise NotImplementedError

    def decided(self, state: Any, doubter: int, ns: int, facts: Mapping[str, Any]) -> Outcome:
        """The state after a race that ``doubter`` won. ``facts`` are the doubt event's, ``ns`` the time of decision."""
        raise NotImplementedError

    def again(self, state: Any, ns: int) -> Outcome:
        """The state after a race that nobody won: the window reopens at ``ns`` for its full time."""
        raise NotImplementedError

    def resume(self, state: Any, ns: int, gap: int) -> Any:
        """The state when the table is on again at ``ns``, after ``gap`` ns: every timer that ran begins anew."""
        return state

    def shift(self, state: Any, by: int) -> Any:
        """The state after a pause of ``by`` ns: every timer that runs ends so much later."""
        return state

    def ring(self, state: Any, ns: int) -> Outcome:
        """The bell: what it does to the deal that is on; nothing in a game without one."""
        return state, ()

    # What is seen ---------------------------------------------------------------------------------------------------

    def scene(self, state: Any, ns: int) -> tuple[str, Text, Text]:
        """The picture's name, the headline and the help line. In values, name and other are seats."""
        return state.phase, (self.title.upper(), {}), ("", {})

    def chain_help(self, chosen: tuple[str, ...]) -> Text | None:
        """The help line once ``chosen`` stands in a chain of strips; None: the scene's own."""
        return None

    def urgent(self, state: Any) -> bool:
        """Whether something is going on that must not wait behind the last verdict."""
        return state.window is not None or state.doubter is not None

    def countdown(self, state: Any) -> tuple[int, int] | None:
        """From when until when (ns) something is counted down."""
        return None

    def finish(self, state: Any) -> Mapping[str, Any]:
        """The photo finish that stays to be seen, with the facts of a doubt event; empty without one."""
        return {}

    def pulses(self, state: Any, seat: int) -> bool:
        """Whether ``seat`` has a strip in an open window, as the next one."""
        return False

    def shown(self, state: Any) -> tuple[tuple[Card, bool], ...]:
        """The cards of the reveal or proof under way, in order, each with whether it bears out what was said."""
        return ()

    def shown_already(self, state: Any, card: Card, ns: int) -> bool:
        """Whether ``card``, which came onto the reader at ``ns``, had been counted before."""
        return False

    def to_show(self, state: Any) -> int:
        """How many cards are to be shown."""
        return 0

    def points(self, state: Any) -> tuple[int, ...]:
        """What stands at every seat, seat 1 first: chips, or penalty points where those count."""
        scores: tuple[int, ...] = state.scores
        return scores

    def winners(self, state: Any) -> tuple[int, ...]:
        """Who has won the deal; several share it."""
        return ()

    def placed(self, state: Any) -> tuple[int, ...]:
        """Who is out with a place while the deal goes on, the winner first."""
        return ()

    def loser(self, state: Any) -> int | None:
        """Who has lost the game, where that is what it is about."""
        return None

    def tip(self, state: Any) -> Text | None:
        """A word on how the cards are handled, for those who do it for the first time."""
        return None

    def notices(self, state: Any) -> tuple[Text, ...]:
        """Short words on something out of the ordinary, the most urgent first."""
        return ()

    def cards_missing(self, state: Any) -> int:
        """How many cards are still to be shown, once that has been said; else 0."""
        return 0

    def claimed(self, state: Any) -> tuple[int, int, str] | None:
        """The claim that stands: seat, count, rank."""
        return None

    def declared(self, state: Any) -> str | None:
        """The declaration that stands, as a tape writes it."""
        return None

    def shown_due(self, state: Any) -> str | None:
        """The due rank, if everybody may know it."""
        return None

    def public(self, state: Any) -> dict[str, Any]:
        """What a tape's ``state`` line may ask for."""
        return {
            "phase": state.phase,
            "turn": state.turn,
            "hands": list(state.hands),
            "pile": state.pile,
            "doubter": state.doubter,
        }
