"""Around any game: the seat menu, pauses, and what the screen says of them."""

import pytest

from doubtable.games.base import Refused, Text
from doubtable.house import ASK, House, answer
from doubtable.timing import MS
from games.at_table import LONG, at
from games.positions import doubted, voting

SEATED = (1, 2, 3, 4)


# The seat menu --------------------------------------------------------------------------------------------------------


def test_a_hold_of_three_seconds_opens_it_where_the_lamp_is_off() -> None:
    table = at("classic", 4)
    table.hold(3, length=2800)
    assert table.labels(3) == ()
    table.hold(3, length=LONG)
    assert table.labels(3) == (
        *("PAUSE", "I LEAVE", "NO CARDS"),
        *("SEAT 1 IS GONE", "SEAT 2 IS GONE", "SEAT 4 IS GONE", "CALL THE BAR", "I HOLD", "GO ON"),
    )
    assert table.lamp(3) == "pulsing"


def test_on_turn_it_opens_with_nothing_entered_only() -> None:
    table = at("classic", 4)
    table.hold(1, length=LONG)
    assert table.labels(1)[0] == "PAUSE"
    table = at("wrong-rank", 4)
    table.press(1, 2)
    table.hold(1, length=LONG)  # two cards are entered: the rank is asked for
    assert table.labels(1)[0] == "A"
    table = at("wrong-rank", 4)
    table.press(1, 2)
    table.hold(1)
    table.press(1)
    assert table.cursor(1) == "K"


def test_strips_that_cannot_be_empty_end_with_it() -> None:
    table = at("rounds", 4)
    assert table.labels(1)[-1] == "MENU"
    table.pick(1, "MENU", "CALL THE BAR")
    assert table.last("call") == {"seat": 1}
    assert table.labels(1)[0] == "A", "the lead goes on"


@pytest.mark.parametrize("game", ["classic", "wrong-rank", "rounds"])
def test_not_in_a_window_or_reveal(game: str) -> None:
    table = at(game, 4)
    table.say(1, "lead" if game == "rounds" else "claim", count=1, rank="A")
    for seat in SEATED:
        assert "MENU" not in table.labels(seat)
    table.hold(1, length=LONG)
    assert table.all("menu") == []
    table.slap(3)
    assert table.phase == "reveal"
    assert table.labels(3) == ("GIVE IN",)
    table.hold(2, length=LONG)  # its lamp is off: it may undo the doubt, pause, or leave
    assert table.labels(2)[0] == "PAUSE"


def test_presses_in_a_menu_are_not_early_presses() -> None:
    table = at("classic", 4)
    table.hold(3, length=LONG)
    table.press(3, 5)
    table.pick(3, "GO ON")
    assert table.all("void")[1:] == [], "only the press that became the long hold was told, before it was one"
    assert table.table.fold.books[2].early == 0
    table.say(1, "claim", count=1)
    table.slap(3)
    assert table.last("doubt")["seat"] == 3


def test_a_menu_closes_by_itself() -> None:
    table = at("classic", 4)
    table.hold(3, length=LONG)
    table.wait(15_000)
    assert table.labels(3) == ()


def test_a_lock_closes_an_open_menu_without_effect() -> None:
    table = at("classic", 4)
    table.hold(3, length=LONG)
    table.to(3, "I LEAVE")
    table.edge(3, 1)
    table.wait(50)
    table.say(1, "claim", count=1)
    table.wait(1000)
    table.edge(3, 0)
    table.wait()
    assert (table.phase, table.state.gone) == ("doubt", ())


@pytest.mark.parametrize(
    ("game", "entered", "phase"),
    [("classic", ("1",), "doubt"), ("wrong-rank", ("2", "K"), "doubt"), ("rounds", ("9",), "play")],
)
def test_so_does_a_hold_whose_press_was_there_before_the_menu(game: str, entered: tuple[str, ...], phase: str) -> None:
    table = at(game, 4)
    for label in entered[:-1]:
        table.pick(1, label)
    table.to(1, entered[-1])
    table.edge(3, 1)
    table.wait(2500)
    table.edge(1, 1)
    table.wait(600)
    assert table.labels(3)[0] == "PAUSE"
    assert table.labels(1) == (), "it rests"
    table.wait(300)
    assert (table.phase, table.lamp(4)) == (phase, "steady")
    assert table.table.fold.house.menu is None


def test_a_hold_from_before_a_menu_that_locks_nothing_waits() -> None:
    table = at("wrong-rank", 4)
    table.to(1, "2")
    table.edge(3, 1)
    table.wait(2500)
    table.edge(1, 1)
    table.wait(1000)
    table.edge(1, 0)
    table.edge(3, 0)
    table.wait()
    assert table.labels(3)[0] == "PAUSE"
    table.pick(3, "GO ON")
    assert table.cursor(1) == "2", "the rank is not asked for yet"
    doubt = doubted(2)
    doubt.edge(4, 1)
    doubt.wait(2500)
    doubt.edge(1, 1)
    doubt.wait(1000)
    assert (doubt.phase, doubt.labels(4)[0]) == ("reveal", "PAUSE"), "nobody has given in"


