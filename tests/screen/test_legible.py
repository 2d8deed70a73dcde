"""Every text that a guest reads is large enough: capitals of 16 minutes of arc at 2 m on each screen that is advised.

What may be smaller: ranks on small cards, the attendant's menu (read at arm's length) and lines with long names.
"""

import os
from collections.abc import Iterator
from importlib.resources import files
from io import BytesIO
from unicodedata import normalize

import pytest
from babel.messages.pofile import read_po
from msgspec.structs import replace

from doubtable.games.poker_hands import LEVELS, declarations
from doubtable.screen.board import Board, Placed, Widget
from doubtable.screen.examples import NOW, examples, with_names
from doubtable.screen.lettering import Lettering
from doubtable.screen.motion import PICTURE_NS, TURN_NS
from doubtable.screen.scenes import draw
from doubtable.screen.sizes import Panel
from doubtable.screen.stage import SHRINK_WORD, Stage
from doubtable.screen.widgets import Label, Strip, sunk, with_ink
from doubtable.screen.words import LANGUAGES, RANK_NAMES, Words
from doubtable.view import StripView, Text, View

LONG = bool(os.environ.get("DOUBTABLE_LONG"))
# Each screen with the most seats that it is advised for.
ADVISED = [(Panel(800, 480, 7.0), 6), (Panel(1024, 600, 10.0), 8), (Panel(1920, 1080, 15.0), 13)]
TURNS = (0, 90, 180, 270) if LONG else (0, 90)
CARDS = ("reveal-eight", "prove", "reveal-missing", "no-reader", "reveal", "any-more", "win-show")
GAMES = {
    "I DOUBT IT": "I Doubt It",
    "I DOUBT IT, OPEN RANK": "I Doubt It, open rank",
    "LIAR POKER": "Liar Poker",
    "DOUBT, IN ROUNDS": "Doubt, in rounds",
}
NOTICES: tuple[Text, ...] = (
    ("{count} CARDS MISSING", {"count": 2}),
    ("UNKNOWN CARD", {}),
    ("SHOWN ALREADY", {}),
    ("KNOWN ELSEWHERE", {}),
    ("PANEL IS GONE", {}),
    ("BUTTONS ARE GONE", {}),
    ("LAMPS ARE GONE", {}),
    ("NO READER", {}),
    ("SHUFFLE DISCARDS", {}),
    ("LAST ROUND", {}),
    ("NOT SAVED", {}),
)
WIDE_RANKS = ("K", "Q", "T")  # the widest signs: what they fit in, others fit in

VALUES = {"name": "Bob", "other": "Ann", "count": 3, "seat": 13, "rank": "10"}

Pictures = Iterator[tuple[str, View, int]]


def shown(view: View, ns: int, stage: Stage, lettering: Lettering) -> tuple[tuple[Widget, ...], list[Placed]]:
    widgets, board = draw(view, ns, stage), Board(stage.panel.size, lettering)
    board.canvas.log = []
    board.show(widgets)
    return widgets, board.canvas.log


def small(pictures: Pictures, stage: Stage, lettering: Lettering) -> list[tuple[str, str, int]]:
    """Name of the picture, text and height of what is cut or too small to be read."""
    found = []
    for name, view, ns in pictures:
        scene = name.partition(":")[0]
        for each in shown(view, ns, stage, lettering)[1]:
            on_card = scene in CARDS and len(each.text) <= 2
            if each.cut or (each.capital < stage.panel.capital and not on_card):
                found.append((name, each.text, each.capital))
    return found


def ordinary(seats: int) -> Pictures:
    """Every example with names that are not long, but the attendant's menu."""
    return (each for each in examples(seats) if not each[0].startswith(("service", "long-names")))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize(("panel", "most"), ADVISED, ids=lambda value: str(getattr(value, "width", value)))
def test_letters_are_large_enough_in_every_language(
    panel: Panel, most: int, turn: int, language: str, lettering: Lettering
) -> None:
    turned = Panel(panel.width, panel.height, panel.inches, turn)
    for seats in range(3, most + 1) if LONG else (4, most):
        assert small(ordinary(seats), Stage(turned, seats, Words(language), lettering), lettering) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("turn", [0, 90])
