"""A view of every scene, made up: for the gallery and for tests of the pictures."""

from collections.abc import Iterator

from msgspec.structs import replace

from doubtable.screen.attendant import KEYPAD, MENU, OK, Attendant
from doubtable.screen.words import RANK_NAMES
from doubtable.view import HoldView, SeatView, StripView, Text, View

S, MS = 1_000_000_000, 1_000_000
NOW = 100 * S
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Lou", "Max")
LONG_NAMES = ("Bartholomew", "Maximiliane", "Wilhelmina")
NUMBERS = ("1", "2", "3", "4")
CLAIMED: Text = ("{name}: {claim}", {"name": "Ann", "claim": ("CLAIM", {"count": 3, "rank": "7"})})
COUNTS = (18, 17, 7, 22, 9, 0, 24, 13, 4, 11, 20, 2, 16)


def example_seats(
    count: int, lamps: dict[int, str] | None = None, roles: dict[int, str] | None = None
) -> tuple[SeatView, ...]:
    """Seats with usual names and numbers; lamps and roles by seat."""
    lit, are = lamps or {}, roles or {}
    return tuple(
        SeatView(
            seat=seat,
            name=NAMES[seat - 1],
            occupied=True,
            count=COUNTS[seat - 1],
            lamp=lit.get(seat, "off"),
            roles=tuple(are.get(seat, "").split()),
            score=0,
        )
        for seat in range(1, count + 1)
    )


def examples(count: int) -> Iterator[tuple[str, View, int]]:
    """Name, view and time of one example of every scene for ``count`` seats (at least 3)."""
    for name, view in (
        *entry_examples(count),
        *poker_examples(count),
        *rounds_examples(count),
        *window_examples(count),
        *reveal_examples(count),
        *table_examples(count),
        *service_examples(count),
    ):
        yield name, view, NOW
    yield from end_examples(count)
    for number in range(5):
        yield (
            f"attract-{number + 1}",
            replace(lay(count), scene="attract", help=("PRESS ANY BUTTON", {})),
            number * 5 * S,
        )


def lay(count: int) -> View:
    """Seat 1 has the turn and has not chosen."""
    return View(
        scene="lay",
        game="classic",
        phase="claim",
        seats=example_seats(count, {1: "pulsing"}, {1: "turn", count: "dealer"}),
        headline=("{name}: {rank}", {"name": "Ann", "rank": ("RANK", {"rank": "7", "count": 2})}),
        help=("TAP EACH CARD\nHOLD = SAY IT", {}),
        strips=(StripView(1, ("-", *NUMBERS), 0),),
        pile=12,
        dealer=count,
    )


def window(count: int) -> View:
    """Seat 1 has claimed 3 sevens, seat 2 is next."""
    return replace(
        lay(count),
        scene="window",
        phase="doubt",
        seats=example_seats(
            count,
            dict.fromkeys(range(3, count + 1), "steady") | {2: "pulsing"},
            {1: "claimant", 2: "next", count: "dealer"},
        ),
        headline=CLAIMED,
        help=("DOUBT? SLAP!\n{name}: HOLD = DOUBT", {"name": "Bob"}),
        claim=(1, 3, "7"),
        strips=(StripView(1, ("STAND", "CORRECT"), 0), StripView(2, ("DOUBT",), 0)),
        window=(NOW - 2 * S, NOW + 4 * S),
    )


def reveal(count: int) -> View:
    """Seat 3 has doubted and brings the cards."""
    return replace(
        window(count),
        scene="reveal",
        phase="reveal",
        seats=example_seats(count, {3: "fast"}, {1: "claimant", 3: "doubter"}),
        help=("{name}: SHOW\n{other}'S {count} CARD", {"name": "Cy", "other": "Ann", "count": 3}),
        strips=(StripView(1, ("GIVE IN",), 0), StripView(3, ("GIVE IN",), 0)),
        window=None,
        wanted=3,
        finish=((3, 0), (2, 34 * MS), *((4, 81 * MS),) * (count > 3)),
        tie=5 * MS,
    )


