"""What a table does around any game: the seat menu, votes, pauses, waiting, sitting down, parking, closing time.

Theory. Menu, vote and pause begin only while no window or race is open. While one of them lasts the game **rests**: its
timers stand still and no strip of its own acts; when the last one ends, every timer that ran is moved on by the rest. A
lock that still comes (its press was there first) closes an open menu without effect. A vote asks the other seated
players; more than half must say YES. Nothing is ever decided by a time-out: a vote or menu that is left alone ends.
Whatever nobody touches for PARK is parked, be it played, dealt or finished; it is over when nobody goes on with it for
PARKED_FOR. What the clock on the wall says is told by orders: `closing` (no new deal), `closed` (the bell), `opening`.
"""

from typing import Any

import msgspec
from msgspec.structs import replace

from doubtable.cards import RANKS, Card, left_of
from doubtable.events import Event, event
from doubtable.games.base import STRIP, Act, Choice, Game, Refused, Setup, Strip, Text
from doubtable.timing import S

ASK = 15 * S  # a vote or a menu is open so long
WAIT_FOR = 60 * S  # without a due action for so long: "WAITING FOR BOB"
PARK = 600 * S  # without a press for so long the game is parked
PARKED_FOR = 12 * 3600 * S  # so long somebody may go on with it

ALONE = ("pause", "leave", "call")  # menu items that need no vote
LABELS = {"no_cards": "NO CARDS", "undo_doubt": "UNDO THE DOUBT"}  # what the others vote about, besides who is gone
HOUSE_ACTS = ("menu", "pause", "go_on", "vote", "call", "sit", "ask", "next_deal", "to_lobby")
LEAVES = ("leave", "gone")  # the game's, until the deal is over
CHOOSES = ("choose", "tune", "set", "start")  # in the lobby: what leads to a new deal
OPENING, CLOSING, CLOSED = "opening", "closing", "closed"  # orders of the clock on the wall
PARKED: tuple[str, Text, Text] = ("attract", ("PARKED", {}), ("PARKED:\nHOLD = GO ON", {}))  # the rules in pictures
SUITS = {"S": "SPADES", "H": "HEARTS", "D": "DIAMONDS", "C": "CLUBS"}

Outcome = tuple["House", Any, tuple[Event, ...]]
"""The house, the game's state, and the events that led there."""


class Vote(msgspec.Struct, frozen=True):
    """The others are asked whether ``act`` shall be done; ``ends`` in ns, None while somebody is waited for."""

    act: Act
    voters: tuple[int, ...]
    said: dict[int, bool] = {}
    ends: int | None = None


class House(msgspec.Struct, frozen=True):
    """The menu that is open (its seat), the vote, the pause, and who sits down for the next deal."""

    menu: int | None = None
    menu_ends: int = 0
    vote: Vote | None = None
    paused: bool = False
    parked: bool = False
    rest: int | None = None  # since when the game rests, ns
    sitting: tuple[int, ...] = ()
    acted: int = -1  # the last press or act of anybody, ns; -1: nobody has done anything yet
    hours: str = OPENING  # the last order of the clock on the wall
    asks: int = 0  # counts menus, votes and pauses: their strips have keys of their own

    @property
    def rests(self) -> bool:
        """Whether the game stands still."""
        return self.menu is not None or self.paused or (self.vote is not None and self.vote.ends is not None)


def strip(house: House, game: Game, state: Any, seat: int, ns: int) -> Strip | None:
    """What ``seat`` may choose: of the house while it asks something, else of the game."""
    if house.paused:
        playing = seat in game.occupied(state)
        return Strip(f"pause{house.asks}", (Choice(("GO ON",), Act(seat, "go_on")),)) if playing else None
    if house.menu is not None:
        return Strip(f"menu{house.asks}", menu_choices(game, state, seat)) if seat == house.menu else None
    vote = house.vote
    if vote is not None and seat in vote.voters and seat not in vote.said:
        no, yes = ("NO", "YES") if vote.ends is not None else ("WAIT", f"SEAT {vote.act.of} IS GONE")
        return Strip(f"vote{house.asks}", (Choice((no,)), Choice((yes,), Act(seat, "vote", says="yes"))))
    if house.rests:
        return None
    if state.phase == "over":
        return over_strip(house, game, state, seat)
    own = game.strip(state, seat, ns)
    if own is None or not game.has_menu(state) or own.choices[0].act is None or own.choices[0].path == ("-",):
        return own
    return Strip(own.key, (*own.choices, Choice(("MENU",), Act(seat, "menu"))))


