"""Simulated people: real hands that the core never sees, fingers that bounce, minds that know what guests know."""

import json
from collections import Counter
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from doubtable.cards import Card, packs
from doubtable.events import Event
from doubtable.game_minds import MINDS, ClaimMind
from doubtable.games import GAMES
from doubtable.inputs import Do, Edge, Order, Time
from doubtable.memory import OUT, PILE, Memory
from doubtable.minds import STYLES
from doubtable.real_cards import RealCards
from doubtable.simulation import NAMES, Simulation, simulated_table
from doubtable.table import Table
from doubtable.timing import MS, Timing
from doubtable.view import View
from games.at_table import at
from games.invariants import invariants

PLAYERS = {"classic": 5, "wrong-rank": 4, "liar-poker": 3, "rounds": 4}


class Watching:
    """A screen that only counts."""

    views = 0

    def show(self, view: View, ns: int) -> None:
        self.views += 1

    def close(self) -> None:
        pass


def evening(game: str, seed: int, people: int = 0, claims: int = 25, **facts: Any) -> tuple[list[Event], Simulation]:
    """All that was said in a simulation, and the simulation, closed."""
    said: list[Event] = []
    table = simulated_table(game, people or PLAYERS[game])
    simulation = Simulation(table, seed, heard=lambda events, ns: said.extend(events), **facts)
    try:
        simulation.run(claims)
    finally:
        simulation.close()
    return said, simulation


# The same evening ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_same_seed_same_evening_watched_or_not(game: str) -> None:
    screen = Watching()
    said, _ = evening(game, 5, claims=10)
    again, _ = evening(game, 5, claims=10, screen=screen)
    assert said == again
    assert screen.views > 100
    assert evening(game, 6, claims=2)[0] != said


@pytest.mark.parametrize("game", GAMES)
def test_real_hands_are_as_large_as_the_table_counts_them(game: str) -> None:
    """After every input; and what must hold of the table holds."""
    table = simulated_table(game, PLAYERS[game])
    simulation = Simulation(table, 9)
    try:
        while not simulation.over and simulation.claims < 20:
            simulation.step()
            if table.game.id != game:
                continue
            invariants(table)
            if not table._steps:  # nothing shows that has not been told yet
                held = [len(simulation.people.cards.hands[seat]) for seat in table.game.seats]
                assert held == list(table.fold.game.hands)
                if sum(held) and game == "liar-poker":
                    assert len(simulation.people.cards.stock) == table.fold.game.stock
    finally:
        simulation.close()
    assert simulation.claims > 5


@pytest.mark.parametrize("game", ["classic", "wrong-rank", "rounds"])
def test_real_hands_follow_the_count_when_somebody_leaves_or_counts_or_undoes(game: str) -> None:
    simulation = Simulation(simulated_table(game, 5), 2)
    table, cards = simulation.table, simulation.people.cards

    def counted() -> bool:
        """Once all has been told."""
        while table._steps:
            simulation.step()
        state = table.fold.game
        held = [len(cards.hands[seat]) for seat in table.game.seats]
        return held == list(state.hands) and len(cards.pile) == state.pile

    def play_to(phases: tuple[str, ...]) -> None:
        while table._steps or table.fold.game.phase not in phases or simulation.claims < 3:
            simulation.step()

    def feed(given: Do | Order) -> None:
        simulation.app.deliver(given)
        simulation.app.step()

    try:
        play_to(("claim", "lead"))
        feed(Do(simulation.ns, 1, "leave"))
        assert counted()
        assert table.fold.game.hands[0] == 0
        play_to(("claim", "lead"))
        now = table.fold.game.hands
        feed(Order(simulation.ns, "set_hands", (*now[:3], now[3] - 1, now[4] + 1)))
        assert counted()
        assert table.fold.game.hands != now
        play_to(("doubt", "play"))
        claim = table.fold.game.claim
        before, packet = cards.hands[claim.seat][:], cards.packet[:]
        feed(Order(simulation.ns, "undo"))
        assert counted()
        assert set(cards.hands[claim.seat]) == {*before, *packet}, "the packet is taken back"
    finally:
        simulation.close()


def texts(value: object) -> Iterable[str]:
    """All texts in a plain value."""
    match value:
        case str():
            yield value
        case dict():
            for key, each in value.items():
                yield from texts(key)
                yield from texts(each)
        case list() | tuple():
            for each in value:
                yield from texts(each)