def entry_examples(count: int) -> Iterator[tuple[str, View]]:
    """Strips on which a seat chooses."""
    base = lay(count)
    yield "lay-none", base
    two = replace(base, strips=(StripView(1, ("-", *NUMBERS), 2),))
    yield "lay-two", two
    yield "lay-hold", replace(two, holds=(HoldView(1, NOW - 420 * MS, NOW + 280 * MS),))
    yield "lay-eight", replace(base, strips=(StripView(1, ("-", *map(str, range(1, 9))), 6),))
    ranks = (StripView(1, tuple(RANK_NAMES), 4),)
    yield "rank", replace(base, strips=ranks, headline=("{name}", {"name": "Ann"}), help=("WHICH RANK?", {}))
    yield "last-round", replace(base, notices=(("LAST ROUND", {}),))
    yield "not-saved", replace(base, notices=(("NOT SAVED", {}),))
    yield (
        "declare",
        replace(
            base,
            game="liar-poker",
            scene="declare",
            headline=("{name}: {hand}", {"name": "Ann", "hand": ("HAND", {"hand": "two_pairs K Q"})}),
            help=("TAP = NEXT\nHOLD = DO IT", {}),
            strips=(StripView(1, ("2", "3", "4", "5", "6", "7"), 3, ("full", "K")),),
            pile=0,
        ),
    )


def poker_examples(count: int) -> Iterator[tuple[str, View]]:
    """What only Liar Poker has."""
    hand: Text = ("{name}: {hand}", {"name": "Ann", "hand": ("HAND", {"hand": "full K 9"})})
    base = replace(lay(count), game="liar-poker", pile=0, headline=hand, help=("TAP = NEXT\nHOLD = DO IT", {}))
    categories = ("full", "four", "straight_flush")
    yield "categories", replace(base, scene="declare", strips=(StripView(1, categories, 0),))
    answering = example_seats(count, {2: "pulsing"}, {2: "turn"})
    yield "respond", replace(base, scene="respond", seats=answering, strips=(StripView(2, ("TAKE IT", "LIAR!"), 0),))
    shown = tuple((card, False) for card in ("KS", "KH", "9C"))
    shows: Text = ("{name}: SHOW", {"name": "Ann"})
    proving = replace(base, scene="prove", help=shows, strips=(StripView(1, ("GIVE UP",), 0),))
    yield "prove", replace(proving, cards=shown, wanted=5)
    everybody = example_seats(count, dict.fromkeys(range(1, count + 1), "steady"))
    first = replace(base, scene="volunteer", seats=everybody, headline=("LIAR POKER", {}), strips=())
    yield "volunteer", replace(first, help=("WHO STARTS? SLAP!", {}))
    five: Text = ("{name}: {count} CARDS\nTO {other}", {"name": "Dee", "count": 5, "other": "Ann"})
    yield (
        "hand-out",
        replace(base, scene="declare", help=five, strips=(StripView(1, ("high", "pair", "two_pairs"), 0),)),
    )
    shuffle: Text = ("SHUFFLE DISCARDS", {})
    yield "shuffle", replace(base, scene="declare", strips=(StripView(1, categories, 0),), notices=(shuffle,))
    draws = replace(base, scene="draw", help=("HOW MANY NEW?", {}), strips=(StripView(2, ("0", *NUMBERS), 2),))
    yield "draw", replace(draws, seats=example_seats(count, {2: "pulsing"}, {2: "turn"}))


