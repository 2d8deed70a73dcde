"""Every house option: what it changes, and how a wrong one is told in tapes, on the command line, in a table.toml."""

from pathlib import Path

import pytest

from doubtable import tape
from doubtable.cli import main
from doubtable.games import GAMES, PRESETS
from doubtable.games.options import OptionError
from games.at_table import AtTable, at

ALL = [(game, name) for game, rules in GAMES.items() for name in rules.options_known]


def undoubted(table: AtTable, count: int = 1, **facts: str) -> None:
    """The seat on turn claims, and nobody doubts."""
    seat = table.state.turn
    table.say(seat, "claim", count=count, **facts)
    table.wait(4000)
    table.say(table.rules.next_seat(table.state, seat), "let_go" if table.phase == "last_call" else "start")


def last_cards(game: str = "classic", seats: int = 4, **options: object) -> AtTable:
    """Seat 1's only card is laid and stays undoubted. In classic games the others hold 20, 20 and 11."""
    table = at(game, seats, hands=(1, 20, 20, 11), turn=1, options=options)
    table.say(1, "claim", count=1, rank="A")
    table.wait(11_000)
    return table


# What they change -----------------------------------------------------------------------------------------------------


def test_packs_at_5() -> None:
    assert at("classic", 5).hands == [11, 11, 10, 10, 10]
    assert at("classic", 5, options={"packs_at_5": 2}).hands == [21, 21, 21, 21, 20]
    assert sum(at("classic", 4, options={"packs_at_5": 2}).hands) == 52, "only at five"


@pytest.mark.parametrize("game", ["classic", "wrong-rank"])
@pytest.mark.parametrize(("order", "ranks"), [("falling", "AKQ"), ("rising", "A23")])
def test_rank_order(game: str, order: str, ranks: str) -> None:
    assist = {"rank_assist": "auto"} if game == "wrong-rank" else {}
    table = at(game, 4, options={"rank_order": order, **assist})
    for _ in range(3):
        undoubted(table)
    assert [facts["rank"] for facts in table.all("claim")] == list(ranks)


@pytest.mark.parametrize("game", ["classic", "wrong-rank"])
@pytest.mark.parametrize(
    ("scoring", "scores"),
    [("chip", [3, -1, -1, -1]), ("per_card", [51, -20, -20, -11]), ("none", [0, 0, 0, 0])],
)
def test_scoring(game: str, scoring: str, scores: list[int]) -> None:
    assert last_cards(game, scoring=scoring).last("over")["scores"] == scores


@pytest.mark.parametrize(("scoring", "scores"), [("chip", [3, -1, -1, -1]), ("per_card", [18, -6, -7, -5])])
def test_scoring_in_rounds(scoring: str, scores: list[int]) -> None:
    table = at("rounds", 4, hands=(2, 6, 7, 5), options={"scoring": scoring})
    table.say(1, "lead", rank="K")
    for seat in (2, 3, 4, 1):
        table.say(seat, "pass")
    table.wait(4000)
    assert table.last("over")["scores"] == scores, "the lead with one card wins at once"


def test_per_card_after_a_wrong_doubt_of_the_last_claim() -> None:
    """ "a wrongly doubted last claim's pile is taken first" """
    table = at("classic", 4, hands=(1, 15, 15, 11), pile=10, turn=1, options={"scoring": "per_card"})
    table.say(1, "claim", count=1)
    table.slap(3)
    table.show("AS")
    table.wait(2000)
    assert table.last("over")["scores"] == [15 + 26 + 11, -15, -26, -11]


def test_play_on() -> None:
    assert last_cards().phase == "over"
    table = last_cards(play_on=True)
    assert (table.last("win"), table.phase, table.state.turn) == ({"seat": 1, "place": 1}, "claim", 2)
    undoubted(table)
    assert table.lamp(1) == "off"
    table.say(3, "claim", count=1)
    table.press(1)
    table.wait(1000)
    assert table.all("doubt") == [], "a seat that is out cannot doubt"
    table.wait(4000)
    table.say(4, "claim", count=4)
    table.order("set_hands", hands=(0, 1, 1, 7))
    table.wait(4000)
    table.say(2, "claim", count=1)
    table.wait(11_000)
    assert table.last("win") == {"seat": 2, "place": 2}
    table.say(3, "claim", count=1)
    table.wait(11_000)
    assert table.last("over") == {"scores": [3, -1, -1, -1], "places": [1, 2, 3, 4]}, "the first out is paid"


