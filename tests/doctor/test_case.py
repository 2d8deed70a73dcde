"""Who can be asked: a person at a terminal, or nobody."""

import io
import os
import pty
import sys

import pytest

from doubtable.doctor import Nobody, Terminal
from doubtable.doctor.case import person_here
from doubtable.timing import MS


def test_lines_come_one_by_one_however_they_were_typed() -> None:
    ears, keys = os.pipe()
    out = io.StringIO()
    person = Terminal(ears, out)
    assert person.wait(MS) is None
    os.write(keys, b"n\n\nye")
    assert [person.wait(MS) for _ in range(3)] == ["n", "", None]
    os.write(keys, b"s \n")
    assert person.wait(MS) == "yes"
    person.say("press")
    assert out.getvalue() == "  press\n"
    os.close(keys)
    assert [person.wait(MS) for _ in range(2)] == ["", ""], "the keyboard has ended: nothing waits for it"
    os.close(ears)


def test_without_a_terminal_nobody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    with os.fdopen(slave, "rb", buffering=0) as keys:
        monkeypatch.setattr(sys, "stdin", keys)
        monkeypatch.setattr(sys, "stdout", keys)
        assert isinstance(person_here(), Terminal)
        monkeypatch.setattr(sys, "stdout", io.StringIO())
        assert person_here() is None
        monkeypatch.setattr(sys, "stdin", None)
        assert person_here() is None
    os.close(master)


def test_nobody_waits_and_says_nothing() -> None:
    slept: list[float] = []
    nobody = Nobody(slept.append)
    nobody.say("press")
    assert nobody.wait(250 * MS) is None
    assert slept == [0.25]