def scene(house: House) -> tuple[str, Text, Text] | None:
    """The picture's name, the headline and the help line while the house asks something; None: the game's own."""
    choose: Text = ("TAP = NEXT\nHOLD = DO IT", {})
    vote = house.vote
    if house.parked:
        return PARKED
    if house.paused:
        return "pause", ("PAUSE", {}), ("HOLD = GO ON", {})
    if house.menu is not None:
        return "menu", ("{name}: MENU", {"name": house.menu}), choose
    if vote is None:
        return None
    if vote.ends is None:
        return "waiting", ("WAITING FOR\n{name}", {"name": vote.act.of}), choose
    if vote.act.name == "gone":
        return "vote", ("{name} IS GONE?", {"name": vote.act.of}), choose
    return "vote", ("{name}: {claim}", {"name": vote.act.seat, "claim": _wanted(vote.act)}), choose


def _wanted(act: Act) -> Text:
    """What the others vote about."""
    if act.card is not None:
        return "{rank} {suit}", {"rank": ("RANK", {"rank": act.card.rank}), "suit": (SUITS[act.card.suit], {})}
    if act.hands is not None:
        return "HOLDS {number}", {"number": act.hands[act.seat - 1]}
    return LABELS[act.name], {}


def help_line(house: House, state: Any) -> Text | None:
    """The help line of a table that closes; None: the game's own."""
    idle = state.phase == "over" or (state.phase == "lobby" and state.chosen is None)
    return ("CLOSING TIME:\nNO NEW DEAL", {}) if house.hours != OPENING and idle else None


def over_strip(house: House, game: Game, state: Any, seat: int) -> Strip | None:
    """After a deal everybody may go on with the next one, or back to the lobby."""
    if seat not in game.occupied(state):
        return None
    items = [("NEXT DEAL", "next_deal"), ("LOBBY", "to_lobby"), ("I LEAVE", "leave")]
    if house.hours != OPENING:
        del items[0]
    return Strip("over", tuple(Choice((label,), Act(seat, name)) for label, name in items))


def next_setup(house: House, game: Game, state: Any, stage: str) -> Setup:
    """What follows this deal: the dealer moves left, who sat down is in, who left is out."""
    seats = tuple(sorted({*game.occupied(state), *house.sitting}))
    dealer = left_of(state.dealer, seats) if seats else state.dealer
    stage = stage if game.fits(seats, game.options) else "lobby"
    return Setup(game.id, seats, dealer, dict(game.options), stage, game.timing.doubt)


def press(house: House, game: Game, state: Any, seat: int, ns: int) -> str | None:
    """What a press of ``seat`` means, as Game.press says it."""
    if house.rests or house.vote is not None or state.phase == "over":
        return STRIP if strip(house, game, state, seat, ns) else None
    return game.press(state, seat, ns)


def menu_choices(game: Game, state: Any, seat: int) -> tuple[Choice, ...]:
    """The seat menu: what can be done now."""
    choices = [Choice(("PAUSE",), Act(seat, "pause")), Choice(("I LEAVE",), Act(seat, "leave"))]
    asks = [(label, Act(seat, name)) for name, label in LABELS.items()]
    others = [other for other in game.occupied(state) if other != seat]
    asks += [(f"SEAT {other} IS GONE", Act(seat, "gone", of=other)) for other in others]
    choices += [_ask((label,), act) for label, act in asks if _possible(game, state, act)]
    choices += [Choice(("CALL THE BAR",), Act(seat, "call")), *_cards(game, state, seat), *_counts(game, state, seat)]
    return (*choices, Choice(("GO ON",), Act(seat, "go_on")))


def _ask(path: tuple[str, ...], act: Act) -> Choice:
    """The others are asked whether ``act`` shall be done."""
    return Choice(path, replace(act, name="ask", says=act.name))


def _cards(game: Game, state: Any, seat: int) -> list[Choice]:
    """A card that the reader cannot read, entered by rank and suit; of two packs the one not shown yet."""
    shown = {card for card, _ in game.shown(state)}
    asks = []
    for rank in RANKS:
        for suit, name in SUITS.items():
            card = Card(rank, suit, 2) if Card(rank, suit) in shown else Card(rank, suit)
            asks.append((("ENTER A CARD", rank, name), Act(seat, "card", card=card)))
    return [_ask(path, act) for path, act in asks] if _possible(game, state, asks[0][1]) else []


def _counts(game: Game, state: Any, seat: int) -> list[Choice]:
    """How many cards the seat holds where the table counts otherwise: the nearest number first."""
    hands: tuple[int, ...] = state.hands
    held, most = hands[seat - 1], hands[seat - 1] + state.pile
    asks = []
    for number in sorted(set(range(1, most + 1)) - {held}, key=lambda number: (abs(number - held), -number)):
        counts = hands[: seat - 1] + (number,) + hands[seat:]
        asks.append((("I HOLD", str(number)), Act(seat, "set_hands", hands=counts)))
    return [_ask(path, act) for path, act in asks if _possible(game, state, act)]


