"""What the tests of scenes share: a stage for a panel, the texts of a picture, and the screens that are advised."""

from doubtable.screen.board import Widget
from doubtable.screen.lettering import Lettering
from doubtable.screen.sizes import Panel
from doubtable.screen.stage import Stage
from doubtable.screen.widgets import Label, Tag
from doubtable.screen.words import Words

# Each screen with the most seats that it is advised for.
ADVISED = [(Panel(800, 480, 7.0), 6), (Panel(1024, 600, 10.0), 8), (Panel(1920, 1080, 15.0), 13)]


def stage_of(panel: Panel, seats: int, lettering: Lettering, language: str = "en") -> Stage:
    return Stage(panel, seats, Words(language), lettering)


def texts(widgets: tuple[Widget, ...]) -> list[str]:
    """The lines of labels and tags."""
    return [line for widget in widgets if isinstance(widget, Label | Tag) for line in widget.setting.lines]
