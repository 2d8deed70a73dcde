"""The strips of Liar Poker through real edges."""

from doubtable.games.base import Text
from doubtable.games.poker_hands import declarations
from games.at_table import AtTable, at


def holding() -> AtTable:
    """Seat 2 of four has volunteered."""
    table = at("liar-poker", 4)
    assert (table.lamps(), table.view.help) == (("steady",) * 4, ("WHO STARTS? SLAP!", {}))
    table.slap(2)
    return table


def test_the_first_slap_volunteers_and_is_given_five_cards() -> None:
    table = holding()
    assert (table.phase, table.state.turn, table.hands) == ("declare", 2, [0, 5, 0, 0])
    assert table.view.help == ("{name}: {count} CARDS\nTO {other}", {"name": "Dee", "count": 5, "other": "Bob"})


def test_declare_answer_draw_and_declare_higher() -> None:
    table = holding()
    assert (table.labels(2)[0], table.labels(2)[-1]) == ("high", "MENU")
    table.press(2)
    table.hold(2, 2)
    assert table.last("declare") == {"seat": 2, "hand": "pair 2", "index": 8}
    assert (table.labels(3), table.cursor(3)) == (("TAKE IT", "LIAR!", "MENU"), "TAKE IT")
    assert [table.lamp(seat) for seat in (1, 2, 4)] == ["off"] * 3
    table.hold(3)
    assert (table.last("accept"), table.hands) == ({"seat": 3, "count": 5}, [0, 0, 5, 0])
    assert (table.labels(3), table.cursor(3)) == (("0", "1", "2", "3", "4", "MENU"), "0")
    assert table.view.help == ("HOW MANY NEW?", {})
    table.press(3, 3)
    table.hold(3)
    assert table.last("draw") == {"seat": 3, "count": 3}
    assert table.view.help == ("{name}: {count} CARDS\nTO {other}", {"name": "Ann", "count": 3, "other": "Cy"})
    assert table.labels(3)[0] == "pair", "only higher ones"
    table.hold(3)
    assert table.labels(3) == tuple("3456789TJQKA"), "ranks in declarations rise"
    table.hold(3)
    assert table.last("declare")["hand"] == "pair 3"


def test_liar_and_show_or_give_up() -> None:
    table = holding()
    table.hold(2, 2)
    table.press(3)
    table.hold(3)
    assert table.last("liar") == {"seat": 3, "of": 2}
    assert (table.labels(2), table.lamp(2)) == (("SHOW", "GIVE UP"), "pulsing")
    table.hold(2)
    assert table.labels(2)[0] == "GIVE UP", "after SHOW the holder's HOLD gives up"
    table.show("7S")
    assert (table.last("proved"), table.last("point")) == ({"seat": 2}, {"seat": 3, "points": 1})
    assert table.state.turn == 3, "the seat that got the point starts"
    table.hold(3, 2)
    table.press(4)
    table.hold(4)
    table.press(3)
    table.hold(3)
    assert (table.last("gave_up"), table.last("point")) == ({"seat": 3}, {"seat": 3, "points": 2})


def test_after_the_highest_declaration_only_liar_is_offered() -> None:
    table = holding()
    table.say(2, "declare", hand=str(declarations("named")[-1]))
    assert table.labels(3) == ("LIAR!", "MENU")
    table.hold(3)
    assert table.phase == "prove"


def test_others_presses_do_nothing() -> None:
    table = holding()
    table.hold(2, 2)
    for seat in (1, 4):
        table.press(seat)
        table.hold(seat)
    assert table.phase == "respond"
    assert {facts["why"] for facts in table.all("void")} == {"not_yours"}


def test_when_the_stock_does_not_suffice_the_earlier_discards_are_to_be_shuffled() -> None:
    """ "when the stock runs out, earlier discards are shuffled, never those just thrown" """
    table = holding()
    told: list[tuple[int, tuple[Text, ...], int]] = []
    for place, hand in enumerate(declarations("named")[:24]):
        table.say(table.state.turn, "declare", hand=str(hand))
        assert table.view.notices == (), "it is said while the cards are handed out"
        table.say(table.state.turn, "accept")
        table.say(table.state.turn, "draw", count=4)
        if table.view.notices:
            told.append((place + 1, table.view.notices, table.state.stock))
    shuffle: tuple[Text, ...] = (("SHUFFLE DISCARDS", {}),)
    assert told == [(12, shuffle, 43), (23, shuffle, 43)], "47 cards, then 43: the four just thrown stay out"
    table.say(table.state.turn, "declare", hand="four A")
    table.say(table.state.turn, "liar")
    table.hold(table.state.turn)
    table.show("2S", "3S", "4S", "6S", "7S")
    assert (table.phase, table.state.stock, table.view.notices) == ("declare", 47, ()), "everything is shuffled"
