"""Whatever the core and the journal can say is in the catalogue, in every language."""

import ast
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from doubtable.games import GAMES, PRESETS
from doubtable.games.between import label_of
from doubtable.screen.words import CATEGORY_NAMES, FACTS, RANK_NAMES, Words
from doubtable.timing import SPEEDS

PACKAGE = Path(str(files("doubtable")))
CORE = [*sorted((PACKAGE / "games").glob("*.py")), *sorted((PACKAGE / "journal").glob("*.py"))]
CORE += [PACKAGE / "view.py", PACKAGE / "house.py"]


def said() -> Iterator[tuple[str, str]]:
    """Keys of texts, (key, {...}), and labels of strips, Choice((label, ...), ...), with the file they stand in."""
    for path in CORE:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.elts[1], ast.Dict):
                yield from ((text, path.name) for text in constants(node.elts[:1]))
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Choice":
                yield from ((label, path.name) for label in constants(node.args[:1], deep=True))


def constants(nodes: list[ast.expr], deep: bool = False) -> Iterator[str]:
    for node in nodes:
        for each in ast.walk(node) if deep else [node]:
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                yield each.value


def plain(text: str) -> bool:
    """Whether a text has letters of its own, so that it needs a translation."""
    outside = "".join(part.rpartition("}")[2] for part in text.split("{"))
    return any(letter.isalpha() for letter in outside) and text not in FACTS


TEXTS = sorted({(text, where) for text, where in said() if plain(text)})


def ids() -> set[str]:
    """All keys of the catalogue; test_words checks that every language has them."""
    path = PACKAGE / "screen" / "locale" / "en" / "LC_MESSAGES" / "doubtable.po"
    with path.open("rb") as file:
        return {
            text for message in read_po(file) for text in ([message.id] if isinstance(message.id, str) else message.id)
        }


KNOWN = ids()


def known(text: str) -> bool:
    return text in KNOWN


@pytest.mark.parametrize(("text", "where"), TEXTS)
def test_what_the_core_says_is_in_the_catalogue(text: str, where: str) -> None:
    assert known(CATEGORY_NAMES.get(text, text)), f"{where}: {text!r} is in no catalogue"


@pytest.mark.parametrize("game", GAMES)
def test_the_games_titles_are_in_the_catalogue(game: str) -> None:
    assert known(GAMES[game].title.upper())


def test_labels_with_numbers_and_ranks_find_their_words() -> None:
    german = Words("de")
    assert german.label("SEAT 11 IS GONE") == "PLATZ 11 IST WEG"
    assert german.label("3") == "3"
    assert german.label("two_pairs") == "ZWEI PAARE"
    assert [german.label(rank) for rank in ("T", "K")] == ["10", "K"]
    assert {german.label(rank) for rank in RANK_NAMES} == {"A", "K", "Q", "J", "10", *"98765432"}
    assert german.label("I Doubt It") == "ICH ZWEIFLE"


OPTIONS = [(game, name) for game, rules in GAMES.items() for name in rules.options_known]


@pytest.mark.parametrize(("game", "name"), OPTIONS)
def test_an_option_its_values_and_its_help_line_are_in_the_catalogue(game: str, name: str) -> None:
    option = GAMES[game].options_known[name]
    labels = [label_of(name), *(label_of(value) for value in option.values if not isinstance(value, int))]
    assert [text for text in (*labels, option.help) if not known(text)] == []


@pytest.mark.parametrize("text", [*map(label_of, SPEEDS), *(preset.upper() for preset in PRESETS)])
def test_speeds_and_presets_are_in_the_catalogue(text: str) -> None:
    assert known(text)
