"""Between the games: the lobby, where seats fill and a game is chosen, and the deal.

Both are games of their own to the table: strips, acts, time. When one is done its state carries a `Setup`, and the
table goes on with the game that the setup names.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from doubtable.cards import left_of
from doubtable.events import event
from doubtable.games.base import CROSSWISE, Act, Choice, Game, GameState, Outcome, Refused, Setup, Start, Strip, Text
from doubtable.timing import SPEEDS, S, Timing

Preset = tuple[Mapping[str, Mapping[str, object]], int]
"""A preset: options by game, and its doubt time in ns."""

COUNTDOWN = 5 * S
ATTRACT_EMPTY = 60 * S  # nobody sits: the rules in pictures, and a press starts the reflex duel
ATTRACT_LEFT = 600 * S  # everybody who sat has gone without a word
SPEED = "speed"
TIP = 4 * S  # how long the help line of the deal stays the same
PRACTISED = 2  # a slap, then two taps and a hold


class LobbyState(GameState, frozen=True, kw_only=True):
    """``seated`` are in; the seat on ``turn`` picks the game; ``tuned`` is the game whose options it sets; ``chosen``
    is counted down to ``starts`` (ns). ``touched``: the last act, ns; long after it the lobby attracts guests.
    """

    seated: tuple[int, ...] = ()
    tuned: Setup | None = None
    chosen: Setup | None = None
    starts: int | None = None
    touched: int = 0
    attracts: bool = False


class Lobby(Game):
    """Sit down with a TAP, start with a HOLD."""

    id = "lobby"
    title = "doubtable"
    players = (0, 13)
    rules = "TAP to sit down, HOLD to start."
    state_type = LobbyState

    def __init__(
        self,
        size: int,
        timing: Timing,
        games: Mapping[str, type[Game]],
        presets: Mapping[str, Preset],
        house: Mapping[str, Mapping[str, object]],
    ) -> None:
        super().__init__(tuple(range(1, size + 1)), size, {}, timing)
        self.games, self.presets, self.house = games, presets, house

    def begin(self, dealer: int, start: Start | None, ns: int) -> Outcome:
        return self.with_seats((), dealer, ns)

    def with_seats(self, seated: tuple[int, ...], dealer: int, ns: int) -> Outcome:
        """The lobby with these seats taken already."""
        nobody = (0,) * self.size
        state = LobbyState(phase="lobby", dealer=dealer, hands=nobody, scores=nobody, seated=seated, touched=ns)
        return state, (event("lobby", ns, seated=list(seated)),)

    # What is proposed -----------------------------------------------------------------------------------------------

    def proposals(self, players: int) -> list[str]:
        """The games that so many players can play, the proposed one first: rounds for three, classic from four."""
        fit = [name for name, game in self.games.items() if game.players[0] <= players <= game.players[1]]
        first = "rounds" if players == 3 else "classic"
        return sorted(fit, key=lambda name: name != first)

    def proposed(self, name: str, seats: tuple[int, ...], dealer: int) -> Setup:
        """The game as the lobby proposes it: with the table's house rules, where those fit so many players."""
        suggested = self.games[name].suggested(len(seats))
        options = {**suggested, **self.house.get(name, {})}
        fit = options if self.games[name].fits(seats, options) else suggested
        return Setup(name, seats, dealer, dict(fit), "deal")

    def preset(self, name: str, seats: tuple[int, ...], dealer: int, preset: str) -> Setup:
        """The game with the house rules and the speed of a preset."""
        options, doubt = self.presets[preset]
        return Setup(name, seats, dealer, dict(options.get(name, {})), "deal", doubt)

    # Acts -----------------------------------------------------------------------------------------------------------

    def apply(self, state: Any, act: Act, ns: int) -> Outcome:
        if act.name == "duel" and state.attracts:
            return replace(state, launch=Setup("lobby", (), act.seat, stage="duel")), ()
        return self.chosen_act(replace(state, touched=ns, attracts=False), act, ns)

    def chosen_act(self, state: Any, act: Act, ns: int) -> Outcome:
        """Sitting down, and all that leads to a game."""
        if act.name == "sit":
            return self.sit(state, act.seat, ns)
        if act.name == "choose":
            if act.seat not in state.seated or not self.proposals(len(state.seated)):
                raise Refused(f"no game is for {len(state.seated)} players")
            return replace(state, turn=act.seat, tuned=None, step=state.step + 1), ()
        if act.name == "stop" and (state.chosen is not None or state.turn is not None):
            return replace(state, chosen=None, starts=None, turn=None, tuned=None, step=state.step + 1), ()
        if act.seat != state.turn or state.chosen is not None:
            raise Refused(f"{act.name} is not possible in the lobby now")
        match act.name:
            case "start":
                return self.start(state, self.wanted(state, act), ns)
            case "tune":
                tuned = self.proposed(self.playable(state, act.says), state.seated, act.seat)
                return replace(state, tuned=tuned, step=state.step + 1), ()
            case "set" if state.tuned is not None:
                return replace(state, tuned=self.set(state.tuned, act), step=state.step + 1), ()
            case _:
                raise Refused(f"{act.name} is not possible in the lobby now")

    def sit(self, state: Any, seat: int, ns: int) -> Outcome:
        """The seat is in, or out again. A new seat begins the countdown anew; who chooses keeps to what is possible."""
        seated = tuple(sorted(set(state.seated) ^ {seat}))
        told = (event("sit", ns, seat=seat, sits=seat in seated),)
        state = replace(state, seated=seated, step=state.step + 1)
        if state.chosen is not None:
            rules = self.games[state.chosen.game]
            if seat in seated and rules.fits(seated, state.chosen.options):
                return replace(state, chosen=replace(state.chosen, seats=seated), starts=ns + COUNTDOWN), told
            return replace(state, chosen=None, starts=None), told
        if state.turn not in seated or not self.proposals(len(seated)):
            return replace(state, turn=None, tuned=None), told
        tuned = state.tuned
        if tuned is not None:
            fits = self.games[tuned.game].fits(seated, tuned.options)
            state = replace(state, tuned=replace(tuned, seats=seated) if fits else None)
        return state, told

    def playable(self, state: Any, name: str | None) -> str:
        """``name``, if so many players can play it."""
        if name is None or name not in self.proposals(len(state.seated)):
            raise Refused(f"{name} is not for {len(state.seated)} players")
        return name

    def wanted(self, state: Any, act: Act) -> Setup:
        """What START or a preset starts."""
        if state.tuned is not None:
            tuned: Setup = state.tuned
            return tuned
        name, _, preset = str(act.says).partition(" ")
        self.playable(state, name)
        if not preset:
            return self.proposed(name, state.seated, act.seat)
        if preset not in self.presets:
            raise Refused(f"preset {preset} does not exist: {', '.join(self.presets)}")
        return self.preset(name, state.seated, act.seat, preset)

    def set(self, tuned: Setup, act: Act) -> Setup:
        """One option of the game, or its speed, at the value numbered ``count``."""
        name, place = str(act.says), -1 if act.count is None else act.count
        if name == SPEED and place in range(len(SPEEDS)):
            return replace(tuned, doubt=tuple(SPEEDS.values())[place])
        option = self.games[tuned.game].options_known.get(name)
        if option is None or place not in range(len(option.values)):
            raise Refused(f"{tuned.game} has no option {name} number {place}")
        options = {**tuned.options, name: option.values[place]}
        if not self.games[tuned.game].fits(tuned.seats, options):
            raise Refused(f"that is not for {len(tuned.seats)} players")
        return replace(tuned, options=options)

    def start(self, state: Any, chosen: Setup, ns: int) -> Outcome:
        """The chooser's game is counted down."""
        starts = ns + COUNTDOWN
        state = replace(state, chosen=chosen, turn=None, tuned=None, starts=starts, dealer=chosen.dealer)
        told = event("countdown", ns, game=chosen.game, options=chosen.options, starts=starts)
        return replace(state, step=state.step + 1), (told,)

    # Time -----------------------------------------------------------------------------------------------------------

    def due(self, state: Any) -> int | None:
        if state.launch is not None or state.attracts:
            return None
        if state.chosen is not None:
            return int(state.starts)
        return int(state.touched) + (ATTRACT_LEFT if state.seated else ATTRACT_EMPTY)

    def pass_time(self, state: Any, ns: int) -> Outcome:
        if state.chosen is not None:
            return replace(state, launch=state.chosen, starts=None), ()
        told = (event("lobby", ns, seated=[]),) if state.seated else ()
        return replace(state, seated=(), turn=None, tuned=None, attracts=True, step=state.step + 1), told

    def resume(self, state: Any, ns: int, gap: int) -> Any:
        state = replace(state, touched=ns)
        return state if state.starts is None else replace(state, starts=ns + COUNTDOWN)

    # Strips ---------------------------------------------------------------------------------------------------------

    def strip(self, state: Any, seat: int, ns: int) -> Strip | None:
        if state.attracts:
            duel = Act(seat, "duel")
            return Strip(f"duel{state.step}", (Choice(("0",), duel), Choice(("1",), duel, enter=True)))
        if state.chosen is not None:
            if seat not in state.seated:
                return self.sit_strip(state, seat)
            stop = Act(seat, "stop")
            return Strip(f"count{state.step}", (Choice(("STOP",), stop, enter=True), Choice(("-",), stop, enter=True)))
        if seat != state.turn:
            return self.sit_strip(state, seat)
        if state.tuned is not None:
            return Strip(f"tune{state.step}", tuple(self.option_choices(state.tuned, seat)))
        return Strip(f"choose{state.step}", self.game_choices(state, seat))

    def sit_strip(self, state: Any, seat: int) -> Strip:
        """A TAP toggles; a HOLD of a seated player begins to choose."""
        inside = seat in state.seated
        choose = Act(seat, "choose") if inside else None
        labels = ("IN", "OUT") if inside else ("OUT", "IN")
        return Strip(
            f"sit{inside}",  # whoever else sits down or gets up meanwhile takes nothing from a press
            (Choice(labels[:1], choose), Choice(labels[1:], Act(seat, "sit"), enter=True)),
        )

    def game_choices(self, state: Any, seat: int) -> tuple[Choice, ...]:
        """START, which is what the table proposes; then games with presets or options; the last item leads back."""
        names = self.proposals(len(state.seated))
        picks = [
            choice
            for name in names
            for choice in (
                *(
                    Choice((self.games[name].title, preset.upper()), Act(seat, "start", says=f"{name} {preset}"))
                    for preset in self.presets
                ),
                Choice((self.games[name].title, "OPTIONS"), Act(seat, "tune", says=name)),
            )
        ]
        proposal = Choice(("START",), Act(seat, "start", says=names[0]))
        return (proposal, *picks, Choice(("BACK",), Act(seat, "stop")))

    def option_choices(self, tuned: Setup, seat: int) -> Iterator[Choice]:
        """START; each option with its values, the one that stands first; the speed; the way back."""
        rules = self.games[tuned.game]
        yield Choice(("START",), Act(seat, "start"))
        for name, option in rules.options_known.items():
            stands = tuned.options.get(name, option.default)
            offered = [value for value in option.values if value in (option.offered or option.values)]
            fit = [
                value for value in offered if value == stands or rules.fits(tuned.seats, {**tuned.options, name: value})
            ]
            for value in (stands, *(value for value in fit if value != stands)):
                place = option.values.index(value)
                yield Choice((label_of(name), label_of(value)), Act(seat, "set", place, says=name))
        for place, speed in enumerate(SPEEDS):
            yield Choice((label_of(SPEED), label_of(speed)), Act(seat, "set", place, says=SPEED))
        yield Choice(("BACK",), Act(seat, "choose"))

    # What is seen ---------------------------------------------------------------------------------------------------

    def lamp(self, state: Any, seat: int) -> str | None:
        return "steady" if seat in state.seated and seat != state.turn else None

    def has_menu(self, state: Any, *, anybody: bool = False) -> bool:
        return False

    def idle(self, state: Any) -> str:
        return ""

    def awaited(self, state: Any) -> int | None:
        return None  # nobody has to choose

    def chain_help(self, chosen: tuple[str, ...]) -> Text | None:
        """The line of the option whose values are on the strip."""
        for rules in self.games.values():
            for name, option in rules.options_known.items():
                if chosen == (label_of(name),):
                    return option.help, {}
        return ("HOW LONG DOUBTS\nARE POSSIBLE", {}) if chosen == (label_of(SPEED),) else None

    def scene(self, state: Any, ns: int) -> tuple[str, Text, Text]:
        if state.chosen is not None:
            return "countdown", (self.games[state.chosen.game].title.upper(), {}), ("TAP = STOP", {})
        if state.turn is not None:
            return "choose", self.proposal(state), ("TAP = NEXT\nHOLD = DO IT", {})
        if state.attracts:
            return "attract", ("I DOUBT IT", {}), ("PRESS ANY BUTTON", {})
        help_line = "TAP TO SIT DOWN\nHOLD TO START" if state.seated else "TAP TO SIT DOWN"
        return "lobby", ("I DOUBT IT", {}), (help_line, {})

    def countdown(self, state: Any) -> tuple[int, int] | None:
        return None if state.starts is None else (state.starts - COUNTDOWN, state.starts)

    def proposal(self, state: Any) -> Text:
        """The game that START starts, and how long it takes."""
        name = state.tuned.game if state.tuned is not None else self.proposals(len(state.seated))[0]
        title = self.games[name].title.upper()
        minutes = self.games[name].minutes
        if state.tuned is not None or not minutes:
            return title, {}
        return "{game}:\nABOUT {count} MIN", {"game": (title, {}), "count": minutes}


