"""Every tape that comes with the project holds, and a table that is frozen and thawed at any line goes on alike."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from doubtable import tape
from doubtable.cli import main

TAPES = sorted((Path(__file__).parent / "tapes").rglob("*.jsonl"))


def of(path: Path) -> str:
    return path.stem


def test_there_are_tapes() -> None:
    assert len(TAPES) >= 59


@pytest.mark.parametrize("path", TAPES, ids=of)
def test_a_tape_holds(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["replay", "--check", str(path)])
    said = capsys.readouterr()
    assert (status, said.err) == (0, "")
    assert re.fullmatch(r"1 of 1 tapes hold: [1-9]\d* expectations compared\n", said.out)


def frozen_at_every_line(found: tape.Tape) -> Iterator[str]:
    """The events of a tape, with a new table for every line that knows only what the last one dumped."""
    plain = None
    for row in found.rows:
        if row.given is None:
            continue
        table = tape.table_of(found)
        if plain is not None:
            table.load(json.loads(plain))
        yield from (tape.event_line(each) for each in table.feed(row.given))
        plain = json.dumps(table.dump())


@pytest.mark.parametrize("path", TAPES, ids=of)
def test_a_table_frozen_and_thawed_at_every_line_goes_on_alike(path: Path) -> None:
    found = tape.load(path)
    straight = [tape.event_line(each) for each in tape.replay(found, tape.table_of(found))]
    assert list(frozen_at_every_line(found)) == straight


@pytest.mark.parametrize("path", TAPES, ids=of)
def test_an_input_written_again_is_the_same_input(path: Path) -> None:
    found = tape.load(path)
    header = tape.header_line({key: value for key, value in found.header.items() if key != "tape"})
    again = tape.read([header, *(tape.input_line(row.given) for row in found.rows if row.given is not None)])
    assert [row.given for row in again.rows] == [row.given for row in found.rows if row.given is not None]


def test_a_failed_expectation_names_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wrong.jsonl"
    path.write_text(
        '{"tape": 1, "game": "buttons", "seats": 2}\n{"ms": 0, "edge": [1, 1]}\n{"expect": {"event": "tap"}}\n'
    )
    assert main(["replay", "--check", str(path)]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(f"{path}:3: ")
    assert said[-1] == "0 of 1 tapes hold: 1 expectations compared"


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        (b"", 1, "empty"),
        (b"no json", 1, "JSON"),
        (b"\xff\xfe", 1, "UTF-8"),
        (b'{"tape": 2}', 1, "version"),
        (b'{"game": "classic"}', 1, "no header of a tape"),
        (b'{"tape": 1, "game": "classic", "seats": 3}\n{"ms": 1,', 2, "(column"),
        (b'{"tape": 1, "game": "whist", "seats": 3}', 1, "whist"),
        (b'{"tape": 1, "game": "whist", "seats": 3}', 1, "rounds, buttons, race, reader"),
        (b'{"tape": 1, "game": ["race"], "seats": 3}', 1, "does not exist"),
        (b'{"tape": true, "game": "race", "seats": 3}', 1, "version"),
        (b'{"tape": 1, "game": "race", "seats": 3, "opens": 100, "closes": 100}', 1, "closes at 100 ms"),
        (b'{"tape": 1, "game": "race", "seats": 3, "timing": {"tie_ms": 501}}', 1, "out of range: 0 to 500"),
        (b'{"tape": 1, "game": "classic", "seats": 4, "start": {"pile": 5}}', 1, "a pile of 5 cards needs hands"),
        (b'{"tape": 1, "game": "classic", "seats": 4, "start": {"hands": [14, 14, 14, 14], "pile": -4}}', 1, "pile"),
        (b'{"tape": 1, "game": "classic", "seats": 14}', 1, "14"),
        (b'{"tape": 1, "game": "classic", "seats": 2}', 1, "3 to 13"),
        (b'{"tape": 1, "game": "classic", "seats": 3, "options": {"scoring": "all"}}', 1, "chip, per_card"),
        (b'{"tape": 1, "game": "classic", "seats": 3}\n\n{"ms": 1, "edge": [4, 1]}', 3, "seat"),
        (b'{"tape": 1, "game": "classic", "seats": 3}\n{"ms": -1, "edge": [1, 1]}', 2, "negative"),
        (b'{"tape": 1, "game": "classic", "seats": 3}\n{"ms": 1, "wind": 3}', 2, "wind"),
        (b'{"tape": 1, "game": "classic", "seats": 3}\n{"ms": 1, "edge": [1.5, 1]}', 2, "seat 1.5 is not a whole"),
        (b'{"tape": 1, "game": "reader", "reader": []}', 1, "reader [] does not exist: rdm6300"),
        (b'{"tape": 1, "game": "classic", "seats": 3, "start": {"hands": "\\uD800"}}', 1, "half a character"),
        (b'{"tape": 1, "game": "classic", "seats": ["A", "\\udc00", "C"]}', 1, "half a character"),
        (b'{"tape": 1, "game": "classic", "seats": 3}\n{"tag": "\\ud83d"}', 2, "half a character"),
        (b'{"tape": 1, "game": "classic", "seats": 3}\n{"ms": 1, "edge": [1, 1]', 2, "JSON"),
    ],
)
def test_an_unreadable_tape_names_its_line(
    content: bytes, line: int, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    for arguments in (["replay", str(path)], ["replay", "--check", str(path)]):
        assert main(arguments) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"doubtable: {path}: line {line}: ")
        assert error.count("\n") == 1
        assert says in error


@pytest.mark.parametrize(("rests", "presses"), [(0, 4), (5, 3), (100, 1), (500, 0)])
def test_a_tape_may_try_times_that_no_house_keeps(rests: int, presses: int) -> None:
    """Two closures of 126 and 110 ms, 75 ms apart (F10); then one of 4 ms and one of 70."""
    edges = ((0, 1), (126, 0), (201, 1), (311, 0), (1000, 1), (1004, 0), (2000, 1), (2070, 0))
    lines = [tape.header_line({"game": "buttons", "seats": 1, "timing": {"confirm_ms": rests}})]
    lines += [json.dumps({"ms": ms, "edge": [1, level]}) for ms, level in edges] + ['{"ms": 9000}']
    found = tape.read(lines)
    events = list(tape.replay(found, tape.table_of(found)))
    assert sum(each.name == "press" for each in events) == presses


HEADER = '{"tape": 1, "game": "classic", "seats": 4}'
TOO_LARGE = ("9" * 26, "1e400", "1e999999999", str(2**63), "9" * 5000)
TIMES = (
    *('{{"ns": {}}}', '{{"ms": {}}}', '{{"edge": [1, 1], "uncertainty_us": {}}}', '{{"restart": {{"gap_ms": {}}}}}'),
    *('{{"source": "x", "up": true, "uncertainty_us": {}}}', '{{"edge": [1, 1], "seq": {}}}', '{{"edge": [{}, 1]}}'),
    *('{{"edge": [1, {}]}}', '{{"levels": {{"{}": 1}}}}', '{{"levels": {{"1": {}}}}}', '{{"card": "AS", "pack": {}}}'),
    *('{{"do": {{"seat": {}, "act": "claim"}}}}', '{{"do": {{"seat": 1, "act": "claim", "count": {}}}}}'),
    *('{{"do": {{"seat": 1, "act": "claim", "of": {}}}}}', '{{"order": {{"act": "set_hands", "hands": [{}, 1]}}}}'),
    '{{"order": {{"act": "remove", "seat": {}}}}}',
)


@pytest.mark.parametrize("line", TIMES)
@pytest.mark.parametrize("number", TOO_LARGE, ids=lambda each: each[:12])
def test_a_number_that_no_table_can_take_names_its_line(
    line: str, number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "large.jsonl"
    path.write_text(f"{HEADER}\n{line.format(number)}\n", encoding="utf-8")
    for arguments in (["replay"], ["replay", "--check"], ["race"]):
        assert main([*arguments, str(path)]) == 2
        error = capsys.readouterr().err
        assert error.startswith(f"doubtable: {path}: line 2: ")
        assert error.count("\n") == 1
        if '"ns"' in line:
            assert "too large" in error


def test_times_that_are_too_large_together_name_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "late.jsonl"
    gap = json.dumps({"restart": {"gap_ms": 2**63 // 2_500_000}})
    path.write_text("\n".join([HEADER, gap, gap, gap]), encoding="utf-8")
    assert main(["replay", str(path)]) == 2
    assert "line 4: gap_ms is too large" in capsys.readouterr().err


@pytest.mark.parametrize("key", ["opens", "closes"])
def test_a_window_of_a_race_that_no_table_can_take(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "window.jsonl"
    path.write_text(f'{{"tape": 1, "game": "race", "seats": 4, "{key}": 1e400}}\n', encoding="utf-8")
    assert main(["replay", str(path)]) == 2
    assert f"line 1: {key} is too large" in capsys.readouterr().err


def test_a_tape_without_expectations_holds_nothing_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "plain.jsonl"
    path.write_text(f'{HEADER}\n{{"ms": 1, "edge": [1, 1]}}\n', encoding="utf-8")
    assert main(["replay", "--check", str(path)]) == 0
    said = capsys.readouterr()
    assert said.out == "0 of 1 tapes hold, 1 with nothing to check: 0 expectations compared\n"
    assert said.err == f"doubtable: {path}: nothing to check in it: no line says what is to come of it\n"


def test_a_tape_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(tmp_path / "none.jsonl")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert main(["replay", str(tmp_path)]) == 2


def test_a_tape_of_another_editor_is_the_same_tape(tmp_path: Path) -> None:
    """With a byte order mark, ends of lines of Windows, and a name with an end of line of Unicode in it."""
    text = '{"tape": 1, "game": "classic", "seats": ["A\u2028B", "C", "D"]}\r\n{"ms": 5}\r\n'
    path = tmp_path / "tape.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    found = tape.load(path)
    assert (len(found.rows), found.header["seats"][0]) == (1, "A\u2028B")


@pytest.mark.parametrize("written", ["047368A2C72280", "047368a2c72280"])
def test_a_tag_is_the_card_under_the_name_that_the_header_gives_it(written: str) -> None:
    """Readers say capitals; a tape may say it as its header does."""
    header = f'{{"tape": 1, "game": "classic", "seats": 3, "cards": {{"{written}": "KS"}}}}'
    for tag in (written, written.upper()):
        found = tape.read([header, f'{{"ms": 1, "tag": "{tag}"}}'])
        said = [event.to_line() for event in tape.replay(found, tape.table_of(found))]
        assert {"event": "tag", "ns": 1_000_000, "id": tag, "card": "KS"} in said
