"""rules: random legal acts a second, of every game's rules alone and of the whole table, beside OpenSpiel's game.

contains: whether cards contain a declaration, beside the check that one writes first.
"""

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from random import Random
from typing import Any

from bench import peer
from bench.figures import Bench, PeerMissing, Row, figure, take_turns, times_at_least
from doubtable.cards import Card, packs
from doubtable.games import GAMES
from doubtable.games.base import Act, Game, Refused
from doubtable.games.poker_hands import Declaration, contains, declarations
from doubtable.inputs import Do, Time
from doubtable.table import Table
from doubtable.timing import MS, Timing

PLAYERS = 5
DOUBTS = 0.15
OPEN_SPIEL = "OpenSpiel, python_liars_poker"
FACTS = ("count", "rank", "hand", "of", "says")
RACE = {"tie": False, "tie_ns": 0, "race": [], "record": None}  # what a doubt tells of its race, for rules alone


def choices(game: Game, state: Any, ns: int) -> list[Act]:
    """What may be done now by the seat that is awaited, or by anybody where nobody is."""
    awaited = game.awaited(state)
    seats = game.seats if awaited is None else (awaited,)
    strips = (game.strip(state, seat, ns) for seat in seats)
    return [choice.act for strip in strips if strip is not None for choice in strip.choices if choice.act is not None]


def rules_of(name: str) -> Game:
    """A game with its usual house rules."""
    seats = tuple(range(1, PLAYERS + 1))
    return GAMES[name](seats, PLAYERS, {}, Timing().for_seats(PLAYERS))


def play_rules(name: str, count: int, seed: int) -> float:
    """Seconds for ``count`` acts of the rules alone; a game that is over begins anew."""
    dice, game = Random(seed), rules_of(name)
    began = time.perf_counter()
    state, _ = game.begin(1, None, 0)
    ns = done = 0
    while done < count:
        ns += 100 * MS
        window = state.window
        due = game.due(state)
        acts = choices(game, state, ns)
        slap = window is not None and (window.everyone or dice.random() < DOUBTS)
        if state.phase == "over":
            state, _ = game.begin(1, None, ns)
        elif window is not None and slap:
            doubter = dice.choice([seat for seat in game.seats if not window.excludes(seat)])
            state, _ = game.decided(state, doubter, ns, {"ns": ns, "race": RACE})
            done += 1
        elif acts and (window is None or ns >= window.starts):
            try:
                state, _ = game.apply(state, dice.choice(acts), ns)
                done += 1
            except Refused:
                continue
        elif due is not None:
            ns = max(ns, due)
            state, _ = game.pass_time(state, due)
        elif window is not None:
            ns = window.starts
        else:
            raise AssertionError(f"{name} stands still in phase {state.phase}")
    return time.perf_counter() - began


def play_table(name: str, count: int, seed: int) -> float:
    """Seconds for ``count`` acts at a whole table: windows, races and the evidence, time fed as it is due."""
    dice = Random(seed)
    began = time.perf_counter()
    table = new_table(name)
    ns = done = 0
    while done < count:
        ns += 100 * MS
        table.feed(Time(ns))
        game, state = table.game, table.fold.game
        window = state.window
        if state.phase == "over":
            table, ns = new_table(name), 0
            continue
        acts = choices(game, state, ns)
        if window is not None and (window.everyone or dice.random() < DOUBTS):
            seat = dice.choice([seat for seat in game.seats if not window.excludes(seat)])
            table.feed(Do(ns, seat, "doubt"))
            ns += 1500 * MS
            done += 1
        elif acts and (window is None or ns >= window.starts):
            act = dice.choice(acts)
            told = table.feed(Do(ns, act.seat, act.name, **{fact: getattr(act, fact) for fact in FACTS}))
            done += not any(each.name == "refused" for each in told)
        else:
            due = table.deadline()
            ns = max(ns, due or 0, window.starts if window is not None else 0)
    return time.perf_counter() - began


