import pytest

from doubtable.screen.sizes import Box, Panel


def test_the_least_capital_is_sixteen_minutes_of_arc_at_two_metres() -> None:
    assert Panel(800, 480, 7.0).capital == 49
    assert Panel(1024, 600, 10.0).capital == 44
    assert Panel(1920, 1080, 15.0).capital == 54


@pytest.mark.parametrize(("width", "height", "inches"), [(800, 480, 7.0), (1024, 600, 10.0), (1920, 1080, 15.0)])
def test_the_least_capital_is_large_enough_and_one_pixel_less_is_not(width: int, height: int, inches: float) -> None:
    panel = Panel(width, height, inches)
    assert panel.arc_minutes(panel.capital) >= 16.0 > panel.arc_minutes(panel.capital - 1)


def test_a_panel_without_a_diagonal_takes_the_usual_one_and_an_unknown_one_ten_inches() -> None:
    assert [Panel(*size).inches for size in ((800, 480), (480, 800), (1920, 1080), (1366, 768))] == [7, 7, 15, 10]


def test_a_quarter_turn_makes_the_picture_upright() -> None:
    assert [Panel(800, 480, turn=turn).size for turn in (0, 90, 180, 270)] == [(800, 480), (480, 800)] * 2


def test_a_turn_or_size_that_cannot_be_says_so() -> None:
    with pytest.raises(ValueError, match="turn 45 is none of 0, 90, 180, 270"):
        Panel(800, 480, turn=45)
    with pytest.raises(ValueError, match="at least 320x240"):
        Panel(200, 100)


def test_rows_and_columns_cover_a_box_without_gap_or_overlap() -> None:
    box = Box(3, 5, 101, 67)
    rows, columns = box.rows(1, 2, 4), box.columns(3, 3, 1)
    assert sum(row.h for row in rows) == 67
    assert sum(column.w for column in columns) == 101
    assert not any(one.meets(other) for one in rows for other in rows if one is not other)
    assert all(box.holds(part) for part in rows + columns)
