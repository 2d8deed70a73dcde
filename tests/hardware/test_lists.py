"""parts.toml and builds.toml as a builder edits them: a mistake is one line with its place."""

import shutil
from pathlib import Path

import pytest

from workshop.from_files import HERE, READERS, ListError, all_plans, make_build, read_lists


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("parts.toml", "builds.toml"):
        shutil.copy(HERE / name, tmp_path)
    return tmp_path


def everything(folder: Path) -> None:
    lists = read_lists(folder)
    for plan in all_plans():
        for reader in READERS:
            make_build(plan, lists, reader)


MISTAKES = [
    ("builds.toml", "[build.6-gpio]", "[bild.6-gpio]", "builds.toml: [build.6-gpio] is missing: write it as"),
    ("builds.toml", "plain_m", "plane_m", "builds.toml: [cable]: plain_m is missing: write it as"),
    ("builds.toml", "[circuit]", "[circus]", "builds.toml: [circuit] is missing"),
    ("builds.toml", "driver =", "drives =", "builds.toml: [build.4-gpio]: driver is missing"),
    ("builds.toml", '"tbd62783a"', '"tbd"', "parts.toml: [part.tbd] is missing"),
    ("builds.toml", "filter_nf = 100", "filter_nf =", "builds.toml: invalid value (at line"),
    ("parts.toml", "prices_date", "date", "parts.toml: [prices_date] is missing"),
    ("parts.toml", "lamp_ma", "lamp", "]: lamp_ma is missing"),
]


@pytest.mark.parametrize(("file", "right", "wrong", "says"), MISTAKES, ids=[says for *_, says in MISTAKES])
def test_a_mistake_in_a_list_is_one_line_with_its_place(
    folder: Path, file: str, right: str, wrong: str, says: str
) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert right in text
    path.write_text(text.replace(right, wrong, 1), encoding="utf-8")
    with pytest.raises(ListError) as caught:
        everything(folder)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["parts.toml", "builds.toml"])
def test_a_list_that_is_not_there_or_no_text_is_named(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"a = 1\nb = '\xff'\n")
    with pytest.raises(ListError, match=rf"{name}: byte 11 is not UTF-8: save the file as UTF-8$"):
        read_lists(folder)
    (folder / name).unlink()
    with pytest.raises(ListError, match=rf"{name}: no such file or directory"):
        read_lists(folder)
