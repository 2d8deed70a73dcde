"""The line above your hand: in every game and at every step it says what your button and your cards do there."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator

import pygame
import pytest

from doubtable.games import GAMES
from doubtable.hand_strip import HEIGHT, SMALL, HandStrip, Strip
from doubtable.players import simulated_tags
from doubtable.screen.lettering import Lettering
from doubtable.screen.sizes import Box
from doubtable.screen.widgets import Label
from doubtable.screen.words import RANK_NAMES
from doubtable.simulation import NAMES, Simulation, simulated_table
from doubtable.table import Table
from doubtable.timing import Timing
from doubtable.view import lamps, look
from doubtable.window import TABLE
from doubtable.your_hand import AS_LEFT, NEW_CARDS, YourHand
from play.guest import Guest

Hints = dict[str, set[str]]  # phase -> all that the line said there, of key 1


def hints(simulation: Simulation, steps: int) -> Iterator[tuple[str, str, str]]:
    """Phase, lamp and line of every seat at every step."""
    try:
        for _ in range(steps):
            simulation.step()
            table = simulation.table
            lit = lamps(table, simulation.ns)
            for seat in table.game.seats:
                line = YourHand(simulation.people, seat).hint(simulation.ns)
                yield table.fold.game.phase, lit[seat - 1], re.sub(r"^Key .:", "Key 1:", line)
            if simulation.over:
                break
    finally:
        simulation.close()


def played(game: str) -> Iterator[tuple[str, str, str]]:
    for seed in (1, 2, 3):
        yield from hints(Simulation(simulated_table(game, 4), seed), 1500)


def evening() -> Iterator[tuple[str, str, str]]:
    table = Table.evening(NAMES[:3], Timing(), cards=simulated_tags())
    yield from hints(Simulation(table, 2, deals=1), 1200)


SAYS = {  # game -> phase -> what its line says to somebody there
    "classic": {
        "claim": (
            "click the cards that you lay, TAP once for each, HOLD to say it",
            "Nothing picked: click a card, or a",
        ),
        "doubt": ("press it to doubt.", "HOLD to doubt.", "TAP to start your turn, or HOLD", "TAP to CORRECT it"),
        "reveal": ("You doubt: click the cards on the CLAIM spot", "HOLD to give in"),
    },
    "wrong-rank": {
        "claim": ("TAP once for each", "TAP to the rank, true or not, HOLD to say it"),
        "doubt": (
            "HOLD it to say WRONG RANK",
            "TAP to WRONG RANK and HOLD.",
            "TAP on to start your turn",
            "TAP to CORRECT",
        ),
        "reveal": ("You doubt: click the cards on the CLAIM spot", "HOLD to give in"),
    },
    "rounds": {
        "lead": ("click the card that you lay, TAP to the rank that you say, HOLD.", "Nothing picked: "),
        "play": ("press it to doubt.", "TAP to PLAY or PASS, HOLD to do it", "TAP to PASS and HOLD; PLAY comes"),
        "reveal": ("You doubt: click the cards on the CLAIM spot", "HOLD to give in"),
    },
    "liar-poker": {
        "volunteer": ("press it to begin",),
        "declare": ("TAP to what you say that the hand is, HOLD to say it",),
        "respond": ("HOLD to TAKE IT, which gives you the hand, or TAP to LIAR!",),
        "draw": ("click the cards that you throw away, TAP once for each",),
        "prove": ("HOLD to SHOW the hand, or TAP to GIVE UP", "Your proof: click the cards on the CLAIM spot"),
    },
    "evening": {
        "lobby": ("TAP to sit down", "TAP for the next choice", "TAP to stop the countdown"),
        "deal": ("HOLD to say that the cards are dealt", "slap it while it is lit; then TAP, TAP, HOLD"),
    },
}
NOT = {  # what belongs to other games
    "classic": "WRONG RANK|PASS|rank|throw|hand is",
    "wrong-rank": "PASS|throw|hand is",
    "rounds": "once for each|WRONG RANK|start your turn|throw|hand is",
    "liar-poker": "lay|doubt|WRONG RANK|PASS|start your turn",
    "evening": "once for each|WRONG RANK|throw|hand is",
}


@pytest.mark.parametrize("game", SAYS)
def test_the_line_says_what_your_button_does_in_this_game_and_phase(game: str) -> None:
    pygame.font.init()
    said: Hints = defaultdict(set)
    lettering, box = Lettering(), HandStrip(Box(0, TABLE.height, TABLE.width, HEIGHT), Lettering())
    room = box.hand_boxes(Strip(tuple(simulated_tags(1).values())[:18], frozenset(), (), (), None, True, ()))
    wide = room[-1].right - room[0].x
    for phase, lamp, line in evening() if game == "evening" else played(game):
        said[phase].add(line)
        if lamp == "steady" and phase not in ("lobby", "deal"):
            assert "press it" in line, (phase, line)
        elif lamp == "pulsing":
            assert "HOLD" in line or "TAP" in line or "press it" in line, (phase, line)
    for phase, lines in SAYS[game].items():
        for part in lines:
            assert any(part in line for line in said[phase]), (phase, part, said[phase])
    everything = {line for lines in said.values() for line in lines}
    assert not [line for line in everything if re.search(NOT[game], line)]
    for line in everything | {AS_LEFT, NEW_CARDS}:
        assert lettering.width(line, SMALL, "book") <= wide, line


def test_every_game_is_spoken_of() -> None:
    assert set(GAMES) <= set(SAYS)


@pytest.mark.parametrize("game", GAMES)
def test_the_line_says_which_rank_is_due_while_the_table_waits_for_somebody(game: str) -> None:
    """Its headline says WAITING FOR ANN then; where the claimant picks the rank nobody is told which is due."""
    simulation = Simulation(simulated_table(game, 4), 1)
    table, people = simulation.table, simulation.people
    try:
        for _ in range(5000):
            simulation.step()
            if simulation.claims and table.fold.game.phase in ("claim", "play", "lead", "declare", "respond"):
                people.seats = (2, 3, 4)  # Ann does nothing any more
            if look(table, simulation.ns).scene == "waiting" and table.fold.game.turn == 1:
                break
        lines = {seat: YourHand(people, seat).hint(simulation.ns) for seat in (1, 2)}
        state = table.fold.game
    finally:
        simulation.close()
    assert lines[2].startswith("Key 2: TAP to the answer, HOLD to give it.")
    due = state.due if game == "classic" else state.rank if game == "rounds" else None
    told = [line.endswith(f" {RANK_NAMES[due][1].capitalize()} are due.") for line in lines.values() if due]
    assert all(told)
    assert any("are due" in line for line in lines.values()) == (due is not None)


def test_the_line_says_when_number_and_picks_do_not_agree(sit_down: Callable[..., Guest]) -> None:
    guest = sit_down()
    guest.wait(50)

    def line() -> str:
        return guest.window.strip().hint

    assert line() == "Key 1: click the cards that you lay, TAP once for each, HOLD to say it."
    for place in (0, 3):
        guest.click("card", place)
    guest.key(1, 60)
    guest.wait(400)
    assert line().startswith("1 said, 2 picked: a HOLD leaves ")
    guest.key(1, 60)
    guest.wait(400)
    assert "once for each" in line(), "all agrees"
    guest.key(1, 60)
    guest.wait(400)
    assert line().startswith("3 said, 2 picked: click 1 more, or a HOLD lays ")
    for place in (0, 3):
        guest.click("card", place)
    assert line().startswith("Nothing picked: click 3 cards, or a HOLD lays ")
    assert guest.window.strip().hint in [each.setting.lines[0] for each in labels(guest)]


def labels(guest: Guest) -> list[Label]:
    """The texts of the strip as they are drawn."""
    return [each for each in guest.window.screen.layout.widgets(guest.window.strip()) if isinstance(each, Label)]
