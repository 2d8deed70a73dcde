"""Sitting down, choosing a game with its options, the countdown, and the deal: by buttons."""

import pytest

from doubtable.games import GAMES, PRESETS
from doubtable.games.between import label_of
from doubtable.table import Table
from doubtable.timing import MS, Timing
from games.at_table import NAMES, AtTable, at, evening


def seated(players: int, size: int = 0) -> AtTable:
    """A lobby in which seats 1 to ``players`` have sat down with a TAP."""
    table = evening(size or players)
    for seat in range(1, players + 1):
        table.press(seat)
    return table


def countdown(table: AtTable) -> dict[str, object]:
    """What is counted down, without its time."""
    return {key: value for key, value in table.last("countdown").items() if key != "starts"}


# Sitting down -------------------------------------------------------------------------------------------------------


def test_a_tap_sits_down_and_another_gets_up() -> None:
    table = evening(4)
    assert (table.view.scene, table.view.help) == ("lobby", ("TAP TO SIT DOWN", {}))
    table.press(2)
    table.press(3)
    table.press(2)
    assert table.state.seated == (3,)
    assert table.lamp(3) == "steady"
    assert table.lamp(2) != "steady"
    assert table.view.help == ("TAP TO SIT DOWN\nHOLD TO START", {})


@pytest.mark.parametrize("other", [1, 4], ids=["gets up", "sits down"])
def test_whoever_gets_up_or_sits_down_takes_nothing_from_anothers_press(other: int) -> None:
    table = seated(3, size=4)
    table.edge(2, 1)
    table.wait(50)
    table.press(other)
    table.edge(2, 0)
    table.wait()
    assert table.state.seated == ((3,) if other == 1 else (1, 3, 4)), "the TAP counts"
    table.edge(3, 1)
    table.wait(300)
    table.press(2)
    table.wait(400)
    assert table.state.turn == (3 if len(table.state.seated) > 1 else None), "the HOLD counts"


def test_only_who_has_sat_down_can_start() -> None:
    table = seated(4, size=5)
    table.hold(5)
    assert table.state.turn is None
    table.hold(2)
    assert table.state.turn == 2


def test_too_few_for_any_game_choose_nothing() -> None:
    table = seated(1, size=4)
    table.hold(1)
    assert table.state.turn is None
    table.say(1, "sit")
    assert table.state.seated == ()


# Choosing -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "game", "options", "headline"),
    [
        (3, "rounds", {}, "DOUBT, IN ROUNDS"),
        (4, "classic", {"bell_min": 12}, "I DOUBT IT"),
        (13, "classic", {"bell_min": 12, "lap_shift": True}, "I DOUBT IT"),
    ],
)
def test_the_table_proposes_by_number_of_players_and_says_the_minutes(
    players: int, game: str, options: dict[str, object], headline: str
) -> None:
    table = seated(players)
    table.hold(1)
    assert table.view.scene == "choose"
    minutes = GAMES[game].minutes
    assert table.view.headline == ("{game}:\nABOUT {count} MIN", {"game": (headline, {}), "count": minutes})
    table.hold(1)  # the cursor is on START: what is proposed
    assert countdown(table) == {"game": game, "options": options}


def test_only_games_for_so_many_players_are_offered() -> None:
    games: dict[int, set[str]] = {players: set() for players in (2, 3, 4, 7, 9, 13)}
    for players, offered in games.items():
        table = seated(players)
        table.hold(1)
        titles = {game.title: game.id for game in GAMES.values()}
        offered |= {titles[label] for label in table.labels(1) if label in titles}
        table.say(1, "start")
        assert table.labels(1)[0] == "START"
        assert table.labels(1)[-1] == "BACK"
    assert games == {
        2: {"liar-poker"},
        3: {"classic", "liar-poker", "rounds"},
        4: {"classic", "wrong-rank", "liar-poker", "rounds"},
        7: {"classic", "wrong-rank", "liar-poker"},
        9: {"classic", "wrong-rank"},
        13: {"classic"},
    }


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("game", GAMES)
def test_a_preset_brings_its_options_and_its_speed(game: str, preset: str) -> None:
    table = seated(4)
    table.hold(1)
    table.pick(1, GAMES[game].title, preset.upper())
    assert countdown(table) == {"game": game, "options": PRESETS[preset].get(game, {})}
    table.wait(5200)
    table.hold(1)
    seconds = {"book": 4, "pub": 3, "family": 6}[preset]
    assert (table.table.game.id, table.table.game.timing.doubt) == (game, seconds * 1000 * MS)


def test_presets_are_those_of_the_rules() -> None:
    assert PRESETS["book"] == {}
    assert PRESETS["pub"]["classic"] == {"bell_min": 12, "scoring": "chip"}
    assert PRESETS["pub"]["liar-poker"] == {"detail": "simple", "points": 3}
    assert PRESETS["family"]["wrong-rank"] == {"rank_assist": "auto"}


