"""Between the games: the lobby, where seats fill and a game is chosen, and the deal.

Both are games of their own to the table: strips, acts, time. When one is done its state carries a `Setup`, and the
table goes on with the game that the setup names.
"""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from doubtable.cards import left_of
from doubtable.events import event
from doubtable.games.base import Act, Choice, Game, GameState, Outcome, Refused, Setup, Start, Strip, Text
from doubtable.timing import S, Timing

COUNTDOWN = 5 * S
PRACTISED = 2  # a slap, then two taps and a hold


class LobbyState(GameState, frozen=True, kw_only=True):
    """``seated`` are in; ``chooser`` picks the game; ``chosen`` is counted down to ``starts`` (ns)."""

    seated: tuple[int, ...] = ()
    chooser: int | None = None
    chosen: Setup | None = None
    starts: int | None = None


class Lobby(Game):
    """Sit down with a TAP, start with a HOLD."""

    id = "lobby"
    title = "doubtable"
    players = (0, 13)
    rules = "TAP to sit down, HOLD to start."
    state_type = LobbyState

    def __init__(
        self,
        seats: tuple[int, ...],
        size: int,
        options: Mapping[str, object],
        timing: Timing,
        games: Mapping[str, type[Game]],
        presets: Mapping[str, Mapping[str, Mapping[str, object]]],
    ) -> None:
        super().__init__(tuple(range(1, size + 1)), size, {}, timing)
        self.games = games
        self.presets = presets

    def begin(self, dealer: int, start: Start | None, ns: int) -> Outcome:
        return self.with_seats((), dealer, ns)

    def with_seats(self, seated: tuple[int, ...], dealer: int, ns: int) -> Outcome:
        """The lobby with these seats taken already."""
        nobody = (0,) * self.size
        state = LobbyState(phase="lobby", dealer=dealer, hands=nobody, scores=nobody, seated=seated)
        return state, (event("lobby", ns, seated=list(seated)),)

    def proposals(self, players: int) -> list[str]:
        """The games that so many players can play, the proposed one first: rounds for three, classic from four."""
        fit = [name for name, game in self.games.items() if game.players[0] <= players <= game.players[1]]
        first = "rounds" if players == 3 else "classic"
        return sorted(fit, key=lambda name: name != first)

    def act(self, state: Any, act: Act, ns: int) -> Outcome:
        match act.name:
            case "sit":
                return self.sit(state, act.seat, ns)
            case "choose":
                if act.seat not in state.seated or not self.proposals(len(state.seated)):
                    raise Refused(f"{len(state.seated)} players are too few for any game")
                return replace(state, chooser=act.seat, step=state.step + 1), ()
            case "start" if act.seat == state.chooser and act.says:
                return self.start(state, act, ns)
            case "stop" if state.chosen is not None or state.chooser is not None:
                return replace(state, chosen=None, starts=None, chooser=None, step=state.step + 1), ()
            case _:
                raise Refused(f"{act.name} is not possible in the lobby")

    def sit(self, state: Any, seat: int, ns: int) -> Outcome:
        """The seat is in, or out again. A new seat begins the countdown anew."""
        seated = tuple(sorted(set(state.seated) ^ {seat}))
        told = (event("sit", ns, seat=seat, sits=seat in seated),)
        state = replace(state, seated=seated, step=state.step + 1)
        if state.chosen is None:
            return state, told
        rules = self.games[state.chosen.game]
        if not rules.players[0] <= len(seated) <= rules.players[1]:
            return replace(state, chosen=None, starts=None), told
        return replace(state, chosen=replace(state.chosen, seats=seated), starts=ns + COUNTDOWN), told

    def start(self, state: Any, act: Act, ns: int) -> Outcome:
        """The chooser's game is counted down."""
        name, _, preset = str(act.says).partition(" ")
        if name not in self.proposals(len(state.seated)):
            raise Refused(f"{name} is not for {len(state.seated)} players")
        options = dict(self.presets.get(preset, {}).get(name, {}))
        chosen = Setup(name, state.seated, act.seat, options, "deal")
        starts = ns + COUNTDOWN
        state = replace(state, chosen=chosen, chooser=None, starts=starts, dealer=act.seat, step=state.step + 1)
        return state, (event("countdown", ns, game=name, options=options, starts=starts),)

    def due(self, state: Any) -> int | None:
        return None if state.launch is not None else state.starts

    def pass_time(self, state: Any, ns: int) -> Outcome:
        return replace(state, launch=state.chosen, starts=None), ()

    def strip(self, state: Any, seat: int, ns: int) -> Strip | None:
        if state.chosen is not None:
            if seat not in state.seated:
                return self.sit_strip(state, seat)
            stop = Act(seat, "stop")
            return Strip(f"count{state.step}", (Choice(("STOP",), stop, enter=True), Choice(("-",), stop, enter=True)))
        if seat == state.chooser:
            return Strip(f"choose{state.step}", self.game_choices(state, seat))
        return self.sit_strip(state, seat)

    def sit_strip(self, state: Any, seat: int) -> Strip:
        """A TAP toggles; a HOLD of a seated player begins to choose."""
        inside = seat in state.seated
        choose = Act(seat, "choose") if inside else None
        labels = ("IN", "OUT") if inside else ("OUT", "IN")
        return Strip(
            f"sit{state.step if inside else ''}{inside}",
            (Choice(labels[:1], choose), Choice(labels[1:], Act(seat, "sit"), enter=True)),
        )

    def game_choices(self, state: Any, seat: int) -> tuple[Choice, ...]:
        """Games, then presets; the last item leads back."""
        picks = [
            Choice((self.games[name].title, preset.upper()), Act(seat, "start", says=f"{name} {preset}"))
            for name in self.proposals(len(state.seated))
            for preset in self.presets
        ]
        return (*picks, Choice(("BACK",), Act(seat, "stop")))

    def lamp(self, state: Any, seat: int) -> str | None:
        return "steady" if seat in state.seated and seat != state.chooser else None

    def has_menu(self, state: Any, *, anybody: bool = False) -> bool:
        return False

    def idle(self, state: Any) -> str:
        return ""

    def scene(self, state: Any, ns: int) -> tuple[str, Text, Text]:
        if state.chosen is not None:
            return "countdown", (self.games[state.chosen.game].title.upper(), {}), ("TAP = STOP", {})
        if state.chooser is not None:
            return "choose", ("{name}", {"name": state.chooser}), ("TAP = NEXT\nHOLD = DO IT", {})
        help_line = "TAP TO SIT DOWN\nHOLD TO START" if state.seated else "TAP TO SIT DOWN"
        return ("lobby" if state.seated else "attract"), ("I DOUBT IT", {}), (help_line, {})