def _possible(game: Game, state: Any, act: Act) -> bool:
    try:
        game.apply(state, act, 0)
    except Refused:
        return False
    return True


def opens_menu(house: House, game: Game, state: Any, seat: int, ns: int) -> bool:
    """Whether a hold of three seconds opens the seat's menu: its lamp is off, or nothing is entered yet."""
    if house.rests or state.window is not None or seat not in game.occupied(state):
        return False
    own = game.strip(state, seat, ns)
    return game.has_menu(state, anybody=True) and (own is None or own.choices[0].act is None)


def owns(act: Act, state: Any) -> bool:
    """Whether ``act`` is the house's to do, and not the game's."""
    if act.name == "sit":
        return bool(state.phase != "lobby")
    return act.name in HOUSE_ACTS or (act.name in LEAVES and state.phase == "over")


def answer(house: House, game: Game, state: Any, act: Act, ns: int) -> Outcome:
    """House, game state and events after an act of its own. Raises Refused."""
    match act.name:
        case "sit":
            return _sit(house, game, state, act, ns)
        case "leave" | "gone":
            return house, *_leave_over(house, game, state, act, ns)
        case "go_on":
            return _go_on(house, game, state, act, ns)
        case "next_deal" | "to_lobby":
            if state.phase != "over":
                raise Refused("the deal is not over")
            if act.name == "next_deal":
                check_open(house, act, state)
            stage = "deal" if act.name == "next_deal" else "lobby"
            return house, replace(state, launch=next_setup(house, game, state, stage)), ()
        case "vote":
            return _vote(house, game, state, act, ns)
    _check_plays(game, state, act.seat)
    if act.name == "call":
        house, state = wake(replace(house, menu=None), game, state, ns)
        return house, state, (event("call", ns, seat=act.seat),)
    return _rest(house, game, state, act, ns)


def _check_plays(game: Game, state: Any, seat: int) -> None:
    """Raises Refused unless ``seat`` plays."""
    if seat not in game.occupied(state):
        raise Refused(f"seat {seat} does not play")


def _go_on(house: House, game: Game, state: Any, act: Act, ns: int) -> Outcome:
    if not house.rests or house.vote is not None:
        raise Refused("nothing rests")
    _check_plays(game, state, act.seat)
    house = replace(house, menu=None, paused=False, parked=False)
    house, state = wake(house, game, state, ns)
    return house, state, (event("go_on", ns, seat=act.seat),)


def _rest(house: House, game: Game, state: Any, act: Act, ns: int) -> Outcome:
    """Menu, pause and vote: the game stands still."""
    if state.window is not None:
        raise Refused("a doubt is still possible: wait for its end")
    if house.paused or (house.vote is not None and house.vote.ends is not None):
        raise Refused("the table rests already: go on first")
    if not game.has_menu(state, anybody=True):
        raise Refused("nothing is played that could rest")
    house = replace(house, menu=None, rest=ns if house.rest is None else house.rest, asks=house.asks + 1)
    match act.name:
        case "pause":
            return replace(house, paused=True), state, (event("pause", ns, seat=act.seat),)
        case "menu":
            return replace(house, menu=act.seat, menu_ends=ns + ASK), state, (event("menu", ns, seat=act.seat),)
        case _:
            voters = tuple(seat for seat in game.occupied(state) if seat not in (act.seat, act.of))
            wanted = replace(act, name=str(act.says), says=None)
            vote = Vote(wanted, voters, ends=ns + ASK)
            facts: dict[str, Any] = {} if act.card is None else {"card": str(act.card)}
            facts |= {} if act.hands is None else {"hands": list(act.hands)}
            told = event("ask", ns, seat=act.seat, act=wanted.name, of=act.of, **facts)
            return replace(house, vote=vote), state, (told,)


def check_open(house: House, act: Act, state: Any) -> None:
    """Raises Refused for what leads to a new deal when the table closes."""
    new_deal = act.name == "next_deal" or (act.name in CHOOSES and state.phase == "lobby")
    if new_deal and house.hours != OPENING:
        raise Refused("closing time: no new deal")


def by_clock(house: House, game: Game, state: Any, order: str, ns: int) -> Outcome:
    """House, game state and events after an order of the clock on the wall; one that was given before changes nothing.

    Neither a menu nor a pause ends by it, and nobody has acted.
    """
    if order == house.hours:
        return house, state, ()
    told: tuple[Event, ...] = (event(order, ns),)
    if order == CLOSED:
        state, rung = game.ring(state, ns)
        told += rung
    return replace(house, hours=order), state, told


