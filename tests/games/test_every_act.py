"""Every act in every phase by every seat: legal, or refused with a reason and nothing has changed.

`LEGAL` says by position which acts are possible and for whom; whatever is not in it must be refused. "all": everybody
who plays; "turn": the seat on turn; "next": the seat left of the claimant; numbers: those seats. Acts of the house
that are legal wherever nobody can doubt stand in `RESTING`. What an act needs (a number, a rank) is tried with several
values, right and wrong; at least one must be legal.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from doubtable.acts import perform
from doubtable.games import GAMES
from doubtable.games.base import Act, Refused
from doubtable.inputs import Do, Order
from doubtable.tape_lines import ACTS
from games.at_table import AtTable, at, evening

FACTS: dict[str, list[dict[str, Any]]] = {
    "claim": [{"count": 0}, {"count": 1}, {"count": 2, "rank": "A"}, {"count": 1, "rank": "55"}, {"count": 99}, {}],
    "correct": [{"count": 1}, {"count": 2}, {"rank": "A"}, {"rank": "5"}, {"count": -1}, {}],
    "declare": [{"hand": "high 7"}, {"hand": "pair K"}, {"hand": "nonsense"}, {}],
    "draw": [{"count": 0}, {"count": 4}, {"count": 5}, {}],
    "lead": [{"rank": "K"}, {"rank": "KQ"}, {}],
    "agree": [{"says": "true"}, {"says": "lie"}, {"says": "perhaps"}, {}],
    "vote": [{"says": "yes"}, {"says": "no"}, {"says": "perhaps"}, {}],
    "gone": [{"of": 1}, {"of": 4}, {"of": 13}],
}
RESTING = {"pause": "all", "leave": "all", "gone": "all", "call": "all"}
OPEN = {"leave": "all", "gone": "all", "call": "all"}  # while a doubt is possible
LOBBY = {"sit": "any", "call": "any"}


def claimed(count: int = 2, wait: int = 0, game: str = "classic", **start: Any) -> AtTable:
    """Seat 1 has claimed; seats 1 to 4 of five play."""
    table = at(game, 4, size=5, **start)
    table.say(1, "claim", count=count, **({"rank": "K"} if game == "wrong-rank" else {}))
    table.wait(wait)
    return table


def doubted(no_reader: bool = False) -> AtTable:
    table = claimed()
    table.slap(3)
    return without_reader(table) if no_reader else table


def without_reader(table: AtTable) -> AtTable:
    """For so long that the table agrees."""
    table.reader(up=False)
    table.wait(6000)
    return table


def led(wait: int = 0, *acts: str, hands: tuple[int, ...] = (7, 7, 7, 7, 0)) -> AtTable:
    """Seat 1 has led a king in rounds; seat 2 then does ``acts``."""
    table = at("rounds", 4, size=5, hands=hands, turn=1)
    table.say(1, "lead", rank="K")
    table.wait(wait)
    for act in acts:
        table.say(2, act)
    return table


def poker(*acts: tuple[int, str, str]) -> AtTable:
    table = at("liar-poker", 4, size=5)
    table.slap(2)
    for seat, act, hand in acts:
        table.say(seat, act, **({"hand": hand} if hand else {"count": 1} if act == "draw" else {}))
    return table


def lobby(*holds: int) -> AtTable:
    table = evening(5)
    for seat in (1, 2, 3, 4):
        table.press(seat)
    for seat in holds:
        table.hold(seat)
    return table


def dealing() -> AtTable:
    table = lobby(4, 4)
    table.wait(5200)
    return table


def over() -> AtTable:
    return claimed(1, 11_000, hands=(1, 17, 17, 17, 0), turn=1)


PAIR = (2, "declare", "pair K")
ONE = (7, 1, 7, 7, 0)
LEGAL: dict[str, tuple[Callable[[], AtTable], str, dict[str, Any]]] = {
    "classic claim": (lambda: at("classic", 4, size=5), "claim", {**RESTING, "claim": "turn", "no_cards": "all"}),
    "classic doubt": (claimed, "doubt", {**OPEN, "correct": [1]}),
    "classic doubt, later": (
        lambda: claimed(wait=5000),
        "doubt",
        {**OPEN, "correct": [1], "start": "next", "claim": "next"},
    ),
    "classic last call": (lambda: claimed(1, hands=(1, 17, 17, 17, 0), turn=1), "last_call", OPEN),
    "classic last call, later": (
        lambda: claimed(1, 6000, hands=(1, 17, 17, 17, 0), turn=1),
        "last_call",
        {**OPEN, "let_go": "next"},
    ),
    "classic reveal": (doubted, "reveal", {**RESTING, "give_in": [1, 3], "undo_doubt": "all"}),
    "classic, no reader": (lambda: doubted(True), "reveal", {**RESTING, "agree": [1, 3], "undo_doubt": "all"}),
    "classic over": (over, "over", OPEN),
    "wrong-rank claim": (lambda: at("wrong-rank", 4, size=5), "claim", {**RESTING, "claim": "turn", "no_cards": "all"}),
    "wrong-rank doubt": (
        lambda: claimed(game="wrong-rank"),
        "doubt",
        {**OPEN, "correct": [1], "wrong_rank": [2, 3, 4]},
    ),
    "liar-poker volunteer": (lambda: at("liar-poker", 4, size=5), "volunteer", OPEN),
    "liar-poker declare": (poker, "declare", {**RESTING, "declare": "turn"}),
    "liar-poker respond": (lambda: poker(PAIR), "respond", {**RESTING, "accept": "turn", "liar": "turn"}),
    "liar-poker draw": (lambda: poker(PAIR, (3, "accept", "")), "draw", {**RESTING, "draw": "turn"}),
    "liar-poker prove": (
        lambda: poker(PAIR, (3, "liar", "")),
        "prove",
        {**RESTING, "show": "turn", "give_up": "turn"},
    ),
    "liar-poker showing": (
        lambda: poker(PAIR, (3, "liar", ""), (2, "show", "")),
        "prove",
        {**RESTING, "give_up": "turn"},
    ),
    "liar-poker, no reader": (
        lambda: without_reader(poker(PAIR, (3, "liar", ""), (2, "show", ""))),
        "prove",
        {**RESTING, "give_up": "turn", "agree": [2, 3]},
    ),
    "rounds lead": (lambda: at("rounds", 4, size=5), "lead", {**RESTING, "lead": "turn", "no_cards": "all"}),
    "rounds play": (led, "play", {**OPEN, "pass": "turn"}),
    "rounds play, later": (lambda: led(5000), "play", {**OPEN, "pass": "turn", "play": "turn"}),
    "rounds play, window closed": (
        lambda: led(70_000),
        "play",
        {**RESTING, "pass": "turn", "play": "turn", "no_cards": "all", "vote": [1, 3, 4]},
    ),
    "rounds play, one card": (
        lambda: led(5000, hands=ONE),
        "play",
        {**OPEN, "pass": "turn", "play": "turn", "win": "turn"},
    ),
    "rounds win": (lambda: led(5000, "win", hands=ONE), "reveal", {**RESTING, "give_in": [2]}),
    "rounds win, no reader": (
        lambda: without_reader(led(5000, "win", hands=ONE)),
        "reveal",
        {**RESTING, "agree": [2]},
    ),
    "rounds last call": (lambda: led(5000, "play", hands=ONE), "last_call", OPEN),
    "lobby": (lobby, "lobby", LOBBY),
    "lobby, choosing": (lambda: lobby(3), "lobby", LOBBY),
    "lobby, countdown": (lambda: lobby(3, 3), "lobby", LOBBY),
    "deal": (dealing, "deal", {**RESTING, "dealt": [4]}),
    "a pause": (lambda: resting("pause"), "claim", {"go_on": "all", "leave": "none", "call": "all"}),
}


def resting(act: str) -> AtTable:
    table = at("classic", 4, size=5)
    table.say(2, act)
    return table


def who(table: AtTable, seats: object) -> set[int]:
    """The seats that a row of `LEGAL` means."""
    playing = set(table.seats)
    match seats:
        case "all":
            return playing
        case "any":
            return set(range(1, 6))
        case "turn":
            return {table.state.turn}
        case "next":
            return {table.rules.next_seat(table.state, table.state.claim.seat)}
        case "none":
            return set()
        case list():
            return set(seats)
    raise AssertionError(seats)


def tried(table: AtTable, seat: int, act: str) -> Iterator[tuple[bool, str]]:
    """Whether each variant of the act is legal, and why not."""
    for facts in FACTS.get(act, [{}]):
        try:
            perform(table.table.fold, Act(seat, act, **facts), table.ns, table.table.game)
        except Refused as refused:
            yield False, str(refused)
        else:
            yield True, ""


@pytest.mark.parametrize("position", LEGAL)
def test_every_act_by_every_seat(position: str) -> None:
    make, phase, legal = LEGAL[position]
    table = make()
    assert table.phase == phase
    sits = {"sit": "empty"} if phase not in ("lobby",) else {}
    for act in (each for each in ACTS if each not in table.rules.press_acts):
        for seat in range(1, 6):
            expected = seat in who(table, legal.get(act, "none")) or (seat == 5 and act in sits)
            found = list(tried(table, seat, act))
            assert any(possible for possible, _ in found) == expected, (act, seat, found)
            assert all(possible or why for possible, why in found), (act, seat)


@pytest.mark.parametrize("position", LEGAL)
def test_a_refused_act_changes_nothing_and_says_why(position: str) -> None:
    table = LEGAL[position][0]()
    for act in (each for each in ACTS if each not in table.rules.press_acts):
        for seat in range(1, 6):
            for facts, (possible, why) in zip(FACTS.get(act, [{}]), tried(table, seat, act), strict=True):
                if possible:
                    continue
                before = table.table.dump()
                events = table.feed(Do(table.ns, seat, act, **facts))
                assert [(each.name, each.facts) for each in events] == [("refused", {"seat": seat, "why": why})]
                assert table.table.dump() == before, (act, seat, facts)


OPEN_CLAIMS = {name for name, (_, phase, _) in LEGAL.items() if phase in ("doubt", "last_call", "reveal")}
PACKETS = {name for name in LEGAL if name.startswith(("classic", "wrong-rank", "rounds"))} - {"classic over"}
SKIPS = {"classic claim", "wrong-rank claim", "rounds lead", "rounds play, window closed", "a pause"}
ORDERED: dict[str, tuple[dict[str, Any], set[str]]] = {
    "skip": ({}, SKIPS),
    "set_hands": ({"hands": (5, 5, 5, 5, 0)}, PACKETS | {"a pause"}),
    "card": ({"card": AtTable.card("AS")}, {"classic reveal", "rounds win", "liar-poker showing"}),
    "remove": ({"seat": 3}, {name for name in LEGAL if not name.startswith("lobby")}),
    "undo": (
        {},
        OPEN_CLAIMS - {"liar-poker prove"}
        | {"classic over", "rounds play", "rounds play, later", "rounds play, window closed", "rounds play, one card"}
        | {name for name in LEGAL if name.startswith("liar-poker") and name.split()[1] not in ("volunteer", "declare")},
    ),
    "new_game": ({}, {name for name in LEGAL if not name.startswith("lobby")}),
}
"""Order of the attendant -> its facts, and the positions in which it is done; it is refused in all others."""


@pytest.mark.parametrize("position", LEGAL)
def test_the_attendants_orders(position: str) -> None:
    """Each is done, or is refused with a reason and changes nothing."""
    for act, (facts, done_in) in ORDERED.items():
        table = LEGAL[position][0]()
        before = table.table.dump()
        events = table.feed(Order(table.ns, act, **facts))
        refused = [each.facts["why"] for each in events if each.name == "refused"]
        assert bool(refused) != (position in done_in), (act, refused)
        assert all(refused)
        assert (table.table.dump() == before) == bool(refused), act


@pytest.mark.parametrize("position", LEGAL)
def test_a_legal_act_past_the_buttons_is_done(position: str) -> None:
    """Each legal act is fed to a table of its own, and something comes of it."""
    make, _, legal = LEGAL[position]
    for act, seats in legal.items():
        for seat in sorted(who(make(), seats))[:1]:
            table = make()
            done = [
                facts
                for facts, (possible, _) in zip(FACTS.get(act, [{}]), tried(table, seat, act), strict=True)
                if possible
            ]
            before = table.table.dump()
            table.say(seat, act, **done[0])
            assert table.table.dump() != before, (act, seat)
            assert "refused" not in table.names()


@pytest.mark.parametrize("position", LEGAL)
def test_what_a_strip_offers_is_legal(position: str) -> None:
    """Whatever a hold or a tap may do on anybody's strip is no act that is refused."""
    table = LEGAL[position][0]()
    offered = 0
    for seat in range(1, 6):
        strip = table.strip(seat)
        for choice in () if strip is None else strip.choices:
            if choice.act is None or choice.act.name in table.rules.press_acts or choice.act.name == "menu":
                continue
            if choice.act.name == "correct" and choice.act.count == table.state.claim.count:
                continue  # the words are those of the claim already: nothing comes of it
            if choice.act.name == "correct" and choice.act.rank not in (None, "K", "A"):
                continue  # neither declared nor due: the strip does not tell which rank is
            offered += 1
            perform(table.table.fold, choice.act, table.ns, table.table.game)
    assert offered or position in ("liar-poker volunteer", "classic last call", "rounds last call")


def test_all_phases_are_here() -> None:
    """Every phase in which a game has an act is one of the positions above."""
    here = {(name.split(" ")[0].rstrip(","), phase) for name, (_, phase, _) in LEGAL.items()}
    for name, rules in GAMES.items():
        acts: dict[str, Any] = getattr(rules, "acts", {})
        phases = {phase for phases, _ in acts.values() for phase in phases}
        if name == "wrong-rank":
            phases -= {"last_call", "reveal"}  # as in classic
        assert phases <= {phase for game, phase in here if game == name}, name