def test_options_are_set_one_by_one_and_back_leads_back() -> None:
    table = seated(4)
    table.hold(3)
    table.pick(3, "I Doubt It", "OPTIONS")
    assert table.view.headline == ("I DOUBT IT", {})
    assert table.labels(3)[0] == "START"
    table.pick(3, "SCORING")
    assert table.view.help == ("WHAT OTHERS PAY\nTHE WINNER", {})
    table.pick(3, "PER CARD")
    table.pick(3, "BELL MIN")
    assert table.cursor(3) == "12", "what stands comes first"
    table.pick(3, "0")
    table.pick(3, "PLAY ON", "YES")
    table.pick(3, "SPEED", "CALM")
    table.pick(3, "BACK")
    assert "I Doubt It" in table.labels(3)
    table.pick(3, "I Doubt It", "OPTIONS", "SCORING", "PER CARD", "SPEED", "CALM", "START")
    assert countdown(table) == {"game": "classic", "options": {"bell_min": 12, "scoring": "per_card"}}
    table.wait(5200)
    table.hold(3)
    assert table.table.game.options["scoring"] == "per_card"
    assert table.table.game.timing.doubt == 6000 * MS


@pytest.mark.parametrize("game", GAMES)
def test_every_option_can_be_set_in_the_lobby(game: str) -> None:
    """A label, a help line of at most 2 x 17 characters, and every value that is offered, one after the other."""
    for name, option in GAMES[game].options_known.items():
        label = label_of(name)
        for value in option.offered or option.values:
            table = seated(4)
            table.hold(1)
            table.pick(1, GAMES[game].title, "OPTIONS")
            table.pick(1, label)
            assert table.view.help == (option.help, {})
            lines = option.help.split("\n")
            assert len(lines) <= 2
            assert all(len(line) <= 17 for line in lines)
            shown = label_of(value)
            if shown not in table.labels(1):
                assert (game, name, value) in [("rounds", "hand_size", size) for size in range(14, 18)]
                continue
            table.pick(1, shown, "START")
            assert table.last("countdown")["options"].get(name, option.default) == value


def test_hand_sizes_that_do_not_fit_are_not_offered() -> None:
    sizes = {}
    for players in (3, 4, 6):
        table = seated(players)
        table.hold(1)
        table.pick(1, "Doubt, in rounds", "OPTIONS", "HAND SIZE")
        sizes[players] = max(int(label) for label in table.labels(1))
    assert sizes == {3: 17, 4: 13, 6: 8}


def test_house_rules_of_the_table_are_proposed() -> None:
    rules: dict[str, dict[str, object]] = {
        "classic": {"scoring": "per_card", "bell_min": 0},
        "rounds": {"hand_size": 13},
    }
    table = AtTable(Table.evening(NAMES[:4], Timing(doubt=5000 * MS), rules))
    for seat in (1, 2, 3, 4):
        table.press(seat)
    table.hold(4)
    table.hold(4)
    assert countdown(table) == {"game": "classic", "options": rules["classic"]}
    table.wait(5200)
    table.hold(4)
    assert table.table.game.timing.doubt == 5000 * MS
    table.say(1, "claim", count=1)
    assert table.table.state.setup is not None
    assert table.table.state.setup.house == rules


def test_house_rules_that_do_not_fit_so_many_are_left_aside() -> None:
    table = AtTable(Table.evening(NAMES[:5], Timing(), {"rounds": {"hand_size": 13}}))
    for seat in range(1, 6):
        table.press(seat)
    table.hold(1)
    table.pick(1, "Doubt, in rounds", "OPTIONS", "START")
    assert countdown(table) == {"game": "rounds", "options": {}}


# The countdown ------------------------------------------------------------------------------------------------------


def counting(players: int, size: int) -> AtTable:
    table = seated(players, size)
    table.hold(2)
    table.hold(2)
    assert table.view.scene == "countdown"
    return table


def test_a_tap_of_a_seated_player_stops_it() -> None:
    table = counting(4, 5)
    table.press(3)
    assert table.state.chosen is None
    table.wait(6000)
    assert table.phase == "lobby"


def test_a_new_seat_restarts_it() -> None:
    table = counting(4, 5)
    table.wait(3000)
    table.press(5)
    table.wait(4000)
    assert table.phase == "lobby"
    table.wait(1200)
    assert (table.phase, table.table.game.seats) == ("deal", (1, 2, 3, 4, 5))


def test_a_new_seat_for_which_the_game_has_no_room_stops_it() -> None:
    table = seated(6, 7)
    table.hold(1)
    table.pick(1, "Doubt, in rounds", "BOOK")
    table.press(7)
    table.wait(6000)
    assert (table.phase, table.state.chosen) == ("lobby", None)