# Pause ----------------------------------------------------------------------------------------------------------------


def test_a_pause_stops_every_timer_and_ends_with_any_seated_players_hold() -> None:
    table = at("classic", 4, options={"bell_min": 1})
    table.say(1, "claim", count=1)
    table.slap(3)
    table.menu(2, "PAUSE")
    assert [table.cursor(seat) for seat in SEATED] == ["GO ON"] * 4
    table.wait(120_000)
    assert table.all("missing") == table.all("last_round") == []
    table.hold(4)
    assert table.last("go_on") == {"seat": 4}
    table.wait(6000)
    assert table.last("missing") == {"count": 1}
    table.wait(60_000)
    assert table.all("last_round") == [{}]


@pytest.mark.parametrize("rest", ["pause", "vote"])
def test_what_is_shown_in_a_rest_begins_its_timer_anew_when_the_rest_ends(rest: str) -> None:
    """Not later by the time that had been rested before."""
    table = at("classic", 4)
    table.say(1, "claim", count=1)
    table.slap(3)
    table.menu(2, *(("PAUSE",) if rest == "pause" else ("SEAT 4 IS GONE",)))
    table.wait(10_000)
    table.show("AS")
    if rest == "pause":
        table.hold(4)
    while not table.all("go_on"):
        table.wait(100)
    assert table.all("verdict") == []
    table.wait(1500)
    assert table.last("verdict")["true"] is True


@pytest.mark.parametrize("game", ["classic", "liar-poker"])
def test_a_reader_lost_in_a_pause_is_waited_for_from_its_end(game: str) -> None:
    table = at(game, 4)
    if game == "classic":
        table.say(1, "claim", count=1)
        table.slap(3)
    else:
        table.slap(1)
        table.say(1, "declare", hand="pair K")
        table.say(2, "liar")
        table.say(1, "show")
    table.say(4, "pause")
    table.wait(60_000)
    table.reader(up=False)
    table.wait(30_000)
    table.say(4, "go_on")
    table.wait(4500)
    assert table.all("agree") == []
    table.wait(500)
    assert table.all("agree") == [{}]


def test_no_strip_acts_in_a_pause() -> None:
    table = at("classic", 4)
    table.menu(2, "PAUSE")
    table.say(1, "claim", count=1)
    assert "pauses" in table.last("refused")["why"]
    table.press(1, 2)
    table.hold(1)
    assert (table.phase, table.all("claim")) == ("claim", [])
    table.press(1, 2)
    table.hold(1)
    assert table.last("claim")["count"] == 2


def test_neither_menu_vote_nor_pause_begins_while_a_doubt_is_possible() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=1)
    table.say(2, "pause")
    assert "doubt" in table.last("refused")["why"]
    table.edge(3, 1)
    table.wait(10)
    table.say(4, "pause")
    assert len(table.all("refused")) == 2


def test_a_pause_is_begun_once() -> None:
    table = at("classic", 4)
    table.say(2, "pause")
    table.say(3, "pause")
    assert table.last("refused")["why"] == "the table rests already: go on first"
    assert len(table.all("pause")) == 1


def test_a_house_act_that_is_none() -> None:
    table = at("classic", 4)
    with pytest.raises(Refused, match="nothing rests"):
        answer(House(), table.table.game, table.state, table.act(1, "go_on"), 0)
    assert ASK == 15_000 * MS


# What is seen ---------------------------------------------------------------------------------------------------------


def test_the_screen_says_what_the_house_asks() -> None:
    table = voting()
    choose: Text = ("TAP = NEXT\nHOLD = DO IT", {})
    assert (table.view.scene, table.view.headline) == ("vote", ("{name} IS GONE?", {"name": "Eva"}))
    table.wait(15_000)
    table.hold(2, length=LONG)
    assert (table.view.scene, table.view.headline, table.view.help) == (
        "menu",
        ("{name}: MENU", {"name": "Bob"}),
        choose,
    )
    table.pick(2, "NO CARDS")
    said: Text = ("{name}: {claim}", {"name": "Bob", "claim": ("NO CARDS", {})})
    assert (table.view.scene, table.view.headline) == ("vote", said)
    table.wait(15_000)
    table.say(3, "pause")
    assert (table.view.scene, table.view.headline, table.view.help) == ("pause", ("PAUSE", {}), ("HOLD = GO ON", {}))
    table.say(3, "go_on")
    table.wait(61_000)
    assert (table.view.scene, table.view.headline) == ("waiting", ("WAITING FOR\n{name}", {"name": "Ann"}))
    assert table.view.help == choose
    table.wait(600_000)
    assert (table.view.scene, table.view.help) == ("attract", ("PARKED:\nHOLD = GO ON", {}))
    table.hold(3)
    assert table.view.scene == "lay"
