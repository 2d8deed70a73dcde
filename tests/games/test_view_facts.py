"""What a view says of a game besides claim and counts: points, who has won or lost, and how cards are laid."""

from typing import Any

from doubtable.games.base import Text
from games.at_table import AtTable, at, evening

CROSSWISE: Text = ("LAY CROSSWISE\nON CLAIM SPOT", {})


def pointed(points: tuple[int, ...], options: dict[str, Any] | None = None) -> AtTable:
    """Liar Poker: seat 1 gives up a proof."""
    table = at("liar-poker", len(points), options=options, points=points)
    table.slap(1)
    table.say(1, "declare", hand="pair K")
    table.say(2, "liar")
    table.say(1, "give_up")
    return table


def test_penalty_points_stand_at_the_seats() -> None:
    table = pointed((1, 0, 3))
    assert [seat.score for seat in table.view.seats] == [2, 0, 3]
    assert (table.view.penalty, table.view.scores) == (True, (2, 0, 3))
    assert (table.view.loser, table.view.winners) == (0, ())


def test_who_has_lost_liar_poker() -> None:
    table = pointed((1, 0, 1), {"points": 2})
    assert table.phase == "over"
    assert (table.view.loser, table.view.winners) == (1, ())


def test_a_game_that_ends_early_is_won_by_the_sole_fewest_points() -> None:
    table = at("liar-poker", 3, points=(0, 2, 0))
    table.slap(1)
    table.say(2, "leave")
    table.say(3, "leave")
    assert (table.phase, table.view.winners) == ("over", (1,))


def test_who_has_won_by_laying_the_last_card() -> None:
    table = at("classic", 4, hands=(1, 17, 17, 17), turn=1)
    table.say(1, "claim", count=1)
    assert not table.view.winners
    table.wait(11_000)
    assert (table.view.winners, table.view.loser, table.view.penalty) == ((1,), 0, False)


def test_who_has_won_without_scores_when_the_bell_has_ended_it() -> None:
    table = at("classic", 4, hands=(10, 14, 14, 14), turn=4, options={"scoring": "none"})
    table.order("closed")
    table.say(4, "claim", count=1)
    table.wait(70_000)
    assert (table.phase, table.view.winners) == ("over", (1,))


def test_a_shared_win_names_all() -> None:
    table = at("classic", 4, hands=(10, 10, 16, 16), turn=4)
    table.order("closed")
    table.say(4, "claim", count=1)
    table.wait(70_000)
    assert table.view.winners == (1, 2)
    assert sum(table.view.scores) == 0


def test_too_few_players_are_left_and_the_fewest_cards_win_alone() -> None:
    table = at("classic", 3, hands=(10, 20, 22), turn=1)
    table.say(3, "leave")
    assert table.view.winners == (1,)
    table = at("classic", 3, hands=(20, 20, 12), turn=1)
    table.say(3, "leave")
    assert table.view.winners == (), "a tie is not paid"


def test_packets_are_laid_crosswise_it_is_said_until_everybody_has_laid_one() -> None:
    table = at("classic", 3)
    for seat in (1, 2, 3):
        assert table.view.tip == CROSSWISE
        table.say(seat, "claim", count=1)
        assert table.view.tip is None, "what matters now is the doubt"
        table.wait(4100)
        table.say(seat % 3 + 1, "start")
    assert (table.phase, table.view.tip) == ("claim", None)


def test_and_while_the_cards_are_dealt_in_games_that_lay_packets() -> None:
    for game, said in (("I Doubt It", True), ("Liar Poker", False)):
        table = evening(4)
        for seat in (1, 2, 3, 4):
            table.press(seat)
        table.hold(4)
        table.pick(4, game, "BOOK")
        table.wait(5100)
        assert table.phase == "deal"
        helps = []
        for _ in range(6):
            helps.append(table.view.help)
            table.wait(2000)
        assert helps[0] == ("DEAL, THEN HOLD", {})
        assert (CROSSWISE in helps) == said