def rounds_examples(count: int) -> Iterator[tuple[str, View]]:
    """The lead, a turn beside an open card, and the last card that is shown to win."""
    base = replace(lay(count), game="rounds")
    ranks = (StripView(1, tuple(RANK_NAMES), 0),)
    yield (
        "lead",
        replace(base, scene="lead", headline=("{name}", {"name": "Ann"}), help=("NAME A RANK", {}), strips=ranks),
    )
    open_card = replace(
        window(count),
        game="rounds",
        scene="rounds",
        headline=("{name}: {rank}", {"name": "Ann", "rank": ("RANK", {"rank": "7", "count": 2})}),
        help=("DOUBT? SLAP!", {}),
        claim=None,
        window=None,
        strips=(StripView(2, ("DOUBT", "PASS", "PLAY"), 1),),
    )
    yield "rounds", open_card
    shows = replace(base, scene="win_show", help=("SHOW YOUR CARD", {}), strips=(), wanted=1)
    yield "win-show", replace(shows, cards=(("7H", True),))


def window_examples(count: int) -> Iterator[tuple[str, View]]:
    """What can be seen while a claim may be doubted."""
    base = window(count)
    yield "window", base
    yield (
        "window-later",
        replace(
            base,
            help=("HOLD = DOUBT\nTAP = YOUR TURN", {}),
            strips=(base.strips[0], StripView(2, ("DOUBT", *NUMBERS), 1)),
            holds=(HoldView(2, NOW - 300 * MS, NOW + 400 * MS),),
            pile=104,
        ),
    )
    yield "correct", replace(base, strips=(StripView(1, ("STAND", "CORRECT"), 1), base.strips[1]))
    let_go = (StripView(2, ("DOUBT", "LET IT GO"), 0),)
    yield "last-call", replace(base, scene="last_call", help=("LAST CARDS!\nDOUBT?", {}), strips=let_go)
    wrong = (StripView(2, ("DOUBT", "WRONG RANK"), 1),)
    yield "wrong-rank", replace(base, game="wrong-rank", help=("DOUBT? SLAP!\nWRONG RANK? HOLD", {}), strips=wrong)
    yield "press-again", replace(base, scene="press_again", headline=("PRESS AGAIN", {}))
    early = replace(base.seats[2], lamp="dark", void="early")
    yield "too-early", replace(base, seats=(*base.seats[:2], early, *base.seats[3:]))
    yield "long-names", with_names(base, LONG_NAMES)


def reveal_examples(count: int) -> Iterator[tuple[str, View]]:
    """From the doubt to the verdict."""
    raced = reveal(count)
    yield "doubt", replace(raced, finish=((3, 0),))
    yield "finish", raced
    yield "finish-no-reader", replace(raced, notices=(("NO READER", {}),))
    yield "finish-tie", replace(raced, finish=((2, 0), (3, 3_400_000)), tied=True)
    one = replace(raced, cards=(("7H", True),))
    yield "reveal", one
    yield "reveal-missing", replace(one, notices=(("{count} CARDS MISSING", {"count": 2}),))
    yield "no-reader", replace(one, notices=(("NO READER", {}),))
    yield "long-names-reveal", with_names(one, LONG_NAMES)
    all_right = (("7H", True), ("7S", True), ("7C", True))
    yield "any-more", replace(raced, scene="any_more", help=("ANY MORE?", {}), cards=all_right)
    eight = tuple((f"7{suit}", True) for suit in "SHDCSHD")
    yield "reveal-eight", replace(raced, wanted=8, cards=(*eight, ("TD", False)))
    says = ("WAIT", "TRUE", "LIE")
    agree = replace(
        raced,
        scene="agree",
        help=("TRUE OR LIE?", {}),
        seats=example_seats(count, {1: "pulsing", 3: "pulsing"}, {1: "claimant", 3: "doubter"}),
        strips=(StripView(1, says, 0), StripView(3, says, 2)),
    )
    yield "agree", agree
    told: Text = ("{name} TAKES {count} CARDS", {"name": "Ann", "count": 12})
    settled = replace(lay(count), scene="verdict", pile=0, strips=(), help=told)
    yield "verdict-lie", replace(settled, headline=("A LIE", {}), verdict=(1, 3, False, 1, 12))
    told = ("{name} TAKES {count} CARDS", {"name": "Cy", "count": 12})
    yield "verdict-true", replace(settled, headline=("TRUE", {}), help=told, verdict=(1, 3, True, 3, 12))