@pytest.mark.parametrize(("shift", "ranks"), [(False, "AKQJT987"), (True, "AKQT9865")])
def test_lap_shift(shift: bool, ranks: str) -> None:
    """Dealer 3: the turn passes it after every third claim, by a skip too."""
    table = at("classic", 3, options={"lap_shift": shift})
    said = []
    for turn in range(7):
        said.append(table.state.due)
        if turn == 5:
            table.order("skip")
        else:
            undoubted(table)
    said.append(table.state.due)
    assert "".join(said) == ranks


def test_thirteen_players_claim_all_ranks_only_with_a_shift() -> None:
    for shift in (False, True):
        table = at("classic", 13, options={"lap_shift": shift})
        first = set()
        for turn in range(26):
            if turn % 13 == 0:
                first.add(table.state.due)
            undoubted(table)
        assert len(first) == (2 if shift else 1)


@pytest.mark.parametrize(("bonus", "scores"), [(False, [0, 0, 0, 0]), (True, [-1, 0, 1, 0])])
def test_nose_bonus(bonus: bool, scores: list[int]) -> None:
    table = at("classic", 4, options={"nose_bonus": bonus})
    table.say(1, "claim", count=1)
    table.slap(3)
    table.show("5C")
    assert list(table.state.scores) == scores
    table.wait()
    table.say(2, "claim", count=1)
    table.slap(4)
    table.show("KC")
    table.wait(2000)
    assert list(table.state.scores) == scores, "a wrong doubt costs no chip"


def test_bell_min() -> None:
    table = at("classic", 4, options={"bell_min": 2})
    table.wait(119_000)
    assert (table.all("last_round"), table.view.notices) == ([], ())
    table.wait(1100)
    assert table.all("last_round") == [{}]
    assert ("LAST ROUND", {}) in table.view.notices


def test_rank_assist() -> None:
    table = at("wrong-rank", 4, options={"rank_assist": "auto"})
    assert table.view.due == "A"
    table.say(1, "claim", count=1, rank="Q")
    assert table.last("refused")["why"] == "the due rank is A, not Q"
    table.say(1, "claim", count=1)
    table.say(3, "wrong_rank")
    assert "cannot be wrong" in table.last("refused")["why"]
    free = at("wrong-rank", 4)
    free.say(1, "claim", count=1)
    assert "says its rank" in free.last("refused")["why"]
    free.say(1, "claim", count=1, rank="Q")
    assert free.last("claim")["rank"] == "Q"


@pytest.mark.parametrize(("corrects", "card", "true", "due"), [(False, "JS", True, "T"), (True, "AS", True, "K")])
def test_doubt_corrects(corrects: bool, card: str, true: bool, due: str) -> None:
    table = at("wrong-rank", 4, options={"doubt_corrects": corrects})
    table.say(1, "claim", count=1, rank="J")  # aces are due
    table.slap(3)
    table.show(card)
    table.wait(2000)
    assert (table.last("verdict")["true"], table.state.due) == (true, due)
    undoubted(table, rank="5")
    assert table.state.due == "4", "below the declared one when nobody doubted, with the option too"


def test_detail() -> None:
    named, simple = (at("liar-poker", 3, options={"detail": level}) for level in ("named", "simple"))
    for table, hand, index in ((named, "two_pairs K Q", 86), (simple, "two_pairs K", 31)):
        table.slap(2)
        table.say(2, "declare", hand=hand)
        assert table.last("declare")["index"] == index
    simple = at("liar-poker", 3, options={"detail": "simple"})
    simple.slap(2)
    simple.say(2, "declare", hand="two_pairs K Q")
    assert simple.all("declare") == []


@pytest.mark.parametrize(
    ("players", "options", "points"),
    [(2, {}, 5), (4, {}, 5), (5, {}, 3), (8, {}, 3), (4, {"points": 2}, 2), (8, {"points": 20}, 20)],
)
def test_points(players: int, options: dict[str, object], points: int) -> None:
    table = at("liar-poker", players, options=options)
    table.slap(2)
    for given in range(1, points + 1):
        table.say(2, "declare", hand="pair K")
        table.say(1 if players == 2 else 3, "liar")
        table.say(2, "give_up")
        assert table.last("point") == {"seat": 2, "points": given}
    over = table.last("over")
    assert (over["loser"], over["scores"]) == (2, [points if seat == 2 else 0 for seat in range(1, players + 1)])


