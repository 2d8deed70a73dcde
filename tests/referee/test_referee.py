"""The judge is judged: by hand-made games, by what must hold in every random game, and by being repeatable."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from referee import GAMES, play_random
from referee.liar_poker import LiarPoker, declarations, is_contained
from referee.packet_guests import play_packets
from referee.packets import Packets
from referee.poker_guests import play_poker
from referee.round_guests import play_rounds
from referee.rounds import Rounds
from referee.script import Card, Line, deck

PLAYERS = {"classic": (3, 4, 5, 6, 13), "wrong-rank": (4, 6, 7, 12), "liar-poker": (2, 4, 8), "rounds": (3, 4, 6)}
GAP = ["A", None, "C", "D", None, "F", "G"]
OPTIONS: list[tuple[str, int | list[str | None], dict[str, Any]]] = [
    ("classic", 4, {"rank_order": "rising"}),
    ("classic", 4, {"scoring": "per_card", "nose_bonus": True}),
    ("classic", 5, {"scoring": "none", "packs_at_5": 2}),
    ("classic", 5, {"play_on": True, "lap_shift": True}),
    ("classic", GAP, {"lap_shift": True}),
    ("wrong-rank", GAP, {"doubt_corrects": True, "scoring": "per_card"}),
    ("wrong-rank", 4, {"rank_assist": "auto", "lap_shift": True, "rank_order": "rising"}),
    ("wrong-rank", 6, {"play_on": True, "nose_bonus": True, "scoring": "per_card"}),
    ("liar-poker", 4, {"detail": "simple", "points": 2}),
    ("liar-poker", GAP, {"points": 3}),
    ("rounds", 4, {"hand_size": 13, "scoring": "per_card"}),
    ("rounds", GAP, {"hand_size": 5}),
]
ALL: list[tuple[str, int | list[str | None], dict[str, Any]]] = [
    *((game, players, {}) for game in GAMES for players in PLAYERS[game]),
    *OPTIONS,
]


class CheckedPackets(Packets):
    def check(self) -> None:
        table = [card for hand in self.hands.values() for card in hand] + self.pile + self.packet
        assert sorted(table) == sorted(deck(self.packs))
        assert sum(self.counts.values()) + self.pile_count == 52 * self.packs
        if self.phase == "claim":
            assert self.counts == {seat: len(hand) for seat, hand in self.hands.items()}
            assert self.turn in self.seats.playing
            assert self.counts[self.turn] > 0
        assert sum(self.scores.of.values()) == 0
        super().check()


class CheckedRounds(Rounds):
    def check(self) -> None:
        table = [card for hand in self.hands.values() for card in hand] + self.stack + self.aside
        assert sorted(table) == sorted(deck(1))
        assert sum(self.scores.of.values()) == 0
        assert self.phase in ("lead", "over") or (self.stack and self.owner)
        super().check()


class CheckedPoker(LiarPoker):
    def check(self) -> None:
        if self.phase != "volunteer":
            assert len(self.hand) == 5
            assert sorted(self.hand + self.stock + self.discards) == sorted(deck(1))
        super().check()


def header(game: str, seats: int | list[str | None], **more: Any) -> Line:
    names = [f"S{seat}" for seat in range(seats)] if isinstance(seats, int) else seats
    return {"tape": 1, "game": game, "seats": names, "dealer": len(names), **more}


def cards(text: str) -> list[Card]:
    return [(word, 1) for word in text.split()]


def expected(lines: list[Line], event: str) -> Iterator[Line]:
    return (line["expect"] for line in lines if line.get("expect", {}).get("event") == event)


@pytest.mark.parametrize(("game", "seats", "options"), ALL)
def test_invariants_of_random_games(game: str, seats: int | list[str | None], options: dict[str, Any]) -> None:
    for seed in range(10):
        dice = random.Random(seed)
        top = header(game, seats, options=options)
        if game == "liar-poker":
            play_poker(CheckedPoker(top), dice, 0.3)
        elif game == "rounds":
            play_rounds(CheckedRounds(top), dice, 0.3)
        else:
            play_packets(CheckedPackets(top), dice, 0.3)


@pytest.mark.parametrize("game", GAMES)
def test_same_arguments_give_the_same_lines(game: str) -> None:
    assert play_random(game, 7) == play_random(game, 7)
    assert play_random(game, 7) != play_random(game, 8)


@pytest.mark.parametrize("game", GAMES)
def test_lines_are_a_tape(game: str) -> None:
    for seed in range(10):
        top, *lines = play_random(game, seed, 4, {}, 0.4)
        assert top["tape"] == 1
        assert top["game"] == game
        times = [line["ms"] for line in lines if "ms" in line]
        assert times == sorted(times)
        last = [line for line in lines if "state" in line][-1]
        assert last["state"]["phase"] == "over" or sum("do" in line for line in lines) >= 500


@pytest.mark.parametrize("game", GAMES)
def test_random_games_see_what_the_rules_speak_of(game: str) -> None:
    """A referee whose games never come to a rule does not judge it."""
    events: Counter[str] = Counter()
    acts: Counter[str] = Counter()
    for seed in range(40):
        lines = play_random(game, seed, 4, {}, 0.3)
        events.update(line["expect"]["event"] for line in lines if "expect" in line)
        acts.update(line["do"]["act"] for line in lines if "do" in line)
    doubts = {"doubt", "verdict", "reveal", "missing", "win", "over", "refused"}
    packets = {"claim", "correct", "doubt", "start", "let_go", "give_in", "leave"}
    wanted_events, wanted_acts = {
        "classic": (doubts | {"claim", "corrected", "window"}, packets),
        "wrong-rank": (doubts | {"claim", "corrected", "window"}, packets | {"wrong_rank"}),
        "rounds": (doubts | {"lead", "play", "pass", "stack_out"}, {"doubt", "let_go", "give_in", "leave", "win"}),
        "liar-poker": (
            {"declare", "accept", "draw", "proved", "gave_up", "point", "over", "refused"},
            {"volunteer", "declare", "accept", "draw", "liar", "show", "give_up", "leave"},
        ),
    }[game]
    assert wanted_events <= set(events)
    assert wanted_acts <= set(acts)


def test_golden_trace() -> None:
    game = Packets(header("classic", 3, timing={"tie_ms": 40}))
    game.deal(random.Random(1))
    assert game.counts == {1: 18, 2: 17, 3: 17}
    game.hands = {1: cards("AS AH"), 2: cards("KH"), 3: cards("QS QH QD 5C")}  # only these come to light
    game.claim(2, None, cards("AS AH"))
    game.start(silently=True)
    assert (game.counts, game.pile_count) == ({1: 16, 2: 17, 3: 17}, 2)
    game.claim(1, None, cards("KH"))
    game.doubt([(1, 5_500), (3, 5_530)])
    assert game.doubter == 3
    game.show(("KH", 1))
    game.no_more_cards()
    assert (game.counts, game.pile_count) == ({1: 16, 2: 16, 3: 20}, 0)
    assert (game.turn, game.due) == (3, "Q")
    game.claim(4, None, cards("QS QH QD 5C"))
    game.doubt([(1, 13_000)])
    for card in cards("QS QH QD 5C"):
        game.show(card)
    assert (game.counts, game.pile_count) == ({1: 16, 2: 16, 3: 20}, 0)
    assert (game.turn, game.due) == (1, "J")
    assert [line["true"] for line in expected(game.tape.lines, "verdict")] == [True, False]
    assert [line["cards"] for line in expected(game.tape.lines, "verdict")] == [3, 4]


@pytest.mark.parametrize(
    ("game", "seats", "deal"),
    [
        ("classic", 3, [18, 17, 17]),
        ("classic", 5, [11, 11, 10, 10, 10]),
        ("classic", 6, [18, 18, 17, 17, 17, 17]),
        ("classic", 13, [8] * 13),
        ("wrong-rank", 6, [9, 9, 9, 9, 8, 8]),
        ("wrong-rank", 7, [15, 15, 15, 15, 15, 15, 14]),
    ],
)
def test_deals(game: str, seats: int, deal: list[int]) -> None:
    table = Packets(header(game, seats))
    table.deal(random.Random(1))
    assert list(table.counts.values()) == deal


def test_wrong_rank_chain() -> None:
    game = Packets(header("wrong-rank", 4))
    game.deal(random.Random(1))
    seat = game.turn
    game.claim(1, "J", game.hands[seat][:1])
    game.start()
    assert game.due == "T"  # one below the declared jacks, though aces were due
    game.claim(1, "K", game.hands[game.turn][:1])
    game.wrong_rank(game.seats.left(game.turn))
    game.start()
    assert game.due == "9"  # one below the due tens


def test_rounds_hand_over_the_stack() -> None:
    game = Rounds(header("rounds", 3))
    game.deal(random.Random(1))
    game.hands[1][0], game.hands[2][0] = ("QS", 1), ("4S", 1)
    game.lead("Q", ("QS", 1))
    game.tape.wait_until(5_000)
    game.play(("4S", 1))
    game.doubt([(1, game.tape.ms)])
    game.reveal()
    assert (game.turn, game.phase, game.counts) == (1, "lead", {1: 6, 2: 8, 3: 7})


def test_declarations() -> None:
    named, simple = declarations("named"), declarations("simple")
    assert (len(named), len(simple)) == (309, 100)
    for text, place in (("pair K", 19), ("two_pairs A K", 98), ("full 2 3", 130), ("straight_flush A", 308)):
        assert named[place] == text
    assert is_contained("straight 5", cards("AS 2H 3D 4C 5S"))
    assert not is_contained("pair K", cards("AS AH AD AC KS"))
    assert not is_contained("two_pairs K", cards("AS AH KS KH 2C"))