def label_of(value: object) -> str:
    """An option's name or value as it stands on a strip."""
    if isinstance(value, bool):
        return "YES" if value else "NO"
    return str(value).upper().replace("_", " ")


class DealState(GameState, frozen=True, kw_only=True):
    """How many cards each seat must hold, and who has practised what. ``setup`` is what is dealt for, ``begun`` when,
    ns.
    """

    setup: Setup
    begun: int = 0
    practice: dict[int, int] = {}


class Dealing(Game):
    """The cards are dealt by hand; meanwhile everybody tries the button."""

    id = "deal"
    title = "The deal"
    players = (0, 13)
    rules = "Deal, then hold."
    state_type = DealState

    def __init__(self, seats: tuple[int, ...], size: int, timing: Timing, games: Mapping[str, type[Game]]) -> None:
        super().__init__(seats, size, {}, timing)
        self.games = games

    def for_game(self, setup: Setup, hands: tuple[int, ...], ns: int) -> Outcome:
        """The deal for ``setup``, in which the seats get ``hands``."""
        nobody = (0,) * self.size
        state = DealState(phase="deal", dealer=setup.dealer, hands=hands, scores=nobody, setup=setup, begun=ns)
        return state, (event("deal", ns, hands=list(hands), dealer=setup.dealer),)

    def apply(self, state: Any, act: Act, ns: int) -> Outcome:
        if act.name == "dealt" and act.seat == state.dealer:
            return replace(state, launch=replace(state.setup, stage="play")), ()
        if act.name == "practise" and state.practice.get(act.seat, 0) < PRACTISED:
            practice = {**state.practice, act.seat: state.practice.get(act.seat, 0) + 1}
            return replace(state, practice=practice), (event("practised", ns, seat=act.seat),)
        if act.name in ("leave", "gone") and act.seat in (0, *self.seats):
            return self.leave(state, act.of or act.seat), ()
        raise Refused(f"{act.name} is not possible while the cards are dealt; the dealer says when they are")

    def leave(self, state: Any, seat: int) -> Any:
        """Without this seat all is dealt anew; without enough players it is the lobby."""
        if seat not in self.seats:
            raise Refused(f"seat {seat} is not in the deal")
        setup = state.setup
        left = tuple(each for each in self.seats if each != seat)
        dealer = left_of(seat, left) if seat == setup.dealer and left else setup.dealer
        stage = "deal" if self.games[setup.game].fits(left, setup.options) else "lobby"
        return replace(state, launch=replace(setup, seats=left, dealer=dealer, stage=stage))

    def strip(self, state: Any, seat: int, ns: int) -> Strip | None:
        if seat not in self.seats:
            return None
        stage = state.practice.get(seat, 0)
        practise = Act(seat, "practise")
        if seat == state.dealer:
            return Strip("dealer", (Choice(("DEALT",), Act(seat, "dealt")),))
        if stage == 0:
            return Strip("slap", (Choice(("SLAP!",), practise, enter=True),))
        if stage == 1:
            return Strip("taps", (Choice(("0",)), Choice(("1",)), Choice(("2",), practise)))
        return None

    def lamp(self, state: Any, seat: int) -> str | None:
        return "steady" if seat in self.seats and seat != state.dealer and seat not in state.practice else None

    def has_menu(self, state: Any, *, anybody: bool = False) -> bool:
        return anybody  # the strips here end when everybody has learned them

    def idle(self, state: Any) -> str:
        return ""

    def scene(self, state: Any, ns: int) -> tuple[str, Text, Text]:
        """Now and then the help line says how packets will have to lie."""
        every_third = (ns - state.begun) // TIP % 3 == 2
        tip = every_third and self.games[state.setup.game].packets
        return "deal", ("{name}", {"name": state.dealer}), CROSSWISE if tip else ("DEAL, THEN HOLD", {})