def test_the_core_never_sees_a_hand() -> None:
    """No card is in the table's state that nobody has shown on the reader."""
    said, simulation = evening("classic", 4, claims=30)
    shown = {each.facts["card"] for each in said if each.name in ("reveal", "tag")}
    cards = {str(card) for card in packs(1)}
    known = {text for text in texts(json.loads(json.dumps(simulation.table.dump()))) if text in cards}
    assert known <= shown
    assert len(shown) < 40 < len(cards)


# From an empty table -------------------------------------------------------------------------------------------------


def test_they_sit_down_choose_deal_and_play_on() -> None:
    said: list[Event] = []
    table = Table.evening(NAMES[:3], Timing(), cards=simulated_table("rounds", 3).cards)
    simulation = Simulation(table, 2, deals=3, heard=lambda events, ns: said.extend(events))
    try:
        simulation.run(200)
    finally:
        simulation.close()
    names = Counter(each.name for each in said)
    assert (names["sit"], names["countdown"], names["deal"], names["over"]) == (3, 1, 3, 3)
    assert names["practised"] == 12, "two lessons for two people, three times"
    dealers = [each.facts["dealer"] for each in said if each.name == "deal"]
    assert dealers == [1, 2, 3]
    assert table.state.tally.deals == 3
    assert sum(table.state.tally.totals.values()) == 0


@pytest.mark.parametrize("seed", range(1, 6))
def test_at_a_table_that_attracts_they_begin_a_duel_and_then_the_evening(seed: int) -> None:
    said: list[Event] = []
    table = Table.evening(NAMES[:4], Timing(), cards=simulated_table("classic", 4).cards)
    table.feed(Time(61_000 * MS))
    assert table.fold.game.attracts
    simulation = Simulation(table, seed, heard=lambda events, ns: said.extend(events))
    simulation.ns = 61_000 * MS
    try:
        simulation.run(3)
    finally:
        simulation.close()
    names = [each.name for each in said]
    assert names.count("duel") == 1
    assert names.index("duel") < names.index("sit") < names.index("deal") < names.index("claim")


# Fingers -------------------------------------------------------------------------------------------------------------


def test_they_press_through_edges_that_bounce() -> None:
    edges: dict[int, list[Edge]] = {}
    table = simulated_table("classic", 4)
    feed = table.feed

    def watched(given: Any) -> list[Event]:
        if isinstance(given, Edge):
            edges.setdefault(given.seat, []).append(given)
        return feed(given)

    table.feed = watched  # type: ignore[method-assign]
    said: list[Event] = []
    simulation = Simulation(table, 3, heard=lambda events, ns: said.extend(events))
    try:
        simulation.run(20)
    finally:
        simulation.close()
    presses = sum(each.name == "press" for each in said)
    assert presses > 40
    assert sum(map(len, edges.values())) > 3 * presses, "more edges than presses and releases have"
    for each in edges.values():
        assert [edge.ns for edge in each] == sorted(edge.ns for edge in each)
        assert [edge.level for edge in each[:6]] == [1, 0, 1, 0, 1, 0]


def test_nobody_is_locked_out_by_its_own_haste() -> None:
    """They slap after the window opened, as people who watch the lamps do."""
    said, _ = evening("classic", 8, claims=30, style="suspicious")
    names = Counter(each.name for each in said)
    whys = Counter(each.facts["why"] for each in said if each.name == "void")
    assert whys["locked_out"] == 0
    assert whys["early"] <= names["doubt"], "only slaps that a doubt has made late"


# Minds ---------------------------------------------------------------------------------------------------------------


def test_every_game_has_a_mind_and_every_style_a_name() -> None:
    assert set(GAMES) <= set(MINDS)
    assert [style.name for style in STYLES.values()] == list(STYLES)
    assert set(STYLES) == {"honest", "bold", "suspicious", "counting"}


def test_honest_people_lie_only_when_they_must() -> None:
    table = at("classic", 4).table
    cards = RealCards(Random(1))
    mind = ClaimMind(table, cards, dict.fromkeys((1, 2, 3, 4), STYLES["honest"]), Random(1))
    for hand, laid in (("AS AH 5C", {"AS", "AH"}), ("KS QS 2H", None)):
        cards.hands = {1: [Card.parse(text) for text in hand.split()]}
        strip = table.game.strip(table.fold.game, 1, 0)
        assert strip is not None
        choice = mind.choose(1, strip)
        assert choice is not None
        assert choice.act is not None
        meant = {str(card) for card in cards.meant[1]}
        assert choice.act.count == len(meant)
        assert meant == laid if laid else (len(meant) == 1 and meant <= set(hand.split()))