@pytest.mark.parametrize(("players", "size", "aside"), [(3, 7, 31), (4, 7, 24), (5, 7, 17), (6, 7, 10), (3, 17, 1)])
def test_hand_size(players: int, size: int, aside: int) -> None:
    table = at("rounds", players, options={"hand_size": size})
    assert (table.hands, table.state.aside) == ([size] * players, aside)


@pytest.mark.parametrize(("players", "largest"), [(3, 17), (4, 13), (5, 10), (6, 8)])
def test_the_largest_equal_hand(players: int, largest: int) -> None:
    at("rounds", players, options={"hand_size": largest})
    if largest < 17:
        with pytest.raises(OptionError, match=f"hand_size {largest + 1} is too many for {players} players: 5 to "):
            at("rounds", players, options={"hand_size": largest + 1})


# How they are written -------------------------------------------------------------------------------------------------


def test_every_option_has_a_test_of_its_own() -> None:
    tests = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    assert {name for _, name in ALL} <= tests


def written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize(("game", "name"), ALL)
def test_a_value_that_it_has_not_is_told_with_those_it_has(
    game: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    option = GAMES[game].options_known[name]
    values = list(option.values)
    text = f"{values[0]} to {values[-1]}" if isinstance(option.values, range) else ", ".join(map(written, values))
    says = f"option {name} 'odd' does not exist: {text}"
    with pytest.raises(tape.TapeError) as caught:
        tape.table_of(tape.read([f'{{"tape": 1, "game": "{game}", "seats": 4, "options": {{"{name}": "odd"}}}}']))
    assert str(caught.value) == f"line 1: {says}"
    assert main(["play", "--game", game, "--option", f"{name}=odd"]) == 2
    assert says in capsys.readouterr().err
    toml = tmp_path / "table.toml"
    toml.write_text(f'[buttons]\nsource = "simulated"\n[seats.1]\n[seats.2]\n[options.{game}]\n{name} = "odd"\n')
    assert main(["config", "check", str(toml)]) == 2
    told = capsys.readouterr()
    line = next(line for line in (told.out + told.err).splitlines() if f"{game}.{name}" in line)
    assert "odd" in line
    assert all(written(value) in line for value in (values[0], values[-1]))


WHOLE = [(game, name) for game, name in ALL if type(GAMES[game].options_known[name].default) is int]


@pytest.mark.parametrize(("game", "name"), WHOLE)
@pytest.mark.parametrize("written_as", ["{}.0", "{}e0", "true"])
def test_a_number_that_is_not_whole_is_none_of_its_values(game: str, name: str, written_as: str) -> None:
    """7.0 equals 7, and true equals 1; neither is what a game counts with."""
    value = written_as.format(list(GAMES[game].options_known[name].values)[1])
    header = f'{{"tape": 1, "game": "{game}", "seats": 5, "options": {{"{name}": {value}}}}}'
    with pytest.raises(tape.TapeError, match=f"line 1: option {name} ") as caught:
        tape.table_of(tape.read([header]))
    assert "Decimal" not in str(caught.value)


@pytest.mark.parametrize("game", GAMES)
def test_an_option_that_it_has_not_is_told_with_those_it_has(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    known = ", ".join(GAMES[game].options_known)
    with pytest.raises(tape.TapeError, match=f"{game} has no option 'drinks': {known}"):
        tape.table_of(tape.read([f'{{"tape": 1, "game": "{game}", "seats": 4, "options": {{"drinks": 1}}}}']))
    assert main(["play", "--game", game, "--option", "drinks=1"]) == 2
    assert f"{game} has no option 'drinks': {known}" in capsys.readouterr().err


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_name_options_that_exist(preset: str) -> None:
    for game, options in PRESETS[preset].items():
        assert GAMES[game].read_options(options)


@pytest.mark.parametrize(
    ("game", "too_few", "too_many"), [(g, r.players[0] - 1, r.players[1] + 1) for g, r in GAMES.items()]
)
def test_too_few_and_too_many_players_are_told_the_range(game: str, too_few: int, too_many: int) -> None:
    least, most = GAMES[game].players
    for players in (too_few, too_many):
        with pytest.raises(OptionError, match=f"{game} is for {least} to {most} players, not {players}"):
            at(game, players)