def test_after_a_power_cut_it_counts_anew() -> None:
    table = counting(4, 4)
    table.wait(4000)
    table.power_cut(90_000)
    table.wait(4000)
    assert table.phase == "lobby"
    table.wait(1200)
    assert table.phase == "deal"


def test_who_gets_up_while_choosing_chooses_no_more() -> None:
    table = seated(4)
    table.hold(1)
    table.pick(1, "I Doubt It", "OPTIONS")
    table.say(1, "sit")
    assert (table.state.turn, table.state.tuned) == (None, None)
    table = seated(4)
    table.hold(1)
    table.pick(1, "I Doubt It", "OPTIONS")
    table.press(4)  # three are left, enough for classic
    assert table.labels(1)[0] == "START"
    table.press(3)
    table.press(2)
    assert table.state.turn is None


# The deal -----------------------------------------------------------------------------------------------------------


def dealt(players: int = 4, size: int = 5) -> AtTable:
    table = counting(players, size)
    table.wait(5200)
    assert table.phase == "deal"
    return table


def test_the_dealer_is_who_started_and_its_hold_ends_the_deal() -> None:
    table = dealt()
    assert (table.view.dealer, table.view.help) == (2, ("DEAL, THEN HOLD", {}))
    assert [seat.count for seat in table.view.seats] == [13, 13, 13, 13, 0]
    table.hold(3)
    assert table.phase == "deal"
    table.hold(2)
    assert (table.phase, table.state.turn, table.state.dealer) == ("claim", 3, 2)
    assert [facts["hands"] for facts in table.all("deal")] == [[13, 13, 13, 13, 0]], "dealt once"


def test_meanwhile_everybody_learns_the_button() -> None:
    table = dealt()
    assert [table.lamp(seat) for seat in (1, 2, 3, 4, 5)] == ["steady", "pulsing", "steady", "steady", "off"]
    table.press(1)
    assert table.lamp(1) == "pulsing"
    table.press(1, 2)
    table.hold(1)
    assert table.lamp(1) == "off"
    assert [facts["seat"] for facts in table.all("practised")] == [1, 1]


def test_who_leaves_during_the_deal_is_dealt_out() -> None:
    table = dealt()
    for seat in (1, 4):
        table.press(seat)
        table.press(seat, 2)
        table.hold(seat)
    table.menu(4, "I LEAVE")
    assert (table.phase, [seat.count for seat in table.view.seats]) == ("deal", [17, 17, 18, 0, 0])
    table.say(2, "leave")
    assert (table.phase, table.state.seated) == ("lobby", (1, 3)), "two are too few for classic"


def test_the_dealer_leaves_during_the_deal() -> None:
    table = dealt()
    table.say(2, "leave")
    assert (table.phase, table.state.dealer) == ("deal", 3)
    table.hold(3)
    assert table.state.turn == 4


def test_a_tap_on_an_empty_seat_during_the_deal_is_in_for_the_next() -> None:
    table = dealt()
    table.press(5)
    table.hold(2)
    assert table.table.game.seats == (1, 2, 3, 4)
    table.order("new_game")
    assert (table.phase, [seat.count for seat in table.view.seats]) == ("deal", [10, 10, 10, 11, 11])


def test_orders_between_the_games() -> None:
    table = seated(4)
    table.order("new_game")
    assert "lobby" in table.last("refused")["why"]
    for order, facts in (("skip", {}), ("undo", {}), ("set_hands", {"hands": (1, 2, 3, 4)}), ("remove", {"seat": 1})):
        table.mark()
        table.order(order, **facts)
        assert table.last("refused")["why"], order
    table.hold(2)
    table.hold(2)
    table.wait(5200)
    table.order("new_game")
    assert (table.phase, table.state.dealer) == ("deal", 3), "the deal moves left"
    table.order("remove", seat=1)
    assert table.table.game.seats == (2, 3, 4)


# What runs out ------------------------------------------------------------------------------------------------------


def test_the_countdown_is_seen_as_it_runs() -> None:
    table = seated(4)
    assert table.view.window is None
    table.hold(1)
    table.hold(1)
    starts = table.last("countdown")["starts"]
    assert table.view.window == (starts - 5000 * MS, starts)
    table.wait(1000)
    table.press(2)  # stopped
    assert table.view.window is None


def test_the_ring_runs_to_the_next_seats_start_and_then_to_the_close() -> None:
    table = at("classic", 4)
    table.say(1, "claim", count=2)
    opened = table.state.window.opened
    assert table.view.window == (opened, opened + 4000 * MS)
    table.wait(3900)
    assert table.view.window == (opened + 4000 * MS, opened + 64_000 * MS)


def test_the_ring_of_a_last_call_runs_to_its_end() -> None:
    table = at("classic", 3, hands=(2, 25, 25))
    table.say(1, "claim", count=2)
    opened = table.state.window.opened
    table.wait(6000)
    assert table.view.window == (opened, opened + 10_000 * MS)