def new_table(name: str) -> Table:
    return Table(rules_of(name), ("",) * PLAYERS, 1)


def row(bench: Bench) -> Row:
    """The row."""
    count, rounds = bench.pick(300, 2000), bench.pick(3, 5)
    ways: dict[str, Callable[[], float]] = {}
    for name in GAMES:
        ways[f"{name}, rules alone"] = partial(play_rules, name, count, 1)
        ways[f"{name}, whole table"] = partial(play_table, name, count, 1)
    reason = ""
    with ExitStack() as stack:
        try:
            given = {"players": PLAYERS, "acts": count}
            python = peer.environment(bench)
            ways[OPEN_SPIEL] = stack.enter_context(peer.running(python, "open_spiel_game", given)).round
        except PeerMissing as missing:
            reason = str(missing)
        seconds = take_turns(bench, rounds, ways)
    theirs = count / seconds.pop(OPEN_SPIEL) if OPEN_SPIEL in seconds else None
    return Row(
        name="rules",
        done=f"{count} random legal acts of {PLAYERS} players, on both sides with the list of what is legal for the"
        f" seat whose turn it is; every window is doubted with {DOUBTS:.0%}; a game that is over begins anew. The whole"
        " table also keeps windows open for their time, decides races and writes their records. OpenSpiel's game has"
        " the same number of players and its usual hands of ten digits; its deal is played but not counted.",
        figures=tuple(
            figure(name, "acts/s", count / took, beside=OPEN_SPIEL, theirs=theirs, missing=reason)
            for name, took in seconds.items()
        ),
    )


# contains ---------------------------------------------------------------------------------------------------------

RISING = "23456789TJQKA"


def plain(declaration: Declaration, cards: Sequence[Card]) -> bool:
    """The check that one writes first: count the ranks, then look at what the category wants."""
    counts = Counter(card.rank for card in cards)
    one_suit = len(cards) == 5 and len({card.suit for card in cards}) == 1
    first, *second = declaration.ranks
    match declaration.category:
        case "two_pairs":
            return counts[first] >= 2 and counts[second[0]] >= 2
        case "full":
            return counts[first] >= 3 and counts[second[0]] >= 2
        case "straight" | "straight_flush":
            top = RISING.index(first)
            ranks = [RISING[top - step] for step in range(5)]
            return all(counts[rank] for rank in ranks) and (declaration.category == "straight" or one_suit)
        case "flush":
            return counts[first] >= 1 and one_suit
        case _:
            return counts[first] >= declaration.needed


def checks(check: Callable[[Declaration, Sequence[Card]], bool], asked: Sequence[tuple[Declaration, Any]]) -> float:
    """Seconds for all questions."""
    began = time.perf_counter()
    for declaration, cards in asked:
        check(declaration, cards)
    return time.perf_counter() - began


def contains_row(bench: Bench) -> Row:
    """The row ``contains``."""
    dice, pack = Random(1), packs(1)
    count = bench.pick(10_000, 50_000)
    everything = declarations("named")
    asked = [(dice.choice(everything), tuple(dice.sample(pack, 5))) for _ in range(count)]
    wrong = [each for each in asked if contains(*each) != plain(*each)]
    if wrong:
        raise AssertionError(f"the two checks differ: {wrong[0]}")
    seconds = take_turns(
        bench, bench.pick(3, 9), {"ours": lambda: checks(contains, asked), "plain": lambda: checks(plain, asked)}
    )
    return Row(
        name="contains",
        done=f"{count} random hands of five cards, each asked for one of the 309 declarations; both checks gave the"
        " same answers.",
        figures=(
            figure(
                "hands a second",
                "/s",
                count / seconds["ours"],
                times_at_least(5),
                beside="a plain check with a Counter of the ranks",
                theirs=count / seconds["plain"],
            ),
        ),
    )
