"""What is told of a port that fails: the system's words or ours, never a library's."""

import os
import pty
import termios
from collections.abc import Callable
from contextlib import suppress

import pytest
import serial

from doubtable.devices.panel import reason, unopened
from doubtable.devices.serial_faults import GONE, number, said


def raised(do: Callable[[], object]) -> BaseException:
    try:
        do()
    except GONE as error:
        return error
    raise AssertionError("nothing was raised")


def pulled(act: Callable[[serial.Serial], object]) -> BaseException:
    """What pyserial raises when ``act`` is done on a port whose far end has gone."""
    far, near = pty.openpty()
    with serial.Serial(os.ttyname(near), timeout=0) as port:
        os.close(far)
        os.close(near)
        error = raised(lambda: act(port))
        with suppress(*GONE):
            port.close()
    return error


ACTS: dict[str, Callable[[serial.Serial], object]] = {
    "read": lambda port: port.read(1),
    "in_waiting": lambda port: port.in_waiting,
    "write": lambda port: port.write(b"x"),
    "flush": lambda port: port.flush(),
    "reset_input_buffer": lambda port: port.reset_input_buffer(),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
def test_a_port_that_is_pulled_is_told_in_the_system_s_words(act: Callable[[serial.Serial], object]) -> None:
    error = pulled(act)
    assert said(error) in ("input/output error", "it has hung up")
    assert reason(error) == (f"is lost ({said(error)})", "it is opened again as soon as it is back")


WITHOUT = [
    (serial.SerialException("device reports readiness to read but returned no data"), "it has hung up"),
    (serial.PortNotOpenError(), "it has hung up"),
    (serial.SerialTimeoutException("Write timeout"), "it takes no more bytes"),
    (OSError(5, "Input/output error"), "input/output error"),
    (termios.error(5, "Input/output error"), "input/output error"),
    (serial.SerialException(5, "could not open port x: [Errno 5] Input/output error: 'x'"), "input/output error"),
]


@pytest.mark.parametrize(("error", "words"), WITHOUT, ids=[repr(each) for each, _ in WITHOUT])
def test_no_sentence_of_a_library_is_told(error: BaseException, words: str) -> None:
    assert said(error) == words


@pytest.mark.parametrize("inner", [OSError(5, "x"), termios.error(5, "x")], ids=["OSError", "termios.error"])
def test_an_error_within_another_is_the_one_that_counts(inner: Exception) -> None:
    def within() -> None:
        try:
            raise inner
        except GONE:
            raise serial.SerialException(f"read failed: {inner}")  # noqa: B904 - pyserial names no cause either

    error = raised(within)
    assert (number(error), said(error)) == (5, "input/output error")


def test_a_port_that_may_not_be_used_names_the_group_also_when_it_is_said_within() -> None:
    def refused() -> None:
        try:
            raise PermissionError(13, "Permission denied")
        except OSError:
            raise serial.SerialException("Could not configure port")  # noqa: B904

    error = raised(refused)
    assert unopened(error) == ("may not be used", "add this user to the group dialout")