def table_examples(count: int) -> Iterator[tuple[str, View]]:
    """Before, between and after the deals."""
    bare = replace(lay(count), strips=(), pile=0)
    sitting = tuple(replace(seat, lamp="steady" if seat.seat % 2 else "off", count=0) for seat in example_seats(count))
    both: Text = ("TAP TO SIT DOWN\nHOLD TO START", {})
    yield "lobby", replace(bare, scene="lobby", phase="lobby", headline=("I DOUBT IT", {}), help=both, seats=sitting)
    choose: Text = ("TAP = NEXT\nHOLD = DO IT", {})
    games = ("START", "I Doubt It", "I Doubt It, open rank", "Liar Poker", "Doubt, in rounds", "BACK")
    proposed: Text = ("{game}:\nABOUT {count} MIN", {"game": ("I DOUBT IT", {}), "count": 12})
    chosen = replace(bare, scene="choose", headline=proposed, help=choose, seats=sitting)
    yield "choose", replace(chosen, strips=(StripView(1, games, 0),))
    yield "choose-game", replace(chosen, strips=(StripView(1, games, 3),))
    yield "choose-preset", replace(chosen, strips=(StripView(1, ("BOOK", "PUB", "FAMILY"), 1, ("Liar Poker",)),))
    pays: Text = ("WHAT OTHERS PAY\nTHE WINNER", {})
    option = StripView(1, ("CHIP", "PER CARD", "NONE"), 1, ("SCORING",))
    yield "choose-option", replace(chosen, headline=("I DOUBT IT", {}), strips=(option,), help=pays)
    stop: Text = ("TAP = STOP", {})
    three = (NOW - 2 * S, NOW + 3 * S)
    yield "countdown", replace(chosen, scene="countdown", headline=("LIAR POKER", {}), help=stop, window=three)
    trying = {seat: "steady" if seat % 2 else "pulsing" for seat in range(1, count)} | {count: "pulsing"}
    dealing = replace(bare, scene="deal", seats=example_seats(count, trying, {count: "dealer"}))
    yield "deal", replace(dealing, headline=("{name}", {"name": NAMES[count - 1]}), help=("DEAL, THEN HOLD", {}))
    menu = (StripView(2, ("PAUSE", "I LEAVE", "NO CARDS", "SEAT 3 IS GONE", "UNDO THE DOUBT", "CALL THE BAR"), 3),)
    asks = replace(bare, scene="menu", headline=("{name}: MENU", {"name": "Bob"}), help=choose, strips=menu)
    yield "menu", replace(asks, seats=example_seats(count, {2: "pulsing"}, {1: "turn"}))
    ballots = tuple(StripView(seat, ("NO", "YES"), seat % 2) for seat in range(1, count + 1) if seat != 2)
    gone: Text = ("{name} IS GONE?", {"name": "Bob"})
    others = {seat: "pulsing" for seat in range(1, count + 1) if seat != 2}
    asked = replace(bare, scene="vote", headline=gone, help=choose, strips=ballots)
    yield "vote", replace(asked, seats=example_seats(count, others, {1: "turn"}))
    rests = replace(bare, scene="pause", headline=("PAUSE", {}), help=("HOLD = GO ON", {}))
    yield "pause", replace(rests, seats=example_seats(count, others | {2: "pulsing"}, {1: "turn"}))
    yield "parked", replace(bare, scene="attract", headline=("PARKED", {}), help=("PARKED:\nHOLD = GO ON", {}))
    awaited = replace(bare, scene="waiting", headline=("WAITING FOR\n{name}", {"name": "Bob"}), help=choose)
    strips = tuple(StripView(seat, ("WAIT", "SEAT 2 IS GONE"), 0) for seat in others)
    yield "waiting", replace(awaited, seats=example_seats(count, others, {2: "turn"}), strips=strips)
    empty = tuple(replace(seat, count=0) for seat in example_seats(count))
    waits = replace(bare, scene="duel", game="duel", seats=empty, headline=("WAIT ...", {}), help=("LIT? SLAP!", {}))
    yield "duel", waits
    lit = tuple(replace(seat, lamp="steady") for seat in empty)
    yield "duel-lit", replace(waits, seats=lit, headline=("SLAP!", {}))
    early = replace(empty[1], lamp="dark", void="early")
    yield "duel-early", replace(waits, seats=(empty[0], early, *empty[2:]))
    won = (empty[0], replace(empty[1], lamp="fast"), *empty[2:])
    done = replace(waits, seats=won, help=("", {}), headline=("{name} WINS", {"name": "Bob"}), tie=5 * MS)
    yield "duel-done", replace(done, finish=((2, 0), (1, 41 * MS), (3, 77 * MS)))
    close: Text = ("TOO CLOSE!\nNEAREST: {name}", {"name": "Bob"})
    yield "duel-tie", replace(done, headline=close, finish=((1, 0), (2, 3_400_000)), tied=True)