def counted(style: str, *moves: tuple[str, int, str]) -> bool:
    """Whether seat 2, who holds two aces, doubts seat 1's claim of two more after ``moves``. It never guesses."""
    table = at("classic", 4)
    table.say(1, "claim", count=2)
    cards = RealCards(Random(1))
    quiet = STYLES[style]._replace(doubts=0)
    mind = ClaimMind(table.table, cards, dict.fromkeys((1, 2, 3, 4), quiet), Random(1))
    cards.hands = {seat: [] for seat in (1, 2, 3, 4)}
    cards.hands[2] = [Card.parse("AS"), Card.parse("AH")]
    for name, seat, text in moves:
        cards.packet = [Card.parse(each) for each in text.split()]
        match name:
            case "lays":
                mind.hear(Event("claim", 0, {"seat": seat, "count": 1, "rank": "9"}))
            case "takes":
                mind.hear(Event("verdict", 0, {"takes": seat}))
            case _:
                mind.hear(Event("reveal", 0, {"card": text, "ok": False}))
    cards.packet = []
    mind.hear(Event("claim", 0, {"seat": 1, "count": 2, "rank": "A"}))
    return mind.slaps(2)


@pytest.mark.parametrize(
    ("moves", "knows"),
    [
        ((), False),
        ((("lays", 2, "AD"),), True),  # its own ace is in the pile
        ((("lays", 2, "AD"), ("takes", 1, "")), False),  # the claimant has picked it up
        ((("lays", 2, "AD"), ("takes", 3, "")), True),  # seat 3 has
        ((("lays", 2, "AD"), ("takes", 3, ""), ("lays", 3, "")), True),  # still seat 3, or the pile
        ((("lays", 2, "AD"), ("takes", 3, ""), ("lays", 3, ""), ("takes", 1, "")), False),  # perhaps the claimant now
        ((("shown", 0, "AC"), ("takes", 4, "")), True),  # everybody saw it
        ((("shown", 0, "AC"), ("takes", 1, "")), False),
    ],
)
def test_who_counts_knows_an_impossible_claim(moves: tuple[tuple[str, int, str], ...], knows: bool) -> None:
    assert counted("counting", *moves) is knows
    assert counted("honest", *moves) is False, "others look at their own hands only"


def test_everybody_sees_what_the_own_hand_rules_out() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=3)
    cards = RealCards(Random(1))
    mind = ClaimMind(table.table, cards, {2: STYLES["honest"]._replace(doubts=0)}, Random(1))
    cards.hands = {2: [Card.parse("AS"), Card.parse("AH")]}
    mind.hear(Event("claim", 0, {"seat": 1, "count": 3, "rank": "A"}))
    assert mind.slaps(2)


def test_a_memory_of_places() -> None:
    ace = Card.parse("AS")
    memory = Memory(2)
    memory.seen(ace, PILE)
    memory.taken(2)
    assert memory.places == {}, "in the own hand one looks"
    memory.laid(2, [ace])
    memory.taken(4)
    memory.laid(4)
    assert memory.places[ace] == {4, PILE}
    memory.taken(1)
    assert memory.places[ace] == {4, 1}
    assert (memory.elsewhere(3, "A"), memory.elsewhere(1, "A")) == (1, 0)
    memory.seen(ace, PILE)
    memory.taken(OUT)
    assert [memory.elsewhere(seat, "A") for seat in (1, 3, 4)] == [1, 1, 1]
    memory.forget()
    assert memory.elsewhere(1, "A") == 0


def test_the_next_seat_doubts_as_often_as_the_others() -> None:
    """It has a strip where the others slap; the mind is made up once for each window all the same."""
    doubts: Counter[int] = Counter()
    for seed in range(2):
        said, _ = evening("classic", seed, people=4, claims=50, style="suspicious")
        for each in said:
            if each.name == "doubt":
                doubts[(each.facts["seat"] - each.facts["of"]) % 4] += 1
    assert min(doubts[1], doubts[2], doubts[3]) > sum(doubts.values()) // 8, doubts