def test_a_line_with_a_long_name_shrinks_by_a_quarter_at_the_most(
    turn: int, language: str, lettering: Lettering
) -> None:
    panel = Panel(800, 480, 7.0, turn)
    stage = Stage(panel, 4, Words(language), lettering)
    pictures = [each for each in examples(4) if each[0].startswith("long-names")]
    least = min(each.capital for _, view, ns in pictures for each in shown(view, ns, stage, lettering)[1])
    assert least >= int(panel.capital * SHRINK_WORD)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("turn", [0, 90])
def test_names_of_six_letters_are_no_long_names(turn: int, language: str, lettering: Lettering) -> None:
    for seats in (4, 6):
        stage = Stage(Panel(800, 480, 7.0, turn), seats, Words(language), lettering)
        named = ((name, with_names(view, ("Thomas", "Werner", "Sandra")), ns) for name, view, ns in ordinary(seats))
        assert small(named, stage, lettering) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_claim_beside_the_pile_is_as_large_as_it_has_to_be(language: str, lettering: Lettering) -> None:
    stage, few = Stage(Panel(800, 480, 7.0), 4, Words(language), lettering), []
    view = next(view for name, view, _ in examples(4) if name == "window-later")
    for name in ("Ann", "Bob", "Cy", "Dee", "Max"):
        named = with_names(view, (name,))
        few += [
            (f"{name}:{pile}{rank}", replace(named, claim=(1, 1, rank), pile=pile), NOW)
            for rank in RANK_NAMES
            for pile in (1, 7, 12, 48, 104)
        ]
    assert small(iter(few), stage, lettering) == []


@pytest.mark.parametrize(
    ("name", "help_line"),
    [("Bob", ("DOUBT? SLAP!", "BOB: HOLD = DOUBT")), ("Werner", ("DOUBT? SLAP!", "WERNER: HOLD"))],
)
def test_a_help_line_leaves_out_what_is_told_above_before_it_shrinks(
    name: str, help_line: tuple[str, ...], lettering: Lettering
) -> None:
    stage = Stage(Panel(800, 480, 7.0), 4, Words(), lettering)
    label = stage.help("DOUBT? SLAP!\n{name}: HOLD = DOUBT", {"name": name})[-1]
    assert isinstance(label, Label)
    assert label.setting.lines == help_line


def test_scores_with_names_too_long_for_two_columns_take_turns(lettering: Lettering) -> None:
    stage = Stage(Panel(800, 480, 7.0), 6, Words(), lettering)
    view = next(view for name, view, _ in examples(6) if name == "match")
    named = with_names(view, ("Thomas", "Werner", "Sandra"))
    pages = range(12)  # of an evening: who won, the awards one by one, the scores
    seen = [{each.text for each in shown(named, number * PICTURE_NS, stage, lettering)[1]} for number in pages]
    assert any({"SCORES", "THOMAS", "WERNER", "SANDRA"} <= texts for texts in seen)
    assert any({"SCORES", "DEE", "EVA", "FAY"} <= texts for texts in seen)
    short = [{each.text for each in shown(view, number * PICTURE_NS, stage, lettering)[1]} for number in pages]
    assert any({"SCORES", "ANN", "FAY"} <= texts for texts in short)


# Every wording --------------------------------------------------------------------------------------------------------


def commented(word: str) -> list[str]:
    """Keys of the catalogue whose note has this word."""
    source = files("doubtable.screen") / "locale" / "en" / "LC_MESSAGES" / "doubtable.po"
    noted = [each for each in read_po(BytesIO(source.read_bytes())) if any(word in note for note in each.auto_comments)]
    return [each.id if isinstance(each.id, str) else each.id[0] for each in noted]


def wordings(seats: int) -> Pictures:
    """Every label, claim, declaration, game, notice and help line, each in a scene that shows it."""
    scenes = {name: view for name, view, _ in examples(seats)}
    labels = [label for label in commented("label") if "{name}" not in label]
    for label in (each.replace("{seat}", "6") for each in (*labels, *GAMES.values())):
        for scene in ("choose-option", "menu"):
            yield f"{scene}:{label}", replace(scenes[scene], strips=(StripView(1, ("NONE", label, "BACK"), 1),)), NOW
        chosen = (StripView(1, ("PUB", "FAMILY"), 1, (label,)),)
        yield f"chosen:{label}", replace(scenes["choose-option"], strips=chosen), NOW
    yield from _claims(scenes)
    yield from _declarations(scenes)
    for game in GAMES:
        proposed: Text = ("{game}:\nABOUT {count} MIN", {"game": (game, {}), "count": 12})
        yield f"choose:{game}", replace(scenes["choose"], headline=proposed), NOW
        yield f"countdown:{game}", replace(scenes["countdown"], headline=(game, {})), NOW
        yield f"volunteer:{game}", replace(scenes["volunteer"], headline=(game, {})), NOW
    for notice in NOTICES:
        for scene in ("lay-two", "window", "reveal", "volunteer"):
            for ns in (0, TURN_NS):  # where it takes turns with the help line: both
                view = replace(scenes[scene], notices=(notice,), window=None)
                yield f"{scene}:{notice[0]}", view, ns
    for key in commented("help"):
        yield f"lay-two:{key}", replace(scenes["lay-two"], help=(key, VALUES)), NOW