def service_examples(count: int) -> Iterator[tuple[str, View]]:
    """The attendant's menu, as its PIN opens it."""
    quiet: Text = ("VOLUME {count}, QUIET UNTIL {time}", {"time": "08:00"})
    menu = Attendant("2580", lambda order: None, silence=lambda: quiet)
    menu.open(NOW)
    yield "service-pin", menu.over(lay(count), NOW)
    for digit in "2580":
        menu.type(digit, NOW)
    menu.choose(KEYPAD.index(OK), lay(count), NOW)
    yield "service-menu", menu.over(lay(count), NOW)
    for name in ("CARD BY HAND", "SET COUNTS", "SOUND"):
        menu.choose(MENU.index(name), lay(count), NOW)
        yield f"service-{name.split()[0].lower()}", menu.over(lay(count), NOW)
        menu.back(NOW)


def end_examples(count: int) -> Iterator[tuple[str, View, int]]:
    """After a deal: the winner, the awards, the evening's scores; which of them depends on the time."""
    scored = tuple(
        replace(seat, score=-1 if seat.seat > 1 else count - 1, place=int(seat.seat == 1))
        for seat in example_seats(count, dict.fromkeys(range(1, count + 1), "pulsing"))
    )
    over = replace(
        lay(count),
        scene="over",
        pile=0,
        seats=scored,
        headline=("GAME OVER", {}),
        winners=(1,),
        help=("TAP = NEXT\nHOLD = DO IT", {}),
        strips=tuple(StripView(seat, ("NEXT DEAL", "LOBBY"), 0) for seat in range(1, count + 1)),
        awards=(("Caught Most", 1, 4), ("Best Nose", 2, 3), ("Fastest Slap", 3, 412 * MS), ("Dearest Pile", 1, 23)),
        totals=tuple(7 - 2 * seat for seat in range(1, count + 1)),
        deals=4,
    )
    for number, name in enumerate(("over", "awards", "match")):
        yield name, over, (0, 5, 25)[number] * S  # also where each award has a page of its own


def with_names(view: View, names: tuple[str, ...]) -> View:
    """The view with other names at its first seats and in its texts."""
    old = {seat.name: new for seat, new in zip(view.seats, names, strict=False)}

    def renamed(text: Text) -> Text:
        key, values = text
        return key, {
            place: old.get(value, value) if isinstance(value, str) and place in ("name", "other") else value
            for place, value in values.items()
        }

    seats = tuple(replace(seat, name=old.get(seat.name, seat.name)) for seat in view.seats)
    return replace(view, seats=seats, headline=renamed(view.headline), help=renamed(view.help))
