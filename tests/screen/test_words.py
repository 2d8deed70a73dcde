"""One catalogue, complete in every language, short enough to be read at a glance."""

import subprocess
import sys
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from doubtable.games.poker_hands import LEVELS, declarations
from doubtable.screen.lettering import FILES, Face, Lettering
from doubtable.screen.sizes import Panel
from doubtable.screen.words import (
    HAND_NAMES,
    HELP_CHARACTERS,
    HELP_LINES,
    HOUSE_WORD,
    LANGUAGES,
    RANK_NAMES,
    Words,
    sign,
    signed,
)

LOCALE = files("doubtable.screen") / "locale"
VALUES: dict[str, object] = {
    "name": "Bob",
    "other": "Ann",
    "count": 3,
    "seat": 13,
    "rank": "10",
    "second": "Q",
    "code": "3FA9-01BC-77D2",
    "ms": "34",
    "game": "Doubt",
    "deck": "blue",
    "suit": "SPADES",
    "number": 7,
    "time": "08:00",
}


def po(language: str) -> Catalog:
    return read_po(BytesIO((LOCALE / language / "LC_MESSAGES" / "doubtable.po").read_bytes()), abort_invalid=True)


def messages(language: str) -> dict[str, Message]:
    return {_key(message): message for message in po(language) if message.id}


def _key(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def forms(text: object) -> list[str]:
    return [text] if isinstance(text, str) else [str(form) for form in text]  # type: ignore[attr-defined]


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


ALL = messages("en")
HELP = [key for key, message in ALL.items() if any("help" in comment for comment in message.auto_comments)]
KEYS = [(language, key) for language in LANGUAGES for key in ALL]


def test_the_catalogue_has_all_help_lines_and_labels() -> None:
    assert len(HELP) > 15
    assert {"DOUBT", "LET IT GO", "TAKE IT", "LIAR!", "UNDO THE DOUBT"} <= set(ALL)
    assert {name for names in RANK_NAMES.values() for name in names[:1]} <= set(ALL)
    assert {*HAND_NAMES.values(), HOUSE_WORD} <= set(ALL)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_every_text_and_no_other(language: str) -> None:
    catalogue = messages(language)
    assert list(catalogue) == list(ALL)
    assert [key for key, message in catalogue.items() if not all(forms(message.string)) or message.fuzzy] == []


@pytest.mark.parametrize(("language", "key"), KEYS)
def test_a_translation_has_the_same_places_as_its_key(language: str, key: str) -> None:
    message = messages_of(language)[key]
    for form in forms(message.string):
        assert places(form) == places(key)


_READ: dict[str, dict[str, Message]] = {}


def messages_of(language: str) -> dict[str, Message]:
    return _READ.setdefault(language, messages(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_are_in_capitals_but_for_the_house_word(language: str) -> None:
    words = Words(language)
    small = [key for key in ALL if key != HOUSE_WORD and not words.say(key, VALUES).replace("ß", "").isupper()]
    assert small == []


@pytest.mark.parametrize("key", HELP)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("count", [1, 3])
def test_a_help_line_is_at_most_two_lines_of_seventeen_characters(language: str, key: str, count: int) -> None:
    lines = Words(language).say(key, {**VALUES, "count": count}).split("\n")
    assert len(lines) <= HELP_LINES
    assert max(map(len, lines)) <= HELP_CHARACTERS


@pytest.mark.parametrize("panel", [Panel(800, 480), Panel(1024, 600), Panel(1920, 1080)], ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_help_line_fits_every_screen_at_sixteen_minutes_of_arc(
    language: str, panel: Panel, lettering: Lettering
) -> None:
    words, capital = Words(language), panel.capital
    for key in HELP:
        for line in words.say(key, VALUES).split("\n"):
            assert lettering.width(line, capital) <= panel.width - 20, line


@pytest.mark.parametrize("panel", [Panel(800, 480, turn=90), Panel(1024, 600, turn=90)], ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_help_line_fits_an_upright_screen_in_four_lines(language: str, panel: Panel, lettering: Lettering) -> None:
    words, capital = Words(language), panel.capital
    for key in HELP:
        room = (panel.size[0] - 20, lettering.height(4, capital))
        assert not lettering.setting(words.say(key, VALUES), room, (capital, capital), lines=4).cut, key


@pytest.mark.parametrize("face", list(FILES))
@pytest.mark.parametrize("language", LANGUAGES)
def test_our_fonts_have_every_letter_of_every_text(language: str, face: Face, lettering: Lettering) -> None:
    letters = {
        letter for message in messages_of(language).values() for text in forms(message.string) for letter in text
    }
    assert [letter for letter in letters if not lettering.has(letter, face)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_declaration_has_its_own_words(language: str) -> None:
    words = Words(language)
    for level in LEVELS:
        texts = [words.hand(str(declaration)) for declaration in declarations(level)]
        assert len(set(texts)) == len(texts)


def test_one_is_one_and_many_are_many() -> None:
    assert [Words("en").claim(count, "6") for count in (1, 2)] == ["1 SIX", "2 SIXES"]
    assert [Words("de").claim(count, "Q") for count in (1, 2)] == ["1 DAME", "2 DAMEN"]
    assert [Words("es").claim(count, "K") for count in (1, 2)] == ["1 REY", "2 REYES"]


def test_names_in_capitals_become_capitals_and_others_stay() -> None:
    words = Words("en")
    assert words.say("{name}: HOLD = DOUBT", {"name": "Björn"}) == "BJÖRN: HOLD = DOUBT"
    assert words.say("won by {name}", {"name": "Björn"}) == "won by Björn"


def test_a_name_with_braces_is_a_name() -> None:
    assert Words("en").say("WAITING FOR\n{name}", {"name": "{x}"}) == "WAITING FOR\n{X}"


def test_a_value_may_be_a_text_of_its_own() -> None:
    assert Words("de").say("WAITING FOR\n{name}", {"name": ("SEAT {seat}", {"seat": 4})}) == "WARTEN AUF\nPLATZ 4"


def test_a_text_that_no_catalogue_has_is_shown_as_it_is() -> None:
    assert Words("de").say("7") == "7"
    assert Words("de").say("ODD OR EVEN") == "ODD OR EVEN"


def test_the_house_word_replaces_the_neutral_one() -> None:
    assert Words("de").house_word == "Ich zweifle"
    assert Words("de", "Cheat!").house_word == "Cheat!"


def test_an_unknown_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="'fr' is none of en, de, es"):
        Words("fr")


def test_a_seat_without_a_name_is_called_by_its_number_and_ten_is_written_10() -> None:
    assert Words("en").seat(3, None) == "SEAT 3"
    assert Words("en").seat(3, "Ann") == "Ann"
    assert [sign("T"), sign("K")] == ["10", "K"]


def test_the_compiled_catalogues_are_those_of_the_sources() -> None:
    script = Path(str(LOCALE / "compile.py"))
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_signs_are_a_typographer_s() -> None:
    shown = Words().say("{name}: SHOW\n{other}'S {count} CARD", {"name": "Cy", "other": "Ann", "count": 3})
    assert shown == "CY: SHOW\nANN\u2019S 3 CARDS"
    assert Words().say("WAIT ...") == "WAIT \u2026"
    assert [signed(score) for score in (3, 0, -1)] == ["+3", "0", "\u22121"]