def _leave_over(house: House, game: Game, state: Any, act: Act, ns: int) -> tuple[Any, tuple[Event, ...]]:
    """A seat gets up when the deal is over: it is not in the next one. After the last one only the lobby is left."""
    seat = act.of or act.seat
    for each in (act.seat or seat, seat):
        _check_plays(game, state, each)
    left = replace(state, gone=(*state.gone, seat))
    if not game.occupied(left):
        left = replace(left, launch=next_setup(house, game, left, "lobby"))
    return left, (event("sit", ns, seat=seat, sits=False),)


def _sit(house: House, game: Game, state: Any, act: Act, ns: int) -> Outcome:
    if act.seat in game.occupied(state):
        raise Refused(f"seat {act.seat} plays already")
    sitting = set(house.sitting) ^ {act.seat}
    told = event("sit", ns, seat=act.seat, sits=act.seat in sitting)
    return replace(house, sitting=tuple(sorted(sitting))), state, (told,)


def _vote(house: House, game: Game, state: Any, act: Act, ns: int) -> Outcome:
    vote = house.vote
    if vote is None or act.seat not in vote.voters:
        raise Refused(f"seat {act.seat} is not asked")
    if act.says not in ("yes", "no"):
        raise Refused("a vote is yes or no")
    said = {**vote.said, act.seat: act.says == "yes"}
    told: tuple[Event, ...] = (event("vote", ns, seat=act.seat, yes=said[act.seat]),)
    if 2 * sum(said.values()) <= len(vote.voters):
        left = len(vote.voters) - len(said)
        if 2 * (sum(said.values()) + left) > len(vote.voters):
            return replace(house, vote=replace(vote, said=said)), state, told
        house, state = wake(replace(house, vote=None), game, state, ns)
        return house, state, told
    house, state = wake(replace(house, vote=None), game, state, ns)
    try:
        state, more = game.apply(state, vote.act, ns)
    except Refused:
        more = ()
    return house, state, (*told, *more)


def wake(house: House, game: Game, state: Any, ns: int) -> tuple[House, Any]:
    """If nothing holds the game up any more, its timers go on from ``ns``."""
    if house.rests or house.rest is None:
        return house, state
    return replace(house, rest=None), game.shift(state, ns - house.rest)


def rested(house: House, game: Game, state: Any, ns: int) -> tuple[House, Any]:
    """What happens to the game at ``ns``, in a rest that goes on, begins its timers there: the rest so far is done."""
    if not house.rests or house.rest is None:
        return house, state
    return replace(house, rest=ns), game.shift(state, ns - house.rest)


def resume(house: House, ns: int) -> House:
    """The house when the table is on again at ``ns``: what ran begins anew, and nobody has waited meanwhile."""
    vote = house.vote
    if vote is not None and vote.ends is not None:
        vote = replace(vote, ends=ns + ASK)
    return replace(
        house,
        vote=vote,
        menu_ends=ns + ASK,
        rest=None if house.rest is None else ns,
        acted=ns if house.acted >= 0 else house.acted,
    )


def due(house: House, game: Game, state: Any) -> int | None:
    """When the house does something by time alone, in ns."""
    if not house.rests:
        if state.window is not None or house.acted < 0:
            return None
        if house.vote is None and game.awaited(state) is not None:
            return house.acted + WAIT_FOR
        return house.acted + PARK if state.phase == "over" or game.has_menu(state, anybody=True) else None
    times = []
    if house.menu is not None:
        times.append(house.menu_ends)
    if house.vote is not None and house.vote.ends is not None:
        times.append(house.vote.ends)
    if house.parked and house.rest is not None and state.launch is None:
        times.append(house.rest + PARKED_FOR)
    return min(times, default=None)


def pass_time(house: House, game: Game, state: Any, ns: int) -> Outcome:
    """House, game state and events after what is due at ``ns``."""
    if house.parked:
        return house, replace(state, launch=replace(next_setup(house, game, state, "lobby"), seats=())), ()
    if house.rests:
        house, state = wake(replace(house, menu=None, vote=None), game, state, ns)
        return house, state, (event("go_on", ns, seat=None),)
    if ns >= house.acted + PARK:
        house = replace(house, paused=True, parked=True, vote=None, rest=ns, asks=house.asks + 1)
        return house, state, (event("parked", ns),)
    awaited = game.awaited(state)
    others = tuple(seat for seat in game.occupied(state) if seat != awaited)
    vote = Vote(Act(0, "gone", of=awaited), others)
    return replace(house, vote=vote, asks=house.asks + 1), state, (event("waiting", ns, seat=awaited),)