def _claims(scenes: dict[str, View]) -> Pictures:
    for rank in RANK_NAMES:
        called: Text = ("{name}: {rank}", {"name": "Ann", "rank": ("RANK", {"rank": rank, "count": 2})})
        for scene in ("lay-two", "rounds"):
            yield f"{scene}:{rank}", replace(scenes[scene], headline=called), NOW
        for count in (1, 8):
            told: Text = ("{name}: {claim}", {"name": "Ann", "claim": ("CLAIM", {"count": count, "rank": rank})})
            for scene in ("window", "window-later", "correct", "wrong-rank", "press-again", "doubt", "reveal", "agree"):
                view = scenes[scene]
                headline = told if view.headline[0] == told[0] else view.headline
                yield f"{scene}:{count}{rank}", replace(view, claim=(1, count, rank), headline=headline), NOW


def _declarations(scenes: dict[str, View]) -> Pictures:
    for hand in sorted({str(each) for level in LEVELS for each in declarations(level)}):
        category, *ranks = hand.split(" ")
        if any(rank not in WIDE_RANKS for rank in ranks):
            continue
        told: Text = ("{name}: {hand}", {"name": "Ann", "hand": ("HAND", {"hand": hand})})
        for scene in ("respond", "draw", "prove", "declare"):
            yield f"{scene}:{hand}", replace(scenes[scene], headline=told), NOW
        raises = (StripView(1, (category, "four", "straight_flush"), 0),)
        yield f"categories:{hand}", replace(scenes["categories"], headline=told, strips=raises), NOW


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("turn", [0, 90])
@pytest.mark.parametrize(("panel", "most"), ADVISED if LONG else ADVISED[:1], ids=str)
def test_every_wording_is_large_enough(panel: Panel, most: int, turn: int, language: str, lettering: Lettering) -> None:
    turned = Panel(panel.width, panel.height, panel.inches, turn)
    for seats in {4, most} if LONG else {4}:  # on seven inches four seats leave the least room
        stage = Stage(turned, seats, Words(language), lettering)
        assert small(wordings(seats), stage, lettering) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("turn", TURNS)
def test_the_accents_of_a_choice_are_on_its_plate(turn: int, language: str, lettering: Lettering) -> None:
    # In the colour of the letters on a plate they are not seen beside it: an O with dots would be an O.
    stage = Stage(Panel(800, 480, 7.0, turn), 4, Words(language), lettering)
    beside = []
    for name, view, ns in (*ordinary(4), *wordings(4)):
        for strip in (each for each in draw(view, ns, stage) if isinstance(each, Strip)):
            for box, setting in strip.items:
                accented = any(len(normalize("NFD", sign)) > 1 for sign in setting.lines[0])
                if accented and with_ink(box, setting).y + sunk(box, setting) < box.y - 2:
                    beside.append((name, setting))
    assert beside == []


def test_a_long_word_breaks_where_it_is_marked_and_only_where_it_is_too_wide(lettering: Lettering) -> None:
    word, size = "LÜGEN\u00adPOKER", (lettering.width("LÜGENPOKE", 40), 300)
    assert lettering.setting(word, size, (40, 90), 3).lines == ("LÜGEN-", "POKER")
    assert lettering.setting(word, (2 * size[0], 300), (40, 40), 3).lines == ("LÜGENPOKER",)
    assert lettering.setting("WERT-\u00adHILFE", size, (48, 48), 3).lines == ("WERT-", "HILFE")
    assert lettering.lines_at(word, size[0], 40) == 2
    assert lettering.width(word, 40) == lettering.width("LÜGENPOKER", 40)
