"""The reader's tapes, fed to the parsers alone."""

import json
from pathlib import Path

import pytest

from doubtable.readers import READERS, Sighting
from doubtable.timing import MS

TAPES = Path(__file__).parents[1] / "tapes"


def sightings_of(tape: str) -> list[Sighting]:
    """All that a tape's serial and time lines make its reader say."""
    head, *lines = [json.loads(text) for text in (TAPES / tape).read_text(encoding="utf-8").splitlines()]
    reader = READERS[head["reader"]]
    state = reader.start()
    said: list[Sighting] = []
    for line in lines:
        if "ms" not in line:
            continue
        if "serial" in line:
            state, new = reader.feed(state, line["ms"] * MS, bytes.fromhex(line["serial"]))
        else:
            state, new = reader.advance(state, line["ms"] * MS)
        said += new
    return said


@pytest.mark.parametrize(
    ("tape", "tags"),
    [
        ("reader-01-raw-checksum-clone.jsonl", ["0114AE3BBC", "0100000002"]),
        ("reader-02-cr-lf.jsonl", ["0500207B32", "0500207B32"]),
        ("reader-03-repeats-and-stump.jsonl", ["0D00319CD0", "0D00319CD0"]),
        ("reader-04-neighbours.jsonl", ["78003E5C1E", "78003E5C1F"]),
        ("reader-05-seven-byte-uid.jsonl", ["047368A2C72280"]),
        ("reader-06-ack-and-answer.jsonl", ["FB0EE20B"]),
        (
            "reader-07-rubbish-with-valid-xor.jsonl",
            ["000000078F", "00F00000F0", "F000060007", "0000000000", "0500207B32"],
        ),
    ],
)
def test_tapes_tags_arrive_in_order(tape: str, tags: list[str]) -> None:
    assert [sighting.id for sighting in sightings_of(tape) if sighting.present] == tags


def test_a_lifted_tag_is_gone_400_ms_after_its_last_frame() -> None:
    gone = [sighting for sighting in sightings_of("reader-03-repeats-and-stump.jsonl") if not sighting.present]
    assert gone == [Sighting(500 * MS, "0D00319CD0", present=False)]