class DealState(GameState, frozen=True, kw_only=True):
    """How many cards each seat must hold, and who has practised what. ``setup`` is what is dealt for."""

    setup: Setup
    practice: dict[int, int] = {}


class Dealing(Game):
    """The cards are dealt by hand; meanwhile everybody tries the button."""

    id = "deal"
    title = "The deal"
    players = (0, 13)
    rules = "Deal, then hold."
    state_type = DealState

    def for_game(self, setup: Setup, hands: tuple[int, ...], ns: int) -> Outcome:
        """The deal for ``setup``, in which the seats get ``hands``."""
        nobody = (0,) * self.size
        state = DealState(phase="deal", dealer=setup.dealer, hands=hands, scores=nobody, setup=setup)
        return state, (event("deal", ns, hands=list(hands), dealer=setup.dealer),)

    def act(self, state: Any, act: Act, ns: int) -> Outcome:
        if act.name == "dealt" and act.seat == state.dealer:
            return replace(state, launch=replace(state.setup, stage="play")), ()
        if act.name == "practise" and state.practice.get(act.seat, 0) < PRACTISED:
            practice = {**state.practice, act.seat: state.practice.get(act.seat, 0) + 1}
            return replace(state, practice=practice), (event("practised", ns, seat=act.seat),)
        if act.name in ("leave", "gone"):
            seat = act.of or act.seat
            left = tuple(each for each in state.setup.seats if each != seat)
            dealer = left_of(seat, left) if seat == state.dealer and left else state.dealer
            setup = replace(state.setup, seats=left, dealer=dealer)
            return replace(state, setup=setup, dealer=dealer, gone=(*state.gone, seat)), ()
        raise Refused(f"{act.name} is not possible while the cards are dealt; the dealer says when they are")

    def strip(self, state: Any, seat: int, ns: int) -> Strip | None:
        if seat not in state.setup.seats:
            return None
        stage = state.practice.get(seat, 0)
        practise = Act(seat, "practise")
        if seat == state.dealer:
            return Strip("dealer", (Choice(("DEALT",), Act(seat, "dealt")),))
        if stage == 0:
            return Strip("slap", (Choice(("SLAP!",), practise, enter=True),))
        if stage == 1:
            return Strip("taps", (Choice(("-",)), Choice(("1",)), Choice(("2",), practise)))
        return None

    def lamp(self, state: Any, seat: int) -> str | None:
        return "steady" if seat in state.setup.seats and seat != state.dealer and seat not in state.practice else None

    def has_menu(self, state: Any, *, anybody: bool = False) -> bool:
        return False

    def idle(self, state: Any) -> str:
        return ""

    def scene(self, state: Any, ns: int) -> tuple[str, Text, Text]:
        return "deal", ("{name}", {"name": state.dealer}), ("DEAL, THEN HOLD", {})
